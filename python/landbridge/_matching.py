"""Matches between rows that are in one space already."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from . import _landbridge as _core
from ._base import threads, whole
from ._errors import ParameterError
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
