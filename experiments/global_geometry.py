"""Global geometry on real data: documents at the two sizes of its paper, cells, and a sheet rolled up."""

from __future__ import annotations

import time
import warnings
from pathlib import Path

import numpy as np
from scipy import sparse

import landbridge as lb
from common import europarl_counts, europarl_words, expect, show, unit_rows
from linear import both_ways


def fitted(method: lb.GlobalAlignment, X: list, pairs: np.ndarray) -> float:
    started = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lb.AlignmentWarning)
        method.fit(X, pairs)
    return time.perf_counter() - started


def scored(method: lb.GlobalAlignment, train: int) -> list[float]:
    """Top-1 and top-10 of rows after the first `train`, Euclidean and cosine, mean over all directions."""
    Z = [z[train:] for z in method.embeddings_]
    two = [(a, b) for a in range(len(Z)) for b in range(a)]
    return [float(v) for m in ("euclidean", "cosine") for v in np.mean([both_ways(Z[a], Z[b], (1, 10), m) for a, b in two], axis=0)]


HEADER = ["distances", "weighted", "top-1", "top-10", "cos top-1", "cos top-10", "negative share", "reference (top-1 / top-10)", "fit"]


def global_documents(data: Path, quick: bool) -> None:
    """1,000 known triples and 1,500 others, d = 100, k = 10: the paper's first setting, and straight distances beside it."""
    settings = [("en, it", 1000, ("en", "it"))]
    if not quick:
        settings.append(("en, it, de", 2500, ("en", "it", "de")))
    for title, words, languages in settings:
        counts = [europarl_counts(data / "europarl", l, 2500, words) for l in languages]
        X, logs = [unit_rows(c) for c in counts], [c.log1p() for c in counts]
        pairs = np.column_stack([np.arange(1000)] * len(X))
        published = "published .21 / > .40" if len(X) == 3 else "plain .19 / .43"
        choices = [
            ("geodesic (the paper)", False, published, {}),
            ("geodesic", True, "plain .47" if len(X) == 2 else "", {}),
            ("geodesic, ridge 0.1", True, "", {"ridge": 0.1}),
            ("geodesic, ridge 1", True, "", {"ridge": 1.0}),
            ("Euclidean", False, "plain .84" if len(X) == 2 else "", {"distance": "euclidean"}),
            ("Euclidean", True, "", {"distance": "euclidean"}),
            ("Euclidean, tf-idf", False, "", {"distance": "euclidean", "prepare": "tfidf_center"}),
            ("Euclidean, tf-idf of log counts", False, "plain .98", {"distance": "euclidean", "prepare": "tfidf_center"}),
            ("cosine, tf-idf", False, "", {"distance": "cosine", "prepare": "tfidf_center"}),
        ]
        if not quick:
            choices += [
                ("geodesic, instance level", True, "", {"level": "instance"}),
                ("geodesic, 1,000 landmarks", True, "", {"landmarks": 1000}),
            ]
        rows: list[list[object]] = []
        for name, weighted, reference, params in choices:
            method = lb.GlobalAlignment(100, weight_components=weighted, **params)
            seconds = fitted(method, logs if "log counts" in name else X, pairs)
            scores = scored(method, 1000)
            rows.append([name, "yes" if weighted else "no", *scores, float(method.outcome_.negative_share), reference, f"{seconds:.1f} s"])
            # With 2,500 centred rows and 2,500 words the maps can be any function of the rows: without a ridge they fit
            # distances and say little about other words. The published figures need one.
            if name == ("geodesic (the paper)" if len(X) == 2 else "geodesic, ridge 0.1"):
                expect(f"global {title}, {name}, top-1", scores[0], 0.16 if len(X) == 2 else 0.18, 1)
                expect(f"global {title}, {name}, top-10", scores[1], 0.37, 1)
            if name == "Euclidean" and not weighted and len(X) == 2:
                expect(f"global {title}, Euclidean, top-1", scores[0], 0.81, 1)
        show(f"Europarl {title}, 1,000 + 1,500 documents, {words:,} words, d = 100; mean over directions", HEADER, rows)
        if len(X) == 3:
            method = lb.GlobalAlignment(100, weight_components=False)
            fitted(method, X, pairs)
            names = [europarl_words(data / "europarl", l, words) for l in languages]
            print("\n  Top terms of two maps, as in figure 6")
            for component in (0, 1):
                for a, language in enumerate(languages):
                    print(f"    {component} {language}: " + " ".join(names[a][int(c)] for c, _ in method.top_features(a, component, 10)))


