"""Global geometry against NumPy and SciPy, formula by formula."""

import json
import pickle

import numpy as np
import pytest
import scipy.linalg
from scipy import sparse
from scipy.sparse.csgraph import dijkstra
from scipy.spatial.distance import cdist

import landbridge as lb
from landbridge import _landbridge as core

K = 8


def search(distance):
    """Only geodesic distances search for neighbours."""
    return {"n_neighbors": K} if distance == "geodesic" else {}



def within(X, distance):
    D = cdist(X, X, "cosine" if distance == "cosine" else "euclidean")
    np.fill_diagonal(D, 0)
    if distance != "geodesic":
        return D
    near = np.argsort(D + np.diag(np.full(len(D), np.inf)), axis=1)[:, :K]
    G = np.zeros_like(D)
    for i, row in enumerate(near):
        G[i, row] = D[i, row]
    D = dijkstra(np.maximum(G, G.T), directed=False)
    assert np.isfinite(D).all()
    return D


def plain(Xs, pairs, distance):
    """eta, D, tau(D) and both spectra, each by its formula."""
    Ds = [within(X, distance) for X in Xs]
    eta = [1.0]
    for a in range(1, len(Xs)):
        A, B = (Ds[s][np.ix_(pairs[:, s], pairs[:, s])] for s in (0, a))
        eta.append(np.trace(B.T @ A) / np.trace(B.T @ B))
        Ds[a] = Ds[a] * eta[a]
    bridge = lambda a, b: np.min(Ds[a][:, pairs[:, a]][:, None] + Ds[b][:, pairs[:, b]][None], axis=2)
    D = np.block([[Ds[a] if a == b else bridge(a, b) for b in range(len(Xs))] for a in range(len(Xs))])
    N = len(D)
    H = np.eye(N) - 1 / N
    tau = -H @ (D * D) @ H / 2
    Z = scipy.linalg.block_diag(*[X - X.mean(axis=0) for X in Xs])
    feature = scipy.linalg.eigh(Z.T @ tau @ Z, Z.T @ Z, eigvals_only=True)[::-1]
    return np.array(eta), D, feature, np.linalg.eigvalsh(tau)[::-1]


def problem(seed):
    rng = np.random.default_rng(seed)
    c = 2 + seed % 2
    sizes = [60 + 10 * a for a in range(c)]
    base = rng.standard_normal((90, 4))
    Xs = [base[:n] @ rng.standard_normal((4, 5 + a)) * (1 + a) + 0.1 * rng.standard_normal((n, 5 + a)) for a, n in enumerate(sizes)]
    return Xs, np.column_stack([rng.permutation(55)[:15]] * c)


@pytest.mark.parametrize("seed", range(20))
def test_eta_distances_and_eigenvalues_equal_the_formulas(seed):
    Xs, pairs = problem(seed)
    distance = ("geodesic", "euclidean", "cosine")[seed % 3]
    eta, D, feature, instance = plain(Xs, pairs, distance)
    a = lb.GlobalAlignment(4, distance=distance, **search(distance)).fit(Xs, pairs)
    np.testing.assert_allclose(a.scales_, eta, rtol=1e-10)
    np.testing.assert_allclose(a.eigenvalues_, feature[:4], rtol=1e-8)
    b = lb.GlobalAlignment(3, level="instance", distance=distance, **search(distance)).fit(Xs, pairs)
    np.testing.assert_allclose(b.eigenvalues_, instance[:3], rtol=1e-8)
    share = -instance[instance < 0].sum() / np.abs(instance).sum()
    assert abs(b.outcome_.negative_share - share) < 1e-9
    given = [within(X, distance) for X in Xs]
    joint, scales = lb.geometry.joint_distances(given, pairs)
    np.testing.assert_allclose(joint, D, atol=1e-12)
    np.testing.assert_allclose(scales, eta, rtol=1e-12)
    p = lb.GlobalAlignment(4, distance="precomputed", distances=given).fit(Xs, pairs)
    np.testing.assert_allclose(p.eigenvalues_, feature[:4], rtol=1e-8)
    every = lb.GlobalAlignment(4, distance=distance, **search(distance), landmarks=sum(map(len, Xs))).fit(Xs, pairs)
    np.testing.assert_allclose(every.eigenvalues_, feature[:4], rtol=1e-8)


