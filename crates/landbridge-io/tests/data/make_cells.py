"""Makes the AnnData files beside this script: generated numbers, packed because HDF5 leaves much room empty.

    python make_cells.py        # needs anndata and h5py; tests/hostile_cells.rs and tests/cells.rs read the result
"""

import gzip
import io
from pathlib import Path

import anndata as ad
import h5py
import numpy as np
import pandas as pd
from scipy import sparse

HERE = Path(__file__).parent


def cells(X):
    obs = pd.DataFrame(
        {
            "type": pd.Categorical(["T", "B", None, "T", "NK"]),
            "batch": ["x", "y", "x", "y", "ü"],
            "count": pd.array([1, None, 3, 4, 5], dtype="Int64"),
        },
        index=[f"cell{i}" for i in range(5)],
    )
    adata = ad.AnnData(X, obs=obs, var=pd.DataFrame(index=["CD3", "β2m", "MS4A1"]))
    adata.obsm["X_pca"] = np.arange(10.0).reshape(5, 2)
    return adata


def keep(name, data):
    """The same bytes from the same input: no time, no file name in the gzip header."""
    with open(HERE / f"{name}.gz", "wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed:
        packed.write(data)


def written(adata, **options):
    path = HERE / "temporary.h5ad"
    adata.write_h5ad(path, **options)
    data = path.read_bytes()
    path.unlink()
    return data


def newest(X):
    """The same layout in the HDF5 format of 2018 on, which has checksums, through h5py."""
    memory = io.BytesIO()
    with h5py.File(memory, "w", libver=("v110", "v114")) as file:
        file.create_dataset("X", data=X, chunks=(2, 2), compression="lzf", shuffle=True, fletcher32=True)
        for name, index in (("obs", ["a", "b", "c", "d", "e"]), ("var", ["u", "v", "w"])):
            group = file.create_group(name)
            group.attrs["_index"] = "_index"
            group.create_dataset("_index", data=index, dtype=h5py.string_dtype(), maxshape=(None,), chunks=(2,))
    return memory.getvalue()


def old(X):
    """As anndata 0.6 wrote it: tables are arrays of records, the classes are elsewhere."""
    memory = io.BytesIO()
    with h5py.File(memory, "w") as file:
        group = file.create_group("X")
        group.attrs["h5sparse_format"] = "csr"
        group.attrs["h5sparse_shape"] = X.shape
        for name in ("data", "indices", "indptr"):
            group.create_dataset(name, data=getattr(X, name), maxshape=(None,))
        obs = np.array([(f"cell{i}".encode(), code) for i, code in enumerate([2, 0, -1, 2, 1])], dtype=[("index", "S8"), ("type", "i1")])
        file.create_dataset("obs", data=obs)
        file.create_dataset("var", data=np.array([(b"CD3",), (b"GNLY",), (b"MS4A1",)], dtype=[("index", "S5")]))
        file.create_dataset("uns/type_categories", data=["B", "NK", "T"], dtype=h5py.string_dtype())
    return memory.getvalue()


if __name__ == "__main__":
    X = np.array([[1, 0, 2], [0, 0, 3], [0, 0, 0], [4, 5, 0], [0, 6, 0]], dtype=np.float32)
    keep("csr.h5ad", written(cells(sparse.csr_matrix(X)), compression="gzip"))
    keep("dense.h5ad", written(cells(X)))
    keep("newest.h5ad", newest(X))
    keep("old.h5ad", old(sparse.csr_matrix(X)))
