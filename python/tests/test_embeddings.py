"""Each embedding beside scikit-learn or SciPy, on the same data."""

from __future__ import annotations

import json
import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.csgraph import shortest_path
from scipy.sparse.linalg import svds

import landbridge as lb
from landbridge import _landbridge as core

sklearn = pytest.importorskip("sklearn")
from sklearn import datasets, decomposition, manifold, neighbors  # noqa: E402

EMBEDDINGS = [lb.PCA, lb.LSI, lb.LaplacianEigenmaps, lb.LPP, lb.DiffusionMap, lb.Isomap, lb.LLE]


def swiss_roll() -> np.ndarray:
    return datasets.make_swiss_roll(700, random_state=0)[0]


def digits() -> np.ndarray:
    X = datasets.load_digits().data[:600]
    # Whole numbers have neighbours at equal distances, of which each library may take another: a little noise decides.
    X = X[:, X.std(axis=0) > 0]
    return X + 1e-3 * np.random.default_rng(0).normal(size=X.shape)


def two_parts() -> np.ndarray:
    X = np.random.default_rng(3).normal(size=(300, 4))
    X[200:] += 40.0
    return X


def documents() -> sparse.csr_array:
    counts = np.random.default_rng(5).poisson(0.04, size=(900, 500)) + np.eye(900, 500)
    return sparse.csr_array(counts)


DENSE = {"swiss roll": swiss_roll, "digits": digits, "two parts": two_parts}


def graph(X, k=10):
    """Union of the neighbours, weights 1."""
    directed = neighbors.kneighbors_graph(X, k, mode="connectivity")
    W = sparse.csr_array(directed.maximum(directed.T))
    W.indices, W.indptr = W.indices.astype(np.int32), W.indptr.astype(np.int32)
    return W


def quietly(fit, *args):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return fit(*args)


def smallest(A, d, zeros):
    values, vectors = np.linalg.eigh(A)
    return values[zeros : zeros + d], vectors[:, zeros : zeros + d]


@pytest.mark.parametrize("name", DENSE)
def test_pca_equals_scikit_learn(name):
    X = DENSE[name]()
    d = min(X.shape[1], 8)
    reference = decomposition.PCA(d, svd_solver="full").fit(X)
    ours = lb.PCA(d).fit(X)
    np.testing.assert_allclose(ours.eigenvalues_, reference.explained_variance_, rtol=1e-9)
    assert lb.metrics.subspace_distance(ours.components_.T, reference.components_.T) < 1e-6
    signs = np.sign(np.sum(ours.components_ * reference.components_, axis=1))
    np.testing.assert_allclose(ours.transform(X[:7]) * signs, reference.transform(X[:7]), atol=1e-6 * np.abs(X).max())


def test_pca_of_sparse_rows_centres_them():
    X = documents()
    reference = decomposition.PCA(10, svd_solver="full").fit(X.toarray())
    ours = lb.PCA(10).fit(X)
    np.testing.assert_allclose(ours.eigenvalues_, reference.explained_variance_, rtol=1e-8)
    assert lb.metrics.subspace_distance(ours.components_.T, reference.components_.T) < 1e-5


@pytest.mark.parametrize("transposed", [False, True])
def test_lsi_equals_svds_and_truncated_svd(transposed):
    X = documents()
    X = sparse.csr_array(X.T) if transposed else X
    _, s, vt = svds(X, 20, random_state=0)
    ours = lb.LSI(20, prepare=None).fit(X)
    np.testing.assert_allclose(ours.eigenvalues_, np.sort(s)[::-1], rtol=1e-8)
    assert lb.metrics.subspace_distance(ours.components_.T, vt.T) < 1e-5
    np.testing.assert_allclose(np.linalg.norm(ours.embedding_, axis=0), ours.eigenvalues_, rtol=1e-8)


def test_lsi_weighs_like_scikit_learns_tfidf():
    from sklearn.feature_extraction.text import TfidfTransformer

    X = documents()
    weighted = TfidfTransformer().fit_transform(X)
    reference = decomposition.TruncatedSVD(5, algorithm="arpack", random_state=0).fit(weighted)
    ours = lb.LSI(5, prepare="tfidf").fit(X)
    np.testing.assert_allclose(ours.eigenvalues_, reference.singular_values_, rtol=1e-8)
    expected = reference.transform(weighted)
    np.testing.assert_allclose(np.abs(ours.embedding_), np.abs(expected), atol=1e-6)


