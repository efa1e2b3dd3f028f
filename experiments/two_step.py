"""Two-step alignment on real data: documents and proteins."""

from __future__ import annotations

import gzip
import json
import time
import warnings
from pathlib import Path

import numpy as np

import landbridge as lb
from common import europarl_counts, expect, show


def two_step(data: Path, quick: bool) -> None:
    """Europarl, 2,500 words: each language embedded by itself, then moved onto the other by 1,000 pairs."""
    X, Y = (europarl_counts(data / "europarl", language, 2500, 2500) for language in ("en", "it"))
    pairs = np.column_stack([np.arange(1000)] * 2)
    graph = {"metric": "cosine", "weights": "binary"}
    settings = {
        "LSI + Procrustes": (lb.ProcrustesAlignment(100, embedding="lsi"), ".98"),
        "LSI + Procrustes, plain counts": (lb.ProcrustesAlignment(100, embedding="lsi", prepare="tfidf"), ""),
        "LSI + affine": (lb.AffineAlignment(100, embedding="lsi"), ""),
        "Laplacian eigenmaps + Procrustes": (lb.ProcrustesAlignment(100, embedding="laplacian", **graph), ".24"),
        "LPP, ridge 0.1 + Procrustes": (
            lb.ProcrustesAlignment(100, embedding="lpp", prepare="tfidf_center", embedding_params={"ridge": 0.1}, **graph),
            "",
        ),
    }
    if not quick:
        settings["LPP + Procrustes"] = (lb.ProcrustesAlignment(100, embedding="lpp", prepare="tfidf_center", **graph), "")
    rows: list[list[object]] = []
    top = {}
    for name, (method, reference) in settings.items():
        started = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", lb.AlignmentWarning)
            method.fit([X, Y], pairs)
        seconds = time.perf_counter() - started
        Z, W = (z[1000:] for z in method.embeddings_)
        euclidean, cosine = (lb.metrics.recall_at_k(Z, W, (1, 10), metric=m) for m in ("euclidean", "cosine"))
        top[name] = float(euclidean[0])
        rows.append([name, *map(float, euclidean), *map(float, cosine), reference, f"{seconds:.2f} s"])
    show(
        "Europarl en-it, 2,500 documents, 2,500 words, 1,000 pairs, d = 100; recall on the other 1,500",
        ["method", "top-1", "top-10", "cos top-1", "cos top-10", "plain reference (top-1)", "fit"],
        rows,
    )
    expect("LSI + Procrustes, top-1", top["LSI + Procrustes"], 0.97, 1)
    expect("Laplacian eigenmaps + Procrustes, top-1", top["Laplacian eigenmaps + Procrustes"], 0.22, 0.26)


def models_of(path: Path) -> list[np.ndarray]:
    """C-alpha coordinates of every model: `model,chain,resseq,resname,x,y,z`."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        table = [line.rstrip("\n").split(",") for line in lines][1:]
    numbers = [int(row[0]) for row in table]
    return [np.array([row[4:7] for row in table if int(row[0]) == m], dtype=float) for m in sorted(set(numbers))]


def proteins(data: Path, quick: bool) -> None:
    """Two NMR models of one protein, one stretched four times and turned, a quarter of the residues known."""
    expected = json.loads((data / "protein-nmr" / "procrustes_expected.json").read_text(encoding="utf-8"))
    R = np.array(expected["R"])
    rows: list[list[object]] = []
    for name, case in expected["cases"].items():
        models = models_of(data / "protein-nmr" / f"{name}_ca.csv.gz")
        X, Y = 4 * models[0], models[-1] @ R.T
        known = np.arange(0, len(X), 4)
        a = lb.ProcrustesAlignment(embedding=None).fit([X, Y], np.column_stack([known, known]))
        error = max(abs(a.scale_[1] - case["k"]), float(np.abs(a.rotation_[1] - np.array(case["Q"])).max()))
        expect(f"{name}: k and Q, difference in units of 1e-9", error * 1e9, 0, 1)
        rest = np.setdiff1d(np.arange(len(X)), known)
        index, _ = a.match(source=0, target=1)
        found = float(np.mean(index.ravel()[rest] == rest))
        distance = np.linalg.norm(a.embeddings_[0][rest] - a.embeddings_[1][rest], axis=1)
        rows.append([name, len(X), len(known), f"{a.scale_[1]:.6f}", f"{error:.1e}", float(np.median(distance)) / 4, found])
    show(
        "Proteins: last NMR model moved onto the first, which is stretched four times; every fourth residue known",
        ["entry", "residues", "pairs", "scale", "off expected k, Q", "median distance (angstroms)", "residues found"],
        rows,
    )
