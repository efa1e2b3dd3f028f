"""The precision of results: `dtype`."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ._errors import ParameterError

#: "float64" or "float32", or NumPy's types of these names.
DType = Literal["float64", "float32"] | type[np.float64] | type[np.float32]


def is_single(dtype: Any) -> bool:
    """Whether results are to be in single precision."""
    try:
        name = np.dtype(dtype).name if dtype is not None else ""
    except TypeError:
        name = ""
    if name not in ("float64", "float32"):
        raise ParameterError(f'dtype is {dtype!r}; it must be "float64" or "float32"')
    return name == "float32"


def to_single(values: npt.NDArray[np.float64]) -> npt.NDArray[Any]:
    """Results in single precision, if they fit."""
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    if not np.isfinite(single).all():
        raise ParameterError('dtype is "float32"; it must be "float64": results lie beyond the range of single precision')
    return single
