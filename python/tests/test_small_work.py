"""Small work in the binding: borrowed arrays, the same answers and errors as the long way, and forked children."""

from __future__ import annotations

import os
import signal
import time

import numpy as np
import pytest

import landbridge as lb


@pytest.fixture(scope="module")
def fitted():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(200, 30))
    Y = X[:, :20] - 0.5 * X[:, 10:]
    return lb.CCA(8).fit([X, Y], np.column_stack([np.arange(200)] * 2))


@pytest.mark.parametrize("kind", ["float64", "float32"])
@pytest.mark.parametrize("n", [1, 5, 100, 5000])
def test_an_array_is_transformed_as_a_dataset_is(fitted, kind, n):
    rows = np.random.default_rng(n).normal(size=(n, 30)).astype(kind)
    wanted = fitted.transform(rows, 0)
    model = fitted._model
    assert np.array_equal(model.transform_array(rows, 0, 1, False), wanted)
    assert np.array_equal(model.transform_array(rows, 0, 2, False), wanted)
    assert np.array_equal(model.transform_array(np.asfortranarray(rows), 0, 1, False), wanted)
    assert np.array_equal(model.transform_array(np.repeat(rows, 2, axis=0)[::2], 0, 1, False), wanted)
    one_by_one = [model.transform_array(row[None], 0, 1, False) for row in rows[:200]]
    assert np.array_equal(np.concatenate(one_by_one), wanted[:200])


def test_an_array_meets_the_errors_of_a_dataset(fitted):
    bad = np.zeros((3, 30))
    bad[2, 7] = np.nan
    both = np.full((1, 4), np.inf)
    for rows in (bad, np.zeros((2, 29)), both, np.zeros((0, 30)), bad.astype("float32"), np.zeros((5000, 29))):
        with pytest.raises(lb.LandbridgeError) as long:
            fitted.transform(rows, 0)
        with pytest.raises(lb.LandbridgeError) as short:
            fitted._model.transform_array(rows, 0, 1, False)
        assert (type(short.value), str(short.value)) == (type(long.value), str(long.value))
    with pytest.raises(lb.LandbridgeError):
        fitted._model.transform_array(np.zeros((1, 30)), 9, 1, False)
    with pytest.raises(TypeError):
        fitted._model.transform_array(np.zeros((1, 30), dtype=int), 0, 1, False)


def test_a_mapping_without_a_map_takes_arrays_too(rolls, pairs):
    fitted = lb.InstanceAlignment(2).fit(rolls.datasets, pairs)
    rows = np.asarray(rolls.datasets[0][:3]) + 0.01
    assert np.array_equal(fitted._model.transform_array(rows, 0, 1, False), fitted.transform(rows, 0))


def _finishes(work) -> None:
    child = os.fork()
    if child == 0:
        try:
            work()
            os._exit(0)
        finally:
            os._exit(1)
    end = time.time() + 60
    while time.time() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert status == 0
            return
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    raise AssertionError("the child hangs")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
def test_forked_children_have_pools_of_their_own(rolls, pairs):
    """Pools outlive a call; their threads do not outlive a fork. Children fit, and so do theirs, with any number of threads."""
    wanted = {n: lb.InstanceAlignment(2, n_jobs=n).fit(rolls.datasets, pairs).embeddings_[0] for n in (1, 2, 3)}

    def fit():
        for n, embedding in wanted.items():
            assert np.array_equal(lb.InstanceAlignment(2, n_jobs=n).fit(rolls.datasets, pairs).embeddings_[0], embedding)

    def fit_and_fork():
        fit()
        _finishes(fit)
        fit()

    _finishes(fit_and_fork)
    fit()
