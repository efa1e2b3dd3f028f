"""Two-step alignment on real data: documents, proteins, and the subspace bound."""

from __future__ import annotations

import gzip
import json
import time
import warnings
from pathlib import Path

import numpy as np
from scipy.sparse.csgraph import connected_components

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


def pendulum_states(rng: np.random.Generator, count: int) -> np.ndarray:
    """Angle and angular velocity of an inverted pendulum on a cart under random pushes (Lagoudakis and Parr 2003)."""
    gravity, pole, cart, length, step = 9.8, 2.0, 8.0, 0.5, 0.1
    alpha = 1 / (pole + cart)
    states: list[tuple[float, float]] = []
    while len(states) < count:
        angle, speed = rng.uniform(-0.2, 0.2), rng.uniform(-0.2, 0.2)
        while abs(angle) < np.pi / 2 and len(states) < count:
            states.append((angle, speed))
            push = rng.choice([-50.0, 0.0, 50.0]) + rng.uniform(-10, 10)
            top = gravity * np.sin(angle) - alpha * pole * length * speed**2 * np.sin(2 * angle) / 2 - alpha * np.cos(angle) * push
            change = top / (4 * length / 3 - alpha * pole * length * np.cos(angle) ** 2)
            angle, speed = angle + step * speed, speed + step * change
    return np.array(states)


def car_states(rng: np.random.Generator, count: int) -> np.ndarray:
    """Position and velocity of the mountain car under random throttle (Sutton and Barto)."""
    states: list[tuple[float, float]] = []
    while len(states) < count:
        place, speed = rng.uniform(-1.2, 0.5), rng.uniform(-0.07, 0.07)
        for _ in range(60):
            if place >= 0.5 or len(states) == count:
                break
            states.append((place, speed))
            speed = float(np.clip(speed + 0.001 * rng.integers(-1, 2) - 0.0025 * np.cos(3 * place), -0.07, 0.07))
            place = place + speed
            if place < -1.2:
                place, speed = -1.2, 0.0
    return np.array(states)


def bound(data: Path, quick: bool) -> None:
    """Procrustes08, figure 4: subspaces of two graph Laplacians stay within the bound of Theorem 2."""
    N, epsilon, tests = 500, 0.5, 2 if quick else 5
    for task, sample in (("inverted pendulum", pendulum_states), ("mountain car", car_states)):
        rows: list[list[object]] = []
        distances: dict[int, list[float]] = {}
        gaps: dict[int, list[float]] = {}
        for seed in range(tests):
            rng = np.random.default_rng(seed)
            states = sample(rng, N)
            graph = lb.geometry.similarity_graph(states / states.std(axis=0), n_neighbors=25, weights="binary")
            A = lb.geometry.laplacian(graph).toarray()
            values, vectors = np.linalg.eigh(A)
            trivial = connected_components(graph, return_labels=False)
            for i in range(1, 100, 5):
                chosen = slice(trivial, trivial + i)
                gap = min(values[trivial] - values[trivial - 1], values[trivial + i] - values[trivial + i - 1])
                tau = lb.metrics.perturbation_bound(gap, N, epsilon) / 2  # as the paper: half of what the theorem allows
                E = rng.choice([-tau, tau], size=(N, N))
                E = np.triu(E) + np.triu(E, 1).T
                moved = np.linalg.eigh(A + E)[1]
                distances.setdefault(i, []).append(lb.metrics.subspace_distance(vectors[:, chosen], moved[:, chosen]))
                gaps.setdefault(i, []).append(gap)
        for i, found in distances.items():
            rows.append([i, f"{min(gaps[i]):.1e}", f"{min(found):.4f}", f"{max(found):.4f}", epsilon])
            expect(f"{task}, i = {i}: distance", max(found), 0, epsilon)
        show(
            f"{task}: distance of the subspaces of the i smoothest eigenvectors when no entry moves by more than the bound, N = {N}",
            ["i", "least eigengap", "least distance", "largest distance", "bound"],
            rows,
        )
    print("  Entries are moved at random by the bound itself (halved, as the paper does): two independent samples of states")
    print("  differ by far more than the theorem's condition allows, so it says nothing about them.")
