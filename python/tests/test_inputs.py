"""Datasets and pairs in every form, and every form that is refused."""

from __future__ import annotations

import os
import pickle
import re

import numpy as np
import pytest
from scipy import sparse

import landbridge as lb

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
Y = RNG.normal(size=(30, 2))
PAIRS = np.column_stack([np.arange(10), np.arange(10)])


def fit(datasets=None, pairs=PAIRS, n_components=2, **params):
    return lb.InstanceAlignment(n_components, **{"n_neighbors": 4, **params}).fit([X, Y] if datasets is None else datasets, pairs)


def same(a, b):
    return all((x == y).all() for x, y in zip(a.embeddings_, b.embeddings_))


def refused(kind, pattern, call):
    with pytest.raises(kind, match=pattern) as caught:
        call()
    assert isinstance(caught.value, lb.LandbridgeError)
    assert (caught.value.hint is None) or f"hint: {caught.value.hint}" in str(caught.value)
    copy = pickle.loads(pickle.dumps(caught.value))
    assert type(copy) is type(caught.value) and str(copy) == str(caught.value)
    return caught.value


# ---- datasets -----------------------------------------------------------------------------------------------------


def test_pandas():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    a = fit({"x": frame, "y": pd.DataFrame(Y)})
    assert same(a, fit()) and a.names_ == ["x", "y"]
    assert a._model.columns(0) == ["a", "b", "c"] and a._model.row_ids(0) is None
    named = fit({"x": frame.set_axis([f"r{i}" for i in range(40)]), "y": Y})
    assert named._model.row_ids(0)[:2] == ["r0", "r1"]
    mixed = frame.assign(flag=True, count=np.arange(40) % 7).astype({"count": "Int64"})
    assert fit([mixed, Y]).n_features_in_ == [5, 2]
    narrow = fit([frame.astype(np.float32), Y])
    assert same(narrow, fit([X.astype(np.float32), Y]))
    hollow = pd.DataFrame(np.where(X > 0, X, 0)).astype(pd.SparseDtype(float, 0.0))
    assert same(fit([hollow, Y]), fit([sparse.csr_array(np.where(X > 0, X, 0)), Y]))
    refused(lb.DataError, 'column "b".*not numbers', lambda: fit([frame.assign(b="text"), Y]))
    refused(lb.DataError, 'column "when"', lambda: fit([frame.assign(when=pd.Timestamp(0)), Y]))
    refused(lb.DataError, 'column "k"', lambda: fit([frame.assign(k=pd.Categorical(["u"] * 40)), Y]))
    missing = frame.copy()
    missing.loc[7, "c"] = np.nan
    refused(lb.DataError, 'row 7, column "c" is NaN', lambda: fit([missing, Y]))
    refused(lb.DataError, 'row 0, column "n" is NaN', lambda: fit([frame.assign(n=pd.array([None] * 40, "Int64")), Y]))
    refused(lb.DataError, "dimension", lambda: fit([frame["a"], Y]))


def test_text_in_front_of_a_table_is_row_ids():
    pd, pl, pa = pytest.importorskip("pandas"), pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    words = [f"w{i}" for i in range(40)]
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    first, last = pd.concat([pd.Series(words, name="word"), frame], axis=1), frame.assign(id=words)
    for table in (lambda f: f, pl.from_pandas, pa.Table.from_pandas, lambda f: pa.RecordBatch.from_pandas(f, preserve_index=False)):
        for given in (first, last):
            a = fit({"x": table(given), "y": Y})
            assert same(a, fit()) and a.row_ids_[0] == words and a.columns_[0] == ["a", "b", "c"]
            assert (a.transform(table(given)[:5], "x") == a.transform(X[:5], "x")).all()
        refused(lb.DataError, "the id 'same' in column .word. stands for row 0 and for row 1", lambda: fit([table(first.assign(word="same")), Y]))
        refused(lb.DataError, 'row 3 has no id.*"word"', lambda: fit([table(first.assign(word=[*words[:3], None, *words[4:]])), Y]))
        refused(lb.DataError, 'column "b" holds', lambda: fit([table(first.assign(b=words)), Y]))


