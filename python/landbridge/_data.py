"""Converts datasets and pairs of users into the form that the binding takes."""

from __future__ import annotations

import dataclasses
import importlib
import numbers
import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from . import _landbridge as _core
from ._errors import AlignmentWarning, DataError, LandbridgeError, PairsError, ParameterError

Array = npt.NDArray[Any]
#: The form of pairs that the binding takes.
CorePairs = None | tuple[Array, Array | None] | tuple[Array, Array, int] | tuple[Array, Array, int, list[str]] | list[tuple[int, int, Array, Array, Array]]


def _library(name: str) -> Any:
    """A library, if the program has imported it. Otherwise there are no objects of it."""
    return sys.modules.get(name)


def _is(value: Any, library: str, *kinds: str) -> bool:
    module = _library(library)
    found = tuple(getattr(module, kind) for kind in kinds if hasattr(module, kind))
    return bool(found) and isinstance(value, found)


def dataset(name: str, X: Any) -> _core.Dataset:
    """One dataset, copied. `X` is an array, a sparse matrix, a pandas, polars or Arrow table, AnnData or `Table`."""
    if hasattr(X, "__landbridge_dataset__"):
        made: _core.Dataset = X.__landbridge_dataset__(name)
        return made
    if _is(X, "anndata", "AnnData"):
        return _cells().from_anndata(X).__landbridge_dataset__(name)  # type: ignore[no-any-return]
    if sparse.issparse(X):
        return _sparse(name, X, None, None)
    if _is(X, "pandas", "DataFrame"):
        return _pandas(name, X)
    if _is(X, "polars", "DataFrame"):
        return _polars(name, X)
    if _is(X, "pyarrow", "Table", "RecordBatch"):
        return _arrow(name, X)
    if _is(X, "polars", "LazyFrame"):
        raise DataError(f'dataset "{name}" is a polars LazyFrame', "collect() it first")
    if _is(X, "polars", "Series") or _is(X, "pandas", "Series"):
        X = X.to_numpy()
    if hasattr(X, "__arrow_c_stream__"):
        return dataset(name, _tables().from_arrow_stream(name, X))
    return _core.Dataset.dense(name, _numeric(name, X))


def partly_known(X: Any) -> Any:
    """`X`, or its known entries as a sparse `Table` if it is an array or a pandas table with NaN."""
    row_ids = columns = None
    if _is(X, "pandas", "DataFrame"):
        pd = _library("pandas")
        if any(isinstance(dtype, pd.SparseDtype) or not pd.api.types.is_numeric_dtype(dtype) for dtype in X.dtypes):
            return X
        columns = [str(c) for c in X.columns]
        row_ids = None if isinstance(X.index, pd.RangeIndex) else [str(i) for i in X.index]
        array = X.to_numpy(dtype=np.float64, na_value=np.nan)
    elif isinstance(X, np.ma.MaskedArray) and X.ndim == 2 and X.dtype.kind in "fiub":
        array = np.ma.filled(X.astype(np.float64), np.nan)
    elif isinstance(X, (np.ndarray, list, tuple)):
        try:
            array = np.asarray(X)
        except ValueError:
            return X
        if array.ndim != 2 or array.dtype.kind != "f":
            return X
    else:
        return X
    known = ~np.isnan(array)
    if known.all():
        return X
    indptr = np.concatenate([[0], np.cumsum(known.sum(axis=1))])
    rows = sparse.csr_array((array[known].astype(np.float64), np.nonzero(known)[1], indptr), shape=array.shape)
    return _tables().Table(rows, row_ids, columns, partly_known=True)


def like_fitted(X: Any, columns: list[str] | None) -> Any:
    """New rows with the fitted columns of `dataset`, in their order.

    Columns with names are matched by name. Columns in another order are reordered, and columns that were not fitted are
    ignored, each with a warning. A missing column is an error, except in partly known rows (ratings), where its values are
    unknown. Without names on one side, the library compares the number of columns.
    """
    return X if columns is None else _LikeFitted(X, columns)


@dataclasses.dataclass(frozen=True)
class _LikeFitted:
    X: Any
    columns: list[str]

    def __landbridge_dataset__(self, name: str) -> _core.Dataset:
        made = dataset(name, self.X)
        given = made.columns
        if given is None or given == self.columns:
            return made
        like, notes = _core.columns_like(made, self.columns)
        for note in notes:
            warn(note)
        return like


