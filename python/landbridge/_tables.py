"""Rows with names, from files and AnnData objects, and tables with the Arrow interface."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scipy import sparse

from . import _data
from . import _landbridge as _core
from ._errors import DataError, LandbridgeError, ParameterError

#: Formats whose row ids are names of cells: the same name is the same cell.
_CELLS = ("h5ad", "h5mu")


@dataclass(frozen=True, eq=False)
class Table:
    """A dataset with the names of its rows and columns; accepted wherever a dataset is.

    `read` and `from_anndata` return it.
    """

    #: The rows: an array, a SciPy sparse matrix or a pandas DataFrame.
    X: Any
    #: A name for each row, such as barcodes.
    row_ids: list[str] | None = None
    #: A name for each column, such as genes.
    columns: list[str] | None = None
    #: A class label for each row; used by scores and pictures, not by `fit`.
    labels: list[str] | None = None
    #: The stem of its file, or its modality.
    name: str | None = None
    #: Whether rows with the same id are pairs if no pairs are given.
    pair_by_id: bool = False
    #: How text became columns; saved in the model, so that new text can be read `like` it.
    recipe: str | None = None
    #: Whether entries that the sparse rows do not store are unknown, not 0 (ratings).
    partly_known: bool = False

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return (int(self.X.shape[0]), int(self.X.shape[1]))

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        has = [what for what in ("row_ids", "columns", "labels") if getattr(self, what) is not None]
        kind = "sparse" if sparse.issparse(self.X) else "dense"
        return f"Table({self.name!r}, {self.shape[0]} x {self.shape[1]}, {kind}{''.join(', ' + h for h in has)})"

    def __landbridge_dataset__(self, name: str) -> _core.Dataset:
        if sparse.issparse(self.X):
            made = _data._sparse(name, self.X, self.row_ids, self.columns)
            if self.recipe is not None:
                made.set_recipe(self.recipe)
            if self.partly_known:
                made.set_partly_known()
            return made
        if _data._is(self.X, "pandas", "DataFrame"):
            return _data._pandas(name, self.X)
        return _core.Dataset.dense(name, _data._numeric(name, self.X), self.row_ids, self.columns)


def read(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    header: bool | None = None,
    id_column: str | int | None = None,
    label_column: str | None = None,
    columns: list[str] | None = None,
    delimiter: str | None = None,
    key: str | None = None,
    layer: str | None = None,
    use_rep: str | None = None,
    modality: str | None = None,
    missing: str | None = None,
    ratings: bool | None = None,
    text_field: str | None = None,
    stop_words: str | None = None,
    min_df: int | None = None,
    max_features: int | None = None,
    weighting: str | None = None,
    char_ngrams: tuple[int, int] | None = None,
    model: int | None = None,
    chain: str | None = None,
    atoms: str | None = None,
    like: tuple[Any, int | str] | None = None,
    max_memory: int | None = None,
) -> Table:
    """Read a data file as the command line does.

    Parameters
    ----------
    path : csv, tsv, npy, npz, mtx, parquet, arrow, h5ad, h5mu, txt (a document per line), jsonl, pdb or cif, each also .gz
        or .zst; or a folder of text files
    format : its format, if the name does not show it
    header : csv, tsv: whether the first line is a header; detected when None
    id_column : tables, jsonl: the column with row ids, by name or (csv, tsv) position; False for none; detected when None
    label_column : tables, jsonl: the column with labels; h5ad, h5mu: the column of `obs`
    columns : tables: names of the columns that are data, in the order of the file; the others are not read
    delimiter : csv, tsv: the character between cells
    key : npz: the array to read
    layer, use_rep : h5ad, h5mu: a layer, or a representation in `obsm`, instead of X
    modality : h5mu: the modality to read
    missing : how empty cells and NaN are handled: "error" (None), "zero", "mean" of the column, "drop" the row, or "unknown",
        which makes the rows sparse, so that methods that predict leave out the entries that are not stored
    ratings : csv, tsv: lines are user, item, rating; read as a sparse matrix with one row per user
    text_field : jsonl: the field with the text, "text" when None
    stop_words : text: language ("en", "it", ...) whose most common words are left out
    min_df, max_features : text: leave out words in fewer documents than this; keep at most this many words
    weighting : text: "tfidf" (None) or "counts"
    char_ngrams : text: use character n-grams instead of words: least and largest length
    model, chain, atoms : pdb, cif: number of the model, chain, "ca" (None) or "all" atoms
    like : text: a fitted alignment and one of its datasets, whose words and weights this new text uses; a warning reports
        documents without a known word
    max_memory : bytes that the file and the arrays in it may each take, 16 GiB when None

    Returns
    -------
    Table

    Examples
    --------
    >>> import tempfile, pathlib, landbridge as lb
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "en.csv"
    >>> _ = path.write_text("word,x,y\\ncat,1,2\\ndog,3,4\\n")
    >>> en = lb.read(path)
    >>> en
    Table('en', 2 x 2, dense, row_ids, columns)
    >>> en.row_ids
    ['cat', 'dog']
    """
    words = {
        "stop_words": stop_words,
        "min_df": min_df,
        "max_features": max_features,
        "weighting": weighting,
        "char_ngrams": char_ngrams,
    }
    given = {
        "format": format,
        "header": header,
        "id_column": id_column,
        "label_column": label_column,
        "columns": columns,
        "delimiter": delimiter,
        "key": key,
        "layer": layer,
        "use_rep": use_rep,
        "modality": modality,
        "missing": missing,
        "ratings": ratings,
        "text_field": text_field,
        **words,
        "model": model,
        "chain": chain,
        "atoms": atoms,
        "max_memory": max_memory,
    }
    path = os.fspath(path)
    rows, row_ids, columns, labels, recipe, notes = _core.read_file(
        path, {k: v for k, v in given.items() if v is not None}, None if like is None else _fitted(like, words)
    )
    for note in notes:
        _data.warn(note)
    if isinstance(rows, tuple):
        (indptr, indices, values), ncols = rows
        X: Any = sparse.csr_array((values, indices, indptr), shape=(len(indptr) - 1, ncols))
    else:
        X = rows
    stem, extension = _name_parts(path)
    by_id, unknown = (format or extension) in _CELLS, bool(ratings) or missing == "unknown"
    return Table(X, row_ids, columns, labels, modality or stem, by_id, recipe, unknown)


def _fitted(like: tuple[Any, int | str], words: Mapping[str, Any]) -> tuple[_core.Model, int]:
    """The model and the position that `like` names; they determine how text becomes columns."""
    for name, value in words.items():
        if value is not None:
            raise ParameterError(f"{name} has no meaning with like: the alignment defines how text becomes columns")
    try:
        alignment, dataset = like
        model: _core.Model = alignment._fitted("read")
    except (TypeError, ValueError, AttributeError) as error:
        if isinstance(error, LandbridgeError):
            raise
        raise ParameterError(f"like is {like!r}; it must be a fitted alignment and a dataset of it") from None
    return model, model.position(dataset)


def read_all(path: str | os.PathLike[str], **options: Any) -> dict[str, Table]:
    """Every modality of an h5mu file, by name, ready for `fit`; options are those of `read`."""
    return {name: read(path, modality=name, **options) for name in _core.modalities(os.fspath(path))}


def _name_parts(path: str) -> tuple[str, str]:
    stem, extension = os.path.splitext(os.path.basename(path))
    if extension.lower() in (".gz", ".zst"):
        stem, extension = os.path.splitext(stem)
    return stem, extension.lower().lstrip(".")


def from_arrow_stream(name: str, X: Any) -> Any:
    """An object with the Arrow PyCapsule interface (`__arrow_c_stream__`), through pyarrow or polars, whichever is installed."""
    for library in ("pyarrow", "polars"):
        try:
            module = importlib.import_module(library)
        except ImportError:
            continue
        return module.table(X) if library == "pyarrow" else module.DataFrame(X)
    raise DataError(f'dataset "{name}" has the Arrow interface, but neither pyarrow nor polars is installed', "pip install pyarrow")


def arrow_index(table: Any) -> tuple[Any, list[str] | None]:
    """An Arrow table that came from pandas keeps its index in columns: these are row ids, not features."""
    try:
        about: Mapping[str, Any] = json.loads((table.schema.metadata or {}).get(b"pandas", b"{}"))
    except ValueError:
        return table, None
    names = [n for n in about.get("index_columns", []) if isinstance(n, str) and n in table.schema.names]
    if not names:
        return table, None
    levels = [table.column(table.schema.names.index(n)).to_pylist() for n in names]
    ids = [str(v[0]) if len(names) == 1 else str(v) for v in zip(*levels)]
    return table.select([n for n in table.schema.names if n not in names]), ids
