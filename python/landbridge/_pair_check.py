"""Which given pairs look wrong, and which rows to pair next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _data
from . import _landbridge as _core
from ._alignment import Alignment
from ._base import threads, whole
from ._errors import ParameterError


@dataclass(frozen=True)
class PairCheck:
    """The result of `check_pairs`.

    Attributes
    ----------
    misfit : (l,) array, one value per pair in the order given (a table row that joins three datasets is three pairs): the share
        of rows that are nearer than the partner, in a fit without the pair; 0 is perfect, 0.5 is chance
    confidence : (l,) array, the chance that each pair is right and not one at random, in the order given
    threshold : misfit above which a pair is suspect
    suspect : positions of suspect pairs, the worst first
    can_tell : False if held-out pairs do not find each other, so that there is no verdict
    next_rows : list of (dataset, row), unpaired rows far from all rows with a pair that is likely right, the most informative first
    verdict : the same in words
    """

    misfit: npt.NDArray[np.float64]
    confidence: npt.NDArray[np.float64]
    threshold: float
    suspect: npt.NDArray[np.int64]
    can_tell: bool
    next_rows: list[tuple[int, int]]
    verdict: str

    def __str__(self) -> str:
        return self.verdict


def check_pairs(
    datasets: Any,
    pairs: Any,
    *,
    base: Any = None,
    folds: int = 10,
    n_suggestions: int = 5,
    random_state: int = 0,
    n_jobs: int | None = None,
    verbose: bool = False,
) -> PairCheck:
    """Find pairs that look wrong: hold out each pair, fit the others, and count the rows that are nearer than its partner.

    `confidence` compares that count with the counts of decoys: the same rows with partners drawn at random. A wrong partner that is
    nearly the same row has a high chance too. A suspect pair has at most one half; if the pairs as a whole do not find each other, all chances
    are 0.

    Parameters
    ----------
    datasets, pairs : as `fit` takes them
    base : the alignment to fit; None is `ProcrustesAlignment` without embedding if the datasets have the same few columns,
        otherwise `CCA` in principal coordinates
    folds : number of folds that are held out in turn
    n_suggestions : number of rows to suggest for pairing next
    random_state : seed of the folds
    n_jobs : threads; None or -1 is all cores
    verbose : progress on standard error

    >>> import landbridge as lb
    >>> copies = lb.datasets.rotated_copies(100)
    >>> pairs = copies.pairs(40)
    >>> pairs[[3, 20], 1] = pairs[[20, 3], 1]                     # two swapped
    >>> sorted(lb.check_pairs(copies.datasets, pairs).suspect.tolist())
    [3, 20]
    >>> bool(lb.check_pairs(copies.datasets, pairs).confidence[[3, 20]].max() <= 0.5)
    True
    """
    if base is not None and not isinstance(base, Alignment):
        raise ParameterError(f"base is {base!r}; it must be None or an alignment such as LinearAlignment(100)")
    data = _data.datasets(datasets)
    misfit, confidence, threshold, suspect, can_tell, following, verdict = _core.check_pairs(
        None if base is None else (base._method, base._core_params()),
        data,
        _data.pairs(pairs, data),
        whole("folds", folds),
        whole("n_suggestions", n_suggestions),
        whole("random_state", random_state),
        threads(n_jobs),
        bool(verbose),
    )
    return PairCheck(np.array(misfit), np.array(confidence), threshold, np.array(suspect, dtype=np.int64), can_tell, following, verdict)
