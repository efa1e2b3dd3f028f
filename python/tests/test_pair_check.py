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