def test_texts_and_ratings_are_told_what_to_do():
    pd, pl, pa = pytest.importorskip("pandas"), pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    texts = ["one sea", "two ships"] * 20
    for given in (texts, np.array(texts), np.array(texts, object), pd.Series(texts), pl.Series(texts)):
        error = refused(lb.DataError, "1 dimension", lambda: fit([given, Y]))
        assert "lb.read('en.txt')" in error.hint and "reshape" not in error.hint
    assert "reshape(-1, 1)" in refused(lb.DataError, "1 dimension", lambda: fit([X[:, 0], Y])).hint
    assert "lb.read(path)" in refused(lb.DataError, "dimension", lambda: fit(["en.csv", Y])).hint
    ratings = pd.DataFrame({"user": ["u1", "u1", "u2", "u3"], "item": ["b1", "b2", "b1", "b3"], "rating": [3, 4, 5, 1]})
    for table in (lambda f: f, pl.from_pandas, pa.Table.from_pandas):
        error = refused(lb.DataError, 'column "user" holds', lambda: fit([table(ratings), Y]))
        assert "pivot(index='user', columns='item', values='rating')" in error.hint and "ratings=True" in error.hint
        numbers = table(ratings.assign(user=[1, 1, 2, 3], item=[1, 2, 1, 3]))
        with pytest.warns(lb.AlignmentWarning, match="user, item, rating are taken as 3 features; ratings need a row per user"):
            lb.CCA(1).fit([numbers, Y[:4]], [[i, i] for i in range(4)])
    wide = ratings.pivot(index="user", columns="item", values="rating")
    a = lb.CLE(1, n_neighbors=1, n_neighbors_predict=1).fit({"b": wide, "f": wide}, [[i, i] for i in range(3)])
    assert a.predict(wide, "b", "f").shape == (3, 3)


def test_columns_of_new_rows_are_matched_by_name():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    a = fit({"x": frame, "y": Y})
    expected = a.transform(X[:3], "x")
    assert (a.transform(frame[:3], "x") == expected).all()
    reordered, extra = frame[["b", "c", "a"]], frame.assign(z=1.0, u=2.0)
    tables = [lambda f: f, lambda f: f.astype(pd.SparseDtype(float, 0.0)), lambda f: lb.Table(f.to_numpy(), None, list(f.columns))]
    tables.append(lambda f: lb.Table(sparse.csr_array(f.to_numpy()), None, list(f.columns)))
    for table in tables:
        with pytest.warns(lb.AlignmentWarning, match="^the columns of the new rows have another order") as caught:
            np.testing.assert_allclose(a.transform(table(reordered[:3]), "x"), expected, atol=1e-12)
        assert [w.filename for w in caught] == [__file__]
        with pytest.warns(lb.AlignmentWarning, match='^2 columns of the new rows were not there at the fit and are ignored: "z", "u"$'):
            np.testing.assert_allclose(a.transform(table(extra[:3]), "x"), expected, atol=1e-12)
    narrow = fit({"x": frame.astype(np.float32), "y": Y})
    with pytest.warns(lb.AlignmentWarning, match="another order"):
        single = narrow.transform(reordered[:3].astype(np.float32), "x")
    assert (single == narrow.transform(frame[:3].astype(np.float32), "x")).all()
    refused(lb.DataError, '^new rows of x: 1 column of the fit is missing: "b"', lambda: a.transform(frame[["a", "c"]], "x"))
    refused(lb.DataError, '2 columns of the fit are missing: "a", "b"', lambda: a.match(pd.DataFrame(X[:, :1], columns=["c"]), source="x"))
    twice = pd.DataFrame(np.ones((2, 4)), columns=["a", "b", "c", "b"])
    refused(lb.DataError, 'the name "b" stands for column 1 and for column 3', lambda: a.transform(twice, "x"))
    refused(lb.DataError, "fitted with 3 features, the new rows have 2", lambda: a.transform(X[:, :2], "x"))
    # The names of a fit without names do not matter.
    assert fit([X, Y]).transform(reordered[:3], 0).shape == (3, 2)


def test_polars():
    pl = pytest.importorskip("polars")
    frame = pl.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2]})
    a = fit([frame, Y])
    assert same(a, fit()) and a._model.columns(0) == ["a", "b", "c"]
    assert same(fit([frame.cast(pl.Float32), Y]), fit([X.astype(np.float32), Y]))
    assert fit([frame.with_columns(d=pl.lit(True), e=pl.lit(3)), Y]).n_features_in_ == [5, 2]
    refused(lb.DataError, 'column "t" holds String', lambda: fit([frame.with_columns(t=pl.lit("x")), Y]))
    nulls = frame.with_columns(b=pl.when(pl.int_range(40) == 5).then(None).otherwise(pl.col("b")))
    refused(lb.DataError, 'row 5, column "b" is NaN', lambda: fit([nulls, Y]))
    refused(lb.DataError, "LazyFrame", lambda: fit([frame.lazy(), Y]))
    refused(lb.DataError, "empty", lambda: fit([pl.DataFrame(), Y]))


