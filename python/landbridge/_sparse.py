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
from ._alignment import Alignment, Floats
from ._base import threads
from ._picture import write


class SparseMaps(Alignment):
    """Maps that use few features. Not used by itself."""

    level: Any

    maps_: list[Any]
    features_used_: list[int]
    pruned_: list[float]
    alphas_: list[float]
    betas_: list[float]
    largest_alphas_: list[float]
    gaps_: list[float]
    objectives_: list[float]

    # A parameter, not the class, decides whether there are maps.
    @property
    def _has_maps(self) -> bool:  # type: ignore[override]
        return bool(self.level == "feature")

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


@dataclass(frozen=True)
class SparsePath:
    """The strengths of a path with their features and their recall; the result of `sparse_path`."""

    #: Strengths, as given.
    alphas: Floats
    #: (strengths, datasets) array, the number of features with a non-zero weight.
    features_used: Any
    #: Share of all weights that are not 0.
    density: Floats
    #: Share of held-out rows whose counterpart is the nearest row, averaged over all directions.
    recall: Floats
    #: Number of groups of corresponding rows that were held out.
    held_out: int
    #: The strength with the highest recall; among equals the one with the fewest weights.
    best_alpha: float
    #: Names of the datasets.
    names: tuple[str, ...]

    def plot(self, path: str | os.PathLike[str] | None = None) -> str:
        """Features used against held-out recall, as an SVG picture; written to `path` if given."""
        curves = [
            (name, [float(max(u, 1)) for u in self.features_used[:, a]], [float(r) for r in self.recall])
            for a, name in enumerate(self.names)
        ]
        best = int(np.argmin(np.abs(self.alphas - self.best_alpha)))
        note = f"best alpha {self.best_alpha:.3g}: recall {self.recall[best]:.2f} with {self.density[best]:.1%} of the weights"
        svg = _core.line_chart("Features used and held-out recall", note, ("features used", "held-out recall@1"), curves)
        if path is not None:
            write(path, svg)
        return svg


def sparse_path(
    estimator: SparseMaps,
    datasets: Any,
    pairs: Any,
    *,
    alphas: Sequence[float] | None = None,
    held_out: float = 0.2,
) -> SparsePath:
    """Score each strength of the penalty by held-out pairs.

    The eigenvectors are computed once, and each regression starts from the weights of the previous strength (warm start).

    Parameters
    ----------
    estimator : SparseAlignment
        Everything but `alpha`.
    datasets, pairs
        As for `fit`.
    alphas : strengths, default 12 of them from 0.5 down to 0.002
    held_out : share of the pairs to hold out; rows that a chain of pairs joins stay together

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