def batch_names(what: str, values: Any) -> list[str]:
    """The batch of each row as text; refuses missing ones."""
    values = values.tolist() if hasattr(values, "tolist") else list(values)
    missing = [i for i, value in enumerate(values) if value is None or value != value or value == ""]
    if missing:
        raise DataError(
            f"{what}: row {missing[0]} has no batch ({len(missing)} rows without)", "name the batch of every row, or leave these rows out"
        )
    return [str(value) for value in values]


def warn(text: str) -> None:
    """An `AlignmentWarning` that points at the caller of the package."""
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        frame, level = frame.f_back, level + 1
    warnings.warn(text, AlignmentWarning, stacklevel=level)


def _cells() -> Any:
    """Imported on use, because that module imports this one."""
    from . import _cells

    return _cells


def _tables() -> Any:
    from . import _tables

    return _tables


def _numeric(name: str, X: Any) -> Array:
    """A two-dimensional array of float32 or float64."""
    if isinstance(X, np.ma.MaskedArray) and np.ma.is_masked(X):
        raise DataError(f'dataset "{name}" has masked values', "fill or drop missing values first; landbridge never guesses them")
    try:
        array = np.asarray(X)
    except ValueError as error:  # rows of different lengths
        raise DataError(f'dataset "{name}" is not an array: {error}') from None
    if array.ndim != 2:
        raise DataError(
            f'dataset "{name}": expected a two-dimensional array whose rows are instances, got {_dimensions(array)}, '
            f"shape {array.shape}",
            _instead_of(X, array),
        )
    if array.dtype.kind in "OUS":
        return _numbers_of_objects(name, array)
    if array.dtype.kind not in "fiub":
        raise DataError(f'dataset "{name}": values are {array.dtype}; they must be real numbers')
    narrow = array.dtype.kind == "f" and array.dtype.itemsize <= 4
    return array.astype(np.float32 if narrow else np.float64, copy=False)


def _instead_of(X: Any, array: Array) -> str | None:
    """What to give instead of an array that has not two dimensions."""
    if isinstance(X, (str, os.PathLike)):
        return "read a file first: lb.read(path)"
    if array.ndim == 1 and array.size and all(isinstance(value, str) for value in array.ravel()[:100]):
        return (
            "texts: write one document per line into en.txt and give lb.read('en.txt'), which counts and weighs its words; "
            "or give the vectors of an embedding model, or of a vectorizer such as scikit-learn's TfidfVectorizer"
        )
    return "one feature: X.reshape(-1, 1); one instance: X.reshape(1, -1)" if array.ndim == 1 else None


def _numbers_of_objects(name: str, array: Array) -> Array:
    """Converts objects to numbers. The error names the position of the first that is not a number."""
    for column in range(array.shape[1]):
        for row in range(array.shape[0]):
            value = array[row, column]
            if not isinstance(value, numbers.Real):
                raise DataError(
                    f'dataset "{name}": the value at row {row}, column {column} is {_short(value)}, which is not a number '
                    "(rows and columns counted from 0)",
                    "leave out columns that are not numeric, or turn them into numbers",
                )
    return array.astype(np.float64)


def _dimensions(array: Any) -> str:
    return "1 dimension" if array.ndim == 1 else f"{array.ndim} dimensions"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _text_column(name: str, column: Any, kind: Any, columns: Sequence[str]) -> DataError:
    hint = "leave out columns that are not numeric, or turn them into numbers"
    if _core.names_ids(str(column)):
        hint = f"if it holds row ids, make it the index (pandas: set_index({column!r})); otherwise leave it out"
    return DataError(f'dataset "{name}": column "{column}" holds {kind}, not numbers', _ratings_hint(columns) or hint)


def _ratings_hint(columns: Sequence[str]) -> str | None:
    """How a table of users, items and ratings becomes a dataset, if the names of its columns say that it is one."""
    found = _core.columns_of_ratings(list(columns))
    if found is None:
        return None
    user, item, rating = found
    return (
        f"ratings need a row per user and a column per item: X.pivot(index={user!r}, columns={item!r}, values={rating!r}) of pandas, "
        "with NaN where a rating is not known; or lb.read(path, ratings=True) of their file"
    )


