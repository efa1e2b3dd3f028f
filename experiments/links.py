"""Columns that are known to correspond: single verses with a dictionary, proteins and genes, documents that need no link, wrong links."""

from __future__ import annotations

import gzip
import re
import time
import warnings
from collections import Counter
from pathlib import Path

import landbridge as lb
import numpy as np
from common import europarl_counts, expect, show
from scipy import sparse


def counts(texts: list[str], vocabulary: list[str]) -> sparse.csr_array:
    at = {word: j for j, word in enumerate(vocabulary)}
    entries = [
        (i, at[word], count)
        for i, text in enumerate(texts)
        for word, count in sorted(Counter(re.findall(r"\w+", text.lower())).items())
        if word in at
    ]
    i, j, values = zip(*entries)
    return sparse.csr_array((np.array(values, dtype=float), (i, j)), shape=(len(texts), len(vocabulary)))


def vocabulary(texts: list[str], words: int) -> list[str]:
    seen = Counter(word for text in texts for word in sorted(set(re.findall(r"\w+", text.lower()))))
    return [word for word, _ in sorted(seen.items(), key=lambda item: (-item[1], item[0]))[:words]]


def dictionary(A: sparse.csr_array, B: sparse.csr_array) -> list[tuple[int, int]]:
    """Words that correlate most with each other, at least .4, in rows that no fit sees."""
    a, b = (sparse.csc_array(M > 0).astype(float) for M in (A, B))
    mean_a, mean_b = (np.asarray(M.mean(axis=0)).ravel() for M in (a, b))
    together = (a.T @ b).toarray() / a.shape[0] - np.outer(mean_a, mean_b)
    correlation = together / np.sqrt(np.outer(mean_a * (1 - mean_a), mean_b * (1 - mean_b)) + 1e-12)
    there, back = correlation.argmax(axis=1), correlation.argmax(axis=0)
    return [(i, int(j)) for i, j in enumerate(there) if back[j] == i and correlation[i, j] >= 0.4]


def verses(data: Path, language: str, n: int, seed: int) -> tuple[sparse.csr_array, sparse.csr_array, np.ndarray, list[tuple[int, int]]]:
    """Single verses of two languages, the second shuffled, and a dictionary from the other verses."""
    lines = [gzip.open(data / "bible" / f"{name}.txt.gz", "rt", encoding="utf-8").read().split("\n") for name in ("en", language)]
    there = np.array([i for i, pair in enumerate(zip(*lines)) if all(text.strip() for text in pair)])
    rng = np.random.default_rng(seed)
    chosen = rng.permutation(there)
    some, other = chosen[:n], chosen[n:]
    sets, rest, often = [], [], []
    for text in lines:
        words = vocabulary([text[i] for i in some], 4000)
        sets.append(counts([text[i] for i in some], words))
        rest.append(counts([text[i] for i in other], words))
        often.append(np.flatnonzero(np.asarray((sets[-1] > 0).sum(axis=0)).ravel() >= 5))
    known = [(int(often[0][i]), int(often[1][j])) for i, j in dictionary(rest[0][:, often[0]], rest[1][:, often[1]])]
    order = rng.permutation(n)
    return sets[0], sets[1][order], np.argsort(order), [known[k] for k in rng.permutation(len(known))]


def half_wrong(links: list[tuple[int, int]]) -> list[tuple[int, int]]:
    half = len(links) // 2
    wrong = np.roll([j for _, j in links[:half]], 1)
    return [(i, int(j)) for (i, _), j in zip(links[:half], wrong)] + links[half:]


def top_1(a: lb.Alignment, truth: np.ndarray) -> float:
    there, _ = a.match(how="csls", source=0, target=1)
    back, _ = a.match(how="csls", source=1, target=0)
    return float(((there[:, 0] == truth).mean() + (back[:, 0] == np.argsort(truth)).mean()) / 2)


