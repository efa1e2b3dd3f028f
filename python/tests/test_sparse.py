"""Sparse maps and the regressions behind them, against plain references."""

import importlib.util
import json
import pickle
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

import landbridge as lb

_spec = importlib.util.spec_from_file_location("regressions", Path(__file__).parent / "data" / "regressions.py")
regressions = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(regressions)

PENALTIES = ["lasso", "elastic_net", "group", "fused", "none"]


@pytest.fixture(scope="module")
def documents():
    data = lb.datasets.bilingual_documents(150)
    return data.datasets, data.pairs(75)


def objective(X, Y, W, alpha=0.0, beta=0.0, gamma=0.0, groups=None):
    value = ((Y - X @ W) ** 2).sum() + gamma * (W**2).sum() + beta * np.abs(np.diff(W, axis=0)).sum()
    if groups is None:
        return value + alpha * np.abs(W).sum()
    return value + alpha * sum(np.sqrt(len(g)) * np.linalg.norm(W[g]) for g in groups)


def random_problem(seed, n=40, p=25, width=3):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, p)) * (rng.random((n, p)) < 0.6)
    return X, X[:, :4] @ rng.standard_normal((4, width)) + 0.3 * rng.standard_normal((n, width))


def soft(Z, by):
    return np.sign(Z) * np.maximum(np.abs(Z) - by, 0)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("shape", [(40, 25), (20, 60)])
def test_solvers_meet_their_optimality_conditions(seed, shape):
    X, Y = random_problem(seed, *shape)
    p = X.shape[1]
    groups = [list(range(s, min(s + 4, p))) for s in range(0, p, 4)]
    for W, info, extra in [
        (*lb.solve.lasso(X, Y, 3.0), {"alpha": 3.0}),
        (*lb.solve.elastic_net(X, Y, 2.0, 1.5), {"alpha": 2.0, "gamma": 1.5}),
        (*lb.solve.fused_lasso(X, Y, 1.0, 2.0), {"alpha": 1.0, "beta": 2.0}),
        (*lb.solve.group_lasso(X, Y, 2.0, groups), {"alpha": 2.0, "groups": groups}),
    ]:
        assert info["status"] == "converged" and info["gap"] <= 1e-8
        np.testing.assert_allclose(info["objective"], objective(X, Y, W, **extra), rtol=1e-9)
        # No small step in any direction helps.
        rng = np.random.default_rng(seed)
        best = objective(X, Y, W, **extra)
        for _ in range(50):
            assert objective(X, Y, W + 1e-3 * rng.standard_normal(W.shape), **extra) > best
    W, _ = lb.solve.lasso(X, Y, 3.0, tolerance=1e-12)
    q = 2 * X.T @ (Y - X @ W)
    assert np.abs(q).max() <= 3.0 * (1 + 1e-5)
    np.testing.assert_allclose(q[W != 0], 3.0 * np.sign(W[W != 0]), atol=1e-4)


@pytest.mark.parametrize("penalty", regressions.PENALTIES)
def test_least_values_equal_those_of_an_interior_point_solver(penalty):
    stored = json.loads(regressions.STORED.read_text())[penalty]
    assert len(stored) == regressions.COUNT == 20
    for seed, expected in enumerate(stored):
        X, Y, s = regressions.problem(seed)
        W, info = {
            "lasso": lambda: lb.solve.lasso(X, Y, s["alpha"]),
            "elastic_net": lambda: lb.solve.elastic_net(X, Y, s["alpha"], s["gamma"]),
            "group": lambda: lb.solve.group_lasso(X, Y, s["alpha"], s["groups"]),
            "fused": lambda: lb.solve.fused_lasso(X, Y, s["alpha"], s["beta"]),
        }[penalty]()
        assert info["gap"] <= 1e-8 and info["status"] == "converged"
        assert info["objective"] == pytest.approx(expected, rel=1e-7), seed


