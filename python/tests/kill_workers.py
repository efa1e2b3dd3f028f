"""Fits, transforms and matches on a Dask cluster of two processes, one of which is killed (SIGKILL) at a random moment of every round.

``python python/tests/kill_workers.py 50`` goes on until 50 workers were killed during work, and prints how many results had the same
bytes as an undisturbed run, how many ended in an error of Dask's, how many were wrong, and how many gave no answer. A round has
``--seconds`` to answer: then the stacks of all threads are printed, and the work goes on with a new cluster.

A nanny of Dask's gives its worker up for good if it dies while it starts; a cluster that lost both would wait for ever. So workers are
killed only when both have started, and a cluster that does not come back to two workers is given up (``lost``).
"""

import argparse
import contextlib
import faulthandler
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

COUNTS = ("kills", "same", "refused", "wrong", "hung", "lost")


def data(rows, columns, seed):
    import dask.array as da
    import numpy as np

    rng = np.random.default_rng(seed)
    latent = rng.standard_normal((rows, 8))
    views = (latent @ rng.standard_normal((8, columns)) + 0.3 * rng.standard_normal((rows, columns)) for _ in range(2))
    return [da.from_array(v.astype(np.float32), chunks=(max(rows // 40, 1), -1)) for v in views]


def work(arrays, client):
    """The bytes of a model, of the sums of its coordinates, and of matches."""
    import dask
    import numpy as np

    import landbridge as lb

    a = lb.dask.fit(lb.CCA(8), arrays, client=client)
    z = lb.dask.transform(a, arrays[0])
    index, distance = lb.dask.match(a, arrays[0][:200], k=3, y=arrays[1])
    asked = [z.sum(axis=0), index, distance]
    parts = dask.compute(*asked) if client is None else client.gather(client.compute(asked))
    return a._model.to_bytes(), *(np.asarray(p).tobytes() for p in parts)


def rounds(kills, rows, columns, seed):
    """Kills one worker in every round, at a moment that lies within the time of an undisturbed one; a line for each round."""
    import distributed

    faulthandler.register(signal.SIGUSR1, all_threads=True)
    arrays = data(rows, columns, 1)
    expected = work(arrays, None)
    draw = random.Random(seed)
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:
        work(arrays, client)  # imports
        before = time.monotonic()
        assert work(arrays, client) == expected
        calm = time.monotonic() - before
        print(json.dumps({"calm": calm}), flush=True)
        done = 0
        while done < kills:
            if not whole(cluster, 60):
                print(json.dumps({"lost": 1}), flush=True)
                os._exit(0)  # closing such a cluster may wait, too
            told = dict.fromkeys(COUNTS, 0)
            timer = threading.Timer(draw.uniform(0, calm), kill_one, (cluster, draw, told))
            timer.start()
            try:
                told["same" if work(arrays, client) == expected else "wrong"] += 1
            except (distributed.KilledWorker, distributed.client.FutureCancelledError, OSError, RuntimeError) as error:
                told["refused"] += 1
                print(f"refused: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
            timer.cancel()
            timer.join()
            done += told["kills"]
            print(json.dumps(told), flush=True)


def started(cluster):
    """The processes of workers that are up, as the scheduler and their nannies see it."""
    nannies = list(cluster.workers.values())
    is_up = [n.process and n.status.name == n.process.status.name == "running" and n.worker_address in cluster.scheduler.workers for n in nannies]
    return [n.process.pid for n, up in zip(nannies, is_up) if up]


def whole(cluster, seconds):
    """Waits for two workers, for a bounded time."""
    end = time.monotonic() + seconds
    while len(started(cluster)) < 2:
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def kill_one(cluster, draw, told):
    with contextlib.suppress(ProcessLookupError):
        up = started(cluster)
        for pid in draw.sample(up, min(1, len(up))):
            os.kill(pid, signal.SIGKILL)
            told["kills"] += 1


def killed(kills, rows=20_000, columns=24, seed=1, seconds=180.0):
    """The counts of all rounds. Rounds run in a process of their own, which is ended when a round gives no answer."""
    total = dict.fromkeys(COUNTS, 0)
    clusters = 0
    while total["kills"] < kills and total["hung"] + total["lost"] < 10:
        clusters += 1
        call = [sys.executable, __file__, "--rounds", str(kills - total["kills"]), "--rows", str(rows), "--columns", str(columns)]
        child = subprocess.Popen([*call, "--seed", str(seed + clusters)], stdout=subprocess.PIPE, text=True, start_new_session=True)
        heard = [time.monotonic()]

        def listen(child=child, heard=heard):
            for line in child.stdout:
                heard[0] = time.monotonic()
                for name, count in json.loads(line).items():
                    if name in total:
                        total[name] += count
                print(f"{line.strip()} {total}", file=sys.stderr)

        listener = threading.Thread(target=listen)
        listener.start()
        while child.poll() is None and time.monotonic() - heard[0] < seconds:
            time.sleep(0.1)
        if child.poll() is None:
            total["hung"] += 1
            child.send_signal(signal.SIGUSR1)  # where it waits
            time.sleep(2)
        elif child.returncode != 0:
            raise RuntimeError(f"the rounds ended with {child.returncode}")
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)  # workers too
        child.wait()
        listener.join()
    return {**total, "clusters": clusters}


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("kills", nargs="?", type=int, default=50)
    options.add_argument("--rounds", type=int, help=argparse.SUPPRESS)
    options.add_argument("--rows", type=int, default=20_000)
    options.add_argument("--columns", type=int, default=24)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--seconds", type=float, default=180.0)
    given = options.parse_args()
    if given.rounds is not None:
        rounds(given.rounds, given.rows, given.columns, given.seed)
    else:
        start = time.monotonic()
        print(killed(given.kills, given.rows, given.columns, given.seed, given.seconds), f"{time.monotonic() - start:.0f} s")
