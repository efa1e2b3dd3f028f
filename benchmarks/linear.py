"""Rows of linear maps: the data, what we do, what the peers do, the checks."""

from __future__ import annotations

import numpy as np

import data
from checks import Wrong, same_eigenvalues
from peers import K

RIDGE = 1.0
MU = 100.0


# ---- data ---------------------------------------------------------------------------------------------------------


def two_languages(n: int, words: int = 4000) -> dict[str, np.ndarray]:
    """The same documents in two languages: a word of one is a word of the other in a fixed order, with noise."""
    both = {}
    whole = data.zipf_documents(n, words)
    rng = np.random.default_rng(data.SEED + 6)
    for name in ("X", "Y"):
        # Each language keeps four fifths of the words of a document, in an order of its own.
        keep = rng.random(len(whole["indices"])) < 0.8
        row = np.repeat(np.arange(n), np.diff(whole["indptr"]))[keep]
        column = rng.permutation(words)[whole["indices"][keep]]
        order = np.lexsort((column, row))
        both[f"{name}_indptr"] = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=n))]).astype(np.int32)
        both[f"{name}_indices"] = column[order].astype(np.int32)
        values = whole["data"][keep][order]
        both[f"{name}_data"] = values / np.sqrt(np.bincount(row, values**2, minlength=n))[row]
    both["words"] = np.array(words)
    return both


def documents(arrays):
    from scipy import sparse

    words = int(arrays["words"])
    parts = ((arrays[f"{s}_data"], arrays[f"{s}_indices"], arrays[f"{s}_indptr"]) for s in ("X", "Y"))
    return [sparse.csr_matrix(p, shape=(len(p[2]) - 1, words)) for p in parts]


def correlated(n: int, features: int = 2000, latent: int = 150) -> dict[str, np.ndarray]:
    """Two noisy views of one latent, as many rows as n."""
    rng = np.random.default_rng(data.SEED + 7)
    hidden = rng.standard_normal((n, latent)) * np.linspace(2, 0.2, latent)
    view = lambda: hidden @ rng.standard_normal((latent, features)) / 10 + rng.standard_normal((n, features))
    return {"X": view(), "Y": view()}


def joint_rows(n: int, d: int = 200) -> dict[str, np.ndarray]:
    """Rows of a joint space: the target is the source with noise."""
    rng = np.random.default_rng(data.SEED + 8)
    X = rng.standard_normal((n, d)) * np.linspace(1.5, 0.5, d)
    return {"X": X, "Y": X + 0.5 * rng.standard_normal((n, d))}


# ---- linear maps --------------------------------------------------------------------------------------------------


def our_maps(n_components):
    def set_up(arrays, threads):
        import landbridge as lb

        X, Y = documents(arrays)
        pairs = np.column_stack([np.arange(X.shape[0])] * 2)
        method = lb.LinearAlignment(
            n_components, n_neighbors=K, metric="cosine", weights="binary", mu=MU, ridge=RIDGE, prepare=None, n_jobs=threads
        )

        def work():
            method.fit([X, Y], pairs)
            return {"eigenvalues": method.eigenvalues_, "outcome": np.array(str(method.outcome_))}

        return work

    return set_up


def eigh_maps(n_components, driver="gvx"):
    """scikit-learn builds the graphs, SciPy the matrices, LAPACK takes the wanted part of the spectrum."""

    def set_up(arrays, threads):
        import scipy.linalg
        from scipy import sparse
        from sklearn.neighbors import kneighbors_graph

        both = documents(arrays)

        def work():
            graphs = [kneighbors_graph(X, K, metric="cosine", n_jobs=threads) for X in both]
            graphs = [g.maximum(g.T) for g in graphs]
            n = both[0].shape[0]
            weight = MU * sum(g.sum() for g in graphs) / 2 / n
            link = sparse.diags_array([np.full(n, weight)], offsets=[0])
            W = sparse.block_array([[graphs[0], link], [link, graphs[1]]], format="csr")
            degree = W.sum(axis=0)
            D = sparse.diags_array([degree], offsets=[0])
            X = sparse.block_diag(both, format="csr")
            B = (X.T @ D @ X).toarray()
            A = (X.T @ (D - W) @ X).toarray()
            p = both[0].shape[1]
            diagonal = np.diag(B)
            A[np.diag_indices_from(A)] += RIDGE * np.repeat([diagonal[:p].mean(), diagonal[p:].mean()], p)
            values = scipy.linalg.eigh(
                A, B, subset_by_index=[0, n_components - 1], driver=driver, overwrite_a=True, overwrite_b=True, check_finite=False
            )[0]
            return {"eigenvalues": values}

        return work

    return set_up


