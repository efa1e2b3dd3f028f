"""The estimators: one class per published method."""

from __future__ import annotations

import inspect
import json
import os
import warnings
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt
from scipy import sparse

from . import _data
from . import _landbridge as _core
from ._base import threads, whole
from ._errors import AlignmentWarning, DataError, ModelError, ParameterError, UndefinedError
from ._model_holder import ModelHolder
from ._outcome import Outcome

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Self = TypeVar("Self", bound="Alignment")

_FIT = """
        Parameters
        ----------
        datasets : list, tuple or dict of 2 or more
            Rows are instances. NumPy arrays (float32 stays float32), SciPy sparse matrices and arrays (never made dense),
            pandas, polars and Arrow tables, AnnData objects (their X; `from_anndata` for other parts), a MuData object instead
            of the list (its modalities), what `read` reads. A dict gives names; in a list they are "0", "1", and so on. Everything is copied
            first: an array changed by another thread during fit has no effect. The index of a pandas table becomes row ids,
            unless it is a RangeIndex.
        pairs : (l, c) array of row numbers, one column per dataset, -1 = no counterpart; or
            ``{(a, b): (l, 2) array, (l, 3) array with weights, or sparse matrix}``, a and b positions or names; or
            a table (pandas, polars, Arrow) whose columns are names of datasets: integers are row numbers, text is looked up
            among the row ids, empty cells are no counterpart, a column "weight" weighs; or
            None: AnnData objects are paired by the names of their cells (those that occur once in each; `verbose` says how
            many); other datasets have no pairs, and `InstanceAlignment`, `LinearAlignment`, `GlobalAlignment`,
            `ProcrustesAlignment` and `AffineAlignment` guess them by `infer_pairs`, with a warning.

        Returns
        -------
        self
        """


