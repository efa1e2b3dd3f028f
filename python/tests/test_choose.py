"""Choosing, comparing and tuning methods."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

import landbridge as lb


@pytest.fixture(scope="module")
def copies():
    return lb.datasets.lifted_copies(200, noise=0.1)


@pytest.fixture(scope="module")
def shuffled(copies):
    pairs = copies.pairs(40)
    pairs[:, 1] = np.random.default_rng(0).permutation(pairs[:, 1])
    return pairs


def test_align_fits_what_its_table_says(copies):
    pairs = copies.pairs(40)
    a = lb.align(copies.datasets, pairs)
    best = a.selection_[0]
    assert a.selection_.trusted and best["low"] <= best["score"] <= best["high"] and 1 <= len(a.selection_) <= 4
    assert {"method", "score", "low", "high", "seconds", "reason", "verdict"} <= best.keys()
    # The printed call repeats the winner.
    again = eval(a.selection_.python, {"lb": lb, "datasets": copies.datasets, "pairs": pairs})
    assert type(again) is type(a) and (again.embeddings_[0] == a.embeddings_[0]).all()
    assert a.transform(copies.datasets[1][:3], 1).shape[0] == 3
    assert json.loads(a.selection_.to_json())["table"][0]["method"] == best["method"]
    assert "chosen" in str(a.selection_) and "candidate" in a.selection_.explanation


def test_the_selection_is_in_the_model_file(copies, tmp_path):
    a = lb.align(copies.datasets, copies.pairs(40))
    a.save(tmp_path / "m.lb")
    b = lb.load(tmp_path / "m.lb")
    assert b.selection_.verdict == a.selection_.verdict and b.selection_[0]["score"] == a.selection_[0]["score"]
    assert pickle.loads(pickle.dumps(a)).selection_.python == a.selection_.python
    lb.align(copies.datasets, copies.pairs(40), n_jobs=1).save(tmp_path / "one.lb")
    assert (tmp_path / "m.lb").read_bytes() == (tmp_path / "one.lb").read_bytes()


def test_shuffled_pairs_are_not_trusted(copies, shuffled):
    # The winner is self-training, which finds that the pairs contradict the data.
    with pytest.warns(lb.AlignmentWarning, match="contradict"), pytest.warns(lb.AlignmentWarning, match="do not trust"):
        a = lb.align(copies.datasets, shuffled)
    assert a.selection_.trusted is False
    t = lb.compare([lb.CCA(4), lb.LinearAlignment(4)], copies.datasets, shuffled)
    assert all(row["trusted"] is not True and row["recall_at_1"] < 0.15 for row in t.table)


def test_explain_prints_the_reasons(copies, capsys):
    lb.align(copies.datasets, copies.pairs(30), explain=True, verbose=1)
    out, err = capsys.readouterr()
    assert "intrinsic dimension" in out and "chosen" in out and "again:" in err


def test_compare_gives_a_table(copies, tmp_path):
    pairs = copies.pairs(40)
    methods = {"plain": lb.CCA(4), "graph": (lb.LinearAlignment(4), {"mu": [1.0, 100.0]}), "bad": lb.InstanceAlignment(3, n_neighbors=500)}
    t = lb.compare(methods, copies.datasets, pairs, folds=4, random_state=1)
    assert [row["method"] for row in t.table] == ["plain", "graph (mu=1.0)", "graph (mu=100.0)", "bad"]
    assert t.table[3]["score"] is None and "n_neighbors" in t.table[3]["error"]
    assert t.best["score"] is not None and t.best.fit(copies.datasets, pairs).outcome_.status == "converged"
    assert t.plot(tmp_path / "r.svg").startswith("<svg") and (tmp_path / "r.svg").read_text() == t.plot()
    assert t.to_csv().count("\n") == 5 and json.loads(t.to_json())["folds"] == 4
    assert "plain" in str(t) and "failed" in str(t)
    # The same folds, one method at a time: the same figures.
    alone = lb.compare([lb.LinearAlignment(4, mu=1.0)], copies.datasets, pairs, folds=4, random_state=1)
    assert alone.table[0]["recall_at_1"] == t.table[1]["recall_at_1"] and alone.table[0]["foscttm"] == t.table[1]["foscttm"]
    # The winner is told less the optimism of choosing it.
    alone = lb.compare([lb.CCA(4)], copies.datasets, pairs, folds=4, random_state=1)
    assert 0 <= alone.table[0]["recall_at_1"] - t.best["recall_at_1"] < 0.05 and t.best["method"] == "plain"
    assert lb.trust(lb.CCA(4), copies.datasets, pairs, folds=4, random_state=1).foscttm == pytest.approx(alone.table[0]["foscttm"])


def test_compare_resumes(copies, tmp_path):
    call = lambda: lb.compare([lb.CCA(4), lb.CCA(2)], copies.datasets, copies.pairs(40), resume=tmp_path / "j")  # noqa: E731
    first = call()
    size = (tmp_path / "j").stat().st_size
    again = call()
    assert (tmp_path / "j").stat().st_size == size
    drop = lambda table: [{k: v for k, v in row.items() if k != "seconds"} for row in table]  # noqa: E731
    assert drop(again.table) == drop(first.table)
    (tmp_path / "data.csv").write_text("a,b\n")
    with pytest.raises(lb.LandbridgeError, match="journal"):
        lb.compare([lb.CCA(4)], copies.datasets, copies.pairs(40), resume=tmp_path / "data.csv")


def test_groups_are_held_out_together(copies):
    pairs = copies.pairs(40)
    labels = [np.arange(200) // 20, np.full(200, -1)]
    labels[1][pairs[:, 1]] = labels[0][pairs[:, 0]]
    t = lb.compare([lb.CCA(4)], copies.datasets, pairs, groups=labels)
    assert t.pairs == len(set(labels[0][pairs[:, 0]]))
    with pytest.raises(lb.ParameterError, match="groups"):
        lb.compare([lb.CCA(4)], copies.datasets, pairs, groups=[[0]])


def test_tune_finds_a_better_dimension(copies):
    pairs = copies.pairs(40)
    b = lb.tune(lb.CCA(1), copies.datasets, pairs, n_trials=8)
    assert b.best_params_["n_components"] > 1 and b.gain_interval_[0] > 0
    assert len(b.cv_results_["params"]) == 8 and sorted(b.cv_results_["rank_test_score"]) == list(range(1, 9))
    assert b.best_estimator_.n_components == b.best_params_["n_components"]
    # What an alignment does, the tuned one does.
    assert b.match(k=2)[0].shape == (200, 2) and len(b.embeddings_) == 2
    again = lb.tune(lb.CCA(1), copies.datasets, pairs, n_trials=8, n_jobs=1)
    assert again.best_params_ == b.best_params_ and again.best_score_ == b.best_score_


def test_tune_takes_a_space(copies):
    space = {"n_components": (2, 20), "prepare": ["center", "standardize"], "ridge": (0.001, 10.0, "log")}
    b = lb.tune(lb.CCA(1), copies.datasets, copies.pairs(40), space=space, n_trials=6)
    tried = [p.get("n_components") for p in b.cv_results_["params"]]
    assert all(isinstance(d, int) and 1 <= d <= 20 for d in tried)
    with pytest.raises(lb.ParameterError, match="did you mean n_components"):
        lb.tune(lb.CCA(1), copies.datasets, copies.pairs(40), space={"n_component": [1]})
    with pytest.raises(lb.ParameterError, match="log"):
        lb.tune(lb.CCA(1), copies.datasets, copies.pairs(40), space={"ridge": (0, 1, "cubic")})


def test_a_gain_within_noise_is_said():
    noisy = lb.datasets.lifted_copies(200, noise=0.6)
    with pytest.warns(lb.AlignmentWarning, match="within noise"):
        for seed in range(6):
            lb.tune(lb.CCA(10), noisy.datasets, noisy.pairs(30), space={"n_components": [7, 8, 9, 11, 12]}, n_trials=6, random_state=seed)


def test_what_cannot_be_compared_is_refused(copies):
    data = copies.datasets
    with pytest.raises(lb.UndefinedError, match="at least 4"):
        lb.compare([lb.CCA(4)], data, copies.pairs(3))
    with pytest.raises(lb.ParameterError, match="did you mean n_components"):
        lb.compare([(lb.CCA(4), {"n_component": [1, 2]})], data, copies.pairs(20))
    with pytest.raises(lb.ParameterError, match="at least one"):
        lb.compare([], data, copies.pairs(20))
    with pytest.raises(lb.ParameterError, match="twice"):
        lb.compare([lb.CCA(4), lb.CCA(4)], data, copies.pairs(20))
    with pytest.raises(lb.ParameterError, match="must be an alignment"):
        lb.compare(["cca"], data, copies.pairs(20))
    with pytest.raises(lb.ParameterError, match="scoring"):
        lb.compare([lb.CCA(4)], data, copies.pairs(20), scoring="accuracy")
    with pytest.raises(lb.UndefinedError, match="at least 10"):
        lb.tune(lb.CCA(4), data, copies.pairs(8))
    t = lb.compare([lb.CCA(4), lb.InstanceAlignment(3, n_neighbors=500)], data, copies.pairs(20))
    assert t.best["method"].startswith("CCA")
    assert lb.compare([lb.InstanceAlignment(3, n_neighbors=500)], data, copies.pairs(20)).best is None
    with pytest.raises(lb.NotFittedError):
        lb.AlignCV(lb.CCA(2)).match()
