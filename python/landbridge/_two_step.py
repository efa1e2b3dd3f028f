"""Two-step alignment: each dataset is embedded by itself, then the embeddings are moved onto each other by the pairs."""

from __future__ import annotations

import inspect
from typing import Any, ClassVar

from . import _landbridge as _core
from ._alignment import _CLASSES, Alignment, Floats
from ._embeddings import _EMBEDDINGS
from ._errors import ParameterError

#: Parameters that embeddings share; the alignment has them itself.
_SHARED = frozenset(
    ("self", "n_components", "n_neighbors", "metric", "weights", "heat_width", "graph", "prepare", "search")
    + ("random_state", "n_jobs", "verbose")
)


def _own_parameters(embedding: Any) -> list[str]:
    """Parameters that only this embedding has."""
    cls = _EMBEDDINGS.get(embedding) if isinstance(embedding, str) else None
    return [] if cls is None else [name for name in inspect.signature(cls.__init__).parameters if name not in _SHARED]


class _TwoStep(Alignment):
    _has_maps: ClassVar[bool] = True

    #: One array per dataset: coordinates are ``scale * y @ rotation + translation``, y those of its own embedding.
    rotation_: list[Floats]
    translation_: list[Floats]
    #: Distance between the two ends of each pair in the joint space, in the order of the pairs.
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
        own = _own_parameters(self.embedding)
        for name in given or {}:
            if name not in own:
                known = f"it has {', '.join(own)}" if own else "it has none of its own"
                raise ParameterError(f"embedding_params: embedding {self.embedding!r} has no parameter {name!r}; {known}")
        return {**params, **(given or {})}

    @staticmethod
    def _from_file(params: dict[str, Any]) -> dict[str, Any]:
        own = {name: params.pop(name) for name in _own_parameters(params["embedding"]) if name in params}
        if own:
            params["embedding_params"] = own
        if params["embedding"] == "none":
            params["embedding"] = None
        if params.get("prepare") == "none":
            params["prepare"] = None
        return params


_PARAMETERS = """
    Parameters
    ----------
    n_components : int, default None
        Dimensions of the embeddings; None for ``embedding=None``, which keeps all.
    embedding : "laplacian", "lpp", "pca", "lsi", "diffusion", "isomap", "lle" or None
        How each dataset is embedded by itself; None takes the rows as they are. With "lpp", "pca", "lsi" and None the
        alignment is linear in the features, so that `map`, `predict` and `top_features` work.
    n_neighbors, metric, weights, heat_width, graphs, search
        The graph of embeddings that have one, as in `InstanceAlignment`.
    prepare : "auto", None, "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf" or "standardize"
        What "lpp", "pca", "lsi" and None do to rows first; "auto" centres for "lpp" and "pca", is "log_tfidf" for "lsi" and
        nothing for None.
    embedding_params : dict, default None
        Parameters that only the embedding has: `time` and `density` of "diffusion", `ridge` of "lpp" and "lle",
        `normalized` and `tolerance` of "laplacian"."""


