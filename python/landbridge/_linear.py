"""Methods that learn one linear map per dataset, and the baselines they are compared with."""

from __future__ import annotations

from typing import Any, ClassVar

from . import _landbridge as _core
from ._alignment import _CLASSES, Alignment, Floats


class _Linear(Alignment):
    _has_maps: ClassVar[bool] = True

    #: One (p_a, d) array per dataset: coordinates are ``prepared(X) @ maps_[a]``, times `component_weights_`.
    maps_: list[Floats | None]
    #: Weights of the components in the joint space; None where all are 1.
    component_weights_: Floats | None

    def _learn(self, model: _core.Model) -> None:
        super()._learn(model)
        self.component_weights_ = model.component_weights
        self.maps_ = [self._map_of(model, a) for a in range(len(self.names_))]

    def _map_of(self, model: _core.Model, position: int) -> Floats | None:
        return model.feature_map(position)

    @staticmethod
    def _from_file(params: dict[str, Any]) -> dict[str, Any]:
        if params.get("ridge", 0.0) is None:
            params["ridge"] = "auto"
        if params.get("prepare") == "none":
            params["prepare"] = None
        return params


class LinearAlignment(_Linear):
    """Feature-level alignment ("manifold projections"): one linear map per dataset into the joint space.

    The `n_components` smallest non-zero solutions of ``(X'LX + R) f = lambda X'DX f``, where X is the block diagonal of the
    prepared datasets (never formed), L and D belong to the joint graph of neighbours and pairs, and R is a ridge: `ridge`
    times the mean of the diagonal of each dataset's ``X'DX``. With ``ridge="auto"`` the ridge is 1 and stands on both sides,
    ``(X'LX + R) f = lambda (X'DX + R) f``, and the components are weighed.

    Parameters
    ----------
    n_components : int
        Dimension of the joint space.
    n_neighbors, metric, weights, heat_width, graphs, nu, balance, search
        As in `InstanceAlignment`. Neighbours are searched among the rows as scaled by `prepare`.
    mu : float, default 100
        Strength of the pairs; with ``balance=True`` in units of (total edge weight) / (total pair weight).
    constraint : "degree" or "identity"
        Right-hand side ``X'DX`` (the chapter) or ``X'X`` (Sparse12).
    ridge : "auto" or float
        0.0 is the papers' problem, solved on the range of the right-hand side.
    weight_components : bool, default None
        Coordinates times ``sqrt(rho / (1 - rho**2))`` with ``rho = 1 - lambda``: what a component says about which row is
        which. None: only with ``ridge="auto"``.
    prepare : None, "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf" or "standardize"
        What is done to rows first; learnt by fit, kept in the model, done to new rows.
    n_jobs, random_state, verbose
        As in `InstanceAlignment`.

    Attributes
    ----------
    embeddings_ : list of (n_a, n_components) arrays, the fitted rows in the joint space
    maps_ : list of (p_a, n_components) arrays
    component_weights_ : (n_components,) array or None
    eigenvalues_ : (n_components,) array, ascending
    outcome_ : Outcome, with `ridge` and, for ``ridge=0``, `rank`

    Notes
    -----
    The papers' setting is ``LinearAlignment(d, mu=1, balance=False, ridge=0.0)``.

    Examples
    --------
    >>> import landbridge as lb
    >>> documents = lb.datasets.bilingual_documents(300)
    >>> a = lb.LinearAlignment(20, prepare="unit_center").fit(documents.datasets, documents.pairs(150))
    >>> bool(lb.metrics.recall_at_k(*a.embeddings_, k=10, metric="cosine") > 0.5)
    True
    >>> a.map(documents.datasets[0][:2], source=0, target=1).shape[0]
    2
    >>> len(a.top_features(dataset=0, component=0, n=5))
    5
    """

    _method = "linear"

    def __init__(
        self,
        n_components: int,
        *,
        n_neighbors: int = 10,
        metric: str = "euclidean",
        weights: str = "heat",
        heat_width: float | None = None,
        graphs: Any = None,
        mu: float = 100.0,
        nu: float = 1.0,
        balance: bool = True,
        constraint: str = "degree",
        ridge: float | str = "auto",
        weight_components: bool | None = None,
        prepare: str | None = "center",
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
        self.graphs = graphs
        self.mu = mu
        self.nu = nu
        self.balance = balance
        self.constraint = constraint
        self.ridge = ridge
        self.weight_components = weight_components
        self.prepare = prepare
        self.search = search
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


class CCA(_Linear):
    """Canonical correlation analysis with a ridge, for two and more datasets.

    The `n_components` largest solutions of ``C f = rho (B + R) f`` over the paired rows; for two datasets rho are the
    canonical correlations, for more it is the sum-of-correlations form. Rows without a pair are placed but teach nothing but
    the means.

    Parameters
    ----------
    n_components : int
    ridge : "auto" or float
        In units of the mean diagonal of ``X'X``; "auto" is 1, 0.0 is plain CCA.
    n_principal : int, default None
        Maps within that many leading principal directions of each dataset: faster for many features. None is all.
    weight_components, prepare, n_jobs, random_state, verbose
        As in `LinearAlignment`.

    Examples
    --------
    >>> import landbridge as lb
    >>> documents = lb.datasets.bilingual_documents(300)
    >>> a = lb.CCA(20).fit(documents.datasets, documents.pairs(150))
    >>> bool(a.eigenvalues_[0] <= 1)
    True
    """

    _method = "cca"

    def __init__(
        self,
        n_components: int,
        *,
        ridge: float | str = "auto",
        weight_components: bool | None = None,
        prepare: str | None = "center",
        n_principal: int | None = None,
        n_jobs: int | None = None,
        random_state: int = 0,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.ridge = ridge
        self.weight_components = weight_components
        self.prepare = prepare
        self.n_principal = n_principal
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


class LinearTransform(_Linear):
    """The plain linear transform ``pinv(X) Y``: every dataset in the features of the last one, by least squares.

    Parameters
    ----------
    ridge : "auto" or float
        In units of the mean diagonal of ``X'X``; "auto" is 0.1, 0.0 the pseudo-inverse.
    prepare, n_jobs, verbose
        As in `LinearAlignment`.

    Examples
    --------
    >>> import landbridge as lb
    >>> documents = lb.datasets.bilingual_documents(200)
    >>> a = lb.LinearTransform().fit(documents.datasets, documents.pairs(100))
    >>> a.embeddings_[0].shape == documents.datasets[1].shape
    True
    """

    _method = "linear_transform"

    def __init__(
        self,
        *,
        ridge: float | str = "auto",
        prepare: str | None = "center",
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.ridge = ridge
        self.prepare = prepare
        self.n_jobs = n_jobs
        self.verbose = verbose

    def _map_of(self, model: _core.Model, position: int) -> Floats | None:
        # The last dataset's features are the joint space; it has no map.
        return None if position == len(self.names_) - 1 else model.feature_map(position)


class PairSimilarity(Alignment):
    """Rows described by their cosine similarity to the paired rows of their own dataset: a baseline without any map.

    Examples
    --------
    >>> import landbridge as lb
    >>> documents = lb.datasets.bilingual_documents(200)
    >>> a = lb.PairSimilarity().fit(documents.datasets, documents.pairs(100))
    >>> a.embeddings_[0].shape
    (200, 100)
    """

    _method = "pair_similarity"

    def __init__(self, *, n_jobs: int | None = None, verbose: int = 0) -> None:
        self.n_jobs = n_jobs
        self.verbose = verbose


_CLASSES.update({cls._method: cls for cls in (LinearAlignment, CCA, LinearTransform, PairSimilarity)})
