"""scikit-learn's `BaseEstimator` if it is installed, otherwise a small one of our own."""

from __future__ import annotations

import inspect
import numbers
import os
from typing import TYPE_CHECKING, Any

from ._errors import ParameterError


class OwnBase:
    """An estimator after scikit-learn's conventions: parameters are the arguments of `__init__`, stored unchanged."""

    @classmethod
    def _parameters(cls) -> dict[str, Any]:
        signature = inspect.signature(cls.__init__)
        return {name: p.default for name, p in signature.parameters.items() if name != "self"}

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters and their values; `deep`: also those of estimators among them, as `name__parameter`."""
        values = {name: getattr(self, name) for name in self._parameters()}
        for name, value in list(values.items()):
            if deep and hasattr(value, "get_params") and not isinstance(value, type):
                values.update({f"{name}__{key}": v for key, v in value.get_params().items()})
        return values

    def set_params(self, **params: Any) -> Any:
        """Changes parameters; `name__parameter` reaches into an estimator among them. Returns self."""
        known = self._parameters()
        for key, value in params.items():
            name, _, inner = key.partition("__")
            if name not in known:
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}; there are {', '.join(known)}")
            if inner:
                getattr(self, name).set_params(**{inner: value})
            else:
                setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        changed = [
            f"{name}={getattr(self, name)!r}"
            for name, default in self._parameters().items()
            if default is inspect.Parameter.empty or repr(getattr(self, name)) != repr(default)
        ]
        return f"{type(self).__name__}({', '.join(changed)})"


if TYPE_CHECKING:
    Base = OwnBase
else:
    try:
        from sklearn.base import BaseEstimator as Base
    except ImportError:
        Base = OwnBase


def copy_unfitted(estimator: Any) -> Any:
    """A copy with the same parameters, not fitted: scikit-learn's `clone`, also without scikit-learn."""
    return type(estimator)(**estimator.get_params(deep=False))


def whole(name: str, value: Any, least: int = 0) -> int:
    """A whole number; True and 2.0 are not accepted."""
    if isinstance(value, numbers.Integral) and not isinstance(value, bool) and least <= int(value) < 2**63:
        return int(value)
    raise ParameterError(f"{name} is {value!r}; it must be a whole number, {least} or more")


#: Largest number of threads. More never help, and results do not depend on their number.
MOST_THREADS = max(256, os.cpu_count() or 1)


def threads(n_jobs: Any) -> int:
    """Threads for the binding, where 0 means all cores."""
    if n_jobs is None or (isinstance(n_jobs, numbers.Integral) and n_jobs == -1):
        return 0
    if isinstance(n_jobs, numbers.Integral) and not isinstance(n_jobs, bool) and int(n_jobs) >= 1:
        return min(int(n_jobs), MOST_THREADS)
    raise ParameterError(f"n_jobs is {n_jobs!r}; it must be None or -1 (all cores), or a whole number, 1 or more")