class Alignment(ModelHolder):
    """What all alignments have in common. Not used by itself."""

    #: Name of the method in the library.
    _method: ClassVar[str]
    #: Whether it learns maps of the features.
    _has_maps: ClassVar[bool] = False
    #: Whether it predicts values of other datasets, and NaN means that a value is unknown.
    _predicts: ClassVar[bool] = False

    # Learned by fit; see the class documentation.
    embeddings_: list[Floats]
    eigenvalues_: Floats
    outcome_: Outcome
    n_features_in_: list[int]
    names_: list[str]
    _model: _core.Model

    # Typed as Any: set by __init__ exactly as given, checked by fit.
    n_components: Any
    n_jobs: Any
    verbose: Any

    def fit(self: Self, datasets: Any, pairs: Any = None) -> Self:
        """Align the datasets by the known pairs.
        %s"""
        n_jobs, verbose = threads(self.n_jobs), self._is_verbose()
        params = self._core_params()
        data = _data.datasets(self._seen(datasets))
        if pairs is None:
            pairs = _data._cells().shared_names(datasets, data, verbose)
        model = _core.fit(self._method, params, data, _data.pairs(pairs, data), n_jobs, verbose)
        self._learn(model)
        for text in self.outcome_.warnings:
            warnings.warn(text, AlignmentWarning, stacklevel=2)
        return self

    fit.__doc__ = (fit.__doc__ or "") % _FIT

    def fit_transform(self, datasets: Any, pairs: Any = None) -> list[Floats]:
        """Fit, and return the fitted rows in the joint space: ``fit(datasets, pairs).embeddings_``."""
        self.fit(datasets, pairs)
        return [embedding.copy() for embedding in self.embeddings_]

    def transform(self, X: Any, dataset: int | str) -> Floats:
        """New rows of one dataset in the joint space.

        Parameters
        ----------
        X : rows with the same columns as the fitted rows of that dataset
        dataset : position or name

        Returns
        -------
        (m, n_components) array. Each row depends on itself only, not on the other rows of `X`.
        """
        model = self._fitted("transform")
        position = model.position(dataset)
        return model.transform(self._new_rows(X, position), position, threads(self.n_jobs), self._is_verbose())

    def match(
        self,
        X: Any = None,
        *,
        source: int | str = 0,
        target: int | str = 1,
        k: int = 1,
        how: str = "nearest",
        metric: str | None = None,
    ) -> tuple[Integers, Floats]:
        """Which rows of `target` are the rows of `source`?

        Parameters
        ----------
        X : new rows of `source`; None for its fitted rows
        source, target : position or name
        k : matches per row; 1 for "mutual" and "assignment"
        how : "nearest"; "csls", which puts rows that are near to everything farther away; "mutual", the nearest only where
            it agrees in the other direction; "assignment", one to one with the least total distance
        metric : "euclidean" or "cosine" in the joint space; None is "euclidean" for methods that place rows, "cosine" for
            methods that map features and for "csls" (which has no other)

        Returns
        -------
        indices : (m, k) integer array, best first, -1 where there is no match
        distances : (m, k) array beside it, infinite where there is no match; for "csls" the negated score
        """
        model = self._fitted("match")
        if how == "csls" and metric not in (None, "cosine"):
            raise ParameterError(f'metric is {metric!r}; it must be None or "cosine" for how="csls"')
        s, t = model.position(source), model.position(target)
        rows = None if X is None else self._new_rows(X, s)
        return model.match_rows(
            rows, s, t, whole("k", k, 1), how, metric, threads(self.n_jobs), self._is_verbose()
        )

    def map(self, X: Any, source: int | str = 0, target: int | str = 1) -> Floats:
        """Rows of one dataset in the features of another; methods that learn a map of the features define it.

        Returns
        -------
        (m, p_target) array, ``prepared(X) F_source pinv(F_target)``: prepared features of the target, so with
        ``prepare="center"`` deviations from its means. `predict` adds those again.
        """
        return self._mapped("map", X, source, target, False)

    def predict(self, X: Any, source: int | str = 0, target: int | str = 1) -> Floats:
        """Values of the other side for rows known only here: `map`, with the preparation of the target undone.

        Means and factors of columns are undone; that rows were scaled to unit length cannot be. `CLE`, `CLLE` and `LAMVU` have
        no map: they predict from rows known on both sides, as their `predictor` says; unknown values of `X` are NaN or, in
        sparse rows, not stored.
        """
        return self._mapped("predict", X, source, target, True)

    def top_features(self, dataset: int | str = 0, component: int = 0, n: int = 10) -> list[tuple[str, float]]:
        """The features of largest absolute weight in a component: names (or column numbers as text) and weights."""
        model = self._mapping("top_features")
        found = model.top_features(model.position(dataset), whole("component", component), whole("n", n))
        return [(str(column) if name is None else name, weight) for column, name, weight in found]

    def _seen(self, datasets: Any) -> Any:
        """Datasets whose NaN are unknown values, where the method knows what to do with them."""
        if not self._predicts:
            return datasets
        if isinstance(datasets, dict):
            return {name: _data.partly_known(X) for name, X in datasets.items()}
        return [_data.partly_known(X) for X in datasets] if isinstance(datasets, (list, tuple)) else datasets

    def _mapping(self, verb: str) -> _core.Model:
        model = self._fitted(verb)
        if not (self._has_maps or (verb == "predict" and self._predicts)):
            raise self._undefined(verb)
        return model

    def _mapped(self, verb: str, X: Any, source: int | str, target: int | str, original: bool) -> Floats:
        model = self._mapping(verb)
        s, t = model.position(source), model.position(target)
        return model.map(self._new_rows(X, s), s, t, original, threads(self.n_jobs))

    def _learn(self, model: _core.Model) -> None:
        self._model = model
        self.names_ = model.names
        self.n_features_in_ = model.n_features
        self.embeddings_ = [model.embedding(a) for a in range(len(self.names_))]
        self.eigenvalues_ = model.eigenvalues
        self.outcome_ = Outcome._from_core(model.outcome())

    def _undefined(self, verb: str) -> UndefinedError:
        return UndefinedError(
            f"{verb} is not defined for {type(self).__name__}: it gives each row a place and learns no map of the features",
            "transform and match work",
        )

    def _new_rows(self, X: Any, position: int) -> _core.Dataset:
        """New rows of a dataset; columns that have names must have the names of the fitted ones."""
        name = self.names_[position]
        fitted = self._model.columns(position)
        X = _data.partly_known(X) if self._predicts else X
        rows = _data.dataset(f"new rows of {name}", _data.like_fitted(X, fitted))
        given = rows.columns
        if fitted is not None and given is not None and len(fitted) == len(given) and fitted != given:
            at = next(i for i, (f, g) in enumerate(zip(fitted, given)) if f != g)
            raise DataError(
                f'dataset "{name}": column {at} of the new rows is "{given[at]}"; when it was fitted it was "{fitted[at]}"',
                "new rows need the same columns in the same order as the fitted rows",
            )
        return rows

    @staticmethod
    def _from_file(params: dict[str, Any]) -> dict[str, Any]:
        """Parameters as the model file has them, as the constructor takes them."""
        return params

    def _core_params(self) -> dict[str, Any]:
        params: dict[str, Any] = {k: v for k, v in self.get_params(deep=False).items() if k not in ("n_jobs", "verbose")}
        graphs = params.get("graphs")
        if graphs is not None:
            params["graphs"] = [_graph(a, W) for a, W in enumerate(_listed(graphs))]
        return params


