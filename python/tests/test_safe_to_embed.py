"""landbridge inside larger programs: processes, threads, interpreters, limits, leaks."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import landbridge as lb

SLOW = bool(os.environ.get("LANDBRIDGE_SLOW"))
linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux tells sizes and limits of processes")


def model_bytes(datasets, pairs):
    return lb.LinearAlignment(3).fit(datasets, pairs)._model.to_bytes()


@pytest.fixture(scope="module")
def model(rolls, pairs):
    return lb.LinearAlignment(3).fit(rolls.datasets, pairs)


def in_new_python(code, timeout=120):
    """Runs a script in an interpreter of its own, which fails the test if it fails."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=timeout)
    assert done.returncode == 0, f"{done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.parametrize("how", [m for m in ("fork", "spawn", "forkserver") if m in multiprocessing.get_all_start_methods()])
def test_processes_fit_and_transform_to_the_same_bytes(how, rolls, pairs, model):
    context = multiprocessing.get_context(how)
    expected = model_bytes(rolls.datasets, pairs)
    # A pool that lives while the parent computes as well, as a loader of data does.
    with context.Pool(2) as pool:
        fits = [pool.apply_async(model_bytes, (rolls.datasets, pairs)) for _ in range(4)]
        placed = [pool.apply_async(model.transform, (rolls.datasets[0], 0)) for _ in range(4)]
        assert model_bytes(rolls.datasets, pairs) == expected
        assert all(f.get(60) == expected for f in fits)
        assert all((p.get(60) == model.transform(rolls.datasets[0], 0)).all() for p in placed)


@pytest.mark.parametrize("backend", ["loky", "threading", "multiprocessing"])
def test_joblib_runs_fits(backend, rolls, pairs):
    joblib = pytest.importorskip("joblib")
    expected = model_bytes(rolls.datasets, pairs)
    found = joblib.Parallel(n_jobs=2, backend=backend)(joblib.delayed(model_bytes)(rolls.datasets, pairs) for _ in range(4))
    assert found == [expected] * 4


def test_a_thousand_calls_from_eight_threads_give_the_same_bytes(rolls, model):
    X, Y = rolls.datasets
    new = X + 0.01
    expected = model.transform(new, 0).tobytes(), *(a.tobytes() for a in model.match(source=0, target=1, k=3))
    start = threading.Barrier(8)

    def work(_):
        start.wait()
        return [
            (model.transform(new, 0).tobytes(), *(a.tobytes() for a in model.match(source=0, target=1, k=3))) == expected
            for _ in range(125)
        ]

    with ThreadPoolExecutor(8) as threads:
        found = [same for part in threads.map(work, range(8)) for same in part]
    assert found == [True] * 1000


def test_an_array_that_another_thread_changes_during_fits(rolls, pairs):
    """Whatever the other thread writes, a fit sees one state of each value, ends, and gives finite numbers."""
    X = [np.array(x) for x in rolls.datasets]
    original = [x.copy() for x in X]
    stop = threading.Event()

    def spoil():
        turn = 0
        while not stop.is_set():
            turn += 1
            for x, o in zip(X, original):
                x[:] = o * (1 + turn % 2)

    thread = threading.Thread(target=spoil)
    thread.start()
    try:
        for _ in range(60):
            a = lb.LinearAlignment(3).fit(X, pairs)
            assert all(np.isfinite(z).all() for z in a.embeddings_)
    finally:
        stop.set()
        thread.join()
    # What was learnt is a copy.
    a = lb.LinearAlignment(3).fit(original, pairs)
    before = a._model.to_bytes()
    for x in original:
        x[:] = np.nan
    assert a._model.to_bytes() == before


def test_a_subinterpreter_is_refused_cleanly():
    """Python 3.12 and later refuse modules that do not support subinterpreters; before, the module itself refuses."""
    interpreters = next((name for name in ("_interpreters", "_xxsubinterpreters") if _importable(name)), None)
    if interpreters is None:
        pytest.skip("this Python has no subinterpreters")
    out = in_new_python(f"""
        import sys
        import {interpreters} as interpreters
        import landbridge as lb
        rolls = lb.datasets.swiss_rolls(60)
        before = lb.InstanceAlignment(2).fit(rolls.datasets, rolls.pairs(10))._model.to_bytes()
        other = interpreters.create()
        code = "import sys; sys.path[:] = " + repr(sys.path) + "\\nfrom landbridge import _landbridge"
        refused = None
        try:
            found = interpreters.run_string(other, code)
            refused = found and getattr(found, "formatted", str(found))  # newer ones return what was raised
        except Exception as error:
            refused = str(error)
        print("refused:", refused)
        interpreters.destroy(other)
        assert lb.InstanceAlignment(2).fit(rolls.datasets, rolls.pairs(10))._model.to_bytes() == before
        print("alive")
    """)
    assert "alive" in out and "refused: None" not in out and "ImportError" in out, out


