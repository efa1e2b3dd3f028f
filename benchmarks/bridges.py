"""A map between two stores of vectors: fitted from some pairs with all rows placed, and a million rows through it. See peers.py for the contract."""

from __future__ import annotations

import tempfile

import numpy as np

from checks import Wrong
from data import SEED

#: Columns of each store, hidden causes, pairs, and unseen rows that look for their partner.
WIDTH, CAUSES, PAIRS, UNSEEN = 768, 200, 5_000, 2_000
RIDGE = 0.3


def stores(n):
    """Two stores in float32 that share only their first rows, and unseen rows of both."""
    rng = np.random.default_rng(SEED + 130)
    pairs = min(PAIRS, n // 2)
    turns = [rng.standard_normal((CAUSES, WIDTH), dtype=np.float32) for _ in range(2)]

    def seen(about, side):
        return about @ turns[side] + 12 * rng.standard_normal((len(about), WIDTH), dtype=np.float32)

    both, unseen = (rng.standard_normal((rows, CAUSES), dtype=np.float32) for rows in (pairs, UNSEEN))
    out = {}
    for side, name in enumerate(("old", "new")):
        rest = rng.standard_normal((n - pairs, CAUSES), dtype=np.float32)
        out[name] = np.concatenate([seen(both, side), seen(rest, side)])
        out[f"unseen_{name}"] = seen(unseen, side)
    return out | {"pairs": np.column_stack([np.arange(pairs)] * 2)}


def our_fit(arrays, threads):
    import landbridge as lb

    method = lb.CCA(WIDTH, ridge=RIDGE, weight_power=1.25, prepare="unit_center", n_jobs=threads)
    given = {"old": arrays["old"], "new": arrays["new"]}

    def work():
        model = method.fit(given, arrays["pairs"])
        return {"left": model.transform(arrays["unseen_old"], "old"), "right": model.transform(arrays["unseen_new"], "new")}

    return work


def ridge_and_rotation(arrays, threads):
    """Centred rows of length 1, ridge regression and the rotation from the pairs, all old rows through both."""
    from sklearn.linear_model import Ridge

    def work():
        rows = {}
        for name in ("old", "new"):
            unit = arrays[name] / np.linalg.norm(arrays[name], axis=1, keepdims=True)
            mean = unit.mean(axis=0)
            rows[name] = unit - mean
            left_out = arrays[f"unseen_{name}"]
            rows[f"unseen_{name}"] = left_out / np.linalg.norm(left_out, axis=1, keepdims=True) - mean
        x, y = (rows[name][arrays["pairs"][:, side]] for side, name in enumerate(("old", "new")))
        strength = RIDGE * np.square(x).sum() / WIDTH
        ridge = Ridge(alpha=strength, fit_intercept=False).fit(x, y)
        u, _, v = np.linalg.svd(x.T @ y)
        placed = ridge.predict(rows["old"]), rows["old"] @ (u @ v)
        assert all(len(z) == len(arrays["old"]) for z in placed)
        return {"left": ridge.predict(rows["unseen_old"]), "right": rows["unseen_new"]}

    return work


def first(answer):
    """The share of unseen rows whose partner is the nearest by the cosine."""
    left, right = (z / np.linalg.norm(z, axis=1, keepdims=True) for z in (answer["left"], answer["right"]))
    return float(np.mean((left @ right.T).argmax(axis=1) == np.arange(len(left))))


def finds(arrays, reference, answer, measured):
    found = first(answer)
    if not found > 0.5:
        raise Wrong(f"only {found:.2f} of the unseen rows find their partner")
    return f"{found:.3f} of unseen rows found"


def no_worse(arrays, answer, other):
    if not first(answer) >= first(other) - 0.01:
        raise Wrong(f"finds {first(answer):.3f}, the peer {first(other):.3f}")


# ---- a million rows through a map -----------------------------------------------------------------------------------

OLD, COMPONENTS = 256, 200


def many(n):
    rng = np.random.default_rng(SEED + 131)
    X = rng.standard_normal((n, OLD), dtype=np.float32)
    Y = X[:5_000] @ rng.standard_normal((OLD, OLD), dtype=np.float32) + rng.standard_normal((min(n, 5_000), OLD), dtype=np.float32)
    return {"X": X, "Y": Y}


def fitted(arrays, threads):
    import landbridge as lb

    rows = len(arrays["Y"])
    method = lb.CCA(COMPONENTS, ridge=0.1, weight_components=False, prepare="center", n_jobs=threads)
    return method.fit([arrays["X"][:rows], arrays["Y"]], np.column_stack([np.arange(rows)] * 2))


def our_million(dtype):
    def set_up(arrays, threads):
        model = fitted(arrays, threads)

        def work():
            return {"Z": model.transform(arrays["X"], 0, dtype=dtype)}

        return work

    return set_up


def numpy_million(arrays, threads):
    """The exported map, in float32."""
    with tempfile.TemporaryDirectory() as folder:
        fitted(arrays, threads).export(f"{folder}/map.npz", 0)
        with np.load(f"{folder}/map.npz") as parts:
            mean, W = parts["mean"].astype(np.float32), np.ascontiguousarray(parts["matrix"], dtype=np.float32)

    def work():
        return {"Z": (arrays["X"] - mean) @ W}

    return work


def all_placed(arrays, reference, answer, measured):
    if answer["Z"].shape != (len(arrays["X"]), COMPONENTS) or not np.all(np.isfinite(answer["Z"][:: 1 + len(answer["Z"]) // 1_000])):
        raise Wrong("not one place per row")
    return f"{len(answer['Z']) / measured['wall'] / 1e6:.1f} million rows a second"


def same_places(arrays, answer, other):
    every = 1 + len(answer["Z"]) // 10_000
    off = np.abs(answer["Z"][::every] - other["Z"][::every]).max() / np.abs(other["Z"][::every]).max()
    if not off <= 1e-5:
        raise Wrong(f"places differ by {off:.0e}")
