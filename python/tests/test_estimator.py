"""scikit-learn's estimator checks, restated for a list of datasets."""

from __future__ import annotations

import copy
import inspect
import json
import pickle
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

import landbridge as lb
from landbridge import _landbridge as core

sklearn = pytest.importorskip("sklearn")
from sklearn.base import BaseEstimator, clone  # noqa: E402
from sklearn.utils.validation import check_is_fitted  # noqa: E402


def params_of(cls):
    return {n: p.default for n, p in inspect.signature(cls.__init__).parameters.items() if n != "self"}


def test_init_stores_its_arguments_unchanged(cls):
    odd = {name: object() for name in params_of(cls)}
    a = cls(**odd)
    assert all(getattr(a, name) is value for name, value in odd.items())


def test_only_n_components_is_positional(cls):
    kinds = [p.kind for n, p in inspect.signature(cls).parameters.items()]
    assert kinds[0] == inspect.Parameter.POSITIONAL_OR_KEYWORD
    assert set(kinds[1:]) == {inspect.Parameter.KEYWORD_ONLY}
    with pytest.raises(TypeError):
        cls()


def test_get_and_set_params_round_trip(cls):
    a = cls(3, n_neighbors=5)
    assert isinstance(a, BaseEstimator)
    b = cls(1).set_params(**a.get_params())
    assert b.get_params() == a.get_params()
    with pytest.raises(ValueError):
        a.set_params(no_such=1)


def test_clone_is_unfitted_with_the_same_params(cls, rolls, pairs):
    a = cls(2, n_neighbors=7).fit(rolls.datasets, pairs)
    b = clone(a)
    assert b.get_params() == a.get_params()
    assert not hasattr(b, "embeddings_")


def test_nothing_learned_before_fit(cls):
    a = cls(2)
    assert not [name for name in vars(a) if name.endswith("_")]
    with pytest.raises(sklearn.exceptions.NotFittedError):
        check_is_fitted(a)
    for ask in (lambda: a.transform([[1.0, 2.0, 3.0]], 0), lambda: a.match(), lambda: a.save("x.lb")):
        with pytest.raises(lb.NotFittedError, match="not fitted"):
            ask()
        with pytest.raises(sklearn.exceptions.NotFittedError):
            ask()


def test_fit_returns_self_and_changes_neither_params_nor_data(cls, rolls, pairs):
    a = cls(2)
    before = copy.deepcopy(a.get_params())
    X = [x.copy() for x in rolls.datasets]
    p = pairs.copy()
    assert a.fit(X, p) is a
    assert a.get_params() == before
    assert all((x == y).all() for x, y in zip(X, rolls.datasets))
    assert (p == pairs).all()
    check_is_fitted(a)


def test_fit_twice_gives_the_same_bits(cls, rolls, pairs):
    a = cls(2).fit(rolls.datasets, pairs)
    first = a._model.to_bytes()
    assert a.fit(rolls.datasets, pairs)._model.to_bytes() == first


def test_fit_again_forgets_the_first_fit(cls, rolls, pairs):
    a = cls(2).fit(rolls.datasets, pairs)
    a.fit([x[:, :2] for x in rolls.datasets], pairs)
    assert a.n_features_in_ == [2, 2]


def test_a_failed_fit_keeps_the_old_model(cls, rolls, pairs):
    a = cls(2).fit(rolls.datasets, pairs)
    before = a.embeddings_[0]
    with pytest.raises(lb.PairsError):
        a.fit(rolls.datasets, [])
    assert a.embeddings_[0] is before


def test_learned_attributes(cls, rolls, pairs):
    a = cls(2).fit(rolls.datasets, pairs)
    assert [z.shape for z in a.embeddings_] == [(200, 2), (200, 2)]
    assert all(z.dtype == np.float64 and z.flags.c_contiguous for z in a.embeddings_)
    assert a.names_ == ["0", "1"]
    assert a.n_features_in_ == [3, 3]
    assert a.eigenvalues_.shape == (2,) and (np.diff(a.eigenvalues_) >= 0).all() and (a.eigenvalues_ > 0).all()
    z = cls(2).fit_transform(rolls.datasets, pairs)
    assert all((x == y).all() for x, y in zip(z, a.embeddings_))


