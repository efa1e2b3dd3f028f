"""Matches between rows that are in one space already, and between rows that are not."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _data
from . import _landbridge as _core
from ._base import threads, whole
from ._errors import AlignmentWarning, DataError, ParameterError
from .metrics import _places


def match_rows(
    Zs: Any, Zt: Any, k: int = 1, how: str = "nearest", metric: str | None = None, n_jobs: int | None = None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Which rows of `Zt` are the rows of `Zs`? Exact, in memory for the rows and the result only.

    Parameters
    ----------
    Zs, Zt : rows with the same columns
    k : matches per row; 1 for "mutual" and "assignment"
    how : "nearest", "csls", "mutual" or "assignment", as in ``match`` of an alignment
    metric : "euclidean" or "cosine"; None is "euclidean", for "csls" (which has no other) "cosine"
    n_jobs : threads; None is all cores

    Returns
    -------
    indices : (m, k) integer array, best first, -1 where there is no match
    distances : (m, k) array beside it, infinite where there is no match; for "csls" the negated score

    >>> import landbridge as lb
    >>> lb.match_rows([[0.0, 0.0], [5.0, 5.0]], [[5.0, 4.0], [0.0, 1.0]])[0].ravel().tolist()
    [1, 0]
    """
    if how == "csls" and metric not in (None, "cosine"):
        raise ParameterError(f'metric is {metric!r}; it must be None or "cosine" for how="csls"')
    own = "cosine" if how == "csls" else "euclidean"
    source, target = _places("Zs", Zs), _places("Zt", Zt)
    return _core.match_rows(source, target, whole("k", k, 1), how, own if metric is None else metric, threads(n_jobs))


def infer_pairs(
    *datasets: Any,
    n_neighbors: int = 4,
    keep: str | int = "mutual",
    metric: str = "euclidean",
    delta: float | None = None,
    rigid: bool | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    verbose: bool = False,
    return_weights: bool = False,
) -> Any:
    """Guess which rows correspond by what their surroundings look like; no pair has to be known.

    Rows whose local patterns (distances among a row and its nearest rows) are each other's nearest become pairs, of weight
    ``exp(-distance / delta^2)``. Where all datasets have the same few columns, one may be a turned, stretched and shifted
    copy of the other: then a movement is sought that many of these pairs agree on, and the rows that it brings together are
    the pairs. The result can be given to every method.

    Parameters
    ----------
    datasets : two or more, in any form `fit` takes; all are compared with the first
    n_neighbors : rows in a pattern beside its own, from 1 to 6
    keep : "mutual", or that many nearest patterns of each row of the first dataset
    metric : "euclidean", "cosine", or "precomputed" when the datasets are square arrays of distances
    delta : how fast weights fall; None gives the median pair the weight 1/e
    rigid : whether that movement is sought; None is where it can be (dense, at most 8 columns, euclidean, "mutual")
    random_state : seed of the samples that find it
    n_jobs : threads; None or -1 is all cores
    verbose : progress on standard error
    return_weights : also return the weights

    Returns
    -------
    pairs : (l, c) integer array, one column per dataset, -1 where absent: what `fit` takes
    weights : (l,) array, with `return_weights`

    >>> import landbridge as lb
    >>> copies = lb.datasets.rotated_copies(100)
    >>> pairs = lb.infer_pairs(*copies.datasets)
    >>> bool((pairs[:, 1] == copies.counterparts(0, 1)[pairs[:, 0]]).mean() > 0.9)
    True
    """
    if len(datasets) < 2:
        raise DataError(f"{len(datasets)} dataset(s) given; pairs need at least 2", "infer_pairs(X, Y)")
    if not (keep == "mutual" or (isinstance(keep, (int, np.integer)) and not isinstance(keep, bool) and keep > 0)):
        raise ParameterError(f'keep is {keep!r}; it must be "mutual" or a whole number from 1')
    if not (rigid is None or isinstance(rigid, (bool, np.bool_))):
        raise ParameterError(f"rigid is {rigid!r}; it must be None, True or False")
    given = metric == "precomputed"
    rows = [] if given else [_data.dataset(str(a), X) for a, X in enumerate(datasets)]
    distances = [_places(f"distances {a}", X) for a, X in enumerate(datasets)] if given else []
    found, weights, _, said = _core.infer_pairs(
        rows,
        distances,
        whole("n_neighbors", n_neighbors),
        0 if keep == "mutual" else int(keep),
        "euclidean" if given else metric,
        delta,
        None if rigid is None else bool(rigid),
        whole("random_state", random_state),
        threads(n_jobs),
        bool(verbose),
    )
    for text in said[:-1]:  # the last one says that pairs were inferred, which is what was asked for
        warnings.warn(text, AlignmentWarning, stacklevel=2)
    pairs = np.full((len(found), len(datasets)), -1, dtype=np.int64)
    pairs[:, 0] = found[:, 1]
    pairs[np.arange(len(found)), found[:, 0]] = found[:, 2]
    return (pairs, weights) if return_weights else pairs
