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


@pytest.mark.filterwarnings("ignore:.*scaled to length 1 before the fit")
@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_a_large_map_gives_each_row_the_same_alone_and_among_others(kind):
    # Above 2^18 numbers, rows in single precision meet the map in single precision.
    rng = np.random.default_rng(5)
    X, Y = (rng.normal(size=(900, p)) for p in (530, 600))
    Y[:, :530] += X
    a = lb.CCA(520, ridge=0.3, prepare="unit_center").fit([X, Y], np.column_stack([np.arange(900)] * 2))
    rows = rng.normal(size=(150, 530)).astype(kind)
    for of in (lambda x: a.transform(x, 0), lambda x: a.map(x, 0, 1), lambda x: a.predict(x, 0, 1)):
        wanted = of(rows)
        for _ in range(2):  # the first call computes what the others use
            assert np.array_equal(np.concatenate([of(row[None]) for row in rows[:30]]), wanted[:30])
        exact = of(rows.astype("float64"))
        assert np.abs(wanted - exact).max() <= (5e-7 if kind == "float32" else 0) * np.abs(exact).max()
    # One matrix between the features is the three factors.
    F, G = (a._model.feature_map(d) for d in (0, 1))
    x = rows.astype("float64") / np.linalg.norm(rows.astype("float64"), axis=1, keepdims=True)
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    mapped = (x - unit.mean(axis=0)) @ F @ np.linalg.pinv(G)
    assert np.allclose(a.map(rows.astype("float64"), 0, 1), mapped, rtol=1e-6, atol=1e-9 * np.abs(mapped).max())


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
