"""The geometry of one dataset: neighbours, similarity graphs, Laplacians, shortest paths."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from . import _data
from . import _landbridge as _core
from ._base import threads, whole
from ._errors import AlignmentWarning, DataError, ParameterError
from ._wavelets import DiffusionWavelets, diffusion_wavelets
from ._words import Metric, Search, Weights

__all__ = [
    "DiffusionWavelets",
    "diffusion_wavelets",
    "geodesic_distances",
    "joint_distances",
    "knn_graph",
    "laplacian",
    "min_plus",
    "pattern_distances",
    "similarity_graph",
]


def knn_graph(
    X: Any,
    n_neighbors: int = 10,
    metric: Metric = "euclidean",
    method: Search = "auto",
    random_state: int = 0,
    n_jobs: int | None = None,
    mode: str = "distance",
) -> Any:
    """The nearest other rows of every row, nearest first, equal distances by lower row number.

    Parameters
    ----------
    X : rows, in any form `fit` takes; sparse ones are never made dense
    n_neighbors : from 1 to rows - 1
    metric : "euclidean" or "cosine" (1 - cosine)
    method : "exact"; "approximate" (dense rows only); "auto" is exact up to 30,000 dense rows and for sparse rows
    random_state : seed of the approximate search
    n_jobs : threads; None or -1 is all cores
    mode : "distance" returns two arrays, "sparse" an (n, n) `scipy.sparse.csr_array` of distances

    Returns
    -------
    indices : (n, n_neighbors) int64 array
    distances : (n, n_neighbors) float64 array

    >>> import landbridge as lb
    >>> indices, distances = lb.geometry.knn_graph([[0.0], [1.0], [3.0]], n_neighbors=1)
    >>> indices.ravel().tolist(), distances.ravel().tolist()
    ([1, 0, 1], [1.0, 1.0, 2.0])
    """
    if mode not in ("distance", "sparse"):
        raise ParameterError(f'mode is {mode!r}; it must be "distance" or "sparse"')
    rows = _data.dataset("X", X)
    indices, distances = _core.knn(
        rows, whole("n_neighbors", n_neighbors, 1), metric, method, whole("random_state", random_state), threads(n_jobs)
    )
    if mode == "distance":
        return indices, distances
    n, k = indices.shape
    graph = sparse.csr_array((distances.ravel(), indices.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n))
    graph.sort_indices()
    return graph


def similarity_graph(
    X: Any,
    n_neighbors: int = 10,
    metric: Metric = "euclidean",
    weights: Weights = "heat",
    heat_width: float | None = None,
    search: Search = "auto",
    random_state: int = 0,
    n_jobs: int | None = None,
) -> Any:
    """The weighted neighbour graph of one dataset, as the alignments build it.

    Symmetric with an empty diagonal: an edge where one row is among the nearest of the other.

    Parameters
    ----------
    X : rows of one dataset
    n_neighbors : number of nearest rows of each row
    metric : "euclidean" or "cosine"
    search : "exact", "approximate", or "auto" by the number of rows
    weights : "heat", ``exp(-d^2 / 2 s^2)`` with s = `heat_width` or the mean distance to the neighbours; "binary";
        "cosine", the cosine of the rows where it is positive; "local", ``exp(-d^2 / (s_i s_j))`` with s_i the distance of
        row i to its last neighbour

    >>> import landbridge as lb
    >>> W = lb.geometry.similarity_graph([[0.0], [1.0], [3.0]], n_neighbors=1, weights="binary")
    >>> W.toarray().tolist()
    [[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    """
    if weights == "precomputed":
        raise ParameterError('weights is "precomputed"; it must be "heat", "binary", "cosine" or "local" to build a graph')
    rows = _data.dataset("X", X)
    indptr, indices, values = _core.similarity_graph(
        rows,
        whole("n_neighbors", n_neighbors, 1),
        metric,
        weights,
        heat_width,
        search,
        whole("random_state", random_state),
        threads(n_jobs),
    )
    n = len(indptr) - 1
    return sparse.csr_array((values, indices, indptr), shape=(n, n))


def geodesic_distances(
    X: Any,
    n_neighbors: int = 10,
    metric: Metric = "euclidean",
    graph: Any = None,
    search: Search = "auto",
    random_state: int = 0,
    n_jobs: int | None = None,
    dtype: Any = np.float64,
) -> npt.NDArray[Any]:
    """Lengths of the shortest paths between all rows over the neighbour graph, an (n, n) array.

    A disconnected graph is joined by the shortest edge between every two of its components, with a warning.

    Parameters
    ----------
    X : rows, in any form `fit` takes; None with `graph`
    n_neighbors, metric, search, random_state, n_jobs : as in `knn_graph`
    graph : a symmetric sparse matrix of lengths instead of rows; it is used unchanged, and nodes that no path joins are
        infinitely far apart
    dtype : float64, or float32 for half the memory (the same numbers, rounded)

    >>> import landbridge as lb
    >>> lb.geometry.geodesic_distances([[0.0], [1.0], [3.0]], n_neighbors=1).tolist()
    [[0.0, 1.0, 3.0], [1.0, 0.0, 2.0], [3.0, 2.0, 0.0]]
    """
    kind = np.dtype(dtype)
    if kind not in (np.float64, np.float32):
        raise ParameterError(f"dtype is {dtype!r}; it must be float64 or float32")
    single = kind == np.float32
    if graph is not None:
        if X is not None:
            raise ParameterError("X and graph are both given; X must be None when the graph is given")
        given = sparse.csr_array(graph, dtype=np.float64)
        if given.ndim != 2 or given.shape[0] != given.shape[1]:
            raise DataError(f"a graph is square, this one is {given.shape}")
        indptr, indices, values, _ = _data.csr_parts(given)
        return _core.graph_distances(indptr, indices, values, single, threads(n_jobs))
    rows = _data.dataset("X", X)
    k, seed = whole("n_neighbors", n_neighbors, 1), whole("random_state", random_state)
    distances, components, edges = _core.geodesic_distances(rows, k, metric, search, seed, single, threads(n_jobs))
    if edges:
        text = f"the neighbour graph had {components} connected components; {edges} shortest missing edge(s) were added to join them"
        warnings.warn(text, AlignmentWarning, stacklevel=2)
    return distances


def laplacian(W: Any, normalized: bool = True) -> Any:
    """The Laplacian ``D - W`` of a symmetric graph, or ``D^-1/2 (D - W) D^-1/2`` if `normalized`.

    The eigenvalues of the normalized one are those of ``L f = lambda D f``. Rows without edges are zero in both.

    >>> import landbridge as lb
    >>> lb.geometry.laplacian([[0.0, 2.0], [2.0, 0.0]], normalized=False).toarray().tolist()
    [[2.0, -2.0], [-2.0, 2.0]]
    """
    graph = sparse.csr_array(W, dtype=np.float64)
    if graph.ndim != 2 or graph.shape[0] != graph.shape[1]:
        raise DataError(f"a graph is square, this one is {graph.shape}")
    if not np.all(np.isfinite(graph.data)) or np.any(graph.data < 0):
        raise DataError("the weights of a graph are finite and not negative")
    difference = abs(graph - graph.T)
    if difference.nnz and difference.max() > 1e-12 * graph.max():
        raise DataError("the graph is not symmetric")
    degree: npt.NDArray[np.float64] = np.asarray(graph.sum(axis=1)).ravel()
    result = sparse.csr_array(sparse.diags(degree)) - graph
    if normalized:
        scale = np.zeros_like(degree)
        scale[degree > 0] = 1.0 / np.sqrt(degree[degree > 0])
        diagonal = sparse.csr_array(sparse.diags(scale))
        result = diagonal @ result @ diagonal
    return sparse.csr_array(result)


def min_plus(A: Any, B: Any, n_jobs: int | None = None) -> npt.NDArray[np.float64]:
    """The min-plus product, ``C[i, j] = min over u of A[i, u] + B[u, j]``: the shortest path through one of the u.

    >>> import landbridge as lb
    >>> lb.geometry.min_plus([[1.0, 5.0]], [[10.0, 0.5], [2.0, 9.0]]).tolist()
    [[7.0, 1.5]]
    """
    return _core.min_plus(_matrix("A", A), _matrix("B", B), threads(n_jobs))


def joint_distances(
    distances: Any, pairs: Any, n_jobs: int | None = None
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Distances between all rows of all datasets, from those within each and known pairs, as `GlobalAlignment` computes them.

    Parameters
    ----------
    distances : list of symmetric (n_a, n_a) arrays
    pairs : (l, c) array of row numbers, one column per dataset, -1 = no counterpart

    Returns
    -------
    D : (N, N) array; within a dataset its distances times its scale, across datasets through the nearest pair
    scales : the factor of each dataset that fits the distances between its paired rows to those of the first

    >>> import landbridge as lb
    >>> D, scales = lb.geometry.joint_distances([[[0, 2], [2, 0]], [[0, 1], [1, 0]]], [[0, 0], [1, 1]])
    >>> scales.tolist(), D[0].tolist()
    ([1.0, 2.0], [0.0, 2.0, 0.0, 2.0])
    """
    given = [_matrix(f"distances {a}", m) for a, m in enumerate(distances)]
    table = np.asarray(pairs)
    if table.ndim != 2 or table.dtype.kind not in "iu":
        raise DataError(f"pairs is a table of whole numbers, one column per dataset; this one is {table.dtype} {table.shape}")
    return _core.joint_distances(given, np.ascontiguousarray(table, dtype=np.int64), threads(n_jobs))


def _matrix(name: str, values: Any) -> npt.NDArray[np.float64]:
    array = np.asarray(values)
    if array.ndim != 2 or array.dtype.kind not in "fiu":
        raise DataError(f"{name} is {array.dtype} {array.shape}; it must be a matrix of numbers")
    return np.asarray(array, dtype=np.float64)


def pattern_distances(
    X: Any, Y: Any, n_neighbors: int = 4, metric: Metric = "euclidean", n_jobs: int | None = None
) -> npt.NDArray[np.float64]:
    """Distances between the local patterns of every row of `X` and every row of `Y`, an (n, m) array.

    The pattern of a row holds the distances among the row and its nearest rows. Two patterns are compared in all orders of the
    neighbours, with either one rescaled to the other. The columns of `X` and `Y` need not have anything in common.

    Parameters
    ----------
    X, Y : rows, in any form `fit` takes
    n_neighbors : from 1 to 6; all its orders are tried
    metric : "euclidean" or "cosine"
    n_jobs : threads; None or -1 is all cores

    >>> import landbridge as lb
    >>> X = [[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [5.0, 5.0]]
    >>> Y = [[3.0 * y, 3.0 * x, 1.0] for x, y in X]               # rotated and scaled
    >>> lb.geometry.pattern_distances(X, Y, n_neighbors=3).diagonal().round(12).tolist()
    [0.0, 0.0, 0.0, 0.0]
    """
    rows, others = _data.dataset("X", X), _data.dataset("Y", Y)
    return _core.pattern_distances(rows, others, whole("n_neighbors", n_neighbors, 1), metric, threads(n_jobs))
