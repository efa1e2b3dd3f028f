"""Linear maps and their baselines on Europarl."""

from __future__ import annotations

import time
import warnings
from pathlib import Path

import numpy as np
from scipy import sparse

import landbridge as lb
from common import europarl_counts, europarl_words, expect, show, unit_rows


def both_ways(Z: np.ndarray, W: np.ndarray, k: tuple[int, ...], metric: str) -> np.ndarray:
    """Recall, the mean of both directions."""
    return (lb.metrics.recall_at_k(Z, W, k, metric=metric) + lb.metrics.recall_at_k(W, Z, k, metric=metric)) / 2


def maps(data: Path, quick: bool) -> None:
    """Europarl, 1,000 words: linear maps, CCA and the baselines from 1,000, 250 and 50 pairs."""
    languages = {l: unit_rows(europarl_counts(data / "europarl", l, 2500, 1000)) for l in ("en", "it", "de")}
    choices = [("en", "it")] if quick else [("en", "it"), ("en", "de"), ("it", "de")]
    for a, b in choices:
        rows: list[list[object]] = []
        for count in (1000, 250, 50):
            pairs = np.column_stack([np.arange(count)] * 2)
            methods = {
                "linear, defaults": lb.LinearAlignment(100),
                "linear, the paper (mu 1, no ridge)": lb.LinearAlignment(100, mu=1, balance=False, ridge=0.0),
                "linear, raw mu 100, ridge 0.1": lb.LinearAlignment(100, mu=100, balance=False, ridge=0.1),
                "CCA": lb.CCA(100),
                "CCA, ridge 1, components not weighed": lb.CCA(100, ridge=1.0),
                "linear transform": lb.LinearTransform(),
                "pair similarity": lb.PairSimilarity(),
            }
            scores = {}
            for name, method in methods.items():
                started = time.perf_counter()
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", lb.AlignmentWarning)
                    method.fit([languages[a], languages[b]], pairs)
                seconds = time.perf_counter() - started
                Z, W = (z[1000:] for z in method.embeddings_)
                cosine, euclidean = (both_ways(Z, W, (1, 10), m) for m in ("cosine", "euclidean"))
                scores[name] = float(cosine[0])
                rows.append([count, name, *map(float, cosine), *map(float, euclidean), f"{seconds:.2f} s"])
            if (a, b) == ("en", "it"):
                reference = {1000: 0.95, 250: 0.93, 50: 0.58}[count]
                expect(f"en-it, {count} pairs, linear at its defaults", scores["linear, defaults"], reference, 1)
                gap = scores["CCA"] - scores["linear, defaults"]
                expect(f"en-it, {count} pairs, CCA less linear", gap, -1, 0.01)
        show(
            f"Europarl {a}-{b}, 2,500 documents, 1,000 words, unit rows, d = 100; recall on 1,500 others, both directions",
            ["pairs", "method", "cos top-1", "top-10", "eucl. top-1", "top-10", "fit"],
            rows,
        )
    print("  Plain references en-it: ridge CCA .995 / .93 / .58 (1,000 / 250 / 50 pairs), pair similarity .77,")
    print("  linear without ridge and mu = 1 .01, with mu = 100 and ridge 0.1 .95 to .97.")


def chapter11(data: Path, quick: bool) -> None:
    """Chapter11's setting: 10,000 training pairs, 4,000 words, d = 200, 49,708 other documents (quick: 2,500 others)."""
    folder = data / "europarl"
    counts = [europarl_counts(folder, l, 70_458, 4000) for l in ("en", "it")]
    if not quick:
        counts = [sparse.csr_array(sparse.vstack([c, europarl_counts(folder, l, 70_458, 4000, "rest")])) for c, l in zip(counts, ("en", "it"))]
    X, Y = (unit_rows(c) for c in counts)
    train = np.arange(10_000)
    others = 10_000 + np.random.default_rng(0).permutation(X.shape[0] - 10_000)[:49_708]
    pairs = np.column_stack([train, train])
    methods = {"linear, defaults": (lb.LinearAlignment(200), "")}
    if not quick:
        methods |= {
            "linear, the paper (mu 1, no ridge)": (lb.LinearAlignment(200, mu=1, balance=False, ridge=0.0), ".86 / .90"),
            "linear, raw mu 100, no ridge": (lb.LinearAlignment(200, mu=100, balance=False, ridge=0.0), ""),
            "CCA": (lb.CCA(200), ""),
            "linear transform, no ridge": (lb.LinearTransform(ridge=0.0), ".52 / -"),
            "linear transform": (lb.LinearTransform(), ""),
        }
    rows: list[list[object]] = []
    for name, (method, published) in methods.items():
        started = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", lb.AlignmentWarning)
            method.fit([X[train], Y[train]], pairs)
        seconds = time.perf_counter() - started
        Z, W = method.transform(X[others], 0), method.transform(Y[others], 1)
        # The linear transform compares 4,000 coordinates: the first 5,000 documents look for theirs among all.
        asked = Z.shape[0] if Z.shape[1] <= 1000 else 5_000
        truth = np.arange(asked)
        cosine = lb.metrics.recall_at_k(Z[:asked], W, (1, 10), truth=truth, metric="cosine")
        euclidean = lb.metrics.recall_at_k(Z[:asked], W, (1, 10), truth=truth)
        rows.append([name, *map(float, cosine), *map(float, euclidean), published, f"{seconds:.1f} s"])
        if name == "linear, defaults":
            expect("chapter11, linear at its defaults, cosine top-1", float(cosine[0]), 0.97, 1)
    show(
        f"Chapter11: 10,000 training pairs en-it, 4,000 words, d = 200, {len(others):,} others",
        ["method", "cos top-1", "top-10", "eucl. top-1", "top-10", "published", "fit"],
        rows,
    )
    print("  Published too: LSI + Procrustes about .80. Other documents than the chapter's, which did not publish its selection.")
    a = methods["linear, defaults"][0]
    words = [europarl_words(folder, l, 4000) for l in ("en", "it")]
    print("\n  Top terms per component (weights of one sign), as in tables 5.1 and 5.2")
    for component in range(5):
        for language, names, side in (("en", words[0], 0), ("it", words[1], 1)):
            top = [(names[int(c)], w) for c, w in a.top_features(side, component, 30)]
            sign = np.sign(a.top_features(0, component, 1)[0][1])
            print(f"    {component} {language}: " + ", ".join(n for n, w in top if np.sign(w) == sign)[:100])


def triples(data: Path, quick: bool) -> None:
    """1,000 training triples en/it/de, 2,500 words, 1,500 others: three datasets in one space."""
    X = [unit_rows(europarl_counts(data / "europarl", l, 2500, 2500)) for l in ("en", "it", "de")]
    pairs = np.column_stack([np.arange(1000)] * 3)
    rows: list[list[object]] = []
    for name, method in {"linear, defaults": lb.LinearAlignment(100), "CCA of three": lb.CCA(100)}.items():
        method.fit(X, pairs)
        Z = [z[1000:] for z in method.embeddings_]
        scores = [both_ways(Z[s], Z[t], (1, 10), "cosine") for s, t in ((0, 1), (0, 2), (1, 2))]
        rows.append([name, *(float(s[0]) for s in scores), float(np.mean([s[1] for s in scores]))])
        expect(f"triples, {name}, en-it top-1", float(scores[0][0]), 0.95, 1)
    show(
        "Europarl en/it/de, 1,000 triples, 2,500 words, d = 100; cosine top-1 on 1,500 others",
        ["method", "en-it", "en-de", "it-de", "mean top-10"],
        rows,
    )