def _importable(name):
    try:
        __import__(name)
    except ImportError:
        return False
    return True


#: A call, and how often it is made.
CALLS = {
    "transform": ("model.transform(small, 0)", 10_000),
    "match": ("model.match(small, source=0, target=1, k=2)", 10_000 if SLOW else 2_000),
    "fit": ("lb.LinearAlignment(2).fit(rolls.datasets, pairs)", 10_000 if SLOW else 300),
    "save": ("lb.load(model.save(path) or path)", 10_000 if SLOW else 200),
}


@linux
@pytest.mark.parametrize("what", CALLS)
def test_ten_thousand_calls_leak_nothing(what, tmp_path):
    call, count = CALLS[what]
    # A process of its own: what other tests left behind grows and shrinks.
    slope = in_new_python(
        f"""
        import gc, os
        import numpy as np
        import landbridge as lb

        rolls = lb.datasets.swiss_rolls(200)
        pairs = rolls.pairs(40)
        model = lb.LinearAlignment(3).fit(rolls.datasets, pairs)
        small, path = rolls.datasets[0][:4], {str(tmp_path / "m.lb")!r}

        def resident():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")

        for _ in range({count} // 5):
            {call}
        gc.collect()
        sizes = []
        for _ in range(10):
            for _ in range({count} // 10):
                {call}
            sizes.append(resident())
        # The median: memory that a second thread keeps from some call on is one step, a leak is many.
        print(np.median(np.diff(sizes)) / ({count} // 10))
        """,
        timeout=3600 if SLOW else 120,
    )
    assert float(slope) < max(100, 2_000_000 / count), f"{float(slope):.0f} bytes a call"


@linux
def test_a_fit_beyond_the_limit_of_addresses_is_a_memory_error_before_it_begins():
    out = in_new_python("""
        import resource, time
        import numpy as np
        import landbridge as lb

        X = np.random.default_rng(0).normal(size=(6000, 30))
        pairs = np.column_stack([np.arange(500)] * 2)
        method = lb.GlobalAlignment(5, level="instance")
        needed = lb.plan(method, [X, X], pairs).peak_bytes
        used = next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmSize"))
        resource.setrlimit(resource.RLIMIT_AS, (used + int(0.7 * needed), resource.RLIM_INFINITY))
        start = time.process_time()
        try:
            method.fit([X, X], pairs)
        except MemoryError as error:
            assert isinstance(error, lb.MemoryLimitError) and error.hint, error
            assert time.process_time() - start < 2
            print("refused")
        # What fits still works.
        lb.CCA(3).fit([X, X], pairs)
        print("works")
    """)
    assert out.split() == ["refused", "works"]


@linux
def test_answers_beyond_the_limit_of_addresses_are_memory_errors_before_they_are_made():
    out = in_new_python("""
        import resource
        import numpy as np
        import landbridge as lb

        X = np.random.default_rng(0).normal(size=(3000, 4))
        a = lb.CCA(3).fit([X, X], np.column_stack([np.arange(500)] * 2))
        many = np.ones((2_000_000, 4))
        used = next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmSize"))
        resource.setrlimit(resource.RLIMIT_AS, (used + (60 << 20), resource.RLIM_INFINITY))
        for call in [lambda: a.transform(many, 0), lambda: a.match(X, source=0, target=1, k=3000)]:
            try:
                call()
            except MemoryError as error:
                assert isinstance(error, lb.MemoryLimitError) and error.hint, error
                print("refused")
        print(len(a.transform(X[:5], 0)))
    """)
    assert out.split() == ["refused", "refused", "5"]


#: What each call takes that is refused at .7 of it and ends at 1.1 of it. `small` is what the hint is about.
ANSWERS = {
    "transform": "instance.transform(many, 0)",
    "predict": "linear.predict(many, 0, 1)",
    "match": "linear.match(X, source=0, target=1, k=300)",
    "evaluate": "linear.evaluate(truth)",
    "report": "linear.report(path)",
    "stats": "lb.Statistics.of([wide, wide * 3], names)",
}


@linux
@pytest.mark.parametrize("what", ANSWERS)
def test_a_call_says_what_it_takes_and_is_refused_or_ends(what, tmp_path):
    out = in_new_python(f"""
        import re, resource
        import numpy as np
        import landbridge as lb

        rng = np.random.default_rng(0)
        X = rng.normal(size=(20_000, 80))
        truth = np.column_stack([np.arange(20_000)] * 2)
        linear = lb.CCA(80, n_jobs=2).fit([X, X + rng.normal(size=X.shape)], truth[:9000])
        instance = lb.InstanceAlignment(20, n_jobs=2).fit([X[:2000], X[:2000, :60]], truth[:500])
        many, wide, path = np.tile(X, (3, 1)), rng.normal(size=(3000, 500)), {str(tmp_path / "r.html")!r}
        names = [truth[:3000], truth[:3000]][0]

        def call():
            return {ANSWERS[what]}

        def limited(more):
            lines = open("/proc/self/status").read().splitlines()
            used = next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmSize"))
            resource.setrlimit(resource.RLIMIT_AS, (used + int(more), resource.RLIM_INFINITY))

        def refused():
            try:
                call()
            except MemoryError as error:
                assert isinstance(error, lb.MemoryLimitError) and error.hint, error
                return str(error)
            raise AssertionError("not refused")

        # What threads map for their stacks, as the library counts it, and what Python and its threads map besides.
        threads, python = 32 << 20, 300 << 20
        limited(threads + (1 << 20))
        told = re.search(r"would take ([0-9.]+) (kB|MB|GB)", refused())
        asks = float(told[1]) * {{"kB": 1e3, "MB": 1e6, "GB": 1e9}}[told[2]]
        limited(threads + 0.7 * asks)
        refused()
        limited(threads + python + 1.1 * asks)
        call()
        print(int(asks))
    """)
    assert int(out) > 4 << 20


