"""Rows some at a time give what all rows give."""

import functools
import subprocess

import numpy as np
import pytest
from scipy import sparse

import landbridge as lb

from test_doors import PROGRAM


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(1)
    latent = rng.normal(size=(250, 3))
    x, y = (latent @ rng.normal(size=(3, p)) + 0.2 * rng.normal(size=(250, p)) for p in (6, 5))
    a = lb.CCA(3, ridge=0.1).fit({"en": x, "it": y}, np.column_stack([np.arange(250)] * 2))
    return a, x, y


def sources(x):
    """Every kind of rows in batches."""
    pa = pytest.importorskip("pyarrow")
    anndata = pytest.importorskip("anndata")
    table = pa.table({f"v{j}": x[:, j] for j in range(x.shape[1])})
    yield "array", x
    yield "sparse", sparse.csr_matrix(x)
    yield "iterator", (x[at : at + 90] for at in range(0, len(x), 90))
    yield "empty batch", [x[:100], x[:0], x[100:]]
    yield "reader", pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=60))
    yield "table", table
    yield "AnnData", anndata.AnnData(x)

    class Stream:
        """Only the PyCapsule protocol."""

        def __arrow_c_stream__(self, requested_schema=None):
            return table.__arrow_c_stream__(requested_schema)

    yield "capsule", Stream()


def test_pieces_are_the_whole(fitted):
    a, x, _ = fitted
    z, predicted, (index, distance) = a.transform(x, "en"), a.predict(x, "en", "it"), a.match(x, k=4, how="csls")
    # Sparse rows are summed up in another order, hence the last digits.
    same = functools.partial(np.testing.assert_allclose, rtol=0, atol=1e-12)
    for name, rows in sources(x):
        same(np.concatenate(list(a.transform_batches(rows, "en", size=70))), z, err_msg=name)
    for name, rows in sources(x):
        same(np.concatenate(list(a.predict_batches(rows, "en", "it", size=70))), predicted, err_msg=name)
    for name, rows in sources(x):
        pieces = list(a.match_batches(rows, k=4, how="csls", size=70))
        np.testing.assert_array_equal(np.concatenate([i for i, _ in pieces]), index, err_msg=name)
        same(np.concatenate([d for _, d in pieces]), distance, err_msg=name)


def test_one_piece_at_a_time(fitted):
    a, x, _ = fitted
    taken = []

    def endless():
        while True:
            taken.append(len(taken))
            yield x[:10]

    pieces = a.transform_batches(endless(), "en")
    next(pieces)
    assert taken == [0]
    next(pieces)
    assert taken == [0, 1]


def test_cells_on_disk(fitted, tmp_path):
    anndata = pytest.importorskip("anndata")
    a, x, _ = fitted
    for name, rows in (("dense", x), ("sparse", sparse.csr_matrix(x))):
        anndata.AnnData(rows).write_h5ad(tmp_path / f"{name}.h5ad")
        backed = anndata.read_h5ad(tmp_path / f"{name}.h5ad", backed="r")
        found = np.concatenate(list(a.transform_batches(backed, "en", size=64)))
        np.testing.assert_allclose(found, a.transform(x, "en"), rtol=0, atol=1e-12)
        backed.file.close()


def test_a_solved_model_is_evaluated_on_given_rows(fitted):
    a, x, y = fitted
    truth = np.column_stack([np.arange(200, 250)] * 2)
    solved = lb.Statistics.of({"en": x[:200], "it": y[:200]}).solve(lb.CCA(3, ridge=0.1))
    with pytest.raises(lb.UndefinedError, match=r"a.evaluate\(truth, rows="):
        solved.evaluate(truth)
    with pytest.raises(lb.UndefinedError, match="solved or saved without its fitted rows"):
        solved.match_batches(x)
    found = solved.evaluate(truth, rows={"it": iter([y[:100], y[100:]]), "en": x})
    z = [solved.transform(x, 0)[200:], solved.transform(y, 1)]
    expected = lb.metrics.recall_at_k(z[0], z[1], k=(1,), truth=np.arange(200, 250), metric="cosine")
    scores = {(s["score"], s.get("k"), s.get("from")): s["all"] for s in found["pairs"][0]["scores"]}
    np.testing.assert_allclose(scores["recall", 1, "en"], expected[0])
    with pytest.raises(lb.ParameterError, match="one for each dataset"):
        solved.evaluate(truth, rows=[x])


def test_labels_of_new_rows(fitted):
    a, x, y = fitted
    labels = np.where(x[:, 0] > 0, "high", "low")
    known, shares = a.transfer_labels(labels, "en", "it")
    new, same = a.transfer_labels(labels, "en", "it", X=y[:50])
    assert (new == known[:50]).all()
    np.testing.assert_array_equal(same, shares[:50])
    with pytest.raises(lb.ParameterError, match="min_support needs the fitted rows"):
        a.transfer_labels(labels, "en", "it", X=y, min_support=0.3)


def test_what_is_refused(fitted):
    a, x, _ = fitted
    with pytest.raises(lb.DataError, match="a name"):
        a.transform_batches("large.parquet", "en")
    with pytest.raises(lb.DataError, match="dimensions"):
        a.transform_batches(x[0], "en")
    with pytest.raises(lb.DataError, match="give an iterator|int"):
        a.transform_batches(7, "en")
    with pytest.raises(lb.ParameterError, match="how is"):
        a.match_batches(x, how="mutual")
    with pytest.raises(lb.ParameterError, match="size is 0"):
        a.transform_batches(x, "en", size=0)
    da = pytest.importorskip("dask.array")
    with pytest.raises(lb.DataError, match="dask array") as error:
        a.transform_batches(da.from_array(x), "en")
    assert "lb.dask.transform" in str(error.value)


