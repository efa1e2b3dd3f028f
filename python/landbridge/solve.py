"""Solvers that stand on their own.

Sparse regressions (`lasso` and its kin) minimise ``|Y - X W|^2 + alpha |W|_1 + beta sum_k |w_k - w_(k-1)| + gamma |W|^2`` (squared
Frobenius norms, no factor one half, no intercept: centre first where you want one) and end on their duality gap. X may be
sparse and stays so.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _landbridge as _core
from ._base import threads, whole
from ._regression import elastic_net, fused_lasso, group_lasso, lasso, lasso_path, ridge, total_variation
from .metrics import _places

__all__ = ["elastic_net", "entropic_gw", "fused_lasso", "group_lasso", "lasso", "lasso_path", "ridge", "total_variation"]


def entropic_gw(
    C1: Any,
    C2: Any,
    epsilon: float,
    max_iter: int = 1000,
    tol: float = 1e-9,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> tuple[npt.NDArray[np.float64], dict[str, Any]]:
    """Entropic Gromov-Wasserstein: which row of one dataset is which of the other, by the distances within each alone.

    Square loss, every row of a dataset weighs the same. Projected gradient with log-stabilised scaling steps.

    Parameters
    ----------
    C1, C2 : (n, n) and (m, m) symmetric distances, best scaled to at most 1
    epsilon : entropy; small is sharp (1e-3 for single cells), and slower
    max_iter : steps, at most
    tol : change of the plan at which it rests
    n_jobs : threads; None or -1 is all cores
    verbose : progress on standard error

    Returns
    -------
    plan : (n, m) array; rows sum to 1/n, columns to 1/m
    info : dict with status, objective (without the entropy), gap (last change of the plan), iterations, scalings

    >>> import landbridge as lb, numpy as np
    >>> x = np.array([0.0, 1.0, 3.0, 7.0]) / 7
    >>> C = abs(x[:, None] - x)
    >>> plan, info = lb.solve.entropic_gw(C, C, epsilon=5e-3)
    >>> plan.argmax(axis=1).tolist(), info["status"]
    ([0, 1, 2, 3], 'converged')
    """
    c1, c2 = _places("C1", C1), _places("C2", C2)
    return _core.entropic_gw(c1, c2, float(epsilon), whole("max_iter", max_iter, 1), float(tol), threads(n_jobs), bool(verbose))
