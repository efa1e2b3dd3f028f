"""Seconds and memory that `lb.plan` predicts, beside what fits take: every method at three sizes.

    python benchmarks/plans.py [METHOD ...]

Memory is compared by a test (crates/landbridge/tests/plan.rs). Time is not tested, because a busy machine would fail it: run this on a quiet one.
"""

from __future__ import annotations

import sys
import time
import warnings

import numpy as np

import landbridge as lb

#: Rows, columns, components, pairs.
SIZES = ((800, 60, 12, 150), (2000, 240, 25, 500), (4000, 100, 20, 500))
#: Fits that take minutes at the larger sizes.
SMALL_ONLY = {"LAMVU", "MultiscaleAlignment"}


def methods(d: int) -> dict[str, lb.Alignment]:
    return {
        "CCA": lb.CCA(d),
        "LinearAlignment": lb.LinearAlignment(d),
        "InstanceAlignment": lb.InstanceAlignment(d),
        "GlobalAlignment": lb.GlobalAlignment(d),
        "GlobalAlignment, instance": lb.GlobalAlignment(d, level="instance"),
        "SparseAlignment": lb.SparseAlignment(d),
        "MultiscaleAlignment": lb.MultiscaleAlignment(),
        "ProcrustesAlignment": lb.ProcrustesAlignment(d, embedding="pca"),
        "AffineAlignment": lb.AffineAlignment(d, embedding="laplacian"),
        "SelfTraining": lb.SelfTraining(),
        "CLE": lb.CLE(d),
        "CLLE": lb.CLLE(d),
        "LAMVU": lb.LAMVU(d),
        "LinearTransform": lb.LinearTransform(),
        "PairSimilarity": lb.PairSimilarity(),
        "MeanVotes": lb.MeanVotes(),
        "PopularVotes": lb.PopularVotes(),
    }


def data(n: int, p: int) -> list[np.ndarray]:
    rng = np.random.default_rng(3)
    hidden = rng.random((n, 8)) - 0.5
    return [hidden @ (rng.random((8, q)) - 0.5) + 0.1 * (rng.random((n, q)) - 0.5) for q in (p, p + p // 3)]


def main() -> int:
    warnings.simplefilter("ignore")
    asked = sys.argv[1:]
    print(f"{'method':28} {'rows':>6} {'columns':>8} {'planned s':>10} {'took s':>8} {'ratio':>6}")
    within = total = 0
    for at, (n, p, d, l) in enumerate(SIZES):
        sets, pairs = data(n, p), np.column_stack([np.arange(l)] * 2)
        for name, method in methods(d).items():
            if (asked and name not in asked) or (at > 0 and name in SMALL_ONLY):
                continue
            planned = lb.plan(method, sets, pairs).seconds
            started = time.perf_counter()
            try:
                method.fit(sets, pairs)
            except lb.LandbridgeError as error:
                print(f"{name:28} {n:6} {p:8} {error}")
                continue
            took = time.perf_counter() - started
            # Tens of milliseconds are noise, and nobody plans for them.
            ratio = (planned + 0.05) / (took + 0.05)
            total, within = total + 1, within + (1 / 3 <= ratio <= 3)
            print(f"{name:28} {n:6} {p:8} {planned:10.3f} {took:8.3f} {ratio:6.2f}", flush=True)
    print(f"{within} of {total} within a factor of 3")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
