"""Methods that predict the missing side: users of two shops, joints of two bodies (Hou, Nie, Wang, Yi, Zhang 2013)."""

from __future__ import annotations

from typing import ClassVar

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


_VOTES: tuple[type[Alignment], ...] = (CLLE, MeanVotes, PopularVotes)
_CLASSES.update({cls._method: cls for cls in _VOTES})
