"""Tables from other libraries, and tables that only speak Arrow."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import landbridge as lb

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

RNG = np.random.default_rng(5)
X = RNG.normal(size=(40, 3))
Y = RNG.normal(size=(40, 2))
PAIRS = np.column_stack([np.arange(15), np.arange(15)])


class Stream:
    """Nothing but the Arrow PyCapsule interface."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def fit(dataset):
    return lb.InstanceAlignment(2, n_neighbors=5).fit([dataset, Y], PAIRS)


def test_two_hundred_tables_agree_between_the_libraries():
    for seed in range(200):
        rng = np.random.default_rng(seed)
        n, p = int(rng.integers(1, 30)), int(rng.integers(1, 8))
        kinds = rng.choice(["f4", "f8", "i1", "i4", "i8", "u2", "?"], p) if seed % 5 else ["f4"] * p
        frame = pd.DataFrame({f"c{j} é": (rng.normal(size=n) * 50).astype("i8").astype(kind) for j, kind in enumerate(kinds)})
        kind = np.float32 if all(k == "f4" for k in kinds) else np.float64
        expected = frame.to_numpy(dtype=kind)
        for table in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame), Stream(pl.from_pandas(frame))):
            made = lb._data.dataset("t", table)
            assert made.columns == list(frame.columns) and made.row_ids is None and made.shape == (n, p), seed
            assert made.kind == ("dense f32" if kind == np.float32 else "dense f64"), seed
        # What arrives are these numbers: distances say so.
        if n > 2:
            tables = (expected, frame, pl.from_pandas(frame), pa.Table.from_pandas(frame), Stream(pl.from_pandas(frame)))
            graphs = [lb.geometry.knn_graph(table, n - 1) for table in tables]
            assert all((d == graphs[0][1]).all() and (i == graphs[0][0]).all() for i, d in graphs), seed


def test_an_index_that_pandas_left_in_an_arrow_table_becomes_row_ids():
    frame = pd.DataFrame(X, columns=list("abc"), index=[f"r{i}" for i in range(40)])
    for table in (pa.Table.from_pandas(frame), pa.RecordBatch.from_pandas(frame)):
        a = fit(table)
        assert a.n_features_in_ == [3, 2] and a._model.columns(0) == list("abc")
        assert a._model.row_ids(0) == list(frame.index)
        assert (a.embeddings_[0] == fit(frame).embeddings_[0]).all()
    several = frame.set_index(["a"], append=True)
    assert fit(pa.Table.from_pandas(several))._model.columns(0) == ["b", "c"]


def test_whatever_speaks_arrow_is_a_dataset():
    table = pl.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2]})
    a = fit(Stream(table))
    assert (a.embeddings_[0] == fit(X).embeddings_[0]).all() and a._model.columns(0) == ["a", "b", "c"]
    with pytest.raises(lb.DataError, match='column "t" holds'):
        fit(Stream(table.with_columns(t=pl.lit("x"))))


def test_files_are_datasets(tmp_path):
    pd.DataFrame(X, columns=list("abc"), index=pd.Index([f"r{i}" for i in range(40)], name="id")).to_csv(tmp_path / "x.csv")
    np.save(tmp_path / "y.npy", Y)
    table = lb.read(tmp_path / "x.csv")
    assert table.name == "x" and table.row_ids[:2] == ["r0", "r1"] and table.columns == list("abc")
    assert (table.X == X).all()
    a = lb.InstanceAlignment(2, n_neighbors=5).fit({"x": table, "y": lb.read(tmp_path / "y.npy")}, PAIRS)
    assert (a.embeddings_[0] == fit(X).embeddings_[0]).all()
    assert (a.transform(lb.read(tmp_path / "x.csv"), "x") == a.transform(X, "x")).all()
    # Ids of files that are no cells are not taken as pairs unasked.
    with pytest.raises(lb.PairsError):
        lb.CCA(2).fit([table, table])
    with pytest.raises(lb.ParameterError, match="no meaning"):
        lb.read(tmp_path / "y.npy", header=True)


def test_ids_that_are_numbers_are_told():
    frame = pd.DataFrame(X, columns=["x", "y", "z"])
    frame.insert(0, "id", range(100, 100 + len(frame)))
    for table in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame, preserve_index=False)):
        with pytest.warns(lb.AlignmentWarning, match='"id" holds numbers and is taken as a feature'):
            lb.PCA(2).fit_transform(table)
    with warnings.catch_warnings():
        warnings.simplefilter("error", lb.AlignmentWarning)
        lb.PCA(2).fit_transform(frame.set_index("id"))


def test_a_column_that_numbers_the_rows_is_told(tmp_path):
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(rng.normal(size=(40, 3)), columns=["x", "y", "z"])
    frame.insert(2, "customer", rng.permutation(40) + 1)
    plain = frame[["x", "y", "z"]].to_numpy() @ rng.normal(size=(3, 4)) + 0.1 * rng.normal(size=(40, 4))
    pairs = np.column_stack([np.arange(40)] * 2)
    told = 'the column "customer" numbers the rows \\(1 to 40\\) and is taken as a feature'
    for table in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame, preserve_index=False)):
        with pytest.warns(lb.AlignmentWarning, match=told):
            lb.CCA(2).fit([table, plain], pairs)
    frame.to_csv(tmp_path / "t.csv", index=False)
    with pytest.warns(lb.AlignmentWarning, match=told):
        lb.read(tmp_path / "t.csv")
    with warnings.catch_warnings():
        warnings.simplefilter("error", lb.AlignmentWarning)
        lb.CCA(2).fit([frame.set_index("customer"), plain], pairs)
        lb.CCA(2).fit([lb.read(tmp_path / "t.csv", id_column="customer"), plain], pairs)
        lb.CCA(2).fit([frame.to_numpy(), plain], pairs)  # an array has no names: its first column may be anything


def test_ids_that_cannot_be_ids_are_told_as_what_they_are():
    frame = pd.DataFrame({"id": ["p0", "p1", "p2", "p1"], "x": [1.0, 2.0, 3.0, 4.0], "y": [0.0, 1.0, 0.0, 2.0]})
    for table in (frame, pl.from_pandas(frame), pa.Table.from_pandas(frame, preserve_index=False)):
        with pytest.raises(lb.DataError, match="the id 'p1' in column \"id\" stands for row 1 and for row 3"):
            lb.CCA(1).fit([table, np.eye(4)], [[0, 0]])
    # Rows were left out, so that pandas has an index of its own, and the ids are a column of text beside it.
    with pytest.raises(lb.DataError, match="(?s)column \"id\" holds .* not numbers.*set_index\\('id'\\)"):
        lb.CCA(1).fit([frame.drop(index=1), np.eye(3)], [[0, 0]])
    with pytest.raises(lb.DataError, match="leave out columns that are not numeric"):
        lb.CCA(1).fit([frame.rename(columns={"id": "colour"}), np.eye(4)], [[0, 0]])
