"""How statistics of shards grow: CPU seconds and bytes by pairs, columns and shards, beside the model of docs/large.md.

``python benchmarks/capacity.py`` prints a table. Seconds are those of one thread, the least of ``--rounds``; the model is fitted to one row,
the first, and predicts the others: seconds grow with the pairs and with the products of columns, bytes with the products of columns only.
"""

import argparse
import time

import numpy as np

import landbridge as lb

#: Pairs, columns of each dataset, shards. The first is what the model is fitted to.
CASES = ((8_000, 256, 1), (2_000, 256, 1), (32_000, 256, 1), (8_000, 64, 1), (8_000, 128, 1), (8_000, 512, 1), (8_000, 256, 8), (8_000, 256, 64))


def products(columns):
    """Products of columns: two triangles and a square."""
    return columns * (columns + 1) + columns * columns


def measured(pairs, columns, shards, rounds, landmarks):
    """Seconds of all shards, seconds of merging, bytes of one shard and of all."""
    rng = np.random.default_rng(pairs + columns)
    rows = [rng.standard_normal((pairs, columns)).astype(np.float32) for _ in range(2)]
    rows = [x / np.linalg.norm(x, axis=1, keepdims=True) for x in rows]  # unit vectors, as embedding models give
    near = [x[:landmarks] for x in rows] if landmarks else None
    cuts = np.linspace(0, pairs, shards + 1).astype(int)
    best = np.inf
    for _ in range(rounds):
        before = time.process_time()
        parts = [lb.Statistics.of([x[a:b] for x in rows], landmarks=near, n_jobs=1) for a, b in zip(cuts, cuts[1:])]
        best = min(best, time.process_time() - before)
    before = time.process_time()
    whole = lb.Statistics.merge(parts)
    merging = time.process_time() - before
    return best, merging, len(parts[0].to_bytes()), len(whole.to_bytes())


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--landmarks", type=int, default=0)
    given = options.parse_args()
    print("| pairs | columns | shards | seconds | predicted | merging | MB of a shard | predicted | MB merged |")
    print("|---|---|---|---|---|---|---|---|---|")
    unit = None
    for pairs, columns, shards in CASES:
        seconds, merging, one, whole = measured(pairs, columns, shards, given.rounds, given.landmarks)
        unit = unit or (seconds / (pairs * products(columns)), one / products(columns))
        predicted = unit[0] * pairs * products(columns)
        cells = (f"{seconds:.2f}", f"{predicted:.2f}", f"{merging:.2f}", f"{one / 1e6:.2f}", f"{unit[1] * products(columns) / 1e6:.2f}", f"{whole / 1e6:.2f}")
        print(f"| {pairs:,} | 2 × {columns} | {shards} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