def test_arrow():
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2]})
    a = fit([table, Y])
    assert same(a, fit()) and a._model.columns(0) == ["a", "b", "c"]
    assert same(fit([table.to_batches()[0], Y]), fit())
    assert same(fit([pa.concat_tables([table[:10], table[10:]]), Y]), fit())
    more = table.append_column("flag", pa.array([True, False] * 20)).append_column("n", pa.array([i % 7 for i in range(40)]))
    assert fit([more, Y]).n_features_in_ == [5, 2]
    refused(lb.DataError, 'column "t" holds string', lambda: fit([table.append_column("t", pa.array(["x"] * 40)), Y]))
    nulls = table.append_column("n", pa.array([1.0, None] * 20))
    refused(lb.DataError, 'row 1, column "n" is NaN', lambda: fit([nulls, Y]))
    whole = table.append_column("n", pa.array([1, None] * 20))
    refused(lb.DataError, 'row 1, column "n" is NaN', lambda: fit([whole, Y]))


def broken_sparse(**change):
    matrix = sparse.csr_matrix(np.where(X > 0, X, 0))
    for name, value in change.items():
        setattr(matrix, name, value)
    return matrix


NAN = X.copy()
NAN[17, 2] = np.nan
OBJECT = X.astype(object)
OBJECT[4, 1] = "abc"

BAD_DATA = {
    "one dataset": ([X], "1 dataset.*at least 2"),
    "none": ([], "0 dataset"),
    "an array": (X, "numpy.ndarray; it must be a list"),
    "a number": (3, "it must be a list"),
    "1-D": ([X[:, 0], Y], r'dataset "0".*1 dimension.*\(40,\)'),
    "3-D": ([X[None], Y], "3 dimension"),
    "no rows": ([X[:0], Y], r'dataset "0" is empty: it has 0 rows and 3 columns'),
    "no columns": ([X, Y[:, :0]], r'dataset "1" is empty'),
    "one row": ([X, Y[:1]], "has 1 row, but needs at least 2"),
    "NaN": ([NAN, Y], r'dataset "0": the value at row 17, column 2 is NaN'),
    "float32 NaN": ([NAN.astype(np.float32), Y], "row 17, column 2 is NaN"),
    "infinite": ([X, np.where(Y == Y[3, 1], -np.inf, Y)], r'dataset "1": the value at row 3, column 1 is -inf'),
    "sparse NaN": ([sparse.csr_array(NAN), Y], "row 17, column 2 is NaN"),
    "object": ([OBJECT, Y], r"row 4, column 1 is 'abc', which is not a number"),
    "None": ([np.array([[1.0, None]] * 5), Y], "row 0, column 1 is None"),
    "text": ([np.array([["a", "b"]] * 5), Y], "row 0, column 0 is .*'a'"),
    "complex": ([X + 1j, Y], "complex128; they must be real"),
    "sparse complex": ([sparse.csr_array(X + 1j), Y], "complex128"),
    "dates": ([np.zeros((5, 2), "M8[s]"), Y], "datetime64"),
    "ragged": ([[[1.0], [1.0, 2.0]], Y], "no array|1 dimension"),
    "masked": ([np.ma.masked_greater(X, 0.5), Y], "masked"),
    "names that are not text": ({0: X, 1: Y}, "it must be text"),
    "broken column numbers": ([broken_sparse(indices=np.full(sparse.csr_matrix(np.where(X > 0, X, 0)).nnz, 99)), Y], "column 99 of 3"),
    "negative column numbers": ([broken_sparse(indices=np.full(sparse.csr_matrix(np.where(X > 0, X, 0)).nnz, -1)), Y], "-1"),
}


@pytest.mark.parametrize("name", BAD_DATA)
def test_bad_data_is_refused_with_its_place(name):
    datasets, pattern = BAD_DATA[name]
    error = refused(lb.DataError, pattern, lambda: fit(datasets))
    assert isinstance(error, ValueError)


# ---- pairs --------------------------------------------------------------------------------------------------------


