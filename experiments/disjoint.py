"""Alignment of datasets that share no row, or some, from no pair: sentence encoders, documents, passages; and runs with nothing to find."""

from __future__ import annotations

import gzip
import re
import resource
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy import sparse

import landbridge as lb
from common import europarl_counts, expect, show

#: Columns of all tables here.
HEADER = ["data", "rows", "shared", "pairs", "seed", "there", "back", "CSLS", "expected", "share found", "soft", "stable", "cover", "trusted", "CPU s"]


def encoders(data: Path) -> list[np.ndarray]:
    """The same 10,000 sentences by two encoders."""
    return [np.load(data / "embeddings" / f"{name}_f16.npy").astype(float) for name in ("minilm_10000x384", "use_10000x512")]


def passages(data: Path, languages: tuple[str, ...], words: int = 4000) -> list[sparse.csr_array]:
    """Counts of the most frequent words in ten consecutive verses of one chapter, passages that no edition lacks."""

    def lines(name: str) -> list[str]:
        with gzip.open(data / "bible" / f"{name}.txt.gz", "rt", encoding="utf-8") as file:
            return file.read().split("\n")

    chapters = [ref.rpartition(":")[0] for ref in lines("vref")]
    texts = {l: lines(l) for l in languages}
    groups: list[list[int]] = []
    last = ""
    for i, chapter in enumerate(chapters):
        if not chapter or any(i >= len(t) or not t[i].strip() for t in texts.values()):
            continue
        if chapter != last or len(groups[-1]) == 10:
            groups.append([])
        groups[-1].append(i)
        last = chapter
    out = []
    for language in languages:
        documents = [re.findall(r"\w+", " ".join(texts[language][i] for i in group).lower()) for group in groups]
        frequency: dict[str, int] = {}
        for document in documents:
            for word in document:
                frequency[word] = frequency.get(word, 0) + 1
        kept = {word: k for k, word in enumerate(sorted(frequency, key=lambda w: (-frequency[w], w))[:words])}
        at = [(d, kept[word]) for d, document in enumerate(documents) for word in document if word in kept]
        d, w = np.array(at).T
        out.append(sparse.coo_array((np.ones(len(at)), (d, w)), shape=(len(documents), len(kept))).tocsr())
    return out


