"""Multiscale alignment: one fit, a hierarchy of nested joint spaces."""

from __future__ import annotations

from typing import Any

from . import _landbridge as _core
from ._alignment import Alignment, Floats, Integers
from ._precision import DType
from ._base import whole
from ._linear import LinearMaps
from ._words import How, Metric


class Levels(LinearMaps):
    """A hierarchy of joint spaces. Not used by itself."""

    level: Any

    #: Dimension of each level, finest first.
    levels_: list[int]
    #: The level shown.
    level_: int

    def _learn(self, model: _core.Model) -> None:
        super()._learn(model)
        self.levels_ = [dimension for _, dimension, _ in model.levels or []]
        self.level_ = model.level or 0

    def _map_of(self, model: _core.Model, position: int) -> Floats | None:
        return model.feature_map(position) if self.level == "feature" else None

    def _mapping(self, verb: str) -> _core.Model:
        model = self._fitted(verb)
        if self.level != "feature":
            raise self._undefined(verb)
        return model

    def at_level(self, level: int) -> Levels:
        """The same alignment with `embeddings_`, `maps_` and all methods at that level; 0 is the finest."""
        model = self._fitted("show a level")
        shown = type(self)(**self.get_params(deep=False))
        shown._learn(model.at_level(whole("level", level)))
        return shown

    def _shown(self, level: int | None) -> Levels:
        return self if level is None or (hasattr(self, "_model") and level == self.level_) else self.at_level(level)

    def transform(self, X: Any, dataset: int | str, level: int | None = None, *, batch: Any = None, dtype: DType = "float64") -> Floats:
        """New rows `X` of one dataset in the joint space of a level; None is `level_`. `batch` has no effect here, which is told."""
        return Alignment.transform(self._shown(level), X, dataset, batch=batch, dtype=dtype)

    def match(
        self,
        X: Any = None,
        *,
        source: int | str = 0,
        target: int | str = 1,
        k: int = 1,
        how: How | None = None,
        metric: Metric | None = None,
        min_confidence: float | None = None,
        level: int | None = None,
    ) -> tuple[Integers, Floats]:
        """As `Alignment.match`, at a level; None is `level_`."""
        return Alignment.match(
            self._shown(level), X, source=source, target=target, k=k, how=how, metric=metric, min_confidence=min_confidence
        )

    def map(
        self, X: Any, source: int | str = 0, target: int | str = 1, level: int | None = None, *, dtype: DType = "float64"
    ) -> Floats:
        """Rows `X` of `source` in the prepared features of `target`, through the joint space of a level."""
        return Alignment.map(self._shown(level), X, source, target, dtype=dtype)

    def predict(
        self, X: Any, source: int | str = 0, target: int | str = 1, level: int | None = None, *, dtype: DType = "float64"
    ) -> Floats:
        """`map` of the rows `X` of `source` at a `level`, with the preprocessing of the target undone."""
        return Alignment.predict(self._shown(level), X, source, target, dtype=dtype)

    def top_features(
        self, dataset: int | str = 0, component: int = 0, n: int = 10, level: int | None = None
    ) -> list[tuple[str, float]]:
        """The `n` features of `dataset` with the largest absolute weight in a component of a level."""
        return Alignment.top_features(self._shown(level), dataset, component, n)
