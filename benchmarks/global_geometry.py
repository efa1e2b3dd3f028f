"""Rows of global geometry: shortest paths, the min-plus product, a whole fit. See peers.py for the contract."""

from __future__ import annotations

import numpy as np

from checks import Wrong
from data import SEED
from peers import K

PAIRS = 1000
BLOCK = 16


# ---- data -----------------------------------------------------------------------------------------------------------


def roll(n: int) -> dict[str, np.ndarray]:
    """A swiss roll: the graph is what geodesics are made for."""
    rng = np.random.default_rng(SEED + 50)
    t = 1.5 * np.pi * (1 + 2 * rng.random(n))
    return {"X": np.column_stack([t * np.cos(t), 21 * rng.random(n), t * np.sin(t)])}


def gaussian(n: int) -> dict[str, np.ndarray]:
    """Rows without any shape in 20 dimensions: the worst case, every row is near every other."""
    return {"X": np.random.default_rng(SEED + 51).standard_normal((n, 20))}


def factors(n: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(SEED + 52)
    return {"A": rng.random((n, 2 * n // 5)), "B": rng.random((2 * n // 5, n))}


def two_views(n: int, features: int = 1000, latent: int = 40) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(SEED + 53)
    hidden = rng.standard_normal((n, latent)) * np.linspace(2, 0.2, latent)
    view = lambda: hidden @ rng.standard_normal((latent, features)) / 10 + 0.3 * rng.standard_normal((n, features))
    return {"X": view(), "Y": view()}


# ---- shortest paths between all rows -----------------------------------------------------------------------------------


def length_graph(X):
    """The union of the neighbours' edges, the same for both sides and off the clock."""
    from scipy import sparse

    import landbridge as lb

    graph = sparse.csr_array(lb.geometry.knn_graph(X, K, mode="sparse"))
    graph = sparse.csr_array(graph.maximum(graph.T))
    graph.indices, graph.indptr = graph.indices.astype(np.int32), graph.indptr.astype(np.int32)
    return graph


def our_paths(dtype):
    def set_up(arrays, threads):
        import landbridge as lb

        graph = length_graph(arrays["X"])

        def work():
            D = lb.geometry.geodesic_distances(None, graph=graph, n_jobs=threads, dtype=dtype)
            return {"distances": lambda: D[::50], "size": np.array(D.nbytes)}

        return work

    return set_up


def scipy_paths(arrays, threads):
    from scipy.sparse.csgraph import dijkstra

    graph = length_graph(arrays["X"])

    def work():
        D = dijkstra(graph, directed=False)
        return {"distances": lambda: D[::50]}

    return work


def within_a_matrix(arrays, reference, answer, measured):
    """At most 1.1 times the matrix that comes out."""
    more = measured["peak_mb"] - measured["before_mb"]
    if "size" in answer and more > 1.1 * float(answer["size"]) / 2**20 + 16:
        raise Wrong(f"memory rose by {more:.0f} MB, over 1.1 x the matrix of {float(answer['size']) / 2**20:.0f} MB")
    return "finite" if np.all(np.isfinite(answer["distances"])) else "some rows are not reached"


def same_paths(arrays, answer, other):
    mine, its = answer["distances"], other["distances"]
    tolerance = 1e-12 if mine.dtype == np.float64 else 1e-6
    error = np.max(np.abs(mine - its)) / np.max(its)
    if not error <= tolerance:
        raise Wrong(f"distances differ by {error:.1e}")


# ---- min-plus product --------------------------------------------------------------------------------------------------


def our_min_plus(arrays, threads):
    import landbridge as lb

    def work():
        return {"product": lb.geometry.min_plus(arrays["A"], arrays["B"], n_jobs=threads)}

    return work


def numpy_min_plus(arrays, threads):
    def work():
        return {"product": numpy_bridges(arrays["A"], arrays["B"])}

    return work


def numpy_bridges(A, B):
    """`min(A[:, u, None] + B[u])` in blocks of rows and of bridges: of those tried (one bridge at a time among them) the fastest."""
    out = np.full((A.shape[0], B.shape[1]), np.inf)
    through = np.empty((BLOCK, BLOCK, B.shape[1]))
    for i in range(0, A.shape[0], BLOCK):
        rows = out[i : i + BLOCK]
        for u in range(0, A.shape[1], BLOCK):
            part = through[: len(rows), : len(B[u : u + BLOCK])]
            np.add(A[i : i + BLOCK, u : u + BLOCK, None], B[u : u + BLOCK], out=part)
            np.minimum(rows, part.min(axis=1), out=rows)
    return out


def shape_of(arrays, reference, answer, measured):
    return f"{answer['product'].shape[0]} x {answer['product'].shape[1]}"


def same_product(arrays, answer, other):
    if not np.array_equal(answer["product"], other["product"]):
        raise Wrong("the products differ")


# ---- whole fit ---------------------------------------------------------------------------------------------------------


def known_pairs(n):
    return np.column_stack([np.arange(min(PAIRS, 2 * n // 5))] * 2)


def our_global(n_components):
    def set_up(arrays, threads):
        import landbridge as lb

        method = lb.GlobalAlignment(n_components, n_neighbors=K, n_jobs=threads)

        def work():
            method.fit([arrays["X"], arrays["Y"]], known_pairs(len(arrays["X"])))
            return {"eigenvalues": method.eigenvalues_, "outcome": np.array(str(method.outcome_))}

        return work

    return set_up


def joint_squares(both, threads, bridges):
    """scikit-learn's neighbours, SciPy's shortest paths, NumPy's minima: the squared joint distances."""
    from scipy.sparse.csgraph import dijkstra
    from sklearn.neighbors import kneighbors_graph

    pairs = known_pairs(len(both[0]))[:, 0]
    graphs = [kneighbors_graph(X, K, mode="distance", n_jobs=threads) for X in both]
    D = [dijkstra(g.maximum(g.T), directed=False) for g in graphs]
    a, b = (M[np.ix_(pairs, pairs)] for M in D)
    D[1] *= np.sum(a * b) / np.sum(b * b)
    across = bridges(np.ascontiguousarray(D[0][:, pairs]), D[1][pairs])
    return np.block([[D[0], across], [across.T, D[1]]]) ** 2


def plain_global(n_components):
    """The paper's formulas one after the other."""

    def set_up(arrays, threads):
        import scipy.linalg
        import sklearn.neighbors  # noqa: F401, off the clock

        def work():
            both = [arrays["X"], arrays["Y"]]
            S = joint_squares(both, threads, lambda A, B: np.array([np.min(row[:, None] + B, axis=0) for row in A]))
            H = np.eye(len(S)) - 1 / len(S)
            Z = scipy.linalg.block_diag(*(X - X.mean(axis=0) for X in both))
            values = scipy.linalg.eigh(Z.T @ (-0.5 * H @ S @ H) @ Z, Z.T @ Z)[0]
            return {"eigenvalues": values[::-1][:n_components]}

        return work

    return set_up


def numpy_global(n_components):
    """The same as fast as it was made: no H, no block-diagonal Z, LAPACK for the wanted part of the spectrum."""

    def set_up(arrays, threads):
        import scipy.linalg
        import sklearn.neighbors  # noqa: F401, off the clock

        def work():
            both = [arrays["X"], arrays["Y"]]
            S = joint_squares(both, threads, numpy_bridges)
            Z = [X - X.mean(axis=0) for X in both]
            n, p = Z[0].shape
            # The datasets are centred each by itself, so that H Z = Z.
            half = np.hstack([S[:, :n] @ Z[0], S[:, n:] @ Z[1]])
            A = -0.5 * np.vstack([Z[0].T @ half[:n], Z[1].T @ half[n:]])
            B = scipy.linalg.block_diag(Z[0].T @ Z[0], Z[1].T @ Z[1])
            values = scipy.linalg.eigh(
                A, B, subset_by_index=[2 * p - n_components, 2 * p - 1], eigvals_only=False, overwrite_a=True, overwrite_b=True
            )[0]
            return {"eigenvalues": values[::-1]}

        return work

    return set_up


def descending(arrays, reference, answer, measured):
    return "eigenvalues descending" if np.all(np.diff(answer["eigenvalues"]) <= 0) else "eigenvalues not sorted"


def same_spectrum(arrays, answer, other):
    error = np.max(np.abs(answer["eigenvalues"] / other["eigenvalues"] - 1))
    if not error <= 1e-8:
        raise Wrong(f"eigenvalues differ by {error:.1e}")
