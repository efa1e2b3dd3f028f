"""Alignment of datasets that share no row, or some, from no pair: sentence encoders, documents, passages; and runs with nothing to find."""

from __future__ import annotations

import gzip
import json
import re
import resource
import unicodedata
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy import sparse

import landbridge as lb
from common import europarl_counts, expect, show
from multiscale import nips

#: Columns of all tables here.
HEADER = ["data", "rows", "shared", "pairs", "seed", "there", "back", "CSLS", "expected", "share found", "soft", "stable", "cover", "trusted", "CPU s"]


def encoders(data: Path) -> list[np.ndarray]:
    """The same 10,000 sentences by two encoders."""
    return [np.load(data / "embeddings" / f"{name}_f16.npy").astype(float) for name in ("minilm_10000x384", "use_10000x512")]


def passages(data: Path, languages: tuple[str, ...], words: int = 4000, verses: int = 10, most: int | None = None, seed: int = 0) -> list[sparse.csr_array]:
    """Counts of the most frequent words in consecutive verses of one chapter, passages that no edition lacks; `most`: so many at random."""

    def lines(name: str) -> list[str]:
        with gzip.open(data / "bible" / f"{name}.txt.gz", "rt", encoding="utf-8") as file:
            return file.read().split("\n")

    chapters = [ref.rpartition(":")[0] for ref in lines("vref")]
    return counted(chapters, {l: lines(l) for l in languages}, words, verses, most, seed)


def counted(chapters: list[str], texts: dict[str, list[str]], words: int, verses: int, most: int | None, seed: int) -> list[sparse.csr_array]:
    """The same from texts by verse."""
    groups: list[list[int]] = []
    last = ""
    for i, chapter in enumerate(chapters):
        if not chapter or any(i >= len(t) or not t[i].strip() for t in texts.values()):
            continue
        if chapter != last or len(groups[-1]) == verses:
            groups.append([])
        groups[-1].append(i)
        last = chapter
    if most is not None:
        groups = [groups[i] for i in np.sort(np.random.default_rng(seed).permutation(len(groups))[:most])]
    out = []
    for text in texts.values():
        documents = [re.findall(r"\w+", " ".join(text[i] for i in group).lower()) for group in groups]
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
    """No pair, and no row in common: sentence encoders, Europarl."""
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
            run("MiniLM-USE", sentences, 4000, 0.0, seed, 0.81)
        run("MiniLM-USE", sentences, 4900, 0.0, 0, 0.8, test=200)
        # As many rows as the 10,000 sentences allow.
        for shared, n in ((0.25, 5142), (0.5, 6000)):
            for seed in range(3):
                run("MiniLM-USE", sentences, n, shared, seed, 0.89, test=1000)
        for known in (5, 20):
            run("MiniLM-USE", sentences, 2000, 0.0, 0, 0.0, known)
        counts = {l: europarl_counts(data / "europarl", l, 12_500, 4000) for l in ("en", "it", "de")}
        for a, b, low in (("en", "it", 0.95), ("en", "de", 0.81)):
            for seed in range(3):
                run(f"Europarl {a}-{b}", [counts[a], counts[b]], 5000, 0.0, seed, low, test=1000)
        for n in (2000, 1000):
            run("Europarl en-it", [counts["en"], counts["it"]], n, 0.0, 0, 0.0, test=1000)
    show("No pair, rows in common: see column `shared`; top-1 of unseen rows", HEADER, rows)


def shuffled(name: str, both: list[sparse.csr_array], seed: int, known: int) -> list[object]:
    """Fits rows and their shuffled counterparts, and returns a row of the table: top-1 by cosine there and back, and by CSLS."""
    X, Y = both
    n = X.shape[0]
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    truth = np.argsort(order)
    given = rng.permutation(n)[:known]
    s, columns = fitted(name, X, Y[order], seed=seed, known=np.column_stack([given, truth[given]]) if known else None)
    there = truth.copy()
    there[given] = -1
    Z, W = s.embeddings_
    top = [float(lb.metrics.recall_at_k(*z, k=1, truth=t, metric="cosine")) for z, t in (((Z, W), there), ((W, Z), order))]
    csls = s.match(how="csls")[0][:, 0]
    top.append(float((csls == truth)[there >= 0].mean()))
    row = [name, n, "100%", known, seed, *top, *columns]
    print("  ", row, flush=True)
    return row


def hebrew(data: Path, quick: bool) -> None:
    """English and German with Hebrew from no pair: passages of ten, five and three verses, fewer passages, few pairs."""
    rows: list[list[object]] = []

    def run(languages: tuple[str, str], verses: int, most: int | None, seed: int, known: int, low: float) -> None:
        both = passages(data, languages, verses=verses, most=most, seed=seed)
        rows.append(shuffled(f"{languages[0]}-{languages[1]}, {verses} verses", both, seed, known))
        expect(f"{languages}, {verses} verses, {both[0].shape[0]} rows, seed {seed}, {known} pairs: CSLS", rows[-1][7], low, 1)  # type: ignore[arg-type]

    for seed in range(1 if quick else 3):
        run(("en", "he"), 10, None, seed, 0, 0.93)
    if not quick:
        for seed in range(3):
            run(("en", "he"), 10, 2000, seed, 0, 0.9)
        run(("de", "he"), 10, None, 0, 0, 0.9)
        run(("en", "he"), 10, 1000, 0, 0, 0.0)
        run(("en", "he"), 10, 1000, 0, 20, 0.9)
        run(("en", "he"), 5, None, 0, 0, 0.85)
        run(("en", "he"), 3, None, 0, 0, 0.7)
        run(("en", "he"), 1, 5000, 0, 0, 0.0)
    show("Passages of the Bible from no pair, or few", HEADER, rows)


