"""Two datasets in the tools of scikit-learn."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy import sparse

import landbridge as lb

pytest.importorskip("sklearn")
from sklearn.base import clone  # noqa: E402
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.preprocessing import StandardScaler  # noqa: E402


@pytest.fixture(scope="module")
def data():
    return lb.datasets.lifted_copies(300, noise=0.0, intrinsic=3).datasets


def test_fit_transform_score(data):
    X, Y = data
    t = lb.TwoSets(lb.InstanceAlignment(6))
    assert t.fit(X[:250], Y[:250]) is t
    assert t.transform(X[250:]).shape == (50, 6) and t.n_features_in_ == 50
    a = lb.InstanceAlignment(6).fit([X[:250], Y[:250]], np.column_stack([np.arange(250)] * 2))
    assert (t.alignment_.embeddings_[1] == a.embeddings_[1]).all()
    zx, zy = a.transform(X[250:], 0), a.transform(Y[250:], 1)
    assert t.score(X[250:], Y[250:]) == lb.metrics.recall_at_k(zx, zy, k=1)
    for scoring, expected in [
        ("recall_at_10", lb.metrics.recall_at_k(zx, zy, k=10)),
        ("foscttm", 1 - lb.metrics.foscttm(zx, zy)),
        (lambda s, t: -1.0, -1.0),
    ]:
        assert t.set_params(scoring=scoring).score(X[250:], Y[250:]) == expected
    assert t.score(X[250:], Y[250:]) == -1.0
    assert (lb.TwoSets(lb.InstanceAlignment(6)).fit_transform(X, Y) == lb.TwoSets(lb.InstanceAlignment(6)).fit(X, Y).alignment_.embeddings_[0]).all()
    assert not hasattr(t.alignment, "embeddings_")  # a copy was fitted


def test_rows_without_counterpart(data):
    X, Y = data[0], data[1].copy()
    Y[::3] = np.nan
    t = lb.TwoSets(lb.InstanceAlignment(4)).fit(X, Y)
    there = np.flatnonzero(~np.isnan(Y[:, 0]))
    assert [len(z) for z in t.alignment_.embeddings_] == [300, len(there)]
    a = lb.InstanceAlignment(4).fit([X, Y[there]], np.column_stack([there, np.arange(len(there))]))
    assert (a.embeddings_[0] == t.alignment_.embeddings_[0]).all()
    assert t.score(X, Y) == t.score(X[there], Y[there])
    Y[1, 0] = np.nan  # one value missing is not a missing row
    with pytest.raises(lb.DataError, match="NaN"):
        lb.TwoSets(lb.InstanceAlignment(4)).fit(X, Y)
    with pytest.raises(lb.DataError):
        lb.TwoSets(lb.InstanceAlignment(4)).fit(X, np.full((300, 2), np.nan))
    with pytest.raises(lb.DataError):
        t.score(X, np.full((300, 80), np.nan))
    with pytest.raises(lb.DataError, match="300 rows and Y has 10"):
        t.fit(X, Y[:10])
    with pytest.raises(lb.DataError, match="300 rows and Y has 10"):
        t.score(X, Y[:10])


def test_clone_pickle_params(data):
    X, Y = data
    t = lb.TwoSets(lb.CLE(3, n_neighbors=5), scoring="recall_at_5")
    assert clone(t).get_params(deep=True).keys() == t.get_params(deep=True).keys()
    assert clone(t).alignment is not t.alignment and clone(t).alignment.n_neighbors == 5
    with pytest.raises(lb.NotFittedError):
        t.transform(X)
    t.fit(X, Y)
    copy = pickle.loads(pickle.dumps(t))
    assert (copy.transform(X) == t.transform(X)).all()
    for bad in ("recall", "recall_at_0", "recall_at_x", "accuracy", 3):
        with pytest.raises(lb.ParameterError, match="scoring is"):
            lb.TwoSets(lb.CLE(3), scoring=bad).fit(X, Y)


def test_grid_search_and_pipeline(data):
    X, Y = data
    search = GridSearchCV(
        lb.TwoSets(lb.InstanceAlignment(2), scoring="recall_at_5"),
        {"alignment__n_components": [1, 8], "alignment__n_neighbors": [5, 10]},
        cv=KFold(3, shuffle=True, random_state=0),
        error_score="raise",
    ).fit(X, Y)
    assert search.best_params_["alignment__n_components"] == 8
    assert search.best_score_ > 0.3
    assert search.transform(X[:5]).shape == (5, 8)
    pipeline = make_pipeline(StandardScaler(), lb.TwoSets(lb.InstanceAlignment(4)))
    assert pipeline.fit(X, Y).transform(X).shape == (300, 4)
    assert 0 <= pipeline.score(X, Y) <= 1
    grid = GridSearchCV(pipeline, {"twosets__alignment__n_components": [2, 6]}, cv=3, error_score="raise", n_jobs=2).fit(X, Y)
    assert grid.best_params_["twosets__alignment__n_components"] == 6
    scores = cross_val_score(lb.TwoSets(lb.InstanceAlignment(4)), X, Y, cv=3)
    assert scores.shape == (3,) and np.isfinite(scores).all()


def test_sparse_and_tables(data):
    pd = pytest.importorskip("pandas")
    docs = lb.datasets.bilingual_documents(120, vocabulary=(100, 80))
    X, Y = docs.datasets
    t = lb.TwoSets(lb.InstanceAlignment(4, metric="cosine"), scoring="recall_at_10").fit(X, sparse.csc_matrix(Y))
    assert t.score(X[:30], Y[:30]) > 0.3
    # scikit-learn's own tools refuse a sparse y, so there Y is dense.
    assert cross_val_score(t, sparse.csr_matrix(X), Y.toarray(), cv=3, error_score="raise").shape == (3,)
    frame = pd.DataFrame(data[1].copy())
    frame.iloc[::2] = np.nan
    u = lb.TwoSets(lb.InstanceAlignment(4)).fit(pd.DataFrame(data[0]), frame)
    array = lb.TwoSets(lb.InstanceAlignment(4)).fit(data[0], frame.to_numpy())
    assert (u.alignment_.embeddings_[0] == array.alignment_.embeddings_[0]).all()


def estimators():
    return [
        lb.TwoSets(lb.CCA(1)),
        lb.TwoSets(lb.LinearAlignment(1, n_neighbors=3)),
        lb.TwoSets(lb.LinearTransform()),
        lb.TwoSets(lb.AffineAlignment(embedding="pca", n_components=1)),
    ]


@pytest.mark.parametrize("estimator", estimators(), ids=lambda e: type(e.alignment).__name__)
@pytest.mark.filterwarnings("ignore::landbridge.AlignmentWarning", "ignore::sklearn.exceptions.SkipTestWarning")
def test_check_estimator(estimator):
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    if "on_fail" not in __import__("inspect").signature(checks.check_estimator).parameters:
        pytest.skip("scikit-learn before 1.7 lists no results")
    found = checks.check_estimator(estimator, on_fail=None, on_skip=None)
    assert [(f["check_name"], str(f["exception"])) for f in found if f["status"] not in ("passed", "skipped")] == []
    assert sum(f["status"] == "passed" for f in found) > 40


def test_output_containers_and_names(data):
    X, Y = data
    t = lb.TwoSets(lb.CCA(3)).fit(X, Y)
    assert list(t.get_feature_names_out()) == ["twosets0", "twosets1", "twosets2"]
    for library in ("pandas", "polars"):
        table = pytest.importorskip(library)
        placed = lb.TwoSets(lb.CCA(3)).set_output(transform=library).fit(X, Y).transform(X[:5])
        assert isinstance(placed, table.DataFrame) and list(placed.columns) == ["twosets0", "twosets1", "twosets2"]


def test_known_pairs_are_routed(data):
    import sklearn

    X, Y = data
    paired = np.arange(300) % 2 == 0
    t = lb.TwoSets(lb.CCA(3)).fit(X, Y, paired=paired)
    rows = np.flatnonzero(paired)
    a = lb.CCA(3).fit([X, Y], np.column_stack([rows, rows]))
    assert (t.alignment_.embeddings_[1] == a.embeddings_[1]).all()
    with sklearn.config_context(enable_metadata_routing=True):
        search = GridSearchCV(lb.TwoSets(lb.CCA(3)).set_fit_request(paired=True), {"alignment__n_components": [1, 3]}, cv=3)
        search.fit(X, Y, paired=paired)
        whole = GridSearchCV(lb.TwoSets(lb.CCA(3)), {"alignment__n_components": [1, 3]}, cv=3).fit(X, Y)
    assert not np.allclose(search.cv_results_["mean_test_score"], whole.cv_results_["mean_test_score"])
    with pytest.raises(lb.ParameterError, match="a bool for each of the 300 rows"):
        t.fit(X, Y, paired=[1, 2])
    with pytest.raises(lb.DataError, match="no pair to align by"):
        t.fit(X, Y, paired=np.zeros(300, bool))