class ProcrustesAlignment(_TwoStep):
    """Procrustes alignment: embed each dataset by itself, then turn, scale and shift the embeddings onto the first.

    For paired rows X of the first and Y of another embedding, centred on the pairs: ``U S V' = svd(Y'X)``, rotation
    ``Q = U V'``, scale ``k = trace(S) / trace(Y'Y)``. With more than two datasets each in turn is fitted to all others where
    they now are, until nothing moves; the first stays.
    %s
    scaling : bool, default True
        Find a scale; False: 1.
    reflection : bool, default True
        Mirror images are allowed; False: proper rotations only.
    n_jobs, random_state, verbose
        As in `InstanceAlignment`.

    Attributes
    ----------
    embeddings_ : list of (n_a, d) arrays, the fitted rows in the joint space
    scale_ : (c,) array
    rotation_ : list of (d, d) arrays
    translation_ : list of (d,) arrays; coordinates are ``scale_[a] * y @ rotation_[a] + translation_[a]``
    residuals_ : (l,) array, the distance between the two ends of each pair
    eigenvalues_ : those of the first embedding
    outcome_ : Outcome

    Examples
    --------
    A protein-like chain, stretched and turned; every fourth point is known.

    >>> import numpy as np, landbridge as lb
    >>> t = np.linspace(0, 9, 80)
    >>> X = np.column_stack([np.cos(t), np.sin(t), t / 3])
    >>> Y = X[:, [2, 0, 1]] / 4 + 7
    >>> known = np.arange(0, 80, 4)
    >>> a = lb.ProcrustesAlignment(embedding=None).fit([X, Y], np.column_stack([known, known]))
    >>> round(float(a.scale_[1]), 6), bool(np.allclose(*a.embeddings_))
    (4.0, True)
    """

    __doc__ = (__doc__ or "") % _PARAMETERS

    _method = "procrustes"

    def __init__(
        self,
        n_components: int | None = None,
        *,
        embedding: str | None = "laplacian",
        n_neighbors: int = 10,
        metric: str = "euclidean",
        weights: str = "heat",
        heat_width: float | None = None,
        graphs: Any = None,
        prepare: str | None = "auto",
        embedding_params: dict[str, Any] | None = None,
        scaling: bool = True,
        reflection: bool = True,
        search: str = "auto",
        n_jobs: int | None = None,
        random_state: int = 0,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.embedding = embedding
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.heat_width = heat_width
        self.graphs = graphs
        self.prepare = prepare
        self.embedding_params = embedding_params
        self.scaling = scaling
        self.reflection = reflection
        self.search = search
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


class AffineAlignment(_TwoStep):
    """Affine alignment: embed each dataset by itself, then map the embeddings onto the first by least squares.
    %s
    ridge : float, default 0
        Of the affine maps, in units of the mean diagonal of the centred ``Y'Y``.
    n_jobs, random_state, verbose
        As in `InstanceAlignment`.

    Attributes
    ----------
    embeddings_, translation_, residuals_, eigenvalues_, outcome_
        As in `ProcrustesAlignment`; `rotation_` holds the matrices of the maps, `scale_` is 1.

    Examples
    --------
    >>> import landbridge as lb
    >>> rolls = lb.datasets.swiss_rolls(500)
    >>> a = lb.AffineAlignment(2, embedding="isomap", n_neighbors=6).fit(rolls.datasets, rolls.pairs(20))
    >>> bool(lb.metrics.recall_at_k(*a.embeddings_, k=10) > 0.9)
    True
    """

    __doc__ = (__doc__ or "") % _PARAMETERS

    _method = "affine"

    def __init__(
        self,
        n_components: int | None = None,
        *,
        embedding: str | None = "laplacian",
        n_neighbors: int = 10,
        metric: str = "euclidean",
        weights: str = "heat",
        heat_width: float | None = None,
        graphs: Any = None,
        prepare: str | None = "auto",
        embedding_params: dict[str, Any] | None = None,
        ridge: float = 0.0,
        search: str = "auto",
        n_jobs: int | None = None,
        random_state: int = 0,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.embedding = embedding
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.heat_width = heat_width
        self.graphs = graphs
        self.prepare = prepare
        self.embedding_params = embedding_params
        self.ridge = ridge
        self.search = search
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    # The embedding may have a ridge of its own, so this one has another name below.
    def _core_params(self) -> dict[str, Any]:
        params = super()._core_params()
        own = self.embedding_params or {}
        params["affine_ridge"] = self.ridge
        params["ridge"] = own.get("ridge")
        return params

    @staticmethod
    def _from_file(params: dict[str, Any]) -> dict[str, Any]:
        params = _TwoStep._from_file(params)
        params["ridge"] = params.pop("affine_ridge")
        return params


_CLASSES.update({cls._method: cls for cls in (ProcrustesAlignment, AffineAlignment)})