def test_a_wrong_instruction_set_is_told_at_import():
    code = [sys.executable, "-c", "import landbridge"]
    done = subprocess.run(code, env={**os.environ, "LANDBRIDGE_CPU": "sse9"}, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1 and 'LANDBRIDGE_CPU is "sse9"; it must be' in done.stderr, done.stderr
    subprocess.run(code, env={**os.environ, "LANDBRIDGE_CPU": "scalar"}, check=True, timeout=120)


def test_interrupts_end_long_calls_within_a_second():
    """Ctrl-C in calls that take seconds; `test_running.py` has the stages of a fit."""
    from test_running import interrupted

    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(3000, 40)), rng.normal(size=(3000, 30))
    pairs = np.column_stack([np.arange(400)] * 2)
    calls = {
        "align": lambda: lb.align([X, Y], pairs),
        "compare": lambda: lb.compare([lb.InstanceAlignment(20), lb.GlobalAlignment(20)], [X, Y], pairs, folds=5),
        "tune": lambda: lb.tune(lb.InstanceAlignment(20), [X, Y], pairs, n_trials=30),
        "self_training": lambda: lb.SelfTraining().fit([X, Y]),
        "infer_pairs": lambda: lb.infer_pairs(X, Y, how="transport"),
        "geodesic": lambda: lb.geometry.geodesic_distances(np.vstack([X, X + 0.01])),
    }
    slow = {}
    for name, call in calls.items():
        seconds = interrupted(call, after=0.3)
        if seconds >= 1:
            slow[name] = seconds
    assert not slow, slow


def test_interrupts_end_long_answers_within_a_second(tmp_path):
    """Ctrl-C in what is asked of a model, and in what needs none."""
    from test_running import interrupted

    rng = np.random.default_rng(0)
    X = rng.normal(size=(30_000, 60))
    Y = X[:, :50] + rng.normal(size=(30_000, 50))
    truth = np.column_stack([np.arange(30_000)] * 2)
    a = lb.CCA(50).fit([X, Y], truth[:9000])
    few = [X[:4000], Y[:4000]], truth[:1000]
    near, local = lb.InstanceAlignment(10).fit(*few), lb.CLLE(10).fit(*few)
    medium = lb.CCA(20).fit([X[:6000], Y[:6000]], truth[:2000])
    paths = lb.ProcrustesAlignment(5, embedding="isomap").fit([X[:1000], Y[:1000]], truth[:500])
    many = np.tile(X, (4, 1))
    wide = rng.normal(size=(5000, 700))
    calls = {
        "transform": lambda: near.transform(many, 0),
        "transform by paths": lambda: paths.transform(X, 0),
        "predict": lambda: local.predict(many, 0, 1),
        "match": lambda: a.match(X, source=0, target=1, k=5),
        "one to one": lambda: a.match(source=0, target=1, how="assignment"),
        "evaluate": lambda: a.evaluate(truth),
        "match_confidence": lambda: medium.match_confidence(0, 1),
        "report": lambda: a.report(tmp_path / "r.html", datasets=[X, Y], truth=truth),
        "statistics": lambda: lb.Statistics.of([wide, wide + 1], truth[:5000]),
        "check_pairs": lambda: lb.check_pairs([X, Y], truth[:9000]),
        "foscttm": lambda: lb.metrics.foscttm(X[:, :50], Y),
        "embedding": lambda: lb.Isomap(5).fit(X[:6000]),
    }
    slow = {}
    for name, call in calls.items():
        seconds = interrupted(call, after=0.2)
        print(f"{name}: {seconds:.2f} s from the interrupt to its end")
        if seconds >= 1:
            slow[name] = seconds
        time.sleep(0.2)
    assert not slow, slow
    assert not (tmp_path / "r.html").exists()


def test_free_threaded_python_turns_its_lock_on():
    """The module does not declare that it runs without the lock, so a free-threaded Python turns it on when it is imported."""
    if not hasattr(sys, "_is_gil_enabled"):
        pytest.skip("this Python always has the lock")
    assert sys._is_gil_enabled()
