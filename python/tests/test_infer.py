"""Pairs that nobody gave."""

import itertools

import numpy as np
import pytest
import scipy.sparse as sparse

import landbridge as lb

COPIES = lb.datasets.rotated_copies(120, noise=0.001)


def patterns(X, k):
    distances = np.linalg.norm(X[:, None] - X[None], axis=2)
    order = np.argsort(distances, axis=1, kind="stable")[:, : k + 1]
    return [distances[np.ix_(at, at)] for at in order]


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_pattern_distances_are_the_least_over_all_orders_and_both_rescalings(k):
    rng = np.random.default_rng(k)
    X, Y = rng.normal(size=(14, 3)), rng.normal(size=(11, 5))
    found = lb.geometry.pattern_distances(X, Y, n_neighbors=k)
    for i, R1 in enumerate(patterns(X, k)):
        for j, R2 in enumerate(patterns(Y, k)):
            least = np.inf
            for order in itertools.permutations(range(1, k + 1)):
                h = R2[np.ix_((0, *order), (0, *order))]
                k1, k2 = np.sum(R1 * h) / np.sum(R1 * R1), np.sum(h * R1) / np.sum(h * h)
                least = min(least, np.linalg.norm(h - k1 * R1), np.linalg.norm(R1 - k2 * h))
            assert abs(found[i, j] - least) < 1e-12


def test_a_copy_is_found_from_rows_and_from_distances():
    X, Y = COPIES.datasets
    truth = COPIES.counterparts(0, 1)
    pairs = lb.infer_pairs(X, Y)
    assert (pairs[:, 1] == truth[pairs[:, 0]]).mean() > 0.95
    distances = [np.linalg.norm(Z[:, None] - Z[None], axis=2) for Z in (X, Y)]
    given = lb.infer_pairs(*distances, metric="precomputed")
    assert np.array_equal(given, lb.infer_pairs(X, Y, rigid=False))


def test_weights_and_three_datasets():
    three = lb.datasets.rotated_copies(60, n_datasets=3)
    pairs, weights = lb.infer_pairs(*three.datasets, rigid=False, keep=2, return_weights=True)
    assert pairs.shape == (2 * 2 * 60, 3) and weights.shape == (240,)
    assert ((pairs == -1).sum(axis=1) == 1).all() and (weights > 0).all() and (weights <= 1).all()


@pytest.mark.filterwarnings("ignore:.*sit on single rows")
def test_no_pairs_means_inferred_ones_and_a_warning():
    for estimator in (
        lb.InstanceAlignment(n_components=2),
        lb.LinearAlignment(n_components=2),
        lb.ProcrustesAlignment(embedding=None),
    ):
        with pytest.warns(lb.AlignmentWarning, match="inferred from local patterns, and one rigid motion explains them"):
            estimator.fit(COPIES.datasets)
    assert lb.metrics.recall_at_k(*estimator.embeddings_, k=1, truth=COPIES.counterparts(0, 1)) > 0.95
    with pytest.raises(lb.PairsError, match="no pairs were given"):
        lb.InstanceAlignment(n_components=2).fit(COPIES.datasets, [])
    with pytest.raises(lb.PairsError, match="no pairs were given"):
        lb.CCA(n_components=2).fit(COPIES.datasets)


def test_sparse_rows_and_cosine():
    rng = np.random.default_rng(0)
    X = sparse.random_array((50, 40), density=0.2, rng=rng, format="csr")
    Y = sparse.csr_array(X[:, rng.permutation(40)])
    pairs = lb.infer_pairs(X, Y, metric="cosine")
    assert (pairs[:, 0] == pairs[:, 1]).mean() > 0.9


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda X, Y: lb.infer_pairs(X), "at least 2"),
        (lambda X, Y: lb.infer_pairs(X, Y, keep=0), "keep is 0"),
        (lambda X, Y: lb.infer_pairs(X, Y, keep="best"), "keep is 'best'"),
        (lambda X, Y: lb.infer_pairs(X, Y, n_neighbors=7), "n_neighbors is 7"),
        (lambda X, Y: lb.infer_pairs(X, Y[:3]), 'n_neighbors is 4, but dataset "1" has 3 rows'),
        (lambda X, Y: lb.infer_pairs(X, Y, delta=0.0), "delta is 0"),
        (lambda X, Y: lb.infer_pairs(X, Y, rigid="yes"), "rigid is 'yes'"),
        (lambda X, Y: lb.infer_pairs(X, np.hstack([Y, Y]), rigid=True), "rigid is true"),
        (lambda X, Y: lb.infer_pairs(X, np.ones_like(Y)), "coincides with its nearest"),
        (lambda X, Y: lb.infer_pairs(X, Y, metric="precomputed"), "expected 120 x 120"),
    ],
)
def test_bad_input_is_refused_in_words(call, words):
    with pytest.raises(lb.LandbridgeError, match=words):
        call(*COPIES.datasets)
