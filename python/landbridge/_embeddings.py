"""Embeddings of one dataset: few dimensions that keep what matters."""

from __future__ import annotations

import json
import os
import warnings
from typing import Any, ClassVar, TypeVar

from . import _data
from . import _landbridge as _core
from ._alignment import Floats, _graph
from ._base import threads
from ._errors import AlignmentWarning, ModelError
from ._model_holder import ModelHolder
from ._outcome import Outcome

Self = TypeVar("Self", bound="Embedding")


class Embedding(ModelHolder):
    """What all embeddings have in common. Not used by itself.

    Attributes
    ----------
    embedding_ : (n, n_components) array, the fitted rows
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
        model = _core.embed(self._core_params(), _data.dataset("X", X), n_jobs, self._is_verbose())
        self._learn(model)
        for text in self.outcome_.warnings:
            warnings.warn(text, AlignmentWarning, stacklevel=2)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Floats:
        """Fit, and return the fitted rows: ``fit(X).embedding_``."""
        self.fit(X)
        coordinates: Floats = self.embedding_.copy()
        return coordinates

    def transform(self, X: Any) -> Floats:
        """New rows; each depends on itself only, not on the other rows of `X`."""
        rows = _data.dataset("new rows", X)
        return self._fitted("transform").transform(rows, 0, threads(self.n_jobs), self._is_verbose())

    def _learn(self, model: _core.Model) -> None:
        self._model = model
        self.n_features_in_ = model.n_features[0]
        self.embedding_ = model.embedding(0)
        self.eigenvalues_ = model.eigenvalues
        self.outcome_ = Outcome._from_core(model.outcome())

    def _core_params(self) -> dict[str, Any]:
        params: dict[str, Any] = {k: v for k, v in self.get_params(deep=False).items() if k not in ("n_jobs", "verbose")}
        params["embedding"] = self._embedding
        if "graph" in params:
            graph = params.pop("graph")
            params["graphs"] = None if graph is None else [_graph(0, graph)]
        return params


class PCA(Embedding):
    """Principal components: the directions of largest variance. Sparse rows are centred without being made dense.

    Parameters
    ----------
    n_components : int
    prepare : "auto" (centre), None, "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf" or "standardize"
    n_jobs, random_state, verbose

    Attributes
    ----------
    embedding_, outcome_
    eigenvalues_ : variances, largest first
    components_ : (n_components, p) array, the directions

    >>> import landbridge as lb
    >>> X = lb.datasets.bilingual_documents(100).datasets[0]
    >>> lb.PCA(5).fit(X).embedding_.shape
    (100, 5)
    """

    _embedding = "pca"
    components_: Floats

    def __init__(
        self,
        n_components: int,
        *,
        prepare: str | None = "auto",
        n_jobs: int | None = None,
        random_state: int = 0,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.prepare = prepare
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _learn(self, model: _core.Model) -> None:
        super()._learn(model)
        self.components_ = model.feature_map(0).T


class LSI(PCA):
    """Latent semantic indexing: a truncated singular value decomposition of weighted, unit-length rows.

    Parameters
    ----------
    n_components : int
    prepare : "auto" (log_tfidf), or as in `PCA`; None decomposes the rows as they are
    n_jobs, random_state, verbose

    Attributes
    ----------
    embedding_, outcome_, components_
    eigenvalues_ : singular values, largest first

    >>> import landbridge as lb
    >>> X = lb.datasets.bilingual_documents(100).datasets[0]
    >>> z = lb.LSI(5).fit(X)
    >>> bool(abs(z.transform(X[:3]) - z.embedding_[:3]).max() < 1e-12)
    True
    """

    _embedding = "lsi"


class LaplacianEigenmaps(Embedding):
    """Laplacian eigenmaps: the smallest non-zero solutions of ``L f = lambda D f`` on the neighbour graph.

    New rows lie at the weighted mean of their neighbours, each component divided by ``1 - lambda`` (bounded by 2).

    Parameters
    ----------
    n_components : int
    n_neighbors, metric, weights, heat_width, search
        The graph, as in `InstanceAlignment`.
    graph : sparse matrix, default None
        Symmetric weights with ``weights="precomputed"``; new rows have no place in it.
    normalized : bool, default True
        ``L f = lambda D f`` with ``F'DF = I``; False: ``L f = lambda f`` with ``F'F = I``.
    tolerance : float
        Relative residual of the eigensolver.
    n_jobs, random_state, verbose

    >>> import landbridge as lb
    >>> X = lb.datasets.swiss_rolls(200).datasets[0]
    >>> lb.LaplacianEigenmaps(2).fit_transform(X).shape
    (200, 2)
    """

    _embedding = "laplacian"

    def __init__(
        self,
        n_components: int,
        *,
        n_neighbors: int = 10,
        metric: str = "euclidean",
        weights: str = "heat",
        heat_width: float | None = None,
        graph: Any = None,
        normalized: bool = True,
        search: str = "auto",
        tolerance: float = 1e-5,
        n_jobs: int | None = None,
        random_state: int = 0,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.heat_width = heat_width
        self.graph = graph
        self.normalized = normalized
        self.search = search
        self.tolerance = tolerance
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


class LPP(Embedding):
    """Locality-preserving projections: Laplacian eigenmaps restricted to linear maps, ``X'LX f = lambda X'DX f``.

    Parameters
    ----------
    n_components : int
    ridge : float, default 0
        On the left-hand side, in units of the mean diagonal of ``X'DX``.
    prepare : "auto" (centre), or as in `PCA`
    n_neighbors, metric, weights, heat_width, graph, search, n_jobs, random_state, verbose
        As in `LaplacianEigenmaps`; neighbours are searched among the rows as scaled by `prepare`.

    >>> import landbridge as lb
    >>> X = lb.datasets.swiss_rolls(200).datasets[0]
    >>> lb.LPP(2).fit(X).transform(X[:4]).shape
    (4, 2)
    """

    _embedding = "lpp"

    def __init__(
        self,
        n_components: int,
        *,
        n_neighbors: int = 10,
        metric: str = "euclidean",
        weights: str = "heat",
        heat_width: float | None = None,
        graph: Any = None,
        ridge: float = 0.0,
        prepare: str | None = "auto",
        search: str = "auto",
        n_jobs: int | None = None,
        random_state: int = 0,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.heat_width = heat_width
        self.graph = graph
        self.ridge = ridge
        self.prepare = prepare
        self.search = search
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


class DiffusionMap(Embedding):
    """Diffusion map: coordinates ``kappa**time * psi`` of a random walk on the neighbour graph, ``sum pi psi**2 = 1``.

    Parameters
    ----------
    n_components : int
    time : int, default 1
        Steps of the walk.
    density : float, default 1
        Power of the degrees divided out first: 0 keeps the walk, 1 takes out how densely the data were sampled.
    n_neighbors, metric, weights, heat_width, graph, search, tolerance, n_jobs, random_state, verbose
        As in `LaplacianEigenmaps`.

    Attributes
    ----------
    embedding_, outcome_
    eigenvalues_ : kappa, largest first, all below 1

    >>> import landbridge as lb
    >>> X = lb.datasets.swiss_rolls(200).datasets[0]
    >>> lb.DiffusionMap(2, time=3).fit_transform(X).shape
    (200, 2)
    """

    _embedding = "diffusion"

    def __init__(
        self,
        n_components: int,
        *,
        time: int = 1,
        density: float = 1.0,
        n_neighbors: int = 10,
        metric: str = "euclidean",
        weights: str = "heat",
        heat_width: float | None = None,
        graph: Any = None,
        search: str = "auto",
        tolerance: float = 1e-5,
        n_jobs: int | None = None,
        random_state: int = 0,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.time = time
        self.density = density
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.heat_width = heat_width
        self.graph = graph
        self.search = search
        self.tolerance = tolerance
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


class Isomap(Embedding):
    """Isomap: classical scaling of shortest paths over the neighbour graph.

    A disconnected graph is joined by the shortest edge between every two of its parts, with a warning. New rows reach all
    fitted rows through their neighbours. Fitting takes one n x n matrix; the fitted model keeps the graph only.

    Parameters
    ----------
    n_components : int
    n_neighbors, metric, search, n_jobs, random_state, verbose
        As in `InstanceAlignment`.

    >>> import landbridge as lb
    >>> X = lb.datasets.swiss_rolls(300).datasets[0]
    >>> lb.Isomap(2, n_neighbors=6).fit(X).transform(X[:5]).shape
    (5, 2)
    """

    _embedding = "isomap"

    def __init__(
        self,
        n_components: int,
        *,
        n_neighbors: int = 10,
        metric: str = "euclidean",
        search: str = "auto",
        n_jobs: int | None = None,
        random_state: int = 0,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.search = search
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


class LLE(Embedding):
    """Locally linear embedding: rows as affine combinations of their neighbours. Takes an n x n matrix.

    Parameters
    ----------
    n_components : int
    ridge : float, default 1e-3
        Of the local weights, in units of the trace of the local Gram matrix.
    n_neighbors, metric, search, n_jobs, random_state, verbose
        As in `InstanceAlignment`.

    >>> import landbridge as lb
    >>> X = lb.datasets.swiss_rolls(200).datasets[0]
    >>> lb.LLE(2).fit_transform(X).shape
    (200, 2)
    """

    _embedding = "lle"

    def __init__(
        self,
        n_components: int,
        *,
        n_neighbors: int = 10,
        metric: str = "euclidean",
        ridge: float = 1e-3,
        search: str = "auto",
        n_jobs: int | None = None,
        random_state: int = 0,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.ridge = ridge
        self.search = search
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


_EMBEDDINGS: dict[str, type[Embedding]] = {
    cls._embedding: cls for cls in (PCA, LSI, LaplacianEigenmaps, LPP, DiffusionMap, Isomap, LLE)
}


def load_embedding(path: str | os.PathLike[str]) -> Embedding:
    """Read an embedding written by `save` or by ``landbridge embed --model``."""
    model = _core.load(os.fspath(path))
    cls = _EMBEDDINGS.get(model.method)
    if cls is None or len(model.names) != 1:
        raise ModelError(f'{path}: a model of method "{model.method}", not an embedding of one dataset', "landbridge.load reads it")
    params = json.loads(model.params)
    if params.get("prepare") == "none":
        params["prepare"] = None
    known = cls.__init__.__code__.co_varnames
    embedding = cls(**{name: value for name, value in params.items() if name in known})
    embedding._learn(model)
    return embedding
