"""Two sentence encoders over the same sentences: maps between them from few pairs."""

from __future__ import annotations

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


def bridge(data: Path, quick: bool) -> None:
    """MiniLM to the Universal Sentence Encoder: 4,000 unseen sentences, with pairs known and with the other rows in one store only."""
    X, Y = encoders(data)
    order = np.random.default_rng(0).permutation(len(X))
    test, rest = order[:4000], order[4000:]
    if quick:
        rest = rest[:2000]
    rows: list[list[object]] = []
    for n in (200,) if quick else (50, 200, 500, 2000):
        half = (len(rest) - n) // 2
        own_x, own_y = rest[: n + half], np.r_[rest[:n], rest[n + half :]]
        for where, rows_x, rows_y in (("pairs only", own_x, own_y), ("all", rest, np.r_[rest[:n], np.random.default_rng(1).permutation(rest[n:])])):
            started = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", lb.AlignmentWarning)
                b = lb.bridge(X[rows_x], Y[rows_y], f"{n}-first", curve=not quick)
            seconds = time.perf_counter() - started
            z, w = b.transform(X[test], "old"), b.transform(Y[test], "new")
            found = first(z, w)
            hubs = float((lb.match_rows(z, w, how="csls")[0][:, 0] == np.arange(len(test))).mean())
            mapped = first(b.map(X[test], "old", "new"), Y[test])
            ridge, rotation = plain(X, Y, n, rows_x, rows_y)
            cca = lb.CCA(min(n, 200), prepare="center_unit").fit([X[rows_x], Y[rows_y]], np.column_stack([np.arange(n)] * 2))
            correlation = first(cca.transform(X[test], 0), cca.transform(Y[test], 1))
            rows.append([n, where, ridge, rotation, correlation, found, hubs, mapped, float(b.quality_["recall_at_1"]), str(b.trusted_), f"{seconds:.0f} s"])
            if n == 200:
                expect(f"bridge, {n} pairs, {where}, top-1", found, 0.6, 1.0)
    header = ["pairs", "in both stores", "ridge", "rotation", "CCA", "bridge", "csls", "map", "predicted", "trusted", "time"]
    show("MiniLM to USE; top-1 among 4,000 unseen sentences (predicted: among the rows of the store)", header, rows)
