"""The recipe for Spark on the page of large data, run as it stands there."""

import sys
from pathlib import Path

import numpy as np
import pytest
from pages import blocks

import landbridge as lb

pytest.importorskip("pyspark")
pd = pytest.importorskip("pandas")
PAGE = Path(__file__).parents[2] / "docs" / "large.md"


def test_the_recipe_of_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAYON_NUM_THREADS", "1")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)  # workers run what the test runs
    found = blocks(PAGE.read_text())
    data = next(b for b in found if b.language == "python" and "to_parquet" in b.text)
    recipe = next(b for b in found if b.reason == "needs Spark")
    names = {}
    exec(compile(data.text, "data", "exec"), names)
    try:
        exec(compile(recipe.text, "recipe", "exec"), names)
        placed = pd.read_parquet("placed-by-spark")
    finally:
        if "spark" in names:
            names["spark"].stop()
    # The same model from other shards, byte for byte, and every row in its place.
    a = names["a"]
    frames = {name: pd.concat([pd.read_parquet(f"{name}-{k}.parquet") for k in range(4)], ignore_index=True) for name in ("en", "it")}
    x, y = (frame.drop(columns="id") for frame in frames.values())
    shards = [lb.Statistics.of({"en": x[k : k + 500], "it": y[k : k + 500]}) for k in range(0, 4000, 500)]
    assert lb.Statistics.merge(shards).solve(lb.CCA(10))._model.to_bytes() == a._model.to_bytes()
    z = placed.set_index("id").loc[frames["en"]["id"]].to_numpy()
    np.testing.assert_array_equal(z, a.transform(x, "en"))