def _warn_of_columns(name: str, columns: Sequence[str], features: Sequence[str]) -> None:
    """Lines of ratings whose users and items are numbers look like any table, and row ids that are numbers look like a feature."""
    if len(features) > 1 and _core.names_ids(features[0]):
        hint = "make it the index (pandas: set_index), or leave it out; files hold row ids there"
        warn(f'dataset "{name}": the column "{features[0]}" holds numbers and is taken as a feature; {hint}')
    ratings = _ratings_hint(columns)
    if ratings is not None:
        warn(f'dataset "{name}": the columns {", ".join(columns)} are taken as {len(columns)} features; {ratings}')


def _id_column(columns: Sequence[tuple[str, bool]]) -> int | None:
    """The column that holds row ids, from the name of each column and whether it is text, as files are read: the first one if it is
    text, or one of text whose name says so."""
    if len(columns) < 2:
        return None
    if columns[0][1]:
        return 0
    return next((k for k, (name, text) in enumerate(columns) if text and _core.names_ids(name)), None)


def _unique_ids(name: str, column: str, values: Sequence[Any], kind: Any, columns: Sequence[str]) -> list[str]:
    """The ids in a column of text. A text that occurs twice is not an id, and neither are fractions."""
    if values and not _core.names_ids(column) and all(isinstance(value, str) and _is_fraction(value) for value in values[:50]):
        raise _text_column(name, column, kind, columns)
    at = next((row for row, value in enumerate(values) if _missing(value)), None)
    if at is not None:
        hint = "give all ids, or leave the column out"
        raise DataError(f'dataset "{name}": row {at} has no id: the value in column "{column}" is missing', hint)
    if len(set(values)) < len(values):
        if not _core.names_ids(column) or _ratings_hint(columns) is not None:
            raise _text_column(name, column, kind, columns)
        first: dict[Any, int] = {}
        row, value = next((row, value) for row, value in enumerate(values) if first.setdefault(value, row) != row)
        raise DataError(
            f'dataset "{name}": the id {_short(value)} in column "{column}" stands for row {first[value]} and for row {row}',
            "make the ids unique, or leave the column out",
        )
    return [str(value) for value in values]


def _is_fraction(text: str) -> bool:
    """Whether a text is a number that is not whole."""
    try:
        return not float(text).is_integer()
    except ValueError:
        return False


def _is_pandas_text(pd: Any, dtype: Any, column: Any) -> bool:
    could = dtype == object or isinstance(dtype, pd.StringDtype)
    return could and pd.api.types.infer_dtype(column, skipna=True) == "string"


def _sparse(name: str, X: Any, row_ids: list[str] | None, columns: list[str] | None) -> _core.Dataset:
    if X.ndim != 2:
        raise DataError(f'dataset "{name}": expected a two-dimensional sparse matrix, got {_dimensions(X)}')
    if X.dtype.kind not in "fiub":
        raise DataError(f'dataset "{name}": values are {X.dtype}; they must be real numbers')
    indptr, indices, values, ncols = csr_parts(X)
    return _core.Dataset.sparse(name, indptr, indices, values, ncols, row_ids, columns)


def csr_parts(X: Any) -> tuple[Array, Array, Array, int]:
    """Row starts, column numbers, values and width of a sparse matrix."""
    csr = X.tocsr()
    return csr.indptr, csr.indices, csr.data.astype(np.float64, copy=False), int(csr.shape[1])


def _vectors(name: str, column: Any, lists: Sequence[Any]) -> tuple[Array, list[str]]:
    """A column of vectors of one length as an array, and the names of its columns: those that files have, "v.0", "v.1", …"""
    lengths = {np.shape(one) for one in lists}
    if len(lengths) != 1 or len(next(iter(lengths))) != 1:
        raise DataError(f'dataset "{name}": column "{column}" holds lists of several lengths', "every vector needs the same length")
    array = _numeric(name, np.stack([np.asarray(one) for one in lists]))
    return array, [f"{column}.{k}" for k in range(array.shape[1])]


