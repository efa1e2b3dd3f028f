"""Rows of reading files: the data, what we do, what the peers do, the checks.

A problem is the bytes of a file. Each side writes them to a file of its own before the clock starts; both then read it
from the memory of the operating system.
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

import numpy as np

import data
from checks import Wrong

# ---- data ---------------------------------------------------------------------------------------------------------


def as_file(content: bytes | memoryview, **more) -> dict[str, np.ndarray]:
    return {"file": np.frombuffer(content, dtype=np.uint8), **more}


def csv_table(n: int, columns: int = 50) -> dict[str, np.ndarray]:
    """A csv file as pandas writes it: every digit of a double, a name for each row."""
    rng = np.random.default_rng(data.SEED + 9)
    X = rng.standard_normal((n, columns)) * 10.0 ** rng.integers(-3, 4, columns)
    out = io.BytesIO()
    out.write((",".join(["id", *(f"c{j}" for j in range(columns))]) + "\n").encode())
    # A part at a time: a million rows of Python's own numbers would take gigabytes.
    for first in range(0, n, 10_000):
        rows = enumerate(X[first : first + 10_000].tolist(), first)
        out.write("".join(f"r{i}," + ",".join(map(repr, row)) + "\n" for i, row in rows).encode())
    return as_file(out.getbuffer(), X=X)


def mtx_matrix(n: int, columns: int = 20_000, per_row: int = 50) -> dict[str, np.ndarray]:
    """A coordinate file as SciPy writes it, with counts of words."""
    from scipy import io as scipy_io
    from scipy import sparse

    rng = np.random.default_rng(data.SEED + 10)
    row = np.repeat(np.arange(n), per_row)
    column = (columns * rng.random(len(row)) ** 2).astype(np.int64)
    X = sparse.csr_array((rng.integers(1, 20, len(row)), (row, column)), shape=(n, columns))
    X.sum_duplicates()
    out = io.BytesIO()
    scipy_io.mmwrite(out, X)
    return as_file(out.getvalue(), indptr=X.indptr, indices=X.indices, data=X.data, shape=np.array(X.shape))


def mtx_by_columns(n: int, columns: int = 20_000, per_row: int = 50) -> dict[str, np.ndarray]:
    """The same entries column after column, as the pipelines of 10x write them."""
    from scipy import sparse

    arrays = mtx_matrix(n, columns, per_row)
    X = sparse.csr_array((arrays["data"], arrays["indices"], arrays["indptr"]), shape=tuple(arrays["shape"])).tocsc()
    column = np.repeat(np.arange(columns), np.diff(X.indptr))
    out = io.BytesIO()
    out.write(f"%%MatrixMarket matrix coordinate integer general\n%\n{n} {columns} {X.nnz}\n".encode())
    for first in range(0, X.nnz, 1_000_000):
        part = slice(first, first + 1_000_000)
        entries = zip((X.indices[part] + 1).tolist(), (column[part] + 1).tolist(), X.data[part].tolist())
        out.write("".join(f"{i} {j} {v}\n" for i, j, v in entries).encode())
    return arrays | as_file(out.getvalue())


def written(write) -> bytes:
    """What `write` puts into the file it is given."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "file")
        write(path)
        return path.read_bytes()


def parquet_table(n: int, columns: int = 125) -> dict[str, np.ndarray]:
    """A parquet file as pandas writes it: doubles, and a name for each row."""
    import pyarrow as pa
    from pyarrow import parquet

    X = np.random.default_rng(data.SEED + 12).standard_normal((n, columns))
    table = pa.table({"id": [f"r{i}" for i in range(n)], **{f"c{j}": X[:, j] for j in range(columns)}})
    return as_file(written(lambda path: parquet.write_table(table, path)), X=X)


def json_vectors(n: int, columns: int = 768) -> dict[str, np.ndarray]:
    """A vector per line, as embedding services hand them out: seven digits."""
    rng = np.random.default_rng(data.SEED + 13)
    X = np.empty((n, columns))
    out = io.BytesIO()
    for first in range(0, n, 2_000):
        part = rng.standard_normal((len(X[first : first + 2_000]), columns)) / np.sqrt(columns)
        texts = [[f"{v:.7f}" for v in row] for row in part.tolist()]
        X[first : first + 2_000] = [[float(v) for v in row] for row in texts]
        lines = (f'{{"id": "r{first + i}", "vector": [{", ".join(row)}]}}\n' for i, row in enumerate(texts))
        out.write("".join(lines).encode())
    return as_file(out.getbuffer(), X=X)


