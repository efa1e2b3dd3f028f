"""CLE, CLLE, LAMVU, votes and predictions of the missing side."""

import json
import inspect
import warnings

import numpy as np
import pytest
import scipy.linalg
from scipy import sparse

import landbridge as lb
from landbridge import _landbridge as core


def shops(people=160, linked=110, seed=0):
    """Ratings of two shops, NaN where unknown, some negative; the second of the linked people only, and the hidden rest."""
    rng = np.random.default_rng(seed)
    taste, mood = rng.normal(size=(people, 2)), rng.normal(size=(people, 1))
    both = []
    for items in (30, 40):
        R = mood + 1.5 * taste @ rng.normal(size=(2, items)) + 0.5 * rng.normal(size=(1, items)) + 0.5 * rng.normal(size=(people, items))
        both.append(np.where(rng.random(R.shape) < 0.6, R, np.nan))
    pairs = np.column_stack([np.arange(linked)] * 2)
    return both[0], both[1][:linked], both[1][linked:], pairs


METHODS = {
    "cle": lambda **p: lb.CLE(4, **p),
    "clle": lambda **p: lb.CLLE(4, **p),
    "lamvu": lambda **p: lb.LAMVU(4, n_neighbors=8, **p),
}


def reference_weights(X, near, ridge):
    W = np.zeros((len(X), len(X)))
    for i, js in enumerate(near):
        G = (X[js] - X[i]) @ (X[js] - X[i]).T
        w = np.linalg.solve(G + ridge * np.trace(G) * np.eye(len(js)), np.ones(len(js)))
        W[i, js] = w / w.sum()
    return W


def test_clle_equals_a_plain_reference():
    rng = np.random.default_rng(3)
    data = [rng.normal(size=(90, 4)), rng.normal(size=(80, 6))]
    pairs = np.column_stack([rng.permutation(90)[:30], rng.permutation(80)[:30]])
    node = [np.arange(90), 90 + np.arange(80)]
    node[1][pairs[:, 1]] = pairs[:, 0]
    names, flat = np.unique(np.concatenate(node), return_inverse=True)
    M = np.zeros((len(names), len(names)))
    for a, X in enumerate(data):
        D = np.linalg.norm(X[:, None] - X[None], axis=2)
        W = reference_weights(X, np.argsort(D, axis=1)[:, 1:9], 1e-3)
        S = np.eye(len(names))[flat[: 90] if a == 0 else flat[90:]]
        R = (np.eye(len(X)) - W) @ S
        M += R.T @ R
    values, vectors = scipy.linalg.eigh(M)
    a = lb.CLLE(5, n_neighbors=8, ridge=1e-3).fit(data, pairs)
    np.testing.assert_allclose(a.eigenvalues_, values[1:6], rtol=1e-8)
    for c in range(5):
        v = vectors[:, c + 1]
        got = np.concatenate([a.embeddings_[0][:, c], a.embeddings_[1][:, c]])
        np.testing.assert_allclose(np.abs(got), np.abs(v[flat]), atol=1e-8)


@pytest.mark.parametrize("name", METHODS)
def test_unknown_ratings_stay_unknown(name, tmp_path):
    A, B, truth, pairs = shops()
    a = METHODS[name]().fit({"a": A, "b": B}, pairs)
    predicted = a.predict(A[110:], source="a", target="b")
    assert predicted.shape == truth.shape and np.isfinite(predicted).all()
    votes = lb.MeanVotes().fit({"a": A, "b": B}, pairs).predict(A[110:], source="a", target="b")
    score = lb.metrics.mmae(predicted, truth)
    assert score < 0.75 * lb.metrics.mmae(votes, truth)
    # Sparse rows that store what is known say the same to the predictor; only distances see zeros then.
    stored = lambda R: sparse.csr_array((R[~np.isnan(R)], np.nonzero(~np.isnan(R))[1], np.r_[0, np.cumsum((~np.isnan(R)).sum(1))]), R.shape)
    s = METHODS[name](metric="cosine").fit([stored(A), stored(B)], pairs)
    assert lb.metrics.mmae(s.predict(stored(A[110:]), 0, 1), stored(truth)) < 0.8 * lb.metrics.mmae(votes, truth)
    a.save(tmp_path / "m.lb")
    b = lb.load(tmp_path / "m.lb")
    assert type(b) is type(a) and b.get_params() == a.get_params()
    np.testing.assert_array_equal(b.predict(A[110:], "a", "b"), predicted)
    np.testing.assert_array_equal(b.transform(A[110:], "a"), a.transform(A[110:], "a"))
    local = METHODS[name](predictor="local", ridge=1.0).fit([A, B], pairs).predict(A[110:], 0, 1)
    assert score < lb.metrics.mmae(local, truth)


