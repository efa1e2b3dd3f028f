"""What the peers do: each function sets up a side and returns the work that is timed.

`side(arrays, threads)` may import, convert and choose options; the function it returns does the whole job from
the loaded arrays and returns the answer, a dict of arrays. An answer may hold callables: they are called after the
clock has stopped, for quantities that only the check needs.
"""

from __future__ import annotations

import numpy as np

K = 10  # neighbours of a row, the row itself not counted


# ---- instance-level alignment -------------------------------------------------------------------------------------


def joint_graph(arrays, threads):
    """W of the joint graph (CSR): union of the kNN graphs with weight 1, pairs with the balancing weight."""
    from scipy import sparse
    from sklearn.neighbors import kneighbors_graph

    blocks = []
    for name in ("X", "Y"):
        directed = kneighbors_graph(arrays[name], K, mode="connectivity", n_jobs=threads)
        blocks.append(directed.maximum(directed.T))
    pairs = arrays["pairs"].astype(np.int32)  # SciPy keeps 32-bit indices then: faster products, and sklearn needs it
    n, m = (block.shape[0] for block in blocks)
    # mu = 1 balanced: the pairs together weigh as much as all edges within the datasets, each edge counted once.
    within = sum(block.sum() for block in blocks) / 2
    weight = np.full(len(pairs), within / len(pairs))
    across = sparse.csr_array((weight, (pairs[:, 0], pairs[:, 1])), shape=(n, m))
    return sparse.block_array([[blocks[0], across], [across.T, blocks[1]]], format="csr")


def normalized(W):
    """D^-1/2 W D^-1/2; its largest eigenvalues are one minus the smallest of the normalised Laplacian."""
    from scipy import sparse

    scale = sparse.dia_array((1 / np.sqrt(W.sum(axis=0))[None, :], [0]), shape=W.shape)
    return (scale @ W @ scale).tocsr()


def start_vector(n):
    return np.random.default_rng(0).uniform(-1, 1, n)


def smallest_by_products(A, count, ncv, tol):
    """Smallest eigenvalues of I - A by Lanczos on A alone: no factorisation, many products."""
    from scipy.sparse.linalg import eigsh

    values, vectors = eigsh(A, k=count, which="LA", ncv=ncv, tol=tol, v0=start_vector(A.shape[0]))
    order = np.argsort(-values)
    return 1 - values[order], vectors[:, order]


def smallest_by_inverse(A, count, ncv, tol, sigma, ordering):
    """Smallest eigenvalues of I - A by shift-invert. `ordering` None is what eigsh does by itself (SuperLU, COLAMD)."""
    from scipy import sparse
    from scipy.sparse.linalg import LinearOperator, eigsh, splu

    L = (sparse.eye_array(A.shape[0]) - A).tocsc()
    inverse = None
    if ordering is not None:
        shifted = (L - sigma * sparse.eye_array(A.shape[0])).tocsc()
        # L - sigma I is positive definite for sigma < 0, so the diagonal is a safe pivot and the symmetric ordering,
        # which keeps far more zeros, may be used.
        factor = splu(shifted, permc_spec=ordering, diag_pivot_thresh=0.0, options={"SymmetricMode": True})
        inverse = LinearOperator(L.shape, matvec=factor.solve, dtype=L.dtype)
    values, vectors = eigsh(
        L, k=count, sigma=sigma, which="LM", ncv=ncv, tol=tol, OPinv=inverse, v0=start_vector(A.shape[0])
    )
    order = np.argsort(values)
    return values[order], vectors[:, order]


def smallest_nonzero(W, n_components, solve, **options):
    """The smallest non-zero eigenvalues of the normalised Laplacian of a graph, and how many zeros come before them."""
    from scipy.sparse import csgraph

    zeros = csgraph.connected_components(W, directed=False, return_labels=False)
    values, _ = solve(normalized(W), n_components + zeros, **options)
    return values[zeros:], zeros


def eigsh_side(n_components, *, solve, blas_threads, **given):
    """scikit-learn builds the graph, SciPy's eigsh solves: `solve` is `smallest_by_products` or `smallest_by_inverse`.

    The options of each row in tasks.py are the fastest that sweep.py found.
    """

    def set_up(arrays, threads):
        from threadpoolctl import threadpool_limits

        def work():
            options = dict(given)
            W = joint_graph(arrays, threads)
            if W.shape[0] < 20_000:
                options["tol"] = 1e-6  # the loosest tolerance was chosen at full size; small ones are only a rehearsal
            with threadpool_limits(min(blas_threads, threads), user_api="blas"):
                values, zeros = smallest_nonzero(W, n_components, solve, **options)
            return {"eigenvalues": values, "zeros": np.array(zeros)}

        return work

    return set_up


def spectral_embedding(n_components):
    """scikit-learn from end to end, its default solver."""

    def set_up(arrays, threads):
        from sklearn.manifold import SpectralEmbedding

        def work():
            W = joint_graph(arrays, threads)
            model = SpectralEmbedding(n_components, affinity="precomputed", random_state=0, n_jobs=threads)
            F = model.fit_transform(W)

            def eigenvalues():
                # It keeps no eigenvalues; its columns are f = D^-1/2 u, so they are the quotients f'Lf / f'Df.
                degree = W.sum(axis=0)[:, None]
                kept = np.sum(degree * F * F, axis=0)
                return np.sort(1 - np.sum(F * (W @ F), axis=0) / kept)

            return {"eigenvalues": eigenvalues}

        return work

    return set_up


# ---- neighbours ---------------------------------------------------------------------------------------------------


def csr(arrays):
    from scipy import sparse

    return sparse.csr_matrix((arrays["data"], arrays["indices"], arrays["indptr"]), shape=tuple(arrays["shape"]))


def without_self(indices, distances):
    """Drop each row's own entry (wherever it is), or the last entry if duplicates have pushed it out."""
    n, width = indices.shape
    own = indices == np.arange(n)[:, None]
    own[~own.any(axis=1), -1] = True
    keep = ~own
    return indices[keep].reshape(n, width - 1), distances[keep].reshape(n, width - 1)


def faiss_flat(arrays, threads):
    import faiss

    faiss.omp_set_num_threads(threads)
    X = np.ascontiguousarray(arrays["X"])

    def work():
        index = faiss.IndexFlatL2(X.shape[1])
        index.add(X)
        squared, indices = index.search(X, K + 1)
        indices, squared = without_self(indices, squared)
        return {"indices": indices, "distances": np.sqrt(np.maximum(squared, 0))}

    return work


def sklearn_brute(metric="euclidean"):
    def set_up(arrays, threads):
        from sklearn.neighbors import NearestNeighbors

        X = csr(arrays) if "indptr" in arrays else arrays["X"]

        def work():
            model = NearestNeighbors(n_neighbors=K, algorithm="brute", metric=metric, n_jobs=threads).fit(X)
            distances, indices = model.kneighbors()  # no argument: a row is not its own neighbour
            return {"indices": indices, "distances": distances}

        return work

    return set_up


def nndescent(**options):
    """Searching for more neighbours than wanted is how NN-descent buys recall."""

    def set_up(arrays, threads):
        from pynndescent import NNDescent

        X = arrays["X"]

        def work():
            indices, distances = NNDescent(X, n_jobs=threads, random_state=0, **options).neighbor_graph
            indices, distances = without_self(indices, distances)  # sorted, so the first K are the nearest found
            return {"indices": indices[:, :K], "distances": distances[:, :K]}

        return work

    return set_up