def cells_file(compression: str | None):
    """Counts of cells as anndata writes them: entries by rows, single precision."""

    def make(n: int, genes: int = 20_000, per_cell: int = 1_500) -> dict[str, np.ndarray]:
        import anndata
        from scipy import sparse

        rng = np.random.default_rng(data.SEED + 14)
        # Sorted distinct columns without a sort of all: steps of random length.
        steps = rng.integers(1, 2 * genes // per_cell - 1, (n, per_cell), dtype=np.int32)
        indices = np.cumsum(steps, axis=1, dtype=np.int32) - 1
        kept = indices < genes
        indptr = np.concatenate([[0], np.cumsum(kept.sum(axis=1))]).astype(np.int32)
        values = np.minimum(rng.geometric(0.6, int(indptr[-1])), 200).astype(np.float32)
        X = sparse.csr_matrix((values, indices[kept], indptr), shape=(n, genes))
        cells = anndata.AnnData(X)
        cells.obs_names = [f"r{i}" for i in range(n)]
        content = written(lambda path: cells.write_h5ad(path, compression=compression))
        return as_file(content, indptr=X.indptr, indices=X.indices, data=X.data, shape=np.array(X.shape))

    return make


def zipf_text(n: int, words: int = 50_000, length: int = 120) -> dict[str, np.ndarray]:
    """A document per line: made-up words of 2 to 12 letters by Zipf's law, one in seven with an accent."""
    rng = np.random.default_rng(data.SEED + 11)
    letters = np.array(list("etaoinshrdlucmfwypvbgkqjxz"))
    law = 1 / (np.arange(words) + 2.7)
    chosen = np.searchsorted(np.cumsum(law / law.sum()), rng.random(n * length)).clip(max=words - 1)
    made = {}
    for i in range(words):
        word = "".join(rng.choice(letters, rng.integers(2, 13)))
        made[i] = word.replace("e", "é", 1) if i % 7 == 0 else word.capitalize() if i % 11 == 0 else word
    lines = (" ".join(made[w] for w in document) + "." for document in chosen.reshape(n, length).tolist())
    return as_file("\n".join([*lines, ""]).encode())


# ---- sides --------------------------------------------------------------------------------------------------------


def reading(suffix, prepare):
    """A side that reads a file; `prepare(threads)` imports and returns the work, which is done once on few bytes first."""

    def set_up(arrays, threads):
        folder = tempfile.TemporaryDirectory()
        path, small = (Path(folder.name) / f"{name}{suffix}" for name in ("file", "small"))
        path.write_bytes(arrays["file"].tobytes())
        small.write_bytes(small_file(suffix))
        read = prepare(threads)
        read(small)

        def work():
            answer = read(path)
            folder.cleanup()
            return answer

        return work

    return set_up


SMALL = {
    ".csv": b"id,x,y\na,1.5,2\nb,3,4\n",
    ".mtx": b"%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 3\n2 2 4\n",
    ".txt": "the cat\nété cat\n".encode(),
    ".jsonl": b'{"id": "a", "vector": [1, 2]}\n{"id": "b", "vector": [3, 4]}\n',
}


def small_file(suffix: str) -> bytes:
    """A few rows in the format, so that whatever is loaded late is loaded before the clock starts."""
    if suffix == ".parquet":
        return parquet_table(5, 2)["file"].tobytes()
    if suffix == ".h5ad":
        return cells_file(None)(5, 20, 4)["file"].tobytes()
    return SMALL[suffix]


def ours(suffix, **options):
    def prepare(threads):
        import landbridge as lb

        def read(path):
            table = lb.read(path, **options)
            if suffix in (".csv", ".parquet", ".jsonl"):
                return {"X": table.X, "ids": lambda: np.array(table.row_ids[-1:])}
            if suffix == ".h5ad":
                return sparse_answer(table.X)
            return sparse_answer(table.X, table.columns)

        return read

    return reading(suffix, prepare)


def sparse_answer(X, words=None):
    answer = {"indptr": X.indptr, "indices": X.indices, "data": X.data, "shape": np.array(X.shape)}
    return answer if words is None else answer | {"words": lambda: np.array(words, dtype=str)}


def polars_csv(threads):
    import polars as pl

    if pl.thread_pool_size() != threads:
        raise RuntimeError(f"polars has {pl.thread_pool_size()} threads, not {threads}")

    def read(path):
        frame = pl.read_csv(path)
        # Rows beside each other, as an alignment needs them.
        X = frame.drop("id").cast(pl.Float64).to_numpy(order="c")
        return {"X": X, "ids": lambda: frame["id"].tail(1).to_numpy().astype(str)}

    return read


def pyarrow_parquet(threads):
    import pyarrow as pa
    from pyarrow import parquet

    pa.set_cpu_count(threads)

    def read(path):
        table = parquet.read_table(path)
        X = np.empty((table.num_rows, table.num_columns - 1))
        for j, column in enumerate(table.columns[1:]):
            X[:, j] = column.to_numpy()
        return {"X": X, "ids": lambda: np.array([str(table["id"][-1])])}

    return read


def polars_json(threads):
    import polars as pl

    def read(path):
        frame = pl.read_ndjson(path)
        X = frame["vector"].list.to_array(len(frame["vector"][0])).to_numpy()
        return {"X": np.ascontiguousarray(X, dtype=np.float64), "ids": lambda: frame["id"].tail(1).to_numpy().astype(str)}

    return read


def anndata_h5ad(threads):
    import anndata

    return lambda path: sparse_answer(anndata.read_h5ad(path).X)


def scipy_mtx(threads):
    from scipy import io as scipy_io

    # Since SciPy 1.12 the reader is that of fast_matrix_market, on as many threads as there are cores.
    from scipy.io import _fast_matrix_market

    _fast_matrix_market.PARALLELISM = threads

    def read(path):
        X = scipy_io.mmread(path, spmatrix=False).tocsr().astype(np.float64)
        return sparse_answer(X)

    return read


def scipy_python_mtx(threads):
    """SciPy's own reader, which mmread was before 1.12; the package still has it, for files that the other cannot read."""
    from scipy.io import _mmio

    def read(path):
        X = _mmio.mmread(path, spmatrix=False).tocsr().astype(np.float64)
        return sparse_answer(X)

    return read


def sklearn_text(threads):
    from sklearn.feature_extraction.text import TfidfVectorizer

    def read(path):
        with open(path, encoding="utf-8") as file:
            model = TfidfVectorizer()
            X = model.fit_transform(file)
        return sparse_answer(X) | {"words": lambda: model.get_feature_names_out().astype(str)}

    return read


# ---- checks -------------------------------------------------------------------------------------------------------


def same_numbers(arrays, reference, answer, measured):
    """Every double is the one that was written."""
    if not np.array_equal(answer["X"], arrays["X"]):
        raise Wrong("other numbers than were written")
    if str(answer["ids"][0]) != f"r{len(arrays['X']) - 1}":
        raise Wrong(f"the last row is called {answer['ids'][0]}")
    return "every bit as written"


def csr_of(arrays):
    from scipy import sparse

    X = sparse.csr_array((arrays["data"], arrays["indices"], arrays["indptr"]), shape=tuple(arrays["shape"]))
    X.sort_indices()
    return X


def same_entries(arrays, reference, answer, measured):
    found, written = csr_of(answer), csr_of(arrays)
    same = found.shape == written.shape and all(
        np.array_equal(getattr(found, part), getattr(written, part)) for part in ("indptr", "indices", "data")
    )
    if not same:
        raise Wrong("other entries than were written")
    return "every entry as written"


def plausible_text(arrays, reference, answer, measured):
    lengths = np.sqrt(csr_of(answer).power(2).sum(axis=1))
    if not np.allclose(lengths, 1):
        raise Wrong("rows are not of length 1")
    return f"{len(answer['words']):,} words"


def same_text(arrays, mine, peer):
    if sorted(mine["words"]) != sorted(peer["words"]):
        raise Wrong("other words than the peer's")
    A, B = csr_of(mine)[:, np.argsort(mine["words"])], csr_of(peer)[:, np.argsort(peer["words"])]
    error = abs(A - B).max()
    if not error <= 1e-12:
        raise Wrong(f"weights differ from the peer's by {error:.1e}")
