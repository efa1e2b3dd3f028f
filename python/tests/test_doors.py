"""The command line and Python are two doors to one library: same bytes, same words."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import landbridge as lb

BUILT = Path(__file__).parents[2] / "target" / "release" / "landbridge"
PROGRAM = os.environ.get("LANDBRIDGE_CLI") or (str(BUILT) if BUILT.is_file() else shutil.which("landbridge"))
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="the command line is not built")


def call(folder, *args):
    return subprocess.run([PROGRAM, *map(str, args)], cwd=folder, capture_output=True, text=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two noisy views of 80 rows, of 6 and 5 columns, with ids; 30 pairs by id."""
    folder = tmp_path_factory.mktemp("doors")
    rng = np.random.default_rng(3)
    latent = np.sort(rng.random((80, 2)), axis=0)
    for name, columns in (("a", 6), ("b", 5)):
        rows = np.tanh(latent @ rng.standard_normal((2, columns))) + 0.01 * rng.standard_normal((80, columns))
        lines = ["id," + ",".join(f"{name}{j}" for j in range(columns))]
        lines += [f"{name}-{i}," + ",".join(repr(float(v)) for v in row) for i, row in enumerate(rows)]
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
    (folder / "pairs.csv").write_text("a,b\n" + "".join(f"a-{i},b-{i}\n" for i in range(0, 60, 2)))
    return folder


def data(folder):
    return {name: lb.read(folder / f"{name}.csv") for name in "ab"}


def pairs():
    return np.column_stack([np.arange(0, 60, 2)] * 2)


CALLS = [
    (lb.LinearAlignment, {"n_components": 2}),
    (lb.LinearAlignment, {"n_components": 2, "mu": 1.0, "balance": False, "ridge": 0.0}),
    (lb.LinearAlignment, {"n_components": 3, "constraint": "identity", "prepare": "standardize", "ridge": 0.5}),
    (lb.LinearAlignment, {"n_components": 2, "weights": "binary", "n_neighbors": 5, "weight_components": False}),
    (lb.CCA, {"n_components": 3}),
    (lb.CCA, {"n_components": 2, "ridge": 0.0, "prepare": "unit_center"}),
    (lb.CCA, {"n_components": 2, "n_principal": 3, "random_state": 7}),
    (lb.LinearTransform, {}),
    (lb.LinearTransform, {"ridge": 0.25, "prepare": None}),
    (lb.PairSimilarity, {}),
    (lb.InstanceAlignment, {"n_components": 3}),
    (lb.InstanceAlignment, {"n_components": 2, "hard": True, "normalized": False}),
    (lb.InstanceAlignment, {"n_components": 2, "metric": "cosine", "weights": "local", "search": "exact"}),
    (lb.InstanceAlignment, {"n_components": 2, "heat_width": 0.5, "nu": 2.0, "tolerance": 1e-7}),
    (lb.CLE, {"n_components": 2, "n_neighbors_embed": 4}),
    (lb.CLLE, {"n_components": 2, "ridge": 0.01, "predictor": "local"}),
    (lb.LAMVU, {"n_components": 2, "n_neighbors": 6, "constraints": "shrink", "n_functions": 10}),
    (lb.GlobalAlignment, {"n_components": 2, "level": "instance"}),
    (lb.GlobalAlignment, {"n_components": 2, "distance": "euclidean", "ridge": 0.1, "psd": True}),
    (lb.GlobalAlignment, {"n_components": 2, "landmarks": 20, "random_state": 3}),
    (lb.SparseAlignment, {"n_components": 2, "alpha": 0.05}),
    (lb.SparseAlignment, {"n_components": 2, "penalty": "elastic_net", "beta": 0.2, "relative": False, "alpha": 1e-3}),
    (lb.SparseAlignment, {"n_components": 2, "penalty": "fused", "refit": 0.1}),
    (lb.MultiscaleAlignment, {"precision": 1e-3, "max_levels": 3}),
    (lb.MultiscaleAlignment, {"level": "instance", "precision": 1e-2}),
    (lb.ProcrustesAlignment, {"n_components": 2, "embedding": "isomap", "n_neighbors": 6}),
    (lb.ProcrustesAlignment, {"n_components": 2, "embedding": "pca", "scaling": False, "reflection": False}),
    (lb.AffineAlignment, {"n_components": 2, "embedding": "lpp", "ridge": 0.01, "embedding_ridge": 0.2}),
    (lb.MeanVotes, {"known": "all", "unseen": "overall"}),
    (lb.PopularVotes, {}),
    (lb.SelfTraining, {"max_runs": 2, "steps": 5}),
    (lb.SelfTraining, {"base": lb.CCA(2, ridge=0.5), "max_runs": 1, "good": 0.5}),
]


def typed(value):
    return f"{value._method}:" + ",".join(
        f"{k}={v}" for k, v in value.get_params(deep=False).items() if k in ("n_components", "ridge")
    )


