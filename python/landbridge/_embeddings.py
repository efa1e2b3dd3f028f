"""Embeddings of one dataset in few dimensions."""

from __future__ import annotations

import inspect
import os
import warnings
from typing import Any, ClassVar, TypeVar

from . import _data
from . import _landbridge as _core
from ._alignment import Floats, from_params
from ._core_params import core_params
from ._base import threads
from ._errors import AlignmentWarning, ModelError
from ._model_holder import ModelHolder
from ._outcome import Outcome

Self = TypeVar("Self", bound="Embedding")


class Embedding(ModelHolder):
    """The base class of all embeddings. Not used by itself.

    Attributes
    ----------
    embedding_ : (n, n_components) array, coordinates of the fitted rows
    eigenvalues_ : (n_components,) array
    outcome_ : Outcome
    n_features_in_ : int
    """

    #: Name of the embedding in the library.
    _embedding: ClassVar[str]

    embedding_: Floats
    eigenvalues_: Floats
    outcome_: Outcome
    n_features_in_: int
    _model: _core.Model

    n_components: Any
    n_jobs: Any
    verbose: Any

    def fit(self: Self, X: Any, y: Any = None) -> Self:
        """Embed the rows of `X`: NumPy, SciPy sparse (never made dense), pandas, polars, Arrow. `y` is ignored."""
        n_jobs = threads(self.n_jobs)
        model = _core.embed(self._embedding, core_params(self), _data.dataset("X", X), n_jobs, self._is_verbose())
        self._learn(model)
        for text in self.outcome_.warnings:
            warnings.warn(text, AlignmentWarning, stacklevel=2)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Floats:
        """Fit, and return the coordinates of the fitted rows: ``fit(X).embedding_``. `y` is ignored."""
        self.fit(X)
        coordinates: Floats = self.embedding_.copy()
        return coordinates

    def transform(self, X: Any) -> Floats:
        """Coordinates of new rows. The result of a row does not depend on the other rows of `X`."""
        if _data.is_plain(X):
            return self._fitted("transform").transform_array(X, 0, threads(self.n_jobs), self._is_verbose())
        rows = _data.dataset("new rows", _data.like_fitted(X, self._fitted("transform").columns(0)))
        placed, note = self._fitted("transform").transform(rows, 0, threads(self.n_jobs), self._is_verbose())
        if note is not None:
            _data.warn(note)
        return placed

    def _learn(self, model: _core.Model) -> None:
        self._model = model
        self.n_features_in_ = model.n_features[0]
        self.embedding_ = model.embedding(0)
        self.eigenvalues_ = model.eigenvalues
        self.outcome_ = Outcome._from_core(model.outcome())

    @classmethod
    def _parameters_of(cls) -> list[str]:
        """The names of its parameters."""
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]


class LinearEmbedding(Embedding):
    """An embedding by a linear map. Not used by itself."""

    #: (n_components, p) array, the directions.
    components_: Floats

    def _learn(self, model: _core.Model) -> None:
        super()._learn(model)
        self.components_ = model.feature_map(0).T


#: By name; `_methods` fills it.
_EMBEDDINGS: dict[str, type[Embedding]] = {}


def load_embedding(path: str | os.PathLike[str]) -> Embedding:
    """Read the embedding at `path`, written by `save` or by ``landbridge embed --save``."""
    model = _core.load(os.fspath(path))
    cls = _EMBEDDINGS.get(model.method)
    if cls is None or len(model.names) != 1:
        raise ModelError(f'{path}: a model of method "{model.method}", not an embedding of one dataset', "landbridge.load reads it")
    embedding: Embedding = from_params(cls, model.method, model.params)
    embedding._learn(model)
    return embedding
