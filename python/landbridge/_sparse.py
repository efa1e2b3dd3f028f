"""Sparse maps: few features of each dataset carry the joint space."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from . import _data
from . import _landbridge as _core
from ._alignment import _CLASSES, Alignment, Floats
from ._base import threads
from ._errors import ParameterError


class SparseAlignment(Alignment):
    """Sparse manifold alignment: maps that use few features and can be read by a person.

    The `n_components` smallest non-zero eigenvectors of the joint Laplacian are the targets; for each dataset the map W
    minimises ``|Y - X W|^2 + penalty(W)``, Y the dataset's rows of the eigenvectors, X its prepared rows.

    Parameters
    ----------
    n_components : int
        Dimension of the joint space.
    penalty : "lasso", "elastic_net", "group", "fused" or "none"
        ``alpha |W|_1``; the same and a ridge; ``alpha sum_g sqrt(|g|) |W_g|`` over groups of features and all components, so
        that a group is in or out as a whole; ``alpha |W|_1 + beta sum_k |w_k - w_(k-1)|`` in the order of the features; a
        ridge alone.
    alpha : float, default 0.02
        Strength, as a share of the smallest that leaves no weight in the dataset: one number works across datasets.
    beta : float, default None
        Second strength. "fused": of the differences, in the units of `alpha`; None is a tenth of `alpha`. "elastic_net" and
        "none": of the ridge, in units of the mean diagonal of ``X'X``; None is 0.1.
    relative : bool, default True
        False: `alpha` and `beta` as they stand in the objective (None is then a tenth of `alpha`, or no ridge).
    groups : list with one entry per dataset, default None
        For "group": lists of column numbers that cover all columns, or one label per column. None: every column by itself.
    order : list with one permutation of the columns per dataset, default None
        For "fused". None: as they are.
    level : "feature" or "instance"
        Maps of features, or places of the rows themselves (X is the identity; groups and order are those of rows).
    refit : float, default None
        Fit the weights that the penalty has chosen anew, with this ridge in units of the mean diagonal of ``X'X``: fewer features
        find as much, because those that stay are no longer held down. Not in the paper.
    n_neighbors, metric, weights, heat_width, graphs, mu, nu, balance, normalized, search
        As in `InstanceAlignment`. Neighbours are searched among the rows as scaled by `prepare`.
    prepare : None, "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf" or "standardize"
        What is done to rows first; learnt by fit, kept in the model, done to new rows.
    tolerance : float, default 1e-8
        Relative duality gap that ends each regression.
    n_jobs, random_state, verbose
        As in `InstanceAlignment`.

    Attributes
    ----------
    embeddings_ : list of (n_a, n_components) arrays, the fitted rows in the joint space
    maps_ : list of (p_a, n_components) sparse arrays
    features_used_ : list of int, features of each dataset with any weight
    pruned_ : list of float, the share of features without
    alphas_, betas_ : lists of float, the strengths used, as they stand in the objective
    largest_alphas_ : list of float, the smallest strength without any weight (of the lasso for "fused")
    gaps_, objectives_ : lists of float, the largest relative duality gap, the least value found
    eigenvalues_ : (n_components,) array, ascending
    outcome_ : Outcome

    Notes
    -----
    The paper's setting is ``SparseAlignment(d, mu=1, balance=False, normalized=False, relative=False, alpha=0.1)``.

    Examples
    --------
    >>> import landbridge as lb
    >>> documents = lb.datasets.bilingual_documents(300)
    >>> a = lb.SparseAlignment(20, prepare="unit_center").fit(documents.datasets, documents.pairs(150))
    >>> a.features_used_[0] < documents.datasets[0].shape[1]
    True
    >>> max(a.gaps_) <= 1e-8
    True
    >>> a.transform(documents.datasets[1][:2], dataset=1).shape
    (2, 20)
    """

    _method = "sparse"

    maps_: list[Any]
    features_used_: list[int]
    pruned_: list[float]
    alphas_: list[float]
    betas_: list[float]
    largest_alphas_: list[float]
    gaps_: list[float]
    objectives_: list[float]

    def __init__(
        self,
        n_components: int,
        *,
        penalty: str = "lasso",
        alpha: float = 0.02,
        beta: float | None = None,
        relative: bool = True,
        groups: Any = None,
        order: Any = None,
        level: str = "feature",
        refit: float | None = None,
        n_neighbors: int = 10,
        metric: str = "euclidean",
        weights: str = "heat",
        heat_width: float | None = None,
        graphs: Any = None,
        mu: float = 1.0,
        nu: float = 1.0,
        balance: bool = True,
        normalized: bool = True,
        prepare: str | None = "center",
        search: str = "auto",
        tolerance: float = 1e-8,
        n_jobs: int | None = None,
        random_state: int = 0,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.penalty = penalty
        self.alpha = alpha
        self.beta = beta
        self.relative = relative
        self.groups = groups
        self.order = order
        self.level = level
        self.refit = refit
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.heat_width = heat_width
        self.graphs = graphs
        self.mu = mu
        self.nu = nu
        self.balance = balance
        self.normalized = normalized
        self.prepare = prepare
        self.search = search
        self.tolerance = tolerance
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    # Whether there are maps depends on a parameter, not on the class.
    @property
    def _has_maps(self) -> bool:  # type: ignore[override]
        return self.level == "feature"

    def _learn(self, model: _core.Model) -> None:
        super()._learn(model)
        for name, values in (model.sparse_fit() or {}).items():
            setattr(self, f"{name}_", values)
        if not self._has_maps:
            return
        shapes = [(p, len(self.eigenvalues_)) for p in self.n_features_in_]
        parts = [model.sparse_map(a) for a in range(len(self.names_))]
        self.maps_ = [sparse.csr_array((v, j, i), shape=shape) for (i, j, v), shape in zip(parts, shapes)]
        self.features_used_ = [int(np.count_nonzero(np.diff(m.indptr))) for m in self.maps_]
        self.pruned_ = [1 - used / p for used, p in zip(self.features_used_, self.n_features_in_)]

    def _core_params(self) -> dict[str, Any]:
        params = super()._core_params()
        if self.groups is not None:
            params["groups"] = [column_groups(g) for g in _per_dataset("groups", self.groups)]
        if self.order is not None:
            params["order"] = [column_numbers("order", o) for o in _per_dataset("order", self.order)]
        return params

    @staticmethod
    def _from_file(params: dict[str, Any]) -> dict[str, Any]:
        if params.get("prepare") == "none":
            params["prepare"] = None
        return params


def _per_dataset(name: str, given: Any) -> list[Any]:
    if isinstance(given, dict):
        return list(given.values())
    if isinstance(given, (list, tuple)):
        return list(given)
    raise ParameterError(f"{name} is a {type(given).__name__}; it must be a list with one entry per dataset")


def column_numbers(name: str, given: Any) -> list[int]:
    numbers = np.asarray(given)
    if numbers.ndim != 1 or numbers.dtype.kind not in "iu" or (numbers.size and numbers.min() < 0):
        raise ParameterError(f"{name} has an entry that is no list of column numbers; it must hold whole numbers from 0")
    return [int(n) for n in numbers]


def column_groups(given: Any) -> list[list[int]]:
    """Lists of column numbers as they are; one label per column as lists, in the order of first appearance."""
    items = list(given)
    if items and all(isinstance(i, (list, tuple, np.ndarray, range)) for i in items):
        return [column_numbers("groups", i) for i in items]
    groups: dict[Any, list[int]] = {}
    for column, label in enumerate(items):
        groups.setdefault(label, []).append(column)
    return list(groups.values())


@dataclass(frozen=True)
class SparsePath:
    """Strengths, what they keep and what they find; made by `sparse_path`."""

    #: Strengths, as given.
    alphas: Floats
    #: (strengths, datasets) features with any weight.
    features_used: Any
    #: Share of all weights that are not 0.
    density: Floats
    #: Share of held-out rows that find their counterpart at the first place, mean of all directions.
    recall: Floats
    #: Groups of corresponding rows that were held out.
    held_out: int
    #: The strength that finds most; among equals the one with the fewest weights.
    best_alpha: float
    #: Names of the datasets.
    names: tuple[str, ...]

    def plot(self, path: str | os.PathLike[str] | None = None) -> str:
        """Features used against held-out recall, as an SVG picture; written to `path` where one is given."""
        curves = [
            (name, [float(max(u, 1)) for u in self.features_used[:, a]], [float(r) for r in self.recall])
            for a, name in enumerate(self.names)
        ]
        best = int(np.argmin(np.abs(self.alphas - self.best_alpha)))
        note = f"best alpha {self.best_alpha:.3g}: recall {self.recall[best]:.2f} with {self.density[best]:.1%} of the weights"
        svg = _core.line_chart("Features used and what they find", note, ("features used", "held-out recall@1"), curves)
        if path is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(svg)
        return svg


def sparse_path(
    estimator: SparseAlignment,
    datasets: Any,
    pairs: Any,
    *,
    alphas: Sequence[float] | None = None,
    held_out: float = 0.2,
) -> SparsePath:
    """How strong should the penalty be? Each strength is judged by pairs that are held out.

    Eigenvectors are found once, and each regression starts from the weights of the strength before.

    Parameters
    ----------
    estimator : SparseAlignment
        Everything but `alpha`.
    datasets, pairs
        As for `fit`.
    alphas : strengths, default 12 of them from 0.5 down to 0.002
    held_out : share of the pairs to judge by; rows that any chain of pairs joins stay together

    Examples
    --------
    >>> import landbridge as lb
    >>> documents = lb.datasets.bilingual_documents(200)
    >>> sparse = lb.SparseAlignment(10, prepare="unit_center")
    >>> path = lb.sparse_path(sparse, documents.datasets, documents.pairs(100), alphas=[0.05, 0.02, 0.01])
    >>> path.features_used.shape
    (3, 2)
    >>> best = sparse.set_params(alpha=path.best_alpha).fit(documents.datasets, documents.pairs(100))
    """
    data = _data.datasets(datasets)
    names = tuple(d.name for d in data)
    strengths = [float(a) for a in (np.geomspace(0.5, 0.002, 12) if alphas is None else alphas)]
    points, count = _core.held_out_path(
        estimator._core_params(),
        data,
        _data.pairs(pairs, data),
        strengths,
        float(held_out),
        threads(estimator.n_jobs),
        estimator._is_verbose(),
    )
    used = np.array([p[1] for p in points])
    density, recall = np.array([p[2] for p in points]), np.array([p[3] for p in points])
    best = min(range(len(points)), key=lambda i: (-recall[i], density[i]))
    return SparsePath(np.array(strengths), used, density, recall, count, strengths[best], names)


_CLASSES[SparseAlignment._method] = SparseAlignment
