"""A hundred generated calls through both doors, the command line and Python: the same model, the same warnings."""

from __future__ import annotations

import json
import subprocess
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import io, sparse

import landbridge as lb

from test_doors import PROGRAM, call

ad = pytest.importorskip("anndata")
pytest.importorskip("pyarrow")
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="the command line is not built")

N = 60
NAMED = ("csv", "tsv", "parquet", "arrow", "h5ad")
FORMATS = ("csv", "tsv", "npy", "npz", "mtx", "parquet", "arrow", "h5ad")
METHODS = [
    ("linear", lb.LinearAlignment, {"n_components": 2, "n_neighbors": 6}),
    ("cca", lb.CCA, {"n_components": 2}),
    ("linear-transform", lb.LinearTransform, {}),
    ("instance", lb.InstanceAlignment, {"n_components": 2, "n_neighbors": 6}),
]


def write(path, kind, X, ids, columns, labels):
    """A table in a file of that format, with what of its names the format can hold."""
    if kind == "npy":
        return np.save(path, X)
    if kind == "npz":
        return np.savez(path, X=X)
    if kind == "mtx":
        return io.mmwrite(path, sparse.coo_array(X))
    if kind == "h5ad":
        table = ad.AnnData(X)
        table.obs_names = ids if ids is not None else [str(i) for i in range(len(X))]
        table.var_names = columns
        if labels is not None:
            table.obs["kind"] = labels
        return table.write_h5ad(path)
    table = pd.DataFrame(X, columns=columns)
    if ids is not None:
        table.insert(0, "id", ids)
    if labels is not None:
        table["kind"] = labels
    if kind == "parquet":
        return table.to_parquet(path, index=False)
    if kind == "arrow":
        return table.to_feather(path, compression="uncompressed")
    return table.to_csv(path, index=False, sep="\t" if kind == "tsv" else ",")


class Case:
    """One generated call: two files, a file of pairs, new rows, and how they are spelled."""

    def __init__(self, folder, seed):
        rng = np.random.default_rng(seed)
        self.folder, self.method = folder, METHODS[seed % len(METHODS)]
        latent = rng.standard_normal((N, 3))
        self.files, self.options, self.ids, self.kinds = {}, {}, {}, {}
        for side, p in (("a", 5), ("b", 4)):
            kind = str(rng.choice(FORMATS))
            X = latent @ rng.standard_normal((3, p)) + 0.1 * rng.standard_normal((N, p))
            columns = [f"{side}{j}" for j in range(p)]
            ids = [f"{side}-{i}" for i in range(N)] if kind in NAMED and (rng.random() < 0.7 or kind == "h5ad") else None
            labels = [["x", "y", "z"][i % 3] for i in range(N)] if kind in NAMED and rng.random() < 0.5 else None
            own = [] if labels is None else ["label_column=kind"]
            if kind in ("csv", "tsv", "parquet", "npy") and rng.random() < 0.4:
                X[rng.choice(N, 3, replace=False), rng.integers(p)] = np.nan
                own.append(f"missing={rng.choice(['drop', 'mean', 'zero'])}")
            if kind in ("npy", "npz") and rng.random() < 0.5:
                X = X.astype(np.float32)
            if kind == "npz":
                own.append("key=X")
            write(folder / f"{side}.{kind}", kind, X, ids, columns, labels)
            self.files[side], self.ids[side], self.kinds[side] = f"{side}.{kind}", ids, kind
            self.options[side] = own
        # New rows: the first of `a`, its columns perhaps turned round, perhaps with one more.
        kind, p = self.kinds["a"], 5
        X = latent[:4] @ rng.standard_normal((3, p))
        columns = [f"a{j}" for j in range(p)]
        turned = kind in NAMED and rng.random() < 0.6
        if turned:
            X, columns = X[:, ::-1], columns[::-1]
        if kind in NAMED and rng.random() < 0.3:
            X, columns = np.column_stack([X, X[:, 0]]), [*columns, "extra"]
        self.new = f"new.{kind}"
        write(folder / self.new, kind, np.ascontiguousarray(X), self.ids["a"] and self.ids["a"][:4], columns, None)
        self.new_options = ["key=X"] if kind == "npz" else []
        self._pairs(rng)

    def _pairs(self, rng):
        rows = np.sort(rng.choice(N, 30, replace=False))
        both = np.column_stack([rows, rows])
        by_name = all(self.ids[s] is not None for s in "ab")
        form = str(rng.choice(["csv", "tsv", "npy", "parquet", "weights"] + (["names", "frame"] if by_name else [])))
        named = {s: [self.ids[s][i] for i in rows] for s in "ab"} if by_name and rng.random() < 0.7 or form in ("names", "frame") else None
        table = pd.DataFrame(named if named is not None else {"a": rows, "b": rows})
        self.in_memory = None
        if form == "npy":
            self.pairs = "pairs.npy"
            np.save(self.folder / self.pairs, both)
        elif form == "parquet":
            self.pairs = "pairs.parquet"
            table[["b", "a"]].to_parquet(self.folder / self.pairs, index=False)
        else:
            if form == "weights":
                table["weight"] = np.linspace(0.5, 2, len(table))
            self.pairs = "pairs.tsv" if form == "tsv" else "pairs.csv"
            table.to_csv(self.folder / self.pairs, index=False, sep="\t" if form == "tsv" else ",")
            # In memory, names of rows that were dropped are unknown; the file has the numbers of its rows.
            if form == "names" and not self._drops():
                self.in_memory = list(zip(named["a"], named["b"]))
            elif form == "frame" and not self._drops():
                self.in_memory = table

    def _drops(self):
        return any("missing=drop" in self.options[s] for s in "ab")

    def spelled(self, side):
        return ":".join([self.files[side], ",".join(self.options[side])]) if self.options[side] else self.files[side]


