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
