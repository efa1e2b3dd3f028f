"""One new row at a time through a fitted linear map, and searches among many rows, as a service answers requests. See peers.py for the contract."""

from __future__ import annotations

import tempfile

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


# ---- from the features of one embedding model to those of another ---------------------------------------------------

OLD, NEW = 768, 1024


def two_models(n):
    """Vectors of two embedding models in float32, and new vectors of the first."""
    rng = np.random.default_rng(SEED + 121)
    about = rng.standard_normal((n + CALLS, 200))
    old, new = (about @ rng.standard_normal((200, p)) + 3 * rng.standard_normal((len(about), p)) for p in (OLD, NEW))
    return {"old": old[:n].astype(np.float32), "new": new[:n].astype(np.float32), "rows": old[n:].astype(np.float32)}


def fitted_bridge(arrays, threads):
    import landbridge as lb

    pairs = np.column_stack([np.arange(len(arrays["old"]))] * 2)
    method = lb.CCA(OLD, ridge=0.3, weight_power=1.25, prepare="unit_center", n_jobs=threads)
    return method.fit({"old": arrays["old"], "new": arrays["new"]}, pairs)


def our_images(arrays, threads):
    model = fitted_bridge(arrays, threads)
    rows = [row[None] for row in arrays["rows"]]
    model.map(rows[0], "old", "new")  # the first call makes one matrix of the map

    def work():
        return {"Y": np.concatenate([model.map(row, "old", "new") for row in rows])}

    return work


def numpy_images(arrays, threads):
    """The exported map in NumPy, in float32. Its rows have length 1 before the clock starts."""
    with tempfile.TemporaryDirectory() as folder:
        fitted_bridge(arrays, threads).export(f"{folder}/map.npz", "old", "new")
        with np.load(f"{folder}/map.npz") as parts:
            mean, W = parts["mean"].astype(np.float32), np.ascontiguousarray(parts["matrix"], dtype=np.float32)
    rows = [row[None] / np.linalg.norm(row) for row in arrays["rows"]]

    def work():
        return {"Y": np.concatenate([(row - mean) @ W for row in rows])}

    return work


def all_images(arrays, reference, answer, measured):
    if answer["Y"].shape != (CALLS, NEW) or not np.all(np.isfinite(answer["Y"])):
        raise Wrong("not one image per row")
    return f"{1e6 * measured['wall'] / CALLS:.1f} µs per row"


def same_images(arrays, answer, other):
    off = np.abs(answer["Y"] - other["Y"]).max() / np.abs(other["Y"]).max()
    if not off <= 1e-5:
        raise Wrong(f"images differ by {off:.0e}")


# ---- the ten nearest of many rows -----------------------------------------------------------------------------------

WIDTH, NEAREST = 200, 10


def store(n):
    """Two views of the same rows; the first of them, moved a little, are queries."""
    rng = np.random.default_rng(SEED + 122)
    X = rng.standard_normal((n, WIDTH)) * np.linspace(2, 0.5, WIDTH)
    Y = X @ rng.standard_normal((WIDTH, WIDTH)) + 0.3 * rng.standard_normal((n, WIDTH))
    queries = X[:200] + 0.2 * rng.standard_normal((200, WIDTH))
    return {name: rows.astype(np.float32) for name, rows in (("X", X), ("Y", Y), ("queries", queries))}


def fitted_store(arrays, threads):
    import landbridge as lb

    pairs = np.column_stack([np.arange(2_000)] * 2)
    return lb.CCA(WIDTH, ridge=0.1, n_jobs=threads).fit([arrays["X"], arrays["Y"]], pairs)


def our_search(together):
    """`match` of new rows, which places them first; so many at a time."""

    def set_up(arrays, threads):
        model = fitted_store(arrays, threads)
        parts = np.split(arrays["queries"], len(arrays["queries"]) // together)
        model.match(parts[0], k=NEAREST)  # the first call lays the rows out

        def work():
            return {"rows": np.concatenate([model.match(part, k=NEAREST)[0] for part in parts])}

        return work

    return set_up


def faiss_search(together):
    """A flat index, which is exact; its queries are placed before the clock starts."""

    def set_up(arrays, threads):
        import faiss

        faiss.omp_set_num_threads(threads)
        model = fitted_store(arrays, threads)
        unit = lambda z: np.ascontiguousarray(z / np.linalg.norm(z, axis=1, keepdims=True), dtype=np.float32)  # noqa: E731
        index = faiss.IndexFlatIP(WIDTH)
        index.add(unit(model.embeddings_[1]))
        placed = unit(model.transform(arrays["queries"], 0))
        parts = np.split(placed, len(placed) // together)

        def work():
            return {"rows": np.concatenate([index.search(part, NEAREST)[1] for part in parts])}

        return work

    return set_up


def all_found(arrays, reference, answer, measured):
    if answer["rows"].shape != (200, NEAREST) or not np.mean(answer["rows"][:, 0] == np.arange(200)) > 0.9:
        raise Wrong("queries do not find their own rows")
    return f"{1e3 * measured['wall'] / 200:.2f} ms per query"


def same_rows(arrays, answer, other):
    """A flat index rounds to single precision: neighbours at nearly the same distance may change places."""
    same = np.mean(answer["rows"] == other["rows"])
    if not same >= 0.999:
        raise Wrong(f"only {same:.4f} of the rows agree")
