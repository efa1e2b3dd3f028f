"""How well known pairs find each other by fits that never saw them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import _data
from . import _landbridge as _core
from ._alignment import Alignment
from ._base import threads, whole
from ._errors import ParameterError


@dataclass(frozen=True)
class HeldOut:
    """What `trust` found.

    Attributes
    ----------
    pairs : pairs that were held out in turn
    foscttm : share of rows nearer than the partner, mean of both directions; 0 is perfect, 0.5 is chance
    interval : 95 % of such samples have a mean within these
    recall : share of pairs whose partner is the nearest row, mean of both directions
    trusted : whether the joint space can be trusted for regions and labels: True, False, or None where it cannot be told
    matches_trusted : the same of single matches: whether most rows have their partner as nearest neighbour
    verdict : the same in words
    """

    pairs: int
    foscttm: float
    interval: tuple[float, float]
    recall: float
    trusted: bool | None
    matches_trusted: bool | None
    verdict: str

    def __str__(self) -> str:
        return self.verdict


def trust(
    alignment: Any,
    datasets: Any,
    pairs: Any,
    *,
    folds: int = 5,
    random_state: int = 0,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> HeldOut:
    """Hold out known pairs in turn, fit the others, and see how many rows come nearer than the partner.

    With unrelated datasets, or pairs that are mixed up, half of the rows do, give or take about ``s = sqrt(1 / (12 l))`` for l pairs. From
    4.5 s below that on the alignment is trusted, up to 2.5 s below it is not; between them, and with fewer than ten pairs that share no row, nothing can be told. How well *fitted* pairs find each other says nothing: shuffled ones do so perfectly.

    Parameters
    ----------
    alignment : an alignment such as ``CCA(20)``; it is not changed, fitted or not
    datasets, pairs : as `fit` takes them
    folds : parts that are held out in turn: as many fits
    random_state : seed of the parts
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
        whole("random_state", random_state),
        threads(n_jobs),
        bool(verbose),
    )
    return HeldOut(**found)