def read(folder, name, options, behind):
    """By options behind the name, or by keywords."""
    if behind and options:
        return lb.read(f"{folder / name}:{','.join(options)}")
    return lb.read(folder / name, **dict(o.split("=") for o in options))


@pytest.mark.parametrize("seed", range(100))
def test_generated_calls(tmp_path, seed):
    case = Case(tmp_path, seed)
    name, cls, params = case.method
    options = [part for k, v in params.items() for part in ("--" + k.replace("_", "-"), str(v))]
    files = [case.spelled("a"), case.spelled("b")]
    said = call(tmp_path, "fit", name, *options, "--pairs", case.pairs, *files, "-o", "cli.lb", "--json")
    assert said.returncode == 0, said.stderr
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data = {s: read(tmp_path, case.files[s], case.options[s], seed % 2 == 0) for s in "ab"}
        pairs = lb.read_pairs(tmp_path / case.pairs, data) if seed % 3 else str(tmp_path / case.pairs)
        if case.in_memory is not None:
            pairs = case.in_memory
        fitted = cls(**params).fit(data, pairs)
    fitted.save(tmp_path / "python.lb")
    told = json.loads(said.stdout)
    assert told["outcome"]["warnings_text"] == list(fitted.outcome_.warnings)
    assert [str(w.message) for w in caught if w.category is lb.AlignmentWarning] == list(fitted.outcome_.warnings)
    assert (tmp_path / "cli.lb").read_bytes() == (tmp_path / "python.lb").read_bytes()
    assert [d["labels"] for d in told["datasets"]] == [labels is not None for labels in fitted.labels_]

    new = case.new + ("" if not case.new_options else ":" + ",".join(case.new_options))
    said = subprocess.run(
        [PROGRAM, "transform", "cli.lb", new, "--dataset", "a", "-o", "z.npy"], cwd=tmp_path, capture_output=True, text=True
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            z = fitted.transform(read(tmp_path, case.new, case.new_options, seed % 2 == 1), "a")
        except lb.LandbridgeError as error:
            # Refused by both, with the same words.
            assert said.returncode == 1 and said.stderr.splitlines()[0].removeprefix("error: ") in str(error)
            return
    assert said.returncode == 0, said.stderr
    told = [line.removeprefix("warning: ") for line in said.stderr.splitlines() if line.startswith("warning: ")]
    assert told == [str(w.message) for w in caught if w.category is lb.AlignmentWarning]
    assert (np.load(tmp_path / "z.npy") == z).all()
