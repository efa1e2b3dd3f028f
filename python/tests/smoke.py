"""Tries an installed wheel where nothing but NumPy and SciPy is installed: `python -I smoke.py VERSION`. `cargo xtask wheel` runs it."""

from __future__ import annotations

import importlib.metadata
import importlib.resources
import pickle
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import scipy
from scipy import sparse

import landbridge as lb


def main() -> None:
    warnings.simplefilter("error")
    print(f"Python {sys.version.split()[0]}, NumPy {np.__version__}, SciPy {scipy.__version__}, landbridge {lb.__version__}")
    assert lb.__version__ == sys.argv[1] == importlib.metadata.version("landbridge")
    assert "site-packages" in lb.__file__, f"{lb.__file__} is not the installed package"
    assert importlib.resources.files(lb).joinpath("py.typed").is_file()

    # Dense rows: fit, match, new rows, the same after saving, pickling and loading.
    rolls = lb.datasets.swiss_rolls(200, random_state=1)
    a = lb.InstanceAlignment(3).fit(rolls.datasets, rolls.pairs(25))
    index, distance = a.match(source=0, target=1, k=5)
    assert index.shape == distance.shape == (200, 5)
    assert lb.metrics.recall_at_k(*a.embeddings_, k=10) > 0.5
    placed = a.transform(rolls.datasets[1][:7], dataset=1)
    assert np.array_equal(pickle.loads(pickle.dumps(a)).transform(rolls.datasets[1][:7], dataset=1), placed)

    # Sparse rows, single precision, an exported map and a page.
    documents = lb.datasets.bilingual_documents(200, topics=20, length=300)
    assert all(sparse.issparse(d) for d in documents.datasets)
    b = lb.LinearAlignment(15, prepare="log_tfidf").fit(documents.datasets, documents.pairs(100))
    assert lb.metrics.recall_at_k(*b.embeddings_, k=1, metric="cosine") > 0.8
    c = lb.CCA(2).fit([d.astype(np.float32) for d in rolls.datasets], rolls.pairs(100))
    assert np.isfinite(c.embeddings_[0]).all()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        a.save(path / "rolls.lb")
        assert np.array_equal(lb.load(path / "rolls.lb").transform(rolls.datasets[1][:7], dataset=1), placed)
        np.savetxt(path / "rows.csv", rolls.datasets[0], delimiter=",", header="x,y,z", comments="")
        read = lb.read(path / "rows.csv")
        assert read.columns == ["x", "y", "z"] and np.allclose(read.X, rolls.datasets[0])
        for ending in ("onnx", "npz", "json"):
            c.export(path / f"map.{ending}")
            assert (path / f"map.{ending}").stat().st_size > 0
        a.report(path / "page.html")
        assert (path / "page.html").read_text(encoding="utf-8").startswith("<!doctype html>")

    # Errors have their classes; what is not installed is told, not met as an ImportError somewhere inside.
    try:
        lb.CCA(2).fit([np.full((3, 2), np.nan), np.ones((3, 2))], [[0, 0]])
    except lb.DataError as error:
        assert isinstance(error, ValueError)
    else:
        raise AssertionError("rows with NaN were taken")
    try:
        lb.dask.fit(lb.CCA(2), [np.ones((3, 2)), np.ones((3, 2))], [[0, 0]])
    except lb.LandbridgeError as error:
        assert "pip install landbridge[dask]" in str(error), error
    else:
        raise AssertionError("landbridge.dask worked without Dask: this environment is not empty")
    print("the wheel works")


main()
