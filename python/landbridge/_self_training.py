"""Alignment with few pairs or none."""

from __future__ import annotations

from typing import ClassVar

from ._alignment import Alignment


class SelfTrained(Alignment):
    """A method that is fitted to its own matches. Not used by itself.

    `outcome_` has `reproducibility`, `null`, `trusted`, `verdict`, `suspect_pairs`, `matches` and `history`.
    """

    _has_maps: ClassVar[bool] = True
