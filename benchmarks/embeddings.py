"""Rows about embeddings of one dataset: ours, the peers, and the checks. See peers.py for the contract."""

from __future__ import annotations

import numpy as np

from checks import EIGENVALUE_TOLERANCE, Wrong
from data import SEED, clustered_latent, random_map
from peers import K, csr, smallest_by_products, smallest_nonzero


def curved_rows(n, features=50):
    """Rows near a curved sheet of few dimensions."""
    rng = np.random.default_rng(SEED + 40)
    latent = clustered_latent(rng, n, 3, 8, 2.0)
    return {"X": random_map(rng, np.hstack([latent, np.sin(latent), np.cos(2 * latent)]), features, 0.05)}


# ---- Isomap ---------------------------------------------------------------------------------------------------------


def our_isomap(n_components):
    def set_up(arrays, threads):
        import landbridge as lb

        isomap = lb.Isomap(n_components, n_neighbors=K, n_jobs=threads)

        def work():
            isomap.fit(arrays["X"])
            # The distances are not kept by the model; they are computed again for the check, off the clock.
            return {
                "eigenvalues": np.asarray(isomap.eigenvalues_),
                "distances": lambda: lb.geometry.geodesic_distances(arrays["X"], K)[::50],
            }

        return work

    return set_up


def sklearn_isomap(n_components, eigen_solver):
    def set_up(arrays, threads):
        from sklearn.manifold import Isomap

        isomap = Isomap(n_neighbors=K, n_components=n_components, eigen_solver=eigen_solver, n_jobs=threads)

        def work():
            isomap.fit(arrays["X"])
            return {"eigenvalues": isomap.kernel_pca_.eigenvalues_, "distances": isomap.dist_matrix_[::50]}

        return work

    return set_up


def plausible_isomap(arrays, reference, answer, measured):
    values = answer["eigenvalues"]
    if not (np.all(values > 0) and np.all(np.diff(values) <= 0)):
        raise Wrong("eigenvalues not descending above 0")
    return f"{values.size} eigenvalues, descending"


def same_isomap(arrays, answer, other):
    distance = np.max(np.abs(answer["distances"] - other["distances"])) / np.max(other["distances"])
    value = np.max(np.abs(answer["eigenvalues"] / other["eigenvalues"] - 1))
    if not (distance <= 1e-10 and value <= 1e-7):
        raise Wrong(f"distances differ by {distance:.1e}, eigenvalues by {value:.1e}")


# ---- truncated SVD --------------------------------------------------------------------------------------------------


def our_svd(n_components):
    def set_up(arrays, threads):
        import landbridge as lb

        X = csr(arrays)
        lsi = lb.LSI(n_components, prepare=None, n_jobs=threads)

        def work():
            return {"values": np.asarray(lsi.fit(X).eigenvalues_)}

        return work

    return set_up


def scipy_svds(n_components, solver):
    def set_up(arrays, threads):
        from scipy.sparse.linalg import svds

        X = csr(arrays)

        def work():
            _, values, _ = svds(X, n_components, solver=solver, random_state=0)
            return {"values": np.sort(values)[::-1]}

        return work

    return set_up


def exact_svd(n_components):
    def set_up(arrays, threads):
        X = csr(arrays)

        def work():
            values = np.linalg.eigvalsh((X.T @ X).toarray())
            return {"values": np.sqrt(values[::-1][:n_components])}

        return work

    return set_up


def same_values(arrays, reference, answer, measured):
    error = np.max(np.abs(answer["values"] / reference["values"] - 1))
    if not error <= 1e-8:
        raise Wrong(f"singular values off by {error:.1e} relative")
    return f"singular values within {error:.0e}"


# ---- Laplacian eigenmaps --------------------------------------------------------------------------------------------


def our_eigenmaps(n_components):
    def set_up(arrays, threads):
        import landbridge as lb

        maps = lb.LaplacianEigenmaps(n_components, n_neighbors=K, weights="binary", n_jobs=threads)

        def work():
            return {"eigenvalues": np.asarray(maps.fit(arrays["X"]).eigenvalues_)}

        return work

    return set_up


def near_eigenvalues(arrays, reference, answer, measured):
    """Ours as strictly as everywhere; an iterative peer may be coarser, and the sentence says how far off it is."""
    error = np.max(np.abs(answer["eigenvalues"] / reference["eigenvalues"] - 1))
    if not error <= answer.get("tolerance", EIGENVALUE_TOLERANCE):
        raise Wrong(f"eigenvalues off by {error:.1e} relative")
    return f"eigenvalues within {error:.0e}"


def neighbor_graph(arrays, threads):
    from sklearn.neighbors import kneighbors_graph

    directed = kneighbors_graph(arrays["X"], K, mode="connectivity", n_jobs=threads)
    return directed.maximum(directed.T)


def spectral_embedding(n_components, eigen_solver):
    """The graph and the embedding; the eigenvalues are Rayleigh quotients, computed off the clock."""

    def set_up(arrays, threads):
        from sklearn.manifold import SpectralEmbedding

        embed = SpectralEmbedding(n_components, affinity="precomputed", eigen_solver=eigen_solver, random_state=0)

        def work():
            W = neighbor_graph(arrays, threads)
            F = embed.fit_transform(W)

            def quotients():
                degree = np.asarray(W.sum(axis=1)).ravel()
                energy = np.sum(F * (degree[:, None] * F - W @ F), axis=0)
                return energy / np.sum(degree[:, None] * F * F, axis=0)

            return {"eigenvalues": quotients, "tolerance": np.float64(1e-7 if eigen_solver is None else 1e-2)}

        return work

    return set_up


def exact_eigenmaps(n_components):
    def eigenvalues(W):
        return smallest_nonzero(W, n_components, smallest_by_products, ncv=2 * n_components + 2, tol=1e-8)[0]

    return lambda arrays, threads: lambda: {"eigenvalues": eigenvalues(neighbor_graph(arrays, threads))}