def _with_vectors(name: str, X: Any, vectors: Sequence[int], row_ids: list[str] | None) -> _core.Dataset:
    """A pandas table some of whose columns hold vectors."""
    parts = [
        _vectors(name, column, X.iloc[:, k].tolist()) if k in vectors else (_numeric(name, X.iloc[:, [k]]), [str(column)])
        for k, column in enumerate(X.columns)
    ]
    narrow = all(array.dtype == np.float32 for array, _ in parts)
    stacked = np.hstack([array for array, _ in parts]).astype(np.float32 if narrow else np.float64, copy=False)
    return _core.Dataset.dense(name, np.ascontiguousarray(stacked), row_ids, [n for _, names in parts for n in names])


def _pandas(name: str, X: Any) -> _core.Dataset:
    pd = _library("pandas")
    columns = [str(c) for c in X.columns]
    row_ids = None if isinstance(X.index, pd.RangeIndex) else [str(i) for i in X.index]
    given = list(columns)
    if row_ids is None:
        ids = _id_column([(c, _is_pandas_text(pd, X.dtypes.iloc[k], X.iloc[:, k])) for k, c in enumerate(columns)])
        if ids is not None:
            row_ids = _unique_ids(name, columns[ids], X.iloc[:, ids].tolist(), "text", given)
            X = X.iloc[:, [k for k in range(len(columns)) if k != ids]]
            columns.pop(ids)
    holds = (list, tuple, np.ndarray)
    vectors = [k for k, dtype in enumerate(X.dtypes) if dtype == object and len(X) and isinstance(X.iloc[0, k], holds)]
    for k, (column, dtype) in enumerate(zip(columns, X.dtypes)):
        if k in vectors:
            continue
        numeric = pd.api.types.is_numeric_dtype(dtype) or pd.api.types.is_bool_dtype(dtype)
        if not numeric or pd.api.types.is_complex_dtype(dtype):
            raise _text_column(name, column, dtype, given)
    _warn_of_columns(name, given, columns)
    if vectors:
        return _with_vectors(name, X, vectors, row_ids)
    if len(columns) and all(isinstance(dtype, pd.SparseDtype) for dtype in X.dtypes):
        return _sparse(name, X.sparse.to_coo(), row_ids, columns)
    narrow = len(columns) > 0 and all(dtype == np.float32 for dtype in X.dtypes)
    kind = np.float32 if narrow else np.float64
    return _core.Dataset.dense(name, X.to_numpy(dtype=kind, na_value=np.nan), row_ids, columns)


def _polars(name: str, X: Any) -> _core.Dataset:
    pl = _library("polars")
    if any(dtype.is_nested() for dtype in X.dtypes):
        return _arrow(name, X.to_arrow())
    row_ids, names = None, list(X.columns)
    at = _id_column([(column, dtype == pl.String) for column, dtype in X.schema.items()])
    if at is not None:
        row_ids = _unique_ids(name, names[at], X[names[at]].to_list(), "text", names)
        X = X.drop(names[at])
    for column, dtype in X.schema.items():
        if not (dtype.is_numeric() or dtype == pl.Boolean):
            raise _text_column(name, column, dtype, names)
    _warn_of_columns(name, names, X.columns)
    narrow = X.width > 0 and all(dtype == pl.Float32 for dtype in X.dtypes)
    kind = pl.Float32 if narrow else pl.Float64
    filled = X.select(pl.all().cast(kind).fill_null(float("nan")))
    return _core.Dataset.dense(name, _table(filled.to_numpy(), X.shape, narrow), row_ids, list(X.columns))


