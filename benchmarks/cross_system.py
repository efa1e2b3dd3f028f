"""Rows of unfolding and CLLE: the data, what we do, what the peers do, the checks."""

from __future__ import annotations

import os
import subprocess
import tempfile

import numpy as np

import data
from checks import Wrong

K = 6


# ---- maximum variance unfolding ---------------------------------------------------------------------------------------


def roll_graph(n: int) -> dict[str, np.ndarray]:
    """Points of a swiss roll, their distances, and the edges between nearest neighbours; connected."""
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components
    from scipy.spatial.distance import cdist

    rng = np.random.default_rng(data.SEED + 20)
    t = 1.5 * np.pi * (1 + 2 * rng.random(n))
    X = np.column_stack([t * np.cos(t), 21 * rng.random(n), t * np.sin(t)])
    D = cdist(X, X)
    near = np.argsort(D, axis=1)[:, 1 : K + 1]
    edges = {(min(i, j), max(i, j)) for i in range(n) for j in near[i]}
    while True:
        ends = np.array(sorted(edges))
        graph = sparse.coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(n, n))
        parts, part = connected_components(graph, directed=False)
        if parts == 1:
            return {"D": D, "edges": ends.astype(np.int64)}
        inside, outside = np.flatnonzero(part == 0), np.flatnonzero(part != 0)
        between = D[np.ix_(inside, outside)]
        i, j = np.unravel_index(between.argmin(), between.shape)
        edges.add((min(inside[i], outside[j]), max(inside[i], outside[j])))


def our_mvu(arrays, threads):
    import landbridge as lb

    def work():
        K, info = lb.solve.mvu(arrays["D"], arrays["edges"], equality=False, n_jobs=threads)
        return {"objective": np.array(info["objective"]), "violation": np.array(info["violation"]), "gap": np.array(info["gap"])}

    return work


def csdp(arrays, threads):
    """The same program: the last point at the origin, a slack per edge. Writing the file is outside the clock."""
    D, edges = arrays["D"], arrays["edges"]
    n, m = len(D), len(edges)
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, "unfolding.dat-s")
    with open(path, "w", encoding="ascii") as file:
        print(m, 2, f"{n - 1} -{m}", " ".join(repr(float(D[i, j] ** 2)) for i, j in edges), sep="\n", file=file)
        for i in range(n - 1):
            for j in range(i, n - 1):
                print(0, 1, i + 1, j + 1, repr(float(i == j) - 1 / n), file=file)
        for e, (i, j) in enumerate(edges):
            print(e + 1, 1, i + 1, i + 1, 1.0, file=file)
            if j < n - 1:
                print(e + 1, 1, i + 1, j + 1, -1.0, file=file)
                print(e + 1, 1, j + 1, j + 1, 1.0, file=file)
            print(e + 1, 2, e + 1, e + 1, 1.0, file=file)

    def work():
        said = subprocess.run(["csdp", path, os.path.join(folder, "solution")], capture_output=True, text=True).stdout
        line = [line for line in said.splitlines() if "Primal objective" in line]
        if not line:
            raise RuntimeError(f"csdp: {said.strip().splitlines()[-1:]}")
        return {"program": True, "objective": np.array(float(line[-1].split()[-1])), "violation": np.array(0.0), "gap": np.array(0.0)}

    return work


def solved(arrays, reference, answer, measured):
    if not (answer["violation"] <= 1e-6 and abs(answer["gap"]) <= 1e-6):
        raise Wrong(f"violation {answer['violation']:.1e}, gap {answer['gap']:.1e}")
    return f"objective {float(answer['objective']):.3f}"


def same_objective(arrays, ours, peer):
    error = abs(ours["objective"] / peer["objective"] - 1)
    if not error <= 1e-6:
        raise Wrong(f"objectives differ by {error:.1e}")


# ---- CLLE --------------------------------------------------------------------------------------------------------------


def two_rolls(n: int) -> dict[str, np.ndarray]:
    """A sheet rolled up in two ways; a twentieth of the points are pairs."""
    rng = np.random.default_rng(data.SEED + 21)
    t, h = rng.random(n), rng.random(n)
    a = 1.5 * np.pi * (1 + 2 * t)
    X = np.column_stack([a * np.cos(a), 21 * h, a * np.sin(a)])
    b = 3 * np.pi * (t - 0.5)
    Y = np.column_stack([np.sin(b), 2 * h, np.sign(b) * (np.cos(b) - 1)])
    known = rng.permutation(n)[: n // 20]
    return {"X": X, "Y": Y, "pairs": np.column_stack([known, known])}


def our_clle(d):
    def set_up(arrays, threads):
        import landbridge as lb

        method = lb.CLLE(d, n_neighbors=10, n_jobs=threads)

        def work():
            method.fit([arrays["X"], arrays["Y"]], arrays["pairs"])
            return {"values": method.eigenvalues_, "Z": np.vstack(method.embeddings_)}

        return work

    return set_up


def scipy_clle(d):
    """scikit-learn finds neighbours and weights, SciPy merges the rows and takes the bottom of M by shift-invert."""

    def set_up(arrays, threads):
        from scipy import sparse
        from scipy.sparse.linalg import eigsh
        from sklearn.manifold._locally_linear import barycenter_kneighbors_graph
        from sklearn.neighbors import NearestNeighbors

        both, pairs = (arrays["X"], arrays["Y"]), arrays["pairs"]

        def work():
            n = len(both[0])
            node = np.arange(2 * n)
            node[n + pairs[:, 1]] = pairs[:, 0]
            node = np.unique(node, return_inverse=True)[1]
            nodes = node.max() + 1
            M = sparse.csr_array((nodes, nodes))
            for a, X in enumerate(both):
                near = NearestNeighbors(n_neighbors=10, n_jobs=threads).fit(X)
                W = barycenter_kneighbors_graph(near, 10, reg=1e-3, n_jobs=threads)
                S = sparse.csr_array((np.ones(n), (np.arange(n), node[a * n : (a + 1) * n])), shape=(n, nodes))
                R = sparse.csr_array(sparse.eye_array(n) - sparse.csr_array(W)) @ S
                M = M + R.T @ R
            v0 = np.random.default_rng(0).standard_normal(nodes)
            values, vectors = eigsh(sparse.csc_array(M), k=d + 1, sigma=-1e-10, which="LM", v0=v0)
            return {"values": values[1:], "Z": vectors[node, 1:]}

        return work

    return set_up


def ascending(arrays, reference, answer, measured):
    if not np.all(np.diff(answer["values"]) >= -1e-15):
        raise Wrong("eigenvalues are not sorted")
    return "eigenvalues ascending"


def same_space(arrays, ours, peer):
    """The same directions: the sine of the largest angle between the spaces that the rows span."""
    q = [np.linalg.qr(answer["Z"])[0] for answer in (ours, peer)]
    gap = np.linalg.norm(q[1] - q[0] @ (q[0].T @ q[1]), 2)
    if not gap <= 1e-4:
        raise Wrong(f"the embeddings span spaces {gap:.1e} apart")
