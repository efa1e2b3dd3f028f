"""What a fit will cost, before it begins."""

from __future__ import annotations

import json
from typing import Any

from . import _data
from . import _landbridge as _core
from ._alignment import Alignment
from ._choose import _core_pairs
from ._errors import ParameterError


class Plan:
    """What a fit will cost. Printed, it is a table.

    Attributes
    ----------
    method : the name of the method
    shapes : rows and columns of each dataset
    data_bytes : bytes of the data
    peak_bytes : memory at the peak, the data included
    seconds : time on this machine
    stages : one dict per stage, with `name`, `seconds` and `bytes` (memory at its peak, the data included)
    notes : what is exact, approximate or on landmarks
    """

    method: str
    shapes: list[list[int]]
    data_bytes: int
    peak_bytes: int
    seconds: float
    stages: list[dict[str, Any]]
    notes: list[str]

    def __init__(self, found: dict[str, Any], table: str) -> None:
        vars(self).update(found)
        self._table = table

    def __str__(self) -> str:
        return self._table

    def __repr__(self) -> str:
        return f"<Plan of {self.method}: {self.peak_bytes / 1e6:.0f} MB, {self.seconds:.2g} s>"


def plan(alignment: Alignment, datasets: Any, pairs: Any = None) -> Plan:
    """Predict memory and time of ``alignment.fit(datasets, pairs)``, stage by stage, without fitting.

    Memory is predicted within a factor of 1.5, time within a factor of 3.

    >>> import landbridge as lb
    >>> rolls = lb.datasets.swiss_rolls(300)
    >>> p = lb.plan(lb.InstanceAlignment(4), rolls.datasets, rolls.pairs(30))
    >>> p.peak_bytes > p.data_bytes and p.seconds > 0
    True
    """
    if not isinstance(alignment, Alignment):
        raise ParameterError(f"alignment is {alignment!r}; it must be one such as LinearAlignment(50)")
    data = _data.datasets(datasets)
    found, table = _core.plan(alignment._method, alignment._core_params(), data, _core_pairs(datasets, data, pairs))
    return Plan(json.loads(found), table)


def set_max_memory(size: int | str | None) -> int | None:
    """Refuse fits that would take more memory than `size`: bytes, or text such as "8G" or "512M".

    None, the default, is what the machine or its control group has free, less a tenth. A fit that would take more raises
    `MemoryLimitError` before it begins; its hint names a setting that would fit. Returns the former value.

    >>> import landbridge as lb
    >>> former = lb.set_max_memory("8G")
    >>> lb.set_max_memory(former)
    8589934592
    """
    if size is None:
        return _core.set_max_memory(None)
    if isinstance(size, bool) or not isinstance(size, (int, str)):
        raise ParameterError(f'size is {size!r}; it must be a number of bytes above 0, or text such as "8G"')
    return _core.set_max_memory(str(size))
