"""Runs sides in fresh processes, compares their answers, and keeps the table."""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

import checks
import data
from tasks import Row

HERE = Path(__file__).resolve().parent
THREAD_VARIABLES = (
    "OPENBLAS_NUM_THREADS",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "RAYON_NUM_THREADS",
    "POLARS_MAX_THREADS",
)
PACKAGES = ("landbridge", "numpy", "scipy", "scikit-learn", "faiss-cpu", "polars", "pynndescent", "numba")


class TimedOut(Exception):
    pass


class SideFailed(Exception):
    pass


def run_side(row: Row, side: str, arrays: Path, scratch: Path, threads: int, timeout: float | None) -> tuple:
    """One run of one side in its own process: (measurements, answer)."""
    with tempfile.TemporaryDirectory(dir=scratch) as folder:
        job = {
            "row": row.name,
            "side": side,
            "data": str(arrays),
            "threads": threads,
            "answer": f"{folder}/answer",
            "report": f"{folder}/report.json",
        }
        environment = os.environ | {name: str(threads) for name in THREAD_VARIABLES}
        command = [sys.executable, str(HERE / "worker.py"), json.dumps(job)]
        try:
            done = subprocess.run(command, env=environment, timeout=timeout, capture_output=True, text=True)
        except subprocess.TimeoutExpired:
            raise TimedOut from None
        if done.returncode != 0:
            last_words = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
            raise SideFailed(last_words[0] + f" (exit code {done.returncode})")
        return json.loads(Path(job["report"]).read_text()), data.load(Path(job["answer"]))


def measure(row: Row, cache: Path, quick: bool, threads: int, repeats: int, peers_only: bool, say) -> dict:
    """All sides of a row, interleaved; per side the fastest run, its answer checked every time."""
    size = row.quick_size if quick else row.size
    folder = cache / f"{row.name}-{size}"
    if not folder.exists():
        say(f"{row.name}: making data")
        data.save(row.make(size), folder)
    arrays = data.load(folder)
    reference = None
    if row.reference is not None:
        truth = cache / f"{row.name}-{size}-reference"
        if not truth.exists():
            say(f"{row.name}: computing the reference")
            data.save(run_side(row, "reference", folder, cache, threads, None)[1], truth)
        reference = data.load(truth)

    sides = ([] if peers_only else [row.side("ours")]) + list(row.peers)
    kept = {side.name: {"runs": 0} for side in sides}
    for turn in range(repeats):
        answers = {}
        for side in sides:
            best = kept[side.name]
            if turn >= (side.most_repeats or repeats) or "failed" in best or "over" in best:
                continue
            try:
                measured, answer = run_side(row, side.name, folder, cache, threads, side.timeout)
                sentence = row.check(arrays, reference, answer, measured)
                if row.agree is not None and turn == 0:
                    answers[side.name] = answer
                    if "ours" in answers and side.name != "ours":
                        row.agree(arrays, answers["ours"], answer)
            except TimedOut:
                best["over"] = side.timeout
                say(f"  {side.name}: over {side.timeout:.0f} s")
                continue
            except (SideFailed, checks.Wrong) as failure:
                best["failed"] = str(failure)
                say(f"  {side.name}: FAILED: {failure}")
                continue
            say(
                f"  {side.name}: {measured['wall']:.3f} s wall, {measured['cpu']:.3f} s cpu, peak {measured['peak_mb']:.0f} MB "
                f"(+{measured['peak_mb'] - measured['before_mb']:.0f}), {sentence}, load {os.getloadavg()[0]:.1f}"
            )
            best["runs"] += 1
            best["check"] = sentence
            best["peak_mb"] = max(measured["peak_mb"], best.get("peak_mb", 0))
            best["more_mb"] = max(measured["peak_mb"] - measured["before_mb"], best.get("more_mb", 0))
            if measured["wall"] < best.get("wall", float("inf")):
                best["wall"], best["cpu"] = measured["wall"], measured["cpu"]
    return kept


def table_rows(row: Row, kept: dict, threads: int, load: float) -> list[dict]:
    """One line of the table per peer (or one without a peer)."""
    mine = kept.get("ours")
    lines = []
    for peer in row.peers or (None,):
        theirs = kept[peer.name] if peer else None
        line = {
            "row": row.name,
            "task": row.task,
            "peer": peer.name if peer else None,
            "bar": peer.bar if peer else None,
            "memory_bar": peer.memory_bar if peer else None,
            "peer_side": theirs,
            "our_side": mine,
            "threads": threads,
            "load_before": round(load, 2),
            "date": date.today().isoformat(),
        }
        failures = [f"{who}: {side['failed']}" for who, side in (("ours", mine), ("peer", theirs)) if side and "failed" in side]
        line["failed"] = "; ".join(failures) or None
        lines.append(line)
    return lines


def ratio(line: dict) -> float | None:
    """Peer's time over ours; a lower bound when the peer ran out of time."""
    mine, theirs = line["our_side"], line["peer_side"]
    if not mine or not theirs or "wall" not in mine:
        return None
    time = theirs.get("wall", theirs.get("over"))
    return None if time is None else time / mine["wall"]


