"""One new row at a time through a fitted linear map, as a service answers requests. See peers.py for the contract."""

from __future__ import annotations

import numpy as np

from checks import Wrong
from data import SEED

FEATURES, COMPONENTS = 384, 200
#: New rows, one call each.
CALLS = 2_000


def rows_and_map(n):
    """Rows with a spectrum that falls from component to component, new rows, and the map that NumPy finds."""
    rng = np.random.default_rng(SEED + 120)
    turn, _ = np.linalg.qr(rng.standard_normal((FEATURES, FEATURES)))
    X = rng.standard_normal((n + CALLS, FEATURES)) * np.linspace(4, 0.5, FEATURES) @ turn
    mean = X[:n].mean(axis=0)
    F = np.linalg.svd(X[:n] - mean, full_matrices=False)[2][:COMPONENTS].T
    return {"X": X[:n], "new": X[n:], "mean": mean, "F": np.ascontiguousarray(F)}


def our_rows(arrays, threads):
    import landbridge as lb

    model = lb.PCA(COMPONENTS, n_jobs=threads).fit(arrays["X"])
    rows = [row[None] for row in arrays["new"]]

    def work():
        return {"Z": np.concatenate([model.transform(row) for row in rows])}

    return work


def numpy_rows(arrays, threads):
    mean, F, rows = arrays["mean"], arrays["F"], [row[None] for row in arrays["new"]]

    def work():
        return {"Z": np.concatenate([(row - mean) @ F for row in rows])}

    return work


def all_rows(arrays, reference, answer, measured):
    if answer["Z"].shape != (CALLS, COMPONENTS) or not np.all(np.isfinite(answer["Z"])):
        raise Wrong("not one place per row")
    return f"{1e6 * measured['wall'] / CALLS:.1f} µs per row"


def same_places(arrays, answer, other):
    """The same but for the sign of each component."""
    signs = np.sign((answer["Z"] * other["Z"]).sum(axis=0))
    off = np.abs(answer["Z"] * signs - other["Z"]).max() / np.abs(other["Z"]).max()
    if not off <= 1e-6:
        raise Wrong(f"places differ by {off:.0e}")