def _arrow(name: str, X: Any) -> _core.Dataset:
    pa = importlib.import_module("pyarrow")
    X, row_ids = _tables().arrow_index(X)
    given = list(X.schema.names)
    texts = [(f.name, str(f.type) in ("string", "large_string", "string_view")) for f in X.schema]
    at = _id_column(texts) if row_ids is None else None
    if at is not None:
        row_ids = _unique_ids(name, given[at], X.column(at).to_pylist(), "text", given)
        X = X.select([k for k in range(len(given)) if k != at])
    arrays, names = [], []
    for field, column in zip(X.schema, X.columns):
        kind = field.type
        if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
            array, own = _vectors(name, field.name, column.to_numpy(zero_copy_only=False) if isinstance(column, pa.Array) else column.to_numpy())
            arrays.extend(array.T)
            names.extend(own)
            continue
        names.append(field.name)
        if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)):
            raise _text_column(name, field.name, kind, given)
        if pa.types.is_boolean(kind):
            column = column.cast(pa.uint8())
        narrow_column = pa.types.is_float32(kind) or pa.types.is_float16(kind)
        values = column.to_numpy() if isinstance(column, pa.ChunkedArray) else column.to_numpy(zero_copy_only=False)
        arrays.append(values.astype(np.float32 if narrow_column else np.float64))  # null is NaN
    _warn_of_columns(name, given, names)
    narrow = bool(arrays) and all(a.dtype == np.float32 for a in arrays)
    stacked = np.column_stack(arrays) if arrays else np.empty(0)
    return _core.Dataset.dense(name, _table(stacked, (X.num_rows, len(names)), narrow), row_ids, names)


def _table(array: Array, shape: tuple[int, int], narrow: bool) -> Array:
    """The array in its shape, even without columns."""
    return array.reshape(shape).astype(np.float32 if narrow else np.float64, copy=False)


def datasets(given: Any) -> list[_core.Dataset]:
    """All datasets, copied, under their names; a list counts them from "0"."""
    if _is(given, "mudata", "MuData"):
        given = dict(given.mod)
    if isinstance(given, Mapping):
        for name in given:
            if not isinstance(name, str):
                raise DataError(f"the name of a dataset is {_short(name)}; it must be text")
        named = list(given.items())
    elif isinstance(given, (list, tuple)):
        named = [(str(position), X) for position, X in enumerate(given)]
    else:
        raise DataError(
            f"datasets is {_kind_of(given)}; it must be a list, a tuple, or a dict of names and datasets",
            "put the arrays in a list: fit([X, Y], pairs)",
        )
    made = [dataset(name, X) for name, X in named]
    for data, (_, X) in zip(made, named):
        _warn_of_numbered(data, X)
    return made


def _warn_of_numbered(data: _core.Dataset, X: Any) -> None:
    """A column that numbers the rows of a table looks like a feature. Files say it when they are read."""
    tables = {"pandas": ("DataFrame",), "polars": ("DataFrame",), "pyarrow": ("Table", "RecordBatch")}
    columns = data.columns
    if columns is None or not any(_is(X, library, *kinds) for library, kinds in tables.items()):
        return
    note = None if _core.names_ids(columns[0]) else _core.note_of_table(data)
    if note is not None:
        warn(f'dataset "{data.name}": {note}')


def _kind_of(value: Any) -> str:
    kind = type(value)
    return f"a {kind.__module__}.{kind.__qualname__}"


def pairs(given: Any, data: Sequence[_core.Dataset]) -> CorePairs:
    """Pairs in any of their forms; see `landbridge.InstanceAlignment.fit`."""
    if given is None:
        return None
    if hasattr(given, "__landbridge_pairs__"):
        made: CorePairs = given.__landbridge_pairs__()
        return made
    if isinstance(given, str) and given == "names":
        named: CorePairs = _cells().by_names(data)
        return named
    if isinstance(given, (str, os.PathLike)):
        path = os.fspath(given)
        if not os.path.exists(path):
            raise PairsError(f'pairs is {path!r}; it must be "names" or a file', "there is no file of that name")
        return _core.read_pairs(path, list(data))
    if isinstance(given, Mapping):
        return _pairs_by_dataset(given, data)
    if _is(given, "pandas", "DataFrame"):
        return _pair_table({str(c): given.iloc[:, i].tolist() for i, c in enumerate(given.columns)}, data)
    if _is(given, "polars", "DataFrame"):
        return _pair_table(given.to_dict(as_series=False), data)
    if _is(given, "pyarrow", "Table", "RecordBatch"):
        return _pair_table(given.to_pydict(), data)
    if sparse.issparse(given):
        raise PairsError("a sparse matrix of pairs needs the two datasets that it joins", "pairs={(0, 1): matrix}")
    named_rows = _by_position(given, data)
    if named_rows is not None:
        return named_rows
    table = _whole("pairs", given, len(data))
    # None would mean that they are inferred.
    return [] if len(table) == 0 else (table, None)


