"""Threads, Ctrl-C, the GIL, panics: what happens around a computation."""

from __future__ import annotations

import os
import signal
import threading
import time

import numpy as np
import pytest

import landbridge as lb
from landbridge import _landbridge as core


def big(n=40_000, p=60):
    rng = np.random.default_rng(0)
    return [rng.normal(size=(n, p)).astype(np.float32) for _ in range(2)], np.column_stack([np.arange(100)] * 2)


def interrupted(call, after=0.4):
    """Seconds between Ctrl-C and KeyboardInterrupt."""
    sent = []

    def send():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    # A shell that starts the tests in the background has Ctrl-C ignored, and Python then leaves it so.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(after, send)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
            time.sleep(after)  # it was over before: the interrupt comes here, and the next line says so
            raise AssertionError("too fast for this test")
        assert sent, "ended before the interrupt"
        return time.perf_counter() - sent[0]
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_in_every_stage_within_a_second():
    X, pairs = big()
    exact = lb.InstanceAlignment(5, search="exact")
    assert interrupted(lambda: exact.fit(X, pairs)) < 1  # exact neighbours
    assert not hasattr(exact, "embeddings_")
    assert interrupted(lambda: lb.InstanceAlignment(5, search="approximate").fit(X, pairs)) < 1
    Z = [x[:15_000, :5].astype(np.float64) for x in X]
    assert interrupted(lambda: lb.metrics.foscttm(*Z), after=0.2) < 1  # cannot be cancelled: it ends by itself, unheard
    assert interrupted(lambda: lb.geometry.knn_graph(X[0], method="exact")) < 1
    small = lb.datasets.lifted_copies(3000, intrinsic=20, features=[40, 40])
    many = lb.InstanceAlignment(1500).set_params(tolerance=1e-10)
    assert interrupted(lambda: many.fit(small.datasets, small.pairs(300)), after=1.0) < 1  # eigenvectors
    time.sleep(0.5)
    # And the next fit is as if nothing had happened.
    rolls = lb.datasets.swiss_rolls(100)
    lb.InstanceAlignment(2).fit(rolls.datasets, rolls.pairs(10))


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_twenty_interrupts():
    X, pairs = big(30_000)
    for _ in range(20):
        assert interrupted(lambda: lb.InstanceAlignment(5, search="exact").fit(X, pairs), after=0.15) < 1


def test_other_threads_run_while_it_computes():
    X, pairs = big(12_000)
    count, stop = [0], threading.Event()

    def counting():
        while not stop.is_set():
            count[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=counting)
    thread.start()
    try:
        before, start = count[0], time.perf_counter()
        lb.geometry.knn_graph(X[0], method="exact", n_jobs=1)
        seconds, counted = time.perf_counter() - start, count[0] - before
    finally:
        stop.set()
        thread.join()
    assert seconds > 0.1 and counted > 100 * seconds, (seconds, counted)


def test_fits_run_in_several_threads_at_once(rolls, pairs):
    expected = lb.InstanceAlignment(3).fit(rolls.datasets, pairs)._model.to_bytes()
    found = []
    shared = lb.InstanceAlignment(3).fit(rolls.datasets, pairs)

    def work():
        for _ in range(5):
            found.append(lb.InstanceAlignment(3).fit(rolls.datasets, pairs)._model.to_bytes() == expected)
            shared.transform(rolls.datasets[0], 0)

    workers = [threading.Thread(target=work) for _ in range(4)]
    [w.start() for w in workers]
    [w.join() for w in workers]
    assert found == [True] * 20


def test_an_array_changed_during_fit_has_no_effect(rolls, pairs, monkeypatch):
    expected = lb.InstanceAlignment(3).fit(rolls.datasets, pairs)._model.to_bytes()
    for _ in range(50):
        X = [x.copy() for x in rolls.datasets]
        p = pairs.copy()

        class Spoil:  # the first line of progress comes when everything is copied
            def write(self, text):
                for x in X:
                    x[:] = np.nan
                p[:] = 10**9

            def flush(self):
                pass

        with monkeypatch.context() as patch:
            patch.setattr("sys.stderr", Spoil())
            a = lb.InstanceAlignment(3, verbose=1).fit(X, p)
        assert np.isnan(X[0]).all() and (p == 10**9).all()
        assert a._model.to_bytes() == expected


