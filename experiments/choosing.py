"""One call that chooses: `align` against every method at its defaults, its reported score against the truth, shuffled pairs."""

from __future__ import annotations

import gzip
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

import landbridge as lb
from common import europarl_counts, expect, show
from no_pairs import models


@dataclass
class Case:
    """Two datasets whose rows correspond one to one, the second one shuffled: row `order[i]` of it is row i of the first."""

    name: str
    datasets: list[Any]
    order: np.ndarray
    scoring: str
    pairs: tuple[int, ...]

    @classmethod
    def of(cls, name: str, X: Any, Y: Any, scoring: str, pairs: tuple[int, ...], seed: int = 0) -> Case:
        place = np.random.default_rng(seed).permutation(X.shape[0])
        return cls(name, [X, Y[place]], np.argsort(place), scoring, pairs)

    def truth(self) -> np.ndarray:
        return np.column_stack([np.arange(len(self.order)), self.order])

    def known(self, count: int, seed: int) -> np.ndarray:
        return self.truth()[np.random.default_rng(1000 + seed).permutation(len(self.order))[:count]]

    def score(self, a: lb.Alignment, known: np.ndarray) -> float:
        """Recall at 1, averaged over both directions, or FOSCTTM, of pairs that the fit did not see; by the model's own metric."""
        scores = a.evaluate(self.truth())["pairs"][0]["scores"]
        name, k = ("foscttm", None) if self.scoring == "foscttm" else ("recall", 1)
        found = [s["held_out"] if s["held_out"] is not None else s["all"] for s in scores if s["score"] == name and s.get("k") == k]
        return float(np.mean(found))


def passages(data: Path, language: str, length: int, words: int) -> sparse.csr_array:
    """Counts of the most frequent words in passages of consecutive verses of one chapter."""
    from collections import Counter

    folder = data / "bible"
    with gzip.open(folder / "vref.txt.gz", "rt", encoding="utf-8") as lines:
        chapters = [line.split(":")[0] for line in lines]
    with gzip.open(folder / f"{language}.txt.gz", "rt", encoding="utf-8") as lines:
        verses = [line.lower() for line in lines]
    texts: list[list[str]] = []
    start = 0
    for i in range(1, len(verses) + 1):
        if i == len(verses) or chapters[i] != chapters[start] or i - start == length:
            texts.append("".join(c if c.isalpha() else " " for c in " ".join(verses[start:i])).split())
            start = i
    most = {w: k for k, (w, _) in enumerate(Counter(w for t in texts for w in t).most_common(words))}
    entries = [(r, most[w]) for r, t in enumerate(texts) for w in t if w in most]
    rows, columns = np.array(entries).T
    return sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(len(texts), words))


def cases(data: Path, quick: bool) -> Iterator[Case]:
    n = 1000 if quick else 2500
    X, Y = (europarl_counts(data / "europarl", language, n, 1000 if quick else 2500) for language in ("en", "it"))
    yield Case.of("Europarl en-it", X, Y, "recall", (0, 10, 50) if quick else (0, 10, 50, 1000))
    cells = data / "single-cell"
    for name, files in (("snareseq", ("rna_1047x10", "atac_1047x19")), ("scgem", ("expression_177x34", "methylation_177x27"))):
        X, Y = (np.loadtxt(cells / name / f"{file}.csv.gz", delimiter=",") for file in files)
        yield Case.of(name, X, Y, "foscttm", (20, 100))
    first, last = models(data, "1s40")
    yield Case.of("protein 1s40", first, last @ np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0], "recall", (0, 10))
    rolls = lb.datasets.swiss_rolls(600)
    yield Case.of("swiss rolls", *rolls.datasets, "recall", (30, 100))
    if quick:
        return
    with gzip.open(data / "jester" / "jester1_24983x100_i16.npy.gz") as file:
        ratings = np.load(file)[:2000].astype(float) / 100
    ratings[ratings > 90] = 0
    yield Case.of("Jester", ratings[:, :50], ratings[:, 50:], "foscttm", (100, 400))
    X, Y = (passages(data, language, 10, 4000) for language in ("en", "he"))
    yield Case.of("passages en-he", X, Y, "recall", (10,))
    X, Y = (np.load(next((data / "embeddings").glob(f"{name}_*.npy"))).astype(np.float32)[:3000] for name in ("minilm", "use"))
    yield Case.of("MiniLM and USE", X, Y, "recall", (0, 50, 500))