def test_the_papers_prediction_is_a_combination_of_neighbours_in_the_joint_space():
    rng = np.random.default_rng(5)
    X, Y = rng.normal(size=(60, 5)), rng.normal(size=(40, 7))
    pairs = np.column_stack([np.arange(30)] * 2)
    a = lb.CLLE(3, n_neighbors=6, predictor="local", n_neighbors_predict=4, ridge=0.1).fit([X, Y], pairs)
    P, Q = a.embeddings_
    for i in (3, 45):
        near = np.argsort(np.linalg.norm(Q - P[i], axis=1))[:4]
        G = (Q[near] - P[i]) @ (Q[near] - P[i]).T
        w = np.linalg.solve(G + 0.1 * np.trace(G) * np.eye(4) if np.trace(G) > 0 else np.eye(4), np.ones(4))
        np.testing.assert_allclose(a.predict(X[[i]], 0, 1)[0], w / w.sum() @ Y[near], atol=1e-8)


def test_votes_and_mmae():
    Y = np.array([[4.0, 0.0, 1.0], [4.0, 2.0, 0.0], [1.0, 2.0, 0.0], [9.0, 9.0, 9.0]])
    X = np.ones((4, 2))
    pairs = [[0, 0], [1, 1], [2, 2]]
    mean = lb.MeanVotes().fit([X, Y], pairs)
    assert mean.predict(X[:1], 0, 1).tolist() == [[3.0, 2.0, 1.0]]
    assert lb.PopularVotes().fit([X, Y], pairs).predict(X[:1], 0, 1).tolist() == [[4.0, 2.0, 1.0]]
    assert lb.MeanVotes(known="stored").fit([X, Y], pairs).predict(X[:1], 0, 1)[0, 1] == pytest.approx(4 / 3)
    holes = np.where(Y == 0, np.nan, Y)
    assert lb.MeanVotes(known="stored").fit([X, holes], pairs).predict(X[:1], 0, 1).tolist() == [[3.0, 2.0, 1.0]]
    with pytest.raises(lb.ParameterError, match="unseen"):
        lb.MeanVotes(unseen="none").fit([X, Y], pairs)
    # Negative values are known, too; a row without known values does not count.
    actual = np.array([[-2.0, np.nan], [np.nan, np.nan], [1.0, 0.0]])
    predicted = np.array([[0.0, 5.0], [7.0, 7.0], [1.0, 1.0]])
    assert lb.metrics.mmae(predicted, actual) == pytest.approx((2 + 0.5) / 2)
    assert lb.metrics.mmae(predicted, np.nan_to_num(actual)) == pytest.approx((2 + 0) / 2)
    assert lb.metrics.mmae(predicted, np.nan_to_num(actual), known=~np.isnan(actual)) == pytest.approx((2 + 0.5) / 2)
    with pytest.raises(lb.DataError):
        lb.metrics.mmae(predicted, np.zeros((3, 2)))
    with pytest.raises(lb.DataError):
        lb.metrics.mmae(predicted[:2], actual)


def test_mvu_solves_its_program():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 6))
    D = np.linalg.norm(X[:, None] - X[None], axis=2)
    near = np.argsort(D, axis=1)[:, 1:6]
    edges = np.array(sorted({(min(i, j), max(i, j)) for i in range(40) for j in near[i]}))
    for equality in (True, False):
        K, info = lb.solve.mvu(D, edges, equality=equality)
        assert info["status"] == "converged", info
        assert abs(info["gap"]) < 1e-7 and info["violation"] < 1e-7
        np.testing.assert_allclose(K, K.T, atol=1e-12)
        assert abs(K.sum()) < 1e-6 and np.linalg.eigvalsh(K)[0] > -1e-8 * np.trace(K)
        assert np.trace(K) == pytest.approx(info["objective"], rel=1e-9)
        squares = K[edges[:, 0], edges[:, 0]] + K[edges[:, 1], edges[:, 1]] - 2 * K[edges[:, 0], edges[:, 1]]
        wanted = D[edges[:, 0], edges[:, 1]] ** 2
        assert np.max((np.abs if equality else np.asarray)(squares - wanted)) < 1e-6 * wanted.max()
        assert info["objective"] > np.trace(np.cov(X.T)) * 39  # farther apart than the points were
    low, found = lb.solve.mvu(D, edges, equality=False, solver="low_rank")
    assert found["objective"] == pytest.approx(info["objective"], rel=1e-3)
    with pytest.raises(lb.NumericalError):
        lb.solve.mvu([[0, 1, 5], [1, 0, 1], [5, 1, 0]], [[0, 1], [1, 2], [0, 2]])
    with pytest.raises(lb.DataError, match="connected components"):
        lb.solve.mvu(D, edges[:3])
    with pytest.raises(lb.DataError):
        lb.solve.mvu(D, [[0, 99]])
    with pytest.raises(lb.ParameterError):
        lb.solve.mvu(D, edges, solver="magic")