def _listed(graphs: Any) -> list[Any]:
    if isinstance(graphs, dict):
        return list(graphs.values())
    if isinstance(graphs, (list, tuple)):
        return list(graphs)
    raise ParameterError(f"graphs is a {type(graphs).__name__}; it must be a list of one graph per dataset")


def _graph(position: int, W: Any) -> tuple[_data.Array, _data.Array, _data.Array, int]:
    if sparse.issparse(W):
        if W.dtype.kind not in "fiub":
            raise DataError(f"graph {position} holds {W.dtype}; it must hold real numbers")
        return _data.csr_parts(W)
    return _data.csr_parts(sparse.csr_array(_data._numeric(f"graph {position}", W)))


class InstanceAlignment(Alignment):
    """Instance-level alignment: every row of every dataset gets its place in one joint space.

    Minimises ``sum_ij W_ij |f_i - f_j|^2`` over all rows of all datasets, where W holds the similarities of neighbours
    within a dataset (times `nu`) and the known pairs across datasets (times `mu`), subject to ``F'DF = I``.

    Parameters
    ----------
    n_components : int
        Dimension of the joint space.
    n_neighbors : int, default 10
        Neighbours of each row, from 1 to rows - 1.
    metric : "euclidean" or "cosine"
        Distance between the rows of a dataset.
    weights : "heat", "binary", "cosine", "local" or "precomputed"
        Weight of an edge; "precomputed" takes `graphs`.
    heat_width : float, default None
        Width of the heat kernel; the mean distance to the neighbours when None.
    graphs : list of sparse matrices, default None
        Symmetric weights, one graph per dataset, with ``weights="precomputed"``. New rows have no place in a given graph.
    mu, nu : float, default 1
        Strength of the pairs and of the neighbours.
    balance : bool, default True
        `mu` counts in units of (total edge weight) / (total pair weight); False is the papers' raw mu.
    hard : bool, default False
        Corresponding rows coincide.
    normalized : bool, default True
        Constraint ``F'DF = I``; False: ``F'F = I``.
    search : "auto", "exact" or "approximate"
        How neighbours are found; "auto" is exact up to 30,000 dense rows and for sparse rows.
    tolerance : float, default 1e-5
        Relative residual of the eigensolver.
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it. At most 256, or as many as there are cores.
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    embeddings_ : list of (n_a, n_components) arrays, the fitted rows in the joint space
    eigenvalues_ : (n_components,) array, ascending
    outcome_ : Outcome
        Status, residual, solver, seconds per stage, warnings.
    n_features_in_ : list of int, the features of each dataset
    names_ : list of str, the names of the datasets

    Examples
    --------
    Two rolled-up sheets; 30 of 300 points are known in both.

    >>> import landbridge as lb
    >>> rolls = lb.datasets.swiss_rolls(300)
    >>> a = lb.InstanceAlignment(4).fit(rolls.datasets, rolls.pairs(30))
    >>> [z.shape for z in a.embeddings_]
    [(300, 4), (300, 4)]
    >>> idx, dist = a.match(source=0, target=1, k=10)
    >>> idx.shape
    (300, 10)
    >>> bool(lb.metrics.recall_at_k(*a.embeddings_, k=10) > 0.5)
    True
    >>> a.transform(rolls.datasets[1][:5], dataset=1).shape
    (5, 4)
    """

    _method = "instance"

    def __init__(
        self,
        n_components: int,
        *,
        n_neighbors: int = 10,
        metric: str = "euclidean",
        weights: str = "heat",
        heat_width: float | None = None,
        graphs: Any = None,
        mu: float = 1.0,
        nu: float = 1.0,
        balance: bool = True,
        hard: bool = False,
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
        self.graphs = graphs
        self.mu = mu
        self.nu = nu
        self.balance = balance
        self.hard = hard
        self.normalized = normalized
        self.search = search
        self.tolerance = tolerance
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


class Predicting(Alignment):
    """Methods that place rows and predict values of other datasets (Lamvu13). Not used by itself."""

    _predicts: ClassVar[bool] = True


class CLE(Predicting):
    """Correspondence Laplacian eigenmaps: corresponding rows are merged, and the plain Laplacian is solved.

    The same as ``InstanceAlignment(d, hard=True, normalized=False)`` under its published name, with `predict`; parameters and
    attributes are those of `InstanceAlignment`, and `n_neighbors_embed`, `n_neighbors_predict`, `ridge`, `predictor` and
    `known` those of `CLLE` (`ridge` is that of predictions).

    >>> import landbridge as lb
    >>> helices = lb.datasets.helices(200)
    >>> a = lb.CLE(2).fit(helices.datasets, helices.pairs(20))
    >>> i, j = helices.pairs(20)[0]
    >>> bool((a.embeddings_[0][i] == a.embeddings_[1][j]).all())
    True
    """

    _method = "cle"

    def __init__(
        self,
        n_components: int,
        *,
        n_neighbors: int = 10,
        metric: str = "euclidean",
        weights: str = "heat",
        heat_width: float | None = None,
        graphs: Any = None,
        mu: float = 1.0,
        nu: float = 1.0,
        balance: bool = True,
        search: str = "auto",
        tolerance: float = 1e-5,
        n_neighbors_embed: int | None = None,
        n_neighbors_predict: int = 10,
        ridge: float = 1e-3,
        predictor: str = "residuals",
        known: str = "stored",
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
        self.search = search
        self.tolerance = tolerance
        self.n_neighbors_embed = n_neighbors_embed
        self.n_neighbors_predict = n_neighbors_predict
        self.ridge = ridge
        self.predictor = predictor
        self.known = known
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


#: By the name of the method in a model file; `_linear` adds its own.
_CLASSES: dict[str, type[Alignment]] = {cls._method: cls for cls in (InstanceAlignment, CLE)}


def load(path: str | os.PathLike[str]) -> Alignment:
    """Read a model file written by `save` or by the command line.

    Returns an estimator of the class that was fitted, with its parameters. Given graphs, `n_jobs` and `verbose` are not part
    of a model file: they have their defaults.
    """
    model = _core.load(os.fspath(path))
    cls = _CLASSES.get(model.method)
    if cls is None:
        raise ModelError(f'{path}: a model of method "{model.method}", which this landbridge does not know', "update landbridge")
    known = inspect.signature(cls.__init__).parameters
    params = cls._from_file(json.loads(model.params))
    alignment = cls(**{name: value for name, value in params.items() if name in known})
    alignment._learn(model)
    return alignment
