"""Solvers on their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from . import _data
from . import _landbridge as _core
from ._base import threads, whole
from ._errors import DataError

__all__ = ["mvu"]


def mvu(
    distances: Any,
    edges: Any,
    equality: bool = True,
    *,
    solver: str = "auto",
    tolerance: float = 1e-7,
    n_functions: int = 20,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> tuple[npt.NDArray[np.float64], dict[str, Any]]:
    """Maximum variance unfolding: points as far apart as their local distances allow.

    ``max tr K`` subject to ``K`` positive semidefinite, ``K.sum() = 0`` and ``K_ii - 2 K_ij + K_jj = d_ij^2`` on the edges.

    Parameters
    ----------
    distances : (n, n) array, symmetric; only distances of edges are looked at
    edges : (m, 2) array of integers, or a sparse (n, n) matrix whose stored entries are edges; the graph must be connected
    equality : bool, default True
        Distances are kept; False: they may shrink.
    solver : "auto", "interior", "low_rank" or "laplacian"
        "interior" finds the optimum with a dual solution, in O(m^3); "low_rank" looks for coordinates in few dimensions and bounds
        the optimum by a certificate; "auto" is the first up to 8,000 edges. "laplacian" combines the `n_functions` smoothest
        functions of the graph: fast, not optimal, distances may shrink.
    tolerance : float
        Relative gap and violation to reach.

    Returns
    -------
    K : (n, n) array, centred
    info : dict with status, objective, bound (no K does better), gap, violation, dual_violation, iterations, solver

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
