"""Linear maps against dense references in SciPy."""

import warnings

import numpy as np
import pytest
import scipy.linalg
from scipy import sparse

import landbridge as lb

PREPARES = [None, "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "standardize"]


def problem(sizes, l, seed):
    rng = np.random.default_rng(seed)
    data = [rng.random((n, p)) * (rng.random((n, p)) < 0.5) for n, p in sizes]
    pairs = np.column_stack([rng.permutation(n)[:l] for n, _ in sizes])
    return data, pairs


def prepared(X, how):
    X = np.asarray(X, dtype=float)
    length = lambda M: np.where((s := np.linalg.norm(M, axis=1, keepdims=True)) > 0, s, 1)
    if how in ("tfidf", "tfidf_center"):
        X = X * (np.log((1 + len(X)) / (1 + (X != 0).sum(0))) + 1)
        X = X / length(X)
    if how in ("unit", "unit_center"):
        X = X / length(X)
    if how == "standardize":
        return (X - X.mean(0)) / X.std(0)
    if how in ("center", "center_unit", "unit_center", "tfidf_center"):
        X = X - X.mean(0)
    if how == "center_unit":
        X = X / length(X)
    return X


def joint(data, pairs, graphs, mu):
    W = sparse.block_diag(graphs).toarray()
    start = np.cumsum([0] + [len(X) for X in data])
    for a in range(len(data)):
        for b in range(len(data)):
            if a != b:
                np.add.at(W, (start[a] + pairs[:, a], start[b] + pairs[:, b]), mu)
    return W


@pytest.mark.parametrize("as_sparse", [False, True])
@pytest.mark.parametrize("how", PREPARES)
def test_the_whole_chain_equals_scipy(how, as_sparse):
    data, pairs = problem([(60, 7), (55, 9)], 30, 1)
    given = [sparse.csr_array(X) for X in data] if as_sparse else data
    graphs = [lb.geometry.similarity_graph(X, 6) for X in data]
    a = lb.LinearAlignment(4, weights="precomputed", graphs=graphs, mu=3, balance=False, ridge=0.5, prepare=how).fit(given, pairs)
    W = joint(data, pairs, graphs, 3.0)
    D = np.diag(W.sum(1))
    P = [prepared(X, how) for X in data]
    X = scipy.linalg.block_diag(*P)
    B = X.T @ D @ X
    A = X.T @ (D - W) @ X
    ridge = np.concatenate([[0.5 * np.diag(B)[:7].mean()] * 7, [0.5 * np.diag(B)[7:].mean()] * 9])
    values, F = scipy.linalg.eigh(A + np.diag(ridge), B)
    np.testing.assert_allclose(a.eigenvalues_, values[:4], rtol=1e-8)
    got = np.vstack(a.maps_)
    np.testing.assert_allclose(got.T @ B @ got, np.eye(4), atol=1e-8)
    np.testing.assert_allclose(np.abs(got), np.abs(F[:, :4]), atol=1e-6 * np.abs(F[:, :4]).max())
    np.testing.assert_allclose(a.outcome_.ridge, [ridge[0], ridge[-1]], rtol=1e-10)
    for side in (0, 1):
        np.testing.assert_allclose(a.embeddings_[side], P[side] @ a.maps_[side], atol=1e-9)
        new = given[side][:5]
        np.testing.assert_allclose(a.transform(new, side), a.embeddings_[side][:5], atol=1e-9)
    np.testing.assert_allclose(
        a.map(given[0], 0, 1), P[0] @ a.maps_[0] @ np.linalg.pinv(a.maps_[1]), atol=1e-7, rtol=1e-6
    )


def test_cca_equals_the_singular_values_of_the_whitened_cross_products():
    rng = np.random.default_rng(2)
    latent = rng.standard_normal((300, 3))
    X, Y = (latent @ rng.standard_normal((3, p)) + 0.7 * rng.standard_normal((300, p)) for p in (12, 8))
    order = rng.permutation(300)
    a = lb.CCA(8, ridge=0.0).fit([X, Y[order]], np.column_stack([order, np.arange(300)]))
    qx, qy = (np.linalg.qr(M - M.mean(0))[0] for M in (X, Y))
    np.testing.assert_allclose(a.eigenvalues_, np.linalg.svd(qx.T @ qy)[1][:8], rtol=1e-9)
    three = lb.CCA(3).fit([X, Y[order], X[:, :5]], np.column_stack([order, np.arange(300), order]))
    assert (np.diff(three.eigenvalues_) <= 1e-12).all() and three.eigenvalues_[0] <= 1


def test_linear_transform_equals_ridge_regression():
    data, pairs = problem([(60, 7), (55, 9)], 40, 3)
    a = lb.LinearTransform(ridge=0.2).fit(data, pairs)
    X, Y = ((M - M.mean(0))[pairs[:, s]] for s, M in enumerate(data))
    G = X.T @ X
    T = np.linalg.solve(G + 0.2 * np.diag(G).mean() * np.eye(7), X.T @ Y)
    np.testing.assert_allclose(a.maps_[0], T, atol=1e-10)
    assert a.maps_[1] is None
    centred = data[0] - data[0].mean(0)
    np.testing.assert_allclose(a.map(data[0]), centred @ T, atol=1e-9)
    np.testing.assert_allclose(a.predict(data[0]), centred @ T + data[1].mean(0), atol=1e-9)
    np.testing.assert_allclose(a.embeddings_[1], data[1] - data[1].mean(0), atol=1e-12)


def test_pair_similarity_equals_cosines():
    data, pairs = problem([(60, 7), (55, 9)], 20, 4)
    data = [M + 0.1 for M in data]  # no row is zero
    a = lb.PairSimilarity().fit([sparse.csr_array(data[0]), data[1]], pairs)
    unit = [M / np.linalg.norm(M, axis=1, keepdims=True) for M in data]
    pairs = pairs[np.argsort(pairs[:, 0])]  # a component per group of rows, in the order of the first dataset
    for side in (0, 1):
        similarity = unit[side] @ unit[side][pairs[:, side]].T
        np.testing.assert_allclose(a.embeddings_[side], similarity - similarity.mean(0), atol=1e-12)


@pytest.mark.parametrize(
    "method",
    [lb.LinearAlignment(4), lb.LinearAlignment(3, ridge=0.0, mu=1, balance=False), lb.CCA(4), lb.LinearTransform(), lb.PairSimilarity()],
    ids=["linear", "paper", "cca", "transform", "similarity"],
)
@pytest.mark.filterwarnings("ignore:.*numerical rank")
def test_models_survive_file_pickle_and_clone(method, tmp_path):
    import pickle

    from sklearn.base import clone

    documents = lb.datasets.bilingual_documents(120)
    pairs = documents.pairs(60)
    a = clone(method).fit(documents.datasets, pairs)
    a.save(tmp_path / "m.lb")
    for b in (lb.load(tmp_path / "m.lb"), pickle.loads(pickle.dumps(a))):
        assert type(b) is type(a)
        assert {k: v for k, v in b.get_params().items() if k not in ("n_jobs", "verbose")} == {
            k: v for k, v in a.get_params().items() if k not in ("n_jobs", "verbose")
        }
        new = documents.datasets[0][:7]
        assert (b.transform(new, 0) == a.transform(new, 0)).all()
        assert (b.match(k=3)[0] == a.match(k=3)[0]).all()


def test_new_documents_find_their_translation():
    documents = lb.datasets.bilingual_documents(400)
    X, Y = documents.datasets
    truth = dict(documents.truth)
    table = np.array([(i, truth[i]) for i in range(200)])
    a = lb.LinearAlignment(40, prepare="unit_center").fit([X, Y], table)
    idx, _ = a.match(X[200:300], source=0, target=1, k=10)
    found = np.mean([truth[i] in row for i, row in zip(range(200, 300), idx)])
    assert found > 0.5  # chance is 0.025
    words = a.top_features(dataset=0, component=0, n=5)
    assert len(words) == 5 and all(isinstance(name, str) for name, _ in words)


@pytest.mark.parametrize(
    "params, message",
    [
        ({"ridge": -1.0}, "ridge is -1"),
        ({"ridge": "much"}, "ridge is 'much'; it must be \"auto\""),
        ({"ridge": True}, "ridge is True"),
        ({"prepare": "centre"}, "prepare is 'centre'; it must be one of"),
        ({"constraint": "none"}, "constraint is 'none'"),
        ({"weight_components": 3}, "weight_components is 3"),
        ({"mu": 0}, "mu is 0"),
        ({"n_components": 0}, "n_components is 0"),
    ],
)
def test_bad_parameters_are_named(params, message):
    data, pairs = problem([(30, 4), (30, 5)], 20, 5)
    with pytest.raises(lb.ParameterError, match=message):
        lb.LinearAlignment(**{"n_components": 2, **params}).fit(data, pairs)


def test_awkward_documents_give_a_warning_and_no_nan():
    data, pairs = problem([(40, 6), (40, 5)], 20, 6)
    data[0][:, 1] = 2.0
    data[0][:, 2] = data[0][:, 3]
    data[1][5] = 0
    for given in (data, [sparse.csr_array(X) for X in data]):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            a = lb.LinearAlignment(40, ridge=0.0).fit(given, pairs)
        text = " ".join(str(w.message) for w in seen)
        assert "1 column is constant" in text
        assert "n_components is 40" in text and "numerical rank" in text
        assert a.outcome_.rank < 11
        assert all(np.isfinite(z).all() for z in a.embeddings_)
