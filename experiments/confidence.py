"""Which matches can be believed: chances of single matches, and labels that one side lacks."""

from __future__ import annotations

import collections
import csv
import gzip
import re
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy import sparse

import landbridge as lb
from common import europarl_counts, expect, show

#: Datasets, the true partner of each row of the first (-1: none), known pairs.
Case = tuple[object, object, np.ndarray, "np.ndarray | None"]


def calibration(chance: np.ndarray, right: np.ndarray) -> tuple[float, float, float]:
    """Expected calibration error in ten bins, precision at a chance of 0.9, share of the right ones kept there."""
    part = np.minimum((10 * chance).astype(int), 9)
    error = sum(abs(float(chance[part == b].mean() - right[part == b].mean())) * float((part == b).mean()) for b in np.unique(part))
    sure = chance >= 0.9
    return error, float(right[sure].mean()) if sure.any() else float("nan"), float((sure & right).sum() / max(1, right.sum()))


def europarl(data: Path, language: str, overlap: float, seed: int, n: int) -> Case:
    english, other = (europarl_counts(data / "europarl", name, 12_500, 4000) for name in ("en", language))
    rng = np.random.default_rng(seed)
    first, shared = 2000 * seed % 8000, int(overlap * n)
    left = np.arange(first, first + n)
    right = np.concatenate([left[:shared], np.arange(first + n, first + 2 * n - shared)])
    order = rng.permutation(n)
    truth = np.full(n, -1)
    truth[:shared] = np.argsort(order)[:shared]
    return english[left], other[right[order]], truth, None


def encoders(data: Path, seed: int, n: int) -> Case:
    rng = np.random.default_rng(seed)
    rows, order = rng.permutation(10_000)[:n], rng.permutation(n)
    X, Y = (np.load(data / "embeddings" / f).astype(np.float32) for f in ("minilm_10000x384_f16.npy", "use_10000x512_f16.npy"))
    return X[rows], Y[rows][order], np.argsort(order), None


def passages(data: Path, language: str, known: int, seed: int, n: int) -> Case:
    """Five verses of one chapter a row, the 4,000 most frequent words."""
    texts = [gzip.open(data / "bible" / f"{name}.txt.gz", "rt", encoding="utf-8").read().split("\n") for name in ("en", language)]
    chapters: dict[str, list[int]] = {}
    for v, name in enumerate(gzip.open(data / "bible" / "vref.txt.gz", "rt").read().split("\n")):
        if name and all(text[v].strip() for text in texts):
            chapters.setdefault(name.split(":")[0], []).append(v)
    blocks = [verses[i : i + 5] for verses in chapters.values() for i in range(0, len(verses) - 4, 5)]
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(len(blocks))[:n]
    sets = []
    for text in texts:
        counts = [collections.Counter(re.findall(r"\w+", " ".join(text[v] for v in block).lower())) for block in blocks]
        total: collections.Counter[str] = sum(counts, collections.Counter())
        column = {word: j for j, (word, _) in enumerate(total.most_common(4000))}
        entries = [(i, column[w], c) for i, block in enumerate(chosen) for w, c in counts[block].items() if w in column]
        rows, columns, values = zip(*entries)
        sets.append(sparse.csr_array((np.array(values, float), (rows, columns)), shape=(n, 4000)))
    order = rng.permutation(n)
    truth = np.argsort(order)
    given = rng.permutation(n)[:known]
    return sets[0], sets[1][order], truth, np.column_stack([given, truth[given]])


