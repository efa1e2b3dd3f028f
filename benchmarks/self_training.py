"""Self-training from no pair at all: the data, what we do, the same recipe in plain NumPy, the checks."""

from __future__ import annotations

import numpy as np

import data
from checks import Wrong

GROWTH, HOLD, FIRST, LAST = 20, 4, 10, 200
NEAREST = 10
SCALES = (3, 5, 8, 12, 20, 35, 60, 100)
SHARES = (0.01, 0.05, 0.2)
QUANTILES, LANDMARKS = 200, 2000
GOOD = 0.9


# ---- data ---------------------------------------------------------------------------------------------------------


def bilingual(n: int, words: int = 4000, themes: int = 80, length: int = 300) -> dict[str, np.ndarray]:
    """Word counts of the same documents in two languages, the second in another order.

    Themes are felt more or less strongly in a document, some matter much more than others, and none is the mirror image
    of another: without that no shape would tell documents apart. Each language has words of its own for them.
    """
    rng = np.random.default_rng(data.SEED + 30)
    zipf = np.log(1 / (np.arange(words) + 100))
    strength = 1 / np.arange(1, themes + 1) ** 0.3
    felt = (rng.exponential(size=(n, themes)) - 1) * strength
    meaning = rng.exponential(size=(words, themes)) * (rng.random((words, themes)) < 0.1)
    lengths = np.maximum(40, rng.lognormal(np.log(length), 0.5, size=n).astype(int))
    order = rng.permutation(n)
    arrays = {"words": np.array(words), "truth": np.argsort(order).astype(np.int64)}
    for name in ("X", "Y"):
        # A fifth of what a word means is found in one language only.
        own = np.where(rng.random(meaning.shape) < 0.2, 0, meaning)[rng.permutation(words)]
        indptr, indices, counts = [0], [], []
        for i in order if name == "Y" else range(n):
            law = np.cumsum(np.exp(np.minimum(zipf + own @ felt[i], -4.5)))
            word, count = np.unique(np.searchsorted(law, rng.random(lengths[i]) * law[-1]).clip(max=words - 1), return_counts=True)
            indices.append(word)
            counts.append(count)
            indptr.append(indptr[-1] + len(word))
        arrays |= {
            f"{name}_indptr": np.asarray(indptr, dtype=np.int32),
            f"{name}_indices": np.concatenate(indices).astype(np.int32),
            f"{name}_data": np.concatenate(counts).astype(np.float64),
        }
    return arrays


def documents(arrays):
    from scipy import sparse

    parts = ((arrays[f"{s}_data"], arrays[f"{s}_indices"], arrays[f"{s}_indptr"]) for s in ("X", "Y"))
    return [sparse.csr_matrix(p, shape=(len(p[2]) - 1, int(arrays["words"]))) for p in parts]


# ---- ours ---------------------------------------------------------------------------------------------------------


def ours(arrays, threads):
    import landbridge as lb

    X, Y = documents(arrays)
    method = lb.SelfTraining(n_jobs=threads)

    def work():
        method.fit([X, Y])
        Z, W = method.embeddings_
        outcome = method.outcome_
        return {"best": lambda: best_by_cosine(Z, W), "scores": np.array([outcome.reproducibility, outcome.null]), "trusted": np.array(outcome.trusted)}

    return work


# ---- plain NumPy --------------------------------------------------------------------------------------------------


def unit(A):
    return A / np.maximum(np.linalg.norm(A, axis=1, keepdims=True), 1e-12)


def best_by_cosine(Z, W):
    return (unit(np.asarray(Z)) @ unit(np.asarray(W)).T).argmax(axis=1)


