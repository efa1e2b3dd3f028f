"""Multiscale alignment on real data: two topic spaces of the NIPS papers."""

from __future__ import annotations

import gzip
import time
import warnings
from pathlib import Path

import numpy as np
from scipy import sparse

import landbridge as lb
from common import expect, show

TOPICS = 400


def nips(data: Path) -> tuple[sparse.csr_array, list[str]]:
    """Counts of 1,740 papers, lines of `gap[:count] ...`, and the words."""
    indptr, indices, values = [0], [], []
    with gzip.open(data / "nips12" / "bow.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            word = -1
            for entry in line.split():
                gap, _, count = entry.partition(":")
                word += int(gap) + 1
                indices.append(word)
                values.append(float(count or 1))
            indptr.append(len(indices))
    with gzip.open(data / "nips12" / "vocab.tsv.gz", "rt", encoding="utf-8") as lines:
        words = [line.split("\t")[0] for line in lines][1:]
    return sparse.csr_array((values, indices, indptr), shape=(len(indptr) - 1, len(words))), words


def lda_topics(X: sparse.csr_array, quick: bool) -> tuple[np.ndarray, str]:
    """Topic-word shares of a latent Dirichlet allocation, and how it was made.

    Collapsed Gibbs sampling where numba is there: scikit-learn's variational updates leave most of 400 topics unused on
    these papers (14 of 400 have a tenth of any paper).
    """
    try:
        import numba
    except ImportError:
        from sklearn.decomposition import LatentDirichletAllocation

        model = LatentDirichletAllocation(TOPICS, learning_method="online", max_iter=1 if quick else 8, random_state=0)
        model.fit(sparse.csr_matrix(X))
        return model.components_ / model.components_.sum(axis=1, keepdims=True), "scikit-learn, variational"

    alpha, beta = 0.1, 0.01

    @numba.njit(cache=False)
    def sweep(document, word, topic, of_document, of_word, total, random, p):
        for i in range(len(word)):
            d, w, k = document[i], word[i], topic[i]
            of_document[d, k] -= 1
            of_word[w, k] -= 1
            total[k] -= 1
            running = 0.0
            for t in range(len(total)):
                running += (of_document[d, t] + alpha) * (of_word[w, t] + beta) / (total[t] + beta * of_word.shape[0])
                p[t] = running
            k = np.searchsorted(p, random[i] * running)
            topic[i] = k
            of_document[d, k] += 1
            of_word[w, k] += 1
            total[k] += 1

    rng = np.random.default_rng(0)
    counts = X.data.astype(np.int64)
    word = np.repeat(X.indices.astype(np.int64), counts)
    document = np.repeat(np.repeat(np.arange(X.shape[0]), np.diff(X.indptr)), counts)
    topic = rng.integers(0, TOPICS, len(word))
    of_document = np.zeros((X.shape[0], TOPICS), np.int32)
    of_word = np.zeros((X.shape[1], TOPICS), np.int32)
    np.add.at(of_document, (document, topic), 1)
    np.add.at(of_word, (word, topic), 1)
    total = of_word.sum(axis=0).astype(np.int64)
    sweeps = 5 if quick else 60
    for _ in range(sweeps):
        sweep(document, word, topic, of_document, of_word, total, rng.random(len(word)), np.empty(TOPICS))
    shares = (of_word + beta).T / (total + beta * X.shape[1])[:, None]
    return shares, f"collapsed Gibbs sampling, {sweeps} sweeps"


def dimensions(eigenvalues: np.ndarray, precision: float) -> list[int]:
    ratio = eigenvalues[0] / eigenvalues
    return [int(np.sum(ratio ** (2.0**k) >= precision)) for k in (1, 2, 3)]


def nearest_to_print(eigenvalues: np.ndarray) -> tuple[float, list[int]]:
    """The precision whose first three dimensions are nearest to the printed 800, 91, 2 (in logarithms)."""
    grid = np.logspace(-9, -1, 801)
    away = [np.abs(np.log(np.maximum(dimensions(eigenvalues, e), 1)) - np.log([800, 91, 2])).sum() for e in grid]
    best = float(grid[int(np.argmin(away))])
    return best, dimensions(eigenvalues, best)


def topics(data: Path, quick: bool) -> None:
    """NIPS 1-12 in two topic spaces, LSI-400 and LDA-400, a fifth of the papers known in both."""
    X, words = nips(data)
    n = X.shape[0]
    started = time.perf_counter()
    lsi = lb.LSI(TOPICS, prepare=None).fit(X).components_
    lda, how = lda_topics(X, quick)
    print(f"\n  topics made in {time.perf_counter() - started:.0f} s; LDA by {how}")
    documents = {"LSI": X @ lsi.T, "LDA": X @ lda.T}
    chosen = np.sort(np.random.default_rng(0).choice(n, n // 5, replace=False))
    rest = np.setdiff1d(np.arange(n), chosen)
    pairs = np.column_stack([chosen, chosen])
    settings: dict[str, dict[str, object]] = {
        "balanced (default)": {},
        "balanced, mu = 1": {"mu": 1.0},
        "raw mu = 1 (as printed)": {"mu": 1.0, "balance": False},
    }
    rows: list[list[object]] = []
    for name, params in settings.items():
        started = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", lb.AlignmentWarning)
            t = lb.align_topics(documents, [lsi, lda], words, pairs, metric="cosine", weights="binary", **params)
        seconds = time.perf_counter() - started
        a = t.alignment_
        precision, near = nearest_to_print(a.eigenvalues_)
        for level in range(min(4, len(t.levels_))):
            shown = a.at_level(level)
            found = float(lb.metrics.recall_at_k(*(z[rest] for z in shown.embeddings_), k=1, metric="cosine"))
            own, common = t.agreement(level)
            rows.append([name, f"level {level + 1} (k = {level + 1})", t.levels_[level], own, common, found, f"{seconds:.1f} s"])
            if name == "balanced (default)" and level == 1 and not quick:
                expect("NIPS, own column best at level 2", own, 0.90, 1.0)
                expect("NIPS, unpaired papers found at level 2", found, 0.80, 1.0)
        rows.append([name, f"nearest to print: precision {precision:.1e}", " / ".join(map(str, near)), "", "", "", "800 / 91 / 2"])
        if name == "balanced (default)":
            side_by_side = t
    show(
        f"NIPS 1-12, {n} papers, LSI-{TOPICS} and LDA-{TOPICS}, {len(chosen)} known pairs, centred, precision 1e-5; published levels 800, 91, 2",
        ["pair weight", "level", "dimension", "own column best", "top-8 words shared", "others found, top 1", "fit"],
        rows,
    )
    for level in (1, 2, min(4, len(side_by_side.levels_) - 1)):
        count = side_by_side.levels_[level]
        print(f"\n  {min(5, count)} of {count} topics at level {level + 1}, those most alike")
        print("    " + side_by_side.table(level, 8, 5).replace("\n", "\n    "))
    print(
        "\n  The chapter reads its third level, two topics, as machine learning and neuroscience. With strong pairs the coarsest"
        "\n  levels do read like that (cells and spikes; states and policies; models and data). With its own raw mu = 1 topics do not"
        "\n  match across the two spaces at the coarse levels, and its printed words (recurrent hmm user ..., chain protein mouse ...)"
        "\n  support the reading only weakly. 800 / 91 / 2 depends on the precision and on the topics; see the nearest rows."
    )
    side_by_side.tree("nips-topics.svg")
    print("  picture: nips-topics.svg")
