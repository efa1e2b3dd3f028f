"""The outcome of a fit."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from typing import Any, NamedTuple


class Estimate(NamedTuple):
    """An estimate and an interval around it: sampling and a margin, whose coverage has not been established."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Outcome:
    """How the fit went and how far to trust the numbers."""

    #: "converged", or "reduced_accuracy" if `residual` did not reach `tolerance`.
    status: str
    #: The solver chosen, with the reason.
    solver: str
    #: Largest relative residual of the solutions.
    residual: float
    #: Requested residual.
    tolerance: float
    #: Iterations of the solver.
    iterations: int
    #: Zero solutions skipped.
    zero_solutions: int
    #: Connected components of the joint graph.
    components: int
    #: The weight of a pair of weight 1 in the joint graph; None if corresponding rows were merged.
    mu_effective: float | None
    #: Numerical rank of the constraint, if a method without ridge computed it.
    rank: int | None = None
    #: The absolute ridge of each dataset, if the method has one.
    ridge: list[float] | None = None
    #: Factor (eta) of the distances of each dataset, if the method rescales them.
    scales: list[float] | None = None
    #: Share of negative eigenvalues in the sum of all absolute ones, if distances were turned into inner products: 0 for
    #: distances between points of a Euclidean space. An estimate for many rows.
    negative_share: float | None = None
    #: Self-training: share of held-out matches that are found again; close to the share of right matches.
    reproducibility: float | None = None
    #: The same for copies with shuffled columns: the null.
    null: float | None = None
    #: Whether it is the same matches that are found again, whichever half is held out: 1 if each is found always or never. None if nearly all
    #: are found again, or too few to matter.
    steadiness: float | None = None
    #: Whether to trust the matches; None if the method does not find any by itself.
    trusted: bool | None = None
    #: Whether the data contradict the given pairs, which were then not used.
    pairs_wrong: bool | None = None
    #: Given pairs that look wrong, by their position.
    suspect_pairs: list[int] | None = None
    #: Matches used in the final fit.
    matches: int | None = None
    #: Agreement of the maps from moments of all rows and of two disjoint halves: mean cosine of the mapped rows.
    #: None if that start was not tried.
    stable: float | None = None
    #: How well that map brings the datasets onto each other: 0 as random signs of the axes do, 1 as two halves of one dataset.
    cover: float | None = None
    #: Whether the best match corrected for hubs ("csls") is right more often than the nearest row, by matches that were held out.
    #: `match` and `matches` then use it unless told otherwise.
    csls: bool | None = None
    #: Whether the final fit used soft matches: many for a row, weighted, none of them certain.
    soft: bool | None = None
    #: Share of rows that have a partner in the other dataset: value, low, high.
    shared: Estimate | None = None
    #: Expected share of new rows whose partner is the nearest row: value, low, high.
    expected_recall: Estimate | None = None
    #: Held-out known pairs: how many, and the share of rows nearer than the partner by the known pairs alone and with the
    #: matches. None with fewer than ten known pairs.
    against_pairs: tuple[int, float, float] | None = None
    #: Whether the final fit used the known pairs alone, because these did better on held-out pairs.
    pairs_alone: bool | None = None
    #: Linked columns that do not correlate over the matches: column of the first and of the second dataset.
    suspect_links: list[tuple[int, int]] | None = None
    #: The verdict in words.
    verdict: str | None = None
    #: One dict per run: start, first_dimension, power, drop, reproducibility, steadiness, matches.
    history: list[dict[str, Any]] | None = None
    #: How well held-out pairs find each other, after `fit --trust`: pairs, foscttm, interval, recall, trusted, verdict.
    held_out: dict[str, Any] | None = None
    #: How `align` chose the method: the table of candidates, the reasons, the verdict.
    selection: dict[str, Any] | None = None
    #: What a bridge between two vector stores is worth, see `bridge`.
    bridge: dict[str, Any] | None = None
    #: One dict per dataset with batches: dataset, batches, rows of each, and the mean share of rows of other batches among the k nearest,
    #: before (principal coordinates), after (joint space) and expected of perfect mixing.
    batches: list[dict[str, Any]] | None = None
    #: Seconds per stage; empty for a loaded model (the same fit gives the same bytes).
    seconds: dict[str, float] = field(default_factory=dict)
    #: Warnings about the data, in words.
    warnings: tuple[str, ...] = ()

    @classmethod
    def _from_core(cls, values: dict[str, Any]) -> Outcome:
        estimates = {name: Estimate(*values[name]) for name in ("shared", "expected_recall") if values.get(name) is not None}
        return cls(**{**values, **estimates, "warnings": tuple(values["warnings"])})

    def _lines(self) -> list[tuple[str, str]]:
        lines = [
            ("status", self.status),
            ("solver", self.solver),
            ("residual", f"{self.residual:.1e} (asked {self.tolerance:.1e})"),
            ("iterations", str(self.iterations)),
            ("zero solutions", str(self.zero_solutions)),
            ("components", str(self.components)),
        ]
        if self.mu_effective is not None:
            lines.append(("weight of a pair", f"{self.mu_effective:.4g}"))
        if self.rank is not None:
            lines.append(("rank", str(self.rank)))
        if self.ridge is not None:
            lines.append(("ridge", ", ".join(f"{r:.4g}" for r in self.ridge)))
        if self.scales is not None:
            lines.append(("rescaling", ", ".join(f"{s:.4g}" for s in self.scales)))
        if self.negative_share is not None:
            lines.append(("negative share", f"{self.negative_share:.3f}"))
        for found in self.batches or []:
            shares = f"{found['before']:.3f} before, {found['after']:.3f} after, {found['expected']:.3f} if mixed"
            lines.append(("batches mix", f"{found['dataset']}: {shares}"))
        if self.held_out is not None:
            lines.append(("held out", self.held_out["verdict"]))
        if self.verdict is not None:
            lines += [("matches", str(self.matches)), ("verdict", self.verdict)]
            if self.suspect_links:
                lines.append(("suspect links", ", ".join(map(str, self.suspect_links[:10]))))
            if self.suspect_pairs:
                lines.append(("suspect pairs", ", ".join(map(str, self.suspect_pairs[:10]))))
        if self.seconds:
            lines.append(("seconds", ", ".join(f"{stage} {s:.3f}" for stage, s in self.seconds.items())))
        return lines + [("warning", text) for text in self.warnings]

    def __repr__(self) -> str:
        return "Outcome\n" + "\n".join(f"  {name:<17}{value}" for name, value in self._lines())

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{html.escape(n)}</th><td>{html.escape(v)}</td></tr>" for n, v in self._lines())
        return f"<table><caption>Outcome</caption>{rows}</table>"