def test_outcome_is_readable(cls, rolls, pairs):
    outcome = cls(2).fit(rolls.datasets, pairs).outcome_
    assert outcome.status == "converged" and outcome.components == outcome.zero_solutions == 1
    assert outcome.residual >= 0 and outcome.tolerance == 1e-5 and outcome.warnings == ()
    assert set(outcome.seconds) >= {"graphs", "eigenvectors"}
    assert (outcome.mu_effective is None) == (cls is lb.CLE)
    assert "converged" in repr(outcome) and "<table>" in outcome._repr_html_()


def test_html_shows_names_as_text():
    x = np.ones((12, 1))
    hostile = "<script>alert(1)</script>"
    with pytest.warns(lb.AlignmentWarning):
        a = lb.InstanceAlignment(1, n_neighbors=2).fit({hostile: x, "b": x}, [[0, 0]])
    assert any(hostile in w for w in a.outcome_.warnings)
    assert "<script>" not in a.outcome_._repr_html_() and "&lt;script&gt;" in a.outcome_._repr_html_()


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_pickle(cls, rolls, pairs, protocol):
    a = cls(2, n_neighbors=7)
    assert pickle.loads(pickle.dumps(a, protocol)).get_params() == a.get_params()
    a.fit(rolls.datasets, pairs)
    b = pickle.loads(pickle.dumps(a, protocol))
    assert b.get_params() == a.get_params()
    assert b._model.to_bytes() == a._model.to_bytes()
    assert b.outcome_ == a.outcome_
    new = rolls.datasets[0][:20] + 0.01
    assert (a.transform(new, 0) == b.transform(new, 0)).all()
    assert copy.deepcopy(a)._model.to_bytes() == a._model.to_bytes()


def test_save_and_load(cls, rolls, pairs, tmp_path):
    a = cls(2, n_neighbors=7, metric="cosine", weights="local", tolerance=1e-6, random_state=3)
    a.fit({"en": rolls.datasets[0], "it": rolls.datasets[1]}, pairs).save(tmp_path / "m.lb")
    b = lb.load(tmp_path / "m.lb")
    assert type(b) is cls
    assert b.get_params() == a.get_params()
    assert b.names_ == ["en", "it"]
    assert b._model.to_bytes() == a._model.to_bytes()
    assert (b.transform(rolls.datasets[1], "it") == a.transform(rolls.datasets[1], "it")).all()
    assert b.outcome_.seconds == {} and b.outcome_.solver == a.outcome_.solver


def test_transform_row_by_row_is_transform_of_all(cls, rolls, pairs):
    a = cls(3).fit(rolls.datasets, pairs)
    new = rolls.datasets[1] + np.random.default_rng(0).normal(scale=0.1, size=rolls.datasets[1].shape)
    together = a.transform(new, 1)
    apart = np.vstack([a.transform(new[i : i + 1], 1) for i in range(len(new))])
    order = np.random.default_rng(1).permutation(len(new))
    assert (together == apart).all()
    assert (a.transform(new[order], 1) == together[order]).all()


def test_fitted_rows_are_transformed_to_their_own_place(cls, rolls, pairs):
    a = cls(3).fit(rolls.datasets, pairs)
    np.testing.assert_allclose(a.transform(rolls.datasets[0], 0), a.embeddings_[0], atol=1e-12)


def test_single_precision_is_close_to_double(cls, rolls, pairs):
    a = cls(3).fit(rolls.datasets, pairs)
    narrow = [x.astype(np.float32) for x in rolls.datasets]
    b = cls(3).fit(narrow, pairs)
    np.testing.assert_allclose(a.eigenvalues_, b.eigenvalues_, rtol=1e-4)
    np.testing.assert_allclose(a.embeddings_[0], b.embeddings_[0], atol=1e-3 * np.abs(a.embeddings_[0]).max())
    # The rows really stay float32: the same rows in float64 give the same neighbours but a larger model.
    wide = cls(3).fit([x.astype(np.float64) for x in narrow], pairs)
    assert len(b._model.to_bytes()) < len(wide._model.to_bytes())
    np.testing.assert_allclose(b.eigenvalues_, wide.eigenvalues_, rtol=1e-5)


