"""Class labels of any type: the library counts votes over text, and the label that wins comes back as the value that it was."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._data import _is, _kind_of, _library, _missing, _short
from ._errors import DataError


def _in_order(given: Any, row_ids: Sequence[str] | None) -> Any:
    """Labels by id (a dict, or a pandas Series whose index has ids of the rows) in the order of the rows; others as they are."""
    if isinstance(given, Mapping):
        if row_ids is None:
            raise DataError("labels is a dict, and the rows have no ids", "give a label for each row, in the order of the rows")
        by_id = {str(key): value for key, value in given.items()}
        known = set(row_ids)
        unknown = [key for key in by_id if key not in known]
        if unknown:
            raise DataError(f"labels: {_short(unknown[0])} is not the id of a fitted row", "the keys are the ids of the rows")
        return [by_id.get(row_id) for row_id in row_ids]
    if row_ids is None or not _is(given, "pandas", "Series") or _is(given.index, "pandas", "RangeIndex"):
        return given
    index = [str(key) for key in given.index]
    known = set(row_ids)
    shared = sum(key in known for key in index)
    if shared == 0 or index == list(row_ids):
        return given
    if shared < len(index) or len(known.difference(index)) > 0 or len(set(index)) < len(index):
        hint = "give a label for each row: labels.reindex(ids), or labels.to_numpy() in the order of the rows"
        raise DataError(f"labels: {shared} of {len(index)} entries of its index are ids of the {len(row_ids)} fitted rows", hint)
    place = {key: at for at, key in enumerate(index)}
    return given.iloc[[place[row_id] for row_id in row_ids]]


class Labels:
    """The labels of the rows of one dataset. A missing one (None, NaN, NA, empty text) votes for "unknown"."""

    def __init__(self, given: Any, row_ids: Sequence[str] | None = None) -> None:
        given = _in_order(given, row_ids)
        if isinstance(given, str) or not hasattr(given, "__iter__"):
            raise DataError(f"labels is {_kind_of(given)}; it must hold one label for each row", "give a list or an array")
        if getattr(given, "ndim", 1) != 1:
            raise DataError(f"labels has shape {given.shape}; it must hold one label for each row", "labels.ravel() makes one row of it")
        values = list(given)
        codes: dict[str, str] = {}
        #: A label for each row, as text; those that are missing share one text.
        self.texts = ["" if _missing(value) else codes.setdefault(str(value), str(len(codes))) for value in values]
        #: The first value with each text.
        self.values: dict[str, Any] = {}
        for text, value in zip(self.texts, values):
            if text:
                self.values.setdefault(text, value)
        if values and not self.values:
            raise DataError("every label is missing", "at least one row needs a label")
        kind = getattr(given, "dtype", None)
        self._categories = kind if _is(kind, "pandas", "CategoricalDtype") else None

    def back(self, found: Sequence[str | None], unknown: Any) -> Any:
        """The labels of `found` in the type in which they were given, `unknown` where there is none."""
        told = [self.values.get(text or "", unknown) for text in found]
        some_unknown = any(not text for text in found)
        if self._categories is not None:
            names = self._categories.categories
            if some_unknown and unknown is not None and unknown not in names:
                names = names.append(_library("pandas").Index([unknown]))
            return _library("pandas").Categorical(told, categories=names, ordered=self._categories.ordered)
        out = np.empty(len(told), self._kind([unknown] if some_unknown else []))
        out[:] = told
        return out

    def _kind(self, more: list[Any]) -> Any:
        """The type of an array of these values: numbers or truth values if all are, else objects."""
        values = [*self.values.values(), *more]
        kinds = (
            lambda value: isinstance(value, (bool, np.bool_)),
            lambda value: isinstance(value, numbers.Real) and not isinstance(value, bool),
        )
        return np.asarray(values).dtype if any(all(map(kind, values)) for kind in kinds) else object
