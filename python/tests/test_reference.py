"""Against ten-line versions in NumPy and SciPy, and against scikit-learn."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.linalg
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist

import landbridge as lb


def distances(X, metric):
    if metric == "euclidean":
        return cdist(X, X)
    U = X / np.linalg.norm(X, axis=1, keepdims=True)
    return 1 - U @ U.T


def graph(X, k, metric, weights, heat_width):
    """The similarity graph by its definition."""
    D = distances(X, metric)
    np.fill_diagonal(D, np.inf)
    order = np.argsort(D, axis=1, kind="stable")[:, :k]
    near = np.take_along_axis(D, order, axis=1)
    edges = np.zeros(D.shape, bool)
    np.put_along_axis(edges, order, True, axis=1)
    edges |= edges.T
    if weights == "heat":
        W = np.exp(-(D**2) / (2 * (near.mean() if heat_width is None else heat_width) ** 2))
    elif weights == "local":
        W = np.exp(-(D**2) / np.outer(near[:, -1], near[:, -1]))
    elif weights == "cosine":
        U = X / np.linalg.norm(X, axis=1, keepdims=True)
        W = np.maximum(U @ U.T, 0)
    else:
        W = np.ones_like(D)
    return np.where(edges, W, 0.0)


def problem(rng):
    """A random small problem: datasets, pairs as links with weights, parameters."""
    c = int(rng.integers(2, 4))
    X = [rng.normal(size=(rng.integers(8, 30), rng.integers(2, 6))) * 10.0 ** rng.integers(-3, 4) for _ in range(c)]
    params = {
        "n_neighbors": int(rng.integers(2, 6)),
        "metric": str(rng.choice(["euclidean", "cosine"])),
        "weights": str(rng.choice(["heat", "binary", "cosine", "local"])),
        "mu": float(10.0 ** rng.uniform(-1, 1)),
        "nu": float(10.0 ** rng.uniform(-1, 1)),
        "balance": bool(rng.integers(2)),
        "hard": bool(rng.integers(2)),
        "normalized": bool(rng.integers(2)),
        "heat_width": None if rng.integers(2) else float(rng.uniform(0.5, 2)),
    }
    if params["heat_width"] is not None:
        X = [x / np.abs(x).mean() for x in X]
    links = {}
    for a in range(c - 1):  # a chain of datasets, some rows paired several times
        count = int(rng.integers(1, 8))
        i, j = rng.integers(len(X[a]), size=count), rng.integers(len(X[a + 1]), size=count)
        both = np.unique(np.column_stack([i, j]), axis=0)
        links[a, a + 1] = np.column_stack([both, rng.uniform(0.5, 2, len(both))])
    return X, links, params


def expected(X, links, p):
    """The joint W, the node of each row, L and M."""
    blocks = [graph(x, p["n_neighbors"], p["metric"], p["weights"], p["heat_width"]) for x in X]
    start = np.cumsum([0] + [len(x) for x in X])
    N = start[-1]
    W = scipy.linalg.block_diag(*blocks) * p["nu"]
    P = np.zeros((N, N))
    for (a, b), table in links.items():
        for i, j, w in table:
            P[start[a] + int(i), start[b] + int(j)] += w
    P += P.T
    if p["hard"]:
        count, node = connected_components(sparse.csr_array(P), directed=False)
        S = np.zeros((N, count))
        S[np.arange(N), node] = 1
        W = S.T @ W @ S
        np.fill_diagonal(W, 0)
    else:
        node = np.arange(N)
        within, across = sum(b.sum() for b in blocks) / 2, P.sum() / 2
        W = W + p["mu"] * (within / across if p["balance"] else 1.0) * P
    D = W.sum(axis=1)
    L = np.diag(D) - W
    M = np.where(D > 0, D, 1.0) if p["normalized"] else np.ones(len(D))
    return W, node, L, M


@pytest.mark.parametrize("block", range(10))
def test_300_random_problems_against_the_dense_joint_laplacian(block):
    for seed in range(30 * block, 30 * block + 30):
        rng = np.random.default_rng(seed)
        X, links, p = problem(rng)
        W, node, L, M = expected(X, links, p)
        zero, _ = connected_components(sparse.csr_array(W), directed=False)
        values = scipy.linalg.eigh(L, np.diag(M), eigvals_only=True)[zero:]
        d = int(min(rng.integers(1, 6), len(values)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", lb.AlignmentWarning)
            a = lb.InstanceAlignment(d, **p).fit(X, links)
        about = f"seed {seed}: {p}"
        # Neither side knows an eigenvalue better than rounding of the largest one.
        np.testing.assert_allclose(a.eigenvalues_, values[:d], rtol=1e-6, atol=1e-14 * values[-1], err_msg=about)
        assert a.outcome_.components == a.outcome_.zero_solutions == zero, about
        rows = np.vstack(a.embeddings_)
        F = np.zeros((len(M), d))
        F[node] = rows
        assert (F[node] == rows).all(), about  # merged rows coincide
        np.testing.assert_allclose(F.T @ (M[:, None] * F), np.eye(d), atol=1e-9, err_msg=about)
        scaled = np.abs(L @ F - M[:, None] * F * a.eigenvalues_) / np.sqrt(M)[:, None]
        assert scaled.max() <= 1e-6 * a.eigenvalues_.max(), about
        largest = np.abs(F).argmax(axis=0)
        assert (F[largest, np.arange(d)] > 0).all(), about


def test_a_problem_above_the_dense_limit_against_eigsh():
    from scipy.sparse.linalg import eigsh

    X = lb.datasets.lifted_copies(900, clusters=1, random_state=3)
    a = lb.InstanceAlignment(6, weights="binary").fit(X.datasets, X.pairs(80))
    blocks = [lb.geometry.similarity_graph(x, 10, weights="binary") for x in X.datasets]
    W = sparse.lil_array(sparse.block_diag(blocks))
    for i, j in X.pairs(80):
        W[i, 900 + j] = W[900 + j, i] = a.outcome_.mu_effective
    values = eigsh(lb.geometry.laplacian(W, normalized=True), k=7, sigma=-1e-3, return_eigenvectors=False)
    np.testing.assert_allclose(a.eigenvalues_, np.sort(values)[1:], rtol=1e-6)


# ---- geometry -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
@pytest.mark.parametrize("kind", ["dense", "float32", "sparse"])
def test_knn_graph_against_scikit_learn(metric, kind):
    neighbors, metrics = pytest.importorskip("sklearn.neighbors"), pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(0)
    for n, p, k in [(50, 3, 1), (200, 10, 7), (700, 64, 15), (300, 300, 5)]:
        X = rng.normal(size=(n, p))
        if kind == "sparse":
            X = sparse.csr_array(np.where(rng.random((n, p)) < 0.3, X, 0.0))
        if kind == "float32":
            X = X.astype(np.float32)
        indices, dist = lb.geometry.knn_graph(X, n_neighbors=k, metric=metric, method="exact")
        assert indices.dtype == np.int64 and dist.dtype == np.float64 and indices.shape == dist.shape == (n, k)
        truth, order = neighbors.NearestNeighbors(n_neighbors=k, metric=metric, algorithm="brute").fit(
            X.astype(np.float64)).kneighbors()
        np.testing.assert_allclose(dist, truth, rtol=1e-6, atol=1e-7)
        if kind != "sparse":  # sparse rows that are zero tie with each other
            assert (indices == order).mean() > 0.999
        assert (indices != np.arange(n)[:, None]).all() and all(len(set(row)) == k for row in indices)
        full = metrics.pairwise_distances(X.astype(np.float64), metric=metric)
        np.testing.assert_allclose(np.take_along_axis(full, indices, axis=1), dist, rtol=1e-6, atol=1e-7)


def test_knn_graph_modes_and_methods():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(2000, 8))
    indices, dist = lb.geometry.knn_graph(X)
    W = lb.geometry.knn_graph(X, mode="sparse")
    assert isinstance(W, sparse.csr_array) and W.nnz == 20000
    np.testing.assert_allclose(np.sort(W.data.reshape(2000, 10), axis=1), dist)
    near, _ = lb.geometry.knn_graph(X, method="approximate")
    share = np.mean([len(np.intersect1d(x, y)) / 10 for x, y in zip(near, indices)])
    assert share > 0.95
    again, _ = lb.geometry.knn_graph(X, method="approximate", n_jobs=1)
    assert (again == near).all()
    for bad in ({"mode": "x"}, {"metric": "x"}, {"method": "x"}, {"n_neighbors": 0}, {"n_neighbors": 2000}, {"n_jobs": 0}):
        with pytest.raises(lb.ParameterError):
            lb.geometry.knn_graph(X, **bad)


@pytest.mark.parametrize("weights", ["heat", "binary", "cosine", "local"])
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_similarity_graph_against_its_definition(weights, metric):
    X = np.random.default_rng(2).normal(size=(60, 4))
    for width in (None, 0.7):
        W = lb.geometry.similarity_graph(X, 5, metric, weights, width)
        assert isinstance(W, sparse.csr_array)
        np.testing.assert_allclose(W.toarray(), graph(X, 5, metric, weights, width), rtol=1e-9, atol=1e-12)
    with pytest.raises(lb.ParameterError):
        lb.geometry.similarity_graph(X, weights="precomputed")


def test_laplacian_against_scipy():
    from scipy.sparse.csgraph import laplacian

    W = lb.geometry.similarity_graph(np.random.default_rng(3).normal(size=(50, 3)), 4)
    for normalized in (True, False):
        L = lb.geometry.laplacian(W, normalized)
        assert isinstance(L, sparse.csr_array)
        np.testing.assert_allclose(L.toarray(), laplacian(W.toarray(), normed=normalized), atol=1e-12)
        np.testing.assert_allclose(lb.geometry.laplacian(W.toarray(), normalized).toarray(), L.toarray())
    for bad in (W[:10], -W, sparse.triu(W), W * np.nan):
        with pytest.raises(lb.DataError):
            lb.geometry.laplacian(bad)


# ---- metrics ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("metric", ["euclidean", "cosine"])
def test_scores_against_their_definitions(seed, metric):
    rng = np.random.default_rng(seed)
    n, m, d = rng.integers(5, 40), rng.integers(20, 50), rng.integers(2, 4)
    S, T = rng.normal(size=(n, d)), rng.normal(size=(m, d))
    if seed % 2:
        T = T[rng.integers(6, size=m)]  # equal rows: many ties
    truth = rng.integers(-1, m, n)
    truth[0] = 0
    D = cdist(S, T, metric)
    _, first = np.unique(T, axis=0, return_index=True)
    D = np.stack([D[:, first[(T[first] == t).all(axis=1)][0]] for t in T], axis=1)  # equal rows, equal bits
    known = [(i, t) for i, t in enumerate(truth) if t >= 0]

    def recall(k):
        return np.mean([(np.delete(D[i], t) <= D[i, t]).sum() < k for i, t in known])

    ks = [1, 3, 10]
    np.testing.assert_allclose(lb.metrics.recall_at_k(S, T, ks, truth, metric), [recall(k) for k in ks])
    single = lb.metrics.recall_at_k(S, T, 3, truth, metric)
    assert isinstance(single, float) and single == pytest.approx(recall(3))

    def share(values, own):
        others = np.delete(values, own)
        return ((others < values[own]).sum() + 0.5 * (others == values[own]).sum()) / len(others)

    forward = np.mean([share(D[i], t) for i, t in known])
    backward = np.mean([share(D[:, t], i) for i, t in known])
    assert lb.metrics.foscttm(S, T, truth, metric) == pytest.approx((forward + backward) / 2)

    ys, yt = rng.choice(["a", "b", "c"], n), rng.choice(["a", "b", "c"], m)
    right = 0
    for j in range(m):
        votes = ys[np.argsort(D[:, j], kind="stable")[:5]]
        right += max(votes, key=lambda label: ((votes == label).sum(), -list(votes).index(label))) == yt[j]
    assert lb.metrics.label_transfer(S, ys, T, yt, metric=metric) == pytest.approx(right / m)


def test_ties_of_different_rows_count_against():
    T = np.mgrid[-4:5, -4:5].reshape(2, -1).T * 1.0
    D = cdist(T, T)
    truth = np.random.default_rng(0).permutation(len(T))
    for k in range(1, 20):
        expected = np.mean([(np.delete(D[i], t) <= D[i, t]).sum() < k for i, t in enumerate(truth)])
        assert lb.metrics.recall_at_k(T, T, k, truth) == expected


def test_bad_scores_are_refused():
    Z = np.random.default_rng(0).normal(size=(10, 2))
    bad = Z.copy()
    bad[3, 1] = np.nan
    for call in (
        lambda: lb.metrics.recall_at_k(Z, Z[:5]),
        lambda: lb.metrics.recall_at_k(Z, Z[:, :1]),
        lambda: lb.metrics.recall_at_k(Z, Z, k=0),
        lambda: lb.metrics.recall_at_k(Z, Z, k=(1, 2.5)),
        lambda: lb.metrics.recall_at_k(bad, Z),
        lambda: lb.metrics.recall_at_k(Z[:0], Z[:0]),
        lambda: lb.metrics.recall_at_k(Z, Z, truth=[0.5] * 10),
        lambda: lb.metrics.recall_at_k(Z, Z, truth=[10] * 10),
        lambda: lb.metrics.recall_at_k(Z, Z, truth=[0]),
        lambda: lb.metrics.foscttm(Z, bad),
        lambda: lb.metrics.foscttm(Z, Z, metric="l2"),
        lambda: lb.metrics.label_transfer(Z, [1] * 9, Z, [1] * 10),
        lambda: lb.metrics.label_transfer(Z, [1] * 10, Z, [1] * 10, k=11),
    ):
        with pytest.raises(lb.LandbridgeError) as caught:
            call()
        assert isinstance(caught.value, ValueError)


def test_leakage_shuffled_pairs_score_as_chance():
    """Held-out rows must not be found by anything but true pairs."""
    data = lb.datasets.lifted_copies(600, noise=0.0, clusters=1, random_state=5)
    pairs = data.pairs(150)
    held_out = np.setdiff1d(np.arange(600), pairs[:, 0])
    score = lambda a: lb.metrics.recall_at_k(a.embeddings_[0][held_out], a.embeddings_[1][held_out], k=10)  # noqa: E731
    true = score(lb.InstanceAlignment(10).fit(data.datasets, pairs))
    wrong = []
    for seed in range(5):
        shuffled = pairs.copy()
        shuffled[:, 1] = np.random.default_rng(seed).permutation(shuffled[:, 1])
        wrong.append(score(lb.InstanceAlignment(10).fit(data.datasets, shuffled)))
    chance = 10 / len(held_out)
    spread = np.sqrt(chance * (1 - chance) / len(held_out))
    assert true > 10 * chance
    assert np.mean(wrong) < chance + 4 * spread, (wrong, chance)


# ---- synthetic data -----------------------------------------------------------------------------------------------

GENERATORS = [name for name in lb.datasets.__all__ if name != "Synthetic"]


@pytest.mark.parametrize("name", GENERATORS)
def test_generators(name):
    from landbridge import _landbridge as core

    make = getattr(lb.datasets, name)
    data = make(40)
    # Left to the library, the defaults give the same data: the signature states them truly.
    plain = lb.datasets.Synthetic(core.Synthetic.generate(name, {"n": 40}))
    for x, y in zip(data.datasets, plain.datasets):
        assert sparse.issparse(x) == (name == "bilingual_documents")
        assert (abs(x - y)).sum() == 0
    assert data.truth.shape == (40, 2) and (data.truth == np.arange(40)[:, None]).all()
    assert len(data.latent) == 40 and "40 objects" in repr(data)
    other = make(40, random_state=1)
    assert abs(other.datasets[0] - data.datasets[0]).sum() > 0
    part = make(40, overlap=0.5, shuffle=True, random_state=2)
    assert [x.shape[0] for x in part.datasets] == [30, 30]
    shared = part.truth[(part.truth >= 0).all(axis=1)]
    assert len(shared) == 20
    table = part.pairs(12, random_state=4)
    assert table.dtype == np.int64 and {tuple(r) for r in table} <= {tuple(r) for r in shared}
    assert {tuple(r) for r in table} <= {tuple(r) for r in part.pairs(15, random_state=4)}
    there = part.counterparts(0, 1)
    assert all(there[i] == j for i, j in shared) and (there >= 0).sum() == 20
    for labels, x in zip(part.labels, part.datasets):
        assert labels is None or len(labels) == x.shape[0]
    for bad in ({"n": 1}, {"n": 40, "overlap": 2.0}, {"n": 40, "random_state": -1}, {"n": 2.5}, {"n": 40, "shuffle": "no"}):
        with pytest.raises(lb.ParameterError):
            make(**bad)
    with pytest.raises(lb.ParameterError):
        data.pairs(41)
    with pytest.raises(TypeError):
        make(40, no_such_option=1)


def test_options_reach_the_generators():
    three = lb.datasets.rotated_copies(30, n_datasets=3, n_features=5)
    assert [x.shape for x in three.datasets] == [(30, 5)] * 3
    assert (three.pairs(4)[:, 0] == three.pairs(4)[:, 2]).all() and three.pairs(4).shape == (4, 3)
    four = lb.datasets.lifted_copies(30, features=[6, 7, 8, 9], map="fourier")
    assert [x.shape[1] for x in four.datasets] == [6, 7, 8, 9]
    flat = lb.datasets.swiss_rolls(30, second="flat")
    assert (flat.datasets[1][:, 2] == 0).all()
    docs = lb.datasets.bilingual_documents(30, vocabulary=(100, 70), languages=("fr", "de"))
    assert docs.names == ["fr", "de"] and [x.shape for x in docs.datasets] == [(30, 100), (30, 70)]
    assert docs.columns[0] is not None and len(docs.columns[0]) == 100
    assert lb.datasets.helices(30, features=(3, 9)).datasets[1].shape == (30, 9)
    assert len(set(lb.datasets.branching_trees(100, splits=1).labels[0])) == 3
    for make, bad in [(lb.datasets.swiss_rolls, {"second": "x"}), (lb.datasets.lifted_copies, {"map": 3}),
                      (lb.datasets.helices, {"radius": (1.0,)}), (lb.datasets.bilingual_documents, {"languages": ("a", "a")})]:
        with pytest.raises(lb.ParameterError):
            make(30, **bad)
    with pytest.raises(lb.ParameterError):
        three.counterparts(0, 3)
