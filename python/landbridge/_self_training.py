"""Alignment with few pairs or none."""

from __future__ import annotations

from typing import ClassVar

from ._alignment import Alignment


class SelfTrained(Alignment):
    """A method that is fitted to its own matches. Not used by itself.

    `outcome_` has `trusted`, `verdict`, `reproducibility`, `null`, `steadiness`, `shared`, `expected_recall`, `suspect_pairs`, `matches` and
    `history`; from moments also `stable`, `cover` and `soft`; with ten known pairs or more `against_pairs` and `pairs_alone`.
    """

    _has_maps: ClassVar[bool] = True
