"""What a new user tries works at once: options of a file, pairs in any form, names, pictures, presets."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import landbridge as lb


@pytest.fixture
def folder(tmp_path):
    """Two views of 60 rows as csv with ids, labels on one side, and pairs of 20."""
    rng = np.random.default_rng(0)
    latent = rng.standard_normal((60, 2))
    for name, p in (("a", 4), ("b", 3)):
        X = latent @ rng.standard_normal((2, p)) + 0.05 * rng.standard_normal((60, p))
        table = pd.DataFrame(X, columns=[f"{name}{j}" for j in range(p)])
        table.insert(0, "id", [f"{name}-{i}" for i in range(60)])
        if name == "a":
            table["kind"] = ["even", "odd"] * 30
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    pd.DataFrame({"a": [f"a-{i}" for i in range(20)], "b": [f"b-{i}" for i in range(20)]}).to_csv(tmp_path / "pairs.csv", index=False)
    return tmp_path


@pytest.fixture
def data(folder):
    return {"a": lb.read(folder / "a.csv", label_column="kind"), "b": lb.read(folder / "b.csv")}


def test_options_behind_the_name(folder):
    spelled = lb.read(f"{folder / 'a.csv'}:label-column=kind,columns=a0,a1")
    plain = lb.read(folder / "a.csv", label_column="kind", columns=["a0", "a1"])
    assert (spelled.X == plain.X).all() and spelled.labels == plain.labels and spelled.name == "a"
    with pytest.raises(lb.ParameterError, match="did you mean use_rep"):
        lb.read(f"{folder / 'a.csv'}:use_rap=X_pca")
    with pytest.raises(lb.ParameterError, match="given twice"):
        lb.read(f"{folder / 'a.csv'}:label_column=kind", label_column="kind")
    odd = folder / "noon 12:30.csv"
    odd.write_text("x,y\n1,2\n")
    assert lb.read(odd).shape == (1, 2)
    assert lb.read(f"{folder / 'a.csv'}:label_column=kind,name=rna").name == "rna"


def test_decimal_comma(folder):
    (folder / "e.csv").write_text("id;x;y\np;1,5;2\nq;-3,25;1e2\n")
    table = lb.read(folder / "e.csv", delimiter=";", decimal=",")
    assert table.X.tolist() == [[1.5, 2.0], [-3.25, 100.0]] and table.row_ids == ["p", "q"]
    with pytest.raises(lb.DataError, match="--delimiter ';' --decimal ','"):
        lb.read(folder / "e.csv")
    with pytest.raises(lb.ParameterError, match="decimal"):
        lb.read(folder / "e.csv", decimal=",")


def test_pairs_in_every_form(folder, data):
    numbers = np.column_stack([np.arange(20)] * 2)
    names = [(f"a-{i}", f"b-{i}") for i in range(20)]
    frame = pd.DataFrame(names, columns=["a", "b"])
    frame.to_parquet(folder / "pairs.parquet")
    frame.to_csv(folder / "pairs.tsv", sep="\t", index=False)
    np.save(folder / "pairs.npy", numbers)
    expected = lb.CCA(2).fit(data, numbers).embeddings_[0]
    files = [folder / f"pairs.{kind}" for kind in ("csv", "tsv", "parquet", "npy")]
    forms = [names, frame, np.array(names), [[a, i] for i, (a, _) in enumerate(names)], *files, str(files[0])]
    for form in [*forms, *(lb.read_pairs(file, data) for file in files)]:
        assert (lb.CCA(2).fit(data, form).embeddings_[0] == expected).all()
    found = lb.read_pairs(folder / "pairs.csv", data)
    assert len(found) == 20 and np.asarray(found).shape == (20, 2) and (found.weights == 1).all()
    weighted = [(a, b, 1.0 + i) for i, (a, b) in enumerate(names)]
    assert (lb.CCA(2).fit(data, weighted).embeddings_[0] != expected).any()
    with pytest.raises(lb.PairsError, match="no file of that name"):
        lb.CCA(2).fit(data, "pairs.doc")
    with pytest.raises(lb.PairsError, match="a-77"):
        lb.CCA(2).fit(data, [("a-77", "b-1"), ("a-1", "b-2")])
    with pytest.raises(lb.PairsError, match="rows of 2 or 3"):
        lb.CCA(2).fit(data, [("a-1", "b-1"), ("a-2", "b-2", 1.0)])


def test_pairs_of_a_file_are_rows_of_the_file(folder):
    text = (folder / "a.csv").read_text().splitlines()
    lines = [",".join(line.split(",")[1:-1]) for line in text]
    for row in (3, 10, 11):
        lines[1 + row] = "," + lines[1 + row].split(",", 1)[1]
    (folder / "c.csv").write_text("\n".join(lines) + "\n")
    (folder / "numbers.csv").write_text("a,b\n" + "".join(f"{i},{i}\n" for i in range(0, 60, 5)))
    data = {"a": lb.read(folder / "c.csv", missing="drop"), "b": lb.read(folder / "b.csv")}
    pairs = lb.read_pairs(folder / "numbers.csv", data)
    assert pairs.left_out == 1 and pairs.rows[1].tolist() == [4, 5]
    with pytest.warns(lb.AlignmentWarning, match="1 pair was left out"):
        a = lb.CCA(2).fit(data, pairs)
    assert lb.metrics.foscttm(a.embeddings_[0], a.embeddings_[1][[i for i in range(60) if i not in (3, 10, 11)]], metric="cosine") < 0.1


def test_a_loaded_model_knows_ids_and_labels(folder, data):
    a = lb.CCA(2).fit(data, folder / "pairs.csv")
    a.save(folder / "m.lb")
    b = lb.load(folder / "m.lb")
    assert b.row_ids_[1][:2] == ["b-0", "b-1"] and b.labels_ == [["even", "odd"] * 30, None] and b.columns_[1] == ["b0", "b1", "b2"]
    labels, _ = b.transfer_labels()
    assert set(labels) <= {"even", "odd"} and (labels == a.transfer_labels()[0]).all()
    assert b.evaluate(folder / "pairs.csv")["pairs"][0]["given"] == 20
    with pytest.raises(lb.NotFittedError):
        lb.CCA(2).labels_


def test_tables_are_cut_with_their_names(data):
    part = data["a"][[3, 1]]
    assert part.row_ids == ["a-3", "a-1"] and part.labels == ["odd", "odd"] and part.shape == (2, 4)
    assert data["a"][:5].shape == (5, 4) and data["a"][np.arange(60) > 50].shape == (9, 4)


@pytest.mark.filterwarnings("ignore::landbridge.AlignmentWarning")
def test_cross_validation_of_sparse_rows():
    model_selection = pytest.importorskip("sklearn.model_selection")
    documents = lb.datasets.bilingual_documents(200, topics=10)
    X, Y = (sparse.csr_array(D) for D in documents.datasets)
    two = lb.TwoSets(lb.LinearAlignment(10), scoring="recall_at_10")
    for cv in (2, model_selection.KFold(2)):
        scores = model_selection.cross_val_score(two, X, lb.Table(Y), cv=cv)
        assert scores.shape == (2,) and (scores > 0.1).all()
    dense = model_selection.cross_val_score(two, X, Y.toarray(), cv=2)
    assert np.allclose(dense, model_selection.cross_val_score(two, X, lb.Table(Y), cv=2), atol=0.05)


def test_vectors_in_one_column():
    pa, pl = pytest.importorskip("pyarrow"), pytest.importorskip("polars")
    rng = np.random.default_rng(0)
    V = rng.standard_normal((30, 3)).astype(np.float32)
    W = V[:, :2] + 0.1 * rng.standard_normal((30, 2))
    pairs = np.column_stack([np.arange(30)] * 2)
    expected = lb.CCA(2).fit([V, W], pairs)
    for table in (
        pd.DataFrame({"v": list(V)}),
        pa.table({"v": pa.array(V.tolist(), pa.list_(pa.float32()))}),
        pa.table({"v": pa.FixedSizeListArray.from_arrays(pa.array(V.ravel()), 3)}),
        pl.DataFrame({"v": V.tolist()}, schema={"v": pl.List(pl.Float32)}),
    ):
        a = lb.CCA(2).fit([table, W], pairs)
        assert (a.embeddings_[0] == expected.embeddings_[0]).all() and a.columns_[0] == ["v.0", "v.1", "v.2"]
    with pytest.raises(lb.DataError, match="several lengths"):
        lb.CCA(2).fit([pd.DataFrame({"v": [[1.0], [1.0, 2.0]] * 15}), W], pairs)


def test_a_picture_shows_itself(folder, data):
    a = lb.CCA(2).fit(data, folder / "pairs.csv")
    picture = lb.plot(a)
    assert picture._repr_svg_().startswith("<svg") and "even" in picture.svg
    # Linear maps do not keep their rows: the picture shows what was before only if it is given.
    assert "a, before" not in picture.svg and "does not store its rows" in picture.notes[0]
    assert "a, before" in lb.plot(a, data).svg and not lb.plot(a, data).notes
    with pytest.raises(lb.DataError, match="sizes"):
        lb.plot(a, {"a": data["b"], "b": data["a"]})
    assert "even" not in lb.plot(a, color="dataset").svg
    picture.save(folder / "p.svg")
    assert (folder / "p.svg").read_text() == picture.svg
    with pytest.raises(lb.ParameterError, match="svg"):
        picture.save(folder / "p.doc")
    with pytest.raises(lb.ParameterError, match="components"):
        lb.plot(a, components=[0, 7])
    with pytest.raises(lb.ParameterError, match="none"):
        lb.plot(a, highlight=["none"])
    # A few rows far out do not press the others into a dot; the caption says so.
    X = np.asarray(data["a"].X).copy()
    X[0] *= 1e4
    assert "far outside, at the edge" in lb.plot(lb.LinearTransform(prepare=None).fit([X, data["b"]], [[i, i] for i in range(1, 20)])).svg


@pytest.mark.parametrize("name", lb.presets)
@pytest.mark.filterwarnings("ignore::landbridge.AlignmentWarning")
def test_every_preset_fits(name):
    rolls = lb.datasets.swiss_rolls(60)
    made = lb.preset(name) if name == "chapter11_multiscale" else lb.preset(name, 2)
    made.fit(rolls.datasets, rolls.pairs(20))
    for key, value in lb.presets[name]["params"].items():
        assert made.get_params()[key] == value
    assert type(lb.preset(name.replace("_", "-"), verbose=1) if "multiscale" in name else made) is type(made)


def test_presets_are_named():
    with pytest.raises(lb.ParameterError, match="chapter11"):
        lb.preset("chapter12")
    assert lb.preset("chapter11", 2, ridge=0.5).ridge == 0.5


def test_dashes_and_underscores_are_the_same(data, folder):
    a = lb.CCA(2, prepare="unit-center").fit(data, folder / "pairs.csv")
    b = lb.CCA(2, prepare="unit_center").fit(data, folder / "pairs.csv")
    assert (a.embeddings_[0] == b.embeddings_[0]).all()
    assert lb.solve.mvu(np.ones((3, 3)) - np.eye(3), [[0, 1], [1, 2], [0, 2]], solver="low-rank")[1]["status"]
