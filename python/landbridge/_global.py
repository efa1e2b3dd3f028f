"""Alignment that keeps distances, not only neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _landbridge as _core
from ._alignment import _CLASSES, Alignment, Floats, _listed
from ._errors import DataError, ParameterError
from ._linear import _Linear


class GlobalAlignment(_Linear):
    """Global geometry: a joint space in which distances are those of the data, within each dataset and across.

    Distances within a dataset are measured along its neighbour graph (or as `distance` says); those of every other dataset
    are multiplied by a scale so that distances between paired rows fit those of the first; across datasets the way leads
    through the best pair. ``tau(D) = -H D**2 H / 2`` turns distances D into inner products. At feature level the maps are
    the `n_components` largest solutions of ``Z' tau(D) Z g = lambda (Z'Z + R) g``, Z the block diagonal of the prepared
    datasets; at instance level the places are the largest of ``tau(D)`` itself.

    Parameters
    ----------
    n_components : int
        Dimension of the joint space.
    level : "feature" or "instance"
        One linear map per dataset, or a place for each row. New rows: by the map, or by their distances to landmarks.
    distance : "geodesic", "euclidean", "cosine" or "precomputed"
        Distances within a dataset. Geodesic ones help where the data are a curved sheet of few dimensions, and hurt where
        they are not: on documents straight ones find four times as many translations (see docs/global.md).
    distances : list of (n_a, n_a) arrays, default None
        Given distances, with ``distance="precomputed"``: symmetric, finite, not negative, zero on the diagonal.
    n_neighbors, metric, search
        Neighbour graph of geodesic distances, as in `InstanceAlignment`. A graph in several parts is joined by its shortest
        missing edges, with a warning.
    ridge : float, default 0.0
        R, in units of the mean diagonal of each dataset's ``Z'Z``; 0.0 solves on the range of ``Z'Z``. Feature level only.
    landmarks : int, default None
        Distances to that many rows only, a random share of each dataset: memory for N x m numbers instead of N x N. Equal to
        the exact method when it is the number of all rows.
    weight_components : bool, default None
        Coordinates times ``sqrt(lambda)``, so that distances in the joint space are those of the data; False: sphered
        coordinates, as in the paper. None: True at instance level and for geodesic distances, where it raises top-1 on
        documents from .18 to .44 (Euclidean) or .36 to .54 (cosine); False for maps of straight or given distances, where
        it lowers top-1 on documents from .88 to .54.
    psd : bool, default False
        Leave out the negative eigenvalues of ``tau(D)``; takes all eigenvectors of an N x N (with `landmarks` m x m) matrix.
        At instance level it changes nothing: the largest stay the largest.
    prepare : as in `LinearAlignment`
        Distances are those of the rows as scaled by it.
    n_jobs, random_state, verbose
        As in `InstanceAlignment`.

    Attributes
    ----------
    embeddings_ : list of (n_a, n_components) arrays, the fitted rows in the joint space
    eigenvalues_ : (n_components,) array, descending
    maps_ : list of (p_a, n_components) arrays; empty at instance level
    component_weights_ : (n_components,) array ``sqrt(eigenvalues_)``, or None
    scales_ : (c,) array, what the distances of each dataset were multiplied by
    outcome_ : Outcome, with `scales`, `negative_share` and at feature level `rank`, `ridge`

    Notes
    -----
    The paper's setting is ``GlobalAlignment(d, weight_components=False)``. Every dataset must share pairs with the first.

    Examples
    --------
    >>> import landbridge as lb
    >>> rolls = lb.datasets.swiss_rolls(1000)
    >>> a = lb.GlobalAlignment(2, level="instance").fit(rolls.datasets, rolls.pairs(100))
    >>> bool(lb.metrics.recall_at_k(*a.embeddings_, k=10) > 0.9)
    True
    >>> a.transform(rolls.datasets[1][:5], dataset=1).shape
    (5, 2)
    """

    _method = "global"

    #: What the distances of each dataset were multiplied by.
    scales_: Floats

    def __init__(
        self,
        n_components: int,
        *,
        level: str = "feature",
        distance: str = "geodesic",
        distances: Any = None,
        n_neighbors: int = 10,
        metric: str = "euclidean",
        ridge: float = 0.0,
        landmarks: int | None = None,
        weight_components: bool | None = None,
        psd: bool = False,
        prepare: str | None = "center",
        search: str = "auto",
        n_jobs: int | None = None,
        random_state: int = 0,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.level = level
        self.distance = distance
        self.distances = distances
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.ridge = ridge
        self.landmarks = landmarks
        self.weight_components = weight_components
        self.psd = psd
        self.prepare = prepare
        self.search = search
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

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

    def _core_params(self) -> dict[str, Any]:
        params = super()._core_params()
        if self.distances is not None:
            params["distances"] = [_distances(a, D) for a, D in enumerate(_given(self.distances))]
        return params


def _given(distances: Any) -> list[Any]:
    try:
        return _listed(distances)
    except ParameterError:
        message = f"distances is a {type(distances).__name__}; it must be a list of one matrix per dataset"
        raise ParameterError(message) from None


def _distances(position: int, D: Any) -> Floats:
    array = np.asarray(D)
    if array.ndim != 2 or array.dtype.kind not in "fiu":
        raise DataError(f"distances {position} are {array.dtype} {array.shape}; they must be a matrix of numbers")
    return np.asarray(array, dtype=np.float64)


_CLASSES[GlobalAlignment._method] = GlobalAlignment
