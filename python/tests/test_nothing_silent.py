"""What a user can plausibly do by mistake gives the right answer, a warning that is seen, or an error."""

from __future__ import annotations

import json
import warnings

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


def tables(n=200):
    """Two tables of the same rows, the second in another order, and where each row of the first is in the second."""
    rng = np.random.default_rng(0)
    state = rng.standard_normal((n, 6))
    A = pd.DataFrame(state @ rng.standard_normal((6, 12)) + 0.15 * rng.standard_normal((n, 12)), columns=[f"a{j}" for j in range(12)])
    B = pd.DataFrame(state @ rng.standard_normal((6, 9)) + 0.15 * rng.standard_normal((n, 9)), columns=[f"b{j}" for j in range(9)])
    order = rng.permutation(n)
    return A, B.iloc[order].reset_index(drop=True), np.argsort(order)


def found(a, place):
    return float((a.match(source=0, target=1)[0][:, 0] == place).mean())


def test_pairs_that_are_off_by_one_are_told_by_a_plain_fit():
    A, B, place = tables()
    rows = np.arange(0, 200, 3)
    right, wrong = np.column_stack([rows, place[rows]]), np.column_stack([rows, (place[rows] + 1) % 200])
    for method in (lb.CCA(6), lb.LinearAlignment(6), lb.LinearTransform()):
        assert not any("shuffled" in w for w in method.fit([A, B], right).outcome_.warnings)
        with pytest.warns(lb.AlignmentWarning, match="no better than shuffled pairs"):
            method.fit([A, B], wrong)


def test_tables_that_were_sorted_each_by_itself_are_told():
    A, B, place = tables()
    B = B.iloc[place].reset_index(drop=True)
    pairs = np.column_stack([np.arange(0, 200, 2)] * 2)
    apart = [A.sort_values("a3", ignore_index=True), B.sort_values("b5", ascending=False, ignore_index=True)]
    with pytest.warns(lb.AlignmentWarning, match='order of a3.*order of b5.*sorted by itself'):
        lb.CCA(4).fit(apart, pairs)
    together = np.argsort(A["a3"].to_numpy())
    same = [A.iloc[together].reset_index(drop=True), B.iloc[together].reset_index(drop=True)]
    assert not any("sorted" in w for w in lb.CCA(4).fit(same, pairs).outcome_.warnings)


def test_a_column_in_other_units_is_told():
    A, B, place = tables()
    pairs = np.column_stack([np.arange(60), place[:60]])
    for method in (lb.CCA(6), lb.LinearAlignment(6)):
        with pytest.warns(lb.AlignmentWarning, match='column "b0" has 99.*standardize'):
            method.fit([A, B.assign(b0=1e4 * B["b0"])], pairs)


def test_a_header_of_numbers_is_a_header(tmp_path):
    A, _, _ = tables()
    pd.DataFrame(A.to_numpy()).to_csv(tmp_path / "a.csv", index=False)
    A.set_axis(range(2001, 2013), axis=1).to_csv(tmp_path / "years.csv", index=False)
    assert lb.read(tmp_path / "a.csv").shape == lb.read(tmp_path / "years.csv").shape == A.shape


def test_whole_numbers_are_ids_where_ids_are_numbers(tmp_path):
    A, B, place = tables()
    rng = np.random.default_rng(1)
    ids = rng.permutation(200) + 1000
    of_b = np.empty(200, int)
    of_b[place] = ids
    data = {"shop": A.set_index(ids), "site": B.set_index(of_b)}
    table = pd.DataFrame({"shop": ids[:60], "site": ids[:60]})
    table.to_csv(tmp_path / "pairs.csv", index=False)
    by_file, by_table = lb.CCA(6).fit(data, str(tmp_path / "pairs.csv")), lb.CCA(6).fit(data, table)
    assert found(by_file, place) == found(by_table, place) > 0.9


def test_ids_that_lost_their_zeros_are_told(tmp_path):
    A, B, place = tables()
    of_b = np.empty(200, int)
    of_b[place] = np.arange(200)
    data = {"shop": A.set_index(pd.Index([f"{i:04}" for i in range(200)])), "site": B.set_index(pd.Index([f"{i:04}" for i in of_b]))}
    pd.DataFrame({"shop": range(60), "site": range(60)}).to_csv(tmp_path / "pairs.csv", index=False)
    with pytest.warns(lb.AlignmentWarning, match="lost zeros in front|no better than shuffled"):
        a = lb.CCA(6).fit(data, str(tmp_path / "pairs.csv"))
    assert sum("lost zeros" in w for w in a.outcome_.warnings) == 2


def test_labels_by_id_find_their_rows():
    A, B, place = tables()
    names = pd.Index([f"c{i}" for i in range(200)])
    a = lb.CCA(6).fit({"A": A.set_index(names), "B": B}, np.column_stack([np.arange(60), place[:60]]))
    labels = pd.Series(np.where(A["a0"] > 0, "x", "y"), index=names)
    expected = a.transfer_labels(labels.to_numpy())[0]
    for given in (labels, labels.sample(frac=1, random_state=0), labels.to_dict(), dict(reversed(labels.to_dict().items()))):
        assert (a.transfer_labels(given)[0] == expected).all()
    with pytest.raises(lb.DataError, match="100 of 100 entries .* 200 fitted rows"):
        a.transfer_labels(labels[:100])
    with pytest.raises(lb.DataError, match="'z9' is not the id"):
        a.transfer_labels({"z9": "x"})
    with pytest.raises(lb.DataError, match="rows have no ids"):
        a.transfer_labels({"b1": "x"}, source="B", target="A")


def test_numbers_that_became_text_are_not_ids():
    A, B, place = tables()
    with pytest.raises(lb.DataError, match='"a0"'):
        lb.CCA(6).fit([A.astype({"a0": str}), B], np.column_stack([np.arange(60), place[:60]]))


def test_predictions_in_other_units_are_told_once():
    A, B, place = tables()
    pairs = np.column_stack([np.arange(60), place[:60]])
    a = lb.CCA(6, prepare="unit_center").fit([A, B], pairs)
    with pytest.warns(lb.AlignmentWarning, match="scaled to length 1 before the fit, which cannot be undone"):
        a.predict(A, 0, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        a.predict(A, 0, 1)
        lb.CCA(6, prepare="standardize").fit([A, B], pairs).predict(A, 0, 1)


def test_new_cells_that_are_not_counts_are_refused():
    rng = np.random.default_rng(0)
    counts = [rng.poisson(rng.gamma(0.3, 1.0, (150, p)) * 2).astype(float) for p in (300, 320)]
    a = lb.CCA(3, prepare="counts").fit(counts, np.column_stack([np.arange(80)] * 2))
    with pytest.raises(lb.DataError, match="counts"):
        a.transform(counts[0] - counts[0].mean(axis=0), 0)
    assert a.transform(counts[0], 0).shape == (150, 3)


def test_weakly_better_than_chance_is_not_trusted():
    rng = np.random.default_rng(0)
    state = rng.standard_normal((1200, 1))
    X, Y = (0.45 * state @ np.ones((1, 4)) + rng.standard_normal((1200, 4)) for _ in range(2))
    judged = lb.trust(lb.CCA(1), [X, Y], np.column_stack([np.arange(1000)] * 2))
    assert 0.4 < judged.foscttm < 0.47 and judged.trusted is not True