def coordinates(counts):
    """log(1 + tf) idf, unit rows, 200 singular vectors; centred, unit rows, centred, principal coordinates."""
    from scipy import sparse
    from scipy.sparse.linalg import svds

    n = counts.shape[0]
    weighed = counts.copy()
    weighed.data = np.log1p(weighed.data) * np.log(n / np.bincount(counts.indices, minlength=counts.shape[1]).clip(1))[counts.indices]
    length = np.sqrt(np.asarray(weighed.multiply(weighed).sum(axis=1)).ravel()).clip(1e-12)
    U, s, _ = svds(sparse.diags(1 / length) @ weighed, k=min(LAST, n // 5), random_state=0)
    A = U * s
    A = unit(A - A.mean(axis=0))
    U, s, _ = np.linalg.svd(A - A.mean(axis=0), full_matrices=False)
    kept = int((s > 1e-6 * s[0]).sum())
    return (U[:, :kept] * s[:kept]).astype(np.float32)


def standardized(block):
    return (block - block.mean(axis=0)) / (block.std(axis=0) + 1e-9)


def signatures(A):
    n = len(A)
    chosen = np.sort(np.random.default_rng(0).permutation(n)[:LANDMARKS])
    blocks = []
    for d in SCALES:
        rows = unit(A[:, :d])
        near = rows @ rows[chosen].T
        falling = -np.sort(-near, axis=1)[:, 1:]
        curve = standardized(falling[:, ((np.arange(QUANTILES) + 0.5) / QUANTILES * falling.shape[1]).astype(int)])
        blocks.append(unit(curve))
        for share in SHARES:
            count = max(2, int(share * len(chosen)))
            mean = np.zeros_like(near)
            np.put_along_axis(mean, np.argpartition(-near, count - 1, axis=1)[:, :count], np.float32(1 / count), axis=1)
            blocks.append(unit(standardized(mean @ curve[chosen])))
    return blocks


def nearness(S):
    return np.partition(S, S.shape[1] - NEAREST, axis=1)[:, -NEAREST:].mean(axis=1)


def mutual(S):
    M = 2 * S - nearness(S)[:, None] - nearness(np.ascontiguousarray(S.T))[None]
    there, back = M.argmax(axis=1), M.argmax(axis=0)
    rows = np.flatnonzero(back[there] == np.arange(len(S)))
    return np.column_stack([rows, there[rows]])


def mapped(A, B, pairs, power):
    U, s, Vt = np.linalg.svd(A[pairs[:, 0]].T @ B[pairs[:, 1]], full_matrices=False)
    s = s / max(s[0], 1e-30)
    kept = max(1, int((s > 1e-6).sum()))
    scale = s[:kept] ** power
    return unit(A @ (U[:, :kept] * scale)), unit(B @ (Vt[:kept].T * scale))


def grown(A, B, matches, hold):
    last = max(A.shape[1], B.shape[1])
    before = None
    for t in range(GROWTH + hold):
        d = round(FIRST * (last / FIRST) ** min(1, t / GROWTH))
        Z, W = mapped(unit(A[:, :d]), unit(B[:, :d]), matches, 0.5)
        matches = mutual(Z @ W.T)
        if t >= GROWTH:
            if before is not None and np.array_equal(before, matches):
                break
            before = matches
    return matches


def start(A, B):
    x, y = signatures(A), signatures(B)
    return mutual(sum(a @ b.T for a, b in zip(x, y)) / len(x))


def reproduced(A, B, matches):
    order = np.random.default_rng(0).permutation(len(matches))
    halves = np.array_split(order, 2)
    hits = 0
    for fit, test in (halves, halves[::-1]):
        Z, W = mapped(unit(A), unit(B), matches[fit], 0.5)
        found = {tuple(pair) for pair in mutual(Z @ W.T)}
        hits += sum(tuple(pair) in found for pair in matches[test])
    return hits / max(1, len(matches))


def refitted(A, B, matches):
    whitened = []
    for Z, rows in ((A, matches[:, 0]), (B, matches[:, 1])):
        values, vectors = np.linalg.eigh(Z[rows].T.astype(float) @ Z[rows] / len(rows))
        whitened.append(Z @ (vectors / np.sqrt(values + values.mean())) @ vectors.T)
    return mapped(*whitened, matches, 1.0)


def plain_numpy(arrays, threads):
    """One run, its score, two runs on shuffled columns, the refit."""
    X, Y = documents(arrays)

    def work():
        A, B = coordinates(X), coordinates(Y)
        matches = grown(A, B, start(A, B), HOLD)
        score = reproduced(A, B, matches)
        null = 0.0
        for seed in range(2):
            rng = np.random.default_rng(seed)
            shuffled = np.stack([rng.permutation(column) for column in B.T], axis=1)
            null = max(null, reproduced(A, shuffled, grown(A, shuffled, start(A, shuffled), 1)))
        Z, W = refitted(A, B, matches)
        return {"best": lambda: best_by_cosine(Z, W), "scores": np.array([score, null]), "trusted": np.array(score >= max(0.5, null + 0.2))}

    return work


# ---- checks -------------------------------------------------------------------------------------------------------


def found_again(arrays, reference, answer, measured):
    """Nearly every document finds its partner, and the score says so."""
    share = float((answer["best"] == arrays["truth"]).mean())
    if share < 0.97 or not answer["trusted"]:
        raise Wrong(f"only {share:.3f} of the documents find their partner, trusted: {bool(answer['trusted'])}")
    score, null = answer["scores"]
    return f"top-1 {share:.3f}, reproducibility {score:.2f}, null {null:.2f}"


def same_partners(arrays, answer, theirs):
    same = float((answer["best"] == theirs["best"]).mean())
    if same < 0.97:
        raise Wrong(f"only {same:.3f} of the documents have the same partner")
