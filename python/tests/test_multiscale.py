"""Multiscale alignment and diffusion wavelets against dense references in NumPy."""

import inspect
import json
import pickle
import warnings

import numpy as np
import pytest
import scipy.linalg
from scipy import sparse

import landbridge as lb
from landbridge import _landbridge as core


def walk(n):
    T = np.diag(np.full(n, 0.5)) + np.diag(np.full(n - 1, 0.25), 1) + np.diag(np.full(n - 1, 0.25), -1)
    T[0, 0] = T[-1, -1] = 0.75
    return T


def problem(seed=0, n=120):
    rng = np.random.default_rng(seed)
    latent = rng.standard_normal((n, 4))
    data = [latent @ rng.standard_normal((4, p)) + 0.1 * rng.standard_normal((n, p)) for p in (9, 7)]
    known = rng.permutation(n)[:40]
    return data, np.column_stack([known, known])


def largest_angle(A, B):
    """Sine of the largest principal angle from the columns of A to those of B, both orthonormal."""
    return np.linalg.norm(A - B @ (B.T @ A), 2)


def reference(data, pairs, graphs, mu):
    """Orthonormal eigenvectors of (U'LU)^+ in the space of rows, and their eigenvalues, norm 1, largest first."""
    W = sparse.block_diag(graphs).toarray()
    n = len(data[0])
    W[pairs[:, 0], n + pairs[:, 1]] += mu
    W[n + pairs[:, 1], pairs[:, 0]] += mu
    L = np.diag(W.sum(1)) - W
    U = scipy.linalg.block_diag(*(np.linalg.svd(X - X.mean(0), full_matrices=False)[0] for X in data))
    values, vectors = np.linalg.eigh(U.T @ L @ U)
    keep = values > 1e-9 * values[-1]
    return U @ vectors[:, keep], values[keep][0] / values[keep]


@pytest.mark.parametrize("precision", [1e-1, 1e-3, 1e-5])
def test_levels_are_the_eigenspaces_of_the_plain_formula(precision):
    data, pairs = problem()
    graphs = [lb.geometry.similarity_graph(X, 6) for X in data]
    a = lb.MultiscaleAlignment(precision, weights="precomputed", graphs=graphs, mu=3, balance=False).fit(data, pairs)
    vectors, values = reference(data, pairs, graphs, 3.0)
    assert a.levels_ == [int(np.sum(values ** (2.0**k) >= precision)) for k in range(1, len(a.levels_) + 1)]
    before = None
    for level, d in enumerate(a.levels_):
        shown = a.at_level(level)
        Z = np.vstack(shown.embeddings_)
        assert np.abs(Z.T @ Z - np.eye(d)).max() < 1e-8
        assert largest_angle(vectors[:, :d], Z) < 1e-6
        XF = np.vstack([(X - X.mean(0)) @ F for X, F in zip(data, shown.maps_)])
        assert np.abs(XF - Z).max() < 1e-9
        if before is not None:
            assert largest_angle(Z, before) < 1e-10
        before = Z
    assert a.levels_[-1] == 1


def test_every_verb_has_a_level():
    data, pairs = problem(1)
    a = lb.MultiscaleAlignment(1e-3).fit({"x": data[0], "y": data[1]}, pairs)
    assert a.level_ == next(l for l, d in enumerate(a.levels_) if d < 16)
    assert a.embeddings_[0].shape[1] == a.levels_[a.level_]
    for level, d in enumerate(a.levels_):
        assert a.transform(data[1][:4], "y", level).shape == (4, d)
        np.testing.assert_allclose(a.transform(data[0], "x", level=level), a.at_level(level).embeddings_[0], atol=1e-9)
        index, _ = a.match(data[0][:5], source="x", target="y", k=2, level=level)
        assert index.shape == (5, 2)
        assert a.map(data[0][:3], "x", "y", level=level).shape == (3, 7)
        assert a.predict(data[0][:3], "x", "y", level=level).shape == (3, 7)
        assert len(a.top_features("x", 0, 4, level=level)) == 4
    for bad in (len(a.levels_), 10**6):
        with pytest.raises(lb.ParameterError, match="0 is the finest"):
            a.transform(data[0], 0, level=bad)
    for bad in (-1, True, 1.5):
        with pytest.raises(lb.ParameterError, match="level"):
            a.match(level=bad)


