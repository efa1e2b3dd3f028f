"""How time and memory grow with the rows, the columns, the neighbours and the components: what docs/numbers/costs.md tells.

    python benchmarks/growth.py                 all sweeps, some minutes
    python benchmarks/growth.py instance-rows   one of them
    python benchmarks/growth.py --most 5000000 instance-rows   up to so many rows of both datasets together

Each fit runs in a process of its own. Seconds are of all processors together, so that other work on the machine changes little; memory is
the peak beyond the data. The exponent is the slope of the logarithms: 1 is linear, 2 quadratic. Beside it is the plan's word for the same fit.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time

import numpy as np

#: Sweep: what grows, its values, and the fit. Sizes are rows of each dataset, columns, neighbours, components.
SWEEPS = {
    "instance-rows": ("rows", (5_000, 10_000, 20_000, 40_000, 80_000, 160_000), "instance", (0, 50, 10, 10)),
    "instance-components": ("components", (10, 20, 40, 80), "instance", (10_000, 50, 10, 0)),
    "instance-neighbors": ("neighbors", (5, 10, 20, 40), "instance", (10_000, 50, 0, 10)),
    "linear-rows": ("rows", (2_000, 4_000, 8_000, 16_000), "linear", (0, 200, 10, 20)),
    "linear-columns": ("columns", (100, 200, 400, 800, 1_600), "linear", (4_000, 0, 10, 20)),
    "cca-rows": ("rows", (5_000, 10_000, 20_000, 40_000), "cca", (0, 400, 10, 20)),
    "cca-columns": ("columns", (250, 500, 1_000, 2_000), "cca", (8_000, 0, 10, 20)),
}
GROWING = ("rows", "columns", "neighbors", "components")


def fit_of(kind: str, n: int, p: int, k: int, d: int) -> dict:
    """One fit, in this process."""
    import data
    import landbridge as lb
    from worker import forget_peak, memory

    arrays = data.two_views(n, features=p, share=0.05, dtype="float32" if n > 40_000 else "float64")
    method, pairs = {
        "instance": (lb.InstanceAlignment(d, n_neighbors=k, weights="binary", n_jobs=2), arrays["pairs"]),
        "linear": (lb.LinearAlignment(d, n_neighbors=k, n_jobs=2), arrays["pairs"]),
        "cca": (lb.CCA(d, ridge=0.1, n_jobs=2), np.column_stack([np.arange(n)] * 2)),
    }[kind]
    datasets = [arrays["X"], arrays["Y"]]
    plan = lb.plan(method, datasets, pairs)
    forget_peak()
    before, cpu = memory("VmRSS"), time.process_time()
    method.fit(datasets, pairs)
    own = sum(x.nbytes for x in datasets) / 2**20
    return {
        "seconds": time.process_time() - cpu,
        "mb": memory("VmHWM") - before,
        "planned_seconds": plan.seconds,
        "planned_mb": plan.peak_bytes / 2**20 - own,
    }


def in_a_process(kind: str, sizes: tuple[int, ...]) -> dict:
    call = [sys.executable, __file__, "--one", json.dumps([kind, *sizes])]
    return json.loads(subprocess.run(call, check=True, capture_output=True, text=True).stdout.splitlines()[-1])


def exponent(x: list[float], y: list[float]) -> float:
    """The slope between the logarithms, of the upper half of the values: the lower ones hold what every fit takes."""
    from_ = len(x) // 2 - (len(x) < 4)
    return float(np.polyfit(np.log(x[from_:]), np.log(np.maximum(y[from_:], 1e-9)), 1)[0])


def sweep(name: str, most: int) -> None:
    what, values, kind, sizes = SWEEPS[name]
    at = GROWING.index(what)
    if what == "rows":
        values = [v for v in values if 2 * v <= most] + [v for v in (500_000, 1_000_000, 2_500_000) if 320_000 < 2 * v <= most and kind == "instance"]
    fixed = ", ".join(f"{word} {size:,}" for word, size in zip(GROWING, sizes) if size)
    print(f"\n{name}: {kind}, 2 datasets, {fixed}\n\n| {what} | CPU seconds | MB | planned s | planned MB |\n|---|---|---|---|---|")
    seconds, mb = [], []
    for value in values:
        found = in_a_process(kind, tuple(value if i == at else size for i, size in enumerate(sizes)))
        seconds.append(found["seconds"])
        mb.append(found["mb"])
        print(f"| {value:,} | {found['seconds']:.2f} | {found['mb']:.0f} | {found['planned_seconds']:.2f} | {found['planned_mb']:.0f} |", flush=True)
    grown = [float(v) for v in values]
    print(f"| exponent | {exponent(grown, seconds):.2f} | {exponent(grown, mb):.2f} | | |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sweeps", nargs="*", metavar="SWEEP", help=f"of {', '.join(SWEEPS)}")
    parser.add_argument("--most", type=int, default=320_000, help="rows of both datasets together, at most")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        kind, *sizes = json.loads(args.one)
        print(json.dumps(fit_of(kind, *sizes)))
        return
    unknown = [name for name in args.sweeps if name not in SWEEPS]
    if unknown:
        parser.error(f"no such sweep: {', '.join(unknown)}")
    for name in args.sweeps or SWEEPS:
        sweep(name, args.most)


if __name__ == "__main__":
    main()
