"""Whole tasks by landbridge and by the best of its peers, on the same data, with the same threads and the same answer.

    python benchmarks/run.py                        all rows but the largest
    python benchmarks/run.py --only knn-dense-20k   some rows; the others keep their places in RESULTS.md
    python benchmarks/run.py --quick                small sizes: does everything work? Writes no results
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import sys
import tempfile
from pathlib import Path

import harness
from tasks import ALL_ROWS, ROWS


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="ROW,ROW", help="rows to run, by name")
    parser.add_argument("--list", action="store_true", help="print the rows and stop")
    parser.add_argument("--quick", action="store_true", help="reduced sizes, no results written")
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
    if args.repeats < 1 or args.threads < 1:
        parser.error("--repeats and --threads must be at least 1")
    return args


def say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


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
    lines, failed = [], False
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
            kept = harness.measure(row, cache, args.quick, args.threads, args.repeats, args.peers_only, say)
            new = harness.table_rows(row, kept, args.threads, load)
            failed = failed or any(line["failed"] for line in new)
            lines += new
            if not args.quick and not args.peers_only:
                # After every row, so that an interrupted run keeps what it has measured.
                harness.write_results(new, [row.name for row in ALL_ROWS])
    print(harness.terminal_table(lines))
    missed = any(harness.bars_met(line) is False for line in lines)
    return 1 if failed or (args.strict and missed) else 0


if __name__ == "__main__":
    sys.exit(main())
