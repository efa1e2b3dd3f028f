"""Sparse regressions; public as `landbridge.solve`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from . import _data
from . import _landbridge as _core
from ._base import threads
from ._errors import DataError, ParameterError
from ._core_params import column_groups

Floats = npt.NDArray[np.float64]


def lasso(X: Any, Y: Any, alpha: float, *, tolerance: float = 1e-8, n_jobs: int | None = None) -> tuple[Floats, dict[str, Any]]:
    """The lasso: ``min |Y - X W|^2 + alpha |W|_1``, separately for each column of Y.

    Parameters
    ----------
    X, Y : (n, p) rows, and (n, targets) or (n,) targets
    alpha : the strength
    tolerance : relative duality gap to reach

    Returns
    -------
    W : (p, targets) array, or (p,) for one target given as a vector
    info : dict with status, objective (summed over the targets), gap (largest relative duality gap of all targets), iterations
        and largest_alpha, the smallest alpha that sets all weights to 0

    Examples
    --------
    >>> import numpy as np, landbridge as lb
    >>> W, info = lb.solve.lasso(np.eye(3), np.array([3.0, 0.2, -1.0]), alpha=1.0)
    >>> W.tolist(), info["status"]
    ([2.5, 0.0, -0.5], 'converged')
    """
    return _one(X, Y, "lasso", (alpha, 0.0, 0.0), tolerance, n_jobs)


def elastic_net(
    X: Any, Y: Any, alpha: float, gamma: float, *, tolerance: float = 1e-8, n_jobs: int | None = None
) -> tuple[Floats, dict[str, Any]]:
    """The elastic net: ``min |Y - X W|^2 + alpha |W|_1 + gamma |W|^2``; see `lasso`."""
    return _one(X, Y, "lasso", (alpha, 0.0, gamma), tolerance, n_jobs)


def fused_lasso(
    X: Any, Y: Any, alpha: float, beta: float, *, tolerance: float = 1e-8, n_jobs: int | None = None
) -> tuple[Floats, dict[str, Any]]:
    """The fused lasso: ``min |Y - X W|^2 + alpha |W|_1 + beta sum_k |w_k - w_(k-1)|``, in the column order of X; see `lasso`."""
    return _one(X, Y, "fused", (alpha, beta, 0.0), tolerance, n_jobs)


def group_lasso(
    X: Any, Y: Any, alpha: float, groups: Any, *, tolerance: float = 1e-8, n_jobs: int | None = None
) -> tuple[Floats, dict[str, Any]]:
    """The group lasso: ``min |Y - X W|^2 + alpha sum_g sqrt(|g|) |W_g|``; see `lasso`.

    W_g holds the rows of a group over all targets.

    `groups` are lists of column numbers that cover all columns, or one label per column.
    """
    return _one(X, Y, "group", (alpha, 0.0, 0.0), tolerance, n_jobs, column_groups(groups))


def ridge(X: Any, Y: Any, gamma: float, *, n_jobs: int | None = None) -> tuple[Floats, dict[str, Any]]:
    """Ridge regression: ``min |Y - X W|^2 + gamma |W|^2``; with ``gamma=0`` the solution of least norm."""
    return _one(X, Y, "ridge", (0.0, 0.0, gamma), 1e-8, n_jobs)


def lasso_path(
    X: Any, Y: Any, alphas: Sequence[float], *, gamma: float = 0.0, tolerance: float = 1e-8, n_jobs: int | None = None
) -> list[tuple[Any, dict[str, Any]]]:
    """`lasso` (with ``gamma`` the elastic net) for each strength in turn, with a warm start from the previous one.

    Parameters
    ----------
    X, Y : rows and targets, as in `lasso`
    alphas : the strengths
    gamma : strength of the ridge, for all of them
    tolerance : relative duality gap to reach

    Returns
    -------
    list of (W, info), W a (p, targets) sparse array
    """
    rows, targets, _ = _given(X, Y)
    strengths = [(_number("alpha", a), 0.0, _number("gamma", gamma)) for a in alphas]
    shape = (rows.shape[1], targets.shape[1])
    found = _core.regress(rows, targets, "lasso", strengths, _number("tolerance", tolerance), threads(n_jobs))
    return [(sparse.csr_array((v, j, i), shape=shape), info) for (i, j, v), info in found]


def total_variation(signal: Any, strength: float) -> Floats:
    """``argmin |x - signal|^2 / 2 + strength sum_k |x_k - x_(k-1)|``, exactly, in linear time.

    >>> import landbridge as lb
    >>> lb.solve.total_variation([0.0, 0.0, 4.0, 4.0], 1.0).tolist()
    [0.5, 0.5, 3.5, 3.5]
    """
    values = np.ascontiguousarray(signal, dtype=np.float64)
    if values.ndim != 1:
        raise DataError(f"signal has {values.ndim} dimensions; it must have one")
    return _core.total_variation(values, _number("strength", strength))


def _number(name: str, value: Any) -> float:
    if isinstance(value, (bool, np.bool_)) or not np.isscalar(value):
        raise ParameterError(f"{name} is {value!r}; it must be a number")
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ParameterError(f"{name} is {value!r}; it must be a number") from None


def _given(X: Any, Y: Any) -> tuple[_core.Dataset, Floats, bool]:
    rows = _data.dataset("X", X)
    given = Y.toarray() if sparse.issparse(Y) else Y
    vector = np.ndim(given) == 1
    targets = _data._numeric("Y", np.reshape(given, (-1, 1)) if vector else given)
    return rows, np.ascontiguousarray(targets, dtype=np.float64), vector


def _one(
    X: Any, Y: Any, penalty: str, strengths: tuple[float, float, float], tolerance: float, n_jobs: int | None, groups: Any = None
) -> tuple[Floats, dict[str, Any]]:
    rows, targets, vector = _given(X, Y)
    alpha, beta, gamma = (_number(n, s) for n, s in zip(("alpha", "beta", "gamma"), strengths))
    shape = (rows.shape[1], targets.shape[1])
    found = _core.regress(rows, targets, penalty, [(alpha, beta, gamma)], _number("tolerance", tolerance), threads(n_jobs), groups)
    (indptr, indices, values), info = found[0]
    W = sparse.csr_array((values, indices, indptr), shape=shape).toarray()
    return (W[:, 0] if vector else W), info