def everything(data: Path, rows: int) -> list[sparse.csr_array]:
    folder = data / "europarl"
    whole = []
    for language in ("en", "it"):
        counts = europarl_counts(folder, language, rows, 1000)
        if rows > counts.shape[0]:
            more = europarl_counts(folder, language, rows - counts.shape[0], 1000, "rest")
            counts = sparse.csr_array(sparse.vstack([counts, more]))
        whole.append(unit_rows(counts))
    return whole


def global_large(data: Path, quick: bool) -> None:
    """The paper's second setting: 1,000 pairs, 69,458 other documents, 1,000 words; landmarks against all distances on 10,000."""
    pairs = np.column_stack([np.arange(1000)] * 2)
    rows: list[list[object]] = []
    header = ["documents", "landmarks", "distances", "weighted", "top-1", "top-10", "cos top-1", "cos top-10", "published", "fit"]

    def run(count: int, landmarks: int | None, distance: str, weighted: bool, published: str = "") -> list[float]:
        X = everything(data, count)
        method = lb.GlobalAlignment(100, landmarks=landmarks, distance=distance, weight_components=weighted)
        seconds = fitted(method, X, pairs)
        scores = scored(method, 1000)
        rows.append([f"{count:,}", landmarks or "all", distance, "yes" if weighted else "no", *scores, published, f"{seconds:.0f} s"])
        return scores

    size, few = (4000, 3000) if quick else (10_000, 8000)
    for weighted in (True,) if quick else (False, True):
        exact = run(size, None, "geodesic", weighted)
        for landmarks in (few // 2, few):
            near = run(size, landmarks, "geodesic", weighted)
        expect(f"global, {size} documents, exact less {few} landmarks, top-1", exact[0] - near[0], -1, 0.02)
    if not quick:
        run(70_458, 2000, "geodesic", False, ".17 / .30")
        run(70_458, 2000, "geodesic", True)
    show("Europarl en-it, 1,000 pairs, 1,000 words, d = 100; recall on all others, mean of both directions", header, rows)


def global_shapes(data: Path, quick: bool) -> None:
    """A sheet rolled up in two ways, and cells: where geodesic distances help."""
    rows: list[list[object]] = []
    rolls = lb.datasets.swiss_rolls(1000)
    truth = rolls.counterparts(0, 1)
    top = {}
    for distance in ("geodesic", "euclidean"):
        for d in (2, 3):
            method = lb.GlobalAlignment(d, level="instance", distance=distance)
            seconds = fitted(method, rolls.datasets, rolls.pairs(100))
            recall = lb.metrics.recall_at_k(*method.embeddings_, (1, 10), truth=truth)
            top[distance, d] = float(recall[1])
            rows.append(["swiss roll and S", distance, d, *map(float, recall), "", f"{seconds:.2f} s"])
    expect("swiss roll, geodesic less Euclidean, top-10, d = 2", top["geodesic", 2] - top["euclidean", 2], 0.1, 1)
    for name, files in {
        "SNARE-seq": ("snareseq/atac_1047x19.csv.gz", "snareseq/rna_1047x10.csv.gz"),
        "scGEM": ("scgem/expression_177x34.csv.gz", "scgem/methylation_177x27.csv.gz"),
    }.items():
        X = [np.loadtxt(data / "single-cell" / f, delimiter=",") for f in files]
        if name == "SNARE-seq":
            X = [M / np.linalg.norm(M, axis=1, keepdims=True) for M in X]
        for distance in ("geodesic", "euclidean"):
            for weighted in (False, True):
                scores, seconds = [], 0.0
                for seed in range(3):
                    order = np.random.default_rng(seed).permutation(len(X[0]))
                    known, rest = np.split(order, [len(order) // 10])
                    method = lb.GlobalAlignment(5, distance=distance, weight_components=weighted)
                    seconds += fitted(method, X, np.column_stack([known, known])) / 3
                    Z = [z[rest] for z in method.embeddings_]
                    scores.append([*lb.metrics.recall_at_k(*Z, (1, 10)), lb.metrics.foscttm(*Z)])
                label = f"{name}, features" + (", weighted" if weighted else "")
                rows.append([label, distance, 5, *map(float, np.mean(scores, axis=0)), f"{seconds:.2f} s"])
    show("Where distances along the data help (10 % of the pairs known)", ["data", "distances", "d", "top-1", "top-10", "FOSCTTM", "fit"], rows)