@pytest.mark.parametrize("name", DENSE)
def test_laplacian_eigenmaps_equal_the_dense_solution_and_spectral_embedding(name):
    X = DENSE[name]()
    W = graph(X)
    degree = np.asarray(W.sum(axis=1)).ravel()
    L = np.diag(degree) - W.toarray()
    scaled = L / np.sqrt(np.outer(degree, degree))
    parts = sparse.csgraph.connected_components(W)[0]
    values, vectors = smallest(scaled, 6, parts)
    ours = quietly(lb.LaplacianEigenmaps(6, weights="binary", tolerance=1e-10).fit, X)
    np.testing.assert_allclose(ours.eigenvalues_, values, rtol=1e-7)
    F = ours.embedding_
    assert lb.metrics.subspace_distance(F * np.sqrt(degree)[:, None], vectors) < 1e-5
    np.testing.assert_allclose(F.T @ (degree[:, None] * F), np.eye(6), atol=1e-9)
    if parts == 1:
        peer = manifold.SpectralEmbedding(6, affinity="precomputed", random_state=0, eigen_solver="arpack").fit_transform(W)
        assert lb.metrics.subspace_distance(F, peer) < 1e-4
    else:
        assert ours.outcome_.zero_solutions == parts and "2 connected components" in ours.outcome_.warnings[0]


def test_laplacian_eigenmaps_take_a_graph():
    X = swiss_roll()
    built = lb.LaplacianEigenmaps(3, weights="binary").fit(X)
    given = lb.LaplacianEigenmaps(3, weights="precomputed", graphs=graph(X)).fit(X)
    np.testing.assert_allclose(built.eigenvalues_, given.eigenvalues_, rtol=1e-9)
    with pytest.raises(lb.UndefinedError, match="given graph"):
        given.transform(X[:2])


@pytest.mark.parametrize("name", DENSE)
def test_lpp_equals_the_generalised_problem(name):
    from scipy.linalg import eigh

    X = DENSE[name]()
    W = graph(X)
    degree = np.asarray(W.sum(axis=1)).ravel()
    centred = X - X.mean(axis=0)
    left = centred.T @ (np.diag(degree) - W.toarray()) @ centred
    right = centred.T @ (degree[:, None] * centred)
    values, vectors = eigh(left, right)
    ours = quietly(lb.LPP(3, weights="binary").fit, X)
    np.testing.assert_allclose(ours.eigenvalues_, values[:3], rtol=1e-7)
    assert lb.metrics.subspace_distance(ours.embedding_, centred @ vectors[:, :3]) < 1e-5
    np.testing.assert_allclose(ours.transform(X[:5]), ours.embedding_[:5], atol=1e-12)


@pytest.mark.parametrize("density", [0.0, 0.5, 1.0])
def test_diffusion_maps_equal_the_random_walk(density):
    X = swiss_roll()
    W = graph(X).toarray()
    q = W.sum(axis=1) ** -density
    W = W * np.outer(q, q)
    degree = W.sum(axis=1)
    P = W / degree[:, None]
    values, vectors = np.linalg.eigh(W / np.sqrt(np.outer(degree, degree)))
    values, vectors = values[::-1][1:5], vectors[:, ::-1][:, 1:5]
    ours = lb.DiffusionMap(4, time=3, density=density, weights="binary", tolerance=1e-10).fit(X)
    np.testing.assert_allclose(ours.eigenvalues_, values, rtol=1e-7)
    psi = vectors / np.sqrt(degree / degree.sum())[:, None]
    np.testing.assert_allclose(np.abs(ours.embedding_), np.abs(psi * values**3), atol=1e-4)
    # What the coordinates are for: distances of the walk after three steps, all components kept.
    small = swiss_roll()[:60]
    full = lb.DiffusionMap(59, time=3, density=0.0, weights="binary", tolerance=1e-10)
    Z = quietly(full.fit, small).embedding_
    W = graph(small).toarray()
    walk = np.linalg.matrix_power(W / W.sum(axis=1, keepdims=True), 3)
    pi = W.sum(axis=1) / W.sum()
    for i, j in [(0, 1), (3, 40), (20, 59)]:
        expected = np.sqrt(np.sum((walk[i] - walk[j]) ** 2 / pi))
        assert abs(np.linalg.norm(Z[i] - Z[j]) - expected) < 1e-8
    assert P.shape == (700, 700)


