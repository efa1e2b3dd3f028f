"""Small penalised regressions, and their least values by an interior-point solver.

`python python/tests/data/regressions.py` (with cvxpy and clarabel) writes regressions.json again.
"""

import json
from pathlib import Path

import numpy as np

PENALTIES = ("lasso", "elastic_net", "group", "fused")
COUNT = 20
STORED = Path(__file__).with_suffix(".json")


def problem(seed):
    """X, Y, and strengths from weak to strong; every fourth X has more columns than rows, and some have equal columns."""
    rng = np.random.default_rng(1000 + seed)
    n, p = (20, 45) if seed % 4 == 3 else (40, 12 + seed)
    X = rng.standard_normal((n, p)) * (rng.random((n, p)) < 0.7)
    if seed % 5 == 2:
        X[:, 1] = X[:, 0]
    Y = X[:, :3] @ rng.standard_normal((3, 2)) + 0.5 * rng.standard_normal((n, 2))
    alpha = (0.01, 0.1, 0.3)[seed % 3] * 2 * np.abs(X.T @ Y).max()
    groups = [list(range(s, min(s + 1 + seed % 4, p))) for s in range(0, p, 1 + seed % 4)]
    return X, Y, {"alpha": alpha, "beta": (0.2, 1.0, 5.0)[seed % 3] * alpha, "gamma": 0.5, "groups": groups}


def main():
    import cvxpy as cp

    tight = {"tol_gap_abs": 1e-12, "tol_gap_rel": 1e-12, "tol_feas": 1e-12}
    found = {}
    for penalty in PENALTIES:
        found[penalty] = []
        for seed in range(COUNT):
            X, Y, s = problem(seed)
            W = cp.Variable((X.shape[1], Y.shape[1]))
            extra = {
                "lasso": lambda: s["alpha"] * cp.sum(cp.abs(W)),
                "elastic_net": lambda: s["alpha"] * cp.sum(cp.abs(W)) + s["gamma"] * cp.sum_squares(W),
                "group": lambda: s["alpha"] * sum(np.sqrt(len(g)) * cp.norm(W[g, :], "fro") for g in s["groups"]),
                "fused": lambda: s["alpha"] * cp.sum(cp.abs(W)) + s["beta"] * cp.sum(cp.abs(cp.diff(W, axis=0))),
            }[penalty]()
            task = cp.Problem(cp.Minimize(cp.sum_squares(Y - X @ W) + extra))
            task.solve(solver=cp.CLARABEL, **tight)
            found[penalty].append(float(task.value))
    STORED.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