def test_sphered_coordinates_and_their_weights():
    Xs, pairs = problem(0)
    sphered = lb.GlobalAlignment(4, weight_components=False).fit(Xs, pairs)
    Z = np.vstack(sphered.embeddings_)
    np.testing.assert_allclose(Z.T @ Z, np.eye(4), atol=1e-9)
    weighted = lb.GlobalAlignment(4).fit(Xs, pairs)
    np.testing.assert_allclose(weighted.component_weights_, np.sqrt(weighted.eigenvalues_))
    for x, y in zip(weighted.embeddings_, sphered.embeddings_):
        np.testing.assert_allclose(x, y * np.sqrt(sphered.eigenvalues_), atol=1e-9)
    prepared = Xs[1] - Xs[1].mean(axis=0)
    np.testing.assert_allclose(prepared @ sphered.maps_[1], sphered.embeddings_[1], atol=1e-9)
    assert lb.GlobalAlignment(4, distance="euclidean").fit(Xs, pairs).component_weights_ is None


def test_distances_along_and_through_equal_scipy():
    X = np.random.default_rng(3).standard_normal((400, 3))
    graph = sparse.csr_array(lb.geometry.knn_graph(X, 6, mode="sparse"))
    graph = graph.maximum(graph.T)
    expected = dijkstra(graph, directed=False)
    np.testing.assert_allclose(lb.geometry.geodesic_distances(None, graph=graph), expected, atol=1e-12)
    single = lb.geometry.geodesic_distances(None, graph=graph, dtype="float32")
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, expected, rtol=1e-6)
    with pytest.raises(lb.ParameterError, match="dtype"):
        lb.geometry.geodesic_distances(X, dtype="int32")
    A, B = np.random.default_rng(4).random((70, 130)), np.random.default_rng(5).random((130, 90))
    assert np.array_equal(lb.geometry.min_plus(A, B), np.min(A[:, :, None] + B, axis=1))
    with pytest.raises(lb.DataError):
        lb.geometry.min_plus(A, B[:5])
    with pytest.raises(lb.DataError):
        lb.geometry.min_plus([[np.nan]], [[1.0]])


@pytest.mark.parametrize("params", [{}, {"level": "instance"}, {"level": "instance", "landmarks": 60}, {"landmarks": 60}])
def test_a_saved_model_transforms_alike(tmp_path, params):
    Xs, pairs = problem(2)
    a = lb.GlobalAlignment(3, **search(params.get("distance", "geodesic")), **params).fit(Xs, pairs)
    new = Xs[1] + 0.01
    a.save(tmp_path / "model.lb")
    b = lb.load(tmp_path / "model.lb")
    assert type(b) is lb.GlobalAlignment and b.get_params() == a.get_params()
    assert np.array_equal(b.transform(new, 1), a.transform(new, 1))
    assert np.array_equal(b.scales_, a.scales_)
    assert np.array_equal(pickle.loads(pickle.dumps(a)).transform(new, 1), a.transform(new, 1))
    assert np.array_equal(a.transform(Xs[1], 1), a.embeddings_[1])
    if params.get("level") == "instance":
        with pytest.raises(lb.UndefinedError):
            a.map(new, 1, 0)
    else:
        assert a.map(new, 1, 0).shape == (len(new), Xs[0].shape[1])


def test_bad_input_is_named():
    Xs, pairs = problem(0)
    D = [cdist(X, X) for X in Xs]
    fit = lambda pairs=pairs, **params: lb.GlobalAlignment(2, **params).fit(Xs, pairs)
    with pytest.raises(lb.PairsError, match="none is paired with dataset"):
        three = [*Xs, Xs[0]]
        lb.GlobalAlignment(2).fit(three, {(0, 1): pairs, (1, 2): pairs})
    with pytest.raises(lb.PairsError, match="needs two"):
        fit(pairs[:1])
    for bad, word in ((-1.0, "-1"), (np.inf, "inf"), (np.nan, "NaN"), (99.0, "symmetric")):
        wrong = [D[0].copy(), D[1]]
        wrong[0][2, 5] = bad
        with pytest.raises(lb.DataError, match=word):
            fit(distance="precomputed", distances=wrong)
    with pytest.raises(lb.ParameterError, match="precomputed"):
        fit(distance="cosine", distances=D)
    assert not fit(distances=D).outcome_.warnings
    with pytest.raises(lb.ParameterError, match="distances"):
        fit(distance="precomputed")
    with pytest.raises(lb.ParameterError, match="list"):
        fit(distance="precomputed", distances=D[0])
    for params in ({"level": "rows"}, {"distance": "far"}, {"landmarks": 2}, {"landmarks": 10_000}, {"landmarks": True}):
        with pytest.raises(lb.ParameterError):
            fit(**params)
    with pytest.raises(lb.ParameterError):
        fit(level="instance", ridge=1.0)


def test_parts_that_were_joined_are_told():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.random((30, 2)), rng.random((30, 2)) + 50])
    with pytest.warns(lb.AlignmentWarning, match="2 connected components; 1 shortest missing edge"):
        lb.GlobalAlignment(2, n_neighbors=4).fit([X, rng.random((60, 3))], np.column_stack([np.arange(0, 60, 6)] * 2))