def test_pairs_in_every_form():
    pd, pl, pa = pytest.importorskip("pandas"), pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    expected = fit()
    W = sparse.coo_array((np.ones(10), (PAIRS[:, 0], PAIRS[:, 1])), shape=(40, 30))
    forms = [
        PAIRS.tolist(),
        PAIRS.astype(np.uint8),
        {(0, 1): PAIRS},
        {("0", "1"): PAIRS},
        {(1, 0): PAIRS[:, ::-1]},
        {(0, 1): PAIRS[:4], ("0", 1): PAIRS[4:]},
        {(0, 1): np.column_stack([PAIRS, np.ones(10)])},
        {(0, 1): W},
        {(0, 1): sparse.csc_matrix(W)},
        pd.DataFrame(PAIRS, columns=["0", "1"]),
        pd.DataFrame(PAIRS[:, ::-1], columns=[1, 0]),
        pd.DataFrame(PAIRS, columns=["0", "1"]).assign(weight=1.0),
        pl.DataFrame({"0": PAIRS[:, 0], "1": PAIRS[:, 1]}),
        pa.table({"0": PAIRS[:, 0], "1": PAIRS[:, 1]}),
    ]
    for form in forms:
        assert same(fit(pairs=form), expected), form
    weights = np.linspace(0.5, 2, 10)
    weighted = fit(pairs={(0, 1): np.column_stack([PAIRS, weights])})
    assert not same(weighted, expected)
    assert same(weighted, fit(pairs=pd.DataFrame(PAIRS, columns=["0", "1"]).assign(weight=weights)))
    assert same(weighted, fit(pairs={(0, 1): sparse.coo_array((weights, (PAIRS[:, 0], PAIRS[:, 1])), shape=(40, 30))}))


def test_pairs_of_three_datasets():
    Z = RNG.normal(size=(20, 4))
    table = np.array([[0, 0, -1], [1, -1, 1], [-1, 2, 2], [3, 3, 3], [4, 4, 4]])
    a = fit({"x": X, "y": Y, "z": Z}, table)
    assert [z.shape for z in a.embeddings_] == [(40, 2), (30, 2), (20, 2)]
    links = {("x", "y"): [[0, 0], [3, 3], [4, 4]], ("x", "z"): [[1, 1], [3, 3], [4, 4]], (1, "z"): [[2, 2], [3, 3], [4, 4]]}
    assert same(a, fit({"x": X, "y": Y, "z": Z}, links))
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(table, columns=["x", "y", "z"]).replace(-1, np.nan)
    assert same(a, fit({"x": X, "y": Y, "z": Z}, frame))
    refused(lb.PairsError, '"x" and "z" share no pair', lambda: fit({"x": X, "y": Y, "z": Z}, {("x", "y"): [[0, 0]]}))
    refused(lb.PairsError, "2 datasets, but 3", lambda: fit({"x": X, "y": Y, "z": Z}, PAIRS))


def test_row_ids_are_looked_up():
    pd = pytest.importorskip("pandas")
    x = pd.DataFrame(X, index=[f"cell{i}" for i in range(40)])
    y = pd.DataFrame(Y, index=[f"nucleus{i}" for i in range(30)])
    named = pd.DataFrame({"x": [f"cell{i}" for i in range(10)] + ["cell11"], "y": [f"nucleus{i}" for i in range(10)] + [None]})
    assert same(fit({"x": x, "y": y}, named[:10]), fit())
    mixed = pd.DataFrame({"y": np.arange(10), "x": [f"cell{i}" for i in range(10)]})
    assert same(fit({"x": x, "y": Y}, mixed), fit())
    refused(lb.PairsError, "row 10: only 1 dataset", lambda: fit({"x": x, "y": y}, named))
    refused(lb.PairsError, 'pairs row 0: "cell0" is not a row number, and the rows of dataset "x" have no ids', lambda: fit({"x": X, "y": y}, named[:10]))
    refused(lb.PairsError, 'pairs row 0: 10 cells are not rows of dataset "y": "cell0", "cell1", "cell2", "cell3", "cell4"', lambda: fit({"x": x, "y": y}, named[:10].set_axis(["y", "x"], axis=1)))
    twice = x.rename(index={"cell1": "cell0"})
    refused(lb.PairsError, "several rows", lambda: fit({"x": twice, "y": y}, named[:1]))
    refused(lb.PairsError, 'column "z" is not a dataset', lambda: fit({"x": x, "y": y}, named.assign(z=1)))
    refused(lb.PairsError, "neither", lambda: fit({"x": x, "y": y}, pd.DataFrame({"x": [1.5], "y": [0]})))
    # Text that is not an id is a row number, as in a file of pairs.
    as_text = pd.DataFrame({"x": named["x"][:10], "y": [str(i) for i in range(10)]})
    assert same(fit({"x": x, "y": y}, as_text), fit())
    number = pd.DataFrame({"x": [0, 40], "y": [0, 1]})
    refused(lb.PairsError, r'pairs row 1: row 40 is out of range: dataset "x" has 40 rows \(0 to 39\)', lambda: fit({"x": X, "y": Y}, number))
    huge = pd.DataFrame({"x": [2**70], "y": [0]}, dtype=object)
    refused(lb.PairsError, "is not a row number", lambda: fit({"x": X, "y": Y}, huge))
    counted = {"x": pd.DataFrame(X, index=[str(i + 1) for i in range(40)]), "y": Y}
    refused(lb.PairsError, "row number here and a row id in row 0", lambda: fit(counted, pd.DataFrame({"x": ["1", "0"], "y": [0, 1]})))