@pytest.mark.parametrize("make", [sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix, sparse.csr_array, sparse.coo_array])
def test_sparse_rows_give_what_dense_rows_give(cls, make, pairs):
    docs = lb.datasets.bilingual_documents(60, vocabulary=(80, 50))
    p = docs.pairs(20)
    a = cls(3, metric="cosine").fit([x.toarray() for x in docs.datasets], p)
    b = cls(3, metric="cosine").fit([make(x) for x in docs.datasets], p)
    np.testing.assert_allclose(a.eigenvalues_, b.eigenvalues_, rtol=1e-8)
    np.testing.assert_allclose(a.embeddings_[1], b.embeddings_[1], atol=1e-6 * np.abs(a.embeddings_[1]).max())
    new = docs.datasets[0][:10]
    np.testing.assert_allclose(a.transform(new.toarray(), 0), b.transform(make(new), 0), atol=1e-6)


def test_order_in_memory_and_type_do_not_matter(rolls, pairs):
    expected = lb.InstanceAlignment(2).fit(rolls.datasets, pairs)._model.to_bytes()
    x, y = rolls.datasets
    wide = np.empty((200, 6))
    wide[:, ::2] = y
    for given in (np.asfortranarray(x), x.astype(">f8"), x.tolist(), x.astype(object)):
        assert lb.InstanceAlignment(2).fit([given, wide[:, ::2]], pairs)._model.to_bytes() == expected
    x.flags.writeable = False
    try:
        assert lb.InstanceAlignment(2).fit((x, y), pairs.tolist())._model.to_bytes() == expected
    finally:
        x.flags.writeable = True
    whole = lb.InstanceAlignment(2).fit([np.round(x).astype(np.int16), y], pairs)
    same = lb.InstanceAlignment(2).fit([np.round(x) + 0.0, y], pairs)  # no -0.0
    assert whole._model.to_bytes() == same._model.to_bytes()


def test_hard_pairs_coincide_and_cle_is_hard_and_plain(rolls, pairs):
    a = lb.CLE(3).fit(rolls.datasets, pairs)
    b = lb.InstanceAlignment(3, hard=True, normalized=False, weights="heat").fit(rolls.datasets, pairs)
    assert all((x == y).all() for x, y in zip(a.embeddings_, b.embeddings_))
    assert (a.embeddings_[0][pairs[:, 0]] == a.embeddings_[1][pairs[:, 1]]).all()


@pytest.mark.parametrize("verb", ["map", "predict", "top_features"])
def test_what_the_method_does_not_define(fitted, rolls, verb):
    args = () if verb == "top_features" else (rolls.datasets[0],)
    with pytest.raises(lb.UndefinedError, match="not defined for InstanceAlignment"):
        getattr(fitted, verb)(*args)
    with pytest.raises(NotImplementedError):
        getattr(fitted, verb)(*args)


