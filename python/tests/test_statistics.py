"""Statistics of shards: merged, saved, solved, and the same as on the command line and in a fit."""

import pickle
import subprocess

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import landbridge as lb

from test_doors import PROGRAM


@pytest.fixture
def views():
    rng = np.random.default_rng(3)
    latent = rng.normal(size=(200, 3)) * [3, 2, 1]
    x = latent @ rng.normal(size=(3, 6)) + 0.3 * rng.normal(size=(200, 6)) + 5
    y = latent @ rng.normal(size=(3, 6)) + 0.3 * rng.normal(size=(200, 6))
    return x, y


METHODS = [lb.CCA(3), lb.LinearTransform(prepare="standardize"), lb.ProcrustesAlignment(embedding=None)]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: type(m).__name__)
def test_shards_are_solved_as_the_whole_is_fitted(views, method):
    x, y = views
    cuts = [0, 1, 60, 61, 150, 200]
    shards = [lb.Statistics.of([x[a:b], y[a:b]]) for a, b in zip(cuts, cuts[1:])]
    solved = shards[3].merge(shards[0], shards[4]).merge(shards[2].merge(shards[1])).solve(method)
    whole = lb.Statistics.of(views).solve(method)
    assert solved._model.to_bytes() == whole._model.to_bytes()
    fitted = type(method)(**method.get_params()).fit(views, np.column_stack([np.arange(200)] * 2))
    for dataset, rows in enumerate(views):
        np.testing.assert_allclose(solved.transform(rows, dataset), fitted.transform(rows, dataset), rtol=0, atol=1e-9)


def test_linear_maps_with_landmarks(views):
    x, y = views
    landmarks = {"a": x[::7], "b": y[::7]}
    cut = len(x) // 3
    parts = [lb.Statistics.of({"a": x[s], "b": y[s]}, landmarks=landmarks, n_landmarks=20) for s in (slice(cut), slice(cut, None))]
    whole = lb.Statistics.of({"a": x, "b": y}, landmarks=landmarks, n_landmarks=20)
    a, b = (s.solve(lb.LinearAlignment(2)) for s in (parts[0].merge(parts[1]), whole))
    assert a._model.to_bytes() == b._model.to_bytes() and whole.n_landmarks == (20, 20)
    assert lb.Statistics.from_bytes(whole.to_bytes()).to_bytes() == whole.to_bytes()
    plain = lb.Statistics.of({"a": x, "b": y})
    assert plain.n_landmarks is None
    with pytest.raises(lb.UndefinedError, match="without landmarks"):
        plain.solve(lb.LinearAlignment(2))
    with pytest.raises(lb.ParameterError, match="landmarks is 1"):
        lb.Statistics.of({"a": x, "b": y}, landmarks=[x])
    with pytest.raises(lb.ParameterError, match="n_landmarks"):
        lb.Statistics.of({"a": x, "b": y}, landmarks=landmarks, n_landmarks=1)


def test_files_pickles_and_facts(views, tmp_path):
    pairs = [[i, i] for i in range(0, 200, 2)]
    s = lb.Statistics.of({"en": views[0], "it": views[1]}, pairs, name="monday")
    s.save(tmp_path / "s.stats")
    back = lb.Statistics.load(tmp_path / "s.stats")
    assert back.to_bytes() == s.to_bytes() == pickle.loads(pickle.dumps(s)).to_bytes()
    assert (s.n_pairs, s.n_rows, s.names) == (100, (200, 200), ["en", "it"])
    assert s.shards[0].name == "monday" and s.shards[0].pairs == 100
    assert repr(s) == 'Statistics(100 pairs of "en" and "it", 1 shard)'
    with pytest.raises(lb.DataError, match="would count twice"):
        s.merge(back)
    with pytest.raises(lb.ModelError, match="not landbridge statistics"):
        (tmp_path / "t.stats").write_bytes(b"no")
        lb.Statistics.load(tmp_path / "t.stats")
    with pytest.raises(lb.UndefinedError, match="needs the rows"):
        s.solve(lb.InstanceAlignment(2))
    with pytest.raises(lb.PairsError, match="one by one"):
        lb.Statistics.of([views[0], views[1][:5]])
    with pytest.raises(lb.ParameterError):
        lb.Statistics("s.stats")
    s.solve(lb.CCA(2)).save(tmp_path / "m.lb")
    with pytest.raises(lb.ModelError, match="it is a model"):
        lb.Statistics.load(tmp_path / "m.lb")
    with pytest.raises(lb.ModelError, match="it holds statistics; solve a model"):
        lb.load(tmp_path / "s.stats")


def test_lists_merge_and_other_things_do_not(views):
    x, y = views
    parts = [lb.Statistics.of([x[a : a + 50], y[a : a + 50]]) for a in range(0, 200, 50)]
    whole = parts[0].merge(*parts[1:]).to_bytes()
    assert parts[0].merge(parts[1:]).to_bytes() == whole
    assert lb.Statistics.merge(parts).to_bytes() == whole
    assert lb.Statistics.merge(parts[0]).to_bytes() == parts[0].to_bytes()
    for wrong in ("s.stats", 3, [parts[1], "s.stats"]):
        with pytest.raises(lb.ParameterError, match="it takes Statistics, or a list of them"):
            parts[0].merge(wrong)
    with pytest.raises(lb.ParameterError, match="no statistics to merge"):
        lb.Statistics.merge([])


def test_counts_are_said_to_be_centred_only():
    rng = np.random.default_rng(0)
    counts = [rng.poisson(3, size=(80, 5)).astype(float) for _ in range(2)]
    with pytest.warns(lb.AlignmentWarning, match="the model may differ from that of a fit"):
        lb.Statistics.of(counts).solve(lb.CCA(1))


def test_every_kind_of_rows_and_ids(views):
    x, y = views
    single = lb.Statistics.of([x.astype(np.float32), sparse.csr_array(y)])
    double = lb.Statistics.of([x.astype(np.float32).astype(float), y])
    assert single.to_bytes() == double.to_bytes()
    names = [f"r{i}" for i in range(200)]
    frames = [pd.DataFrame(x, index=names), pd.DataFrame(y[::-1], index=names[::-1])]
    by_id = lb.Statistics.of(frames)
    assert by_id.n_pairs == 200
    np.testing.assert_array_equal(by_id.solve(lb.CCA(2)).eigenvalues_, lb.Statistics.of([x, y]).solve(lb.CCA(2)).eigenvalues_)
    turned = [pd.DataFrame(x[:50], columns=list("abcdef")), pd.DataFrame(y[:50])]
    other = [pd.DataFrame(x[50:, ::-1], columns=list("fedcba")), pd.DataFrame(y[50:])]
    with pytest.warns(lb.AlignmentWarning, match="order that most shards have"):
        lb.Statistics.of(turned).merge(lb.Statistics.of(other))


@pytest.mark.skipif(PROGRAM is None, reason="the command line is not built")
def test_the_command_line_writes_the_same(views, tmp_path):
    np.save(tmp_path / "a.npy", views[0])
    np.save(tmp_path / "b.npy", views[1])
    call = [PROGRAM, "stats", "a.npy", "b.npy", "-o", "these.stats", "--quiet"]
    subprocess.run(call, cwd=tmp_path, check=True)
    own = lb.Statistics.of({"a": views[0], "b": views[1]}, name="these.stats")
    assert lb.Statistics.load(tmp_path / "these.stats").to_bytes() == own.to_bytes()
