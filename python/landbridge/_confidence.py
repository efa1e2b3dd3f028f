"""The chance of every match."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from . import _landbridge as _core
from ._errors import ParameterError


@dataclass(frozen=True)
class MatchConfidence:
    """The chance of each match of one dataset with another: the result of `match_confidence`."""

    #: The match of each source row, -1 without one.
    targets: npt.NDArray[np.int64] = field(repr=False)
    #: The chance that it is right; 1 for pairs that were given.
    confidence: npt.NDArray[np.float64] = field(repr=False)
    #: Expected number of right matches.
    expected_right: float
    #: Share of the source rows whose partner was found, and its 95 % interval: (value, low, high).
    shared: tuple[float, float, float]
    #: "decoys", "known_pairs" (decoys, corrected by held-out pairs) or "refused" (the fit is not trusted; all chances are 0).
    basis: str
    #: Why all matches are refused, if they are.
    reason: str | None
    #: How many rows have a partner with a chance of at least 0.9, and the figures above, in words.
    summary: str


def of_model(
    model: _core.Model,
    matches: npt.NDArray[np.int64] | None,
    source: int,
    target: int,
    n_jobs: int,
    verbose: bool,
    min_confidence: float = 0.9,
) -> MatchConfidence:
    """The chance of these matches, or of the best ones by CSLS."""
    given = None if matches is None else matches.tolist()
    targets, confidence, rest = _core.match_confidence(model, given, source, target, min_confidence, n_jobs, verbose)
    found = json.loads(rest)
    refused = found["basis"]["refused"] if isinstance(found["basis"], dict) else None
    basis = "refused" if refused is not None else found["basis"]
    return MatchConfidence(targets, confidence, found["expected_right"], tuple(found["shared"]), basis, refused, found["summary"])


def least(min_confidence: float | None) -> float | None:
    """A chance, checked."""
    if min_confidence is None:
        return None
    if isinstance(min_confidence, bool) or not isinstance(min_confidence, (int, float, np.floating, np.integer)) or not 0 <= min_confidence <= 1:
        raise ParameterError(f"min_confidence is {min_confidence!r}; it must be a number between 0 and 1")
    return float(min_confidence)