def test_match(fitted, rolls):
    z0, z1 = fitted.embeddings_
    distances = np.linalg.norm(z0[:, None] - z1[None], axis=2)
    idx, dist = fitted.match(source=0, target=1, k=10)
    assert idx.dtype == np.int64 and idx.shape == dist.shape == (200, 10)
    np.testing.assert_allclose(dist, np.sort(distances, axis=1)[:, :10], rtol=1e-9)
    np.testing.assert_allclose(np.take_along_axis(distances, idx, axis=1), dist, rtol=1e-9)
    by_name = fitted.match(source="roll", target="s", k=10)
    assert (by_name[0] == idx).all()
    again, _ = fitted.match(rolls.datasets[0], source=0, target=1, k=10)
    assert (again == idx).mean() > 0.99
    mutual, far = fitted.match(how="mutual")
    back = fitted.match(source=1, target=0)[0][:, 0]
    expected = np.where(back[idx[:, 0]] == np.arange(200), idx[:, 0], -1)
    assert (mutual[:, 0] == expected).all() and (np.isinf(far) == (mutual < 0)).all()
    from scipy.optimize import linear_sum_assignment

    rows, cols = linear_sum_assignment(distances)
    one, cost = fitted.match(how="assignment")
    assert sorted(one[:, 0]) == list(range(200))
    np.testing.assert_allclose(cost.sum(), distances[rows, cols].sum(), rtol=1e-6)
    cosine = fitted.match(metric="cosine")[0]
    u0, u1 = (z / np.linalg.norm(z, axis=1, keepdims=True) for z in (z0, z1))
    assert (cosine[:, 0] == (u0 @ u1.T).argmax(axis=1)).all()
    csls, _ = fitted.match(how="csls", k=3)
    c = u0 @ u1.T
    r0, r1 = np.sort(c, axis=1)[:, -10:].mean(axis=1), np.sort(c, axis=0)[-10:].mean(axis=0)
    assert (csls == np.argsort(-(2 * c - r0[:, None] - r1[None]), axis=1)[:, :3]).mean() > 0.99
    for bad in ({"k": 0}, {"k": 201}, {"k": 1.5}, {"how": "best"}, {"how": "mutual", "k": 2}, {"metric": "l1"},
                {"how": "csls", "metric": "euclidean"}, {"source": 2}, {"target": "x"}, {"source": -1}, {"target": 1.0}):
        with pytest.raises(lb.ParameterError):
            fitted.match(**bad)


def test_without_scikit_learn():
    """The package works, with a base of its own, where scikit-learn is not installed."""
    program = """
import sys
sys.modules["sklearn"] = None
import pickle
import landbridge as lb
assert "landbridge._base" in [c.__module__ for c in lb.InstanceAlignment.__mro__]
r = lb.datasets.swiss_rolls(60)
a = lb.InstanceAlignment(2, n_neighbors=5)
assert repr(a) == "InstanceAlignment(n_components=2, n_neighbors=5)", repr(a)
a.fit(r.datasets, r.pairs(10))
b = pickle.loads(pickle.dumps(a))
assert b.get_params() == a.get_params() and b._model.to_bytes() == a._model.to_bytes()
t = lb.TwoSets(lb.CLE(2, n_neighbors=5))
t.set_params(alignment__n_components=3, scoring="foscttm")
assert t.get_params()["alignment__n_components"] == 3
try:
    t.set_params(nonsense=1)
except ValueError as error:
    assert "nonsense" in str(error)
else:
    raise AssertionError
assert t.fit(*r.datasets).transform(r.datasets[0]).shape == (60, 3)
try:
    lb.CLE(1).match()
except lb.NotFittedError as error:
    assert isinstance(error, (ValueError, AttributeError))
assert "sklearn.base" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_stubs_equal_the_binary():
    """Every name of the .pyi is in the compiled module with the same arguments, and the other way round."""
    import ast
    from pathlib import Path

    tree = ast.parse(Path(lb.__file__).with_name("_landbridge.pyi").read_text())

    def names(body):
        return {n.name: n for n in body if isinstance(n, (ast.FunctionDef, ast.ClassDef))}

    def arguments(function):
        found = [a.arg for a in function.args.args]
        return found[1:] if found[:1] == ["self"] else found

    def compare(stub, real):
        is_property = any(getattr(d, "id", "") == "property" for d in stub.decorator_list)
        if not is_property:
            given = [p for p in inspect.signature(real).parameters if p != "self"]
            assert arguments(stub) == given, stub.name

    public = {n for n in dir(core) if not n.startswith("__")}
    assert set(names(tree.body)) == public
    for name, stub in names(tree.body).items():
        real = getattr(core, name)
        if isinstance(stub, ast.FunctionDef):
            compare(stub, real)
        else:
            inside = names(stub.body)
            if "__init__" in inside:
                compare(inside.pop("__init__"), real)
            assert set(inside) == {n for n in vars(real) if not n.startswith("_")}, name
            for inner, method in inside.items():
                compare(method, getattr(real, inner))