def arabic(data: Path, quick: bool) -> None:
    """Arabic with English and others, from no pair and few: three and five verses of the Quran a row.

    DIR/quran is what `npm pack quran-json` unpacks (CC-BY-4.0). Without that folder the experiment is left out.
    """
    folder = data / "quran" / "dist"
    if not folder.is_dir():
        print("  left out: no folder quran (the package quran-json of the npm registry)")
        return

    def verses_of(language: str) -> list[str]:
        name, key = ("quran", "text") if language == "ar" else (f"quran_{language}", "translation")
        book = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        texts = [unicodedata.normalize("NFD", verse[key]) for chapter in book for verse in chapter["verses"]]
        # Without vowel signs; one form of alif.
        return ["".join(c for c in t if not unicodedata.combining(c)).replace("\u0671", "\u0627").replace("\u0640", "") for t in texts]

    book = json.loads((folder / "quran.json").read_text(encoding="utf-8"))
    chapters = [str(chapter["id"]) for chapter in book for _ in chapter["verses"]]
    rows: list[list[object]] = []

    def run(language: str, verses: int, seed: int, known: int) -> None:
        both = counted(chapters, {l: verses_of(l) for l in (language, "ar")}, 4000, verses, None, 0)
        rows.append(shuffled(f"{language}-ar, {verses} verses", both, seed, known))

    for known in (0,) if quick else (0, 10, 20, 50):
        for seed in range(1 if quick else 3):
            run("en", 3, seed, known)
    if not quick:
        for language, verses in (("en", 5), ("fr", 3), ("tr", 3), ("id", 3), ("ur", 3)):
            run(language, verses, 0, 0)
    show("Verses of the Quran, Arabic from no pair, or few", HEADER, rows)


def nothing_to_find(data: Path, quick: bool) -> None:
    """Ten kinds of runs with nothing to find, twenty of each: shuffled, Gaussian, mirrored, unrelated. None may be trusted."""
    rows: list[list[object]] = []
    sentences = encoders(data)
    speeches = {l: europarl_counts(data / "europarl", l, 12_500, 4000) for l in ("en", "it", "de")}
    bible = {l: passages(data, (l,), verses=8)[0] for l in ("en", "he", "de")}
    papers = nips(data)[0][:, :4000]
    words = [np.load(gzip.open(next((data / "xling-en-fr").glob(f"{l}_*.npy.gz")))).astype(float) for l in ("en", "fr")]

    def principal(X: np.ndarray) -> np.ndarray:
        Z = X - X.mean(axis=0)
        return Z @ np.linalg.svd(Z, full_matrices=False)[2].T

    def shuffled_counts(X: sparse.csr_array, rng: np.random.Generator) -> sparse.csr_array:
        out = X.tocsc().copy()
        for j in range(X.shape[1]):
            first, end = out.indptr[j], out.indptr[j + 1]
            out.indices[first:end] = np.sort(rng.permutation(X.shape[0])[: end - first])
        return out.tocsr()

    def kinds(n: int, rng: np.random.Generator) -> dict[str, Callable[[], tuple[object, object]]]:
        order = rng.permutation(10_000)
        minilm, use = sentences[0][order[:n]], sentences[1][order[n : 2 * n]]
        some = lambda M: M[np.sort(rng.permutation(M.shape[0])[:n])]
        half = minilm[: n // 2] - minilm.mean(axis=0)
        return {
            "columns shuffled": lambda: (minilm, np.column_stack([rng.permutation(c) for c in principal(use).T])),
            "Gaussian, same variances": lambda: (minilm, rng.standard_normal(use.shape) * np.linalg.svd(use - use.mean(axis=0), compute_uv=False)),
            "rows and their mirror images": lambda: (minilm, np.concatenate([half, -half])),
            "MiniLM and Europarl it": lambda: (minilm, some(speeches["it"])),
            "Bible en and Europarl it": lambda: (some(bible["en"]), some(speeches["it"])),
            "Bible he and Europarl de": lambda: (some(bible["he"]), some(speeches["de"])),
            "words en and MiniLM": lambda: (some(words[0]), minilm),
            "words fr and USE": lambda: (some(words[1]), use),
            "Europarl en, it with columns shuffled": lambda: (some(speeches["en"]), shuffled_counts(some(speeches["it"]), rng)),
            "papers and Bible de": lambda: (some(papers), some(bible["de"])),
        }

    for seed in range(1 if quick else 20):
        made = kinds(500 if quick else 1000, np.random.default_rng(seed))
        for name, both in list(made.items())[:: 5 if quick else 1]:
            X, Y = both()
            s, columns = fitted(name, X, Y, seed=seed)
            o = s.outcome_
            rows.append([name, X.shape[0], "", 0, seed, o.reproducibility, o.null, "", *columns])  # type: ignore[attr-defined]
            print("  ", rows[-1], flush=True)
            expect(f"{name}, seed {seed}: trusted", float(bool(o.trusted)), 0, 0)
    show("Nothing to find: none may be trusted (there: reproducibility, back: its null)", HEADER, rows)
    print(f"  trusted: {sum(r[-2] == 'True' for r in rows)} of {len(rows)}")