def within_memory(arrays, reference, answer, measured):
    """At most 3 P x P matrices of doubles."""
    limit = 3 * (2 * int(arrays["words"])) ** 2 * 8 / 2**20
    more = measured["peak_mb"] - measured["before_mb"]
    # The bar is ours; a peer may take what it likes.
    if "outcome" in answer and more > limit:
        raise Wrong(f"memory rose by {more:.0f} MB, over {limit:.0f} MB")
    return "eigenvalues ascending" if np.all(np.diff(answer["eigenvalues"]) >= 0) else "eigenvalues not sorted"


def same_maps(arrays, ours, peer):
    same_eigenvalues(arrays, peer, ours, {})


# ---- CCA ----------------------------------------------------------------------------------------------------------


def our_cca(n_components):
    def set_up(arrays, threads):
        import landbridge as lb

        pairs = np.column_stack([np.arange(len(arrays["X"]))] * 2)
        method = lb.CCA(n_components, ridge=0.0, n_jobs=threads)

        def work():
            method.fit([arrays["X"], arrays["Y"]], pairs)
            return {"correlations": method.eigenvalues_}

        return work

    return set_up


def correlations_of(U, V):
    U, V = U - U.mean(0), V - V.mean(0)
    return np.sum(U * V, axis=0) / np.sqrt(np.sum(U * U, axis=0) * np.sum(V * V, axis=0))


def cca_zoo(n_components):
    def set_up(arrays, threads):
        from cca_zoo.linear import CCA

        def work():
            model = CCA(n_components).fit([arrays["X"], arrays["Y"]])
            return {"correlations": lambda: correlations_of(*model.transform([arrays["X"], arrays["Y"]]))}

        return work

    return set_up


def sklearn_cca(n_components):
    def set_up(arrays, threads):
        from sklearn.cross_decomposition import CCA

        def work():
            model = CCA(n_components, scale=False, max_iter=500).fit(arrays["X"], arrays["Y"])
            return {"correlations": lambda: correlations_of(*model.transform(arrays["X"], arrays["Y"]))}

        return work

    return set_up


def exact_correlations(n_components):
    def set_up(arrays, threads):
        def work():
            q = [np.linalg.qr(M - M.mean(0))[0] for M in (arrays["X"], arrays["Y"])]
            return {"correlations": np.linalg.svd(q[0].T @ q[1], compute_uv=False)[:n_components]}

        return work

    return set_up


def same_correlations(arrays, reference, answer, measured):
    error = np.max(np.abs(answer["correlations"] - reference["correlations"]))
    if not error <= 1e-8:
        raise Wrong(f"correlations off by {error:.1e}")
    return f"correlations within {error:.0e}"


# ---- matching -----------------------------------------------------------------------------------------------------


def our_match(arrays, threads):
    import landbridge as lb

    def work():
        indices, distances = lb.match_rows(arrays["X"], arrays["Y"], k=K, metric="cosine", n_jobs=threads)
        return {"indices": indices, "distances": distances}

    return work


def faiss_match(arrays, threads):
    import faiss

    faiss.omp_set_num_threads(threads)

    def work():
        X, Y = (np.ascontiguousarray(M, dtype=np.float32) for M in (arrays["X"], arrays["Y"]))
        faiss.normalize_L2(X)
        faiss.normalize_L2(Y)
        index = faiss.IndexFlatIP(X.shape[1])
        index.add(Y)
        cosine, indices = index.search(X, K)
        return {"indices": indices, "distances": 1 - cosine}

    return work


def sampled(arrays):
    n = len(arrays["X"])
    return np.random.default_rng(1).choice(n, size=min(500, n), replace=False)


def exact_match(arrays, threads):
    def work():
        unit = [M / np.linalg.norm(M, axis=1, keepdims=True) for M in (arrays["X"][sampled(arrays)], arrays["Y"])]
        distances = 1 - unit[0] @ unit[1].T
        return {"distances": np.sort(distances, axis=1)[:, :K]}

    return work


def same_matches(arrays, reference, answer, measured):
    rows = sampled(arrays)
    X, Y = arrays["X"][rows], arrays["Y"]
    found = Y[answer["indices"][rows]]
    length = np.linalg.norm(X, axis=1)[:, None] * np.linalg.norm(found, axis=2)
    true = np.sort(1 - np.einsum("id,ikd->ik", X, found) / length, axis=1)
    error = np.max(np.abs(true - reference["distances"]))
    if not error <= 1e-6:
        raise Wrong(f"matches farther than the best by {error:.1e}")
    if measured["peak_mb"] - measured["before_mb"] > 2048:
        raise Wrong("over 2 GiB")
    return f"distances within {error:.0e}"
