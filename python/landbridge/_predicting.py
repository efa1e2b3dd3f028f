"""Methods that predict values of other datasets, for example ratings in another shop (Hou, Nie, Wang, Yi, Zhang 2013)."""

from __future__ import annotations

from typing import Any, ClassVar

from . import _landbridge as _core
from ._alignment import Alignment, Floats
from ._errors import UndefinedError
from ._outcome import Outcome
from ._precision import DType


class Predicting(Alignment):
    """Methods that give rows coordinates and predict values of other datasets. Not used by itself."""

    _predicts: ClassVar[bool] = True


class Votes(Predicting):
    """Methods that predict the same for every row and give no coordinates. Not used by itself."""

    #: The prediction for the columns of each dataset.
    votes_: list[Floats]

    def _learn(self, model: _core.Model) -> None:
        self._model = model
        self.names_ = model.names
        self.n_features_in_ = model.n_features
        self.outcome_ = Outcome._from_core(model.outcome())
        self.votes_ = [_core.votes(model, a) for a in range(len(self.names_))]

    def fit_transform(self, datasets: Any, pairs: Any = None, *, links: Any = None) -> list[Floats]:
        """Not defined: votes give no coordinates."""
        raise self._undefined("fit_transform")

    def _undefined(self, verb: str) -> UndefinedError:
        return UndefinedError(
            f"{verb} is not defined for {type(self).__name__}: it gives rows no coordinates", "predict works"
        )

    def transform(self, X: Any, dataset: int | str, *, batch: Any = None, dtype: DType = "float64") -> Floats:
        """Not defined: votes give no coordinates."""
        raise self._undefined("transform")

    def match(self, X: Any = None, **_: Any) -> Any:
        """Not defined: votes give no coordinates."""
        raise self._undefined("match")
