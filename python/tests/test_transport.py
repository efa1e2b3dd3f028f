"""Pairs by optimal transport, and what held-out pairs say."""

import numpy as np
import pytest

import landbridge as lb

pytestmark = pytest.mark.filterwarnings("ignore:do not trust yet")


def spiral(n, seed, features=3):
    """A spiral that grows: nothing about it is symmetric. Returns rows and places on it."""
    rng = np.random.default_rng(seed)
    t = rng.permutation(n) / n
    X = np.column_stack([np.cos(6 * t) * (0.5 + t), np.sin(6 * t) * (0.5 + t), 2 * t**2])
    return X @ np.linalg.qr(rng.normal(size=(features, features)))[0][:3], t


def far(pairs, s, t):
    return np.abs(s[pairs[:, 0]] - t[pairs[:, 1]]).mean()


def test_rows_find_their_place_without_a_pair_by_rows_distances_and_landmarks():
    (X, s), (Y, t) = spiral(120, 0), spiral(100, 1)
    for more in ({}, {"landmarks": 60}, {"epsilon": 0.01, "n_neighbors": 8}):
        assert far(lb.infer_pairs(X, Y, how="transport", keep=1, **more), s, t) < 0.06, more
    distances = [np.linalg.norm(Z[:, None] - Z, axis=2) for Z in (X, Y)]
    distances = [(D + D.T) / 2 for D in distances]
    assert far(lb.infer_pairs(*distances, how="transport", keep="mutual", metric="precomputed"), s, t) < 0.06


def test_every_result_says_that_nothing_confirms_it():
    (X, _), (Y, _) = spiral(120, 0), spiral(100, 1)
    with pytest.warns(lb.AlignmentWarning, match="do not trust yet"):
        lb.infer_pairs(X, Y, how="transport")
    unrelated = np.random.default_rng(0).normal(size=(100, 3))
    with pytest.warns(lb.AlignmentWarning, match="do not trust"):
        lb.infer_pairs(X, unrelated, how="transport")


def test_weighted_pairs_go_into_methods_and_three_datasets_are_paired_with_the_first():
    (X, _), (Y, _), (W, _) = spiral(80, 0), spiral(80, 1, 9), spiral(70, 2, 12)
    pairs, weights = lb.infer_pairs(X, Y, W, how="transport", keep=3, return_weights=True)
    assert pairs.shape == (80 * 3 * 2, 3) and ((pairs[:, 1:] >= 0).sum(axis=1) == 1).all()
    assert weights.min() > 0 and weights.max() == 1
    assert len(lb.InstanceAlignment(2).fit([X, Y, W], pairs).embeddings_) == 3
    mutual = lb.infer_pairs(X, Y, how="transport", keep="mutual")
    assert len(np.unique(mutual[:, 0])) == len(mutual) == len(np.unique(mutual[:, 1]))
    assert lb.SelfTraining(max_runs=1).fit([X, Y], mutual).outcome_.matches > 0


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"how": "luck"}, "how is 'luck'"),
        ({"how": "transport", "epsilon": 0.0}, "epsilon is 0"),
        ({"how": "transport", "landmarks": 1}, "landmarks is 1"),
        ({"how": "transport", "rho": 0.0}, "rho is 0"),
        ({"rho": 1.0}, "rho is 1.0; it has no meaning"),
        ({"links": "names"}, "links is 'names'; it has no meaning"),
        ({"how": "transport", "links": [(0, 0)]}, "at least 2 links"),
        ({"how": "transport", "n_neighbors": 40}, "n_neighbors is 40, but dataset"),
        ({"how": "transport", "delta": 1.0}, "delta is 1.0"),
        ({"epsilon": 0.1}, "epsilon is 0.1"),
        ({"how": "transport", "metric": "far"}, "metric is 'far'"),
    ],
)
def test_bad_parameters_are_refused_in_words(params, words):
    with pytest.raises(lb.LandbridgeError, match=words):
        lb.infer_pairs(spiral(60, 0)[0], spiral(40, 1)[0], **params)


def test_rows_that_are_all_the_same_are_refused():
    with pytest.raises(lb.PairsError, match="all distances between its rows are equal"):
        lb.infer_pairs(spiral(60, 0)[0], np.ones((30, 4)), how="transport")


def test_held_out_pairs_trust_right_ones_and_no_others():
    copies = lb.datasets.lifted_copies(200, random_state=3)
    pairs = copies.pairs(40)
    for method in (lb.CCA(4), lb.LinearAlignment(4), lb.InstanceAlignment(4)):
        good = lb.trust(method, copies.datasets, pairs)
        assert good.trusted is True and good.interval[0] <= good.foscttm <= good.interval[1], str(good)
        mixed = pairs.copy()
        mixed[:, 1] = np.random.default_rng(1).permutation(mixed[:, 1])
        assert lb.trust(method, copies.datasets, mixed).trusted is not True
    few = lb.trust(lb.CCA(2), copies.datasets, pairs[:8])
    assert few.trusted is None and "too few" in str(few)
    with pytest.raises(lb.ParameterError, match="folds is 1"):
        lb.trust(lb.CCA(2), copies.datasets, pairs, folds=1)
    with pytest.raises(lb.ParameterError, match="alignment is 3"):
        lb.trust(3, copies.datasets, pairs)
