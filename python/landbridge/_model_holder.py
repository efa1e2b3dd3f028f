"""The base class of everything that holds a fitted model: saving, pickling, and the check that it is fitted."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from . import _landbridge as _core
from ._base import Base, whole
from ._errors import NotFittedError
from ._outcome import Outcome


class ModelHolder(Base):
    """An estimator whose fit creates a model. Not used by itself."""

    outcome_: Outcome
    _model: _core.Model

    # Typed as Any, because __init__ stores them as given and fit checks them.
    n_jobs: Any
    verbose: Any

    def save(self, path: str | os.PathLike[str], *, rows: bool = True) -> None:
        """Write the model to the file `path`, whole or not at all. `landbridge.load` (`load_embedding`) reads it.

        The name ends in .lb; .lb.gz and .lb.zst are compressed. ``rows=False`` leaves out the fitted rows: a small file that maps
        and predicts new rows, for methods with linear maps.
        """
        model = self._fitted("save")
        (model if rows else _core.without_rows(model)).save(os.fspath(path))

    # Pickle holds the model file; a copy of an unfitted estimator holds its parameters.
    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = {"params": self.get_params(deep=False)}
        if hasattr(self, "_model"):
            state["model"] = self._model.to_bytes()
            state["seconds"] = self.outcome_.seconds
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state["params"].items():
            setattr(self, name, value)
        if "model" in state:
            self._learn(_core.Model.from_bytes(state["model"], "pickle"))
            self.outcome_.seconds.update(state["seconds"])

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_model")

    def _learn(self, model: _core.Model) -> None:
        raise NotImplementedError

    def _fitted(self, verb: str) -> _core.Model:
        if not hasattr(self, "_model"):
            raise NotFittedError(f"this {type(self).__name__} is not fitted, so it cannot {verb}", "call fit first")
        return self._model

    def _is_verbose(self) -> bool:
        return whole("verbose", int(self.verbose) if isinstance(self.verbose, (bool, np.bool_)) else self.verbose) > 0
