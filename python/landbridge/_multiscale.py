"""Multiscale alignment: one fit, a hierarchy of nested joint spaces."""

from __future__ import annotations

from typing import Any

from . import _landbridge as _core
from ._alignment import _CLASSES, Alignment, Floats, Integers
from ._base import whole
from ._linear import _Linear


class MultiscaleAlignment(_Linear):
    """Multiscale alignment by diffusion wavelets: a hierarchy of alignments whose dimensions come out of the data.

    With ``G'G = X'X`` and ``T = pinv(pinv(G)' X'LX pinv(G))`` scaled to norm 1, level k = 1, 2, ... spans the eigenvectors of
    T with ``lambda**(2**k) >= precision``, in localised functions ``phi_k``; the maps are ``F_k = pinv(G) phi_k``, so that
    ``(X F_k)'(X F_k) = I``. Levels are counted from 0, the finest (k = 1).

    Parameters
    ----------
    precision : float, default 1e-5
        Which eigenvalues still count at a level; above 0, below 1.
    max_levels : int, default None
        Levels at most; None goes up to the top, where nothing changes any more.
    over : "features" or "instances"
        Maps of features; or places of the rows themselves (X is the identity).
    construction : "auto", "spectral" or "recursion"
        Localised bases of the exact spectral subspaces, or the published recursion. "auto" is exact for symmetric graphs.
    directed : bool, default False
        Edges lead from a row to its neighbours only, and given `graphs` need not be symmetric (citations). There is no
        optimality then; the recursion is used.
    n_neighbors, metric, weights, heat_width, graphs, mu, nu, balance, prepare, search, n_jobs, random_state, verbose
        As in `LinearAlignment`.

    Attributes
    ----------
    levels_ : list of int, the dimension of each level, finest first
    level_ : int
        The level that `embeddings_`, `maps_` and all methods without `level` speak of: the finest that leaves something
        out. (The whole space, mostly level 0, does not bring datasets together.)
    embeddings_, maps_ : as in `LinearAlignment`, at `level_`; `at_level` gives another
    eigenvalues_ : all non-zero eigenvalues of the problem, ascending
    outcome_ : Outcome

    Notes
    -----
    The chapter's setting is ``MultiscaleAlignment(mu=1, balance=False)``; with it the coarsest levels say little more than
    which dataset a row is from.

    Examples
    --------
    >>> import landbridge as lb
    >>> copies = lb.datasets.lifted_copies(300)
    >>> a = lb.MultiscaleAlignment(precision=1e-3).fit(copies.datasets, copies.pairs(60))
    >>> a.levels_ == sorted(a.levels_, reverse=True)
    True
    >>> a.transform(copies.datasets[1][:5], dataset=1, level=len(a.levels_) - 1).shape == (5, a.levels_[-1])
    True
    >>> idx, dist = a.match(source=0, target=1, level=1)
    """

    _method = "multiscale"

    #: Dimension of each level, finest first.
    levels_: list[int]
    #: The level shown.
    level_: int

    def __init__(
        self,
        precision: float = 1e-5,
        *,
        max_levels: int | None = None,
        over: str = "features",
        construction: str = "auto",
        directed: bool = False,
        n_neighbors: int = 10,
        metric: str = "euclidean",
        weights: str = "heat",
        heat_width: float | None = None,
        graphs: Any = None,
        mu: float = 100.0,
        nu: float = 1.0,
        balance: bool = True,
        prepare: str | None = "center",
        search: str = "auto",
        n_jobs: int | None = None,
        random_state: int = 0,
        verbose: int = 0,
    ) -> None:
        self.precision = precision
        self.max_levels = max_levels
        self.over = over
        self.construction = construction
        self.directed = directed
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.heat_width = heat_width
        self.graphs = graphs
        self.mu = mu
        self.nu = nu
        self.balance = balance
        self.prepare = prepare
        self.search = search
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _learn(self, model: _core.Model) -> None:
        super()._learn(model)
        self.levels_ = [dimension for _, dimension, _ in model.levels or []]
        self.level_ = model.level or 0

    def _map_of(self, model: _core.Model, position: int) -> Floats | None:
        return model.feature_map(position) if self.over == "features" else None

    def _mapping(self, verb: str) -> _core.Model:
        model = self._fitted(verb)
        if self.over != "features":
            raise self._undefined(verb)
        return model

    def at_level(self, level: int) -> MultiscaleAlignment:
        """The same alignment with `embeddings_`, `maps_` and all methods at that level; 0 is the finest."""
        model = self._fitted("show a level")
        shown = type(self)(**self.get_params(deep=False))
        shown._learn(model.at_level(whole("level", level)))
        return shown

    def _shown(self, level: int | None) -> MultiscaleAlignment:
        return self if level is None or (hasattr(self, "_model") and level == self.level_) else self.at_level(level)

    def transform(self, X: Any, dataset: int | str, level: int | None = None) -> Floats:
        """New rows of one dataset in the joint space of a level; None is `level_`."""
        return Alignment.transform(self._shown(level), X, dataset)

    def match(
        self,
        X: Any = None,
        *,
        source: int | str = 0,
        target: int | str = 1,
        k: int = 1,
        how: str = "nearest",
        metric: str | None = None,
        level: int | None = None,
    ) -> tuple[Integers, Floats]:
        """As `Alignment.match`, at a level; None is `level_`."""
        return Alignment.match(self._shown(level), X, source=source, target=target, k=k, how=how, metric=metric)

    def map(self, X: Any, source: int | str = 0, target: int | str = 1, level: int | None = None) -> Floats:
        """Rows of one dataset in the prepared features of another, through the joint space of a level."""
        return Alignment.map(self._shown(level), X, source, target)

    def predict(self, X: Any, source: int | str = 0, target: int | str = 1, level: int | None = None) -> Floats:
        """`map`, with the preparation of the target undone."""
        return Alignment.predict(self._shown(level), X, source, target)

    def top_features(
        self, dataset: int | str = 0, component: int = 0, n: int = 10, level: int | None = None
    ) -> list[tuple[str, float]]:
        """The features of largest absolute weight in a component of a level."""
        return Alignment.top_features(self._shown(level), dataset, component, n)


_CLASSES["multiscale"] = MultiscaleAlignment
