"""Scores of an alignment against known truth."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from . import _data
from . import _landbridge as _core
from ._base import whole
from ._errors import DataError, PairsError
from ._words import Metric

__all__ = ["BatchMixing", "batch_mixing", "foscttm", "label_transfer", "mmae", "perturbation_bound", "recall_at_k", "subspace_distance"]


def _places(name: str, Z: Any) -> npt.NDArray[np.float64]:
    array = _data._numeric(name, Z).astype(np.float64, copy=False)
    if array.shape[0] == 0 or array.shape[1] == 0:
        raise DataError(f"{name} is empty: it has shape {array.shape}")
    bad = np.argwhere(~np.isfinite(array))
    if bad.size:
        row, column = bad[0]
        raise DataError(f"{name}: the value at row {row}, column {column} is {array[row, column]}")
    return array


def _truth(truth: Any) -> npt.NDArray[np.int64] | None:
    if truth is None:
        return None
    array = np.asarray(truth)
    if array.dtype.kind not in "iu" or array.ndim != 1:
        raise PairsError(
            f"truth has type {array.dtype} and shape {array.shape}; it must hold one target row (an integer) per source row",
            "-1 where a source row has no counterpart",
        )
    return array.astype(np.int64)


def recall_at_k(
    Zs: Any, Zt: Any, k: int | Iterable[int] = (1, 10), truth: Any = None, metric: Metric = "euclidean"
) -> Any:
    """How often the true match of a source row is among its k best, for each k.

    A true match counts if fewer than k other rows are nearer or at the same distance. A tie counts against it, so a constant
    embedding scores 0.

    Parameters
    ----------
    Zs, Zt : rows in the joint space
    k : a number, or several
    truth : the target row of each source row, -1 for none; None: row i of one is row i of the other
    metric : "euclidean" or "cosine"

    Returns
    -------
    A float for one k, otherwise an array in the order of `k`.

    >>> import numpy as np, landbridge as lb
    >>> Z = np.arange(20.0).reshape(10, 2)
    >>> lb.metrics.recall_at_k(Z, Z, k=1)
    1.0
    >>> lb.metrics.recall_at_k(Z, Z[::-1], k=(1, 10)).tolist()
    [0.0, 1.0]
    """
    ks = list(k) if isinstance(k, Iterable) else [k]
    found = _core.recall_at_k(
        _places("Zs", Zs), _places("Zt", Zt), [whole("k", each, 1) for each in ks], _truth(truth), metric
    )
    return np.array(found) if isinstance(k, Iterable) else found[0]


def foscttm(Zs: Any, Zt: Any, truth: Any = None, metric: Metric = "euclidean") -> float:
    """The mean share of rows of the other dataset that are nearer than the true match, averaged over both directions.

    0 is perfect, 0.5 is chance. Ties count half.

    Parameters
    ----------
    Zs, Zt : rows of the two datasets in the joint space
    truth : for each row of `Zs` its row of `Zt`, -1 for none; None: row i belongs to row i
    metric : "euclidean" or "cosine"

    >>> import numpy as np, landbridge as lb
    >>> Z = np.arange(20.0).reshape(10, 2)
    >>> lb.metrics.foscttm(Z, Z)
    0.0
    """
    return _core.foscttm(_places("Zs", Zs), _places("Zt", Zt), _truth(truth), metric)


class BatchMixing(NamedTuple):
    """How far batches mix."""

    #: Mean share of rows of other batches among the k nearest rows.
    observed: float
    #: The share if every neighbourhood had the composition of the whole.
    expected: float

    @property
    def mixing(self) -> float:
        """`observed / expected`: 0 where batches are apart, about 1 where they are mixed; 1 for a single batch."""
        return self.observed / self.expected if self.expected > 0 else 1.0


def batch_mixing(Z: Any, batch: Any, k: int = 30, metric: Metric = "euclidean") -> BatchMixing:
    """Whether the batches of a dataset mix: how many of the nearest rows are of another batch.

    Parameters
    ----------
    Z : rows of one dataset, in the joint space or anywhere else
    batch : the batch of each row
    k : number of nearest other rows
    metric : "euclidean" or "cosine"

    >>> import numpy as np, landbridge as lb
    >>> rng = np.random.default_rng(0)
    >>> Z, batch = rng.normal(size=(400, 3)), np.repeat(["a", "b"], 200)
    >>> round(lb.metrics.batch_mixing(Z, batch).mixing, 1)
    1.0
    >>> round(lb.metrics.batch_mixing(Z + 9 * (batch == "b")[:, None], batch).mixing, 1)
    0.0
    """
    names: dict[Any, int] = {}
    codes = [names.setdefault(name, len(names)) for name in _data.batch_names("batch", batch)]
    return BatchMixing(*_core.batch_mixing(_places("Z", Z), codes, whole("k", k, 1), metric))


def label_transfer(Zs: Any, ys: Any, Zt: Any, yt: Any, k: int = 5, metric: Metric = "euclidean") -> float:
    """The share of target rows whose label is the most frequent among their `k` nearest source rows.

    Of equally frequent labels the one met first (nearest) counts. Labels may be anything that can be compared.

    Parameters
    ----------
    Zs, Zt : rows of the source and of the target in the joint space
    ys, yt : their labels
    k : number of nearest rows that vote
    metric : "euclidean" or "cosine"

    >>> import landbridge as lb
    >>> lb.metrics.label_transfer([[0.0], [1.0], [9.0]], ["a", "a", "b"], [[0.4], [8.0]], ["a", "b"], k=1)
    1.0
    """
    codes: dict[Any, int] = {}
    source, target = ([codes.setdefault(label, len(codes)) for label in np.asarray(y).tolist()] for y in (ys, yt))
    return _core.label_transfer(_places("Zs", Zs), source, _places("Zt", Zt), target, whole("k", k, 1), metric)


def mmae(predicted: Any, actual: Any, known: Any = None) -> float:
    """The mean absolute error over the known values of each row, averaged over the rows that have any (lower is better).

    Parameters
    ----------
    predicted : (m, p) array
    actual : (m, p) array or sparse matrix
    known : (m, p) array of bool, the known values. None: the stored entries of a sparse matrix; the entries of an array with NaN
        that are not NaN; the non-zero entries of any other array

    >>> import numpy as np, landbridge as lb
    >>> lb.metrics.mmae([[3.0, 1.0], [2.0, 5.0]], [[4.0, 0.0], [2.0, 3.0]])
    1.0
    >>> lb.metrics.mmae([[3.0, 1.0], [2.0, 5.0]], [[4.0, 0.0], [2.0, np.nan]])
    0.5
    """
    if known is None and sparse.issparse(actual):
        entries = actual.tocsr()
    else:
        array = actual.toarray() if sparse.issparse(actual) else np.asarray(actual, np.float64)
        if array.ndim != 2:
            raise DataError(f"actual has shape {array.shape}; it must have two dimensions")
        if known is not None:
            mask = np.asarray(known)
            if mask.dtype != bool or mask.shape != array.shape:
                raise DataError(f"known has type {mask.dtype} and shape {mask.shape}; it must be bool, {array.shape}")
        else:
            mask = ~np.isnan(array) if np.isnan(array).any() else array != 0
        starts = np.concatenate([[0], np.cumsum(mask.sum(axis=1))])
        entries = sparse.csr_array((array[mask], np.nonzero(mask)[1], starts), shape=array.shape)
    if not np.all(np.isfinite(entries.data)):
        raise DataError("actual: a known value is not finite")
    indptr, indices, values, ncols = _data.csr_parts(entries)
    return _core.mmae(_places("predicted", predicted), indptr, indices, values, ncols)


def subspace_distance(A: Any, B: Any) -> float:
    """``norm(P - Q, 2)``, P and Q the projections onto the spaces that the columns of `A` and of `B` span.

    The sine of the largest angle between them: 0 if they are the same, 1 if a direction of one is orthogonal to the other or
    their dimensions differ.

    >>> import landbridge as lb
    >>> round(lb.metrics.subspace_distance([[1.0], [0.0]], [[1.0], [1.0]]), 6)
    0.707107
    """
    return _core.subspace_distance(_places("A", A), _places("B", B))


def perturbation_bound(eigengap: float, N: int, epsilon: float) -> float:
    """``2 epsilon eigengap / (N (pi + 2 epsilon))``: how far the entries of a symmetric N x N matrix may move.

    If the eigenvalues of A that span a subspace are `eigengap` away from all others, and no entry of ``B - A`` is larger than
    this bound, then the subspace of B is at most `epsilon` away (`subspace_distance`). Wang and Mahadevan 2008, Theorem 2.

    >>> import landbridge as lb
    >>> round(lb.metrics.perturbation_bound(0.1, 500, 0.5), 8)
    4.829e-05
    """
    return _core.perturbation_bound(float(eigengap), whole("N", N, 1), float(epsilon))
