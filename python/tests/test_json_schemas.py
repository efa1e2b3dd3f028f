"""The schemas of `--json` in docs/reference are those of real outputs. `LANDBRIDGE_WRITE_API=1` writes them."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from test_doors import PROGRAM

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="the command line is not built")
REFERENCE = Path(__file__).parents[2] / "docs" / "reference"
#: Objects whose names are data: parameters of a method, stages, labels, names of datasets.
NAMED_BY_DATA = {"params", "best", "seconds", "counts", "features", "words"}
#: Objects that several commands print, described once.
SHARED = ("bridge", "outcome", "selection")
#: Commands that print something else than a result.
WITHOUT = {"completions", "help"}

D = "x.csv y.csv --label-column kind"
#: Each command as often as it takes to see its fields filled and empty.
CALLS = [
    f"inspect {D}",
    "methods",
    f"fit cca -d 3 --pairs p.csv {D} -o m.lb",
    f"fit linear -d 3 --pairs p.csv --trust {D} -o l.lb",
    "fit multiscale --precision 0.01 --pairs n.csv n.npy o.npy -o s.lb",
    f"fit global -d 2 --pairs p.csv {D} -o g.lb",
    f"fit self-training --pairs p.csv {D} -o t.lb",
    "inspect n.npy m.lb",
    f"align --pairs p.csv {D} -o a.lb",
    "align n.npy o.npy --force -o a.lb",
    f"bridge --pairs p.csv {D} -o b.lb",
    f"compare --pairs p.csv --methods cca:n_components=1|2,instance:n_components=2,n_neighbors=500 {D}",
    f"tune --pairs p.csv --method cca:n_components=2 --n-trials 3 {D}",
    f"check --pairs w.csv {D}",
    "transform m.lb x.csv --label-column kind --dataset x -o z.csv",
    "predict m.lb x.csv --label-column kind --from x --to y -o q.csv",
    "match m.lb --from x --to y -k 2",
    "match s.lb --from n --to o",
    "match l.lb --from x --to y --min-confidence 0.5",
    "labels m.lb --from x --to y",
    "labels m.lb --from x --to y -k 60 --min-probability 1",
    "features m.lb",
    "evaluate m.lb --truth t.csv",
    "plot m.lb -o m.svg",
    "report m.lb -o m.html",
    "export m.lb --dataset x -o m.json",
    "check-drift b.lb x.csv --label-column kind",
    "embed pca -d 2 x.csv --label-column kind -o e.csv",
    "embed isomap -d 2 n.npy -o e.npy --save e.lb",
    f"stats --pairs p.csv {D} -o s.stats",
    "merge s.stats -o all.stats",
    "solve cca -d 2 all.stats -o v.lb",
    "topics s.lb --topics u.npy,v.npy",
    "demo protein",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("schemas")
    rng = np.random.default_rng(0)
    latent = rng.normal(size=(120, 3))
    kind = np.where(latent[:, 0] > 0, "a", "b")
    rows = {name: latent @ rng.normal(size=(3, p)) + 0.01 * rng.normal(size=(120, p)) for name, p in (("x", 6), ("y", 5))}
    for name, X in rows.items():
        lines = [f"id,{','.join(f'{name}{j}' for j in range(X.shape[1]))},kind"]
        lines += [f"r{i},{','.join(f'{v:.4f}' for v in row)},{kind[i]}" for i, row in enumerate(X)]
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")
    np.save(folder / "n.npy", rows["x"])
    np.save(folder / "o.npy", rows["y"])
    np.save(folder / "u.npy", rng.random((6, 20)))
    np.save(folder / "v.npy", rng.random((5, 20)))
    for name, pairs in (("p", range(60)), ("t", range(120))):
        (folder / f"{name}.csv").write_text("x,y\n" + "".join(f"r{i},r{i}\n" for i in pairs))
    (folder / "n.csv").write_text("".join(f"{i},{i}\n" for i in range(60)))
    wrong = {3: 50, 50: 3}
    (folder / "w.csv").write_text("x,y\n" + "".join(f"r{i},r{wrong.get(i, i)}\n" for i in range(60)))
    return folder


def schema_of(value, name=""):
    """A JSON Schema that the value has."""
    if isinstance(value, dict):
        parts = {key: schema_of(one, key) for key, one in value.items()}
        if name in NAMED_BY_DATA:
            return {"type": {"object"}, "values": merged(list(parts.values()))}
        return {"type": {"object"}, "properties": parts, "required": set(parts)}
    if isinstance(value, list):
        return {"type": {"array"}, "items": merged([schema_of(one) for one in value])}
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}
    return {"type": {kinds[type(value)]}}


def merged(schemas):
    """The schema of values that have one of these."""
    out = {"type": set().union(*(s["type"] for s in schemas))} if schemas else {"type": set()}
    if "number" in out["type"]:
        out["type"].discard("integer")
    out.update({"shared": s["shared"] for s in schemas if "shared" in s})
    objects = [s for s in schemas if "properties" in s]
    if objects:
        names = dict.fromkeys(name for s in objects for name in s["properties"])
        out["properties"] = {name: merged([s["properties"][name] for s in objects if name in s["properties"]]) for name in names}
        out["required"] = set.intersection(*(s["required"] for s in objects))
    for part in ("items", "values"):
        inner = [s[part] for s in schemas if part in s]
        if inner:
            out[part] = merged(inner)
    return out


def taken_out(schema, shared):
    """The schema with references to shared objects, which are collected."""
    out = dict(schema)
    if "properties" in schema:
        out["properties"] = {}
        for name, one in schema["properties"].items():
            inner = taken_out(one, shared)
            if name in SHARED and "properties" in inner:
                shared.setdefault(name, []).append(inner)
                inner = {"type": inner["type"], "shared": name}
            out["properties"][name] = inner
    for part in ("items", "values"):
        if part in schema:
            out[part] = taken_out(schema[part], shared)
    return out


def as_json(schema):
    """With lists in a fixed order, and the words of JSON Schema."""
    if "shared" in schema:
        return {"$ref": f"#/$defs/{schema['shared']}"}
    kinds = sorted(schema["type"])
    out = {} if kinds in ([], ["null"]) else {"type": kinds[0] if len(kinds) == 1 else kinds}
    if "properties" in schema:
        out["properties"] = {name: as_json(one) for name, one in schema["properties"].items()}
        out["required"] = [name for name in schema["properties"] if name in schema["required"]]
    for part, word in (("items", "items"), ("values", "additionalProperties")):
        if schema.get(part, {}).get("type"):
            out[word] = as_json(schema[part])
    return out


def lines(schema, path=""):
    """A line of the table for each field: its name, and what it holds."""
    for name, one in schema.get("properties", {}).items():
        if "$ref" in one:
            yield f"{path}{name}", f"[the object {name}](#the-object-{name})", name in schema["required"]
            continue
        at, told = f"{path}{name}", one
        kinds = one.get("type", [])
        words = list([kinds] if isinstance(kinds, str) else kinds)
        while "items" in told and "array" in words:
            at, told = f"{at}[]", told["items"]
            inner = told.get("type", [])
            words = [w for w in words if w != "array"] + [w for w in ([inner] if isinstance(inner, str) else inner) if w not in words]
        if "additionalProperties" in told:
            at, told = f"{at}.*", told["additionalProperties"]
            inner = told.get("type", [])
            words = [w for w in words if w != "object"] + list([inner] if isinstance(inner, str) else inner)
        if set(told.get("properties", ())) == {"value", "low", "high"}:
            yield at, " or ".join(["value, low, high"] + ["null"] * ("null" in words)), name in schema["required"]
            continue
        here = [w for w in dict.fromkeys(words) if not (w == "object" and "properties" in told)]
        if here or "properties" not in told:
            yield at, " or ".join(here) or "null, or something else", name in schema["required"]
        yield from lines(told, f"{at}.")


PAGE = """# Fields of `--json`

