"""Fits, transforms and matches on a Dask cluster of two processes whose workers are killed (SIGKILL) at random times.

``python python/tests/kill_workers.py 50`` kills 50 times and prints how many results had the same bytes as an undisturbed run, how many
ended in an error of Dask's, and how many were wrong.
"""

import contextlib
import os
import random
import signal
import sys
import threading
import time

import numpy as np

import landbridge as lb


def killed_fits(distributed, kills, rows, columns, seed):
    """Repeats the work until so many workers were killed during it."""
    import dask
    import dask.array as da

    rng = np.random.default_rng(seed)
    latent = rng.standard_normal((rows, 8))
    x, y = (latent @ rng.standard_normal((8, columns)) + 0.3 * rng.standard_normal((rows, columns)) for _ in range(2))
    chunks = (max(rows // 40, 1), -1)
    arrays = [da.from_array(v.astype(np.float32), chunks=chunks) for v in (x, y)]

    def work(client):
        a = lb.dask.fit(lb.CCA(8), arrays, client=client)
        z = lb.dask.transform(a, arrays[0])
        index, distance = lb.dask.match(a, arrays[0][:200], k=3, y=arrays[1])
        parts = dask.compute(z.sum(axis=0), index, distance) if client is None else client.gather(client.compute([z.sum(axis=0), index, distance]))
        return a._model.to_bytes(), *(np.asarray(p).tobytes() for p in parts)

    expected = work(None)
    draw = random.Random(seed)
    told = {"kills": 0, "fits": 0, "same": 0, "refused": 0, "wrong": 0}
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    while told["kills"] < kills:
        with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
            # A new cluster from time to time: one that lost its workers for good would wait for ever.
            for _ in range(5):
                if told["kills"] < kills:
                    _work_and_kill(distributed, cluster, client, work, expected, told, kills, draw)
    return told


def _work_and_kill(distributed, cluster, client, work, expected, told, kills, draw):
    done = threading.Event()

    def killer():
        while not done.wait(draw.uniform(0.02, 1.0)):
            # Only when both are up: a worker that dies while it starts says nothing about the work.
            up = [w.process.pid for w in cluster.workers.values() if w.process and w.worker_address in cluster.scheduler.workers]
            if len(up) == 2 and told["kills"] < kills:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(draw.choice(up), signal.SIGKILL)
                    told["kills"] += 1

    thread = threading.Thread(target=killer)
    thread.start()
    try:
        found = work(client)
        told["same" if found == expected else "wrong"] += 1
    except (distributed.KilledWorker, distributed.client.FutureCancelledError, OSError, RuntimeError) as error:
        told["refused"] += 1
        print(f"refused: {type(error).__name__}: {str(error)[:120]}", file=sys.stderr)
    finally:
        told["fits"] += 1
        print(told, file=sys.stderr)
        done.set()
        thread.join()


if __name__ == "__main__":
    import distributed

    before = time.time()
    print(killed_fits(distributed, int(sys.argv[1]), 20_000, 24, 1), f"{time.time() - before:.0f} s")
