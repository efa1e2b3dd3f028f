"""The table of costs behind `--plan`, fitted to measured fits.

    cargo run --release -p landbridge --example costs > costs.jsonl
    python benchmarks/costs.py costs.jsonl > costs.txt && mv costs.txt crates/landbridge/src/choose/costs.txt

Methods that were measured again (`--example costs cca clle`) go into the table that is there, with their memory only; their seconds
stay, because they were measured together with those of the others. `--seconds` takes these, too:

    python benchmarks/costs.py costs.jsonl --into crates/landbridge/src/choose/costs.txt [--seconds]

Every stage of every method has a peak of memory and CPU seconds, each a sum of non-negative multiples of a few quantities: rows, stored
values, rows times neighbours, and so on. The multiples minimise the relative error (non-negative least squares).
"""

from __future__ import annotations

import collections
import json
import sys
from pathlib import Path

import numpy as np
from scipy.optimize import nnls


#: Of these neither do the seconds grow with the square of the rows: above 30,000 dense rows the search for neighbours is approximate, and
#: the plan knows where it begins.
GRAPHS = ("instance", "linear", "cle")


def searched(m: dict, n: int) -> int:
    """With how many rows each is compared: above EXACT_LIMIT dense rows the search for neighbours is approximate."""
    return min(n, 30_000) if m["method"] in GRAPHS and not m["sparse"] else n


#: Quantities: name, value from a measured fit, what it is.
TERMS = {
    "one": (lambda m: 1.0, "A constant."),
    "stored": (lambda m: m["stored"], "Stored values of all datasets."),
    "rows": (lambda m: m["N"], "Rows of all datasets."),
    "rows_neighbors": (lambda m: m["N"] * m["k"], "Rows times neighbours."),
    "rows_dimension": (lambda m: m["N"] * m["d"], "Rows times components."),
    "columns_dimension": (lambda m: m["P"] * m["d"], "Columns times components."),
    "features2": (lambda m: m["R"] ** 2, "The square of the features of all datasets; at most as many as rows."),
    "features3": (lambda m: m["R"] ** 3, "Their cube."),
    "rows2": (lambda m: m["N"] ** 2, "The square of the rows of all datasets, or rows times landmarks."),
    "rows_stored": (lambda m: sum(searched(m, n) * s for n, s in zip(m["rows"], m["each"])), "Rows times stored values, dataset by dataset; rows up to those above which dense rows are searched approximately."),
    "rows_searched": (lambda m: sum(searched(m, n) * n for n in m["rows"]), "Rows times the rows that each is compared with, dataset by dataset."),
    "columns2": (lambda m: m["P"] ** 2, "The square of the columns of all datasets."),
    "columns_features": (lambda m: m["P"] * m["R"], "Columns times features."),
    "pairs_columns": (lambda m: m["l"] * m["P"], "Pairs times columns."),
    "pairs2": (lambda m: m["l"] ** 2, "The square of the pairs."),
    "paired2": (lambda m: sum(min(m["l"], p) for p in m["columns"]) ** 2, "The square of the columns, or of the pairs where there are fewer."),
    "stored_dimension": (lambda m: m["stored"] * m["d"], "Stored values times components."),
    "stored_features": (lambda m: sum(s * min(n, p) for n, p, s in zip(m["rows"], m["columns"], m["each"])), "Stored values times features, dataset by dataset."),
    "rows_dimension2": (lambda m: m["N"] * m["d"] ** 2, "Rows times the square of the components."),
}
BYTES = ["one", "stored", "rows", "rows_neighbors", "rows_dimension", "columns_dimension", "features2", "columns2", "columns_features", "rows2", "pairs_columns", "pairs2"]
CPU = ["one", "stored", "columns2", "columns_features", "rows_neighbors", "rows_dimension", "features2", "features3", "rows2", "rows_stored", "pairs_columns", "pairs2", "stored_dimension", "stored_features", "rows_dimension2"]
#: Methods that hold no array of rows times rows or of pairs times pairs. A fit to small data would find a little of each, and predict
#: terabytes for large data.
MAPS = ("instance", "linear", "cle", "cca", "linear_transform", "mean_votes", "popular_votes", "procrustes+none", "procrustes+pca", "procrustes+lsi")
BYTES_OF_MAPS = [term for term in BYTES if term not in ("rows2", "pairs2")] + ["paired2"]


