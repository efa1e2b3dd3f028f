"""Rows about diffusion wavelets: ours, the plain version of the same algorithm, and the checks. See peers.py for the contract."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from checks import Wrong
from data import SEED

PRECISION = 1e-5


def dense_operator(n):
    """The inverse of a Laplacian in whitened coordinates, norm 1: a smooth spectrum over four decades."""
    rng = np.random.default_rng(SEED + 70)
    Q, _ = np.linalg.qr(rng.standard_normal((n, n)) + 3 * np.eye(n))
    values = np.logspace(0, -4, n) * np.exp(0.05 * rng.standard_normal(n))
    values /= values.max()
    T = (Q * values) @ Q.T
    return {"T": (T + T.T) / 2}


def our_wavelets(construction):
    def set_up(arrays, threads):
        import landbridge as lb

        def work():
            found = lb.geometry.diffusion_wavelets(arrays["T"], PRECISION, construction=construction, n_jobs=threads)
            return {"dimensions": np.array(found.dimensions), "projected": lambda: projections(arrays["T"], list(found))}

        return work

    return set_up


def plain_spectral(arrays, threads):
    """eigh, then at every level the pivoted QR of the spectral projector."""
    import scipy.linalg

    def work():
        T = arrays["T"]
        values, vectors = np.linalg.eigh(T)
        top = np.sum(np.abs(values) >= 1 - 1e-12)
        bases = []
        for k in range(1, 61):
            V = vectors[:, np.abs(values) ** (2.0**k) >= PRECISION]
            if V.shape[1] == 0:
                break
            Q, _, _ = scipy.linalg.qr(V @ V.T, pivoting=True, mode="economic")
            bases.append(Q[:, : V.shape[1]])
            if V.shape[1] <= top:
                break
        return {"dimensions": np.array([b.shape[1] for b in bases]), "projected": lambda: projections(T, bases)}

    return work


def plain_recursion(arrays, threads):
    """The published recursion: pivoted QR of the power, cut at the precision, compress, square."""
    import scipy.linalg

    def work():
        T = arrays["T"]
        A, extended, bases = T, np.eye(len(T)), []
        for k in range(1, 61):
            M = A @ A
            Q, R, _ = scipy.linalg.qr(M, pivoting=True, mode="economic")
            left = np.sqrt(np.cumsum(np.sum(R**2, axis=1)[::-1]))[::-1]
            rank = int(np.sum(left > 0.5 * PRECISION / np.sqrt(k)))
            if rank == 0:
                break
            Q = Q[:, :rank]
            extended = extended @ Q
            bases.append(extended)
            A = Q.T @ M @ Q
            if rank == 1 or np.linalg.svd(A, compute_uv=False)[-1] ** 2 >= 1 - 1e-10:
                break
        return {"dimensions": np.array([b.shape[1] for b in bases]), "projected": lambda: projections(T, bases)}

    return work


def projections(T, bases):
    """What each basis misses of its power of T, and how far it is from orthonormal."""
    power, out = T, []
    for phi in bases:
        power = power @ power
        missed = np.linalg.norm(power - phi @ (phi.T @ power), 2)
        out.append([missed, np.abs(phi.T @ phi - np.eye(phi.shape[1])).max()])
    return np.array(out)


def precise(arrays, reference, answer, measured):
    missed, loose = np.asarray(answer["projected"]).max(axis=0)
    if missed > 2 * PRECISION or loose > 1e-8:
        raise Wrong(f"misses {missed:.1e} of a power, off orthonormal by {loose:.1e}")
    levels = np.asarray(answer["dimensions"])
    return f"{len(levels)} levels from {levels[0]} to {levels[-1]}, miss at most {missed:.0e}"


def same_dimensions(arrays, answer, other):
    if list(answer["dimensions"]) != list(other["dimensions"]):
        raise Wrong(f"dimensions {list(answer['dimensions'])} against {list(other['dimensions'])}")


def close_dimensions(arrays, answer, other):
    a, b = (np.asarray(x["dimensions"]) for x in (answer, other))
    if abs(len(a) - len(b)) > 1 or np.any(np.abs(a[: len(b)] - b[: len(a)]) > 3):
        raise Wrong(f"dimensions {list(a)} against {list(b)}")


# ---- a long chain ---------------------------------------------------------------------------------------------------


def chain(n):
    T = sparse.diags_array([np.full(n - 1, 0.25), np.full(n, 0.5), np.full(n - 1, 0.25)], offsets=[-1, 0, 1], format="lil")
    T[0, 0] = T[n - 1, n - 1] = 0.75
    T = sparse.csr_array(T)
    return {"indptr": T.indptr, "indices": T.indices, "values": T.data}


def our_chain(arrays, threads):
    import landbridge as lb

    n = len(arrays["indptr"]) - 1
    T = sparse.csr_array((arrays["values"], arrays["indices"], arrays["indptr"]), shape=(n, n))

    def work():
        found = lb.geometry.diffusion_wavelets(T, PRECISION, n_jobs=threads)
        return {"dimensions": np.array(found.dimensions), "powers": np.array(found.powers), "errors": np.array(found.errors)}

    return work


def chain_levels(arrays, reference, answer, measured):
    """The eigenvalues of the chain are cos^2(pi j / 2n): every level must hold at least those above the precision, and few more."""
    n = len(arrays["indptr"]) - 1
    logs = 2 * np.log(np.cos(np.pi * np.arange(n) / (2 * n)))
    most = 1.0
    for power, dimension in zip(answer["powers"], answer["dimensions"]):
        exact = int(np.sum(logs * 2.0**power >= np.log(PRECISION)))
        most = max(most, dimension / exact if exact > 20 else 1.0)
        if not exact <= dimension <= 1.5 * exact + 3:
            raise Wrong(f"{dimension} functions at power {power}, where {exact} eigenvalues are above the precision")
    if answer["dimensions"][-1] != 1 or answer["errors"].max() > PRECISION:
        raise Wrong("the top was not reached, or the errors are above the precision")
    return f"{len(answer['dimensions'])} levels to the top, at most {most:.2f} functions per eigenvalue, errors at most {answer['errors'].max():.0e}"