def split(n: int, rows: int, shared: float, test: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows of the first and of the second set, and rows that neither sees. `shared` of the rows are in both, in another order."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    unseen, order = order[:test], order[test:]
    common = int(shared * rows)
    right = np.concatenate([order[:common], order[rows : 2 * rows - common]])
    return order[:rows], rng.permutation(right), unseen


def fitted(name: str, X: object, Y: object, **about: object) -> tuple[lb.SelfTraining, list[object]]:
    """Fits, and returns the columns of the table that need no truth."""
    seed = int(about.get("seed", 0))  # type: ignore[call-overload]
    before = resource.getrusage(resource.RUSAGE_SELF)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", lb.AlignmentWarning)
        s = lb.SelfTraining(random_state=seed, start=about.get("start", "auto")).fit([X, Y], about.get("known"))
    after = resource.getrusage(resource.RUSAGE_SELF)
    o = s.outcome_
    interval = "" if o.expected_recall is None else "{:.2f} ({:.2f}-{:.2f})".format(*o.expected_recall)
    share = "" if o.shared is None else "{:.2f} ({:.2f}-{:.2f})".format(*o.shared)
    number = lambda v: "" if v is None else f"{v:.2f}"
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return s, [interval, share, str(o.soft), number(o.stable), number(o.cover), str(o.trusted), f"{seconds:.0f}"]


def unseen_top(s: lb.SelfTraining, X: object, Y: object) -> tuple[float, float, float]:
    """Cosine top-1 there and back, and CSLS top-1 there, of rows that the fit did not see."""
    Z, W = s.transform(X, dataset=0), s.transform(Y, dataset=1)
    Z, W = (z / np.maximum(np.linalg.norm(z, axis=1, keepdims=True), 1e-12) for z in (Z, W))
    S = Z @ W.T
    near = lambda M: np.sort(M, axis=1)[:, -10:].mean(axis=1)
    own = np.arange(len(S))
    csls = 2 * S - near(S)[:, None] - near(S.T)[None]
    return float((S.argmax(1) == own).mean()), float((S.argmax(0) == own).mean()), float((csls.argmax(1) == own).mean())


def disjoint(data: Path, quick: bool) -> None:
    """No pair, and no row in common: sentence encoders, Europarl, English and Hebrew passages."""
    rows: list[list[object]] = []

    def run(name: str, both: list, n: int, shared: float, seed: int, low: float, known: int = 0, start: str = "auto", test: int = 2000) -> None:  # type: ignore[type-arg]
        left, right, unseen = split(both[0].shape[0], n, shared, test, seed)
        pairs = None
        if known:
            extra = unseen[-known:]
            left, right = np.concatenate([left, extra]), np.concatenate([right, extra])
            pairs = np.column_stack([np.arange(n, n + known)] * 2)
            unseen = unseen[:-known]
        s, columns = fitted(name, both[0][left], both[1][right], seed=seed, start=start, known=pairs)
        top = unseen_top(s, both[0][unseen], both[1][unseen])
        rows.append([name, n, f"{shared:.0%}", known, seed, *top, *columns])
        print("  ", rows[-1], flush=True)
        if low:
            expect(f"{name}, {n} rows, {shared:.0%} shared, {known} pairs, seed {seed}: top-1", min(top[:2]), low, 1)

    sentences = encoders(data)
    if quick:
        run("MiniLM-USE", sentences, 2500, 0.0, 0, 0.5)
    else:
        for seed in range(10):
            run("MiniLM-USE", sentences, 4000, 0.0, seed, 0.79)
        for shared in (0.25, 0.5):
            for seed in range(3):
                run("MiniLM-USE", sentences, 4000, shared, seed, 0.82)
        for known in (5, 20):
            run("MiniLM-USE", sentences, 2000, 0.0, 0, 0.0, known)
        counts = {l: europarl_counts(data / "europarl", l, 12_500, 4000) for l in ("en", "it", "de")}
        for a, b, low in (("en", "it", 0.95), ("en", "de", 0.8)):
            for seed in range(3):
                run(f"Europarl {a}-{b}", [counts[a], counts[b]], 5000, 0.0, seed, low, test=1000)
        for n in (2000, 1000):
            run("Europarl en-it", [counts["en"], counts["it"]], n, 0.0, 0, 0.0, test=1000)
        hebrew = passages(data, ("en", "he"))
        for seed in range(3):
            order = np.random.default_rng(seed).permutation(hebrew[0].shape[0])
            s, columns = fitted("English-Hebrew", hebrew[0], hebrew[1][order], seed=seed)
            top = [float(lb.metrics.recall_at_k(*z, k=1, truth=t, metric="cosine")) for z, t in ((s.embeddings_, np.argsort(order)), (s.embeddings_[::-1], order))]
            rows.append(["English-Hebrew passages", len(order), "100%", 0, seed, *top, float("nan"), *columns])
            print("  ", rows[-1], flush=True)
            expect(f"English-Hebrew, seed {seed}", top[0], 0.9, 1)
    show("No pair, rows in common: see column `shared`; top-1 of unseen rows", HEADER, rows)


def nothing_to_find(data: Path, quick: bool) -> None:
    """Runs with nothing to find: columns shuffled, another domain, Gaussian with the same variances, mirrored. None may be trusted."""
    rows: list[list[object]] = []
    sentences = encoders(data)
    italian = europarl_counts(data / "europarl", "it", 12_500, 4000)

    def shuffled(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Columns shuffled one by one, in principal coordinates: the same variances, nothing else."""
        Z = X - X.mean(axis=0)
        Z = Z @ np.linalg.svd(Z, full_matrices=False)[2].T
        return np.column_stack([rng.permutation(column) for column in Z.T])

    def gaussian(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        return rng.standard_normal(X.shape) * np.linalg.svd(X - X.mean(axis=0), compute_uv=False) / np.sqrt(len(X))

    def symmetric(X: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Every row and its mirror image: third moments vanish."""
        return np.concatenate([X - X.mean(axis=0), X.mean(axis=0) - X])

    def run(name: str, X: object, Y: object, seed: int) -> None:
        s, columns = fitted(name, X, Y, seed=seed)
        rows.append([name, X.shape[0], "", 0, seed, "", "", "", *columns])  # type: ignore[attr-defined]
        print("  ", rows[-1], flush=True)
        expect(f"{name}, seed {seed}: trusted", float(bool(s.outcome_.trusted)), 0, 0)

    n = 1500 if quick else 3000
    kinds: list[tuple[str, Callable[[np.ndarray, np.random.Generator], np.ndarray]]] = [("columns shuffled", shuffled), ("Gaussian", gaussian), ("mirrored", symmetric)]
    for seed in range(1 if quick else 5):
        left, right, _ = split(10_000, n, 0.0, 0, seed)
        rng = np.random.default_rng(seed)
        for name, make in kinds[: 1 if quick else 3]:
            run(name, sentences[0][left], make(sentences[1][right], rng), seed)
        if not quick:
            run("MiniLM and Europarl", sentences[0][left], italian[rng.permutation(12_500)[:n]], seed)
    show("Nothing to find: none may be trusted", HEADER, rows)