def linked_columns(data: Path, quick: bool) -> None:
    """No pair of rows is known, or twenty; some columns are."""
    warnings.simplefilter("ignore", lb.AlignmentWarning)
    rows: list[list[object]] = []
    for seed in range(1 if quick else 3):
        X, Y, truth, known = verses(data, "he", 1000 if quick else 2000, seed)
        few = np.column_stack([np.arange(20), truth[:20]])
        cases = [("200", known[:200], None), ("50", known[:50], None), ("200, half wrong", half_wrong(known[:200]), None)]
        cases += [("50, and 20 pairs", known[:50], few), ("none, and 20 pairs", None, few)]
        for name, links, pairs in cases[:1] if quick else cases:
            started = time.perf_counter()
            a = lb.SelfTraining().fit([X, Y], pairs, links=links)
            seconds, outcome = time.perf_counter() - started, a.outcome_
            told = len(outcome.suspect_links or [])
            rows.append(["verses en-he", name, seed, top_1(a, truth), outcome.reproducibility, outcome.trusted, told, f"{seconds:.0f} s"])
            if name == "200":
                expect(f"verses with 200 links, seed {seed}, top-1", top_1(a, truth), 0.3 if quick else 0.54, 1.0)
    if not quick:
        documents = [europarl_counts(data / "europarl", language, 12_500, 4000) for language in ("en", "it")]
        rng = np.random.default_rng(0)
        chosen, order = rng.permutation(documents[0].shape[0]), rng.permutation(2000)
        X, Y = documents[0][chosen[:2000]], documents[1][chosen[:2000]][order]
        known = dictionary(*(D[chosen[2000:]] for D in documents))
        for name, links in (("none", None), ("50", known[:50]), ("50, half wrong", half_wrong(known[:50]))):
            a = lb.SelfTraining().fit([X, Y], links=links)
            rows.append(["Europarl en-it", name, 0, top_1(a, np.argsort(order)), a.outcome_.reproducibility, a.outcome_.trusted, "", ""])
    show("Linked columns, top-1 by CSLS", ["rows", "links", "seed", "top-1", "reproducibility", "trusted", "links told as wrong", "time"], rows)
    folder = data / "single-cell" / "eccite"
    names = [gzip.open(folder / f"eccite_{kind}.features.txt.gz", "rt", encoding="utf-8").read().splitlines() for kind in ("rna", "adt")]
    X, Y = (sparse.csr_array(sparse.load_npz(folder / f"eccite_{kind}.npz")).astype(float) for kind in ("rna", "adt"))
    cells = []
    for seed in range(1 if quick else 3):
        order = np.random.default_rng(seed).permutation(Y.shape[0])
        a = lb.SelfTraining().fit([lb.Table(X=X, columns=names[0]), lb.Table(X=Y[order], columns=names[1])], links="names")
        score = float(lb.metrics.foscttm(*a.embeddings_, truth=np.argsort(order)))
        cells.append(["eccite", seed, score, a.outcome_.trusted])
        expect(f"eccite by links, seed {seed}, FOSCTTM", score, 0.0, 0.12)
    show("Genes and proteins by name, no pair (transport .191)", ["data", "seed", "FOSCTTM", "trusted"], cells)


def wrong_links(data: Path, quick: bool) -> None:
    """Every link is wrong: nothing may be trusted."""
    warnings.simplefilter("ignore", lb.AlignmentWarning)
    trusted, runs = 0, 2 if quick else 50
    X, Y, _, known = verses(data, "he", 1000, 1)
    for seed in range(runs):
        rng = np.random.default_rng(seed)
        half = min(150, len(known) // 2)
        links = [(i, int(j)) for (i, _), j in zip(known[:half], rng.permutation([j for _, j in known[half : 2 * half]]))]
        trusted += bool(lb.SelfTraining(max_runs=3, random_state=seed).fit([X, Y], links=links).outcome_.trusted)
    show("All links wrong", ["runs", "trusted"], [[runs, trusted]])
    expect("trusted with wrong links", trusted, 0, 0)