@pytest.mark.parametrize("name", DENSE)
def test_geodesic_distances_and_isomap_equal_scikit_learn(name):
    X = DENSE[name]()
    reference = quietly(manifold.Isomap(n_neighbors=8, n_components=3, eigen_solver="dense").fit, X)
    D = quietly(lb.geometry.geodesic_distances, X, 8)
    np.testing.assert_allclose(D, reference.dist_matrix_, rtol=1e-10, atol=1e-10)
    ours = quietly(lb.Isomap(3, n_neighbors=8).fit, X)
    np.testing.assert_allclose(ours.eigenvalues_, reference.kernel_pca_.eigenvalues_, rtol=1e-7)
    size = np.abs(reference.embedding_).max()
    np.testing.assert_allclose(np.abs(ours.embedding_), np.abs(reference.embedding_), atol=1e-5 * size)
    new = X[:20] + 0.01
    np.testing.assert_allclose(np.abs(ours.transform(new)), np.abs(reference.transform(new)), atol=1e-4 * size)


def test_geodesic_distances_of_a_given_graph_equal_scipys():
    W = sparse.random_array((80, 80), density=0.008, rng=np.random.default_rng(1), format="csr")
    W = sparse.csr_array(W + W.T)
    expected = shortest_path(W, directed=False)
    np.testing.assert_allclose(lb.geometry.geodesic_distances(None, graph=W), expected, rtol=1e-12)
    assert np.isinf(expected).any()
    with pytest.raises(lb.DataError, match="not symmetric"):
        lb.geometry.geodesic_distances(None, graph=sparse.csr_array([[0.0, 1.0], [2.0, 0.0]]))
    with pytest.raises(lb.DataError, match="not negative"):
        lb.geometry.geodesic_distances(None, graph=sparse.csr_array([[0.0, -1.0], [-1.0, 0.0]]))
    with pytest.raises(lb.ParameterError, match="both given"):
        lb.geometry.geodesic_distances([[1.0]], graph=W)
    with pytest.warns(lb.AlignmentWarning, match="1 shortest missing edge"):
        lb.geometry.geodesic_distances(two_parts(), 5)


@pytest.mark.parametrize("name", ["swiss roll", "digits"])
def test_lle_equals_scikit_learn(name):
    X = DENSE[name]()
    reference = manifold.LocallyLinearEmbedding(n_neighbors=12, n_components=3, eigen_solver="dense").fit(X)
    ours = lb.LLE(3, n_neighbors=12).fit(X)
    assert lb.metrics.subspace_distance(ours.embedding_, reference.embedding_) < 1e-5
    np.testing.assert_allclose(ours.eigenvalues_.sum(), reference.reconstruction_error_, rtol=1e-6)
    new = X[:20] + 0.01
    np.testing.assert_allclose(np.abs(ours.transform(new)), np.abs(reference.transform(new)), atol=1e-4)


def test_lle_of_two_parts_skips_both_zero_solutions():
    X = two_parts()
    M = neighbors.NearestNeighbors(n_neighbors=7).fit(X)
    W = manifold._locally_linear.barycenter_kneighbors_graph(M, 7, reg=1e-3).toarray()
    values, vectors = smallest((np.eye(300) - W).T @ (np.eye(300) - W), 3, 2)
    ours = quietly(lb.LLE(3, n_neighbors=7).fit, X)
    np.testing.assert_allclose(ours.eigenvalues_, values, rtol=1e-7)
    assert lb.metrics.subspace_distance(ours.embedding_, vectors) < 1e-5


@pytest.mark.parametrize("cls", EMBEDDINGS)
def test_embeddings_follow_the_conventions(cls, tmp_path):
    from sklearn.base import clone

    X = swiss_roll()[:150] + 30.0
    unfitted = cls(2)
    assert clone(unfitted).get_params() == unfitted.get_params()
    with pytest.raises(lb.NotFittedError):
        unfitted.transform(X)
    fitted = cls(2).fit(X)
    assert fitted.embedding_.shape == (150, 2) and fitted.n_features_in_ == 3
    np.testing.assert_array_equal(fitted.embedding_, cls(2, n_jobs=1).fit_transform(X))
    again = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(again.transform(X[:3]), fitted.transform(X[:3]))
    np.testing.assert_allclose(fitted.transform(X[:3]), fitted.embedding_[:3], atol=1e-6 * np.abs(fitted.embedding_).max())
    path = tmp_path / "embedding.lb"
    fitted.save(path)
    loaded = lb.load_embedding(path)
    assert type(loaded) is cls and loaded.n_components == 2
    np.testing.assert_array_equal(loaded.embedding_, fitted.embedding_)
    with pytest.raises(lb.DataError, match="3 features"):
        fitted.transform(X[:, :2])
    with pytest.raises(lb.ParameterError, match="n_components"):
        cls(0).fit(X)
    with pytest.raises(lb.DataError):
        cls(2).fit(np.full((10, 3), np.nan))
