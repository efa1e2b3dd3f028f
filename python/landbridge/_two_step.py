"""Two-step alignment: each dataset is embedded by itself, then the embeddings are moved onto each other by the pairs."""

from __future__ import annotations

import inspect
from typing import Any, ClassVar

from . import _data
from . import _landbridge as _core
from ._alignment import Alignment, Floats
from ._embeddings import _EMBEDDINGS
from ._errors import ParameterError


class TwoStep(Alignment):
    """The base class of two-step alignments. Not used by itself."""

    _has_maps: ClassVar[bool] = True

    #: One array per dataset: coordinates are ``scale * y @ rotation + translation``, y those of its own embedding.
    rotation_: list[Floats]
    translation_: list[Floats]
    #: Distance between the two rows of each pair in the joint space, in the order of the pairs.
    residuals_: Floats
    #: One number per dataset.
    scale_: Floats

    embedding: Any
    embedding_params: Any

    def _learn(self, model: _core.Model) -> None:
        super()._learn(model)
        fit = model.paired_fit()
        if fit is not None:
            self.scale_, self.rotation_, self.translation_, self.residuals_ = fit

    def _core_params(self) -> dict[str, Any]:
        params = super()._core_params()
        given = params.pop("embedding_params")
        if given is not None and not isinstance(given, dict):
            raise ParameterError(f"embedding_params is a {type(given).__name__}; it must be a dict or None")
        if self.embedding is None or self.embedding in _EMBEDDINGS:
            self._drop_foreign(params)
        known = _EMBEDDINGS[self.embedding]._parameters_of() if self.embedding in _EMBEDDINGS else []
        for name, value in (given or {}).items():
            outer = "embedding_ridge" if name == "ridge" else name
            if name not in known or outer not in params:
                raise ParameterError(
                    f"embedding_params: embedding {self.embedding!r} has no parameter {name!r}; it has {', '.join(known) or 'none'}"
                )
            params[outer] = value
        return params

    def _drop_foreign(self, params: dict[str, Any]) -> None:
        """Parameters of other embeddings have no effect: said where one was given."""
        own = ["prepare"] if self.embedding is None else _EMBEDDINGS[self.embedding]._parameters_of()
        declared = inspect.signature(type(self).__init__).parameters
        shared = {name for cls in _EMBEDDINGS.values() for name in cls._parameters_of()}
        for name in [n for n in params if n in shared or n == "embedding_ridge"]:
            if ("ridge" if name == "embedding_ridge" else name) in own or (name == "ridge" and "ridge" in declared):
                continue
            if params.pop(name) is not declared[name].default and getattr(self, name) != declared[name].default:
                _data.warn(f"{name} has no effect: the embedding {self.embedding!r} does not have it")
