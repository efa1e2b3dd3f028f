"""Matches between rows of one space, and inferred pairs between rows of different spaces."""

from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _data
from . import _landbridge as _core
from ._base import threads, whole
from ._errors import AlignmentWarning, DataError, ParameterError
from .metrics import _places
from ._words import How, Inference, Keep, Metric, MetricOrGiven


def match_rows(
    Zs: Any, Zt: Any, k: int = 1, how: How = "nearest", metric: Metric | None = None, n_jobs: int | None = None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
    """Match the rows of `Zs` to those of `Zt`, exactly, with memory for the rows and the result only.

    Parameters
    ----------
    Zs, Zt : rows with the same columns
    k : matches per row; 1 for "mutual" and "assignment"
    how : "nearest", "csls", "mutual" or "assignment", as in ``match`` of an alignment
    metric : "euclidean" or "cosine"; None is "euclidean", for "csls" (which accepts no other) "cosine"
    n_jobs : threads; None is all cores

    Returns
    -------
    indices : (m, k) integer array, best first, -1 for no match
    distances : (m, k) array of their distances, infinite for no match; for "csls" the negated score

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
    how: Inference = "patterns",
    n_neighbors: int | None = None,
    keep: Keep | int | None = None,
    metric: MetricOrGiven | None = None,
    delta: float | None = None,
    rigid: bool | None = None,
    epsilon: float | None = None,
    landmarks: int | None = None,
    rho: float | None = None,
    links: Any = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    verbose: bool | None = None,
    return_weights: bool = False,
) -> Any:
    """Infer which rows correspond, without any known pair.

    ``how="patterns"`` is for shapes. The local pattern of a row holds the distances among the row and its nearest rows. Rows
    whose patterns are mutual nearest neighbours become pairs of weight ``exp(-distance / delta^2)``. If all datasets have the
    same few columns, one may be a rotated, scaled and shifted copy of the other. The function then looks for a similarity
    transform that many of these pairs agree on, and pairs the rows that it brings together.

    ``how="transport"`` is for cells and other profiles. It is entropic Gromov-Wasserstein, which uses only the distances within
    each dataset: the ranks of straight distances and of hop counts over several neighbour graphs. Weights are shares of the
    plan, scaled to 1 for the strongest. Datasets of more than `landmarks` rows are compared by that many landmarks, and the
    other rows follow the nearest ones. A large `keep` suits maps (`CCA`), ``keep=1`` suits methods with graphs.

    The result can be given to every method, or to `SelfTraining` (then ``keep="mutual"``).

    Parameters
    ----------
    datasets : two or more, in any form `fit` takes; all are compared with the first
    how : "patterns" or "transport"
    n_neighbors : neighbours in a pattern, from 1 to 6, None is 4; for transport, neighbours in the graph, None is 5, 20 and 80,
        if below half the rows
    keep : "mutual", or this many of the best for each row of the first dataset; None is "mutual", for transport 10
    metric : "euclidean", "cosine", or "precomputed" if the datasets are square arrays of distances; None is "euclidean", for
        transport the correlation above 8 dense columns and the cosine for sparse rows; counts of cells are prepared first
    epsilon : transport only: entropic regularisation, None is 0.02; small values give sharp plans
    landmarks : transport only: largest number of rows compared; None is 1000
    rho : transport only: price of rows that lose or gain mass, for datasets of unequal proportions (unbalanced transport): 1 changes
        little, 0.1 much; rows that the other dataset lacks get little mass, their pairs weigh little, and a warning counts them.
        None: all rows have the same mass
    links : transport only: columns of two datasets that are known to correspond, in any form `fit` takes; the cost of linked
        columns is added to that of the distances (fused Gromov-Wasserstein)
    delta : patterns only: decay of the weights; None gives the median pair the weight 1/e
    rigid : patterns only: look for a similarity transform; None: if possible (dense, at most 8 columns, euclidean, "mutual")
    random_state : seed of the random samples
    n_jobs : threads; None or -1 is all cores
    verbose : progress on standard error; None: for transport, if that is a terminal
    return_weights : also return the weights

    Returns
    -------
    pairs : (l, c) integer array, one column per dataset, -1 where absent: what `fit` takes
    weights : (l,) array, with `return_weights`

    >>> import landbridge as lb, numpy as np
    >>> copies = lb.datasets.rotated_copies(100)
    >>> pairs = lb.infer_pairs(*copies.datasets)
    >>> bool((pairs[:, 1] == copies.counterparts(0, 1)[pairs[:, 0]]).mean() > 0.9)
    True
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")  # transport always warns: shapes cannot confirm themselves
    ...     pairs, weights = lb.infer_pairs(*copies.datasets, how="transport", return_weights=True)
    >>> a = lb.CCA(2).fit(copies.datasets, {(0, 1): np.column_stack([pairs, weights])})
    """
    if how not in ("patterns", "transport"):
        raise ParameterError(f'how is {how!r}; it must be "patterns" or "transport"')
    transport = how == "transport"
    others = (("epsilon", epsilon), ("landmarks", landmarks), ("rho", rho), ("links", links))
    for name, value in (("delta", delta), ("rigid", rigid)) if transport else others:
        if value is not None:
            raise ParameterError(f'{name} is {value!r}; it has no meaning for how="{how}"', "leave it out")
    if keep is None:
        keep = 10 if transport else "mutual"
    if len(datasets) < 2:
        raise DataError(f"{len(datasets)} dataset(s) given; pairs need at least 2", "infer_pairs(X, Y)")
    if not (keep == "mutual" or (isinstance(keep, (int, np.integer)) and not isinstance(keep, bool) and keep > 0)):
        raise ParameterError(f'keep is {keep!r}; it must be "mutual" or a whole number from 1')
    if not (rigid is None or isinstance(rigid, (bool, np.bool_))):
        raise ParameterError(f"rigid is {rigid!r}; it must be None, True or False")
    given = metric == "precomputed"
    if given and links is not None:
        raise ParameterError("links are columns, and metric=\"precomputed\" has none", "give the datasets themselves, or no links")
    rows = [] if given else [_data.dataset(str(a), X) for a, X in enumerate(datasets)]
    distances = [_places(f"distances {a}", X) for a, X in enumerate(datasets)] if given else []
    best = 0 if keep == "mutual" else int(keep)
    shown = transport and sys.stderr.isatty() if verbose is None else bool(verbose)
    seed, running = whole("random_state", random_state), (threads(n_jobs), shown)
    if transport:
        found, weights, _, said = _core.transport_pairs(
            rows,
            distances,
            None if n_neighbors is None else whole("n_neighbors", n_neighbors),
            best,
            None if given else metric,
            0.02 if epsilon is None else float(epsilon),
            1000 if landmarks is None else whole("landmarks", landmarks),
            None if rho is None else float(rho),
            links,
            seed,
            *running,
        )
    else:
        found, weights, _, said = _core.infer_pairs(
            rows,
            distances,
            4 if n_neighbors is None else whole("n_neighbors", n_neighbors),
            best,
            "euclidean" if given or metric is None else metric,
            delta,
            None if rigid is None else bool(rigid),
            seed,
            *running,
        )
    # The last one says that pairs were inferred. Patterns are confirmed by a rigid motion; transport is confirmed by nothing.
    for text in said if transport else said[:-1]:
        warnings.warn(text, AlignmentWarning, stacklevel=2)
    pairs = np.full((len(found), len(datasets)), -1, dtype=np.int64)
    pairs[:, 0] = found[:, 1]
    pairs[np.arange(len(found)), found[:, 0]] = found[:, 2]
    return (pairs, weights) if return_weights else pairs
