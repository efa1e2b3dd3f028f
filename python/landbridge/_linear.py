"""Methods that learn one linear map per dataset."""

from __future__ import annotations

from typing import ClassVar

from . import _landbridge as _core
from ._alignment import Alignment, Floats
from ._errors import UndefinedError


class LinearMaps(Alignment):
    """The base class of alignments by linear maps. Not used by itself."""

    _has_maps: ClassVar[bool] = True

    #: One (p_a, d) array per dataset: coordinates are ``prepared(X) @ maps_[a]``, times `component_weights_`. None if the
    #: joint space is the dataset's own feature space.
    maps_: list[Floats | None]
    #: Weights of the components in the joint space; None if all are 1.
    component_weights_: Floats | None

    def _learn(self, model: _core.Model) -> None:
        super()._learn(model)
        self.component_weights_ = model.component_weights
        self.maps_ = [self._map_of(model, a) for a in range(len(self.names_))]

    def _map_of(self, model: _core.Model, position: int) -> Floats | None:
        try:
            return model.feature_map(position)
        except UndefinedError:
            return None
