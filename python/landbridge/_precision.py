"""The precision of results: `dtype`."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from ._errors import ParameterError

#: "float64" or "float32", or NumPy's types of these names.
DType = Literal["float64", "float32"] | type[np.float64] | type[np.float32]


_SINGLE: dict[Any, bool] = {"float64": False, "float32": True, np.float64: False, np.float32: True}


def is_single(dtype: Any) -> bool:
    """Whether results are to be in single precision."""
    try:
        return _SINGLE[dtype.type if isinstance(dtype, np.dtype) else dtype]
    except (KeyError, TypeError):
        raise ParameterError(f'dtype is {dtype!r}; it must be "float64" or "float32"') from None


def to_single(values: npt.NDArray[np.float64]) -> npt.NDArray[Any]:
    """Results in single precision, if they fit."""
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    if not np.isfinite(single).all():
        raise ParameterError('dtype is "float32"; it must be "float64": results lie beyond the range of single precision')
    return single
