"""What a user can plausibly do by mistake gives the right answer, a warning that is seen, or an error."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import landbridge as lb

ad = pytest.importorskip("anndata")


@pytest.fixture
def rolls():
    return lb.datasets.swiss_rolls(120)


def test_reordered_columns_are_put_in_order_with_a_warning(rolls):
    X, Y = (pd.DataFrame(rows, columns=[f"{name}{j}" for j in range(rows.shape[1])]) for name, rows in zip("xy", rolls.datasets))
    a = lb.LinearAlignment(2).fit([X, Y], rolls.pairs(30))
    with pytest.warns(lb.AlignmentWarning, match="order"):
        turned = a.transform(X[X.columns[::-1]], 0)
    assert (turned == a.transform(X, 0)).all()
    with pytest.raises(lb.DataError, match="x1"):
        a.transform(X[["x0", "x2"]], 0)
    with pytest.warns(lb.AlignmentWarning, match="extra"):
        assert (a.transform(X.assign(extra=1.0), 0) == turned).all()


@pytest.mark.filterwarnings("ignore:no pairs were given", "ignore:.*sit on single rows")
def test_default_names_of_cells_make_no_pairs(rolls):
    cells = [ad.AnnData(np.asarray(rows)) for rows in rolls.datasets]
    assert list(cells[0].obs_names[:2]) == ["0", "1"]
    with pytest.raises(lb.LandbridgeError, match="no pairs"):
        lb.CCA(2).fit(cells)
    with pytest.warns(lb.AlignmentWarning, match="mere row numbers and made no pairs"):
        a = lb.InstanceAlignment(2).fit(cells)
    assert any("inferred" in w for w in a.outcome_.warnings)
    with pytest.warns(lb.AlignmentWarning, match="120 pairs came from equal names"):
        lb.CCA(2).fit(cells, "names")


def test_names_of_cells_make_pairs_and_that_is_said(rolls):
    cells = [ad.AnnData(np.asarray(rows)) for rows in rolls.datasets]
    for one in cells:
        one.obs_names = [f"cell-{i}" for i in range(120)]
    with pytest.warns(lb.AlignmentWarning, match="120 pairs came from equal names of rows"):
        a = lb.CCA(2).fit(cells)
    assert any("equal names" in w for w in a.outcome_.warnings)


def test_a_model_is_not_written_under_the_name_of_another_format(rolls, tmp_path):
    a = lb.CCA(2).fit(rolls.datasets, rolls.pairs(30))
    for name in ("t.h5ad", "t.csv", "t.parquet.gz"):
        with pytest.raises(lb.LandbridgeError, match="a model is not written as"):
            a.save(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_the_verdict_tells_regions_from_rows():
    rng = np.random.default_rng(0)
    latent = rng.standard_normal((400, 2))
    X = latent @ rng.standard_normal((2, 20)) + 0.8 * rng.standard_normal((400, 20))
    Y = latent @ rng.standard_normal((2, 30)) + 0.8 * rng.standard_normal((400, 30))
    pairs = np.column_stack([np.arange(100)] * 2)
    found = lb.trust(lb.CCA(2), [X, Y], pairs)
    assert found.trusted is True and found.matches_trusted is False
    assert found.verdict.startswith("trusted for regions and labels, not row by row")
    copies = lb.datasets.lifted_copies(200)
    clear = lb.trust(lb.CCA(4), copies.datasets, copies.pairs(60))
    assert clear.matches_trusted is True and clear.verdict.startswith("trusted, row by row")


def test_evaluate_uses_the_metric_that_suits_and_says_which(rolls):
    a = lb.CCA(2).fit(rolls.datasets, rolls.pairs(30))
    truth = np.column_stack([np.arange(120)] * 2)
    found = a.evaluate(truth)
    assert found["metric"] == "cosine" and "cosine" in str(found)
    score = next(s for s in found["pairs"][0]["scores"] if s["score"] == "foscttm")
    assert score["all"] == pytest.approx(lb.metrics.foscttm(*a.embeddings_, metric="cosine"))
    assert found["pairs"][0]["given"] == 30 and found["pairs"][0]["held_out"] == 90
    assert json.dumps(found)
    with pytest.raises(lb.LandbridgeError, match="120"):
        a.evaluate([[0, 500]])


def test_matches_are_a_table_with_names(rolls):
    X = pd.DataFrame(rolls.datasets[0], index=[f"a{i}" for i in range(120)])
    a = lb.InstanceAlignment(3).fit([X, rolls.datasets[1]], rolls.pairs(40))
    table = a.matches(k=2)
    assert list(table.columns) == ["source", "target", "rank", "score", "mutual"] and len(table) == 240
    assert table["source"][0] == "a0" and set(table["rank"]) == {1, 2}
    index, _ = a.match(k=1)
    back, _ = a.match(source=1, target=0)
    first = table[table["rank"] == 1].reset_index()
    assert (first["target"] == index[:, 0]).all()
    assert (first["mutual"] == (back[index[:, 0], 0] == np.arange(120))).all()
    assert "mutual" not in a.matches(X.iloc[:3])


def test_labels_travel(rolls):
    a = lb.InstanceAlignment(3).fit(rolls.datasets, rolls.pairs(60))
    labels = np.where(np.asarray(rolls.datasets[0])[:, 1] > np.median(np.asarray(rolls.datasets[0])[:, 1]), "high", "low")
    found, shares = a.transfer_labels(labels, 0, 1)
    assert set(found) <= {"high", "low"} and shares.min() >= 0.6 - 1e-12
    sure, _ = a.transfer_labels(labels, 0, 1, min_probability=0.99)
    assert ((sure == "unknown") == (shares < 0.99)).all()
    with pytest.raises(lb.UndefinedError, match="no labels"):
        a.transfer_labels()


def test_labels_come_back_in_their_type(rolls):
    a = lb.InstanceAlignment(3).fit(rolls.datasets, rolls.pairs(60))
    high = np.asarray(rolls.datasets[0])[:, 1] > np.median(np.asarray(rolls.datasets[0])[:, 1])
    text, shares = a.transfer_labels(np.where(high, "1", "0"))
    doubtful = shares < 0.99
    assert text.dtype == object and 0 < doubtful.sum() < len(shares)
    for labels in (high.astype(int), high.astype(np.uint8), high, high.astype(np.float32), high.astype(int).tolist(), pd.Series(high)):
        found, _ = a.transfer_labels(labels)
        assert found.dtype == np.asarray(labels).dtype and (found == (text == "1")).all()
        known, _ = a.transfer_labels(labels, X=rolls.datasets[1])
        assert known.dtype == found.dtype
        some, _ = a.transfer_labels(labels, min_probability=0.99)
        assert some.dtype == object and (some[~doubtful] == found[~doubtful]).all() and set(some[doubtful]) == {"unknown"}
        filled, _ = a.transfer_labels(labels, min_probability=0.99, unknown=9)
        assert (filled.dtype == object) == (found.dtype == bool) and (filled[doubtful] == 9).all()
    names = pd.Series(np.where(high, "high", "low"), dtype="category").cat.set_categories(["low", "mid", "high"], ordered=True)
    found, _ = a.transfer_labels(names)
    assert found.dtype == names.dtype and ((found == "high") == (text == "1")).all()
    some, _ = a.transfer_labels(names, min_probability=0.99)
    assert list(some.categories) == ["low", "mid", "high", "unknown"] and ((some == "unknown") == doubtful).all()
    assert not set(a.transfer_labels(pd.Series(high).astype("Int64"))[0]) - {0, 1}
    missing = [None, float("nan"), pd.NA] * 40
    found, _ = a.transfer_labels([m if h else "low" for m, h in zip(missing, high)])
    assert ((found == "unknown") == (text == "1")).all()
    with pytest.raises(lb.DataError, match="every label is missing"):
        a.transfer_labels(missing)
    with pytest.raises(lb.DataError, match="one label for each row"):
        a.transfer_labels(names.to_numpy().reshape(1, -1))
    with pytest.raises(lb.DataError, match="one label for each row"):
        a.transfer_labels("kind")


def test_a_map_without_its_rows(rolls, tmp_path):
    a = lb.CCA(2).fit(rolls.datasets, rolls.pairs(60))
    a.save(tmp_path / "all.lb")
    a.save(tmp_path / "map.lb", rows=False)
    b = lb.load(tmp_path / "map.lb")
    assert (b.transform(rolls.datasets[0][:5], 0) == a.transform(rolls.datasets[0][:5], 0)).all()
    assert (b.predict(rolls.datasets[0][:5], 0, 1) == a.predict(rolls.datasets[0][:5], 0, 1)).all()
    assert (tmp_path / "map.lb").stat().st_size < (tmp_path / "all.lb").stat().st_size
    with pytest.raises(lb.UndefinedError, match="without its fitted rows"):
        b.match()
    with pytest.raises(lb.UndefinedError, match="linear maps"):
        lb.InstanceAlignment(2).fit(rolls.datasets, rolls.pairs(30)).save(tmp_path / "no.lb", rows=False)


def test_votes_place_no_rows():
    a = lb.MeanVotes().fit([[[1.0], [2.0]], [[4.0, 0.0], [2.0, 5.0]]], [[0, 0], [1, 1]])
    for call in (lambda: a.match(), lambda: a.transform([[1.0]], 0), lambda: lb.MeanVotes().fit_transform([[[1.0]], [[2.0]]])):
        with pytest.raises(lb.UndefinedError, match="predict works"):
            call()
    assert [v.tolist() for v in a.votes_] == [[1.5], [3.0, 5.0]]
