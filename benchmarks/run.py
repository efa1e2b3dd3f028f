"""Whole tasks by landbridge and by the best of its peers, on the same data, with the same threads and the same answer.

    python benchmarks/run.py                        all rows but the largest
    python benchmarks/run.py --only knn-dense-20k   some rows; the others keep their places in RESULTS.md
    python benchmarks/run.py --quick                small sizes: does everything work? Writes no results
    python benchmarks/run.py --quick --compare      fails where a row lost more than 15 % of its stored ratio, two runs out of three
    python benchmarks/run.py --quick --store        stores these ratios (benchmarks/quick.json): the middle one of three runs
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import tempfile
from pathlib import Path

import guard
import harness
from tasks import ALL_ROWS, ROWS, Row


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="ROW,ROW", help="rows to run, by name")
    parser.add_argument("--list", action="store_true", help="print the rows and stop")
    parser.add_argument("--quick", action="store_true", help="reduced sizes, no results written")
    parser.add_argument("--compare", action="store_true", help="with --quick: hold the ratios against the stored ones")
    parser.add_argument("--store", action="store_true", help="with --quick: store the ratios")
    parser.add_argument("--large", action="store_true", help="also the rows that take much memory and time")
    parser.add_argument("--peers-only", action="store_true", help="without landbridge; no results written")
    parser.add_argument("--repeats", type=int, default=3, help="runs per side, interleaved; the fastest counts")
    parser.add_argument("--threads", type=int, default=2, help="threads of every side")
    parser.add_argument("--cache", type=Path, help="keep data and references in this folder between calls")
    parser.add_argument("--strict", action="store_true", help="exit 1 also when a bar is missed")
    args = parser.parse_args()
    unknown = [name for name in (args.only or "").split(",") if name and name not in ROWS]
    if unknown:
        parser.error(f"no such row: {', '.join(unknown)}; the rows are {', '.join(ROWS)}")
    if (args.compare or args.store) and (not args.quick or args.peers_only):
        parser.error("--compare and --store are for --quick with both sides")
    if args.repeats < 1 or args.threads < 1:
        parser.error("--repeats and --threads must be at least 1")
    return args


def say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def once(row: Row, cache: Path, args: argparse.Namespace, load: float) -> list[dict]:
    """The lines of a row, measured once more."""
    kept = harness.measure(row, cache, args.quick, args.threads, args.repeats, args.peers_only, say)
    return harness.table_rows(row, kept, args.threads, load)


def main() -> int:
    args = arguments()
    if args.list:
        for row in ALL_ROWS:
            against = ", ".join(peer.name + ("" if peer.bar is None else f" (bar {peer.bar:g})") for peer in row.peers) or "no peer"
            print(f"{row.name:24}{row.task}; {against}{'; only with --large' if row.large else ''}")
        return 0
    if not args.peers_only and importlib.util.find_spec("landbridge") is None:
        say("landbridge is not installed here: run `pip install .` at the root, or use --peers-only")
        return 2

    wanted = args.only.split(",") if args.only else [row.name for row in ALL_ROWS]
    stored = guard.load()
    lines, failed, lost, middle = [], False, [], {}
    with tempfile.TemporaryDirectory() as temporary:
        cache = args.cache or Path(temporary)
        cache.mkdir(parents=True, exist_ok=True)
        for name in wanted:
            row = ROWS[name]
            if row.large and not args.large:
                say(f"{name}: skipped, needs --large")
                continue
            if args.peers_only and not row.peers:
                continue
            load = os.getloadavg()[0]
            say(f"{name} (load {load:.1f})")
            new = once(row, cache, args, load)
            if args.store:
                middle |= guard.middle([new, *(once(row, cache, args, load) for _ in range(guard.RUNS - 1))])
            if args.compare:
                comparison = guard.Comparison(name, stored)
                comparison.add(new)
                if row.peers and not comparison.stored:
                    say(f"  no stored ratio: --quick --store --only {name} stores one")
                while comparison.open():
                    comparison.add(once(row, cache, args, load))
                lost += [f"{name}: {sentence}" for sentence in comparison.sentences()]
            failed = failed or any(line["failed"] for line in new)
            lines += new
            if not args.quick and not args.peers_only:
                # After every row, so that an interrupted run keeps what it has measured.
                harness.write_results(new, [row.name for row in ALL_ROWS])
    print(harness.terminal_table(lines))
    if args.store:
        # Of a row that was measured, peers that it no longer has go; other rows stay.
        kept = {key: ratio for key, ratio in stored.items() if key[0] not in wanted}
        machine = {"cpu": harness.cpu_model(), "cores": os.cpu_count(), "threads": args.threads}
        harness.replace(guard.STORE, guard.text(kept | middle, [row.name for row in ALL_ROWS], machine))
    for sentence in lost:
        say(f"LOST  {sentence}")
    missed = any(harness.bars_met(line) is False for line in lines)
    return 1 if failed or lost or (args.strict and missed) else 0


if __name__ == "__main__":
    sys.exit(main())