BAD_PAIRS = {
    "empty list": ([], "no pairs were given"),
    "empty table": (np.empty((0, 2), int), "no pairs were given"),
    "empty dict": ({}, "no pairs were given"),
    "empty sparse": ({(0, 1): sparse.csr_array((40, 30))}, "no pairs were given"),
    "out of range": ([[0, 0], [1, 30]], r'pairs, row 1: row 30 is out of range: dataset "1" has 30 rows \(0 to 29'),
    "below -1": ([[0, -2]], r'pairs, row 0: row -2 is out of range: dataset "1" has 30 rows \(0 to 29'),
    "short row": ([[0, 0], [3, -1]], r"pairs, row 1: only 1 dataset"),
    "wrong columns": ([[0, 0, 0]], "pairs are for 3 datasets, but 2"),
    "1-D": ([0, 1], "shape"),
    "floats": ([[0.5, 1.0]], "float64; it must hold row numbers"),
    "text": ([["a", "b"]], "row numbers"),
    "ragged": ([[0, 1], [0]], "not a table|holds object"),
    "huge": (np.array([[0, 2**64 - 1]], np.uint64), "not a row number"),
    "sparse alone": (sparse.csr_array((40, 30)), "needs the two datasets"),
    "dict out of range": ({(0, 1): [[0, 99]]}, r'pairs\[\(0, 1\)\] row 0: row 99 is out of range: dataset "1" has 30 rows \(0 to 29\)'),
    "dict negative": ({(0, 1): [[-1, 0]]}, "row -1 is out of range"),
    "dict shape": ({(0, 1): [[1, 2, 3, 4]]}, r"\(1, 4\)"),
    "dict key": ({0: [[0, 0]]}, "two datasets"),
    "dict same": ({(0, 0): [[0, 0]]}, "itself"),
    "weight 0": ({(0, 1): [[0, 0, 0.0]]}, "weight is 0"),
    "weight NaN": ({(0, 1): [[0, 0, np.nan]]}, "weight is nan"),
    "weight negative": ({(0, 1): sparse.csr_array(([-1.0], ([0], [0])), shape=(40, 30))}, "weight is -1"),
    "sparse shape": ({(0, 1): sparse.csr_array((30, 40))}, r"the matrix is \(30, 40\)"),
    "half rows": ({(0, 1): [[0.5, 0, 1.0]]}, "row numbers"),
}


@pytest.mark.parametrize("name", BAD_PAIRS)
def test_bad_pairs_are_refused_with_their_row(name):
    pairs, pattern = BAD_PAIRS[name]
    assert isinstance(refused(lb.PairsError, pattern, lambda: fit(pairs=pairs)), ValueError)


def test_unknown_dataset_in_a_dict_of_pairs():
    for key in ((0, 2), ("0", "x"), (-1, 0), (True, 0)):
        refused(lb.ParameterError, "there is no dataset", lambda: fit(pairs={key: [[0, 0]]}))


def test_repeated_and_many_to_many_pairs_mean_something():
    with pytest.warns(lb.AlignmentWarning, match="more than once"):
        twice = fit(pairs=np.vstack([PAIRS, PAIRS[:1]]))
    weighted = fit(pairs={(0, 1): np.column_stack([PAIRS, [2] + [1] * 9])})
    np.testing.assert_allclose(twice.embeddings_[0], weighted.embeddings_[0], atol=1e-12)
    fit(pairs=[[0, 0], [0, 1], [1, 0]], hard=True)