def test_sparse_rows_vectors_and_paths():
    X, Y = random_problem(9)
    W, info = lb.solve.lasso(X, Y, 2.0)
    V, _ = lb.solve.lasso(sparse.csr_matrix(X), Y, 2.0)
    np.testing.assert_allclose(W, V, atol=1e-4)
    w, _ = lb.solve.lasso(X, Y[:, 0], 2.0)
    assert w.shape == (25,)
    np.testing.assert_allclose(w, W[:, 0], atol=1e-4)
    assert not lb.solve.lasso(X, Y, info["largest_alpha"] * 1.001)[0].any()
    path = lb.solve.lasso_path(X, Y, [8.0, 4.0, 2.0])
    assert [sparse.issparse(P) for P, _ in path] == [True] * 3
    np.testing.assert_allclose(path[-1][1]["objective"], info["objective"], rtol=1e-7)
    R, _ = lb.solve.ridge(X, Y, 2.0)
    np.testing.assert_allclose(R, np.linalg.solve(X.T @ X + 2 * np.eye(25), X.T @ Y), atol=1e-9)
    R, _ = lb.solve.ridge(X.T[:, :10], np.eye(25)[:, :2], 0.0)
    np.testing.assert_allclose(R, np.linalg.pinv(X.T[:, :10]) @ np.eye(25)[:, :2], atol=1e-9)


def test_total_variation():
    np.testing.assert_allclose(lb.solve.total_variation([0.0, 0.0, 4.0, 4.0], 1.0), [0.5, 0.5, 3.5, 3.5])
    y = np.random.default_rng(1).standard_normal(1000).cumsum()
    x = lb.solve.total_variation(y, 2.0)
    dual = np.cumsum(y - x)
    assert np.abs(dual[:-1]).max() <= 2 + 1e-9 and abs(dual[-1]) < 1e-8
    with pytest.raises(lb.ParameterError, match="strength is -1"):
        lb.solve.total_variation(y, -1.0)
    with pytest.raises(lb.ParameterError, match="finite"):
        lb.solve.total_variation([0.0, np.nan], 1.0)


@pytest.mark.parametrize("bad", [dict(alpha=-1.0), dict(alpha=np.nan), dict(alpha="much"), dict(tolerance=0.0)])
def test_bad_strengths_are_refused(bad):
    X, Y = random_problem(3)
    with pytest.raises(ValueError, match=next(iter(bad))):
        lb.solve.lasso(X, Y, **{"alpha": 1.0, **bad})


def test_groups_must_cover_the_columns():
    X, Y = random_problem(3)
    with pytest.raises(lb.ParameterError, match="without feature 24"):
        lb.solve.group_lasso(X, Y, 1.0, [list(range(24))])
    with pytest.raises(lb.LandbridgeError, match="40 rows"):
        lb.solve.lasso(X, Y[:30], 1.0)


@pytest.mark.parametrize("penalty", PENALTIES)
def test_maps_are_the_regressions_on_the_eigenvectors(documents, penalty):
    data, pairs = documents
    a = lb.SparseAlignment(4, penalty=penalty, alpha=0.2).fit(data, pairs)
    targets = lb.InstanceAlignment(4, weights="heat", tolerance=1e-9).fit(data, pairs).embeddings_
    for side in (0, 1):
        X = (data[side].toarray() if sparse.issparse(data[side]) else np.asarray(data[side])).astype(float)
        X = X - X.mean(0)
        Y = targets[side] * np.sign((targets[side] * (X @ a.maps_[side].toarray())).sum(0))
        alpha, beta = a.alphas_[side], a.betas_[side]
        W = a.maps_[side].toarray()
        extra = {
            "lasso": dict(alpha=alpha),
            "elastic_net": dict(alpha=alpha, gamma=beta),
            "group": dict(alpha=alpha, groups=[[j] for j in range(X.shape[1])]),
            "fused": dict(alpha=alpha, beta=beta),
            "none": dict(gamma=beta),
        }[penalty]
        if penalty != "fused":  # there columns that never change are left out of the order
            np.testing.assert_allclose(objective(X, Y, W, **extra), a.objectives_[side], rtol=1e-5)
        if penalty in ("lasso", "elastic_net", "fused"):
            np.testing.assert_allclose(alpha, 0.2 * 2 * np.abs(X.T @ Y).max(), rtol=1e-5)
        np.testing.assert_allclose(a.embeddings_[side], X @ W, atol=1e-9)
        np.testing.assert_allclose(a.transform(data[side][:3], side), a.embeddings_[side][:3], atol=1e-12)
        used = np.count_nonzero(np.abs(W).sum(1))
        assert a.features_used_[side] == used and a.pruned_[side] == pytest.approx(1 - used / X.shape[1])
    assert max(a.gaps_) <= 1e-8


