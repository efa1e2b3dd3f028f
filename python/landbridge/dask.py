"""Alignments of Dask arrays: rows that do not fit into memory, or lie on several machines (``pip install landbridge[dask]``).

>>> import dask.array as da
>>> import landbridge as lb
>>> helices = lb.datasets.helices(200)
>>> x, y = (da.from_array(rows, chunks=(50, -1)) for rows in helices.datasets)
>>> a = lb.dask.fit(lb.CCA(2, ridge=0.01), [x, y])
>>> lb.dask.transform(a, x, dataset=0).compute().shape
(200, 2)
>>> index, distance = lb.dask.match(a, x, y=y, k=3)
>>> index.compute().shape
(200, 3)

Everything is computed by tasks of Dask, each on one thread, with the scheduler of the surroundings: threads, processes, or a
cluster of ``distributed``. Results are those of one process.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.util
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np

from . import _data
from . import _landbridge as _core
from ._alignment import _CLASSES, Alignment, from_params
from ._base import copy_unfitted, whole
from ._errors import AlignmentWarning, DataError, LandbridgeError, PairsError, ParameterError, UndefinedError
from ._matching import match_rows
from ._statistics import Statistics
from ._words import Metric

__all__ = ["evaluate", "fit", "match", "transform"]

#: Methods that are solved from statistics.
_SOLVED = ("cca", "linear_transform", "procrustes")
#: Statistics that are merged by one task.
_FAN_IN = 8
#: Pairs of one task.
_PAIRS = 16_384
#: Neighbours that say how near a row is to the other side, in CSLS.
_NEAREST = 10
#: Rows whose scores are in memory together.
_TOGETHER = 256


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise LandbridgeError(f"landbridge.dask needs {name}, which is not installed", "pip install landbridge[dask]") from None


def _array(name: str, x: Any, fitted: list[str] | None = None) -> tuple[Any, list[str] | None]:
    """A Dask array with known chunks along the rows only, and the names of its columns. Columns of a dataframe are put into the
    order of the `fitted` ones."""
    da = _library("dask.array")
    columns = None
    if hasattr(x, "to_dask_array"):
        columns = [str(c) for c in x.columns]
        if fitted is not None and columns != fitted:
            lacking = [c for c in fitted if c not in columns]
            if lacking:
                raise DataError(f'dataset "{name}": {len(lacking)} of its columns are missing, {lacking[0]!r} first')
            warnings.warn(f'dataset "{name}": columns are matched by name', AlignmentWarning, stacklevel=4)
            x = x[[x.columns[columns.index(c)] for c in fitted]]
            columns = fitted
        x = x.to_dask_array(lengths=True)
    if not isinstance(x, da.Array):
        kind = type(x)
        raise DataError(
            f'dataset "{name}" is a {kind.__module__}.{kind.__qualname__}; it must be a dask array or dataframe',
            "dask.array.from_array(X, chunks=(100_000, -1))",
        )
    if x.ndim != 2:
        raise DataError(f'dataset "{name}" has {x.ndim} dimensions; rows and columns are 2')
    if any(np.isnan(n) for axis in x.chunks for n in axis):
        x = x.compute_chunk_sizes()
    if x.numblocks[1] > 1:
        text = f'dataset "{name}" has chunks along its columns ({x.numblocks[1]}); they are put together, which moves data'
        warnings.warn(text, AlignmentWarning, stacklevel=4)
        x = x.rechunk({1: -1})
    return x, columns


def _blocks(x: Any) -> list[Any]:
    return [block for row in x.to_delayed() for block in row]


def _rows(name: str, block: Any) -> _core.Dataset:
    return _data.dataset(name, block)


def _of_rows(name: str, names: Any, side: int, block: Any) -> Statistics:
    return Statistics(_core.Statistics.of_rows(name, names, side, _rows(names[side][0], block), 1))


def _of_pairs(name: str, names: Any, x: Any, y: Any) -> Statistics:
    return Statistics(_core.Statistics.of_pairs(name, names, _rows(names[0][0], x), _rows(names[1][0], y), 1))


def _merged(parts: list[Statistics]) -> Statistics:
    return parts[0].merge(*parts[1:])


def _pairs(pairs: Any, rows: tuple[int, int]) -> Any:
    table = np.asarray(pairs)
    if table.ndim != 2 or table.shape[1] != 2 or table.dtype.kind not in "iu":
        raise PairsError(f"pairs is an array of {table.dtype}, {table.shape}; it must be (l, 2) row numbers")
    if (table < 0).any():
        row = int((table < 0).any(axis=1).argmax())
        raise PairsError(f"pairs, row {row}: only one dataset has an entry", "leave it out")
    for side, n in enumerate(rows):
        if len(table) and table[:, side].max() >= n:
            raise PairsError(f"pairs: row {table[:, side].max()} of dataset {side} is out of range: it has {n} rows")
    # In the order of the first dataset, so that its chunks are read one after the other.
    return table[np.lexsort((table[:, 1], table[:, 0]))]


def _check_workers(client: Any) -> None:
    found = client.run(importlib.util.find_spec, "landbridge")
    without = sorted(worker for worker, spec in found.items() if spec is None)
    if without:
        raise LandbridgeError(f"workers without landbridge: {', '.join(without)}", "install landbridge on all workers")


def fit(method: Alignment, datasets: Any, pairs: Any = None, client: Any = None, *, sample: int = 20_000) -> Any:
    """Fit a method to two Dask arrays through merged statistics, without having the rows in one place.

    Parameters
    ----------
    method : `CCA`, `LinearTransform` or `ProcrustesAlignment(embedding=None)`; or `SelfTraining`, which is fitted to a sample, whose
        map then matches all rows, and the rows that choose each other (CSLS, both ways) are the pairs of a `CCA` of as many
        components, or of its `base` if that is one of the three. Other methods need the rows: fit them on a sample
    datasets : two dask arrays or dataframes, a list or a dict of names; chunks may be dense or SciPy sparse matrices
    pairs : (l, 2) array of row numbers; None: all rows correspond, in order, and for `SelfTraining` no pairs are known
    client : of ``distributed``; None: the scheduler that Dask uses now
    sample : rows of each dataset that self-training sees, drawn by its `random_state`; given pairs come first. It is an error for
        other methods, which see all rows

    Returns
    -------
    A fitted copy of the method. It has maps and no rows, and agrees with ``method.fit`` of the same rows up to rounding errors;
    its bytes do not depend on the chunks. See `Statistics.solve` for what `prepare` and `ridge` may be. Of `SelfTraining` the method
    that was fitted last, with ``sample_``, the self-training itself, whose ``outcome_`` has the verdict, and ``pairs_``, the pairs of
    all rows.
    """
    if not isinstance(method, Alignment):
        raise ParameterError(f"method is {method!r}; it must be a method such as CCA(20)")
    if method._method == "self_training":
        return _self_trained(method, datasets, pairs, client, whole("sample", sample, 20))
    if sample != 20_000:
        raise ParameterError(f"sample is {sample}; {type(method).__name__} sees all rows, so leave it out")
    if method._method not in _SOLVED:
        raise UndefinedError(
            f"{type(method).__name__} from dask arrays is not defined: it needs the rows in one place",
            "fit it on a sample: method.fit([x[rows].compute(), y[rows].compute()], pairs)",
        )
    delayed = _library("dask").delayed
    given = list(datasets.items()) if isinstance(datasets, Mapping) else [(str(a), x) for a, x in enumerate(datasets)]
    if len(given) != 2:
        raise ParameterError(f"datasets is {len(given)}; it must be two")
    arrays, names = [], []
    for name, x in given:
        array, columns = _array(name, x)
        arrays.append(array)
        names.append((name, int(array.shape[1]), columns))
    x, y = arrays
    if pairs is None and all(columns is not None for _, _, columns in names):
        text = "rows of the dataframes correspond one by one, in their order; the index is not looked at"
        warnings.warn(text, AlignmentWarning, stacklevel=2)
    if client is not None:
        _check_workers(client)
    tasks = []
    for side, array in enumerate(arrays):
        starts = np.cumsum((0, *array.chunks[0]))
        for start, count, block in zip(starts, array.chunks[0], _blocks(array)):
            if count:
                tasks.append(delayed(_of_rows)(f"rows {start} to {start + count} of {side}", names, side, block))
    if pairs is None:
        if len(x) != len(y):
            raise PairsError(f"rows cannot correspond one by one: there are {len(x)} and {len(y)}", "give pairs")
        y = y.rechunk((x.chunks[0], -1))
    else:
        table = _pairs(pairs, (len(x), len(y)))
        x, y = (array[table[:, side]].rechunk((_PAIRS, -1)) for side, array in enumerate(arrays))
    start = 0
    for left, right, count in zip(_blocks(x), _blocks(y), x.chunks[0]):
        if count:
            tasks.append(delayed(_of_pairs)(f"pairs {start} to {start + count}", names, left, right))
        start += count
    while len(tasks) > 1:
        tasks = [delayed(_merged)(tasks[at : at + _FAN_IN]) for at in range(0, len(tasks), _FAN_IN)]
    if not tasks:
        raise DataError("both datasets are empty")
    statistics: Statistics = client.compute(tasks[0]).result() if client is not None else tasks[0].compute()
    return statistics.solve(method)


def _self_trained(method: Any, datasets: Any, pairs: Any, client: Any, sample: int) -> Any:
    """Self-training on a sample, then all rows matched and a map fitted to the matches."""
    given = dict(datasets) if isinstance(datasets, Mapping) else {str(a): x for a, x in enumerate(datasets)}
    if len(given) != 2:
        raise ParameterError(f"datasets is {len(given)}; it must be two")
    base = method.base if method.base is not None and method.base._method in _SOLVED else None
    if method.base is not None and base is None:
        kind = type(method.base).__name__
        raise UndefinedError(f"base {kind} from dask arrays is not defined: it needs the rows", "base=None, or lb.CCA(20)")
    arrays, columns = {}, {}
    for name, x in given.items():
        arrays[name], columns[name] = _array(name, x)
    x, y = arrays.values()
    table = np.empty((0, 2), dtype=np.int64) if pairs is None else _pairs(pairs, (len(x), len(y)))
    draw = np.random.default_rng(method.random_state)
    known = table if len(table) <= sample // 2 else table[np.sort(draw.choice(len(table), sample // 2, replace=False))]
    chosen = [_sampled(draw, len(array), known[:, side], sample) for side, array in enumerate((x, y))]
    library = _library("dask")
    parts = [array[rows] for array, rows in zip((x, y), chosen)]
    small = client.gather(client.compute(parts)) if client is not None else library.compute(*parts)
    seen = np.column_stack([np.searchsorted(rows, known[:, side]) for side, rows in enumerate(chosen)])
    trained = copy_unfitted(method).fit(dict(zip(given, small)), seen if len(seen) else None)
    best = []
    for source, target, one, other in ((0, 1, x, y), (1, 0, y, x)):
        index, _ = match(trained, one, source, target, 1, y=other, how="csls")
        best.append(index[:, 0])
    there, back = client.gather(client.compute(best)) if client is not None else library.compute(*best)
    mutual = np.flatnonzero(back[there] == np.arange(len(x)))
    # What was given holds, whatever was found.
    free = ~(np.isin(mutual, table[:, 0]) | np.isin(there[mutual], table[:, 1]))
    found = np.concatenate([table, np.column_stack([mutual[free], there[mutual[free]]])])
    if len(found) < 0.1 * min(len(x), len(y)):
        text = f"only {len(found)} of {min(len(x), len(y))} rows choose each other; few rows have a partner, or the map is wrong"
        warnings.warn(text, AlignmentWarning, stacklevel=3)
    cca: Any = _CLASSES["cca"]
    refit = base if base is not None else cca(trained._model.embedding_shape(0)[1])
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="rows of the dataframes correspond one by one")
        fitted = fit(refit, given, found, client)
    fitted.sample_, fitted.pairs_ = trained, found
    return fitted


def _sampled(draw: Any, rows: int, first: Any, sample: int) -> Any:
    """Numbers of rows in ascending order: those that come first, and others at random."""
    if rows <= sample:
        return np.arange(rows)
    first = np.unique(first)
    others = np.setdiff1d(np.arange(rows), first, assume_unique=True)
    return np.sort(np.concatenate([first, draw.choice(others, sample - len(first), replace=False)]))


@functools.lru_cache(maxsize=4)
def _read(file: bytes) -> Any:
    """The alignment of a model file, once per process."""
    model = _core.Model.from_bytes(file, "task")
    alignment = from_params(_CLASSES[model.method], model.method, model.params)
    alignment._learn(model)
    alignment.n_jobs = 1
    return alignment


def _placed(block: Any, file: bytes, dataset: int, dimensions: int) -> Any:
    if block.shape[0] == 0:
        return np.empty((0, dimensions))
    return _read(file).transform(block, dataset)


def _file(a: Alignment, rows: bool) -> bytes:
    model = a._fitted("be sent to workers")
    if not rows:
        with contextlib.suppress(UndefinedError):  # new rows find their place by the fitted rows
            model = _core.without_rows(model)
    return model.to_bytes()


def transform(a: Alignment, x: Any, dataset: int | str = 0) -> Any:
    """Coordinates of the rows of a Dask array in the joint space, as a Dask array with the same chunks of rows.

    `x` has the columns of the fitted rows of that dataset (position or name). Nothing is computed before it is asked for.
    """
    model = a._fitted("transform")
    position = model.position(dataset)
    x, _ = _array(model.names[position], x, model.columns(position))
    if x.shape[1] != model.n_features[position]:
        names = f'dataset "{model.names[position]}" was fitted with {model.n_features[position]} features'
        raise DataError(f"{names}, the new rows have {x.shape[1]}")
    dimensions = model.embedding_shape(position)[1]
    return x.map_blocks(
        _placed, file=_file(a, False), dataset=position, dimensions=dimensions,
        dtype=np.float64, chunks=(x.chunks[0], (dimensions,)), meta=np.empty((0, 0)),
    )  # fmt: skip


def _matched(block: Any, file: bytes, options: dict[str, Any]) -> Any:
    """Indices and distances, one after the other on the last axis."""
    if block.shape[0] == 0:
        return np.empty((0, options["k"], 2))
    return np.stack(_read(file).match(block, **options), axis=-1)


def _nearest(zx: Any, zy: Any, start: int, k: int, metric: Metric) -> Any:
    """The k nearest rows of a chunk, with their numbers among all."""
    index, distance = match_rows(zx, zy, k=min(k, len(zy)), how="nearest", metric=metric, n_jobs=1)
    return np.stack([index + start, distance], axis=-1)


def _unit(z: Any) -> Any:
    length = np.linalg.norm(z, axis=1, keepdims=True)
    return z / np.where(length > 0, length, 1)


def _corrected(zx: Any, zy: Any, start: int, k: int, of_x: Any, of_y: Any) -> Any:
    """The k best rows of a chunk by CSLS, with their numbers among all and the negated scores."""
    x, y, k = _unit(zx), _unit(zy), min(k, len(zy))
    found = []
    for at in range(0, len(x), _TOGETHER):  # a few rows at a time, because all scores of them are in memory
        scores = of_x[at : at + _TOGETHER, None] + of_y - 2 * (x[at : at + _TOGETHER] @ y.T)
        index = np.argsort(scores, axis=1, kind="stable")[:, :k]  # ties by number
        found.append(np.stack([index + start, np.take_along_axis(scores, index, axis=1)], axis=-1))
    return np.concatenate(found)


def _nearness(best: Any) -> Any:
    """The mean cosine of rows to their nearest ones."""
    return 1 - best[..., 1].mean(axis=1)


def _merged_best(zx: Any, zy: Any, k: int, part: Any) -> list[Any]:
    """For every chunk of `zx` its k best rows in all chunks of `zy`; `part(i, j, start)` gives those of one pair of chunks."""
    delayed = _library("dask").delayed
    starts = np.cumsum((0, *zy.chunks[0]))
    targets = [(j, int(starts[j])) for j, n in enumerate(zy.chunks[0]) if n]
    found = []
    for i, n in enumerate(zx.chunks[0]):
        parts = [part(i, j, start) for j, start in targets] if n else []
        while len(parts) > 1:
            parts = [delayed(_best)(parts[at : at + _FAN_IN], k) for at in range(0, len(parts), _FAN_IN)]
        found.append(parts[0] if parts else None)
    return found


def _matched_chunks(zx: Any, zy: Any, k: int, how: str, metric: Metric) -> list[Any]:
    """The matches of every chunk of `zx`; None for an empty one."""
    delayed = _library("dask").delayed
    x, y = _blocks(zx), _blocks(zy)

    def nearest(zx: Any, zy: Any, x: list[Any], y: list[Any], k: int, metric: Metric) -> list[Any]:
        return _merged_best(zx, zy, k, lambda i, j, start: delayed(_nearest)(x[i], y[j], start, k, metric))

    if how == "nearest":
        return nearest(zx, zy, x, y, k, metric)
    # First how near all rows are to the other side, in both directions; then the scores.
    sides = [(zx, zy, x, y, min(_NEAREST, len(zy))), (zy, zx, y, x, min(_NEAREST, len(zx)))]
    of_x, of_y = ([b if b is None else delayed(_nearness)(b) for b in nearest(*side, "cosine")] for side in sides)
    return _merged_best(zx, zy, k, lambda i, j, start: delayed(_corrected)(x[i], y[j], start, k, of_x[i], of_y[j]))


def _best(parts: list[Any], k: int) -> Any:
    """The k best of several chunks: by distance, ties by number."""
    both = np.concatenate(parts, axis=1)
    order = np.lexsort((both[..., 0], both[..., 1]), axis=-1)[:, :k]
    return np.take_along_axis(both, order[..., None], axis=1)


def match(
    a: Alignment,
    x: Any,
    source: int | str = 0,
    target: int | str = 1,
    k: int = 1,
    *,
    y: Any = None,
    how: str = "nearest",
    metric: Metric | None = None,
) -> tuple[Any, Any]:
    """The best matches of the rows of a Dask array, exactly.

    Parameters
    ----------
    a : a fitted alignment
    x : rows of `source`, a dask array or dataframe
    source, target : position or name
    k : matches per row
    y : rows of `target` to match with, a dask array or dataframe; None: the fitted rows of the model
    how : "nearest"; or "csls", which penalises rows that are near to many others: with `y` in two passes over all pairs of chunks.
        With `y`, how near a row of `y` is to others is measured on the rows of `x`, so that matches depend on all rows that are asked
        about, as in `match_rows`; without it, on the fitted rows, so that each row is matched by itself
    metric : "euclidean" or "cosine" in the joint space; None is what suits the method

    Returns
    -------
    Two Dask arrays (m, k): numbers of rows of `target`, best first, and their distances. With `y`, the k best of every pair of
    chunks are merged; equal distances go by number.
    """
    da = _library("dask.array")
    model = a._fitted("match")
    s, t, k = model.position(source), model.position(target), whole("k", k, 1)
    if how not in ("nearest", "csls"):
        raise ParameterError(f'how is {how!r}; it must be "nearest" or "csls": other matches depend on all rows at once')
    if how == "csls" and metric not in (None, "cosine"):
        raise ParameterError(f'metric is {metric!r}; it must be None or "cosine" for how="csls"')
    if y is None:
        a._check_rows(model, "match without y")
        if k > (fitted := model.embedding_shape(t)[0]):
            raise ParameterError(f"k is {k}; there are {fitted} rows to match with")
        x, _ = _array(model.names[s], x, model.columns(s))
        options = {"source": s, "target": t, "k": k, "how": how, "metric": metric}
        both = x.map_blocks(
            _matched, file=_file(a, True), options=options, dtype=np.float64, new_axis=2,
            chunks=(x.chunks[0], (k,), (2,)), meta=np.empty((0, 0, 0)),
        )  # fmt: skip
    else:
        zx, zy = transform(a, x, s), transform(a, y, t)
        if k > len(zy):
            raise ParameterError(f"k is {k}; there are {len(zy)} rows to match with")
        found = _matched_chunks(zx, zy, k, how, metric or model.default_metric)
        known = [(best, n) for best, n in zip(found, zx.chunks[0]) if best is not None]
        rows = [da.from_delayed(best, (n, k, 2), dtype=np.float64) for best, n in known]
        both = da.concatenate(rows) if rows else da.empty((0, k, 2))
    return both[..., 0].astype(np.int64), both[..., 1]


def evaluate(
    a: Alignment,
    x: Any,
    y: Any,
    truth: Any = None,
    *,
    source: int | str = 0,
    target: int | str = 1,
    k: int | tuple[int, ...] = (1, 10),
    metric: Metric | None = None,
) -> dict[str, float]:
    """How often the true counterpart of a row is among its k best matches, over Dask arrays.

    Parameters
    ----------
    a : a fitted alignment
    x, y : rows of `source` and of `target`
    truth : (l, 2) array of row numbers; None: all rows correspond, in order
    k : the k of recall@k
    metric : as in `match`

    Returns
    -------
    A dict with ``recall_at_1`` and so on, and ``pairs``. Rivals are all rows of `y`; a tie counts against, as in
    `metrics.recall_at_k`.
    """
    model = a._fitted("evaluate")
    x, _ = _array(model.names[model.position(source)], x, model.columns(model.position(source)))
    y, _ = _array(model.names[model.position(target)], y, model.columns(model.position(target)))
    ks = sorted({whole("k", one, 1) for one in ([k] if isinstance(k, int) else k)})
    if truth is None:
        if len(x) != len(y):
            raise PairsError(f"rows cannot correspond one by one: there are {len(x)} and {len(y)}", "give truth")
        partners = np.arange(len(y))
    else:
        table = _pairs(truth, (len(x), len(y)))
        x, partners = x[table[:, 0]].rechunk((_PAIRS, -1)), table[:, 1]
    # One more than asked for: a rival at the same distance as the counterpart may stand behind it.
    index, distance = match(a, x, source, target, min(ks[-1] + 1, len(y)), y=y, metric=metric)
    index, distance = _library("dask").compute(index, distance)
    found = index == partners[:, None]
    own = np.where(found.any(axis=1), np.where(found, distance, np.inf).min(axis=1), -np.inf)
    rivals = ((distance <= own[:, None]) & ~found).sum(axis=1)
    hit = found.any(axis=1)
    return {"pairs": len(partners), **{f"recall_at_{one}": float((hit & (rivals < one)).mean()) for one in ks}}
