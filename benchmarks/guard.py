"""Has a row become slower than its peer was told to be? The ratios at quick sizes, stored beside this file, and how runs are held
against them. Nothing here measures.

A ratio is the peer's time over ours. Both run in the same minute on the same machine, so that most of what makes a machine slow
cancels out. What does not is noise, which is why a row is only lost when two runs out of three say so.
"""

from __future__ import annotations

import json
import statistics
from pathlib import Path

STORE = Path(__file__).resolve().parent / "quick.json"
# A run has lost where its ratio fell by more than this share of the stored one.
SHARE = 0.15
RUNS = 3
# Seconds: where both sides take less, the clock and the first touch of memory decide.
SHORTEST = 0.005

Key = tuple[str, str]


def load(path: Path = STORE) -> dict[Key, float]:
    """The stored ratios by (row, peer)."""
    if not path.exists():
        return {}
    return {(line["row"], line["peer"]): line["ratio"] for line in json.loads(path.read_text())["ratios"]}


def text(ratios: dict[Key, float], row_order: list[str], machine: dict) -> str:
    """What is stored; peers that a row no longer has are left out by the caller."""
    known = [(row, peer) for row, peer in ratios if row in row_order]
    known.sort(key=lambda key: (row_order.index(key[0]), key[1]))
    lines = [{"row": row, "peer": peer, "ratio": float(f"{ratios[row, peer]:.3g}")} for row, peer in known]
    return json.dumps({"machine": machine, "ratios": lines}, indent=1) + "\n"


def comparable(line: dict) -> float | None:
    """The ratio of a line of the table, where it means something: both sides finished, and one of them took a while."""
    mine, theirs = line["our_side"], line["peer_side"]
    if not mine or not theirs or "wall" not in mine or "wall" not in theirs:
        return None
    if max(mine["wall"], theirs["wall"]) < SHORTEST:
        return None
    return theirs["wall"] / mine["wall"]


def middle(runs: list[list[dict]]) -> dict[Key, float]:
    """The middle ratio of some runs of a row, peer by peer."""
    found: dict[Key, list[float]] = {}
    for line in (line for run in runs for line in run):
        ratio = comparable(line)
        if ratio is not None:
            found.setdefault((line["row"], line["peer"]), []).append(ratio)
    return {key: statistics.median(ratios) for key, ratios in found.items()}


def has_lost(stored: float, found: float) -> bool:
    return found < (1 - SHARE) * stored


def decided(stored: float, found: list[float]) -> bool | None:
    """Whether the row is lost: as soon as two runs say the same. None: one more run is needed."""
    lost = sum(has_lost(stored, ratio) for ratio in found)
    if 2 * lost > RUNS:
        return True
    if 2 * (len(found) - lost) > RUNS:
        return False
    return None


class Comparison:
    """The runs of one row, peer by peer, against what is stored."""

    def __init__(self, row: str, stored: dict[Key, float]):
        self.stored = {peer: ratio for (name, peer), ratio in stored.items() if name == row}
        self.found: dict[str, list[float]] = {peer: [] for peer in self.stored}
        self.wrong: set[str] = set()

    def add(self, lines: list[dict]) -> None:
        """One run. A peer that failed, or was too slow to be waited for, says nothing; ours that failed is lost."""
        for line in lines:
            if line["our_side"] and "failed" in line["our_side"]:
                self.wrong.add(line["our_side"]["failed"])
            ratio = comparable(line)
            if ratio is not None and line["peer"] in self.found:
                self.found[line["peer"]].append(ratio)

    def open(self) -> bool:
        """Whether another run could change the verdict."""
        return not self.wrong and any(decided(self.stored[p], found) is None for p, found in self.found.items() if found)

    def sentences(self) -> list[str]:
        """What is lost, a sentence each."""
        lost = [f"ours failed: {why}" for why in sorted(self.wrong)]
        for peer, found in self.found.items():
            if found and decided(self.stored[peer], found):
                runs = ", ".join(f"{ratio:.2f}" for ratio in found)
                lost.append(f"against {peer} the ratio was {self.stored[peer]:.2f} and is {runs}")
        return lost