# ---- parameters ---------------------------------------------------------------------------------------------------

BAD_PARAMETERS = [
    ({"n_neighbors": 40}, 'n_neighbors is 40, but dataset "0" has 40 rows; choose a value from 1 to 39'),
    ({"n_neighbors": 30}, 'n_neighbors is 30, but dataset "1" has 30 rows'),
    ({"n_neighbors": 0}, "n_neighbors is 0"),
    ({"n_neighbors": -1}, "n_neighbors is -1; it must be a whole number"),
    ({"n_neighbors": 2.5}, "n_neighbors is 2.5"),
    ({"n_neighbors": True}, "n_neighbors is True"),
    ({"n_components": 0}, "n_components is 0"),
    ({"n_components": 70}, "n_components is 70, but at most 69 are possible"),
    ({"n_components": "two"}, "n_components is 'two'"),
    ({"n_components": None}, "n_components is None"),
    ({"n_components": 2**80}, "n_components is"),
    ({"metric": "manhattan"}, "metric is 'manhattan'; it must be one of \"euclidean\", \"cosine\""),
    ({"metric": None}, "metric is None"),
    ({"weights": "uniform"}, "weights is 'uniform'"),
    ({"weights": "precomputed"}, "graphs is absent"),
    ({"search": "fast"}, "search is 'fast'"),
    ({"heat_width": 0.0}, "heat_width is 0"),
    ({"heat_width": -1}, "heat_width is -1"),
    ({"heat_width": np.nan}, "heat_width is nan"),
    ({"heat_width": "wide"}, "heat_width is 'wide'"),
    ({"mu": 0}, "mu is 0"),
    ({"mu": np.inf}, "mu is inf"),
    ({"nu": -1.0}, "nu is -1"),
    ({"balance": "yes"}, "balance is 'yes'; it must be True or False"),
    ({"hard": None}, "hard is None"),
    ({"normalized": 1.5}, "normalized is 1.5"),
    ({"tolerance": 0.0}, "tolerance is 0"),
    ({"random_state": -1}, "random_state is -1"),
    ({"random_state": None}, "random_state is None"),
    ({"n_jobs": 0}, "n_jobs is 0"),
    ({"n_jobs": -2}, "n_jobs is -2"),
    ({"n_jobs": 1.0}, "n_jobs is 1.0"),
    ({"verbose": -1}, "verbose is -1"),
    ({"graphs": [sparse.eye(40), sparse.eye(30)], "weights": "binary"}, "weights is binary; it must be precomputed"),
    ({"graphs": 3, "weights": "precomputed"}, "graphs is a int"),
    ({"graphs": [sparse.eye(40)], "weights": "precomputed"}, "graphs is 1 graphs"),
]


@pytest.mark.parametrize("params, pattern", BAD_PARAMETERS, ids=[str(i) for i in range(len(BAD_PARAMETERS))])
def test_bad_parameters_are_refused_in_fit(params, pattern):
    lb.InstanceAlignment(**{"n_components": 2, **params})  # not here
    assert isinstance(refused(lb.ParameterError, pattern, lambda: fit(**params)), ValueError)


def test_numpy_numbers_are_numbers():
    a = fit(n_components=np.int32(2), n_neighbors=np.int64(4), mu=np.float32(1), hard=np.bool_(False), random_state=np.uint8(0))
    assert same(a, fit())


@pytest.mark.filterwarnings("ignore:n_neighbors has no effect")
def test_given_graphs():
    graphs = [lb.geometry.similarity_graph(x, 4) for x in (X, Y)]
    expected = fit(weights="heat")
    for given in (graphs, tuple(graphs), [g.toarray() for g in graphs], [sparse.coo_matrix(g) for g in graphs]):
        a = fit(weights="precomputed", graphs=given)
        assert same(a, expected)
    refused(lb.UndefinedError, "transform.*its graph was given", lambda: a.transform(X, 0))
    asymmetric = graphs[0].copy()
    asymmetric.data[0] *= 2
    refused(lb.DataError, "not symmetric at", lambda: fit(weights="precomputed", graphs=[asymmetric, graphs[1]]))
    refused(lb.DataError, "30 x 30, but the dataset has 40 rows", lambda: fit(weights="precomputed", graphs=graphs[::-1]))
    refused(lb.DataError, "finite and not negative", lambda: fit(weights="precomputed", graphs=[-graphs[0], graphs[1]]))
    copy = pickle.loads(pickle.dumps(a))
    assert (copy.graphs[0] != a.graphs[0]).nnz == 0 and same(copy, a)


