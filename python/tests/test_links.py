"""Columns that are known to correspond."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import sparse

import landbridge as lb


def documents(seed: int = 0, n: int = 500, words: int = 300):
    """Short documents in two languages; word w of one is word turn[w] of the other. Rows of the second are shuffled."""
    rng = np.random.default_rng(seed)
    turn, order = rng.permutation(words), rng.permutation(n)
    X, Y = np.zeros((n, words)), np.zeros((n, words))
    for row in range(n):
        topic = rng.integers(15)
        said = np.where(rng.random(25) < 0.5, topic * 20 + rng.integers(20, size=25), rng.integers(words, size=25))
        np.add.at(X[row], said[rng.random(25) < 0.7], 1)
        np.add.at(Y[order[row]], turn[said[rng.random(25) < 0.7]], 1)
    return sparse.csr_array(X), sparse.csr_array(Y), turn, order


def recall(a, order) -> float:
    found, _ = a.match(how="csls")
    return float((found[:, 0] == order).mean())


def test_links_by_number_by_name_and_from_a_file_are_the_same(tmp_path):
    X, Y, turn, order = documents()
    numbers = [(w, int(turn[w])) for w in range(0, 300, 4)]
    a = lb.SelfTraining().fit([X, Y], links=numbers)
    assert a.outcome_.trusted and recall(a, order) > 0.8
    names = [f"w{j}" for j in range(300)], [f"v{j}" for j in range(300)]
    tables = {"en": lb.Table(X=X, columns=names[0]), "it": lb.Table(X=Y, columns=names[1])}
    named = lb.SelfTraining().fit(tables, links=[(f"w{i}", f"v{j}", 1.0) for i, j in numbers])
    np.testing.assert_array_equal(a.embeddings_[0], named.embeddings_[0])
    file = tmp_path / "links.csv"
    file.write_text("it,en\n" + "".join(f"v{j},w{i}\n" for i, j in numbers))
    read = lb.SelfTraining().fit(tables, links=file)
    np.testing.assert_array_equal(a.embeddings_[1], read.embeddings_[1])


def test_links_with_pairs_and_another_method():
    X, Y, turn, order = documents(1)
    pairs = np.column_stack([np.arange(20), order[:20]])
    links = [(w, int(turn[w])) for w in range(0, 300, 5)]
    a = lb.CCA(50).fit([X, Y], pairs, links=links)
    assert a.outcome_.trusted and recall(a, order) > 0.7
    assert a.transform(X[:3], 0).shape == (3, a.embeddings_[0].shape[1])


def test_columns_spelled_alike_and_proteins():
    X, Y, turn, order = documents(2)
    alike = [f"word{j}" for j in range(300)]
    other = [""] * 300
    for w in range(300):
        other[turn[w]] = alike[w].upper() if w % 3 == 0 else f"strange{w}"
    a = lb.SelfTraining().fit([lb.Table(X=X, columns=alike), lb.Table(X=Y, columns=other)], links="alike")
    assert recall(a, order) > 0.8
    rng = np.random.default_rng(0)
    rna = lb.Table(X=rng.random((40, 3)), columns=["hg19_CD3E", "hg19_CD19", "ACTB"])
    adt = lb.Table(X=rng.random((40, 2)), columns=["CD3", "CD19"])
    with pytest.warns(lb.AlignmentWarning, match="third moments of 40 rows"):
        a = lb.SelfTraining(max_runs=3).fit([rna, adt], links="names")
    assert not a.outcome_.trusted


def test_links_that_do_not_hold_are_told():
    X, Y, turn, order = documents(3)
    right = [(w, int(turn[w])) for w in range(0, 300, 4)]
    wrong = [(w, int(turn[(w + 151) % 300])) for w in range(1, 300, 20)]
    a = lb.SelfTraining().fit([X, Y], links=right + wrong)
    told = set(a.outcome_.suspect_links)
    assert a.outcome_.trusted and len(told & set(wrong)) >= 12 and len(told - set(wrong)) <= 3
    assert "suspect links" in repr(a.outcome_)


@pytest.mark.parametrize(
    ("links", "message"),
    [
        ([("nobody", "b0")], "nobody"),
        ([(0, 99)], "below 4"),
        ([(0,)], "perhaps with a weight"),
        ([(0, 1, -1.0)], "positive"),
        ([], "at least one link"),
        ("alike", "have none"),
        ("missing.csv", "missing.csv"),
    ],
)
def test_bad_links(links, message):
    rng = np.random.default_rng(0)
    tables = [lb.Table(X=rng.random((40, 4)), columns=[f"{s}{j}" for j in range(4)]) for s in "ab"]
    with pytest.raises((lb.LandbridgeError, OSError), match=message):
        lb.SelfTraining().fit(tables, links=links)


def test_intervals():
    genes = [("A", "chr1", 2000, 5000, "+"), ("B", "chr1", 9000, 9500, "-"), ("C", "chr2", 10, 20)]
    peaks = ["chr1:900-1100", "chr1_5100_5200", "chr1-9600-9700", "chr2:30-40", "chr3:1-2"]
    assert lb.links.from_intervals(peaks, genes, promoter=1000) == [
        ("A", "chr1:900-1100"),
        ("B", "chr1-9600-9700"),
        ("C", "chr2:30-40"),
    ]
    assert lb.links.from_intervals(peaks[:1], genes, peaks_first=True) == [("chr1:900-1100", "A")]
    with pytest.raises(lb.LandbridgeError, match="not an interval"):
        lb.links.from_intervals(["here"], genes)


def test_pairs_alone_are_fitted_where_links_lead_nowhere():
    rng = np.random.default_rng(5)
    cells = rng.normal(size=(300, 4))
    X, Y = (cells @ rng.normal(size=(4, p)) + 0.3 * rng.normal(size=(300, p)) for p in (30, 12))
    pairs = np.column_stack([np.arange(60)] * 2)
    links = [(int(i), int(j)) for i, j in zip(rng.permutation(30)[:10], rng.permutation(12))]
    rest = np.arange(60, 300)
    plain = lb.CCA(4).fit([X, Y], pairs)
    both = lb.CCA(4).fit([X, Y], pairs, links=links)
    score = [lb.metrics.foscttm(a.embeddings_[0][rest], a.embeddings_[1][rest]) for a in (plain, both)]
    assert score[1] <= score[0] + 0.01


def test_cells_take_links():
    ad = pytest.importorskip("anndata")
    X, Y, turn, order = documents(3)
    rna = ad.AnnData(X.toarray(), obs={"kind": ["a"] * 500})
    adt = ad.AnnData(Y.toarray())
    links = [(w, int(turn[w])) for w in range(0, 300, 4)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the counts look like
        a = lb.sc.align([rna, adt], pairs=None, links=links)
        b = lb.sc.align([rna, adt], pairs=None, links=links, method=lb.CCA(20), key_added="X_cca")
    assert isinstance(a, lb.SelfTraining) and a.outcome_.trusted and recall(a, order) > 0.8
    assert isinstance(b, lb.CCA) and b.outcome_.trusted
    np.testing.assert_array_equal(rna.obsm["X_landbridge"], a.embeddings_[0])
    assert adt.obsm["X_cca"].shape == (500, 20) and rna.uns["landbridge"]["trusted"]