def test_lamvu_takes_distances_and_says_what_fails():
    A, B, _, pairs = shops(60, 40)
    A, B = np.nan_to_num(A), np.nan_to_num(B)
    D = [np.linalg.norm(X[:, None] - X[None], axis=2) for X in (A, B)]
    a = lb.LAMVU(2, n_neighbors=6, distances=D).fit([A, B], pairs)
    assert (a.embeddings_[0][:40] == a.embeddings_[1][:40]).all()
    with pytest.raises(lb.UndefinedError):
        a.transform(A, 0)
    with pytest.raises(lb.NumericalError):
        lb.LAMVU(2, n_neighbors=6, constraints="printed").fit([A, B], pairs)
    direct = lb.LAMVU(2, n_neighbors=6, constraints="direct").fit([A, B], pairs)
    assert direct.outcome_.residual < 1e-4
    for bad, match in (
        (dict(n_components=41), "n_components"),
        (dict(n_components=2, n_neighbors_embed=41), "n_neighbors_embed is 41"),
        (dict(n_components=2, constraints="none"), "constraints"),
        (dict(n_components=2, distances=D[:1]), "distances"),
        (dict(n_components=2, ridge=-1.0), "ridge"),
    ):
        with pytest.raises(lb.ParameterError, match=match):
            lb.LAMVU(**bad).fit([A, B], pairs)
    with pytest.raises(lb.UndefinedError, match="map is not defined"):
        a.map(A, 0, 1)


def test_ratings_from_a_file(tmp_path):
    rng = np.random.default_rng(1)
    R = rng.normal(size=(30, 2)) @ rng.normal(size=(2, 12))
    lines = ["user,item,rating"] + [f"u{i},i{j},{R[i, j]}" for i in range(30) for j in range(12) if (i + j) % 3]
    (tmp_path / "a.csv").write_text("\n".join(lines))
    a = lb.read(tmp_path / "a.csv", ratings=True)
    assert a.partly_known
    fitted = lb.CLLE(2, n_neighbors=5).fit({"a": a, "b": a}, np.column_stack([np.arange(20)] * 2))
    assert fitted.predict(a, "a", "b").shape == (30, 12)
    # New ratings find their items by name; items that the model does not know are left out.
    (tmp_path / "one.csv").write_text("user,item,rating\nnew,i7,2\nnew,unheard,5\nnew,i0,1\n")
    (tmp_path / "two.csv").write_text("user,item,rating\nnew,i0,1\nnew,i7,2\n")
    with pytest.warns(lb.AlignmentWarning, match='^1 item of the new rows was not there at the fit and is ignored: "unheard"$'):
        one = fitted.predict(lb.read(tmp_path / "one.csv", ratings=True), "a", "b")
    two = fitted.predict(lb.read(tmp_path / "two.csv", ratings=True), "a", "b")
    np.testing.assert_array_equal(one, two)
    (tmp_path / "b.csv").write_text("id,x,y\na,1,\nb,,4\nc,3,8\nd,2,2\n")
    b = lb.read(tmp_path / "b.csv", missing="unknown")
    assert b.partly_known and b.X.nnz == 6


def test_users_without_a_rating_and_zeros_for_unknown_ratings_are_told():
    rng = np.random.default_rng(7)
    taste = rng.normal(size=(60, 2))
    books, films = (np.clip(np.round(3.6 + taste @ rng.normal(size=(2, n))), 1, 5) for n in (12, 9))
    for stars in (books, films):
        stars[rng.random(stars.shape) < 0.4] = np.nan
    pairs = np.column_stack([np.arange(40)] * 2)
    a = lb.CLLE(4).fit([books, films], pairs)
    new = books[40:].copy()
    new[[2, 5]] = np.nan
    told = "2 of 20 rows have no rating of an item that the model knows; they count as average rows"
    with pytest.warns(lb.AlignmentWarning, match=told) as caught:
        predicted = a.predict(new, source=0, target=1)
    assert len(caught) == 1 and np.isfinite(predicted).all() and (predicted[2] == predicted[5]).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error", lb.AlignmentWarning)
        a.predict(books[40:], source=0, target=1)
    zeros = np.nan_to_num(books)
    with pytest.warns(lb.AlignmentWarning, match='dataset "0": 4[0-9] % of its entries are 0, and the others look like ratings'):
        lb.CLLE(4).fit([zeros, films], pairs)
    with warnings.catch_warnings():
        warnings.simplefilter("error", lb.AlignmentWarning)
        lb.CLLE(4, known="non_zero").fit([zeros, np.nan_to_num(films)], pairs)
