"""Raw counts of cells: recognised, prepared, said; written into AnnData objects."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import sparse

import landbridge as lb

#: What was recognised is always said; here it is meant.
pytestmark = pytest.mark.filterwarnings("default::landbridge.AlignmentWarning")


def multiome(n=300, genes=250, peaks=900, seed=0):
    """Genes and peaks of the same cells, as counts, and the types of the cells."""
    rng = np.random.default_rng(seed)
    kind = rng.integers(4, size=n)
    state = 1.5 * rng.normal(size=(4, 6))[kind] + 0.4 * rng.normal(size=(n, 6))

    def counts(p, depth, base):
        rate = np.exp(rng.normal(0, base, p) + 0.5 * state @ (rng.normal(size=(6, p)) * (rng.random(p) < 0.3)))
        totals = depth * np.exp(0.6 * rng.normal(size=(n, 1)))
        return sparse.csr_matrix(rng.poisson(totals * rate / rate.sum(axis=1, keepdims=True)).astype(np.float64))

    return counts(genes, 300, 1.0), counts(peaks, 500, 0.5), kind


def table(X, names):
    return lb.Table(X, None, list(names))


def places(n):
    return [f"chr1:{500 * j}-{500 * j + 400}" for j in range(n)]


def said_of(a):
    return "\n".join(a.outcome_.warnings)


def test_counts_are_recognised_said_and_do_better():
    X, Y, kind = multiome()
    pairs = np.column_stack([np.arange(75)] * 2)
    sets = [table(X, [f"GENE{j}" for j in range(250)]), table(Y, places(900))]
    with pytest.warns(lb.AlignmentWarning, match='counts of genes.*prepared by "counts"'):
        a = lb.CCA(10).fit(sets, pairs)
    assert 'prepared by "peaks"' in said_of(a)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plain = lb.CCA(10, prepare="center").fit(sets, pairs)
    Z, W = (z[75:] for z in a.embeddings_)
    assert lb.metrics.foscttm(Z, W) < 0.6 * lb.metrics.foscttm(*(z[75:] for z in plain.embeddings_))
    assert np.allclose(np.linalg.norm(Z, axis=1), 1)
    # New cells, deeper sequenced, are the same cells.
    assert np.abs(a.transform(3 * X[80:90], 0) - a.embeddings_[0][80:90]).max() < 1e-9


def test_the_model_keeps_the_preparation(tmp_path):
    X, Y, _ = multiome()
    for word in ("counts", "counts_standardize", "peaks", "proteins"):
        a = lb.CCA(5, prepare=word).fit([X, Y], np.column_stack([np.arange(60)] * 2))
        a.save(tmp_path / "m.lb")
        b = lb.load(tmp_path / "m.lb")
        assert np.array_equal(a.transform(Y[:7], 1), b.transform(Y[:7], 1)), word
        assert np.abs(a.transform(Y[:7], 1) - a.embeddings_[1][:7]).max() < 1e-9, word
        assert np.isfinite(a.predict(X[:5], 0, 1)).all()


def test_what_is_not_counts_is_left_alone_or_refused():
    X, Y, _ = multiome()
    pairs = np.column_stack([np.arange(60)] * 2)
    less = X.copy()
    less.data[3] = -1
    with pytest.raises(lb.DataError, match="is -1; \"counts\" prepares counts"):
        lb.CCA(5, prepare="counts").fit([less, Y], pairs)
    normalised = X.copy()
    normalised.data = np.log1p(normalised.data)
    with pytest.warns(lb.AlignmentWarning, match="already normalised"):
        lb.CCA(5).fit([table(normalised, [f"GENE{j}" for j in range(250)]), Y.toarray()], pairs)
    with pytest.warns(lb.AlignmentWarning, match="not whole, so these are not raw counts"):
        lb.CCA(5, prepare="counts").fit([normalised, Y], pairs)
    empty = X.tolil()
    empty[250] = 0
    empty[:, 7] = 0
    with pytest.warns(lb.AlignmentWarning, match="1 row has no count"):
        a = lb.CCA(5).fit([table(sparse.csr_matrix(empty), [f"GENE{j}" for j in range(250)]), table(Y, places(900))], pairs)
    assert all(np.isfinite(z).all() for z in a.embeddings_)
    # Small tables, words and dense tables are not cells.
    words = table(X, ["word" + "abcdefghij"[j % 10] * (1 + j // 10) for j in range(250)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lb.CCA(5).fit([words, Y.toarray()], pairs)


def test_linear_maps_of_cells_and_the_choice():
    X, Y, kind = multiome()
    pairs = np.column_stack([np.arange(75)] * 2)
    sets = [table(X, [f"GENE{j}" for j in range(250)]), table(Y, places(900))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        a = lb.LinearAlignment(10).fit(sets, pairs)
        b = lb.align(sets, pairs)
    for one in (a, b):
        Z, W = (z[75:] for z in one.embeddings_)
        assert lb.metrics.foscttm(Z, W) < 0.12
        assert lb.metrics.label_transfer(Z, kind[75:], W, kind[75:]) > 0.85
    assert b.selection_.trusted and "counts of genes" in b.selection_.explanation


def test_results_are_written_into_anndata(tmp_path):
    ad = pytest.importorskip("anndata")
    pd = pytest.importorskip("pandas")
    X, Y, kind = multiome()
    types = np.array(["B", "T", "NK", "mono"])[kind]
    ids = [[f"cell{i}" if i < 75 else f"{part}{i}" for i in range(300)] for part in ("rna", "atac")]
    rna = ad.AnnData(X, obs=pd.DataFrame({"cell_type": types}, index=ids[0]), var=pd.DataFrame(index=[f"GENE{j}" for j in range(250)]))
    atac = ad.AnnData(Y, obs=pd.DataFrame(index=ids[1]), var=pd.DataFrame(index=places(900)))
    atac.write_h5ad(tmp_path / "atac.h5ad")
    backed = ad.read_h5ad(tmp_path / "atac.h5ad", backed="r")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        a = lb.sc.align({"rna": rna, "atac": atac}, labels="cell_type")
        c = lb.sc.align({"rna": rna, "atac": backed}, labels="cell_type", method=lb.CCA(8), key_added="X_cca")
    assert atac.obsm["X_landbridge"].shape[0] == 300 and atac.uns["landbridge"]["trusted"]
    assert (atac.obs["landbridge_cell_type"].to_numpy() == types).mean() > 0.85
    assert backed.obsm["X_cca"].shape == (300, 8) and (backed.obs["landbridge_cell_type"].to_numpy() == types).mean() > 0.85
    share = atac.obs["landbridge_cell_type_probability"]
    assert share.between(0, 1).all() and a.names_ == c.names_ == ["rna", "atac"]
    lb.sc.transfer_labels(a, [rna, atac], "cell_type", k=90, min_probability=1.0, key_added="sure")
    assert set(atac.obs["sure"]) <= {"B", "T", "NK", "mono", "unknown"}
    # Types stay: numbers, truth values and categories, and a file can hold all of them.
    rna.obs["cluster"], rna.obs["is_b"], rna.obs["kind"] = kind, kind == 0, pd.Categorical(types, ["T", "NK", "B", "mono"])
    rna.obs["grade"] = pd.Categorical(kind)
    for column in ("cluster", "is_b", "kind", "grade"):
        lb.sc.transfer_labels(a, [rna, atac], column)
        found = atac.obs[f"landbridge_{column}"]
        assert found.dtype == rna.obs[column].dtype and (found.to_numpy() == rna.obs[column].to_numpy()).mean() > 0.85
        lb.sc.transfer_labels(a, [rna, atac], column, k=90, min_probability=1.0, key_added=f"sure_{column}")
    assert str(atac.obs["sure_cluster"].dtype) == "Int64" and str(atac.obs["sure_is_b"].dtype) == "boolean"
    doubtful = atac.obs["sure"] == "unknown"
    assert doubtful.any() and (atac.obs["sure_cluster"].isna() == doubtful).all() and (atac.obs["sure_kind"] == "unknown").any()
    assert (atac.obs["sure_grade"].isna() == doubtful).all()
    atac.write_h5ad(tmp_path / "again.h5ad")
    with pytest.raises(lb.DataError, match="no dataset has the column"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            lb.sc.align({"rna": rna, "atac": atac}, labels="nothing", method=lb.CCA(3))
    twice = rna.copy()
    twice.var_names = ["GENE"] * 2 + list(twice.var_names[2:])
    with pytest.raises(lb.DataError, match="var_names_make_unique"):
        lb.sc.align({"rna": twice, "atac": atac})


def test_wide_rows_are_reduced_and_what_is_left_out_is_said():
    rng = np.random.default_rng(0)
    latent = rng.normal(size=(4200, 5))
    wide = sparse.random(4200, 6000, 0.003, format="csr", random_state=0, data_rvs=lambda n: rng.normal(size=n))
    X, Y = latent @ rng.normal(size=(5, 40)) + 0.1 * rng.normal(size=(4200, 40)), wide
    with pytest.warns(lb.AlignmentWarning, match="6000 features of dataset 1 were reduced to 500 principal directions"):
        lb.CCA(3).fit([X, Y], np.column_stack([np.arange(4200)] * 2))
