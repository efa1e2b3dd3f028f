"""Proteins without a known residue, cells by transport alone, pairs that were mixed up."""

from __future__ import annotations

import csv
import gzip
import time
import warnings
from pathlib import Path

import numpy as np
from scipy import sparse

import landbridge as lb
from common import europarl_counts, expect, show


def models(data: Path, entry: str) -> list[np.ndarray]:
    """First and last model of an NMR entry."""
    with gzip.open(data / "protein-nmr" / f"{entry}_ca.csv.gz", "rt") as lines:
        table = list(csv.DictReader(lines))
    numbers = sorted({int(row["model"]) for row in table})
    return [np.array([[float(row[c]) for c in "xyz"] for row in table if int(row["model"]) == m]) for m in (numbers[0], numbers[-1])]


def proteins_without_pairs(data: Path, quick: bool) -> None:
    """Model 1, stretched four times, against the last one, turned and shuffled: no residue is known."""
    rows: list[list[object]] = []
    for entry in ("1s40", "1sbo", "1adz", "2mbl", "2k5v", "2bcb"):
        first, last = models(data, entry)
        X, n = 4 * first, len(first)
        for k in (4, 5):
            worst, right = 0.0, []
            for seed in range(3 if quick else 20):
                rng = np.random.default_rng(seed)
                order = rng.permutation(n)
                turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
                Y = last[order] @ turn
                pairs = lb.infer_pairs(X, Y, n_neighbors=k, random_state=seed)

                def residual(pairs: np.ndarray) -> float:
                    Z, W = lb.ProcrustesAlignment(embedding=None).fit_transform([X, Y], pairs)
                    return float(np.sqrt(((Z[order] - W) ** 2).sum(axis=1).mean()))

                worst = max(worst, residual(pairs) / residual(np.column_stack([order, np.arange(n)])))
                right.append(float((order[pairs[:, 1]] == pairs[:, 0]).mean()))
            rows.append([entry, n, k, worst, float(np.mean(right))])
            expect(f"{entry}, k = {k}: residual over that of the true pairs", worst, 0, 1.3)
    show(
        "Proteins without correspondence; residual of Procrustes on inferred pairs over that on the true ones (worst seed)",
        ["entry", "residues", "k", "residual ratio", "pairs right"],
        rows,
    )


def cells_by_transport(data: Path, quick: bool) -> None:
    """SCOT's recipe with our own pieces: hops over a correlation graph, entropic Gromov-Wasserstein, barycentres."""
    rows: list[list[object]] = []
    for name, files, k, epsilon, published in (
        ("SNARE-seq", ("snareseq/atac_1047x19", "snareseq/rna_1047x10"), 110, 1e-3, 0.150),
        ("scGEM", ("scgem/expression_177x34", "scgem/methylation_177x27"), 35, 5e-3, 0.192),
    ):
        if quick and name == "SNARE-seq":
            continue
        X, Y = (np.loadtxt(data / "single-cell" / f"{file}.csv.gz", delimiter=",") for file in files)
        order = np.random.default_rng(0).permutation(len(Y))
        Y = Y[order]
        X, Y = (Z / np.linalg.norm(Z, axis=1, keepdims=True) for Z in (X, Y))

        def hops(Z: np.ndarray) -> np.ndarray:
            # A cell counts among its own neighbours there: one fewer of the others.
            index, _ = lb.geometry.knn_graph(Z - Z.mean(axis=1, keepdims=True), k - 1, metric="cosine")
            graph = sparse.coo_array((np.ones(index.size), (np.repeat(np.arange(len(Z)), k - 1), index.ravel())), shape=(len(Z),) * 2)
            D = lb.geometry.geodesic_distances(None, graph=((graph + graph.T) > 0).astype(float))
            D[~np.isfinite(D)] = D[np.isfinite(D)].max()
            return D / D.max()

        started = time.perf_counter()
        plan, info = lb.solve.entropic_gw(hops(X), hops(Y), epsilon)
        seconds = time.perf_counter() - started
        truth = np.argsort(order)
        moved = plan @ Y / plan.sum(axis=1, keepdims=True)
        score = float(lb.metrics.foscttm(moved, Y, truth=truth))
        rows.append([name, k, epsilon, info["iterations"], score, published, f"{seconds:.0f} s"])
        expect(f"{name} by transport, FOSCTTM", score, 0, published + 0.002)
    show(
        "Single cells without pairs, entropic Gromov-Wasserstein at SCOT's published settings (chosen there with the truth known)",
        ["data", "k", "epsilon", "steps", "FOSCTTM", "published", "time"],
        rows,
    )


def mixed_up_pairs(data: Path, quick: bool) -> None:
    """5 % of the pairs are mixed up: which ones?"""
    rows: list[list[object]] = []

    def run(name: str, X: object, Y: object, known: int, seed: int, bar: float) -> None:
        rng = np.random.default_rng(seed)
        chosen = rng.permutation(X.shape[0])[:known]  # type: ignore[attr-defined]
        pairs = np.column_stack([chosen, chosen])
        wrong = rng.permutation(known)[: max(2, known // 20)]
        pairs[wrong, 1] = np.roll(pairs[wrong, 1], 1)
        started = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", lb.AlignmentWarning)
            found = lb.check_pairs([X, Y], pairs, random_state=seed)
        hits = len(set(found.suspect.tolist()) & set(wrong.tolist()))
        precision, recall = hits / max(1, len(found.suspect)), hits / len(wrong)
        rows.append([name, known, seed, len(found.suspect), precision, recall, str(found.can_tell), f"{time.perf_counter() - started:.0f} s"])
        if bar:
            expect(f"mixed-up pairs, {name}, seed {seed}, precision", precision, bar, 1)
            expect(f"mixed-up pairs, {name}, seed {seed}, recall", recall, bar, 1)

    en, it = (europarl_counts(data / "europarl", language, 2500, 1000) for language in ("en", "it"))
    for seed in range(1 if quick else 5):
        run("Europarl en-it", en[:1000] if quick else en, it[:1000] if quick else it, 300 if quick else 1000, seed, 0.9)
    for entry in ("1s40", "1sbo", "1adz"):
        first, last = models(data, entry)
        for seed in range(1 if quick else 5):
            run(f"protein {entry}", 4 * first, last, len(first), seed, 0.0)
    X, Y = (np.loadtxt(data / "single-cell" / f"scgem/{file}.csv.gz", delimiter=",") for file in ("expression_177x34", "methylation_177x27"))
    for seed in range(1 if quick else 5):
        run("scGEM", X, Y, 177, seed, 0.0)
    show(
        "Pairs of which 5 % are mixed up; those that look wrong to fits that never saw them",
        ["data", "pairs", "seed", "flagged", "precision", "recall", "can tell", "time"],
        rows,
    )