def test_saved_pickled_and_loaded_maps_transform_alike(documents, tmp_path):
    data, pairs = documents
    a = lb.SparseAlignment(4, penalty="group", alpha=0.1, refit=0.5).fit(data, pairs)
    a.save(tmp_path / "m.lb")
    for b in (lb.load(tmp_path / "m.lb"), pickle.loads(pickle.dumps(a))):
        assert isinstance(b, lb.SparseAlignment) and b.get_params()["refit"] == 0.5
        np.testing.assert_array_equal(b.transform(data[0], 0), a.transform(data[0], 0))
        assert (b.maps_[1] != a.maps_[1]).nnz == 0
        assert b.alphas_ == a.alphas_ and b.features_used_ == a.features_used_


def test_groups_and_order_by_label_or_number(documents):
    data, pairs = documents
    p, q = (X.shape[1] for X in data)
    labels = [np.arange(p) // 3, np.arange(q) // 3]
    numbers = [[list(range(s, min(s + 3, n))) for s in range(0, n, 3)] for n in (p, q)]
    by_label = lb.SparseAlignment(3, penalty="group", groups=labels, alpha=0.1).fit(data, pairs)
    by_number = lb.SparseAlignment(3, penalty="group", groups=numbers, alpha=0.1).fit(data, pairs)
    assert (by_label.maps_[0] != by_number.maps_[0]).nnz == 0
    plain = lb.SparseAlignment(3, penalty="fused", alpha=0.1).fit(data, pairs)
    same = lb.SparseAlignment(3, penalty="fused", alpha=0.1, order=[np.arange(p), np.arange(q)]).fit(data, pairs)
    other = lb.SparseAlignment(3, penalty="fused", alpha=0.1, order=[np.random.default_rng(0).permutation(p), range(q)])
    assert (plain.maps_[0] != same.maps_[0]).nnz == 0
    assert other.fit(data, pairs).objectives_[0] != plain.objectives_[0]


@pytest.mark.parametrize(
    ("params", "words"),
    [
        (dict(alpha=-1.0), "alpha is -1"),
        (dict(alpha=2.0), "it must be below 1"),
        (dict(penalty="much"), "penalty"),
        (dict(penalty="group", groups=[[[0]], [[0]]]), "without feature 1"),
        (dict(penalty="fused", order=[[0, 0], [0]]), "0 twice"),
        (dict(penalty="fused", order=[["a"], [0]]), "whole numbers"),
        (dict(beta=1.0), "beta is given"),
        (dict(groups=5, penalty="group"), "one entry per dataset"),
    ],
)
def test_bad_parameters_say_what_to_do(documents, params, words):
    with pytest.raises(ValueError, match=words):
        lb.SparseAlignment(3, **params).fit(*documents)


def test_instance_level_has_places_and_no_maps(documents):
    data, pairs = documents
    a = lb.SparseAlignment(3, level="instance", alpha=0.2).fit(data, pairs)
    assert (a.embeddings_[0] == 0).any() and not hasattr(a, "maps_")
    with pytest.raises(lb.UndefinedError):
        a.top_features()
    assert a.transform(data[0][:2], 0).shape == (2, 3)


def test_a_path_is_judged_by_held_out_pairs(documents, tmp_path):
    copies = lb.datasets.bilingual_documents(300)
    data, pairs = copies.datasets, copies.pairs(150)
    estimator = lb.SparseAlignment(20, prepare="unit_center")
    path = lb.sparse_path(estimator, {"en": data[0], "it": data[1]}, pairs, alphas=[0.1, 0.02, 0.01])
    assert path.held_out == 30 and path.features_used.shape == (3, 2)
    assert (np.diff(path.density) > 0).all() and path.best_alpha in path.alphas
    assert path.recall[list(path.alphas).index(path.best_alpha)] == path.recall.max() > 0
    svg = path.plot(tmp_path / "path.svg")
    assert svg.startswith("<svg") and "held-out recall@1" in svg and (tmp_path / "path.svg").read_text() == svg
    with pytest.raises(lb.ParameterError, match="held_out"):
        lb.sparse_path(lb.SparseAlignment(3), data, pairs, alphas=[0.1], held_out=1.5)