def bars_met(line: dict) -> bool | None:
    """None where nothing can be said."""
    if line["bar"] is None or ratio(line) is None:
        return None
    enough = ratio(line) >= line["bar"]
    if line["memory_bar"] is not None and "more_mb" in line["peer_side"]:
        enough = enough and line["our_side"]["more_mb"] <= line["memory_bar"] * line["peer_side"]["more_mb"]
    return enough


# ---- the table ----------------------------------------------------------------------------------------------------

COLUMNS = ("row", "task", "peer", "peer s", "ours s", "ratio", "bar", "peer peak MB", "our peak MB", "check")


def cells(line: dict) -> tuple[str, ...]:
    def seconds(side):
        if not side:
            return "-"
        if "over" in side:
            return f"> {side['over']:.0f}"
        return f"{side['wall']:.3g}" if "wall" in side else "-"

    def peak(side):
        return f"{side['peak_mb']:.0f} (+{side['more_mb']:.0f})" if side and "wall" in side else "-"

    mine, theirs = line["our_side"], line["peer_side"]
    times = ratio(line)
    bar = "-" if line["bar"] is None else f">= {line['bar']:g}"
    if line["memory_bar"] is not None:
        bar += f", memory <= {line['memory_bar']:g}"
    met = bars_met(line)
    if met is not None:
        bar += " (met)" if met else " (MISSED)"
    if line["failed"]:
        check = "FAILED: " + line["failed"]
    else:
        said = [f"{who} {side['check']}" for who, side in (("ours", mine), ("peer", theirs)) if side and "check" in side]
        check = "; ".join(said)
    return (
        line["row"],
        line["task"],
        line["peer"] or "-",
        seconds(theirs),
        seconds(mine),
        "-" if times is None else ("> " if "over" in theirs else "") + f"{times:.2f}",
        bar,
        peak(theirs),
        peak(mine),
        check,
    )


def terminal_table(lines: list[dict]) -> str:
    rows = [tuple(c for i, c in enumerate(r) if i != 1) for r in (COLUMNS, *map(cells, lines))]
    widths = [max(len(r[i]) for r in rows) for i in range(len(rows[0]))]
    return "\n".join("  ".join(c.ljust(w) for c, w in zip(r, widths)).rstrip() for r in rows)


def cpu_model() -> str:
    facts = dict(
        (part.strip() for part in line.split(":", 1))
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if ":" in line
    )
    name = facts.get("model name", "unknown")
    wide = "AVX-512" if "avx512f" in facts.get("flags", "") else "AVX2" if "avx2" in facts.get("flags", "") else "SSE2"
    return f"{name}, family {facts.get('cpu family', '?')} model {facts.get('model', '?')}, {wide}"


def versions() -> dict[str, str]:
    found = {"python": ".".join(map(str, sys.version_info[:3]))}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


def write_results(lines: list[dict], row_order: list[str]) -> None:
    """Merge into results.json by row and peer, then rewrite RESULTS.md from it."""
    store = HERE / "results.json"
    known = json.loads(store.read_text())["rows"] if store.exists() else []
    fresh = {line["row"] for line in lines}
    machine = {"cpu": cpu_model(), "cores": os.cpu_count()}
    used = versions()
    merged = [line for line in known if line["row"] not in fresh and line["row"] in row_order]
    merged += [line | {"machine": machine, "versions": used} for line in lines]
    merged.sort(key=lambda line: row_order.index(line["row"]))
    replace(store, json.dumps({"rows": merged}, indent=1) + "\n")
    replace(HERE / "RESULTS.md", results_page(merged))


def results_page(lines: list[dict]) -> str:
    """Rows measured on different days, machines or versions stand in tables of their own."""
    groups: dict[str, list[dict]] = {}
    for line in lines:
        key = json.dumps([line["machine"], line["versions"], line["threads"]])
        groups.setdefault(key, []).append(line)
    page = [
        "# Results",
        "",
        "Written by `benchmarks/run.py`; do not edit. How to read it: [README.md](README.md).",
        "Remake all rows with",
        "",
        "```",
        "pip install . -r benchmarks/requirements.txt",
        "python benchmarks/run.py --large",
        "```",
        "",
        "Seconds are wall time, the fastest of the runs. Peak MB is the highest resident memory of the process, and",
        "in brackets its increase over the moment after imports and loading the data; memory bars compare the increases.",
    ]
    for group in groups.values():
        machine, used = group[0]["machine"], group[0]["versions"]
        dates = sorted({line["date"] for line in group})
        page += [
            "",
            f"- CPU: {machine['cpu']}, {machine['cores']} cores; {group[0]['threads']} threads on both sides",
            "- versions: " + ", ".join(f"{name} {version}" for name, version in used.items()),
            f"- date: {' to '.join(dict.fromkeys((dates[0], dates[-1])))}; "
            f"load before the rows: up to {max(line['load_before'] for line in group):.1f}",
            "",
            "| " + " | ".join(COLUMNS) + " |",
            "|" + "---|" * len(COLUMNS),
        ]
        page += ["| " + " | ".join(cell.replace("|", "\\|") for cell in cells(line)) + " |" for line in group]
    return "\n".join(page) + "\n"


def replace(path: Path, text: str) -> None:
    part = path.with_name(path.name + ".part")
    part.write_text(text)
    part.replace(path)