def _by_position(given: Any, data: Sequence[_core.Dataset]) -> CorePairs:
    """Rows of names, or of names and row numbers, one per dataset and perhaps a weight; None if there is no name in them."""
    if isinstance(given, np.ndarray):
        given = given.tolist() if given.ndim == 2 and given.dtype.kind in "OUS" else []
    if not isinstance(given, (list, tuple)) or not all(isinstance(row, (list, tuple)) for row in given):
        return None
    if not any(isinstance(cell, str) for row in given for cell in row):
        return None
    names = [d.name for d in data]
    widths = {len(row) for row in given}
    if not widths <= {len(names)} and not widths <= {len(names) + 1}:
        lengths = " or ".join(map(str, sorted(widths)))
        raise PairsError(
            f"pairs has rows of {lengths} entries; {len(names)} datasets were given",
            "give one name per dataset, and perhaps a weight",
        )
    columns = [list(column) for column in zip(*given)]
    return _pair_table(dict(zip([*names, "weight"], columns)), data)


def _whole(what: str, given: Any, columns: int) -> Array:
    """An (l, c) array of int64."""
    try:
        array = np.asarray(given)
    except ValueError as error:  # rows of different lengths
        raise PairsError(f"{what} is not a table: {error}") from None
    if array.size == 0:
        return np.empty((0, columns), np.int64)
    if array.dtype.kind not in "iu":
        raise PairsError(
            f"{what} holds {array.dtype}; it must hold row numbers (integers)",
            "for row ids use a DataFrame whose columns are the names of the datasets; -1 means no counterpart",
        )
    if array.ndim != 2:
        raise PairsError(f"{what} has shape {array.shape}; it must have one row per pair and one column per dataset")
    if array.dtype.kind == "u" and array.max() > np.iinfo(np.int64).max:
        raise PairsError(f"{what} holds {array.max()}, which is not a row number")
    return array.astype(np.int64)


def _position(key: Any, data: Sequence[_core.Dataset], what: str) -> int:
    names = [d.name for d in data]
    if isinstance(key, str) and key in names:
        return names.index(key)
    if isinstance(key, numbers.Integral) and not isinstance(key, bool) and 0 <= int(key) < len(data):
        return int(key)
    known = ", ".join(f'"{n}"' for n in names)
    raise ParameterError(f"{what}: there is no dataset {key!r}; there are {known}", "use a position from 0 or one of these names")


def _pairs_by_dataset(given: Mapping[Any, Any], data: Sequence[_core.Dataset]) -> CorePairs:
    parts: list[tuple[int, int, Array, Array, Array]] = []
    for key, value in given.items():
        what = f"pairs[{key!r}]"
        if not isinstance(key, tuple) or len(key) != 2:
            raise PairsError(f"{what}: the key must be two datasets", "pairs={(0, 1): [[i, j], ...]}")
        a, b = (_position(k, data, what) for k in key)
        if a == b:
            raise PairsError(f"{what}: a dataset cannot be paired with itself")
        shape = (data[a].shape[0], data[b].shape[0])
        if sparse.issparse(value):
            if value.shape != shape:
                raise PairsError(f"{what}: the matrix is {value.shape}, the datasets have {shape} rows")
            entries = value.tocoo()
            kept = entries.data != 0
            i, j, weights = entries.row[kept], entries.col[kept], entries.data[kept]
        else:
            i, j, weights = _weighted_pairs(what, value)
        i, j, weights = i.astype(np.int64), j.astype(np.int64), weights.astype(np.float64)
        for rows, side in ((i, a), (j, b)):
            outside = np.flatnonzero((rows < 0) | (rows >= data[side].shape[0]))
            if outside.size:
                at = int(outside[0])
                n = data[side].shape[0]
                raise PairsError(
                    f'{what} row {at}: row {rows[at]} is out of range: dataset "{data[side].name}" has '
                    f"{n} {'row' if n == 1 else 'rows'} (0 to {n - 1})"
                )
        bad = np.flatnonzero(~(np.isfinite(weights) & (weights > 0)))
        if bad.size:
            at = int(bad[0])
            raise PairsError(
                f"{what} row {at}: the weight is {weights[at]}; it must be a positive finite number",
                "leave a pair out instead of giving it weight 0",
            )
        parts.append((a, b, i, j, weights))
    return parts if sum(len(part[2]) for part in parts) else []