def words(data: Path, known: int, seed: int) -> tuple[Case, dict[int, set[int]]]:
    """English and French word vectors; a word may have several right partners."""
    folder = data / "xling-en-fr"
    X, Y = (np.load(gzip.open(next(folder.glob(f"{name}_*.npy.gz")))).astype(np.float32) for name in ("en", "fr"))

    def dictionary(name: str) -> np.ndarray:
        with gzip.open(folder / f"dict_{name}.tsv.gz", "rt", encoding="utf-8") as lines:
            table = [line.rstrip("\n").split("\t") for line in lines]
        return np.array([[int(r[2]), int(r[3])] for r in table if r[2].isdigit()])

    train, test = dictionary("train"), dictionary("test")
    wanted: dict[int, set[int]] = {}
    for e, f in np.concatenate([train, test]):
        wanted.setdefault(int(e), set()).add(int(f))
    truth = np.array([min(wanted.get(i, {-1})) for i in range(len(X))])
    pairs = train[np.random.default_rng(seed).permutation(len(train))[:known]]
    return (X, Y, truth, pairs), wanted


def cases(data: Path, quick: bool) -> Iterator[tuple[str, int, Case, dict[int, set[int]] | None, tuple[float, float, float]]]:
    """Name, seed, data, right partners (None: the one in the truth), bars: error at most, precision and right ones kept at least."""
    n = 800 if quick else 2000
    for seed in range(1 if quick else 5):
        for language in ("it",) if quick else ("it", "de"):
            for overlap, kept in ((1.0, 0.97), (0.5, 0.75), (0.25, 0.6)):
                if not quick or overlap == 0.5:
                    yield f"Europarl en-{language}, {overlap:.0%} overlap", seed, europarl(data, language, overlap, seed, n), None, (0.06, 0.95, kept)
        if quick:
            continue
        yield "MiniLM-USE", seed, encoders(data, seed, n), None, (0.04, 0.95, 0.0)
        yield "Bible en-he, 10 pairs", seed, passages(data, "he", 10, seed, n), None, (0.04, 0.95, 0.0)
        for known, bars in ((20, (0.09, 0.0, 0.5)), (1000, (0.07, 0.0, 0.55))):
            case, wanted = words(data, known, seed)
            yield f"words en-fr, {known} pairs", seed, case, wanted, bars


def confidence(data: Path, quick: bool) -> None:
    """The chance of every match: calibration, precision and rows kept at 0.9, at several overlaps."""
    rows: list[list[object]] = []
    for name, seed, (X, Y, truth, pairs), wanted, (most_error, least_precision, least_kept) in cases(data, quick):
        started = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", lb.AlignmentWarning)
            a = lb.SelfTraining(random_state=seed, **({"max_runs": 3} if quick else {})).fit([X, Y], pairs)
        fitting = time.perf_counter() - started
        started = time.perf_counter()
        c = a.match_confidence()
        seconds = time.perf_counter() - started
        rest = np.setdiff1d(np.arange(len(truth)), [] if pairs is None else pairs[:, 0])
        right = c.targets == truth if wanted is None else np.array([int(j) in wanted.get(i, set()) for i, j in enumerate(c.targets)])
        right &= truth >= 0
        error, precision, kept = calibration(c.confidence[rest], right[rest])
        alone = truth < 0
        lonely = float((c.confidence[alone] >= 0.9).mean()) if alone.any() else float("nan")
        share, low, high = c.shared
        rows.append(
            [name, seed, float(right[rest].mean()), float(c.confidence[rest].mean()), error, precision, kept, lonely]
            + [f"{share:.2f} ({low:.2f} to {high:.2f})", c.basis, f"{seconds:.1f} s", f"{seconds / fitting:.2f}"]
        )
        expect(f"{name}, seed {seed}: calibration error", error, 0, most_error)
        if precision == precision:
            expect(f"{name}, seed {seed}: precision at 0.9", precision, least_precision, 1)
        expect(f"{name}, seed {seed}: right ones kept", kept, 0 if quick else least_kept, 1)
        if alone.any():
            expect(f"{name}, seed {seed}: rows without a partner kept", lonely, 0, 0.02)
    show(
        "Chance of every match after self-training; rows whose partner was not given",
        ["data", "seed", "right", "mean chance", "ECE", "precision at .9", "right ones kept", "partnerless kept", "share found", "basis", "time", "of the fit"],
        rows,
    )


