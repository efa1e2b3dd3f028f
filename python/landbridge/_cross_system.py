"""Methods that predict the missing side: users of two shops, joints of two bodies (Hou, Nie, Wang, Yi, Zhang 2013)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from . import _data
from ._alignment import _CLASSES, Alignment, Predicting


class CLLE(Predicting):
    """Correspondence locally linear embedding: corresponding rows coincide, and every row stays the combination of its
    neighbours that it is in its own dataset.

    Minimises ``sum_a |F_a - W_a F_a|^2`` with corresponding rows merged to one node, ``F'F = I``: the `n_components` smallest
    non-zero eigenvectors of ``M = sum_a (I - W_a)'(I - W_a)``.

    Parameters
    ----------
    n_components : int
        Dimension of the joint space.
    n_neighbors : int, default 10
        Neighbours of each row, from 1 to rows - 1.
    metric : "euclidean" or "cosine"
        Distance behind the neighbours.
    ridge : float, default 1e-3
        Of local weights, in units of the trace of the local Gram matrix. For ratings larger values (1) predict better.
    n_neighbors_embed : int, default None
        Neighbours of a new row (k_D); `n_neighbors` when None.
    n_neighbors_predict : int, default 10
        Neighbours in the joint space (k_A) of ``predictor="local"``.
    predictor : "residuals" or "local"
        How values of the other datasets are predicted. "residuals": mean of the column, plus what the row's own offset says,
        plus what is left predicted from rows known on both sides; shrinkage and ridge chosen by leaving one out. "local": the
        paper's combination of the nearest rows in the joint space.
    known : "stored", "rated", "non_zero" or "all"
        Which values are known: of sparse rows the stored ones, of arrays all but NaN; "rated" also leaves out zeros of arrays,
        "non_zero" all zeros; with "all" what sparse rows do not store is 0. Where values are NaN (or ratings were read from a
        file), distances, too, leave out what is unknown: it counts as the mean of its column.
    search, n_jobs, random_state, verbose
        As in `InstanceAlignment`.

    Attributes
    ----------
    embeddings_ : list of (n_a, n_components) arrays
    eigenvalues_ : (n_components,) array, ascending
    outcome_ : Outcome

    >>> import landbridge as lb
    >>> rolls = lb.datasets.swiss_rolls(200)
    >>> a = lb.CLLE(2).fit(rolls.datasets, rolls.pairs(40))
    >>> a.embeddings_[0].shape
    (200, 2)
    >>> a.predict(rolls.datasets[0][:3], source=0, target=1).shape
    (3, 3)
    """

    _method = "clle"

    def __init__(
        self,
        n_components: int,
        *,
        n_neighbors: int = 10,
        metric: str = "euclidean",
        search: str = "auto",
        ridge: float = 1e-3,
        n_neighbors_embed: int | None = None,
        n_neighbors_predict: int = 10,
        predictor: str = "residuals",
        known: str = "stored",
        n_jobs: int | None = None,
        random_state: int = 0,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.search = search
        self.ridge = ridge
        self.n_neighbors_embed = n_neighbors_embed
        self.n_neighbors_predict = n_neighbors_predict
        self.predictor = predictor
        self.known = known
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose


class LAMVU(Predicting):
    """Maximum variance unfolding with local approximation: paired rows are unfolded as far as their distances in all datasets
    allow, the others lie between paired neighbours.

    Geodesics between paired rows over all rows of each dataset, divided by their maximum, are added up; maximum variance
    unfolding of the sums (`landbridge.solve.mvu`) gives the places of paired rows.

    Parameters
    ----------
    n_components : int
        Dimension of the joint space; less than the number of pairs.
    n_neighbors : int, default 10
        Neighbours: of rows, for geodesics, and of paired rows, whose distances unfolding looks at.
    metric : "euclidean" or "cosine"
    constraints : "shrink", "direct" or "printed"
        "shrink": sums of geodesics may shrink; it never fails. "direct": direct distances, squared, divided by their maximum and
        added up, are kept. "printed": sums of geodesics are kept, which usually nothing satisfies (`NumericalError`).
    solver, n_functions : as in `landbridge.solve.mvu`
    distances : list of (n_a, n_a) arrays, default None
        Distances between all rows of each dataset, instead of geodesics; new rows then have no place.
    n_neighbors_embed : int, default None
        Paired neighbours between which other rows lie (k_D); 10, or as many as there are, when None.
    ridge, n_neighbors_predict, predictor, known, search, n_jobs, random_state, verbose
        As in `CLLE`.

    Attributes
    ----------
    embeddings_ : list of (n_a, n_components) arrays
    eigenvalues_ : (n_components,) array, descending: those of K
    outcome_ : Outcome; `residual` is the larger of relative gap and violation

    >>> import landbridge as lb
    >>> rolls = lb.datasets.swiss_rolls(200)
    >>> a = lb.LAMVU(2, n_neighbors=6).fit(rolls.datasets, rolls.pairs(40))
    >>> a.embeddings_[1].shape
    (200, 2)
    """

    _method = "lamvu"

    def __init__(
        self,
        n_components: int,
        *,
        n_neighbors: int = 10,
        metric: str = "euclidean",
        search: str = "auto",
        constraints: str = "shrink",
        solver: str = "auto",
        n_functions: int = 20,
        distances: Any = None,
        ridge: float = 1e-3,
        n_neighbors_embed: int | None = None,
        n_neighbors_predict: int = 10,
        predictor: str = "residuals",
        known: str = "stored",
        n_jobs: int | None = None,
        random_state: int = 0,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.search = search
        self.constraints = constraints
        self.solver = solver
        self.n_functions = n_functions
        self.distances = distances
        self.ridge = ridge
        self.n_neighbors_embed = n_neighbors_embed
        self.n_neighbors_predict = n_neighbors_predict
        self.predictor = predictor
        self.known = known
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _core_params(self) -> dict[str, Any]:
        params = super()._core_params()
        if params["distances"] is not None:
            given = params["distances"]
            given = list(given.values()) if isinstance(given, dict) else list(given)
            numbers = (_data._numeric(f"distances {a}", D) for a, D in enumerate(given))
            params["distances"] = [np.ascontiguousarray(D, dtype=np.float64) for D in numbers]
        return params


class MeanVotes(Predicting):
    """Predicts for every row the mean of the known values that the paired rows have: a baseline that knows nobody.

    Parameters
    ----------
    known : "rated", "stored", "non_zero" or "all"
        Which values are votes: "rated" are the stored values of sparse rows, and of arrays those that are neither NaN nor 0.
    unseen : "zero" or "overall"
        What is predicted for a column without votes: 0, or the mean of all votes.

    Without pairs all rows vote.

    >>> import landbridge as lb
    >>> a = lb.MeanVotes().fit([[[1.0], [2.0]], [[4.0, 0.0], [2.0, 5.0]]], [[0, 0], [1, 1]])
    >>> a.predict([[9.0]], source=0, target=1).tolist()
    [[3.0, 5.0]]
    """

    _method: ClassVar[str] = "mean_votes"

    def __init__(
        self, *, known: str = "rated", unseen: str = "zero", n_jobs: int | None = None, verbose: int = 0
    ) -> None:
        self.known = known
        self.unseen = unseen
        self.n_jobs = n_jobs
        self.verbose = verbose


class PopularVotes(MeanVotes):
    """Predicts for every row the most frequent of the known values that the paired rows have.

    Of equally frequent values the one nearest to their mean counts, of two the higher. Parameters as in `MeanVotes`.
    """

    _method: ClassVar[str] = "popular_votes"


_VOTES: tuple[type[Alignment], ...] = (CLLE, LAMVU, MeanVotes, PopularVotes)
_CLASSES.update({cls._method: cls for cls in _VOTES})
