"""Single cells from raw counts: preparation, maps from a quarter of the pairs, transport without any, and what cannot be told."""

from __future__ import annotations

import gzip
import time
import warnings
from pathlib import Path

import numpy as np
from scipy import sparse

import landbridge as lb
from common import expect, show


def multiome(
    n: int, genes: int = 1677, peaks: int = 25734, types: int = 20, noise: float = 2.0, within: float = 0.6, seed: int = 0
) -> tuple[sparse.csr_array, sparse.csr_array, np.ndarray]:
    """Made-up genes and peaks of the same cells, as counts: types, a state within each type, noise of each measurement, depth."""
    rng = np.random.default_rng(seed)
    latent = 12
    kind = rng.choice(types, n, p=rng.dirichlet(np.full(types, 1.2)))
    state = rng.normal(size=(types, latent))[kind] + within * rng.normal(size=(n, latent))

    def counts(p: int, depth: float, spread: float, effect: float, share: float, base: float) -> sparse.csr_array:
        seen = state + 0.6 * noise * rng.normal(size=state.shape)
        loadings = effect * rng.normal(size=(latent, p)) * (rng.random(p) < share) * (rng.random((latent, p)) < 0.35)
        levels, totals = rng.normal(0, base, p), depth * np.exp(spread * rng.normal(size=n))
        parts = []
        for first in range(0, n, 512):
            logs = levels + seen[first : first + 512] @ loadings
            shares = np.exp(logs - logs.max(axis=1, keepdims=True))
            shares /= shares.sum(axis=1, keepdims=True)
            parts.append(sparse.csr_array(rng.poisson(shares * totals[first : first + 512, None]).astype(float)))
        return sparse.csr_array(sparse.vstack(parts))

    return counts(genes, 700, 0.5, 0.5, 0.35, 1.6), counts(peaks, 2500, 0.6, 0.45, 0.3, 0.8), kind


def read(folder: Path, name: str, *parts: str) -> list[sparse.csr_array]:
    return [sparse.csr_array(sparse.load_npz(folder / name / f"{name}_{part}.npz")).astype(float) for part in parts]


def named(X: sparse.csr_array, path: Path) -> lb.Table:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        columns = [line.strip() for line in lines]
    return lb.Table(X, None, columns, None, None, False)


def cases(data: Path, quick: bool) -> list[tuple[str, list[object], np.ndarray | None, float]]:
    """Name, the datasets, the kind of each cell, and the largest FOSCTTM that a quarter of the pairs may leave."""
    folder = data / "single-cell"
    found: list[tuple[str, list[object], np.ndarray | None, float]] = []
    rna, adt = read(folder, "eccite", "rna", "adt")
    found.append(("eccite, genes and proteins", [rna, adt], None, 0.16))
    if not quick:
        rna, atac = read(folder, "a549", "rna", "atac")
        place = folder / "a549"
        hours = np.array([line.split("\t")[1] for line in gzip.open(place / "a549_cells.tsv.gz", "rt").read().splitlines()[1:]])
        tables = [named(rna, place / "a549_rna.features.txt.gz"), named(atac, place / "a549_atac.features.txt.gz")]
        found.append(("a549, normalised", tables, hours, 0.29))
    size = (1500, 800, 8000) if quick else (10309, 1677, 25734)
    rna, atac, kind = multiome(*size)
    genes = lb.Table(rna, None, [f"GENE{j}" for j in range(size[1])])
    peaks = lb.Table(atac, None, [f"chr1:{500 * j}-{500 * j + 400}" for j in range(size[2])])
    found.append((f"made-up multiome, {len(kind)} cells", [genes, peaks], kind, 0.2 if quick else 0.16))
    return found


def raw_counts(data: Path, quick: bool) -> None:
    """Raw counts as they come, a quarter of the pairs known: one line each."""
    rows: list[list[object]] = []
    for name, sets, kind, bar in cases(data, quick):
        n = sets[0].shape[0]  # type: ignore[attr-defined]
        for seed in range(1 if quick or n > 5000 else 3):
            order = np.random.default_rng(seed).permutation(n)
            known, rest = order[: n // 4], order[n // 4 :]
            pairs = np.column_stack([known, known])
            methods: list[tuple[str, object]] = [
                ("CCA(20), rows as they are", lb.CCA(20, prepare="center")),
                ("CCA(20)", lb.CCA(20)),
                ("LinearAlignment(20)", lb.LinearAlignment(20)),
                ("lb.align", None),
            ]
            for label, method in methods:
                if label.startswith("CCA(20), rows") and n > 5000:
                    continue
                started = time.perf_counter()
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    a = lb.align(sets, pairs) if method is None else method.fit(sets, pairs)  # type: ignore[attr-defined]
                seconds = time.perf_counter() - started
                Z, W = (z[rest] for z in a.embeddings_)
                score = float(lb.metrics.foscttm(Z, W))
                right = float(lb.metrics.label_transfer(Z, kind[rest], W, kind[rest])) if kind is not None else float("nan")
                rows.append([name, seed, label, score, right, f"{seconds:.1f} s"])
                if label in ("CCA(20)", "lb.align"):
                    expect(f"{name}, {label}, FOSCTTM", score, 0.0, bar)
    show("Raw counts, a quarter of the pairs; FOSCTTM and labels of the other cells", ["data", "seed", "call", "FOSCTTM", "labels", "time"], rows)


def no_pair_verdicts(data: Path, quick: bool) -> None:
    """Transport at its defaults on data as they come, and what it says where nothing can be found."""
    folder = data / "single-cell"
    load = lambda name: np.loadtxt(folder / f"{name}.csv.gz", delimiter=",")
    gem = [load("scgem/expression_177x34"), load("scgem/methylation_177x27")]
    sets: list[tuple[str, list[np.ndarray], bool]] = [("scGEM", gem, True)]
    rng = np.random.default_rng(0)
    shuffled = np.column_stack([rng.permutation(column) for column in gem[1].T])
    sets.append(("scGEM, columns of one side shuffled", [gem[0], shuffled], False))
    if not quick:
        snare = [load("snareseq/atac_1047x19"), load("snareseq/rna_1047x10")]
        sets.append(("SNARE-seq", snare, True))
        sets.append(("SNARE-seq, columns of one side shuffled", [snare[0], np.column_stack([rng.permutation(c) for c in snare[1].T])], False))
        sets.append(("other tissues: SNARE-seq, scGEM", [snare[0], gem[0]], False))
        sets.append(("a549", read(folder, "a549", "rna", "atac"), False))  # type: ignore[arg-type]
    rows: list[list[object]] = []
    for name, (X, Y), there in sets:
        for seed in range(1 if quick else 3):
            order = np.random.default_rng(seed).permutation(Y.shape[0])
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                started = time.perf_counter()
                pairs, weights = lb.infer_pairs(X, Y[order], how="transport", return_weights=True, random_state=seed)
                seconds = time.perf_counter() - started
                flagged = any("do not trust" in str(w.message) for w in said)
                a = lb.CCA(5, prepare="unit_center").fit([X, Y[order]], {(0, 1): np.column_stack([pairs, weights])})
            score = float(lb.metrics.foscttm(*a.embeddings_, truth=np.argsort(order))) if X.shape[0] == Y.shape[0] else float("nan")
            rows.append([name, seed, score, "flagged" if flagged else "", f"{seconds:.1f} s"])
            if there:
                expect(f"{name} without a pair, FOSCTTM", score, 0.0, 0.19 if name == "scGEM" else 0.15)
    show("No pair known, transport at its defaults, rows as they are", ["data", "seed", "FOSCTTM", "verdict", "time"], rows)