def test_edge_weights_whose_sum_overflows_are_an_error():
    heavy, light = np.full((60, 60), 1e308), np.ones((50, 50))
    for graph in (heavy, light):
        np.fill_diagonal(graph, 0)
    pairs = np.column_stack([np.arange(20)] * 2)
    with pytest.raises(lb.LandbridgeError):
        fit([RNG.normal(size=(60, 4)), RNG.normal(size=(50, 3))], pairs, weights="precomputed", graphs=[heavy, light])


def test_pair_weights_whose_sum_overflows_are_an_error():
    with pytest.raises(lb.LandbridgeError):
        fit(pairs={(0, 1): [[0, 0, 1e308], [1, 1, 1e308]]})


# ---- new rows -----------------------------------------------------------------------------------------------------


def test_bad_new_rows_are_refused(tmp_path):
    a = fit({"en": X, "it": Y})
    refused(lb.DataError, '"it" was fitted with 2 features, the new rows have 3', lambda: a.transform(X, "it"))
    refused(lb.DataError, "fitted with 3 features, the new rows have 2", lambda: a.match(Y, source=0))
    refused(lb.ParameterError, 'no dataset "fr"; there are "en", "it"', lambda: a.transform(X, "fr"))
    for bad in (2, -1, 0.0, None, (0, 1), True, 2**70):
        refused(lb.ParameterError, "there is no dataset", lambda: a.transform(X, bad))
    refused(lb.DataError, "row 17, column 2 is NaN", lambda: a.transform(NAN, 0))
    refused(lb.DataError, "empty", lambda: a.transform(X[:0], 0))
    refused(lb.DataError, "dimension", lambda: a.transform(X[0], 0))


# ---- files --------------------------------------------------------------------------------------------------------


def test_damaged_model_files_are_refused(tmp_path):
    fit().save(tmp_path / "m.lb")
    whole = (tmp_path / "m.lb").read_bytes()
    path = tmp_path / "bad.lb"

    def load(content):
        path.write_bytes(content)
        return lb.load(path)

    for cut in [*range(0, 64), *range(64, len(whole), 97), len(whole) - 1]:
        with pytest.raises(lb.ModelError, match="bad.lb"):
            load(whole[:cut])
    rng = np.random.default_rng(0)
    for at in rng.choice(len(whole), 300, replace=False):
        flipped = bytearray(whole)
        flipped[at] ^= 1 << int(rng.integers(8))
        with pytest.raises(lb.ModelError):
            load(bytes(flipped))
    with pytest.raises(lb.ModelError):
        load(whole + b"x")
    newer = whole.replace(b'\\"format\\":1', b'\\"format\\":9')
    assert newer != whole
    error = refused(lb.ModelError, "model format 9, this landbridge reads format 1", lambda: load(newer))
    assert error.hint == "update landbridge"
    refused(lb.ModelError, "the file is empty", lambda: load(b""))
    for foreign in (b"PK\x03\x04" + bytes(100), b'{"a": 1}' * 10, np.arange(9).tobytes(), pickle.dumps(fit())):
        refused(lb.ModelError, "not a landbridge model", lambda: load(foreign))


def test_files_that_cannot_be_read_or_written(tmp_path):
    a = fit()
    for path in (tmp_path / "no" / "such" / "folder" / "m.lb", tmp_path):
        error = refused(lb.FileError, re.escape(str(path)), lambda: a.save(path))
        assert isinstance(error, OSError)
    refused(lb.FileError, "cannot read", lambda: lb.load(tmp_path / "missing.lb"))
    refused(lb.FileError, "this is a folder, not a file", lambda: lb.load(tmp_path))
    if os.path.exists("/dev/full"):
        refused(lb.FileError, "/dev/full", lambda: a.save("/dev/full"))
    with pytest.raises(TypeError):
        a.save(3)
    (tmp_path / "m.lb").write_text("old")
    a.save(str(tmp_path / "m.lb"))
    assert same(lb.load(tmp_path / "m.lb"), a)
    assert os.listdir(tmp_path) == ["m.lb"]
