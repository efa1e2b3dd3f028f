"""One side of one row in its own process: load, warm up, run once, write the answer and the measurements.

Started by harness.py, never by hand. A fresh process per run keeps the memory peak honest: nothing another side
has allocated or imported is counted.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

import data
import tasks


def memory(field: str) -> float:
    """VmRSS or VmHWM (the highest VmRSS so far) of this process in MB.

    Not `ru_maxrss`: a child starts with the peak of the process that spawned it.
    """
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) / 1024
    raise RuntimeError(f"/proc/self/status has no {field}")


def forget_peak() -> bool:
    """Make VmHWM start again from now, so that imports and warm-up do not count."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return False
    return True


def main() -> None:
    job = json.loads(sys.argv[1])
    row = tasks.ROWS[job["row"]]
    side = row.side(job["side"])
    arrays = data.load(Path(job["data"]))

    # Compilers, thread pools and lazy imports do their first-time work on a small problem of the same kind.
    if row.warm_rows > 0:
        side.set_up(data.first_rows(arrays, row.warm_rows), job["threads"])()

    work = side.set_up(arrays, job["threads"])
    peak_restarted = forget_peak()
    before = memory("VmRSS")
    cpu = time.process_time()
    wall = time.perf_counter()
    answer = work()
    wall = time.perf_counter() - wall
    cpu = time.process_time() - cpu
    peak = memory("VmHWM")
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    if answer.pop("program", False):  # a peer that is a program of its own, and says so
        cpu += children.ru_utime + children.ru_stime
        peak += children.ru_maxrss / 1024
    elif children.ru_utime > 1:
        raise RuntimeError("the work ran in child processes, whose time and memory are not measured")

    # What only the check needs is computed after the clock has stopped.
    answer = {name: value() if callable(value) else value for name, value in answer.items()}
    data.save(answer, Path(job["answer"]))
    measured = {"wall": wall, "cpu": cpu, "peak_mb": peak, "before_mb": before, "peak_restarted": peak_restarted}
    Path(job["report"]).write_text(json.dumps(measured))


if __name__ == "__main__":
    main()
