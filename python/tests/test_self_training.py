"""Few pairs or none, through the Python package."""

import numpy as np
import pytest

import landbridge as lb


@pytest.fixture(scope="module")
def views():
    """Two noisy views of one skewed cloud, the second in another order."""
    rng = np.random.default_rng(3)
    cloud = rng.exponential(size=(300, 30)) / np.arange(1, 31) ** 0.7
    order = rng.permutation(300)
    X = cloud @ rng.standard_normal((30, 500)) + 0.05 * rng.standard_normal((300, 500))
    Y = (cloud @ rng.standard_normal((30, 400)) + 0.05 * rng.standard_normal((300, 400)))[order]
    return X, Y, np.argsort(order)


@pytest.mark.parametrize("base", [None, lb.LinearAlignment(20), lb.CCA(10)], ids=["default", "linear", "cca"])
def test_five_pairs_are_enough(views, base, tmp_path):
    X, Y, truth = views
    pairs = np.column_stack([np.arange(5), truth[:5]])
    a = lb.SelfTraining(base, max_runs=3).fit({"x": X, "y": Y}, pairs)
    assert lb.metrics.recall_at_k(*a.embeddings_, k=1, truth=truth, metric="cosine") > 0.9
    outcome = a.outcome_
    assert outcome.trusted and outcome.reproducibility > outcome.null + 0.2
    assert outcome.verdict.startswith("trusted") and "verdict" in repr(outcome)
    assert outcome.suspect_pairs == [] and not outcome.pairs_wrong
    assert outcome.history[0]["start"] == "both" and outcome.matches > 200
    a.save(tmp_path / "m.lb")
    b = lb.load(tmp_path / "m.lb")
    assert type(b) is lb.SelfTraining and type(b.base) is type(base)
    assert (b.transform(X[:3], "x") == a.transform(X[:3], "x")).all()
    assert b.outcome_.verdict == outcome.verdict


def test_noise_is_not_trusted(views):
    X, _, _ = views
    noise = np.random.default_rng(5).standard_normal((280, 40))
    with pytest.warns(lb.AlignmentWarning, match="280 rows are mostly noise"):
        a = lb.SelfTraining(max_runs=2).fit([X, noise])
    assert a.outcome_.trusted is False and "do not trust" in a.outcome_.verdict


def test_bad_parameters_are_named(views):
    X, Y, _ = views
    with pytest.raises(lb.ParameterError, match="base is 3"):
        lb.SelfTraining(3).fit([X, Y])
    with pytest.raises(lb.ParameterError, match="steps is 0"):
        lb.SelfTraining(steps=0).fit([X, Y])
    with pytest.raises(lb.ParameterError, match="good is 2"):
        lb.SelfTraining(good=2.0).fit([X, Y])
    with pytest.raises(lb.DataError, match="at least 12"):
        lb.SelfTraining().fit([X[:5], Y])


def test_matches_are_corrected_for_hubs_where_held_out_matches_prefer_it(tmp_path):
    """The default of `match` follows `outcome_.csls`, in every door and after loading."""
    rng = np.random.default_rng(8)
    cloud = rng.exponential(size=(500, 40)) / np.arange(1, 41) ** 0.4
    noise = lambda p: 2.5 * rng.standard_normal((500, p))
    X, Y = (cloud @ rng.standard_normal((40, p)) + noise(p) for p in (300, 280))
    a = lb.SelfTraining().fit([X, Y], np.column_stack([np.arange(20)] * 2))
    assert a.outcome_.trusted and a.outcome_.csls
    assert 0 <= a.outcome_.expected_recall.low <= a.outcome_.expected_recall.value <= a.outcome_.expected_recall.high <= 1
    index, distance = a.match(k=2)
    for said in (a.match(k=2, how="csls"), lb.load(_saved(a, tmp_path)).match(k=2)):
        assert (index == said[0]).all() and (distance == said[1]).all()
    new = a.match(X[:7], k=2)[0]
    assert (new == a.match(X[:7], k=2, how="csls")[0]).all()
    assert (np.concatenate([i for i, _ in a.match_batches(X[:7], k=2, size=3)]) == new).all()
    table = a.matches(confidence=False)
    assert (np.asarray(table["score"]) == a.match()[1][:, 0]).all()
    # A metric that the correction is not made for is kept, and a word is obeyed.
    assert (a.match(metric="euclidean")[1] >= 0).all() and (a.match(how="nearest")[1] >= 0).all()
    # Without held-out matches nothing changes.
    plain = lb.CCA(10).fit([X, Y], np.column_stack([np.arange(200)] * 2))
    assert plain.outcome_.csls is None and (plain.match()[0] == plain.match(how="nearest")[0]).all()


def _saved(a, folder):
    a.save(folder / "m.lb")
    return folder / "m.lb"