def _weighted_pairs(what: str, value: Any) -> tuple[Array, Array, Array]:
    try:
        array = np.asarray(value)
    except ValueError as error:  # rows of different lengths
        raise PairsError(f"{what} is not a table: {error}") from None
    if array.size == 0:
        none = np.empty(0, np.int64)
        return none, none, np.empty(0)
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        raise PairsError(f"{what} has shape {array.shape}; it must be (l, 2), or (l, 3) with weights")
    if array.shape[1] == 2:
        table = _whole(what, array, 2)
        return table[:, 0], table[:, 1], np.ones(len(table))
    if array.dtype.kind not in "fiu":
        raise PairsError(f"{what} holds {array.dtype}; it must hold numbers")
    rows = array[:, :2]
    if not np.all(np.isfinite(rows) & (rows == np.floor(rows))):
        raise PairsError(f"{what}: the first two columns must be row numbers")
    return rows[:, 0].astype(np.int64), rows[:, 1].astype(np.int64), array[:, 2].astype(np.float64)


def _pair_table(columns: Mapping[str, list[Any]], data: Sequence[_core.Dataset]) -> CorePairs:
    """A table whose columns are named as the datasets (others stay unpaired), with an optional "weight"."""
    names = [d.name for d in data]
    weights = None
    length = max((len(column) for column in columns.values()), default=0)
    table = np.full((length, len(data)), -1, np.int64)
    for name, column in columns.items():
        if name in names:
            position = names.index(name)
            table[:, position] = _row_numbers(column, data[position])
        elif name == "weight":
            weights = np.asarray(column, np.float64)
        else:
            known = ", ".join(f'"{n}"' for n in names)
            raise PairsError(f'pairs: column "{name}" is not a dataset; there are {known}', 'another column may only be "weight"')
    return [] if length == 0 else (table, weights)


def _row_numbers(column: list[Any], data: _core.Dataset) -> Array:
    """The rows that the cells of a column refer to, −1 for none."""
    cells = [_cell(row, cell) for row, cell in enumerate(column)]
    # Whole numbers are ids where ids are numbers, as in a file.
    if any(isinstance(cell, int) for cell in cells) and any(row_id.strip().isdigit() for row_id in data.row_ids or ()):
        cells = [str(cell) if isinstance(cell, int) else cell for cell in cells]
    return _core.row_numbers(data.name, data.shape[0], data.row_ids, cells)


def _cell(row: int, cell: Any) -> int | str | None:
    """A row number, text (a row id, or a row number in text) or None for a missing cell."""
    if _missing(cell):
        return None
    if isinstance(cell, str):
        return str(cell)
    if isinstance(cell, numbers.Integral) and not isinstance(cell, (bool, np.bool_)):
        return _row(row, int(cell))
    if isinstance(cell, float) and cell.is_integer():  # whole numbers beside missing cells
        return _row(row, int(cell))
    raise PairsError(f"pairs row {row}: {_short(cell)} is neither a row number nor a row id")


def _row(row: int, number: int) -> int:
    if abs(number) > np.iinfo(np.int64).max:
        raise PairsError(f"pairs row {row}: {number} is not a row number")
    return number


def _missing(cell: Any) -> bool:
    if cell is None or (isinstance(cell, str) and cell == "") or (isinstance(cell, numbers.Real) and bool(cell != cell)):
        return True
    return cell is getattr(_library("pandas"), "NA", _missing)


def table(columns: dict[str, Any]) -> Any:
    """A pandas DataFrame, or an Arrow table where pandas is not installed."""
    try:
        return importlib.import_module("pandas").DataFrame(columns)
    except ImportError:
        pass
    try:
        arrow = importlib.import_module("pyarrow")
    except ImportError:
        raise LandbridgeError("a table needs pandas or pyarrow, and neither is installed", "pip install pandas") from None
    return arrow.table({name: list(values) for name, values in columns.items()})


def is_plain(X: Any) -> bool:
    """An array that the binding can borrow: two dimensions, float32 or float64, row by row, no names."""
    return type(X) is np.ndarray and X.ndim == 2 and X.dtype.char in "fd" and X.flags.c_contiguous and X.dtype.isnative
