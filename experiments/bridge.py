"""Two sentence encoders over the same sentences: maps between them from few pairs."""

from __future__ import annotations

import sys
import time
import warnings
from pathlib import Path

import numpy as np

import landbridge as lb
from common import expect, show


def encoders(data: Path) -> tuple[np.ndarray, np.ndarray]:
    folder = data / "embeddings"
    return tuple(np.load(folder / name).astype(np.float32) for name in ("minilm_10000x384_f16.npy", "use_10000x512_f16.npy"))


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-30)


def first(z: np.ndarray, w: np.ndarray) -> float:
    return float(lb.metrics.recall_at_k(z, w, k=1, metric="cosine"))


def plain(x: np.ndarray, y: np.ndarray, n: int, rows_x: np.ndarray, rows_y: np.ndarray) -> tuple[float, float]:
    """The best of ridge regressions, and the rotation, on centred unit rows; top-1 of the rows that are left out."""
    prepared = []
    for rows, own in ((x, rows_x), (y, rows_y)):
        centred = unit(rows) - unit(rows[own]).mean(axis=0)
        prepared.append(unit(centred))
    a, b = prepared
    pairs, test = rows_x[:n], np.setdiff1d(np.arange(len(x)), np.union1d(rows_x, rows_y))
    products, across = a[pairs].T @ a[pairs], a[pairs].T @ b[pairs]
    mean = np.trace(products) / len(products)
    ridge = max(first(a[test] @ np.linalg.solve(products + r * mean * np.eye(len(products)), across), b[test]) for r in (0.1, 0.3, 1.0))
    u, _, v = np.linalg.svd(across, full_matrices=False)
    return ridge, first(a[test] @ u @ v, b[test])


#: Draws of sentences that no parameter was chosen with.
DRAWS = (12, 13, 14)


def fitted(x: np.ndarray, y: np.ndarray, n: int) -> tuple[lb.Alignment, float]:
    """A bridge from the first n rows, without its learning curve, and the seconds that it took."""
    started = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lb.AlignmentWarning)
        b = lb.bridge(x, y, f"{n}-first" if n else None, curve=False)
    return b, time.perf_counter() - started


def bridge(data: Path, quick: bool) -> None:
    """MiniLM to the Universal Sentence Encoder: 4,000 unseen sentences, with pairs known and with the other rows in one store only."""
    X, Y = encoders(data)
    found: dict[tuple[int, str], list[list[float]]] = {}
    draws = DRAWS[:1] if quick else DRAWS
    for draw in draws:
        order = np.random.default_rng(draw).permutation(len(X))
        test, rest = order[:4000], order[4000:]
        if quick:
            rest = rest[:2000]
        for n, where in ((200, "pairs only"), (200, "all")) if quick else CASES:
            half = (len(rest) - n) // 2
            rows_x, rows_y = rest[: n + half], np.r_[rest[:n], rest[n + half :]]
            if where == "all":
                rows_x, rows_y = rest, np.r_[rest[:n], np.random.default_rng(draw + 1000).permutation(rest[n:])]
            b, seconds = fitted(X[rows_x], Y[rows_y], n)
            z, w = b.transform(X[test], "old"), b.transform(Y[test], "new")
            hubs = float((lb.match_rows(z, w, how="csls")[0][:, 0] == np.arange(len(test))).mean())
            mapped = first(b.map(X[test], "old", "new"), Y[test])
            ridge = rotation = correlation = float("nan")
            if n:
                ridge, rotation = plain(X, Y, n, rows_x, rows_y)
                cca = lb.CCA(min(n, 200), prepare="center_unit").fit([X[rows_x], Y[rows_y]], np.column_stack([np.arange(n)] * 2))
                correlation = first(cca.transform(X[test], 0), cca.transform(Y[test], 1))
            top = first(z, w)
            found.setdefault((n, where), []).append([ridge, rotation, correlation, top, hubs, mapped, seconds])
            print(f"draw {draw}, {n} pairs, {where}: {top:.3f}, csls {hubs:.3f}, {seconds:.0f} s", file=sys.stderr, flush=True)
            if n == 200:
                expect(f"bridge, {n} pairs, {where}, top-1", top, 0.6, 1.0)
    rows = [[n, where, *np.mean(of, axis=0), min(o[3] for o in of)] for (n, where), of in found.items()]
    header = ["pairs", "in both stores", "ridge", "rotation", "CCA", "bridge", "csls", "map", "seconds", "least bridge"]
    show(f"MiniLM to USE; top-1 among 4,000 unseen sentences, mean of {len(draws)} draws", header, rows)


#: Known pairs, and which sentences both stores hold.
CASES = (
    (500, "pairs only"),
    (2000, "pairs only"),
    (200, "pairs only"),
    (0, "all"),
    (200, "all"),
    (2000, "all"),
    (50, "pairs only"),
)


def bridge_prediction(data: Path, quick: bool) -> None:
    """Recall at 10 that a bridge predicts from held-out pairs, and that of new old vectors whose new vectors are in the store."""
    X, Y = encoders(data)
    apart = []
    for draw in range(100, 102 if quick else 120):
        order = np.random.default_rng(draw).permutation(len(X))
        pairs, new, old, test = order[:400], order[400:1900], order[1900:3400], order[3400:5400]
        b, _ = fitted(X[np.r_[pairs, old]], Y[np.r_[pairs, new, test]], len(pairs))
        truth = len(pairs) + len(new) + np.arange(len(test))
        hits = b.match(X[test], source="old", target="new", k=10)[0]
        truly = float((hits == truth[:, None]).any(axis=1).mean())
        apart.append([truly, float(b.quality_["recall_at_10"]), b.quality_["recall_at_10"].low <= truly <= b.quality_["recall_at_10"].high])
        print(f"draw {draw}: {truly:.3f}, predicted {b.quality_['recall_at_10']!r}", file=sys.stderr, flush=True)
    found = np.array(apart, dtype=float)
    off = np.abs(found[:, 0] - found[:, 1])
    header = ["draws", "true", "predicted", "mean of the differences", "mean size", "largest", "within the interval"]
    row = [len(found), *found.mean(axis=0)[:2], float((found[:, 1] - found[:, 0]).mean()), off.mean(), off.max(), found[:, 2].mean()]
    show("Recall at 10 from 400 held-out pairs, and of 2,000 unseen sentences", header, [row])
