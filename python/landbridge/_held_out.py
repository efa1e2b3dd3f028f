"""How well held-out pairs find each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import _data
from . import _landbridge as _core
from ._alignment import Alignment
from ._base import threads, whole
from ._choose import _groups
from ._errors import ParameterError


@dataclass(frozen=True)
class HeldOut:
    """The result of `trust`.

    Attributes
    ----------
    pairs : number of pairs that were held out in turn
    foscttm : share of rows nearer than the partner, averaged over both directions; 0 is perfect, 0.5 is chance
    interval : 95 % confidence interval of `foscttm`
    recall : share of pairs whose partner is the nearest row, averaged over both directions
    trusted : whether the joint space can be trusted for regions and labels: True, False, or None if there is no verdict
    matches_trusted : the same for single matches: whether the nearest neighbour of most rows is their partner
    verdict : the same in words
    groups : groups of pairs that were held out together, if rows came in groups or are near-copies of each other
    """

    pairs: int
    foscttm: float
    interval: tuple[float, float]
    recall: float
    trusted: bool | None
    matches_trusted: bool | None
    verdict: str
    groups: int | None = None

    def __str__(self) -> str:
        return self.verdict


def trust(
    alignment: Any,
    datasets: Any,
    pairs: Any,
    *,
    folds: int = 5,
    groups: Any = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> HeldOut:
    """Hold out known pairs in turn, fit the others, and count the rows that are nearer than the true partner.

    With unrelated datasets or shuffled pairs, the share of nearer rows is 0.5 on average, with a standard deviation of about
    ``s = sqrt(1 / (12 l))`` for l pairs. More than 4.5 s below 0.5, and at most at 0.4, the alignment is trusted; less than 2.5 s
    below, it is not. Between the two, and with fewer than ten pairs that share no row, there is no verdict. Fitted pairs are not evidence: even
    shuffled ones find each other perfectly.

    Parameters
    ----------
    alignment : an alignment such as ``CCA(20)``; it is not changed, fitted or not
    datasets, pairs : as `fit` takes them
    folds : number of folds, with one fit each
    groups : labels of the rows of each dataset; rows with equal labels are held out together. None holds out near-copies together: with a
        replicate of itself in the fit, even a wrong pair finds its partner
    random_state : seed of the folds
    n_jobs : threads; None or -1 is all cores
    verbose : progress on standard error

    >>> import landbridge as lb, numpy as np
    >>> copies = lb.datasets.lifted_copies(200)
    >>> pairs = copies.pairs(40)
    >>> lb.trust(lb.CCA(4), copies.datasets, pairs).trusted
    True
    >>> pairs[:, 1] = np.random.default_rng(0).permutation(pairs[:, 1])
    >>> print(lb.trust(lb.CCA(4), copies.datasets, pairs).verdict[:12])
    do not trust
    """
    if not isinstance(alignment, Alignment):
        raise ParameterError(f"alignment is {alignment!r}; it must be one such as CCA(20)")
    data = _data.datasets(alignment._seen(datasets))
    found = _core.trust(
        (alignment._method, alignment._core_params()),
        data,
        _data.pairs([] if pairs is None else pairs, data),
        whole("folds", folds),
        _groups(groups, data),
        whole("random_state", random_state),
        threads(n_jobs),
        bool(verbose),
    )
    return HeldOut(**found)
