"""Rows with names, from files and AnnData objects, and tables with the Arrow interface."""

from __future__ import annotations

import dataclasses
import importlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from . import _data
from . import _landbridge as _core
from ._errors import DataError, LandbridgeError, ParameterError
from ._words import Atoms, Format, Missing, Weighting

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
    #: A class label for each row. The model keeps it for `transfer_labels`, scores and pictures; it does not change the fit.
    labels: list[str] | None = None
    #: The stem of its file, or its modality.
    name: str | None = None
    #: Whether rows with the same id are pairs if no pairs are given.
    pair_by_id: bool = False
    #: How text became columns; saved in the model, so that new text can be read `like` it.
    recipe: str | None = None
    #: Whether entries that the sparse rows do not store are unknown, not 0 (ratings).
    partly_known: bool = False
    #: Where rows with missing values were left out: the rows of the file that these are, how many the file has, and the ids of the others. Row numbers
    #: in a file of pairs are those of the file.
    file_rows: tuple[list[int], int, list[str]] | None = None
    #: The beginning of the text of each row, if the rows were made from text; the model keeps it to show matches.
    snippets: list[str] | None = None
    #: The batch of each row (donor, sequencing run). `CCA`, `LinearAlignment` and `SelfTraining` centre rows within their batch.
    batch: list[str] | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return (int(self.X.shape[0]), int(self.X.shape[1]))

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, rows: Any) -> Table:
        """Some of the rows, with their names: by numbers, a slice or a bool for each."""
        at = np.arange(len(self))[rows]
        if at.ndim != 1:
            raise DataError(f"rows is {rows!r}; it must be numbers, a slice or a bool for each row", "one row: table[[5]]")
        X = self.X.iloc[at] if hasattr(self.X, "iloc") else (self.X.tocsr() if sparse.issparse(self.X) else self.X)[at]

        def picked(names: list[str] | None) -> list[str] | None:
            return None if names is None else [names[i] for i in at]

        ids, labels, snippets, batch = (picked(names) for names in (self.row_ids, self.labels, self.snippets, self.batch))
        return dataclasses.replace(self, X=X, row_ids=ids, labels=labels, snippets=snippets, batch=batch, file_rows=None)

    def __repr__(self) -> str:
        has = [what for what in ("row_ids", "columns", "labels", "batch") if getattr(self, what) is not None]
        kind = "sparse" if sparse.issparse(self.X) else "dense"
        return f"Table({self.name!r}, {self.shape[0]} x {self.shape[1]}, {kind}{''.join(', ' + h for h in has)})"

    def __landbridge_dataset__(self, name: str) -> _core.Dataset:
        if sparse.issparse(self.X):
            made = _data._sparse(name, self.X, self.row_ids, self.columns)
            if self.partly_known:
                made.set_partly_known()
        elif _data._is(self.X, "pandas", "DataFrame"):
            made = _data._pandas(name, self.X)
        else:
            made = _core.Dataset.dense(name, _data._numeric(name, self.X), self.row_ids, self.columns)
        if self.recipe is not None:
            made.set_recipe(self.recipe)
        if self.labels is not None:
            made.set_labels(list(self.labels))
        if self.batch is not None:
            made.set_batches([str(b) for b in self.batch])
        if self.snippets is not None:
            made.set_snippets(self.snippets)
        if self.file_rows is not None:
            made.set_file_rows(*self.file_rows)
        return made


@dataclass(frozen=True, eq=False)
class Pairs:
    """Known pairs from a file; accepted wherever pairs are. `read_pairs` returns it."""

    #: (l, c) array: for each pair the row of each dataset, -1 for none.
    rows: npt.NDArray[np.int64]
    #: (l,) array of weights.
    weights: npt.NDArray[np.float64]
    #: How many pairs were left out, because rows with missing values were left out.
    left_out: int = 0
    #: Datasets whose ids are numbers, and of which the file holds row numbers that are none of these ids.
    by_number: Sequence[str] = ()

    def __len__(self) -> int:
        return len(self.rows)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.rows, dtype=dtype)

    def __landbridge_pairs__(self) -> Any:
        return self.rows, self.weights, self.left_out, list(self.by_number)

    def __repr__(self) -> str:
        return f"Pairs({len(self)} of {self.rows.shape[1]} datasets{f', {self.left_out} left out' if self.left_out else ''})"


