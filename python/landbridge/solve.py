"""Stand-alone solvers.

Sparse regressions (`lasso` and its variants) minimise
``|Y - X W|^2 + alpha |W|_1 + beta sum_k |w_k - w_(k-1)| + gamma |W|^2`` (squared Frobenius norms, no factor one half, no
intercept: centre the data if you need one). They stop by their duality gap. A sparse X stays sparse.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from . import _data
from . import _landbridge as _core
from ._base import threads, whole
from ._errors import DataError
from ._regression import elastic_net, fused_lasso, group_lasso, lasso, lasso_path, ridge, total_variation
from .metrics import _places
from ._words import UnfoldingSolver

__all__ = ["elastic_net", "entropic_gw", "fused_lasso", "group_lasso", "lasso", "lasso_path", "mvu", "ridge", "total_variation"]


def entropic_gw(
    C1: Any,
    C2: Any,
    epsilon: float,
    max_iter: int = 1000,
    tol: float = 1e-9,
    n_jobs: int | None = None,
    verbose: bool = False,
    *,
    rho: float | None = None,
    linear: Any = None,
) -> tuple[npt.NDArray[np.float64], dict[str, Any]]:
    """Entropic Gromov-Wasserstein: a transport plan between two datasets, from the distances within each alone.

    Square loss and uniform weights of rows. Projected gradient with log-stabilised Sinkhorn steps. With `rho` the weights may
    depart from uniform ones (unbalanced); with `linear` sending a row has a cost of its own (fused).

    Parameters
    ----------
    C1, C2 : (n, n) and (m, m) symmetric distances, best scaled to at most 1
    epsilon : entropic regularisation; small values give sharp plans (1e-3 for single cells) and are slower
    max_iter : largest number of steps
    tol : change of the plan at which it stops
    n_jobs : threads; None or -1 is all cores
    verbose : progress on standard error
    rho : price of rows that lose or gain mass: ``rho`` times the Kullback-Leibler divergences of the sums of rows and of columns
        from uniform ones. None: the sums are uniform
    linear : (n, m) costs of sending row i to row j, added to the cost of the distances; None: none

    Returns
    -------
    plan : (n, m) array; rows sum to 1/n, columns to 1/m; with `rho` only the whole sums to 1
    info : dict with status, objective (without the entropy and the penalty), penalty (of `rho`), gap (last change of the plan),
        iterations, scalings

    >>> import landbridge as lb, numpy as np
    >>> x = np.array([0.0, 1.0, 3.0, 7.0]) / 7
    >>> C = abs(x[:, None] - x)
    >>> plan, info = lb.solve.entropic_gw(C, C, epsilon=5e-3)
    >>> plan.argmax(axis=1).tolist(), info["status"]
    ([0, 1, 2, 3], 'converged')
    """
    c1, c2 = _places("C1", C1), _places("C2", C2)
    price, costs = None if rho is None else float(rho), None if linear is None else _places("linear", linear)
    steps, running = (whole("max_iter", max_iter, 1), float(tol)), (threads(n_jobs), bool(verbose))
    return _core.entropic_gw(c1, c2, float(epsilon), price, costs, *steps, *running)


def mvu(
    distances: Any,
    edges: Any,
    equality: bool = True,
    *,
    solver: UnfoldingSolver = "auto",
    tolerance: float = 1e-7,
    n_functions: int = 20,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> tuple[npt.NDArray[np.float64], dict[str, Any]]:
    """Maximum variance unfolding: the points of largest variance with the given local distances.

    ``max tr K`` subject to ``K`` positive semidefinite, ``K.sum() = 0`` and ``K_ii - 2 K_ij + K_jj = d_ij^2`` on the edges.

    Parameters
    ----------
    distances : (n, n) array, symmetric; only the distances of edges are used
    edges : (m, 2) array of integers, or a sparse (n, n) matrix whose stored entries are edges; the graph must be connected
    equality : bool, default True
        Distances are preserved; False: they may shrink.
    solver : "auto", "interior", "low_rank" or "laplacian"
        "interior" finds the optimum with a dual solution, in O(m^3). "low_rank" optimises coordinates in few dimensions and
        bounds the optimum by a certificate. "auto" is "interior" up to 3,000 edges (8,000 for graphs of many dimensions).
        "laplacian" combines the `n_functions` smoothest functions of the graph: fast, not optimal, and distances may shrink.
    tolerance : float
        Relative gap and violation to reach.

    Returns
    -------
    K : (n, n) array, centred
    info : dict with status, objective, bound (an upper bound on the optimum), gap, violation, dual_violation, iterations, solver

    Equalities that no points satisfy raise `NumericalError`.

    >>> import numpy as np, landbridge as lb
    >>> d = np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0))) ** 0.5  # a curve; neighbours are 1 apart
    >>> K, info = lb.solve.mvu(d, [[0, 1], [1, 2], [2, 3]])
    >>> round(info["objective"], 4)  # a straight line: 1.5^2 + 0.5^2 + 0.5^2 + 1.5^2
    5.0
    """
    D = _data._numeric("distances", distances).astype(np.float64, copy=False)
    if sparse.issparse(edges):
        entries = edges.tocoo()
        ends = np.column_stack([entries.row, entries.col])
        ends = ends[ends[:, 0] != ends[:, 1]]
    else:
        ends = np.asarray(edges)
        if ends.ndim != 2 or ends.shape[1] != 2 or ends.dtype.kind not in "iu":
            raise DataError(f"edges has type {ends.dtype} and shape {ends.shape}; it must be an (m, 2) array of integers")
    if ends.size and (ends.min() < 0 or ends.max() >= len(D)):
        raise DataError(f"edges: {int(ends.min() if ends.min() < 0 else ends.max())} is not one of the {len(D)} points")
    return _core.mvu(
        np.ascontiguousarray(D),
        np.ascontiguousarray(ends, dtype=np.uint32),
        bool(equality),
        solver,
        float(tolerance),
        whole("n_functions", n_functions, 1),
        threads(n_jobs),
        whole("verbose", int(verbose)) > 0,
    )