def rivals(case: Case, pairs: int) -> dict[str, lb.Alignment]:
    """Every method that places rows, at its defaults, with the numbers of components that a user would try."""
    most = min(min(X.shape) for X in case.datasets)
    dimensions = [d for d in (2, 5, 10, 20, 50, 100) if d < most] or [most]
    counts = all(sparse.issparse(X) for X in case.datasets)
    out: dict[str, lb.Alignment] = {"self-training": lb.SelfTraining()}
    if pairs == 0:
        if case.datasets[0].shape[1] == case.datasets[1].shape[1] == 3:
            out["procrustes, inferred"] = lb.ProcrustesAlignment(embedding=None)
        return out
    for d in dimensions:
        out[f"cca {d}"] = lb.CCA(d)
        out[f"linear {d}"] = lb.LinearAlignment(d)
        out[f"instance {d}"] = lb.InstanceAlignment(d)
        if case.datasets[0].shape[0] <= 1500:
            out[f"global {d}"] = lb.GlobalAlignment(d)
            out[f"clle {d}"] = lb.CLLE(d)
        for embedding in ("pca", "laplacian", *(["lsi"] if counts else [])):
            out[f"procrustes {embedding} {d}"] = lb.ProcrustesAlignment(d, embedding=embedding)
            out[f"affine {embedding} {d}"] = lb.AffineAlignment(d, embedding=embedding)
    if case.datasets[0].shape[1] == case.datasets[1].shape[1]:
        out["procrustes"] = lb.ProcrustesAlignment(embedding=None)
    return out


def choosing(data: Path, quick: bool) -> None:
    """`align` beside the best of all methods at their defaults, which the truth chooses."""
    rows: list[list[object]] = []
    warnings.simplefilter("ignore")
    for case in cases(data, quick):
        sign = -1 if case.scoring == "foscttm" else 1
        for count in case.pairs:
            known = case.known(count, 0)
            started = time.perf_counter()
            a = lb.align(case.datasets, known if count else None)
            seconds = time.perf_counter() - started
            own = case.score(a, known)
            found = {}
            for name, method in rivals(case, count).items():
                try:
                    found[name] = case.score(method.fit(case.datasets, known if count else None), known)
                except lb.LandbridgeError:
                    continue
            best = max(found, key=lambda name: sign * found[name])
            behind = sign * (found[best] - own)
            first = a.selection_[0]
            rows.append([case.name, count, case.scoring, own, first["method"].removeprefix("lb."), best, found[best], behind, str(a.selection_.trusted), f"{seconds:.1f} s"])
            print(rows[-1], flush=True)
            expect(f"align on {case.name}, {count} pairs: behind the best", behind, -1.0, 0.02)
    show(
        "One call beside every method at its defaults; recall at 1 (both directions) or FOSCTTM of pairs that were not given",
        ["data", "pairs", "score", "align", "it chose", "best of all", "its score", "behind", "trusted", "time"],
        rows,
    )


def honest(data: Path, quick: bool) -> None:
    """The score that `align` reports against the score on truth that it never saw."""
    rows: list[list[object]] = []
    warnings.simplefilter("ignore")
    for case in cases(data, True):
        counts = [c for c in case.pairs if c >= 20] or [20]
        apart, covered = [], 0
        draws = 5 if quick else 25
        for seed in range(draws):
            known = case.known(counts[0], seed)
            a = lb.align(case.datasets, known)
            row = a.selection_[0]
            scoring = "foscttm" if a.selection_.scoring == "foscttm" else "recall"
            truth = Case(case.name, case.datasets, case.order, scoring, ()).score(a, known)
            apart.append(row["score"] - truth)
            covered += row["low"] <= truth <= row["high"]
        rows.append([case.name, counts[0], draws, float(np.mean(apart)), float(np.std(apart)), covered / draws])
    show("Reported score less the score on unseen truth", ["data", "pairs", "draws", "mean difference", "deviation", "covered by the interval"], rows)
    everything = [row for row in rows]
    expect("mean difference of all", float(np.mean([float(r[3]) for r in everything])), -0.01, 0.01)
    expect("intervals that cover the truth", float(np.mean([float(r[5]) for r in everything])), 0.9, 1.0)


