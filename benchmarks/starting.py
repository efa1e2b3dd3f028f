"""Starting the program: what a call costs before it works. Each side makes several calls and tells the fastest, so that a busy moment of
the machine says little.

`LANDBRIDGE_CLI` names the program; otherwise it is the one that `cargo build --release` makes.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from checks import Wrong
from data import SEED

ROOT = Path(__file__).resolve().parents[1]
CALLS = 15
COMPONENTS = 170


def program() -> str:
    return os.environ.get("LANDBRIDGE_CLI", str(ROOT / "target/release/landbridge"))


def fastest(call: list[str], cwd: str | None = None) -> dict:
    """The call that took least: its seconds, those of the processors, its memory, and what it printed."""
    best = (float("inf"), 0.0, 0.0, "")
    for _ in range(CALLS):
        started = time.perf_counter()
        with subprocess.Popen(call, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as child:
            printed = child.stdout.read()
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            raise RuntimeError(f"{call[0]} ended with exit code {child.returncode}")
        best = min(best, (time.perf_counter() - started, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, printed))
    seconds, cpu, peak, printed = best
    numbers = {name: np.array([value]) for name, value in (("seconds", seconds), ("cpu", cpu), ("peak_mb", peak))}
    return {**numbers, "printed": np.array(printed), "program": True}


def nothing(_: int) -> dict:
    return {"calls": np.array([CALLS])}


def our_version(arrays, threads):
    return lambda: fastest([program(), "--version"])


def numpy_import(arrays, threads):
    return lambda: fastest([sys.executable, "-c", "import numpy; print(numpy.__version__)"])


# ---- one sentence from a model of 100 MB ---------------------------------------------------------------------------


def documents(n: int) -> dict:
    """Words of n documents of 60 words: the same in both languages, in another order."""
    rng = np.random.default_rng(SEED + 31)
    size = 20_000
    law = 1 / (np.arange(size) + 2.7)
    words = np.searchsorted(np.cumsum(law / law.sum()), rng.random((n, 60))).clip(max=size - 1)
    topics = np.stack([rng.permutation(size) for _ in range(40)])
    of = rng.integers(40, size=(n, 1))
    return {"words": np.where(np.arange(60) % 3, topics[of, words], words)}


def text_of(words: np.ndarray, prefix: str) -> str:
    return "".join(" ".join(f"{prefix}{word:x}" for word in row) + "\n" for row in words)


def fitted(arrays) -> str:
    """A folder with a model of both languages."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    words = arrays["words"]
    turned = np.random.default_rng(SEED).permuted(words, axis=1)
    Path(folder, "a.txt").write_text(text_of(words, "wo"))
    Path(folder, "b.txt").write_text(text_of(turned, "le"))
    rows = range(0, len(words), max(1, len(words) // 1000))
    Path(folder, "pairs.csv").write_text("a,b\n" + "".join(f"{i},{i}\n" for i in rows))
    call = [program(), "fit", "cca", "-d", str(COMPONENTS), "--n-principal", str(2 * COMPONENTS), "-q"]
    subprocess.run([*call, "--pairs", "pairs.csv", "a.txt", "b.txt", "-o", "m.lb"], cwd=folder, check=True, capture_output=True)
    return folder


def sentence(arrays) -> str:
    return text_of(arrays["words"][:1, :12], "wo").strip()


def our_sentence(arrays, threads):
    folder = fitted(arrays)
    size = Path(folder, "m.lb").stat().st_size / 1e6

    def work():
        found = fastest([program(), "match", "m.lb", "--from", "a", "--text", sentence(arrays), "-q"], folder)
        return {**found, "model_mb": np.array([size])}

    return work


def numpy_sentence(arrays, threads):
    """The least that a script would do: the place of the sentence is known already, and there is no dictionary to read."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    # As many numbers as the model of 100 MB holds.
    np.save(Path(folder, "rows.npy"), np.random.default_rng(0).standard_normal((100_000_000 // (8 * COMPONENTS), COMPONENTS)))
    script = "import numpy as n; x = n.load('rows.npy'); c = x @ x[7] / n.linalg.norm(x, axis=1); print(n.argpartition(-c, 10)[:10])"
    return lambda: fastest([sys.executable, "-c", script], folder)


def quick_start(limit_ms: float):
    """Says whether our fastest call stayed within the limit; a busy machine is not a wrong answer."""

    def check(arrays, reference, answer, measured) -> str:
        # Of the fastest call alone: the worker measures all of them, and what made the model.
        took = float(answer["seconds"][0]) * 1e3
        measured |= {"wall": took / 1e3, "cpu": float(answer["cpu"][0]), "peak_mb": float(answer["peak_mb"][0]), "before_mb": 0.0}
        if "model_mb" not in answer:
            return f"{took:.1f} ms a call" + (f", limit {limit_ms:.0f} ms" if str(answer["printed"]).startswith("landbridge") else "")
        lines = str(answer["printed"]).splitlines()
        if len(lines) != 11 or lines[1].split(",")[2] != "0":
            raise Wrong("another document was found")
        return f"{took:.1f} ms a call, limit {limit_ms:.0f} ms, model of {float(answer['model_mb'][0]):.0f} MB"

    return check
