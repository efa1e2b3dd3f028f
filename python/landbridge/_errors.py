"""What can go wrong: one class per kind, all under `LandbridgeError`."""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = [
    "AlignmentWarning",
    "DataError",
    "FileError",
    "InternalError",
    "LandbridgeError",
    "ModelError",
    "NotFittedError",
    "NumericalError",
    "PairsError",
    "ParameterError",
    "UndefinedError",
]


class LandbridgeError(Exception):
    """Anything landbridge refuses. `hint` says what to do about it, where there is something to say."""

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
    """A dataset that cannot be used: a value that is not finite, a wrong shape, text where numbers belong."""


class PairsError(LandbridgeError, ValueError):
    """Pairs that do not fit the datasets, or none at all."""


class ParameterError(LandbridgeError, ValueError):
    """A parameter outside its range."""


class NumericalError(LandbridgeError, ArithmeticError):
    """A computation that did not converge, or numbers that left the range in which it works."""


class UndefinedError(LandbridgeError, NotImplementedError):
    """Something this method does not define."""


class ModelError(LandbridgeError):
    """A file that is not a model, is damaged, or was written by another version of the format."""


class FileError(LandbridgeError, OSError):
    """The operating system refused to read or write."""


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
    """A question that only a fitted alignment can answer. Also scikit-learn's `NotFittedError` where that is installed."""


class AlignmentWarning(UserWarning):
    """Something odd about the data; the result is defined all the same. Also in `outcome_.warnings`."""


_BY_KIND: dict[str, type[LandbridgeError]] = {
    "data": DataError,
    "pairs": PairsError,
    "parameter": ParameterError,
    "numerical": NumericalError,
    "undefined": UndefinedError,
    "model": ModelError,
    "io": FileError,
    "internal": InternalError,
}


def make(kind: str, message: str, hint: str | None) -> LandbridgeError:
    """The exception of that kind; called by the binding."""
    return _BY_KIND.get(kind, LandbridgeError)(message, hint)