def test_threads_do_not_change_the_bytes():
    data = lb.datasets.lifted_copies(1500)
    pairs = data.pairs(100)
    for params in ({}, {"search": "approximate"}, {"hard": True, "normalized": False}, {"metric": "cosine", "weights": "local"}):
        files = {
            lb.InstanceAlignment(5, n_jobs=n_jobs, **params).fit(data.datasets, pairs)._model.to_bytes()
            for n_jobs in (1, 2, 3, None, -1, 1, 2)
        }
        assert len(files) == 1, params
    a = lb.InstanceAlignment(5, n_jobs=1).fit(data.datasets, pairs)
    one = a.transform(data.datasets[0] + 0.01, 0), *a.match(k=3), *a.match(how="csls")
    a.set_params(n_jobs=2)
    two = a.transform(data.datasets[0] + 0.01, 0), *a.match(k=3), *a.match(how="csls")
    assert all((x == y).all() for x, y in zip(one, two))


def test_a_hundred_thousand_threads_are_not_started(rolls, pairs):
    start = time.perf_counter()
    lb.InstanceAlignment(2, n_jobs=100_000).fit(rolls.datasets, pairs)
    assert time.perf_counter() - start < 5


def test_the_seed_decides():
    X = np.random.default_rng(0).normal(size=(3000, 50))  # hard enough for the search to miss some
    first, again, other = (
        lb.geometry.knn_graph(X, method="approximate", random_state=seed)[0] for seed in (0, 0, 1)
    )
    assert (first == again).all() and (first != other).any()


def test_verbose_writes_progress_to_stderr(rolls, pairs, capsys):
    lb.InstanceAlignment(2).fit(rolls.datasets, pairs)
    assert capsys.readouterr().err == ""
    a = lb.InstanceAlignment(2, verbose=1).fit({"roll": rolls.datasets[0], "s": rolls.datasets[1]}, pairs)
    lines = capsys.readouterr()
    assert lines.out == "" and all(line.startswith("landbridge: ") for line in lines.err.splitlines())
    assert "graph of roll" in lines.err and "graph of s" in lines.err
    assert a.set_params(verbose=True)._is_verbose()


def test_a_missing_stderr_is_no_reason_to_fail(rolls, pairs, monkeypatch):
    monkeypatch.setattr("sys.stderr", None)
    lb.InstanceAlignment(2, verbose=1).fit(rolls.datasets, pairs)


def test_a_panic_is_an_exception_and_python_lives():
    for _ in range(20):
        with pytest.raises(lb.InternalError, match="a bug in landbridge: on purpose") as caught:
            core._panic_for_tests()
        assert isinstance(caught.value, RuntimeError)
    rolls = lb.datasets.swiss_rolls(50)
    lb.InstanceAlignment(2).fit(rolls.datasets, rolls.pairs(10))


def test_warnings_are_heard_and_kept():
    X = np.random.default_rng(0).normal(size=(20, 2))
    apart = np.vstack([X, X + 1000])
    with pytest.warns(lb.AlignmentWarning, match="connected components") as heard:
        a = lb.InstanceAlignment(2, n_neighbors=3, heat_width=1.0).fit([apart, X], [[0, 0]])
    assert [str(w.message) for w in heard] == list(a.outcome_.warnings)
    assert heard[0].filename == __file__


@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork")
def test_a_forked_child_can_fit(rolls, pairs):
    """Pools are kept by process: a forked child (joblib, multiprocessing) makes its own."""
    lb.InstanceAlignment(2).fit(rolls.datasets, pairs)
    child = os.fork()
    if child == 0:
        try:
            lb.InstanceAlignment(2).fit(rolls.datasets, pairs)
            os._exit(0)
        finally:
            os._exit(1)
    end = time.time() + 20
    while time.time() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert status == 0
            return
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    raise AssertionError("the child hangs")
