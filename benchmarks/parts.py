"""A large Parquet file through ``landbridge transform`` or ``match --new`` in parts: memory, time, and whether stops change a byte.

``python benchmarks/parts.py --work match --gigabytes 20 --kills 20`` generates a file of that size in ``--folder``, fits a small CCA whose
second dataset has ``--targets`` rows, answers the file in parts, answers it again while it kills the process (SIGKILL) at random times
and resumes it, and compares the bytes of both folders. It prints one line of JSON. ``LANDBRIDGE_CLI`` names the program.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

CLI = os.environ.get("LANDBRIDGE_CLI", "landbridge")
#: Columns of the second dataset.
NARROW = 16
#: Pairs of the fit, and rows of a row group.
PAIRS, GROUP = 2_000, 8_192


def generate(path, gigabytes, columns, weights):
    """Rows of some latent coordinates plus noise, group by group: memory does not grow with the size."""
    rows = int(gigabytes * 1e9 / (4 * columns))
    rng = np.random.default_rng(1)
    noise = rng.standard_normal((GROUP + columns, columns), dtype=np.float32)
    schema = pa.schema([("id", pa.string()), *((f"v{j}", pa.float32()) for j in range(columns))])
    done = 0
    options = {"compression": "none", "use_dictionary": False, "write_statistics": False}
    with pq.ParquetWriter(path, schema, **options) as writer:
        while done < rows:
            count = min(GROUP, rows - done)
            latent = rng.standard_normal((count, NARROW), dtype=np.float32)
            # Noise that was drawn once, from another row on: fresh noise for every value would take longer than all that is measured.
            start = int(rng.integers(columns))
            block = latent @ weights + noise[start : start + count]
            ids = pa.array([f"row-{i}" for i in range(done, done + count)])
            writer.write_table(pa.table([ids, *(pa.array(block[:, j]) for j in range(columns))], schema=schema), row_group_size=GROUP)
            done += count
    return rows


def fitted(folder, columns, targets):
    """A model whose first dataset has the columns of the file, and its second `targets` rows."""
    rng = np.random.default_rng(0)
    weights = rng.standard_normal((NARROW, columns), dtype=np.float32)
    latent = rng.standard_normal((targets, NARROW), dtype=np.float32)
    wide = latent[:PAIRS] @ weights + rng.standard_normal((PAIRS, columns), dtype=np.float32)
    narrow = latent @ rng.standard_normal((NARROW, NARROW), dtype=np.float32) + 0.1 * rng.standard_normal((targets, NARROW), dtype=np.float32)
    names = [f"v{j}" for j in range(columns)]
    pq.write_table(pa.table(list(wide.T), names=names), folder / "a.parquet")
    pq.write_table(pa.table(list(narrow.T), names=[f"w{j}" for j in range(NARROW)]), folder / "b.parquet")
    np.savetxt(folder / "pairs.csv", np.column_stack([np.arange(PAIRS)] * 2), fmt="%d", delimiter=",", header="a,b", comments="")
    call = ["fit", "cca", "-d", str(NARROW), "--ridge", "0.1", "--pairs", "pairs.csv", "a.parquet", "b.parquet", "-o", "m.lb"]
    subprocess.run([CLI, *call, "--quiet"], cwd=folder, check=True)
    return weights


def checksums(folder):
    return {p.name: hashlib.blake2b(p.read_bytes()).hexdigest() for p in sorted(folder.iterdir())}


def measured(call, folder):
    """Wall seconds, CPU seconds and the most resident memory of a process that is not disturbed."""
    before = time.monotonic()
    child = subprocess.Popen(call, cwd=folder)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, child.returncode
    return time.monotonic() - before, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def killed(call, folder, kills, seconds):
    """Runs the work with stops, on average `kills` of them in the time of an undisturbed run; then to its end."""
    draw = random.Random(2)
    done = 0
    while done < kills:
        child = subprocess.Popen(call, cwd=folder)
        try:
            child.wait(draw.uniform(0.2, 2 * 0.9 * seconds / kills))
            if child.returncode == 0:
                break
            raise RuntimeError(f"ended with {child.returncode}")
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            done += 1
            print(f"kill {done}", file=sys.stderr, flush=True)
    subprocess.run(call, cwd=folder, check=True)
    return done


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--work", choices=("transform", "match"), default="match")
    options.add_argument("--gigabytes", type=float, default=20)
    options.add_argument("--columns", type=int, default=4096)
    options.add_argument("--targets", type=int, default=100_000)
    options.add_argument("--kills", type=int, default=20)
    options.add_argument("--folder", type=Path, default=Path("target/parts"))
    given = options.parse_args()
    shutil.rmtree(given.folder, ignore_errors=True)
    given.folder.mkdir(parents=True)
    weights = fitted(given.folder, given.columns, given.targets)
    rows = generate(given.folder / "large.parquet", given.gigabytes, given.columns, weights)
    size = (given.folder / "large.parquet").stat().st_size
    print(f"{size / 1e9:.2f} GB, {rows} rows", file=sys.stderr, flush=True)
    call = {
        "transform": [CLI, "transform", "m.lb", "large.parquet", "--dataset", "a"],
        "match": [CLI, "match", "m.lb", "--from", "a", "--to", "b", "--new", "large.parquet", "-k", "10"],
    }[given.work]
    wall, cpu, memory = measured([*call, "-o", "calm/", "--quiet"], given.folder)
    told = {"work": given.work, "gigabytes": size / 1e9, "rows": rows, "columns": given.columns, "targets": given.targets}
    told |= {"wall_seconds": round(wall), "cpu_seconds": round(cpu), "resident_megabytes": round(memory / 1e6)}
    print(json.dumps(told), file=sys.stderr, flush=True)
    if given.kills:
        told["kills"] = killed([*call, "-o", "killed/", "--resume", "--quiet"], given.folder, given.kills, wall)
        told["same_bytes"] = checksums(given.folder / "calm") == checksums(given.folder / "killed")
    print(json.dumps(told))


if __name__ == "__main__":
    main()