def test_chosen_columns_go_along(tmp_path):
    pa = pytest.importorskip("pyarrow")
    pd = pytest.importorskip("pandas")
    anndata = pytest.importorskip("anndata")
    rng = np.random.default_rng(3)
    x, y = pd.DataFrame(rng.normal(size=(60, 3)), columns=list("abc")), rng.normal(size=(60, 2))
    a = lb.CCA(2, ridge=0.1).fit({"en": x, "it": y}, np.column_stack([np.arange(60)] * 2))
    z = a.transform(x, "en")
    when = pd.date_range("2024-01-01", periods=60, freq="h")
    frame = x.assign(title=[f"t{i % 7}" for i in range(60)], when=when)
    # A feature may be kept; what is only kept is not data.
    pieces = list(a.transform_batches(frame, "en", size=25, keep=["title", "when", "b"]))
    whole = pd.concat(pieces)
    assert len(pieces) == 3 and list(whole.columns) == ["title", "when", "b", "z0", "z1"]
    pd.testing.assert_frame_equal(whole[["title", "when", "b"]], frame[["title", "when", "b"]], check_freq=False)
    np.testing.assert_array_equal(whole[["z0", "z1"]], z)
    table = pa.Table.from_pandas(frame, preserve_index=False)
    found = pa.concat_tables(a.transform_batches(table, "en", size=25, keep=["when", "title"]))
    assert found.column_names == ["when", "title", "z0", "z1"] and found.schema.field("when").type == table.schema.field("when").type
    np.testing.assert_array_equal(found["z1"].to_numpy(), z[:, 1])
    cells = anndata.AnnData(x.to_numpy(), obs=pd.DataFrame({"batch": list("xy") * 30}, index=[f"c{i}" for i in range(60)]))
    cells.var_names = list("abc")
    found = pd.concat(a.transform_batches(cells, "en", size=40, keep=["batch"]))
    assert list(found["batch"]) == list("xy") * 30 and found.index[3] == "c3"
    predicted = pa.concat_tables(a.predict_batches(table, "en", "it", keep=["title", "when"]))
    assert predicted.column_names == ["title", "when", "0", "1"]
    np.testing.assert_array_equal(predicted["1"].to_numpy(), a.predict(x, "en", "it")[:, 1])
    with pytest.raises(lb.DataError, match="(?s)no column 'titel'.*did you mean 'title'"):
        list(a.transform_batches(frame, "en", keep=["titel"]))
    with pytest.raises(lb.DataError, match="already"):
        list(a.transform_batches(frame.rename(columns={"title": "z0"}), "en", keep=["z0", "when"]))
    with pytest.raises(lb.DataError, match="no names of columns"):
        list(a.transform_batches(x.to_numpy(), "en", keep=["a"]))
    with pytest.raises(lb.ParameterError, match="list of names"):
        a.transform_batches(frame, "en", keep="title")


def test_the_command_line_keeps_the_types_of_columns(tmp_path):
    pd = pytest.importorskip("pandas")
    pa = pytest.importorskip("pyarrow")
    anndata = pytest.importorskip("anndata")
    import pyarrow.parquet as pq

    rng = np.random.default_rng(3)
    x, y = pd.DataFrame(rng.normal(size=(60, 3)), columns=list("abc")), rng.normal(size=(60, 2))
    lb.CCA(2, ridge=0.1).fit({"en": x, "it": y}, np.column_stack([np.arange(60)] * 2)).save(tmp_path / "m.lb")
    kept = {
        "when": pd.date_range("2024-01-01", periods=60, freq="h", tz="UTC"),
        "kind": pd.Categorical(["u", "v", "w"] * 20),
        "n": pd.array([None, *range(59)], dtype="Int16"),
        "tags": [["p", "q"][: i % 3] for i in range(60)],
    }
    frame = x.assign(**kept)
    table = pa.Table.from_pandas(frame, preserve_index=False)
    pq.write_table(table, tmp_path / "new.parquet", row_group_size=13)
    call = [PROGRAM, "transform", "m.lb", "new.parquet", "--dataset", "en", "--keep", ",".join(kept), "-o", "out/", "--quiet"]
    subprocess.run(call, cwd=tmp_path, check=True)
    # The manifest is not in the way.
    found = pd.read_parquet(tmp_path / "out")
    assert list(found.columns) == [*kept, "z0", "z1"]
    whole = pq.read_table(tmp_path / "out")
    for name in kept:
        assert whole[name].to_pylist() == table[name].to_pylist(), name
        assert whole.schema.field(name).type == table.schema.field(name).type, name
    obs = pd.DataFrame({"n": range(60), "kind": pd.Categorical(["u", None] * 30)}, index=[f"c{i}" for i in range(60)])
    cells = anndata.AnnData(x.to_numpy(), obs=obs)
    cells.var_names = list("abc")
    cells.write_h5ad(tmp_path / "new.h5ad")
    call = [PROGRAM, "transform", "m.lb", "new.h5ad", "--dataset", "en", "--keep", "kind,n"]
    subprocess.run([*call, "-o", "z.parquet", "--quiet"], cwd=tmp_path, check=True)
    subprocess.run([*call, "-o", "cells/", "--quiet"], cwd=tmp_path, check=True)
    found = pd.read_parquet(tmp_path / "z.parquet")
    assert found["n"].tolist() == list(range(60)) and found["kind"].tolist() == ["u", None] * 30 and found["id"][5] == "c5"
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "cells"), found)
