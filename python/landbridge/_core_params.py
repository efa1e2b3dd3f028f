"""Parameters of estimators in the form that the binding takes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from . import _data
from ._errors import DataError, ParameterError

Floats = npt.NDArray[np.float64]


def core_params(estimator: Any) -> dict[str, Any]:
    """The parameters of an estimator, with arrays and other estimators in the form that the binding takes."""
    params: dict[str, Any] = {k: v for k, v in estimator.get_params(deep=False).items() if k not in ("n_jobs", "verbose")}
    for name, convert in _CONVERTED.items():
        if params.get(name) is not None:
            params[name] = convert(params[name])
    return params


def _listed(name: str, given: Any) -> list[Any]:
    if isinstance(given, dict):
        return list(given.values())
    if isinstance(given, (list, tuple)):
        return list(given)
    raise ParameterError(f"{name} is a {type(given).__name__}; it must be a list with one entry per dataset")


def _graphs(given: Any) -> list[Any]:
    # An embedding has one dataset, so its graph need not be in a list.
    given = [given] if sparse.issparse(given) or isinstance(given, np.ndarray) else given
    return [_graph(a, W) for a, W in enumerate(_listed("graphs", given))]


def _graph(position: int, W: Any) -> tuple[_data.Array, _data.Array, _data.Array, int]:
    if sparse.issparse(W):
        if W.dtype.kind not in "fiub":
            raise DataError(f"graph {position} holds {W.dtype}; it must hold real numbers")
        return _data.csr_parts(W)
    return _data.csr_parts(sparse.csr_array(_data._numeric(f"graph {position}", W)))


def _distances(given: Any) -> list[Floats]:
    return [_distance_matrix(a, D) for a, D in enumerate(_listed("distances", given))]


def _distance_matrix(position: int, D: Any) -> Floats:
    array = np.asarray(D)
    if array.ndim != 2 or array.dtype.kind not in "fiu":
        raise DataError(f"distances {position} are {array.dtype} {array.shape}; they must be a matrix of numbers")
    return np.ascontiguousarray(array, dtype=np.float64)


def _groups(given: Any) -> list[list[list[int]]]:
    return [column_groups(g) for g in _listed("groups", given)]


def _order(given: Any) -> list[list[int]]:
    return [column_numbers("order", o) for o in _listed("order", given)]


def column_numbers(name: str, given: Any) -> list[int]:
    """Whole numbers from 0."""
    numbers = np.asarray(given)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu" or (numbers.size and numbers.min() < 0):
        raise ParameterError(f"{name} has an entry that is not a list of column numbers; it must hold whole numbers from 0")
    return [int(n) for n in numbers]


def column_groups(given: Any) -> list[list[int]]:
    """Lists of column numbers unchanged; one label per column as lists, in the order of first appearance."""
    items = list(given)
    if items and all(isinstance(i, (list, tuple, np.ndarray, range)) for i in items):
        return [column_numbers("groups", i) for i in items]
    groups: dict[Any, list[int]] = {}
    for column, label in enumerate(items):
        groups.setdefault(label, []).append(column)
    return list(groups.values())


def _base(given: Any) -> tuple[str, dict[str, Any]]:
    from ._alignment import Alignment

    if not isinstance(given, Alignment) or given._method == "self_training":
        raise ParameterError(f"base is {given!r}; it must be None or an alignment such as LinearAlignment(100)")
    return given._method, given._core_params()


#: Parameters other than numbers and words, and their conversions for the binding.
_CONVERTED: dict[str, Any] = {
    "graphs": _graphs,
    "distances": _distances,
    "groups": _groups,
    "order": _order,
    "base": _base,
}