def leakage(data: Path, quick: bool) -> None:
    """Shuffled pairs through `align`, `compare` and `tune`: chance level, never trusted."""
    warnings.simplefilter("ignore")
    folder = data / "single-cell" / "scgem"
    X, Y = (np.loadtxt(folder / f"{file}.csv.gz", delimiter=",") for file in ("expression_177x34", "methylation_177x27"))
    trusted, means = 0, []
    draws = 5 if quick else 50
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        wrong = np.column_stack([rng.permutation(177)[:40], rng.permutation(177)[:40]])
        a = lb.align([X, Y], wrong, random_state=seed)
        trusted += a.selection_.trusted is True
        t = lb.compare([lb.CCA(5), lb.InstanceAlignment(5)], [X, Y], wrong, scoring="foscttm", random_state=seed)
        b = lb.tune(lb.CCA(5), [X, Y], wrong, n_trials=6, scoring="foscttm", random_state=seed)
        means.append([a.selection_[0]["foscttm"], *(row["score"] for row in t.table), b.best_score_])
    show("Shuffled pairs; FOSCTTM by chance is .5", ["align", "compare: CCA", "compare: instance", "tune", "trusted"], [[*map(float, np.mean(means, axis=0)), f"{trusted} of {draws}"]])
    expect("shuffled pairs that align trusted", trusted, 0, 0)
    for name, mean in zip(("align", "cca", "instance", "tune"), np.mean(means, axis=0)):
        expect(f"FOSCTTM of shuffled pairs, {name}", float(mean), 0.45, 0.55)


def shared(data: Path, quick: bool) -> None:
    """Ten methods compared at once, beside the same fits one by one: the comparison shares what no pair touches."""
    del data
    rows = 1200 if quick else 5000
    documents = lb.datasets.bilingual_documents(rows, topics=60, vocabulary=(1000, 1000), length=200)
    pairs = documents.pairs(rows // 5)
    methods = [
        lb.CCA(50, prepare="log_tfidf"),
        lb.CCA(100, prepare="log_tfidf"),
        lb.LinearAlignment(50, prepare="log_tfidf"),
        lb.LinearAlignment(100, prepare="log_tfidf"),
        lb.InstanceAlignment(20, metric="cosine"),
        lb.InstanceAlignment(20, metric="cosine", mu=10),
        lb.ProcrustesAlignment(50, embedding="lsi"),
        lb.AffineAlignment(50, embedding="lsi"),
        lb.ProcrustesAlignment(20, embedding="laplacian", metric="cosine"),
        lb.CLLE(20, metric="cosine"),
    ]
    warnings.simplefilter("ignore")
    started = time.process_time()
    table = lb.compare(methods, documents.datasets, pairs, folds=5, scoring="recall_at_1")
    together = time.process_time() - started
    order = np.random.default_rng(0).permutation(len(pairs))
    started = time.process_time()
    for method in methods:
        for fold in range(5):
            a = method.fit(documents.datasets, pairs[order % 5 != fold])
            lb.metrics.recall_at_k(*a.embeddings_, k=1)
    apart = time.process_time() - started
    show(
        f"Ten methods, five folds, 2 x {rows} documents x {documents.datasets[0].shape[1]} words; CPU seconds",
        ["compare", "one by one", "share", "best"],
        [[together, apart, together / apart, table.best["method"] if table.best else "none"]],
    )
    if not quick:
        expect("time of a comparison over that of its fits", together / apart, 0.0, 0.4)
