"""Batches of cells: centred within, told before and after, kept for new cells."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import landbridge as lb

pytestmark = pytest.mark.filterwarnings("default::landbridge.AlignmentWarning")


def two_donors(n=400, genes=300, peaks=800, effect=0.5, confounded=False, seed=0):
    """Genes and peaks of the same cells, as counts, of two donors whose genes and peaks differ by factors."""
    rng = np.random.default_rng(seed)
    donor = rng.integers(2, size=n)
    kind = 2 * donor + rng.integers(2, size=n) if confounded else rng.integers(4, size=n)
    state = rng.normal(size=(4, 6))[kind] + 0.7 * rng.normal(size=(n, 6))

    def counts(p, depth, base):
        own = effect * rng.normal(size=(2, p))[donor]
        rate = np.exp(rng.normal(0, base, p) + own + 0.5 * state @ (rng.normal(size=(6, p)) * (rng.random(p) < 0.3)))
        totals = depth * np.exp(0.4 * rng.normal(size=(n, 1)))
        return sparse.csr_matrix(rng.poisson(totals * rate / rate.sum(axis=1, keepdims=True)).astype(np.float64))

    return counts(genes, 400, 1.0), counts(peaks, 600, 0.5), kind, np.array(["d1", "d2"])[donor]


def tables(X, Y, batch=None, labels=None):
    names = lambda values: None if values is None else [str(v) for v in values]
    genes, peaks = [f"GENE{j}" for j in range(X.shape[1])], [f"chr1:{500 * j}-{500 * j + 400}" for j in range(Y.shape[1])]
    return [
        lb.Table(X, None, genes, names(labels), batch=names(batch)),
        lb.Table(Y, None, peaks, None, batch=names(batch)),
    ]


def pairs_of_one(donor, count=150):
    """Cells of the first donor only were measured twice."""
    return np.column_stack([np.flatnonzero(donor == "d1")[:count]] * 2)


@pytest.mark.parametrize("method", [lb.CCA(10), lb.LinearAlignment(10)])
def test_batches_are_bad_without_and_good_with_batch(method):
    X, Y, kind, donor = two_donors()
    pairs = pairs_of_one(donor)
    from sklearn.base import clone

    plain = clone(method).fit(tables(X, Y), pairs)
    with_batch = clone(method).fit(tables(X, Y, donor), pairs)
    mixing = [lb.metrics.batch_mixing(a.embeddings_[0], donor, k=15).mixing for a in (plain, with_batch)]
    assert mixing[0] < 0.2 and mixing[1] > 0.8, mixing
    (Z, W), one = with_batch.embeddings_, donor == "d1"
    # Types of one donor's genes, transferred to the other donor's peaks.
    assert lb.metrics.label_transfer(Z[one], kind[one], W[~one], kind[~one], k=15) > 0.85
    assert plain.outcome_.batches is None
    for report, side in zip(with_batch.outcome_.batches, ("0", "1")):
        assert report["dataset"] == side and report["batches"] == ["d1", "d2"] and sum(report["rows"]) == 400
        assert report["before"] < 0.5 * report["expected"] and report["after"] > 0.7 * report["expected"]
    # What is reported is the metric, over all rows here.
    score = lb.metrics.batch_mixing(with_batch.embeddings_[1], donor, k=report["k"])
    assert np.isclose(score.observed, report["after"]) and np.isclose(score.expected, report["expected"])
    assert "batches mix" in repr(with_batch.outcome_)


def test_new_cells_are_placed_around_the_mean_of_their_batch(tmp_path):
    X, Y, _, donor = two_donors()
    a = lb.CCA(10).fit(tables(X, Y, donor), np.column_stack([np.arange(150)] * 2))
    a.save(tmp_path / "a.lb")
    for model in (a, lb.load(tmp_path / "a.lb")):
        new = model.transform(X[200:260], 0, batch=donor[200:260])
        assert np.abs(new - a.embeddings_[0][200:260]).max() < 1e-9
        with pytest.warns(lb.AlignmentWarning, match="60 new rows .* of a batch that was not fitted.*d1, d2"):
            unknown = model.transform(X[200:260], 0, batch="d9")
        with pytest.warns(lb.AlignmentWarning, match="was fitted with batches, and the new rows have none"):
            without = model.transform(X[200:260], 0)
        assert np.array_equal(unknown, without) and np.abs(unknown - new).max() > 0.02
    plain = lb.CCA(10).fit(tables(X, Y), np.column_stack([np.arange(150)] * 2))
    with pytest.warns(lb.AlignmentWarning, match="fitted without batches"):
        plain.transform(X[:5], 0, batch="d1")
    with pytest.raises(lb.UndefinedError, match="batches|prepared by"):
        a.export(tmp_path / "map.npz", "0")


def test_dense_rows_lose_the_mean_of_their_batch():
    rng = np.random.default_rng(0)
    latent = rng.normal(size=(300, 4))
    batch = np.array(["a", "b", "c"])[rng.integers(3, size=300)]
    shift = dict(zip("abc", 20 * rng.normal(size=(3, 6))))
    X = latent @ rng.normal(size=(4, 6)) + 0.1 * rng.normal(size=(300, 6))
    Y = latent @ rng.normal(size=(4, 5)) + 0.1 * rng.normal(size=(300, 5))
    moved = X + np.array([shift[b] for b in batch])
    pairs = np.column_stack([np.flatnonzero(batch == "a")[:80]] * 2)
    a = lb.CCA(4, ridge=0.01).fit([lb.Table(moved, batch=list(batch)), Y], pairs)
    # By hand: the mean of each batch subtracted first.
    by_hand = moved - np.array([moved[batch == b].mean(0) for b in batch])
    b = lb.CCA(4, ridge=0.01).fit([by_hand, Y], pairs)
    for Z, W in zip(a.embeddings_, b.embeddings_):
        assert np.abs(np.abs(Z) - np.abs(W)).max() < 1e-6
    # Without batches, those of which no row is paired are off.
    plain = lb.CCA(4, ridge=0.01).fit([moved, Y], pairs)
    score = lambda model: lb.metrics.foscttm(*(Z[batch == "c"] for Z in model.embeddings_))
    mixing = lambda model: lb.metrics.batch_mixing(model.embeddings_[0], batch, k=10).mixing
    assert score(a) < 0.05 and mixing(a) > 0.8 and mixing(plain) < 0.6
    assert lb.metrics.foscttm(*plain.embeddings_) > 4 * lb.metrics.foscttm(*a.embeddings_)


def test_confounded_batches_are_told():
    X, Y, kind, donor = two_donors(confounded=True)
    pairs = np.column_stack([np.arange(150)] * 2)
    a = lb.CCA(10).fit(tables(X, Y, donor, kind), pairs)
    assert any("confounded" in text and '"d1" and "d2"' in text for text in a.outcome_.warnings)
    X, Y, kind, donor = two_donors()
    a = lb.CCA(10).fit(tables(X, Y, donor, kind), pairs)
    assert not any("confounded" in text for text in a.outcome_.warnings)


def test_batches_that_cannot_be_used_are_told():
    X, Y, _, donor = two_donors(n=200)
    pairs = np.column_stack([np.arange(100)] * 2)
    with pytest.raises(lb.DataError, match="row 3 has no batch"):
        lb.CCA(5).fit(tables(X, Y, ["d1"] * 3 + [""] + list(donor[4:])), pairs)
    with pytest.raises(lb.DataError, match="batches of dataset"):
        lb.CCA(5).fit(tables(X, Y, donor[:50]), pairs)
    with pytest.warns(lb.AlignmentWarning, match="batch has no effect"):
        lb.InstanceAlignment(5).fit(tables(X, Y, donor), pairs)
    few = list(donor[:-2]) + ["d3", "d3"]
    assert any("fewer than 10 rows (d3)" in text for text in lb.CCA(5).fit(tables(X, Y, few), pairs).outcome_.warnings)
    with pytest.raises(lb.DataError):
        lb.metrics.batch_mixing(np.zeros((3, 1)), ["a", None, "b"], k=1)


def test_a_column_of_obs_in_one_line():
    ad, pd = pytest.importorskip("anndata"), pytest.importorskip("pandas")
    X, Y, kind, donor = two_donors(n=300)
    names = lambda side: [f"c{i}" if i < 150 else f"{side}{i}" for i in range(300)]
    obs = {"donor": donor, "cell_type": pd.Categorical([f"t{k}" for k in kind])}
    var = lambda columns: pd.DataFrame(index=columns)
    [x, y] = tables(X, Y)
    rna = ad.AnnData(X, obs=pd.DataFrame(obs, index=names("r")), var=var(x.columns))
    atac = ad.AnnData(Y, obs=pd.DataFrame({"donor": donor}, index=names("a")), var=var(y.columns))
    a = lb.sc.align({"rna": rna, "atac": atac}, method=lb.CCA(10), batch="donor", labels="cell_type")
    assert set(rna.uns["landbridge"]["batches"]) == {"rna", "atac"}
    assert np.mean(atac.obs["landbridge_cell_type"].astype(str) == rna.obs["cell_type"].astype(str).to_numpy()) > 0.8
    found = lb.sc.report(a, {"rna": rna, "atac": atac}, batch="donor", labels="cell_type")
    assert found["batch_mixing"]["rna"]["mixing"] > 0.7 and found["modality_mixing"]["mixing"] > 0.3
    assert found["datasets"]["rna"]["counts_per_cell"] == np.median(np.asarray(X.sum(axis=1))) and found["label_transfer"] == {}
    with pytest.raises(lb.DataError, match='no dataset has the column "lane"'):
        lb.sc.align({"rna": rna, "atac": atac}, batch="lane")
    rna.obs["donor"] = rna.obs["donor"].where(np.arange(300) != 7)
    with pytest.raises(lb.DataError, match="row 7 has no batch"):
        lb.sc.align({"rna": rna, "atac": atac}, batch="donor")


def test_variable_genes_within_batches_are_those_of_scanpy():
    sc, ad = pytest.importorskip("scanpy"), pytest.importorskip("anndata")
    rng = np.random.default_rng(1)
    n, p = 300, 2600
    donor = rng.integers(2, size=n)
    rate = np.exp(rng.normal(0, 1.2, p) + 0.8 * rng.normal(size=(2, p))[donor] + rng.normal(size=(n, 3)) @ (0.5 * rng.normal(size=(3, p))))
    X = sparse.csr_matrix(rng.poisson(3000 * rate / rate.sum(axis=1, keepdims=True)).astype(np.float64))
    cells = ad.AnnData(X.copy())
    cells.obs["donor"] = np.array(["a", "b"])[donor]
    cells.obs["donor"] = cells.obs["donor"].astype("category")
    sc.pp.normalize_total(cells)
    sc.pp.log1p(cells)
    sc.pp.highly_variable_genes(cells, n_top_genes=2000, batch_key="donor")
    Y = rng.poisson(30, size=(n, 20)).astype(np.float64)
    table = lb.Table(X, None, [f"GENE{j}" for j in range(p)], batch=list(cells.obs["donor"]))
    a = lb.CCA(5).fit([table, lb.Table(Y, None, [f"CD{j}" for j in range(20)])], np.column_stack([np.arange(200)] * 2))
    used = np.abs(a.maps_[0]).max(axis=1) > 0
    assert np.array_equal(used, cells.var["highly_variable"].to_numpy())
    # They are others than those of all cells together.
    plain = lb.CCA(5).fit([lb.Table(X, None, table.columns), lb.Table(Y, None, [f"CD{j}" for j in range(20)])], np.column_stack([np.arange(200)] * 2))
    assert (used != (np.abs(plain.maps_[0]).max(axis=1) > 0)).any()


def test_files_have_a_batch_column(tmp_path):
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(2)
    latent = rng.normal(size=(120, 3))
    donor = np.array(["x", "y"])[rng.integers(2, size=120)]
    X = latent @ rng.normal(size=(3, 4)) + 9.0 * (donor == "y")[:, None]
    Y = latent @ rng.normal(size=(3, 5))
    table = pd.DataFrame(X, columns=list("abcd")).assign(donor=donor)
    table.to_csv(tmp_path / "one.csv", index=False)
    table.to_parquet(tmp_path / "one.parquet")
    quoted = table.assign(donor=["x, the first" if d == "x" else d for d in donor])
    quoted.to_csv(tmp_path / "quoted.csv", index=False)
    for name in ("one.csv", "one.parquet"):
        read = lb.read(tmp_path / name, batch_column="donor")
        assert read.batch == list(donor) and read.shape == (120, 4) and read.labels is None
        assert read[5:7].batch == list(donor[5:7])
    assert set(lb.read(tmp_path / "quoted.csv", batch_column="donor").batch) == {"x, the first", "y"}
    with pytest.raises(lb.LandbridgeError, match="lane"):
        lb.read(tmp_path / "one.csv", batch_column="lane")
    ad = pytest.importorskip("anndata")
    ad.AnnData(X, obs=pd.DataFrame({"donor": pd.Categorical(donor)}, index=[f"c{i}" for i in range(120)])).write_h5ad(tmp_path / "one.h5ad")
    assert lb.read(tmp_path / "one.h5ad", batch_column="donor").batch == list(donor)
    a = lb.CCA(3).fit([read, Y], np.column_stack([np.arange(80)] * 2))
    assert lb.metrics.batch_mixing(a.embeddings_[0], donor, k=10).mixing > 0.8
