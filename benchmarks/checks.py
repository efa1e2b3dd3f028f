"""Is the answer right? Times are only believed after these have passed.

`exact_*` compute references (untimed, in a process of their own); `same_*` compare an answer with a reference and
return a short sentence for the table, or raise `Wrong`.
"""

from __future__ import annotations

import numpy as np

from peers import K, csr, joint_graph, smallest_nonzero

SAMPLE = 1000
EIGENVALUE_TOLERANCE = 1e-6
DISTANCE_TOLERANCE = 1e-5
RECALL_WANTED = 0.98
MEMORY_LIMIT_MB = 8 * 1024


class Wrong(Exception):
    """The answer is not the one asked for."""


# ---- eigenvalues --------------------------------------------------------------------------------------------------


def exact_eigenvalues(n_components, solve, **options):
    """The eigenvalues to about 1e-12: their error is of the order of the square of the tolerance."""

    def set_up(arrays, threads):
        return lambda: {"eigenvalues": smallest_nonzero(joint_graph(arrays, threads), n_components, solve, tol=1e-8, **options)[0]}

    return set_up


def same_eigenvalues(arrays, reference, answer, measured):
    got, want = answer["eigenvalues"], reference["eigenvalues"]
    if got.shape != want.shape:
        raise Wrong(f"{got.size} eigenvalues instead of {want.size}")
    error = np.max(np.abs(got - want) / want)
    if not error <= EIGENVALUE_TOLERANCE:
        raise Wrong(f"eigenvalues off by {error:.1e} relative")
    return f"eigenvalues within {error:.0e}"


def plausible_eigenvalues(arrays, reference, answer, measured):
    """For sizes without a peer: the count, order and range of the eigenvalues, and the memory limit."""
    values = answer["eigenvalues"]
    if not (np.all(np.isfinite(values)) and np.all(np.diff(values) >= 0) and values[0] > 0 and values[-1] < 2):
        raise Wrong("eigenvalues not ascending in (0, 2)")
    if measured["peak_mb"] > MEMORY_LIMIT_MB:
        raise Wrong(f"peak of {measured['peak_mb']:.0f} MB is over {MEMORY_LIMIT_MB} MB")
    return "eigenvalues ascending, memory within 8 GiB"


# ---- neighbours ---------------------------------------------------------------------------------------------------


def sampled_rows(n):
    return np.sort(np.random.default_rng(1).choice(n, size=min(SAMPLE, n), replace=False))


def row_count(arrays):
    return len(arrays["indptr"]) - 1 if "indptr" in arrays else len(arrays["X"])


def unit_rows(arrays):
    X = csr(arrays).astype(np.float64)
    return X.multiply(1 / np.sqrt(X.multiply(X).sum(axis=1))).tocsr()


def distances_from(arrays, rows, neighbors):
    """Float64 distance of `rows[i]` to each of `neighbors[i]`."""
    if "indptr" in arrays:
        unit = unit_rows(arrays)
        return np.stack([1 - (unit[some] @ unit[[row]].T).toarray()[:, 0] for row, some in zip(rows, neighbors)])
    X = arrays["X"]
    apart = X[rows].astype(np.float64)[:, None, :] - X[neighbors]  # differences: nothing cancels
    return np.sqrt(np.einsum("ijk,ijk->ij", apart, apart))


def exact_neighbors(arrays, threads):
    """The k nearest of a sample of rows, every distance in float64."""

    def work():
        from scipy.spatial.distance import cdist

        rows = sampled_rows(row_count(arrays))
        unit = unit_rows(arrays) if "indptr" in arrays else None
        indices, distances = [], []
        for some in np.array_split(rows, 20):
            to_all = cdist(arrays["X"][some], arrays["X"]) if unit is None else 1 - (unit[some] @ unit.T).toarray()
            to_all[np.arange(len(some)), some] = np.inf
            nearest = np.argpartition(to_all, K, axis=1)[:, :K]
            reach = np.take_along_axis(to_all, nearest, axis=1)
            order = np.argsort(reach, axis=1)
            indices.append(np.take_along_axis(nearest, order, axis=1))
            distances.append(np.take_along_axis(reach, order, axis=1))
        return {"indices": np.concatenate(indices), "distances": np.concatenate(distances)}

    return work


def sound_graph(arrays, answer):
    """Shape, range, no row its own neighbour, no neighbour twice, and the reported distances are those of the pairs.

    Returns the true distances of the sampled rows to their neighbours, ascending.
    """
    n = row_count(arrays)
    indices, distances = answer["indices"], answer["distances"]
    if indices.shape != (n, K) or distances.shape != (n, K):
        raise Wrong(f"shapes {indices.shape} and {distances.shape} instead of {(n, K)}")
    if indices.min() < 0 or indices.max() >= n or np.any(indices == np.arange(n)[:, None]):
        raise Wrong("an index is out of range, or a row is its own neighbour")
    if np.any(np.diff(np.sort(indices, axis=1), axis=1) == 0):
        raise Wrong("a neighbour is listed twice")
    rows = sampled_rows(n)
    true = distances_from(arrays, rows, indices[rows])
    # Squared distances from a float32 product lose up to half of the digits, which is no error of the graph: the
    # neighbours are judged by their true distances, the reported ones only have to be recognisable.
    if not np.allclose(distances[rows], true, rtol=1e-3, atol=1e-6):
        raise Wrong("reported distances are not those of the neighbours")
    return np.sort(true, axis=1)


def same_neighbors(arrays, reference, answer, measured):
    """Every sampled row has neighbours exactly as near as the reference's (other rows of equal distance will do)."""
    true = sound_graph(arrays, answer)
    error = np.max(np.abs(true - reference["distances"]) / reference["distances"])
    if not error <= DISTANCE_TOLERANCE:
        raise Wrong(f"neighbours farther than the nearest by {error:.1e} relative")
    return f"distances within {error:.0e}"


def agreeing_neighbors(arrays, ours, peer):
    """All rows, not only the sample: our neighbours are as near as the peer's."""
    for rows in np.array_split(np.arange(row_count(arrays)), max(1, row_count(arrays) // 2000)):
        mine, theirs = (np.sort(distances_from(arrays, rows, a["indices"][rows]), axis=1) for a in (ours, peer))
        if not np.allclose(mine, theirs, rtol=DISTANCE_TOLERANCE, atol=0):
            worst = rows[np.argmax(np.max(np.abs(mine - theirs) / theirs, axis=1))]
            raise Wrong(f"ours and the peer disagree, worst at row {worst}")


def enough_neighbors(arrays, reference, answer, measured):
    """Recall@10 on the sampled rows."""
    true = sound_graph(arrays, answer)
    reach = reference["distances"][:, -1:] * (1 + DISTANCE_TOLERANCE)
    recall = np.mean(true <= reach)
    if not recall >= RECALL_WANTED:
        raise Wrong(f"recall {recall:.4f} is under {RECALL_WANTED}")
    return f"recall {recall:.4f}"
