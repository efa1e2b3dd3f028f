"""Results in single precision, and many rows, which go through a map some at a time."""

import numpy as np
import pandas as pd
import pytest

import landbridge as lb


@pytest.fixture(scope="module")
def bridge():
    rng = np.random.default_rng(5)
    about = rng.standard_normal((600, 12))
    old, new = (about @ rng.standard_normal((12, p)) + 0.3 * rng.standard_normal((600, p)) for p in (40, 56))
    return lb.CCA(12, ridge=0.1, prepare="unit_center").fit({"old": old, "new": new}, np.column_stack([np.arange(200)] * 2))


def many(dtype=np.float32, rows=130_000):
    """More than two parts of 8 MB."""
    return np.random.default_rng(6).standard_normal((rows, 40)).astype(dtype)


CALLS = [
    ("transform", lambda b, x, **k: b.transform(x, "old", **k)),
    ("map", lambda b, x, **k: b.map(x, "old", "new", **k)),
    ("predict", lambda b, x, **k: b.predict(x, "old", "new", **k)),
]


@pytest.mark.filterwarnings("ignore:dataset")
@pytest.mark.parametrize("call", [c for _, c in CALLS], ids=[n for n, _ in CALLS])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_row_has_the_same_result_alone_and_among_many(bridge, call, dtype):
    rows = many(dtype)
    for result in ("float64", "float32"):
        together = call(bridge, rows, dtype=result)
        assert together.dtype == np.dtype(result)
        assert together.shape[0] == len(rows)
        for at in (0, 1, 63, 64, 52_427, 52_428, 52_429, 90_001, len(rows) - 1):
            assert np.array_equal(call(bridge, rows[at : at + 1], dtype=result)[0], together[at]), at
        assert np.array_equal(call(bridge, np.asfortranarray(rows), dtype=result), together)


@pytest.mark.filterwarnings("ignore:dataset")
@pytest.mark.parametrize("call", [c for _, c in CALLS], ids=[n for n, _ in CALLS])
def test_single_precision_is_double_precision_rounded(bridge, call):
    for rows in (many(rows=3), many(), many(np.float64, 50), pd.DataFrame(many(rows=50))):
        double, single = call(bridge, rows), call(bridge, rows, dtype=np.float32)
        assert double.dtype == np.float64 and single.dtype == np.float32
        assert np.abs(single - double).max() <= 3e-6 * np.abs(double).max()


def test_the_row_at_fault_is_named_whatever_part_it_is_in(bridge):
    rows = many()
    rows[101_234, 7] = np.nan
    for dtype in ("float64", "float32"):
        with pytest.raises(lb.DataError, match="101234"):
            bridge.transform(rows, "old", dtype=dtype)


def test_results_beyond_single_precision_are_refused():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((50, 3))
    a = lb.PCA(2).fit(1e60 * x)
    assert np.isfinite(a.transform(1e60 * x)).all()
    b = lb.LinearTransform().fit([x, 1e60 * x], np.column_stack([np.arange(50)] * 2))
    assert np.isfinite(b.predict(x, 0, 1)).all()
    for rows in (x, x.astype(np.float32), pd.DataFrame(x)):
        with pytest.raises(lb.ParameterError, match="float64"):
            b.predict(rows, 0, 1, dtype="float32")


@pytest.mark.parametrize("dtype", ["float16", "single precision", int, None, np.complex64])
def test_other_types_are_refused(bridge, dtype):
    with pytest.raises(lb.ParameterError, match='must be "float64" or "float32"'):
        bridge.transform(many(rows=2), "old", dtype=dtype)


def test_methods_without_a_map_round_their_results():
    rolls = lb.datasets.swiss_rolls(200)
    a = lb.InstanceAlignment(3).fit(rolls.datasets, rolls.pairs(20))
    rows = rolls.datasets[0][:20] + 0.01
    assert np.array_equal(a.transform(rows, 0, dtype="float32"), a.transform(rows, 0).astype(np.float32))