def options(params):
    for name, value in params.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            yield option
        elif value is False:
            if name == "weight_components":
                yield from (option, "false")
            else:
                yield "--no-" + option[2:]
        elif value is None:
            yield from (option, "none")
        elif isinstance(value, lb.Alignment):
            yield from (option, typed(value))
        else:
            yield from (option, str(value).replace("_", "-") if isinstance(value, str) else repr(value))


@pytest.mark.parametrize(("cls", "params"), CALLS, ids=[f"{c.__name__}-{i}" for i, (c, _) in enumerate(CALLS)])
@pytest.mark.filterwarnings("ignore::landbridge.AlignmentWarning")
def test_both_doors_write_the_same_model(folder, cls, params):
    method = cls._method.replace("_", "-")
    said = call(folder, "fit", method, *options(params), "--pairs", "pairs.csv", "a.csv", "b.csv", "-o", "cli.lb", "--json")
    fitted = cls(**params).fit(data(folder), pairs())
    assert said.returncode == 0, said.stderr
    fitted.save(folder / "python.lb")
    assert (folder / "cli.lb").read_bytes() == (folder / "python.lb").read_bytes()
    assert json.loads(said.stdout)["outcome"]["warnings_text"] == list(fitted.outcome_.warnings)
    assert lb.load(folder / "cli.lb").get_params().keys() == cls(**params).get_params().keys()


REFUSED = [
    (lb.LinearAlignment, {"n_components": 0}),
    (lb.LinearAlignment, {"n_components": 2, "mu": -1.0}),
    (lb.LinearAlignment, {"n_components": 2, "n_neighbors": 80}),
    (lb.InstanceAlignment, {"n_components": 500}),
    (lb.CCA, {"n_components": 2, "n_principal": 0}),
    (lb.SparseAlignment, {"n_components": 2, "beta": 0.5}),
    (lb.SelfTraining, {"good": 2.0}),
]


@pytest.mark.parametrize(("cls", "params"), REFUSED, ids=[f"{c.__name__}-{i}" for i, (c, _) in enumerate(REFUSED)])
def test_both_doors_refuse_with_the_same_words(folder, cls, params):
    method = cls._method.replace("_", "-")
    said = call(folder, "fit", method, *options(params), "--pairs", "pairs.csv", "a.csv", "b.csv", "-o", "no.lb", "--json")
    assert said.returncode in (1, 2) and not (folder / "no.lb").exists()
    with pytest.raises(lb.LandbridgeError) as caught:
        cls(**params).fit(data(folder), pairs())
    # Python shows the value as Python writes it: -1.0 where the command line has -1.
    assert json.loads(said.stderr)["error"]["message"] in str(caught.value).replace(".0;", ";")


NO_EFFECT = [
    (lb.InstanceAlignment, {"n_components": 2, "heat_width": 1.0, "weights": "binary"}),
    (lb.InstanceAlignment, {"n_components": 2, "hard": True, "mu": 3.0}),
    (lb.GlobalAlignment, {"n_components": 2, "distance": "euclidean", "n_neighbors": 5}),
]


@pytest.mark.parametrize(("cls", "params"), NO_EFFECT)
def test_a_parameter_without_effect_is_told(folder, cls, params):
    """The command line knows that the option was typed, and refuses it; Python warns."""
    method = cls._method.replace("_", "-")
    said = call(folder, "fit", method, *options(params), "--pairs", "pairs.csv", "a.csv", "b.csv", "-o", "no.lb", "--json")
    message = json.loads(said.stderr)["error"]["message"]
    assert said.returncode == 2 and "has no effect" in message
    with pytest.warns(lb.AlignmentWarning, match="has no effect") as caught:
        cls(**params).fit(data(folder), pairs())
    assert any(message.split("has no effect")[1] in str(w.message) for w in caught)


def test_both_doors_apply_a_model_alike(folder):
    call(folder, "fit", "cca", "-d", "2", "--pairs", "pairs.csv", "a.csv", "b.csv", "-o", "m.lb.gz")
    model = lb.load(folder / "m.lb.gz")
    call(folder, "transform", "m.lb.gz", "a.csv", "--dataset", "a", "-o", "z.npy")
    assert (np.load(folder / "z.npy") == model.transform(lb.read(folder / "a.csv"), "a")).all()
    call(folder, "predict", "m.lb.gz", "a.csv", "--from", "a", "--to", "b", "-o", "p.npy")
    assert (np.load(folder / "p.npy") == model.predict(lb.read(folder / "a.csv"), "a", "b")).all()
    said = call(folder, "match", "m.lb.gz", "--from", "a", "--to", "b", "-k", "3", "--json")
    assert said.returncode == 0
    model.save(folder / "n.lb.zst")
    assert call(folder, "match", "n.lb.zst", "--from", "a", "--to", "b", "-k", "3", "--json").stdout == said.stdout
