"""AnnData and MuData, in files and in memory."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

import landbridge as lb

ad = pytest.importorskip("anndata")
pd = pytest.importorskip("pandas")
h5py = pytest.importorskip("h5py")

#: That pairs come from names of cells is always told; here it is meant.
pytestmark = pytest.mark.filterwarnings("ignore:.*pairs came from equal names")


def some_cells(seed, n=None, p=None, X=None):
    """An AnnData object, everything about it drawn by the seed."""
    rng = np.random.default_rng(seed)
    n = n or int(rng.integers(2, 60))
    p = p or int(rng.integers(1, 40))
    if X is None:
        values = rng.normal(size=(n, p)) * (rng.random((n, p)) < rng.choice([0.0, 0.1, 0.5, 1.0]))
        dtype = rng.choice([np.float32, np.float64, np.float16, np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint32])
        X = (values * 20).astype(dtype) if np.dtype(dtype).kind in "iu" and dtype != np.uint8 else np.abs(values * 20).astype(dtype)
        layout = rng.choice(["dense", "fortran", "csr", "csc"])
        if layout == "fortran":
            X = np.asfortranarray(X)
        elif layout != "dense":
            X = X.astype(np.float32) if X.dtype == np.float16 else X
            X = sparse.csr_matrix(X) if layout == "csr" else sparse.csc_matrix(X)
    types = np.array(["T cell", "B cell", "NK", "été, \"x\""])
    classes = pd.Categorical(rng.choice(types, n))
    classes = classes.set_categories(list(types))
    missing = rng.random(n) < 0.2
    obs = pd.DataFrame(
        {
            "type": pd.Categorical.from_codes(np.where(missing, -1, classes.codes), categories=list(types)),
            "cluster": pd.Categorical(rng.integers(0, 5, n)),
            "batch": rng.choice(["a", "b", "ü"], n),
            "count": rng.integers(-5, 5, n),
            "good": rng.random(n) < 0.5,
            "whole": pd.array(np.where(missing, None, 7), dtype="Int64"),
            "sure": pd.array(np.where(missing, None, True), dtype="boolean"),
        },
        index=pd.Index([f"{rng.integers(1 << 40):x}-{i}é" for i in range(n)], name=rng.choice([None, "barcode"])),
    )
    adata = ad.AnnData(X, obs=obs, var=pd.DataFrame({"length": np.arange(p)}, index=[f"gène {j}" for j in range(p)]))
    adata.obsm["X_pca"] = rng.normal(size=(n, int(rng.integers(1, 6)))).astype(rng.choice([np.float32, np.float64]))
    adata.obsm["sparse"] = sparse.csr_matrix(np.floor(rng.random((n, 3)) * 2))
    adata.obsm["table"] = pd.DataFrame({"u": rng.normal(size=n), "v w": rng.integers(0, 9, n)}, index=adata.obs_names)
    adata.layers["counts"] = sparse.csc_matrix(np.floor(rng.random((n, p)) * 3))
    adata.layers["scaled"] = rng.normal(size=(n, p))
    if rng.random() < 0.5:
        adata.uns["something"] = {"nested": np.arange(3)}
    return adata


def as_dense(X):
    return X.toarray() if sparse.issparse(X) else np.asarray(X)


def labels_of(column):
    return ["" if missing else str(value) for value, missing in zip(column, column.isna())]


def write(adata, path, rng):
    """One of the ways to write it; old formats and the newest included."""
    how = rng.integers(0, 6)
    if how == 0:
        adata.write_h5ad(path)
    elif how == 1:
        adata.write_h5ad(path, compression="gzip", compression_opts=int(rng.integers(1, 10)))
    elif how == 2:
        adata.write_h5ad(path, compression="lzf")
    elif how == 3:
        adata.write_h5ad(path, compression="gzip", as_dense=["X"] if sparse.issparse(adata.X) else [])
    elif how == 4:
        with h5py.File(path, "w", libver=("v110", "v114")) as file:
            ad.io.write_elem(file, "/", adata, dataset_kwargs={"compression": "gzip", "shuffle": True})
    else:  # many small pieces
        with h5py.File(path, "w") as file:
            ad.io.write_elem(file, "/", adata)
            for at in ("layers/scaled", "obsm/X_pca"):
                data, attributes = file[at][...], dict(file[at].attrs)
                del file[at]
                made = file.create_dataset(at, data=data, chunks=tuple(max(1, s // 3) for s in data.shape), compression="lzf", shuffle=True, fletcher32=True)
                made.attrs.update(attributes)


@pytest.mark.parametrize("part", range(20))
def test_two_hundred_files_agree_with_anndata(part, tmp_path):
    for seed in range(10 * part, 10 * part + 10):
        rng = np.random.default_rng(10_000 + seed)
        path = tmp_path / f"{seed}.h5ad"
        write(some_cells(seed), path, rng)
        there = ad.read_h5ad(path)
        for options, X, names in [
            ({}, there.X, there.var_names),
            ({"layer": "counts"}, there.layers["counts"], there.var_names),
            ({"layer": "scaled"}, there.layers["scaled"], there.var_names),
            ({"use_rep": "X_pca"}, there.obsm["X_pca"], None),
            ({"use_rep": "sparse"}, there.obsm["sparse"], None),
            ({"use_rep": "table"}, there.obsm["table"].to_numpy(), there.obsm["table"].columns),
        ]:
            here = lb.read(path, **options)
            assert sparse.issparse(here.X) == sparse.issparse(X), (seed, options)
            assert here.shape == X.shape and (as_dense(here.X) == as_dense(X)).all(), (seed, options)
            assert here.row_ids == list(there.obs_names), (seed, options)
            assert here.columns == (None if names is None else list(names)), (seed, options)
        if not sparse.issparse(there.X):
            assert lb.read(path).X.dtype == (np.float32 if there.X.dtype in (np.float16, np.float32) else np.float64)
        for column in there.obs.columns:
            assert lb.read(path, label_column=column).labels == labels_of(there.obs[column]), (seed, column)


def test_strings_that_may_be_missing(tmp_path):
    adata = ad.AnnData(np.eye(3), obs=pd.DataFrame({"s": pd.array(["x", None, "z"], dtype="string")}, index=list("abc")))
    with ad.settings.override(allow_write_nullable_strings=True):
        with h5py.File(tmp_path / "a.h5ad", "w") as file:
            ad.io.write_elem(file, "/", adata)
            assert file["obs/s"].attrs["encoding-type"] == "nullable-string-array"
    assert lb.read(tmp_path / "a.h5ad", label_column="s").labels == ["x", "", "z"]


def test_many_cells(tmp_path):
    n = 30_000
    adata = ad.AnnData(sparse.random(n, 50, 0.1, "csr", np.float32, random_state=0), obs=pd.DataFrame(index=[f"c{i}" for i in range(n)]))
    adata.write_h5ad(tmp_path / "a.h5ad", compression="gzip")
    here = lb.read(tmp_path / "a.h5ad")
    assert (here.X != adata.X).nnz == 0 and here.row_ids == list(adata.obs_names)


def test_what_cannot_be_read_is_said(tmp_path):
    path = tmp_path / "a.h5ad"
    adata = some_cells(1)
    adata.write_h5ad(path)
    with pytest.raises(lb.ParameterError, match='no layer "raw"; the arrays are "counts", "scaled"'):
        lb.read(path, layer="raw")
    with pytest.raises(lb.ParameterError, match='no column "celltype"; there are .*"type"'):
        lb.read(path, label_column="celltype")
    with pytest.raises(lb.ParameterError, match="key has no meaning"):
        lb.read(path, key="X")
    with h5py.File(path, "a") as file:
        file["obsm/text"] = np.array([b"x"] * adata.n_obs)
        file["obsm/cube"] = np.zeros((adata.n_obs, 2, 2))
        file["obsm/complex"] = np.zeros((adata.n_obs, 2), complex)
        file["obsm/never"] = h5py.Empty("f8")
        file.create_dataset("obsm/unwritten", (adata.n_obs, 2), "f8")
        file.create_dataset("obsm/holes", (adata.n_obs, 2), "f8", chunks=(1, 2))
        file.create_dataset("obsm/short", data=np.zeros((adata.n_obs + 1, 2)))
    for name in ("text", "cube", "complex", "never", "unwritten", "holes", "short"):
        with pytest.raises(lb.DataError):
            lb.read(path, use_rep=name)
    with h5py.File(path, "a") as file:
        del file["X"]
        file["X"] = np.full((adata.n_obs, adata.n_vars), np.nan)
    with pytest.raises(lb.DataError, match="NaN"):
        lb.InstanceAlignment(1).fit([lb.read(path), lb.read(path)])
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(lb.DataError, match="cut off"):
        lb.read(path)
    with pytest.raises(lb.FileError):
        lb.read(tmp_path / "none.h5ad")


# ---- in memory ----------------------------------------------------------------------------------------------------


@pytest.fixture
def two_sets():
    """Two views of the same 120 cells: 80 are in both, in another order, and one name occurs twice."""
    rolls = lb.datasets.swiss_rolls(120, random_state=3)
    names = np.array([f"cell{i}" for i in range(120)])
    first, second = np.arange(100), np.random.default_rng(0).permutation(np.arange(20, 120))
    rna = ad.AnnData(rolls.datasets[0][first], obs=pd.DataFrame({"t": rolls.latent[first, 0]}, index=names[first]))
    atac = ad.AnnData(sparse.csr_matrix(rolls.datasets[1][second]), obs=pd.DataFrame(index=names[second]))
    return rna, atac


def by_name(rna, atac):
    at = {name: j for j, name in enumerate(atac.obs_names)}
    return np.array([(i, at[name]) for i, name in enumerate(rna.obs_names) if name in at])


def test_anndata_objects_are_datasets_and_pair_by_the_names_of_their_cells(two_sets):
    rna, atac = two_sets
    expected = lb.InstanceAlignment(3).fit([rna.X, atac.X], by_name(rna, atac))
    a = lb.InstanceAlignment(3).fit({"rna": rna, "atac": atac})
    assert "80 pairs came from equal names of rows" in a.outcome_.warnings
    assert all((x == y).all() for x, y in zip(a.embeddings_, expected.embeddings_))
    assert a._model.row_ids(0) == list(rna.obs_names) and a._model.columns(1) == list(atac.var_names)
    # Given pairs are taken as they are, and none at all if that is what is given.
    few = by_name(rna, atac)[:20]
    assert (lb.InstanceAlignment(3).fit([rna, atac], few).embeddings_[0] == lb.InstanceAlignment(3).fit([rna.X, atac.X], few).embeddings_[0]).all()
    with pytest.raises(lb.PairsError):
        lb.CCA(3).fit([rna, atac], [])
    # Names alone say nothing where one dataset has none.
    with pytest.raises(lb.PairsError):
        lb.CCA(3).fit([rna, atac.X])
    assert (a.transform(rna[:5], "rna") == a.transform(rna.X[:5], "rna")).all()
    with pytest.warns(lb.AlignmentWarning, match="another order"):
        reordered = a.transform(rna[:5][:, [1, 0, 2]], "rna")
    assert (reordered == a.transform(rna[:5], "rna")).all()


def test_a_name_that_occurs_twice_pairs_nothing(two_sets):
    rna, atac = two_sets
    pairs = by_name(rna, atac)
    atac.obs_names = [atac.obs_names[0], *atac.obs_names[:1], *atac.obs_names[2:]]
    a = lb.InstanceAlignment(3).fit([rna, atac])
    assert "1 name occurs more than once in a dataset and pairs nothing there" in " ".join(a.outcome_.warnings)
    kept = pairs[~np.isin(pairs[:, 1], [0, 1])]
    expected = lb.InstanceAlignment(3).fit([rna.X, atac.X], kept)
    assert (a.embeddings_[0] == expected.embeddings_[0]).all()


def test_representations_layers_and_files_on_disk(two_sets, tmp_path):
    rna, atac = two_sets
    pairs = by_name(rna, atac)
    rna.obsm["X_pca"] = rna.X[:, :2].astype(np.float32)
    rna.obsm["df"] = pd.DataFrame(rna.X[:, :2], columns=["a", "b"], index=rna.obs_names)
    rna.layers["twice"] = rna.X * 2
    for options, X in [({"use_rep": "X_pca"}, rna.obsm["X_pca"]), ({"layer": "twice"}, rna.X * 2), ({"use_rep": "df"}, rna.X[:, :2]), ({"use_rep": "X"}, rna.X)]:
        a = lb.InstanceAlignment(2).fit([lb.from_anndata(rna, **options), atac])
        expected = lb.InstanceAlignment(2).fit([X, atac.X], pairs)
        assert (a.embeddings_[1] == expected.embeddings_[1]).all(), options
    table = lb.from_anndata(rna, use_rep="df", labels="t")
    assert table.shape == (100, 2) and len(table) == 100 and len(table.labels) == 100
    rna.write_h5ad(tmp_path / "rna.h5ad")
    atac.write_h5ad(tmp_path / "atac.h5ad")
    expected = lb.InstanceAlignment(2).fit([rna, atac])
    for opened in ([ad.read_h5ad(tmp_path / f"{n}.h5ad", backed="r") for n in ("rna", "atac")], [lb.read(tmp_path / f"{n}.h5ad") for n in ("rna", "atac")]):
        a = lb.InstanceAlignment(2).fit(opened)
        assert all((x == y).all() for x, y in zip(a.embeddings_, expected.embeddings_))
    for call, message in [
        (lambda: lb.from_anndata(rna, use_rep="X_umap"), 'no representation "X_umap"; there are "X_pca", "df"'),
        (lambda: lb.from_anndata(rna, layer="raw"), 'no layer "raw"'),
        (lambda: lb.from_anndata(rna, layer="twice", use_rep="df"), "both given"),
        (lambda: lb.from_anndata(rna.X), "must be an AnnData"),
        (lambda: lb.from_anndata(ad.AnnData(obs=rna.obs)), "no X"),
    ]:
        with pytest.raises((lb.DataError, lb.ParameterError), match=message):
            call()


def test_results_go_back_and_survive_the_file(two_sets, tmp_path):
    rna, atac = two_sets
    a = lb.InstanceAlignment(3).fit({"rna": rna, "atac": atac})
    assert lb.to_anndata(a, {"rna": rna, "atac": atac})["rna"] is rna
    for name, adata, Z in zip(("rna", "atac"), (rna, atac), a.embeddings_):
        path = tmp_path / f"{name}.h5ad"
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            adata.write_h5ad(path, compression="gzip")
        back = ad.read_h5ad(path)
        assert (back.obsm["X_landbridge"] == Z).all()
        about = back.uns["landbridge"]
        assert about["method"] == "instance" and about["dataset"] == name and list(about["datasets"]) == ["rna", "atac"]
        assert about["params"]["n_components"] == 3 and (about["eigenvalues"] == a.eigenvalues_).all()
        assert about["status"] == "converged" and about["version"] == lb.__version__
        assert (lb.read(path, use_rep="X_landbridge").X == Z).all()
    lb.to_anndata(a, [rna, atac], key="X_other")
    assert (rna.obsm["X_other"] == a.embeddings_[0]).all()
    for given, message in [
        ([rna], "the 2 AnnData objects"),
        ({"atac": atac, "rna": rna}, "was fitted on"),
        ([rna.X, atac.X], "must be an AnnData"),
        ([rna[:50], atac], "100 rows, this AnnData has 50"),
        ([rna[::-1], atac], 'row 0 was "cell0" when it was fitted'),
    ]:
        with pytest.raises(lb.DataError, match=message):
            lb.to_anndata(a, given)
    with pytest.raises(lb.NotFittedError):
        lb.to_anndata(lb.InstanceAlignment(3), [rna, atac])


def test_mudata_is_the_list_of_its_modalities(two_sets, tmp_path):
    mudata = pytest.importorskip("mudata")
    rna, atac = two_sets
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # mudata on its own plans
        mdata = mudata.MuData({"rna": rna, "atac": atac})
        mdata.write(tmp_path / "cells.h5mu")
    expected = lb.InstanceAlignment(3).fit({"rna": rna, "atac": atac})
    a = lb.InstanceAlignment(3).fit(mdata)
    assert a.names_ == ["rna", "atac"]
    files = lb.read_all(tmp_path / "cells.h5mu")
    assert list(files) == ["rna", "atac"] and files["atac"].name == "atac"
    for other in (a, lb.InstanceAlignment(3).fit(files), lb.InstanceAlignment(3).fit(lb.from_mudata(mdata))):
        assert all((x == y).all() for x, y in zip(other.embeddings_, expected.embeddings_))
    lb.to_anndata(a, mdata)
    assert (mdata["atac"].obsm["X_landbridge"] == a.embeddings_[1]).all()
    rna.obsm["X_pca"] = rna.X[:, :2]
    assert lb.from_mudata(mdata, use_rep={"rna": "X_pca"})["rna"].shape == (100, 2)
    with pytest.raises(lb.DataError, match='no modality "prot"'):
        lb.from_mudata(mdata, use_rep={"prot": "X_pca"})
    with pytest.raises(lb.ParameterError, match='no modality was chosen; the arrays are "rna", "atac"'):
        lb.read(tmp_path / "cells.h5mu")


def test_scanpy_draws_the_result(two_sets, tmp_path):
    sc = pytest.importorskip("scanpy")
    rna, atac = two_sets
    lb.to_anndata(lb.InstanceAlignment(2).fit([rna, atac]), [rna, atac])
    axes = sc.pl.embedding(rna, "X_landbridge", color="t", show=False)
    drawn = np.asarray(axes.collections[0].get_offsets())
    assert sorted(map(tuple, drawn)) == sorted(map(tuple, rna.obsm["X_landbridge"]))


def test_the_page_about_single_cells_runs(tmp_path, monkeypatch, capsys):
    page = (Path(__file__).parents[2] / "docs/single-cell.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what was recognised is said
        exec(page.split("```python\n")[1].split("```")[0], {})
    assert int(capsys.readouterr().out.rstrip().splitlines()[-1].split("%")[0]) > 85
    both = ad.read_h5ad(tmp_path / "both.h5ad")
    assert len(both.obsm["X_landbridge"]) == 1200 and set(both.obs["measured"]) == {"rna", "atac"}
