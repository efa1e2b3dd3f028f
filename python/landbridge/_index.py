"""Approximate search by an existing library, for stores of millions of rows."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import numpy.typing as npt

from ._alignment import Alignment
from ._base import threads, whole
from ._errors import LandbridgeError, ParameterError
from ._matching import match_rows
from ._words import Kind, Metric

#: What each library is installed by.
_PACKAGES = {"usearch": "usearch", "faiss": "faiss-cpu"}
#: Queries by which an index is compared with the exact search.
_QUERIES = 500
#: Rows that are handed over at a time.
_ROWS = 65_536


class SearchIndex:
    """The fitted rows of one dataset in an index of usearch or faiss. `Alignment.index` makes it.

    Attributes
    ----------
    kind : "usearch" or "faiss"
    metric : "euclidean" or "cosine", in the joint space
    recall_ : share of the `k_` nearest rows that it finds, by the exact search for up to 500 fitted rows of the source
    k_ : the length of those lists
    index_ : the index of the library itself, to save it or to change its settings
    """

    def __init__(
        self, alignment: Alignment, kind: Kind, source: int, target: int, metric: Metric, k: int, options: dict[str, Any]
    ) -> None:
        self.kind, self.metric, self.k_ = kind, metric, k
        self._alignment, self._source = alignment, source
        rows = alignment.embeddings_[target]
        self._count, width = rows.shape
        self._jobs = threads(alignment.n_jobs)
        self.index_ = _made(kind, width, metric, options)
        for start in range(0, self._count, _ROWS):
            self._add(start, self._ready(rows[start : start + _ROWS]))
        places = alignment.embeddings_[source]
        some = places[np.linspace(0, len(places) - 1, min(len(places), _QUERIES)).astype(np.int64)]
        exact = match_rows(some, rows, k=k, metric=metric, n_jobs=alignment.n_jobs)[0]
        found = self._search(some, k)[0]
        self.recall_ = float(np.mean([len(np.intersect1d(a, b)) / k for a, b in zip(exact, found, strict=True)]))
        self._queries = len(some)

    def search(self, X: Any, k: int = 10) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """The rows near to new rows of the source, as `match` gives them: indices, best first, and distances.

        Neither is exact: the index finds the share `recall_` of the nearest rows, and computes in single precision. A row that it does
        not find is -1, at an infinite distance.
        """
        k = whole("k", k, 1)
        if k > self._count:
            raise ParameterError(f"k is {k}; it must be between 1 and {self._count}, the number of target rows")
        return self._search(self._alignment.transform(X, self._source), k)

    def _ready(self, places: Any) -> npt.NDArray[np.float32]:
        """In single precision; by the cosine, of length 1."""
        if self.metric == "cosine":
            lengths = np.linalg.norm(places, axis=1, keepdims=True)
            places = places / np.where(lengths > 0, lengths, 1)
        return np.ascontiguousarray(places, dtype=np.float32)

    def _add(self, start: int, rows: npt.NDArray[np.float32]) -> None:
        if self.kind == "faiss":
            self.index_.add(rows)
        else:
            self.index_.add(np.arange(start, start + len(rows), dtype=np.uint64), rows, threads=self._jobs)

    def _search(self, places: Any, k: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        queries = self._ready(places)
        if self.kind == "faiss":
            score, index = self.index_.search(queries, k)
            index, score = np.asarray(index, dtype=np.int64), np.asarray(score, dtype=np.float64)
            distance = 1 - score if self.metric == "cosine" else np.sqrt(np.maximum(score, 0))
        else:
            found = self.index_.search(queries, k, threads=self._jobs)
            shape = (len(queries), k)
            index = np.asarray(found.keys).reshape(shape).astype(np.int64)
            distance = np.asarray(found.distances, dtype=np.float64).reshape(shape)
            # Lists that are too short end in anything.
            counts = np.asarray(getattr(found, "counts", np.full(len(queries), len(found.keys)))).reshape(-1, 1)
            index[np.arange(k) >= counts] = -1
            distance = distance if self.metric == "cosine" else np.sqrt(np.maximum(distance, 0))
        distance[index < 0] = np.inf
        return index, distance

    def __str__(self) -> str:
        return (
            f"{self.kind} index of {self._count} rows; recall@{self.k_} against the exact search: {self.recall_:.3f} "
            f"({self._queries} queries)"
        )

    __repr__ = __str__


def _made(kind: Kind, width: int, metric: Metric, options: dict[str, Any]) -> Any:
    """An empty index of the library."""
    if kind not in _PACKAGES:
        raise ParameterError(f'kind is {kind!r}; it must be "usearch" or "faiss"')
    try:
        if kind == "usearch":
            from usearch.index import Index  # type: ignore[import-not-found,unused-ignore]

            return Index(ndim=width, metric="ip" if metric == "cosine" else "l2sq", dtype="f32", **options)
        import faiss  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError as error:
        raise LandbridgeError(f"{kind} is not installed", f"pip install {_PACKAGES[kind]}") from error
    measure = faiss.METRIC_INNER_PRODUCT if metric == "cosine" else faiss.METRIC_L2
    return faiss.index_factory(width, options.pop("factory", "HNSW32"), measure, **options)


def index(
    alignment: Alignment,
    kind: Kind,
    source: int | str,
    target: int | str,
    metric: Metric | None,
    k: int,
    verbose: int,
    options: dict[str, Any],
) -> SearchIndex:
    """What `Alignment.index` returns."""
    model = alignment._fitted("index")
    s, t = model.position(source), model.position(target)
    alignment._check_rows(model, "index")
    if metric not in (None, "euclidean", "cosine"):
        raise ParameterError(f'metric is {metric!r}; it must be None, "euclidean" or "cosine"')
    own: Any = model.default_metric if metric is None else metric
    rows = alignment._model.embedding_shape(t)[0]
    made = SearchIndex(alignment, kind, s, t, own, min(whole("k", k, 1), rows), options)
    if verbose:
        print(made, file=sys.stderr)
    return made
