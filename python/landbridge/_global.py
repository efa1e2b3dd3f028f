"""Alignment that preserves distances, not only neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _landbridge as _core
from ._alignment import Alignment, Floats
from ._linear import LinearMaps


class GlobalMaps(LinearMaps):
    """Maps of features, or coordinates of rows, that preserve distances. Not used by itself."""

    level: Any

    #: Factor of the distances of each dataset.
    scales_: Floats

    def _learn(self, model: _core.Model) -> None:
        Alignment._learn(self, model)
        self.scales_ = np.array(self.outcome_.scales)
        places = self.level == "instance"
        self.component_weights_ = None if places else model.component_weights
        self.maps_ = [] if places else [model.feature_map(a) for a in range(len(self.names_))]

    def _mapping(self, verb: str) -> _core.Model:
        model = self._fitted(verb)
        if not self.maps_:
            raise self._undefined(verb)
        return model
