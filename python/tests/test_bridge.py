"""Bridges between two vector stores: figures, exports, drift."""

from __future__ import annotations

import pickle
import warnings
import zipfile

import numpy as np
import pytest

import landbridge as lb


def stores(n: int = 300, shared: int = 150, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Two noisy views of one cloud; the first `shared` rows are the same objects, the others are of one store only."""
    rng = np.random.default_rng(seed)
    cloud = rng.standard_normal((2 * n - shared, 12)) / np.arange(1, 13) ** 0.5
    views = [cloud @ rng.standard_normal((12, p)) + 0.1 * rng.standard_normal((len(cloud), p)) for p in (24, 30)]
    unit = [v / np.linalg.norm(v, axis=1, keepdims=True) for v in views]
    return unit[0][:n].astype(np.float32), unit[1][np.r_[:shared, n : len(cloud)]].astype(np.float32)


@pytest.fixture(scope="module")
def bridged():
    old, new = stores()
    return old, new, lb.bridge(old, new, "120-first")


def test_the_figures_are_those_of_unseen_pairs(bridged):
    old, new, b = bridged
    q = b.quality_
    assert b.trusted_ is True and b.verdict_.startswith("use it") and q["pairs"] == 120
    assert 0 <= q["recall_at_10"].low <= q["recall_at_10"] <= q["recall_at_10"].high <= 1
    unseen = np.arange(120, 150)
    truly = lb.metrics.recall_at_k(b.embeddings_[0][unseen], b.embeddings_[1], k=10, truth=unseen, metric="cosine")
    assert abs(truly - q["recall_at_10"]) < 0.15
    assert q["cosine"] > 0.8 and 0.4 < q["overlap_at_10"] <= 1 and q["mapped"]["recall_at_10"] > 0.8
    pairs = [p["pairs"] for p in b.learning_curve_]
    assert pairs == sorted(pairs) and pairs[0] == 25
    assert all(r["row"] >= 120 and 0 < r["confidence"] < 1 for r in b.embed_first_)
    assert "recall@10" in str(b.bridge_) and "use it" in str(b.bridge_)


def test_files_and_pickles_keep_what_it_is_worth(bridged, tmp_path):
    old, _, b = bridged
    b.save(tmp_path / "b.lb")
    b.save(tmp_path / "small.lb", rows=False)
    for other in (lb.load(tmp_path / "b.lb"), lb.load(tmp_path / "small.lb"), pickle.loads(pickle.dumps(b))):
        assert other.quality_ == b.quality_ and other.quality_["recall_at_1"].low == b.quality_["recall_at_1"].low
        assert np.array_equal(other.map(old[:3]), b.map(old[:3]))
        assert not other.check_drift(old[::3], "old")


def test_shuffled_pairs_are_not_to_be_used():
    old, new = stores()
    wrong = np.column_stack([np.arange(80), np.random.default_rng(0).permutation(80)])
    with pytest.warns(lb.AlignmentWarning, match="do not use|cannot tell"):
        b = lb.bridge(old, new, wrong, curve=False)
        warnings.warn("cannot tell", lb.AlignmentWarning)
    assert b.trusted_ is not True and b.learning_curve_ == []


def test_pairs_in_words():
    old, new = stores(60, 60)
    for text, message in [("70-first", "at most 60"), ("0-first", "at least 1"), ("some", "500-first")]:
        with pytest.raises(lb.ParameterError, match=message):
            lb.bridge(old, new, text)
    with pytest.raises(lb.ParameterError, match="folds"):
        lb.bridge(old, new, "30-first", folds=1)


def test_bad_vectors_are_said():
    old, new = stores(100, 100)
    broken = old.copy()
    broken[17, 3] = np.nan
    with pytest.raises(lb.DataError, match="17"):
        lb.bridge(broken, new, "50-first")
    zero = old.copy()
    zero[60] = 0
    with pytest.warns(lb.AlignmentWarning, match="zero"):
        b = lb.bridge(zero, new, "50-first", curve=False)
    with pytest.raises(lb.DataError, match="24.*30|30.*24"):
        b.map(new[:2], "old", "new")
    with np.errstate(over="ignore"):
        overflown = np.full((1, 24), 1e6).astype(np.float16)
    with pytest.raises(lb.DataError, match="inf"):
        b.transform(overflown, "old")


def applied(parts, x):
    """The steps of an exported map, in NumPy alone."""
    x = np.asarray(x, dtype=np.float64)
    for step in parts["steps"]:
        if step == "unit":
            x = x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-300)
        elif step == "mean":
            x = x - parts["mean"]
    return x @ parts["matrix"] + parts.get("offset", 0.0)


@pytest.mark.parametrize("target", [None, "new"])
def test_the_archive_is_enough_without_landbridge(bridged, tmp_path, target):
    old, _, b = bridged
    b.export(tmp_path / "m.npz", "old", target)
    with zipfile.ZipFile(tmp_path / "m.npz") as archive:
        readme = archive.read("README.txt").decode()
    arrays = np.load(tmp_path / "m.npz")
    lines = readme.splitlines()
    steps = ["unit" if "|x|" in line else "mean" for line in lines if line.startswith("x = ")]
    parts = {"steps": steps, **{name: arrays[name] for name in arrays.files if name != "README.txt"}}
    expected = b.transform(old[:9], "old") if target is None else b.map(old[:9], "old", target)
    assert np.abs(applied(parts, old[:9]) - expected).max() < 1e-9 * np.abs(expected).max()
    b.export(tmp_path / "m.json", "old", target)
    b.export(tmp_path / "m.safetensors", "old", target)
    with pytest.raises(lb.ParameterError, match="onnx"):
        b.export(tmp_path / "m.docx")


@pytest.mark.parametrize("prepare", ["center", "center_unit", "unit_center", "standardize", None])
def test_onnx_gives_the_same(bridged, tmp_path, prepare):
    onnxruntime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
    old, new, b = bridged
    a = lb.CCA(8, prepare=prepare).fit({"old": old, "new": new}, np.column_stack([np.arange(120)] * 2))
    cases = [(a, 0, None), (a, 1, 0), (b, "old", None), (b, "new", "old")]
    for at, (model, source, target) in enumerate(cases):
        path = tmp_path / f"{at}.onnx"
        model.export(path, source, target)
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        x = (old if source in (0, "old") else new)[:50].copy()
        x[7] = 0
        z = session.run(None, {"x": x})[0]
        expected = model.transform(x, source) if target is None else model.map(x, source, target)
        assert np.abs(z - expected).max() <= 1e-6 * np.abs(expected).max()


def test_rows_that_place_by_neighbours_cannot_be_exported(tmp_path, rolls, pairs):
    a = lb.InstanceAlignment(2).fit(rolls.datasets, pairs)
    with pytest.raises(lb.UndefinedError, match="not a linear map"):
        a.export(tmp_path / "m.onnx")
    with pytest.raises(lb.UndefinedError, match="no sample"):
        a.check_drift(rolls.datasets[0])


def test_drift_is_seen_and_lengths_are_said(bridged):
    old, _, b = bridged
    rng = np.random.default_rng(1)
    assert not b.check_drift(old[1::2], "old")
    moved = b.check_drift(old[:80] + rng.standard_normal(24).astype(np.float32) * 0.15, "old")
    assert moved and moved["p_value"] <= 0.01 and str(moved).startswith("yes")
    longer = b.check_drift(7 * old[1::2], "old")
    assert not longer and "another length" in str(longer)
    # A bridge scales its rows itself.
    assert np.allclose(b.transform(7 * old[:5], "old"), b.transform(old[:5], "old"), rtol=1e-5)
    with pytest.raises(lb.DataError, match="8|rows"):
        b.check_drift(old[:3], "old")


def test_matches_of_new_rows_are_those_of_all_rows():
    # Above 2^20 numbers the model keeps its rows laid out for the next search.
    rng = np.random.default_rng(2)
    X = rng.standard_normal((18_000, 60)).astype(np.float32)
    Y = X @ rng.standard_normal((60, 64)).astype(np.float32) + 0.1 * rng.standard_normal((18_000, 64)).astype(np.float32)
    a = lb.CCA(60, ridge=0.1).fit([X, Y], np.column_stack([np.arange(2000)] * 2))
    for m in (1, 200):
        queries = X[:m] + 0.3 * X[-m:]
        z = a.transform(queries, 0)
        for metric in ("cosine", "euclidean"):
            exact = lb.match_rows(z, a.embeddings_[1], k=7, metric=metric)
            for _ in range(2):
                found = a.match(queries, k=7, metric=metric)
                assert np.array_equal(found[0], exact[0]) and np.array_equal(found[1], exact[1])
        alone = a.match(queries[:1], k=7, how="csls")
        assert np.array_equal(alone[0], a.match(queries, k=7, how="csls")[0][:1])


@pytest.mark.parametrize("kind", ["usearch", "faiss"])
def test_an_index_of_another_library_finds_most_of_the_exact_matches(bridged, capsys, kind):
    pytest.importorskip(kind, reason=f"{kind} is not installed")
    old, _, b = bridged
    for metric in (None, "euclidean"):
        index = b.index(kind, source="old", target="new", metric=metric)
        assert "recall@10" in capsys.readouterr().err and f"{kind} index of 300 rows" in str(index)
        exact = b.match(old[:50], source="old", target="new", k=5, metric=metric)
        found = index.search(old[:50], k=5)
        assert index.recall_ > 0.9 and (found[0] == exact[0]).mean() > 0.9
        same = found[0] == exact[0]
        assert np.allclose(found[1][same], exact[1][same], atol=1e-4)
    with pytest.raises(lb.ParameterError, match="k is 301"):
        index.search(old[:1], k=301)
    small = b.index(kind, source="old", target="new", verbose=0, k=3)
    assert capsys.readouterr().err == "" and small.k_ == 3


def test_an_index_that_cannot_be_made_is_said(bridged, monkeypatch, tmp_path):
    _, _, b = bridged
    with pytest.raises(lb.ParameterError, match='"usearch" or "faiss"'):
        b.index("annoy")
    with pytest.raises(lb.ParameterError, match="metric is 'l1'"):
        b.index("faiss", metric="l1")
    monkeypatch.setitem(__import__("sys").modules, "faiss", None)
    with pytest.raises(lb.LandbridgeError, match="pip install faiss-cpu"):
        b.index("faiss")
    b.save(tmp_path / "maps.lb", rows=False)
    with pytest.raises(lb.UndefinedError, match="without its fitted rows"):
        lb.load(tmp_path / "maps.lb").index("faiss")


def test_vectors_come_from_files_of_all_kinds(tmp_path):
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    import json

    import pyarrow.parquet

    old, new = stores(150, 120)
    ids = [f"d{i}" for i in range(150)]
    lines = [json.dumps({"id": i, "vector": row.tolist()}) for i, row in zip(ids, old, strict=True)]
    (tmp_path / "old.jsonl").write_text("\n".join(lines))
    (tmp_path / "lists.jsonl").write_text("\n".join(json.dumps(row.tolist()) for row in old))
    pyarrow.parquet.write_table(
        pa.table({"id": ids, "text": ids, "vector": pa.array(list(old), type=pa.list_(pa.float32()))}), tmp_path / "list.parquet"
    )
    fixed = pa.FixedSizeListArray.from_arrays(pa.array(old.ravel()), 24)
    pyarrow.parquet.write_table(pa.table({"id": ids, "vector": fixed}), tmp_path / "fixed.parquet")
    np.save(tmp_path / "half.npy", old.astype(np.float16))
    for name, options in [("old.jsonl", {}), ("lists.jsonl", {}), ("list.parquet", {"columns": ["vector"]}), ("fixed.parquet", {}), ("half.npy", {})]:
        read = lb.read(tmp_path / name, **options)
        b = lb.bridge(read, new, "100-first", curve=False)
        assert b.trusted_, name
        assert np.allclose(b.transform(old[:5], "old"), b.embeddings_[0][:5], atol=2e-3 if name == "half.npy" else 1e-5)
        assert b.row_ids_[0] == (None if name in ("lists.jsonl", "half.npy") else ids), name
    with pytest.raises(lb.DataError, match="float16 holds up to 65504"), np.errstate(over="ignore"):
        lb.bridge(np.where(old == old[3, 4], 1e6, old).astype(np.float16), new, "100-first")