def test_saving_pickling_and_loading_keep_all_levels(tmp_path):
    data, pairs = problem(2)
    a = lb.MultiscaleAlignment(1e-2, n_neighbors=5).fit(data, pairs)
    a.save(tmp_path / "m.lb")
    for b in (lb.load(tmp_path / "m.lb"), pickle.loads(pickle.dumps(a))):
        assert isinstance(b, lb.MultiscaleAlignment) and b.levels_ == a.levels_ and b.get_params() == a.get_params()
        for level in range(len(a.levels_)):
            assert np.array_equal(a.transform(data[1], 1, level), b.transform(data[1], 1, level))
    assert lb.LinearAlignment(2).fit(data, pairs)._model.levels is None


@pytest.mark.filterwarnings("ignore:n_neighbors has no effect")
def test_instances_and_directed_graphs():
    data, pairs = problem(3)
    rows = lb.MultiscaleAlignment(1e-3, level="instance").fit(data, pairs)
    Z = np.vstack(rows.at_level(0).embeddings_)
    assert np.abs(Z.T @ Z - np.eye(Z.shape[1])).max() < 1e-8
    assert rows.maps_ == [None, None]
    with pytest.raises(lb.UndefinedError):
        rows.map(data[0])
    cites = sparse.csr_array(np.tril(np.random.default_rng(0).random((120, 120)) < 0.05, -1).astype(float))
    with pytest.raises(lb.DataError, match="not symmetric"):
        lb.MultiscaleAlignment(weights="precomputed", graphs=[cites, cites]).fit(data, pairs)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        directed = lb.MultiscaleAlignment(1e-3, weights="precomputed", graphs=[cites, cites], directed=True).fit(data, pairs)
    assert any("the graph is directed" in str(w.message) for w in said)
    assert all(np.isfinite(z).all() for z in directed.embeddings_)
    assert "recursion" in directed.outcome_.solver


@pytest.mark.parametrize(
    "params, word",
    [
        ({"precision": 0.0}, "precision"),
        ({"precision": 1.0}, "precision"),
        ({"precision": "small"}, "precision"),
        ({"max_levels": 0}, "max_levels"),
        ({"level": "rows"}, "level"),
        ({"construction": "qr"}, "construction"),
        ({"directed": "yes"}, "directed"),
        ({"mu": -1.0}, "mu"),
    ],
)
def test_bad_parameters_say_which(params, word):
    data, pairs = problem()
    with pytest.raises(lb.ParameterError, match=word):
        lb.MultiscaleAlignment(**params).fit(data, pairs)


def test_rank_zero_is_an_error_that_says_so():
    with pytest.raises(lb.NumericalError, match="rank 0"):
        lb.MultiscaleAlignment(n_neighbors=3).fit([np.ones((20, 3)), np.ones((20, 2))], [[0, 0], [1, 1]])


# ---- diffusion wavelets -----------------------------------------------------------------------------------------------


def test_wavelets_are_exact_for_symmetric_operators():
    T = walk(150)
    values, vectors = np.linalg.eigh(T)
    found = lb.geometry.diffusion_wavelets(T, 1e-4)
    assert found.construction == "spectral" and not found.rescaled
    power = T
    for phi, k, d in zip(found, found.powers, found.dimensions):
        power = power @ power
        V = vectors[:, np.abs(values) ** (2.0**k) >= 1e-4]
        assert phi.shape == (150, d) == V.shape
        assert largest_angle(V, phi) < 1e-6
        assert np.linalg.norm(power - phi @ (phi.T @ power), 2) <= 1e-4
    assert np.allclose(found[-1], found[len(found) - 1])
    np.testing.assert_allclose(found[1] @ found.step(2).toarray(), found[2], atol=1e-10)


