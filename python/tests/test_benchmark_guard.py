"""The guard of the benchmarks: what counts as lost. Nothing is timed."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


def module():
    path = FOLDER / "guard.py"
    spec = importlib.util.spec_from_file_location("benchmarks_guard", path)
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


guard = module()


def line(ours, peer_seconds, peer="peer", **sides):
    mine = {"wall": ours} if ours is not None else {"failed": "wrong answer"}
    return {"row": "row", "peer": peer, "our_side": mine, "peer_side": {"wall": peer_seconds}} | sides


def run_of(*ratios):
    """A comparison with a stored ratio of 2, shown as many of the ratios as it asks for."""
    comparison = guard.Comparison("row", {("row", "peer"): 2.0, ("other", "peer"): 9.0})
    shown = 0
    for ratio in ratios:
        comparison.add([line(0.1, 0.1 * ratio)])
        shown += 1
        if not comparison.open():
            break
    return shown, comparison.sentences()


def test_a_seventh_less_is_no_loss_and_a_fifth_is():
    assert not guard.has_lost(2.0, 2.0 * 6 / 7)
    assert not guard.has_lost(2.0, 3.0)
    assert guard.has_lost(2.0, 1.6)


@pytest.mark.parametrize(
    ("ratios", "runs", "lost"),
    [
        ((2.0, 1.9), 2, False),
        ((1.0, 1.2), 2, True),
        ((1.0, 2.1, 2.0), 3, False),
        ((2.1, 1.0, 1.5), 3, True),
        ((1.0, 2.1, 1.5), 3, True),
    ],
)
def test_two_runs_out_of_three_decide_and_no_more_are_made(ratios, runs, lost):
    shown, sentences = run_of(*ratios, 9.0, 9.0)
    assert shown == runs
    assert bool(sentences) == lost
    if lost:
        assert "was 2.00" in sentences[0] and "peer" in sentences[0]


def test_rows_that_say_nothing_are_not_waited_for():
    comparison = guard.Comparison("row", {("row", "peer"): 2.0})
    # Both sides too short, a peer that ran out of time, a peer that is not stored.
    comparison.add([line(0.001, 0.002), line(1.0, None, peer_side={"over": 40}), line(1.0, 1.0, peer="new")])
    assert not comparison.open() and comparison.sentences() == []


def test_ours_that_fails_is_lost_at_once():
    comparison = guard.Comparison("row", {("row", "peer"): 2.0})
    comparison.add([line(None, 1.0)])
    assert not comparison.open()
    assert comparison.sentences() == ["ours failed: wrong answer"]


def test_what_is_stored_comes_back(tmp_path):
    ratios = {("b", "peer"): 2.34567, ("a", "peer"): 10.0, ("gone", "peer"): 1.0}
    path = tmp_path / "quick.json"
    path.write_text(guard.text(ratios, ["a", "b"], {"cpu": "any"}))
    assert guard.load(path) == {("a", "peer"): 10.0, ("b", "peer"): 2.35}
    assert [entry["row"] for entry in json.loads(path.read_text())["ratios"]] == ["a", "b"]
    assert guard.load(tmp_path / "none.json") == {}


def test_the_middle_of_the_runs_is_stored():
    runs = [[line(1.0, seconds), line(None, 1.0, peer="wrong")] for seconds in (3.0, 1.0, 2.0)]
    assert guard.middle(runs) == {("row", "peer"): 2.0}


def test_every_stored_ratio_is_of_a_row_that_exists():
    rows = {entry["row"] for entry in json.loads((FOLDER / "results.json").read_text())["rows"]}
    rows |= set(_names())
    assert {row for row, _ in guard.load()} <= rows


def _names():
    """Names of rows as tasks.py writes them; it cannot be imported without the peers."""
    import re

    return re.findall(r'"([a-z0-9]+(?:-[a-z0-9]+)+)"', (FOLDER / "tasks.py").read_text())
