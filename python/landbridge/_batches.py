"""Rows some at a time: iterators, Arrow streams, AnnData on disk, arrays in slices."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from scipy import sparse

from . import _data
from ._base import whole
from ._errors import DataError, LandbridgeError, ParameterError


def batches(X: Any, size: int) -> Iterator[Any]:
    """The rows of `X`, at most `size` of them at a time where `X` does not say itself how it is cut.

    An iterator or a list of arrays or tables comes as it is; so does every batch of an Arrow stream. Arrays (also memory maps),
    sparse matrices, tables and AnnData (also backed) are cut into slices of `size` rows.
    """
    whole("size", size, 1)
    if _data._is(X, "dask.array", "Array") or hasattr(X, "to_dask_array"):
        raise DataError("the rows are a dask array or dataframe", "use lb.dask.transform, lb.dask.match or lb.dask.evaluate")
    if isinstance(X, (str, bytes)) or hasattr(X, "__fspath__"):
        raise DataError(
            f"the rows are {X!r}, a name",
            "open the file: pyarrow.dataset.dataset(path).scanner().to_reader(), np.load(path, mmap_mode='r'), "
            "anndata.read_h5ad(path, backed='r'); or use the command line: landbridge transform ... -o out/",
        )
    if _data._is(X, "anndata", "AnnData"):
        return _slices(X, X.n_obs, size, lambda part: part.to_memory() if X.isbacked else part)
    if sparse.issparse(X):
        return _slices(X.tocsr(), X.shape[0], size)
    if isinstance(X, np.ndarray):
        if X.ndim != 2:
            raise DataError(f"the rows have {X.ndim} dimensions; rows and columns are 2")
        return _slices(X, X.shape[0], size)
    if _data._is(X, "pandas", "DataFrame"):
        return _slices(X.iloc, X.shape[0], size)
    if hasattr(X, "__arrow_c_stream__"):
        return _arrow(X, size)
    if hasattr(X, "__landbridge_dataset__"):
        return iter([X])
    if isinstance(X, Iterable):
        return iter(X)
    kind = type(X)
    raise DataError(f"the rows are a {kind.__module__}.{kind.__qualname__}", "give an iterator of arrays or tables, or an Arrow stream")


def _slices(X: Any, rows: int, size: int, take: Any = lambda part: part) -> Iterator[Any]:
    return (take(X[at : min(at + size, rows)]) for at in range(0, rows, size))


def _pyarrow() -> Any:
    try:
        import pyarrow as pa
    except ImportError:
        raise LandbridgeError("an Arrow stream needs pyarrow, which is not installed", "pip install pyarrow") from None
    return pa


def _arrow(X: Any, size: int) -> Iterator[Any]:
    pa = _pyarrow()
    reader = X if isinstance(X, pa.RecordBatchReader) else pa.RecordBatchReader.from_stream(X)
    return (batch.slice(at, size) for batch in reader for at in range(0, max(batch.num_rows, 1), size))


def split(batch: Any, keep: list[str], features: list[str] | None) -> tuple[Any, Any]:
    """The rows of a table without the kept columns, unless the fit had columns of these names; and a table of the kept columns: of
    pandas for pandas and AnnData (its `obs`), of pyarrow for everything else."""
    if _data._is(batch, "anndata", "AnnData"):
        _known(keep, [str(c) for c in batch.obs.columns])
        return batch, batch.obs[keep]
    if _data._is(batch, "pandas", "DataFrame"):
        _known(keep, [str(c) for c in batch.columns])
        return batch.drop(columns=[c for c in keep if c not in (features or ())]), batch[keep]
    if not hasattr(batch, "__arrow_c_stream__") and not hasattr(batch, "__arrow_c_array__"):
        kind = type(batch)
        raise DataError(f"keep: a {kind.__module__}.{kind.__qualname__} has no names of columns", "give tables, or leave keep out")
    pa = _pyarrow()
    table = pa.Table.from_batches([batch]) if isinstance(batch, pa.RecordBatch) else pa.table(batch)
    _known(keep, table.column_names)
    return table.drop_columns([c for c in keep if c not in (features or ())]), table.select(keep)


def _known(keep: list[str], names: list[str]) -> None:
    for name in keep:
        if name not in names:
            near = difflib.get_close_matches(name, names, 1)
            known = ", ".join(repr(n) for n in names[:20])
            raise DataError(f"keep: there is no column {name!r}", f"did you mean {near[0]!r}?" if near else f"there are {known}")
        if keep.count(name) > 1:
            raise ParameterError(f"keep names {name!r} twice")


def beside(kept: Any, numbers: Any, names: list[str]) -> Any:
    """The kept columns and an array with these names, as one table."""
    for name in names:
        if name in (kept.columns if hasattr(kept, "columns") and hasattr(kept, "index") else kept.column_names):
            raise DataError(f"keep: the result has a column {name!r} already", "rename it in the table, or leave it out of keep")
    if _data._is(kept, "pandas", "DataFrame"):
        import pandas as pd

        return pd.concat([kept, pd.DataFrame(numbers, columns=names, index=kept.index)], axis=1)
    for j, name in enumerate(names):
        kept = kept.append_column(name, _pyarrow().array(np.ascontiguousarray(numbers[:, j])))
    return kept


def n_rows(batch: Any) -> int:
    """Number of rows of a batch."""
    for name in ("num_rows", "n_obs", "height"):
        if isinstance(found := getattr(batch, name, None), int):
            return found
    shape = getattr(batch, "shape", None)
    return int(shape[0]) if shape else len(batch)