@pytest.mark.parametrize("as_sparse", [False, True])
def test_the_recursion_takes_asymmetric_operators(as_sparse):
    rng = np.random.default_rng(4)
    T = np.triu(rng.random((60, 60)) < 0.1, 1) * 0.5 + np.diag(rng.random(60))
    given = sparse.csr_array(T) if as_sparse else T
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = lb.geometry.diffusion_wavelets(given, 1e-3)
    assert found.construction == "recursion"
    assert found.rescaled == any("norm" in str(w.message) for w in said)
    power = T / found.norm if found.rescaled else T
    for phi in found:
        phi = phi.toarray() if sparse.issparse(phi) else phi
        power = power @ power
        assert np.abs(phi.T @ phi - np.eye(phi.shape[1])).max() < 1e-9
        assert np.linalg.norm(power - phi @ (phi.T @ power), 2) <= 2e-3


def test_a_norm_above_one_is_rescaled_with_a_word():
    with pytest.warns(lb.AlignmentWarning, match="norm of the operator is 3"):
        found = lb.geometry.diffusion_wavelets(3 * walk(40), 1e-3)
    assert found.rescaled and found.dimensions == lb.geometry.diffusion_wavelets(walk(40), 1e-3).dimensions


def test_bad_operators_say_what_is_wrong():
    for bad in (0.0, 1.0, -1.0, float("nan")):
        with pytest.raises(lb.ParameterError, match="precision"):
            lb.geometry.diffusion_wavelets(walk(10), bad)
    with pytest.raises(lb.DataError):
        lb.geometry.diffusion_wavelets(np.zeros((3, 4)), 0.1)
    with pytest.raises(lb.NumericalError, match="zero"):
        lb.geometry.diffusion_wavelets(np.zeros((3, 3)), 0.1)
    with pytest.raises(IndexError, match="finest"):
        lb.geometry.diffusion_wavelets(walk(10), 0.1)[99]


# ---- topics -------------------------------------------------------------------------------------------------------------


def test_aligned_topics_are_the_turned_topics(tmp_path):
    rng = np.random.default_rng(0)
    X = rng.poisson(rng.dirichlet(np.full(8, 0.2), 200) @ (60 * rng.dirichlet(np.full(50, 0.1), 8))).astype(float)
    S = [np.linalg.svd(X, full_matrices=False)[2][:8], rng.random((8, 50))]
    words = [f"w{i}" for i in range(50)]
    pairs = np.column_stack([np.arange(80)] * 2)
    t = lb.align_topics([X @ s.T for s in S], S, words, pairs, precision=1e-3)
    for level in range(len(t.levels_)):
        maps = t.alignment_.at_level(level).maps_
        turned = [s.T @ F for s, F in zip(S, maps)]
        cosines = (turned[0] / np.linalg.norm(turned[0], axis=0)).T @ (turned[1] / np.linalg.norm(turned[1], axis=0))
        for topic in t.topics(level, n=5):
            c = topic.component
            sign = np.sign(turned[0][np.abs(turned[0][:, c]).argmax(), c])
            for a in range(2):
                assert topic.words[a] == [words[i] for i in np.argsort(-sign * turned[a][:, c], kind="stable")[:5]]
            assert topic.similarity == pytest.approx(cosines[c, c])
            assert topic.best_match == cosines[c].argmax()
    own, common = t.agreement(1)
    assert 0 <= common <= 1 and 0 <= own <= 1
    assert t.tree(tmp_path / "tree.svg").startswith("<svg") and (tmp_path / "tree.svg").read_text().endswith("</svg>\n")
    assert t.table(1, 4).count("\n") >= 2
    with pytest.raises(lb.DataError, match="columns"):
        lb.align_topics([X @ s.T for s in S], S, words[:-1], pairs)
    with pytest.raises(lb.DataError, match="rows"):
        lb.align_topics([X @ s.T for s in S], [S[0], S[1][:4]], words, pairs)
