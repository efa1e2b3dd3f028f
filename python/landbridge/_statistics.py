"""Statistics of shards, from which models are solved."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

import numpy as np

from . import _data
from . import _landbridge as _core
from ._alignment import Alignment
from ._base import copy_unfitted, threads, whole
from ._errors import AlignmentWarning, PairsError, ParameterError

Method = TypeVar("Method", bound=Alignment)


class Shard(NamedTuple):
    """A part of the data whose sums are in the statistics."""

    #: Hash of its rows, ids and pairs, whatever their order.
    fingerprint: str
    #: Its name, for messages.
    name: str
    #: Rows of the two datasets.
    rows: tuple[int, int]
    #: Its pairs.
    pairs: int
    #: Hash of its ids in any order, if both datasets have ids.
    ids: str | None


def _several(given: Any) -> list[Statistics]:
    """Statistics in a list or another collection."""
    several = list(given) if isinstance(given, Iterable) and not isinstance(given, (str, bytes)) else [given]
    for one in several:
        if not isinstance(one, Statistics):
            raise ParameterError(f"merge got {one!r}; it takes Statistics, or a list of them", "lb.Statistics.load(path) reads a file")
    return several


class Statistics:
    """Sums over the rows and pairs of two datasets: what CCA, the linear transform and Procrustes depend on.

    Compute them shard by shard, on any machine, merge them, and solve a model from them. All sums are exact: any cut into shards
    and any order of merging gives the same model, byte for byte, and it agrees with the fit of all rows in one place up to rounding
    errors. ``landbridge stats``, ``merge`` and ``solve`` do the same.

    A shard given twice is refused, in any order of its rows; so is a shard with the same ids, in any precision. One id that occurs in
    two shards of different ids is not noticed.

    >>> import landbridge as lb
    >>> helices = lb.datasets.helices(200)
    >>> x, y = helices.datasets
    >>> shards = [lb.Statistics.of([x[k : k + 50], y[k : k + 50]]) for k in range(0, 200, 50)]
    >>> a = shards[0].merge(*shards[1:]).solve(lb.CCA(2, ridge=0.01))
    >>> whole = lb.CCA(2, ridge=0.01).fit([x, y], [[i, i] for i in range(200)])
    >>> bool(abs(a.transform(x, 0) - whole.transform(x, 0)).max() < 1e-10)
    True
    """

    def __init__(self, core: _core.Statistics) -> None:
        if not isinstance(core, _core.Statistics):
            raise ParameterError("Statistics are made by Statistics.of or Statistics.load", "lb.Statistics.of([X, Y], pairs)")
        self._sums = core

    @classmethod
    def of(
        cls,
        datasets: Any,
        pairs: Any = None,
        *,
        name: str = "these rows",
        landmarks: Any = None,
        n_landmarks: int = 500,
        n_jobs: int | None = None,
    ) -> Statistics:
        """The statistics of a shard.

        Parameters
        ----------
        datasets : two, as `fit` takes them; the names must be the same for all shards
        pairs : as `fit` takes them; None: rows with the same id where both have ids, otherwise row by row
        name : of the shard, for messages
        landmarks : rows of the two datasets, given as `datasets` are, for `solve(LinearAlignment(...))`; the same for all shards, which
            `merge` checks. None: without
        n_landmarks : landmarks to take of each, evenly spaced over the rows
        n_jobs : threads; None or -1 is all cores
        """
        data = _data.datasets(datasets)
        if pairs is None and all(d.row_ids is not None for d in data):
            pairs = "names"
        if pairs is None:
            counts = {d.shape[0] for d in data}
            if len(counts) > 1:
                raise PairsError(f"rows cannot correspond one by one: there are {sorted(counts)}", "give pairs, or row ids")
            pairs = np.column_stack([np.arange(*counts)] * len(data))
        near = None
        if landmarks is not None:
            rows = list(landmarks.values()) if isinstance(landmarks, Mapping) else list(landmarks)
            if len(rows) != len(data):
                raise ParameterError(f"landmarks is {len(rows)}; it must be rows of each of the {len(data)} datasets")
            near = [_data.dataset(d.name, x) for d, x in zip(data, rows)]
        count = whole("n_landmarks", n_landmarks, 2)
        return cls(_core.Statistics.of(str(name), data, _data.pairs(pairs, data), near, count, threads(n_jobs)))

    def merge(self, *others: Statistics | Iterable[Statistics]) -> Statistics:
        """These statistics and others of the same datasets, added up; lists of them are taken too. A shard that would count twice is
        refused.

        Where shards have their columns in different orders, all are put in the order that most shards have, with a warning. The result
        does not depend on the order of merging.
        """
        # Also Statistics.merge([s, t]).
        given = [one for other in (self, *others) for one in ([other] if isinstance(other, Statistics) else _several(other))]
        if not given:
            raise ParameterError("there are no statistics to merge", "lb.Statistics.of([X, Y], pairs) makes some")
        known = {name for one in given for name in one._sums.reordered}
        merged = Statistics(given[0]._sums.merge([other._sums for other in given[1:]]))
        if names := [name for name in merged._sums.reordered if name not in known]:
            text = f"columns put in the order that most shards have, by name: {', '.join(names[:5])}"
            warnings.warn(text, AlignmentWarning, stacklevel=2)
        return merged

    def solve(self, method: Method) -> Method:
        """The alignment by a method: `CCA`, `LinearTransform`, or `ProcrustesAlignment(embedding=None)`; with `landmarks` also
        `LinearAlignment`, whose graph then ties every row to its nearest landmarks instead of its nearest rows.

        It has maps and no rows, as one saved with ``rows=False``. `prepare` may be None, "center" or "standardize"; "auto" is
        "center". A ridge that is not given is chosen by cross-validation over all pairs (`fit` looks at 400 at most). With more
        columns than pairs, components may have the other sign.
        """
        if not isinstance(method, Alignment):
            raise ParameterError(f"method is {method!r}; it must be a method such as CCA(20)")
        solved: Method = copy_unfitted(method)
        verbose = solved._is_verbose()
        solved._learn(self._sums.solve(method._method, method._core_params(), threads(method.n_jobs), verbose))
        for text in solved.outcome_.warnings:
            warnings.warn(text, AlignmentWarning, stacklevel=2)
        return solved

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write them to the file `path`, whole or not at all; the name ends in .stats, also with .gz or .zst."""
        self._sums.save(os.fspath(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Statistics:
        """Read the file `path`, which `save` or ``landbridge stats`` wrote."""
        return cls(_core.Statistics.load(os.fspath(path)))

    @property
    def n_pairs(self) -> int:
        """Number of pairs."""
        return self._sums.n_pairs

    @property
    def n_landmarks(self) -> tuple[int, int] | None:
        """Number of landmarks of the two datasets; None without."""
        return self._sums.n_landmarks

    @property
    def n_rows(self) -> tuple[int, int]:
        """Number of rows of the two datasets."""
        return self._sums.n_rows

    @property
    def names(self) -> list[str]:
        """Names of the two datasets."""
        return [name for name, _, _ in self._sums.datasets]

    @property
    def shards(self) -> list[Shard]:
        """The shards, by fingerprint."""
        return [Shard(*shard) for shard in self._sums.shards]

    def to_bytes(self) -> bytes:
        """The bytes of their file."""
        return self._sums.to_bytes()

    @classmethod
    def from_bytes(cls, file: bytes) -> Statistics:
        """Statistics from the bytes of a `file`, which `to_bytes` gave on any machine."""
        return cls(_core.Statistics.from_bytes(bytes(file), "bytes"))

    def __getstate__(self) -> dict[str, bytes]:
        return {"file": self.to_bytes()}

    def __setstate__(self, state: dict[str, bytes]) -> None:
        self._sums = _core.Statistics.from_bytes(state["file"], "pickle")

    def __repr__(self) -> str:
        first, second = self.names
        shards = len(self.shards)
        return f'Statistics({self.n_pairs} pairs of "{first}" and "{second}", {shards} {"shard" if shards == 1 else "shards"})'