What each command prints with `--json`, field by field. `[]` is a list, `.*` an object whose names are data (parameters, stages, labels, datasets). "sometimes" marks a field that only some calls have. "value, low, high" is an object of three numbers: an estimate and its 95 % interval. "null, or something else": no call of the test fills it. The page is made from
real outputs, and a test compares it with them; [schemas.json](schemas.json) has the same as JSON Schema. Fields may be added ([VERSIONING.md](../../VERSIONING.md)).
"""


def test_schemas_are_those_of_real_outputs(folder):
    found: dict[str, list] = {}
    for call in CALLS:
        command = call.split()[0]
        said = subprocess.run([PROGRAM, *call.split(), "--json"], cwd=folder, capture_output=True, text=True)
        assert said.stdout.count("\n") == 1, f"{call}: {said.stderr}"
        found.setdefault(command, []).append(schema_of(json.loads(said.stdout)))
    listed = subprocess.run([PROGRAM, "--help"], capture_output=True, text=True).stdout.split("Commands:")[1].split("Options:")[0]
    commands = {line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2] != " "}
    assert commands - WITHOUT == set(found)
    collected: dict[str, list] = {}
    of = {command: taken_out(merged(found[command]), collected) for command in sorted(found)}
    shared = {name: as_json(merged(collected[name])) for name in SHARED}
    schemas = {command: {"title": f"landbridge {command} --json", **as_json(of[command])} for command in of}
    page = PAGE
    for title, schema in [*schemas.items(), *((f"the object {name}", one) for name, one in shared.items())]:
        page += f"\n## {title}\n\n| field | holds |\n|---|---|\n"
        page += "".join(f"| `{at}` | {kinds}{'' if always else ', sometimes'} |\n" for at, kinds, always in lines(schema))
    everything = {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {**schemas, **shared}}
    for path, text in ((REFERENCE / "schemas.json", json.dumps(everything, indent=1) + "\n"), (REFERENCE / "schemas.md", page)):
        if os.environ.get("LANDBRIDGE_WRITE_API"):
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is stale: run this test with LANDBRIDGE_WRITE_API=1"
