"""Synthetic data of the benchmark: every array comes from a fixed seed.

A generator returns a dict of NumPy arrays. `save` and `load` move such a dict through a folder, so that
all sides of a row read the same bytes and none of them pays for making them.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

SEED = 20_261_115


def save(arrays: dict[str, np.ndarray], folder: Path) -> None:
    """Write one `.npy` per array; the folder appears whole or not at all."""
    part = folder.with_name(folder.name + f".part{os.getpid()}")
    part.mkdir(parents=True)
    for name, array in arrays.items():
        np.save(part / f"{name}.npy", array)
    part.rename(folder)


def load(folder: Path) -> dict[str, np.ndarray]:
    return {path.stem: np.load(path) for path in sorted(folder.glob("*.npy"))}


def first_rows(arrays: dict[str, np.ndarray], n: int) -> dict[str, np.ndarray]:
    """A small problem of the same shape and types, for warming up: the first `n` rows of each dataset."""
    if "indptr" in arrays:  # CSR
        end = arrays["indptr"][min(n, len(arrays["indptr"]) - 1)]
        small = {
            "indptr": arrays["indptr"][: n + 1],
            "indices": arrays["indices"][:end],
            "data": arrays["data"][:end],
            "shape": np.array([min(n, arrays["shape"][0]), arrays["shape"][1]]),
        }
    else:
        small = {name: array[:n] for name, array in arrays.items() if name in ("X", "Y")}
    if "pairs" in arrays:
        # The pairs of the big problem may lie elsewhere, so every tenth small row is paired with itself.
        row = np.arange(0, n, 10)
        small["pairs"] = np.column_stack([row, row])
    return small


def paired_rows(rng: np.random.Generator, n: int, share: float) -> np.ndarray:
    """`share` of the rows, each paired with the row of the same number: an (l, 2) table."""
    row = np.sort(rng.choice(n, size=round(share * n), replace=False))
    return np.column_stack([row, row])


def clustered_latent(rng: np.random.Generator, n: int, dim: int, clusters: int, spread: float) -> np.ndarray:
    centres = rng.standard_normal((clusters, dim)) * spread
    return centres[rng.integers(clusters, size=n)] + rng.standard_normal((n, dim))


def random_map(rng: np.random.Generator, latent: np.ndarray, features: int, noise: float) -> np.ndarray:
    """A smooth random map with one hidden layer of tanh units, unit variance, plus noise."""
    hidden = 64
    inner = rng.standard_normal((latent.shape[1], hidden)) / np.sqrt(latent.shape[1])
    outer = rng.standard_normal((hidden, features)) / np.sqrt(hidden)
    mapped = np.tanh(latent @ inner + rng.standard_normal(hidden)) @ outer
    mapped /= mapped.std()
    return mapped + noise * rng.standard_normal(mapped.shape)


def two_views(n: int, features: int = 50, share: float = 0.05, dtype: str = "float64") -> dict[str, np.ndarray]:
    """Two nonlinear views of one 8-dimensional latent with 10 overlapping clusters: a high-dimensional graph."""
    rng = np.random.default_rng(SEED)
    latent = clustered_latent(rng, n, dim=8, clusters=10, spread=1.0)
    X = random_map(rng, latent, features, noise=0.05).astype(dtype)
    Y = random_map(rng, latent, features, noise=0.05).astype(dtype)
    return {"X": X, "Y": Y, "pairs": paired_rows(rng, n, share)}


def random_rotation(rng: np.random.Generator) -> np.ndarray:
    q, r = np.linalg.qr(rng.standard_normal((3, 3)))
    return q * np.sign(np.diag(r))


def two_swiss_rolls(n: int, share: float = 0.05) -> dict[str, np.ndarray]:
    """Two swiss rolls over the same sheet, one turned and slightly noisy: a two-dimensional graph."""
    rng = np.random.default_rng(SEED + 1)
    angle = 1.5 * np.pi * (1 + 2 * rng.random(n))
    height = 21 * rng.random(n)
    roll = np.column_stack([angle * np.cos(angle), height, angle * np.sin(angle)])
    turned = roll @ random_rotation(rng).T + 0.05 * rng.standard_normal((n, 3))
    return {"X": roll, "Y": turned, "pairs": paired_rows(rng, n, share)}


def two_chains(n: int, share: float = 0.05) -> dict[str, np.ndarray]:
    """Two thin strips, `n` long and 2 wide, bent in space: a graph that is nearly a path, with a tiny spectral gap."""
    rng = np.random.default_rng(SEED + 2)
    # One point per unit of length, jittered: no gap can be long enough to cut the strip in two.
    along = np.arange(n) + rng.random(n)
    across = 2 * rng.random(n)
    strip = np.column_stack([along, across, 5 * np.sin(along / 50)])
    turned = strip @ random_rotation(rng).T + 0.05 * rng.standard_normal((n, 3))
    order = rng.permutation(n)  # rows in no helpful order: a solver gets no banded matrix for free
    return {"X": strip[order], "Y": turned[order], "pairs": paired_rows(rng, n, share)}


def dense_rows(n: int, features: int) -> dict[str, np.ndarray]:
    """Rows for exact kNN, float32."""
    rng = np.random.default_rng(SEED + 3)
    latent = clustered_latent(rng, n, dim=12, clusters=20, spread=1.0)
    return {"X": random_map(rng, latent, features, noise=0.1).astype(np.float32)}


def mixture_rows(n: int, features: int) -> dict[str, np.ndarray]:
    """Rows for approximate kNN, float32: a Gaussian mixture of 15 dimensions lifted to `features`, plus noise."""
    rng = np.random.default_rng(SEED + 4)
    latent = clustered_latent(rng, n, dim=15, clusters=50, spread=0.7)
    lift = rng.standard_normal((15, features)) / np.sqrt(15)
    return {"X": (latent @ lift + 0.1 * rng.standard_normal((n, features))).astype(np.float32)}


def zipf_documents(n: int, words: int, length: int = 140, topics: int = 40) -> dict[str, np.ndarray]:
    """CSR of tf-idf weights of documents: Zipf words, three topics a document, about 120 distinct words each."""
    rng = np.random.default_rng(SEED + 5)
    zipf = 1 / (np.arange(words) + 2.7)
    background = zipf / zipf.sum()
    # A topic is the same law over its own order of the words.
    topic = np.stack([background[rng.permutation(words)] for _ in range(topics)])
    share = rng.dirichlet([0.5, 0.5, 0.5], size=n)
    chosen = np.stack([rng.choice(topics, size=3, replace=False) for _ in range(n)])
    lengths = np.maximum(20, rng.poisson(length, size=n))
    indptr, indices, counts = [0], [], []
    for i in range(n):
        law = 0.3 * background + 0.7 * (share[i] @ topic[chosen[i]])
        word, count = np.unique(
            np.searchsorted(np.cumsum(law), rng.random(lengths[i])).clip(max=words - 1), return_counts=True
        )
        indices.append(word)
        counts.append(count)
        indptr.append(indptr[-1] + len(word))
    index = np.concatenate(indices)
    in_documents = np.bincount(index, minlength=words)
    idf = np.log((1 + n) / (1 + in_documents)) + 1
    data = (1 + np.log(np.concatenate(counts))) * idf[index]
    return {
        "indptr": np.asarray(indptr, dtype=np.int32),
        "indices": index.astype(np.int32),
        "data": data,
        "shape": np.array([n, words]),
    }
