"""Rows about datasets without pairs: local patterns and Gromov-Wasserstein transport. See peers.py for the contract."""

from __future__ import annotations

import itertools

import numpy as np

from checks import Wrong
from data import SEED

K_PATTERN = 4


def clouds(columns):
    """Two samples of one cloud, one turned: patterns alike, none the same."""

    def make(n):
        rng = np.random.default_rng(SEED + 90)
        X = rng.standard_normal((n, columns))
        turn, _ = np.linalg.qr(rng.standard_normal((columns, columns)))
        return {"X": X, "Y": (X + 0.05 * rng.standard_normal((n, columns)))[rng.permutation(n)] @ turn}

    return make


def our_patterns(arrays, threads):
    import landbridge as lb

    def work():
        pairs = lb.infer_pairs(arrays["X"], arrays["Y"], n_neighbors=K_PATTERN, rigid=False, n_jobs=threads)
        return {"pairs": pairs[np.lexsort(pairs.T[::-1])]}

    return work


def plain_patterns(arrays, threads):
    """Both sides as matrices, one product for each order of the neighbours; mutual best."""
    from sklearn.neighbors import NearestNeighbors

    k = K_PATTERN
    inner = list(itertools.combinations(range(k), 2))

    def patterns(X):
        distances, index = NearestNeighbors(n_neighbors=k + 1, n_jobs=threads).fit(X).kneighbors(X)
        around = X[index[:, 1:]]
        beside = np.stack([np.linalg.norm(around[:, u] - around[:, v], axis=1) for u, v in inner], axis=1)
        return np.hstack([distances[:, 1:], beside])

    def work():
        R, S = patterns(arrays["X"]), patterns(arrays["Y"])
        r, s = (P / np.linalg.norm(P, axis=1, keepdims=True) for P in (R, S))
        largest = np.full((len(R), len(S)), -np.inf)
        for order in itertools.permutations(range(k)):
            places = list(order) + [k + inner.index((min(order[u], order[v]), max(order[u], order[v]))) for u, v in inner]
            np.maximum(largest, r[:, places] @ s.T, out=largest)
        smaller = np.minimum.outer((R**2).sum(axis=1), (S**2).sum(axis=1))
        left = smaller * (1 - largest**2)
        there, back = left.argmin(axis=1), left.argmin(axis=0)
        rows = np.flatnonzero(back[there] == np.arange(len(R)))
        return {"pairs": np.column_stack([rows, there[rows]])}

    return work


def some_pairs(arrays, reference, answer, measured):
    if len(answer["pairs"]) == 0:
        raise Wrong("no pair chooses each other")
    return f"{len(answer['pairs'])} mutual pairs"


def same_pairs(arrays, answer, other):
    a, b = ({tuple(p) for p in np.asarray(x["pairs"]).tolist()} for x in (answer, other))
    if a != b:
        raise Wrong(f"{len(a ^ b)} pairs differ")


EPSILON, TOLERANCE = 5e-3, 1e-9


def course(n):
    """A branching course in two sets of features, as large as SNARE-seq."""
    rng = np.random.default_rng(SEED + 91)
    t, branch = rng.random(n), rng.integers(0, 4, n)
    course = np.column_stack([t, np.where(branch == 1, t**2, 0), np.where(branch == 2, t, 0), np.where(branch == 3, t**3, 0)])
    sides = (("X", 19), ("Y", 10))
    return {name: np.tanh(course @ rng.standard_normal((4, features)) * 2) + 0.05 * rng.standard_normal((n, features)) for name, features in sides}


def cells(n):
    """Hops over neighbour graphs of both sets of features."""
    from scipy.sparse.csgraph import shortest_path
    from sklearn.neighbors import kneighbors_graph

    out = {}
    for name, X in zip(("C1", "C2"), course(n).values()):
        graph = kneighbors_graph(X, max(10, n // 20), mode="connectivity")
        D = shortest_path(graph.maximum(graph.T), unweighted=True)
        D[np.isinf(D)] = D[np.isfinite(D)].max()
        out[name] = D / D.max()
    return out


def our_transport(arrays, threads):
    import landbridge as lb

    def work():
        plan, info = lb.solve.entropic_gw(arrays["C1"], arrays["C2"], EPSILON, max_iter=1000, tol=TOLERANCE, n_jobs=threads)
        return {"plan": plan, "objective": np.array([info["objective"]])}

    return work


def our_inferred(arrays, threads):
    import landbridge as lb

    def work():
        pairs = lb.infer_pairs(arrays["X"], arrays["Y"], how="transport", n_jobs=threads)
        return {"pairs": np.asarray(pairs)}

    return work


def near_partners(seconds):
    """Partners are nearer than others, and the call stayed within the limit or says that it did not."""

    def check(arrays, reference, answer, measured):
        pairs, n = answer["pairs"], len(arrays["X"])
        between = np.linalg.norm(arrays["X"][:, None] - arrays["X"][None], axis=2)
        places = between.argsort(axis=1).argsort(axis=1)
        rank = float(np.mean(places[pairs[:, 0], pairs[:, 1]])) / n
        if not rank < 0.4:
            raise Wrong(f"partners are at {rank:.2f} of the rows")
        return f"{len(pairs)} pairs, partners among the nearest {rank:.3f} of the rows, limit {seconds} s"

    return check


def pot_transport(arrays, threads):
    import ot

    def work():
        C1, C2 = arrays["C1"], arrays["C2"]
        p, q = np.full(len(C1), 1 / len(C1)), np.full(len(C2), 1 / len(C2))
        plan = ot.gromov.entropic_gromov_wasserstein(C1, C2, p, q, "square_loss", epsilon=EPSILON, max_iter=1000, tol=TOLERANCE)
        cost = (C1**2).mean() + (C2**2).mean() - 2 * np.sum((C1 @ plan @ C2) * plan)
        return {"plan": plan, "objective": np.array([cost])}

    return work


def a_plan(arrays, reference, answer, measured):
    n, m = answer["plan"].shape
    off = max(np.abs(answer["plan"].sum(axis=1) - 1 / n).max() * n, np.abs(answer["plan"].sum(axis=0) - 1 / m).max() * m)
    if off > 1e-3:
        raise Wrong(f"rows and columns of the plan are off by {off:.0e}")
    return f"cost {float(answer['objective'][0]):.5f}, sums within {off:.0e}"


def same_plan(arrays, answer, other):
    off = np.abs(answer["plan"] - other["plan"]).max()
    if off > 1e-6:
        raise Wrong(f"plans differ by {off:.1e}")
