"""Wrong pairs are found, right ones left alone, and nothing is told where nothing can be."""

import numpy as np
import pytest

import landbridge as lb


def test_mixed_up_documents_are_found_by_any_base():
    copies = lb.datasets.lifted_copies(300, random_state=1)
    pairs = copies.pairs(120)
    wrong = np.arange(5, 120, 24)
    pairs[wrong, 1] = np.roll(pairs[wrong, 1], 1)
    for base in (None, lb.LinearAlignment(8)):
        found = lb.check_pairs(copies.datasets, pairs, base=base)
        assert found.can_tell and found.misfit.shape == found.confidence.shape == (120,)
        assert len(set(found.suspect) & set(wrong)) >= 4 and len(set(found.suspect) - set(wrong)) <= 3, str(base)
        assert "look wrong" in str(found)
    paired = {(a, int(i)) for a in (0, 1) for i in pairs[:, a]}
    assert len(found.next_rows) == 5 and not paired & set(found.next_rows)


def test_unrelated_datasets_are_not_judged():
    rng = np.random.default_rng(0)
    found = lb.check_pairs([rng.normal(size=(80, 9)), rng.normal(size=(80, 12))], np.c_[np.arange(50), np.arange(50)])
    assert not found.can_tell and len(found.suspect) == 0 and found.verdict.startswith("cannot tell")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"pairs": [[0, 0], [1, 1]]}, "at least 10"),
        ({"pairs": None}, "no pairs were given"),
        ({"folds": 1}, "folds is 1"),
        ({"base": "cca"}, "base is 'cca'"),
    ],
)
def test_bad_input_is_refused_in_words(change, words):
    copies = lb.datasets.rotated_copies(50)
    arguments = {"pairs": copies.pairs(20)} | change
    with pytest.raises(lb.LandbridgeError, match=words):
        lb.check_pairs(copies.datasets, arguments.pop("pairs"), **arguments)


def test_replicates_are_held_out_together():
    rng = np.random.default_rng(3)
    truth = np.repeat(rng.normal(size=(40, 5)), 5, axis=0)
    X, Y = (truth @ rng.normal(size=(5, p)) + 0.1 * rng.normal(size=(200, p)) for p in (30, 40))
    sample, rows = np.repeat(np.arange(40), 5), np.arange(200)
    right, mixed = np.column_stack([rows, rows]), np.column_stack([rows, rng.permutation(40)[sample] * 5 + rows % 5])
    method = lb.InstanceAlignment(5)
    found = lb.trust(method, [X, Y], right)
    assert found.trusted and found.groups == 40 and "200 pairs held out in 40 groups that belong together" in found.verdict
    assert not lb.trust(method, [X, Y], mixed).trusted
    with pytest.warns(lb.AlignmentWarning, match="do not trust"):
        assert lb.align([X, Y], mixed).selection_.trusted is False
    # Told by hand; labels of any type.
    told = lb.trust(method, [X, Y], mixed, groups=[[f"s{s}" for s in sample], [f"t{s}" for s in sample]])
    assert told.groups == 40 and not told.trusted
    # Every row by itself, as if nothing were known of replicates: each wrong pair has copies in the fit.
    assert lb.trust(method, [X, Y], mixed, groups=[rows, rows + 200]).trusted
    with pytest.raises(lb.LandbridgeError, match="200, 200"):
        lb.trust(method, [X, Y], right, groups=[sample[:5], sample])
    with pytest.raises(lb.ParameterError, match="groups has 1 entries"):
        lb.trust(method, [X, Y], right, groups=[sample])
