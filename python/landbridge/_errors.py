"""Exceptions: one class per kind, all derived from `LandbridgeError`."""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = [
    "AlignmentWarning",
    "DataError",
    "FileError",
    "InternalError",
    "LandbridgeError",
    "MemoryLimitError",
    "ModelError",
    "NotFittedError",
    "NumericalError",
    "PairsError",
    "ParameterError",
    "UndefinedError",
]


class LandbridgeError(Exception):
    """The base class of all landbridge errors. `hint` says what to do, if there is advice."""

    hint: str | None

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self._message = message
        self.hint = hint

    def __str__(self) -> str:
        return self._message if self.hint is None else f"{self._message}\n  hint: {self.hint}"

    def __reduce__(self) -> tuple[type[LandbridgeError], tuple[str, str | None]]:
        return type(self), (self._message, self.hint)


class DataError(LandbridgeError, ValueError):
    """A dataset that cannot be used: a value that is not finite, a wrong shape, or text instead of numbers."""


class PairsError(LandbridgeError, ValueError):
    """Pairs that do not fit the datasets, or missing pairs."""


class ParameterError(LandbridgeError, ValueError):
    """A parameter outside its range."""


class NumericalError(LandbridgeError, ArithmeticError):
    """A computation that did not converge, or numbers outside the supported range."""


class UndefinedError(LandbridgeError, NotImplementedError):
    """An operation that this method does not define."""


class ModelError(LandbridgeError):
    """A file that is not a model, is damaged, or was written by another version of the format."""


class FileError(LandbridgeError, OSError):
    """The operating system refused to read or write."""


class MemoryLimitError(LandbridgeError, MemoryError):
    """A fit or an answer that would take more memory than it may. It was refused before it began; the hint says what would fit."""


class InternalError(LandbridgeError, RuntimeError):
    """A bug in landbridge."""


class _OwnNotFitted(ValueError, AttributeError):
    pass


if TYPE_CHECKING:
    _NotFitted = _OwnNotFitted
else:
    try:
        from sklearn.exceptions import NotFittedError as _NotFitted
    except ImportError:
        _NotFitted = _OwnNotFitted


class NotFittedError(LandbridgeError, _NotFitted):
    """An operation that needs a fitted alignment. Also scikit-learn's `NotFittedError` if that is installed."""


class AlignmentWarning(UserWarning):
    """A problem with the data that does not prevent a result. Also in `outcome_.warnings`."""


_BY_KIND: dict[str, type[LandbridgeError]] = {
    "data": DataError,
    "pairs": PairsError,
    "parameter": ParameterError,
    "numerical": NumericalError,
    "undefined": UndefinedError,
    "model": ModelError,
    "io": FileError,
    "memory": MemoryLimitError,
    "internal": InternalError,
}


def make(kind: str, message: str, hint: str | None) -> LandbridgeError:
    """The exception of that kind; called by the binding."""
    return _BY_KIND.get(kind, LandbridgeError)(message, hint)