def wrong_fits(data: Path, quick: bool) -> None:
    """Alignments that are wrong as a whole: nothing may have a chance above one half."""
    counts = {language: europarl_counts(data / "europarl", language, 3000, 2000) for language in ("en", "it")}
    worst, runs = 0.0, 4 if quick else 100
    tally: collections.Counter[str] = collections.Counter()
    for run in range(runs):
        rng = np.random.default_rng(run)
        n = 300
        left = rng.permutation(1500)[:n]
        X, Y = counts["en"][left], counts["it"][1500 + rng.permutation(1500)[:n]]
        pairs = None
        if run % 2:  # the right documents, wrongly paired
            Y = counts["it"][left]
            known = rng.permutation(n)[: 60 if run % 4 == 1 else 20]
            pairs = np.column_stack([known, rng.permutation(n)[: len(known)]])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", lb.AlignmentWarning)
            a = lb.SelfTraining(random_state=run, max_runs=2).fit([X, Y], pairs)
            c = a.match_confidence()
        # Where self-training sees through the wrong pairs, its matches are right.
        truth = np.arange(n) if run % 2 else np.full(n, -1)
        free = np.setdiff1d(np.arange(n), [] if pairs is None else pairs[:, 0])
        wrong = free[c.targets[free] != truth[free]]
        highest = float(c.confidence[wrong].max()) if len(wrong) and (c.targets[free] == truth[free]).mean() < 0.3 else 0.0
        worst = max(worst, highest)
        tally[c.basis] += 1
    print(f"\nWrong as a whole, {runs} runs (other documents; wrong pairs): highest chance {worst:.3f}; " + ", ".join(f"{b} {n}" for b, n in tally.items()))
    expect("wrong as a whole: highest chance", worst, 0, 0.5)


def absent_types(data: Path, quick: bool) -> None:
    """SNARE-seq, 100 pairs: calibration of label chances; a cell type that one side lacks is called unknown."""
    folder = data / "single-cell" / "snareseq"
    X, Y = (np.loadtxt(folder / f"{name}.csv.gz", delimiter=",") for name in ("atac_1047x19", "rna_1047x10"))
    X, Y = (Z / np.linalg.norm(Z, axis=1, keepdims=True) for Z in (X, Y))
    with gzip.open(folder / "cells.csv.gz", "rt", encoding="utf-8") as lines:
        types = np.array([row["cell_type"] for row in csv.DictReader(lines)])
    rows: list[list[object]] = []
    for seed in range(1 if quick else 5):
        for gone in ("none", *np.unique(types)):
            for source, target in ((X, Y), (Y, X)):
                rng = np.random.default_rng(seed)
                kept = np.flatnonzero(types != gone)
                order = rng.permutation(len(target))
                known = rng.permutation(len(kept))[:100]
                a = lb.CCA(10).fit([source[kept], target[order]], np.column_stack([known, np.argsort(order)[kept[known]]]))
                label, chance = a.transfer_labels(types[kept], k=15, min_support=1 / 3)
                plain, _ = a.transfer_labels(types[kept], k=15)
                hidden = ~np.isin(order, kept[known])
                lost, here = hidden & (types[order] == gone), hidden & (types[order] != gone)
                error, _, _ = calibration(chance[here], (plain == types[order])[here])
                called = float((label[lost] == "unknown").mean()) if lost.any() else float("nan")
                doubted = float((label[here] == "unknown").mean())
                rows.append([seed, "ATAC" if source is X else "RNA", gone, float((plain == types[order])[here].mean()), error, called, doubted])
                expect(f"labels, {gone} removed, seed {seed}: calibration error", error, 0, 0.05)
                if lost.any():
                    expect(f"labels, {gone} removed, seed {seed}: called unknown", called, 0.8, 1)
    show("SNARE-seq, CCA(10), 100 pairs: labels of the other cells", ["seed", "labels from", "type removed there", "right", "ECE", "removed: unknown", "others: unknown"], rows)
