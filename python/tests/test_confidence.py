"""The chance of every match."""

from __future__ import annotations


import pickle

import numpy as np
import pytest

import landbridge as lb


@pytest.fixture(scope="module")
def fitted():
    """Self-training on two noisy views of one cloud; 300 of 400 rows are in both."""
    rng = np.random.default_rng(0)
    n, both = 400, 300
    cloud = rng.exponential(size=(2 * n - both, 30)) / np.arange(1, 31) ** 0.7
    order = rng.permutation(n)
    X = cloud[:n] @ rng.standard_normal((30, 80))
    Y = (cloud[n - both :] @ rng.standard_normal((30, 60)))[order]
    truth = np.full(n, -1)
    truth[n - both :] = np.argsort(order)[:both]
    known = np.arange(n - 20, n)
    a = lb.SelfTraining(max_runs=3).fit([X, Y], np.column_stack([known, truth[known]]))
    assert a.outcome_.trusted
    return a, truth, known


def test_chances_tell_right_from_wrong(fitted):
    a, truth, known = fitted
    c = a.match_confidence()
    rest = np.setdiff1d(np.arange(len(truth)), known)
    sure = rest[c.confidence[rest] >= 0.9]
    assert len(sure) > 100 and np.mean(c.targets[sure] == truth[sure]) > 0.95
    assert (c.confidence[known] == 1).all() and (c.targets[known] == truth[known]).all()
    assert c.basis == "decoys" and c.reason is None and "rows have a partner" in c.summary
    share, low, high = c.shared
    assert low <= share <= high and share == pytest.approx(c.expected_right / len(truth))
    assert np.array_equal(pickle.loads(pickle.dumps(a)).match_confidence().confidence, c.confidence)


def test_min_confidence_leaves_doubtful_rows_without_a_match(fitted):
    a, _, _ = fitted
    index, distance = a.match(k=2, how="csls")
    sure, far = a.match(k=2, how="csls", min_confidence=0.9)
    chance = a.matches(how="csls")["confidence"].to_numpy()
    kept = chance >= 0.9
    assert 0 < kept.sum() < len(kept)
    assert (sure[kept] == index[kept]).all() and (far[kept] == distance[kept]).all()
    assert (sure[~kept] == -1).all() and np.isinf(far[~kept]).all()


def test_the_table_has_the_chances(fitted):
    a, _, _ = fitted
    table = a.matches(k=2, how="csls")
    assert list(table.columns) == ["source", "target", "rank", "score", "confidence", "mutual"]
    first = table["rank"] == 1
    assert table["confidence"][first].between(0, 1).all() and table["confidence"][~first].isna().all()
    assert "confidence" not in a.matches(confidence=False).columns


def test_where_there_is_no_verdict_or_no_map_it_is_said(fitted, tmp_path):
    rolls = lb.datasets.swiss_rolls(100)
    a = lb.CCA(2).fit(rolls.datasets, rolls.pairs(20))
    with pytest.raises(lb.UndefinedError, match="no verdict"):
        a.match_confidence()
    with pytest.raises(lb.UndefinedError, match="no verdict"):
        a.match(min_confidence=0.5)
    with pytest.raises(lb.UndefinedError, match="no verdict"):
        a.matches(confidence=True)
    assert "confidence" not in a.matches().columns
    places = lb.InstanceAlignment(2).fit(rolls.datasets, rolls.pairs(20))
    with pytest.raises(lb.UndefinedError, match="no maps"):
        places.match_confidence()
    good, _, _ = fitted
    with pytest.raises(lb.ParameterError, match="min_confidence"):
        good.match(min_confidence=1.5)
    with pytest.raises(lb.ParameterError, match="fitted rows"):
        good.match(np.zeros((3, 80)), min_confidence=0.5)
    good.save(tmp_path / "m.lb", rows=False)
    with pytest.raises(lb.UndefinedError, match="without its fitted rows"):
        lb.load(tmp_path / "m.lb").match_confidence()


def test_labels_that_the_source_lacks_are_unknown():
    rng = np.random.default_rng(1)
    types = np.repeat(["a", "b", "c", "d"], 100)
    # Of small types every row needs company, so each has its own place in six dimensions.
    centres = 3 * rng.standard_normal((4, 6))
    latent = centres[np.repeat(np.arange(4), 100)] + 0.4 * rng.standard_normal((400, 6))
    X, Y = (latent @ rng.standard_normal((6, p)) + 0.05 * rng.standard_normal((400, p)) for p in (9, 8))
    kept = np.flatnonzero(types != "d")
    known = rng.permutation(len(kept))[:100]
    a = lb.CCA(6).fit([X[kept], Y], np.column_stack([known, kept[known]]))
    plain, _ = a.transfer_labels(types[kept])
    found, chance = a.transfer_labels(types[kept], min_support=1 / 3)
    assert (found[types == "d"] == "unknown").mean() > 0.8
    assert (found[types != "d"] == types[types != "d"]).mean() > 0.85 and (plain != "unknown").all()
    assert ((chance >= 0) & (chance <= 1)).all()
    with pytest.raises(lb.ParameterError, match="min_support"):
        a.transfer_labels(types[kept], min_support=-1)