def read_pairs(path: str | os.PathLike[str], datasets: Any) -> Pairs:
    """Read a file of pairs as the command line does.

    Parameters
    ----------
    path : csv, tsv, parquet, arrow or npy, each also .gz or .zst. One column per dataset; a header names them. Cells are row
        ids, or row numbers from 0; empty where there is no counterpart. A column "weight" may follow
    datasets : the datasets, in any form that `fit` takes, or a fitted alignment

    Returns
    -------
    Pairs
        `fit` also takes the path itself: ``fit(datasets, "pairs.csv")``.

    Examples
    --------
    >>> import tempfile, pathlib, landbridge as lb
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "en.csv").write_text("word,x,y\\ncat,1,2\\ndog,3,4\\n")
    >>> _ = (folder / "it.csv").write_text("word,u\\ncane,6\\ngatto,5\\n")
    >>> _ = (folder / "pairs.csv").write_text("en,it\\ncat,gatto\\n")
    >>> data = {name: lb.read(folder / f"{name}.csv") for name in ("en", "it")}
    >>> lb.read_pairs(folder / "pairs.csv", data).rows
    array([[0, 1]])
    """
    rows = datasets._stand_ins(datasets._fitted("read pairs")) if hasattr(datasets, "_stand_ins") else _data.datasets(datasets)
    return Pairs(*_core.read_pairs(os.fspath(path), rows))


def read(
    path: str | os.PathLike[str],
    *,
    format: Format | None = None,
    header: bool | None = None,
    id_column: str | int | None = None,
    label_column: str | None = None,
    batch_column: str | None = None,
    columns: list[str] | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    key: str | None = None,
    layer: str | None = None,
    use_rep: str | None = None,
    modality: str | None = None,
    missing: Missing | None = None,
    ratings: bool | None = None,
    text_field: str | None = None,
    stop_words: str | None = None,
    min_df: int | None = None,
    max_features: int | None = None,
    weighting: Weighting | None = None,
    char_ngrams: tuple[int, int] | None = None,
    model: int | None = None,
    chain: str | None = None,
    atoms: Atoms | None = None,
    like: tuple[Any, int | str] | None = None,
    max_memory: int | None = None,
) -> Table:
    """Read a data file as the command line does.

    Parameters
    ----------
    path : csv, tsv, npy, npz, mtx, parquet, arrow, h5ad, h5mu, txt (a document per line), jsonl, pdb or cif, each also .gz
        or .zst; or a folder of text files. Options may also stand behind the name, as on the command line:
        ``"rna.h5ad:use_rep=X_pca,label_column=cell_type"``
    format : its format, if the name does not show it
    header : csv, tsv: whether the first line is a header; detected when None
    id_column : tables, jsonl: the column with row ids, by name or (csv, tsv) position; False for none; detected when None
    label_column : tables, jsonl: the column with labels; h5ad, h5mu: the column of `obs`
    batch_column : tables, h5ad, h5mu: the column (of `obs`) with the batch of each row, such as its donor
    columns : tables: names of the columns that are data, in the order of the file; the others are not read
    delimiter : csv, tsv: the character between cells
    decimal : csv, tsv: the character before decimals, "." or ","
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
        "batch_column": batch_column,
        "columns": columns,
        "delimiter": delimiter,
        "decimal": decimal,
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
    found = _core.read_file(
        os.fspath(path), {k: v for k, v in given.items() if v is not None}, None if like is None else _fitted(like, words)
    )
    for note in found.pop("notes"):
        _data.warn(note)
    if isinstance(found["X"], tuple):
        (indptr, indices, values), ncols = found["X"]
        found["X"] = sparse.csr_array((values, indices, indptr), shape=(len(indptr) - 1, ncols))
    return Table(pair_by_id=found.pop("format") in _CELLS, **found)


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
    """Every modality of the h5mu file at `path`, by name, ready for `fit`; options are those of `read`."""
    return {name: read(path, modality=name, **options) for name in _core.modalities(os.fspath(path))}


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
