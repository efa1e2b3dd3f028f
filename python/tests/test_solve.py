"""Solvers on their own."""

import numpy as np
import pytest

import landbridge as lb


def distances(n, seed):
    X = np.random.default_rng(seed).normal(size=(n, 2)) * [1.0, 0.4]
    D = np.linalg.norm(X[:, None] - X[None], axis=2)
    return D / D.max()


def printed(C1, C2, epsilon, steps):
    """Projected gradient with plain scaling, as printed."""
    n, m = len(C1), len(C2)
    p, q = np.full(n, 1 / n), np.full(m, 1 / m)
    T = np.outer(p, q)
    constant = (C1**2 @ p)[:, None] + (C2**2 @ q)[None]
    for _ in range(steps):
        K = np.exp(-2 * (constant - 2 * C1 @ T @ C2) / epsilon)
        v = np.ones(m)
        for _ in range(2000):
            u = p / (K @ v)
            v = q / (K.T @ u)
        T = u[:, None] * K * v
    return T


def test_entropic_gw_is_the_printed_iteration():
    C1, C2 = distances(20, 0), distances(24, 1)
    plan, info = lb.solve.entropic_gw(C1, C2, epsilon=0.02)
    assert info["status"] == "converged" and info["gap"] <= 1e-9
    assert abs(plan - printed(C1, C2, 0.02, info["iterations"] + 10)).max() < 1e-8
    assert np.allclose(plan.sum(axis=0), 1 / 24) and np.allclose(plan.sum(axis=1), 1 / 20)
    cross = np.einsum("ik,jl,ij,kl->", C1, C2, plan, plan)
    assert info["objective"] == pytest.approx((C1**2).mean() + (C2**2).mean() - 2 * cross, abs=1e-10)


def unbalanced(C1, C2, epsilon, steps, rho, linear):
    """Gradient steps with Sinkhorn's powers, all mass scaled to 1."""
    n, m = len(C1), len(C2)
    p, q, tau = 1 / n, 1 / m, rho / (rho + epsilon)
    T = np.full((n, m), p * q)
    for _ in range(steps):
        own = (C1**2 @ T.sum(axis=1))[:, None] + (C2**2 @ T.sum(axis=0))[None]
        K = p * q * np.exp(-(2 * (own - 2 * C1 @ T @ C2) + linear) / epsilon)
        u, v = np.ones(n), np.ones(m)
        for _ in range(2000):
            u = (p / (K @ v)) ** tau
            v = (q / (K.T @ u)) ** tau
        T = u[:, None] * K * v
        T /= T.sum()
    return T


def test_entropic_gw_unbalanced_and_fused_is_the_printed_iteration():
    C1, C2 = distances(12, 0), distances(15, 1)
    linear = 0.1 * np.abs(np.random.default_rng(2).normal(size=(12, 15)))
    plan, info = lb.solve.entropic_gw(C1, C2, epsilon=0.05, rho=0.1, linear=linear)
    assert info["status"] == "converged" and info["penalty"] > 0
    assert abs(plan - unbalanced(C1, C2, 0.05, info["iterations"] + 10, 0.1, linear)).max() < 1e-8
    assert plan.sum() == pytest.approx(1) and not np.allclose(plan.sum(axis=0), 1 / 15, rtol=1e-3)
    with pytest.raises(lb.LandbridgeError, match="rho is -1"):
        lb.solve.entropic_gw(C1, C2, epsilon=0.05, rho=-1)
    with pytest.raises(lb.LandbridgeError, match="linear cost"):
        lb.solve.entropic_gw(C1, C2, epsilon=0.05, linear=linear[:, :3])


def test_entropic_gw_is_the_same_on_one_thread_and_stops_when_told():
    C1, C2 = distances(80, 0), distances(70, 1)
    one, _ = lb.solve.entropic_gw(C1, C2, epsilon=0.01, max_iter=20, n_jobs=1)
    two, info = lb.solve.entropic_gw(C1, C2, epsilon=0.01, max_iter=20, n_jobs=2)
    assert np.array_equal(one, two) and info["iterations"] <= 20


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda C: (C, C, 0.0), "epsilon is 0"),
        (lambda C: (C[:4], C, 0.1), "expected 4 x 4"),
        (lambda C: (-C, C, 0.1), "at least 0"),
        (lambda C: (np.triu(C), C, 0.1), "the same as that of row"),
        (lambda C: (C + 1, C, 0.1), "0 on the diagonal"),
    ],
)
def test_bad_distances_and_parameters_are_refused(change, words):
    with pytest.raises(lb.LandbridgeError, match=words):
        lb.solve.entropic_gw(*change(distances(6, 0)))