def measured(path: str) -> dict[tuple[str, bool], list[dict]]:
    found = collections.defaultdict(list)
    for line in open(path):
        m = json.loads(line)
        if m["error"] is not None:
            continue
        m["rows"] = [m["n"]] * 2
        m["N"], m["P"] = 2 * m["n"], sum(m["columns"])
        m["R"] = sum(min(m["n"], p) for p in m["columns"])
        m["each"] = [m["stored"] * p / m["P"] for p in m["columns"]]
        if m["method"] in ("self_training", "linear_transform", "pair_similarity", "mean_votes", "popular_votes"):
            m["d"] = 200
        found[m["method"], m["sparse"]].append(m)
    return found


def fitted(runs: list[dict], values: list[float], names: list[str], floor: float) -> list[tuple[str, float]]:
    y = np.maximum(values, floor)
    A = np.array([[TERMS[name][0](m) for name in names] for m in runs], float)
    scale = A.max(axis=0)
    c, _ = nnls(A / scale / y[:, None], np.ones(len(y)))
    return [(name, v / s) for name, v, s in zip(names, c, scale) if v > 0]


def lines(path: str) -> dict[tuple[str, str, str], tuple[str, str]]:
    """The memory and the seconds of every stage, by method, kind and stage."""
    found = {}
    for (method, is_sparse), runs in measured(path).items():
        names = list(dict.fromkeys(stage[0] for m in runs for stage in m["stages"]))
        of_stage = [{s[0]: (s[1], s[2] or 0) for s in m["stages"]} for m in runs]
        largest = max(names, key=lambda n: np.median([stages.get(n, (0, 0))[1] / max(m["peak"], 1) for m, stages in zip(runs, of_stage)]))
        for name in names:
            seconds = [stages.get(name, (0.0, 0))[0] / max(m["wall"], 1e-9) * m["cpu"] for m, stages in zip(runs, of_stage)]
            # The exact peak belongs to the stage that holds most; the others have what was seen while they ran.
            peaks = [m["peak"] if name == largest else stages.get(name, (0, 0))[1] for m, stages in zip(runs, of_stage)]
            bytes_terms = BYTES_OF_MAPS if method in MAPS else BYTES
            cpu_terms = [term for term in CPU if method not in GRAPHS or term not in ("rows2", "pairs2")]
            cpu_terms += ["rows_searched"] * (method in GRAPHS and name == "graphs")
            memory, cpu = (
                " ".join(f"{n}={v:.3e}" for n, v in fitted(runs, values, quantities, floor))
                for values, quantities, floor in ((peaks, bytes_terms, 2e6), (seconds, cpu_terms, 2e-3))
            )
            found[method, "sparse" if is_sparse else "dense", name] = (memory, cpu)
    return found


def main() -> None:
    found = lines(sys.argv[1])
    if sys.argv[2:3] == ["--into"]:
        table = open(sys.argv[3]).read().splitlines()
        for at, line in enumerate(table):
            fields = line.split("\t")
            if len(fields) == 5 and tuple(fields[:3]) in found:
                memory, seconds = found[tuple(fields[:3])]
                table[at] = "\t".join([*fields[:3], memory, seconds if "--seconds" in sys.argv else fields[4]])
        with open(sys.argv[3], "w") as file:
            file.write("\n".join(table) + "\n")
        return
    print("# What fits cost, as measured; written by benchmarks/costs.py. A line is a stage of a method on dense or sparse data: bytes beside the data")
    print("# at its peak, then CPU seconds, as multiples of quantities (choose/plan.rs says what they are).")
    print("# Lines of `+directions`, rows that are reduced to principal directions first, are counted from the arrays that the fit holds; tests/plan.rs compares.")
    for stage, terms in found.items():
        print("\t".join([*stage, *terms]))
    table = Path(__file__).parents[1] / "crates/landbridge/src/choose/costs.txt"
    print("\n".join(line for line in table.read_text().splitlines() if "+directions\t" in line))


if __name__ == "__main__":
    main()
