"""Scores of an alignment against known truth."""

from __future__ import annotations

from typing import Any


class Evaluation(dict[str, Any]):
    """What `Alignment.evaluate` returns: the figures of ``landbridge evaluate --json``, and a table when printed.

    ``["metric"]`` is the distance that was used; ``["pairs"]`` has an entry for each pair of datasets that the truth covers, with
    `datasets`, `true_pairs`, `given`, `held_out` and `scores`: recall@k in both directions, FOSCTTM and label transfer, each on
    pairs that were not given in fitting (`held_out`), on all of them (`all`) and by `chance`.
    """

    def __str__(self) -> str:
        lines = []
        for pair in self["pairs"]:
            first, second = pair["datasets"]
            lines.append(f"{first} and {second} ({self['metric']}): held out {pair['held_out']}, all {pair['true_pairs']}")
            for score in pair["scores"]:
                way = f" {score['from']} -> {score['to']}" if score.get("from") else ""
                name = f"recall@{score['k']}" if score["score"] == "recall" else score["score"]
                held_out, everything = (_share(score[key]) for key in ("held_out", "all"))
                lines.append(f"  {name + way:<34} {held_out:>8} {everything:>8}   chance {score['chance']:.3f}")
        return "\n".join(lines)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
