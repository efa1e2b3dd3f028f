"""The classes are what the declarations in Rust say: names, defaults, words."""

import inspect
import json
import typing

import pytest

import landbridge as lb
from landbridge import _landbridge as core
from landbridge._alignment import _CLASSES
from landbridge._embeddings import _EMBEDDINGS

DECLARED = json.loads(core.declarations())
METHODS = {m["name"]: m for m in DECLARED["methods"]}
EMBEDDINGS = {m["name"]: m for m in DECLARED["embeddings"] if m["name"] != "none"}
PYTHON_ONLY = {"self", "verbose", "embedding_params"}


def test_every_method_has_a_class_and_every_class_a_method():
    assert {name: cls.__name__ for name, cls in _CLASSES.items()} == {n: m["class"] for n, m in METHODS.items()}
    assert {name: cls.__name__ for name, cls in _EMBEDDINGS.items()} == {n: m["class"] for n, m in EMBEDDINGS.items()}
    for cls in [*_CLASSES.values(), *_EMBEDDINGS.values()]:
        assert getattr(lb, cls.__name__) is cls and cls.__name__ in lb.__all__


@pytest.mark.parametrize("name", [*METHODS, *EMBEDDINGS])
def test_signatures_are_the_declarations(name):
    declared = {**METHODS, **EMBEDDINGS}[name]
    cls = {**_CLASSES, **_EMBEDDINGS}[name]
    signature = inspect.signature(cls.__init__).parameters
    assert set(signature) - PYTHON_ONLY == {p["name"] for p in declared["params"]}
    hints = typing.get_type_hints(cls.__init__)
    for p in declared["params"]:
        given = signature[p["name"]]
        if p["name"] == "n_jobs":
            continue
        if p["required"]:
            assert given.default is inspect.Parameter.empty
        else:
            assert given.default == ("auto" if p["auto"] and p["default"] is None else p["default"])
        words = {w for part in typing.get_args(hints[p["name"]]) or () for w in (typing.get_args(part) or [part])}
        assert {w["word"] for w in p["words"]} <= words
        assert p["doc"].split(".")[0][:20] in (cls.__doc__ or "")


def test_an_unknown_word_is_refused_with_the_known_ones():
    rolls = lb.datasets.swiss_rolls(60)
    with pytest.raises(lb.ParameterError, match='metric is .manhattan.; it must be one of "euclidean", "cosine"'):
        lb.InstanceAlignment(2, metric="manhattan").fit(rolls.datasets, rolls.pairs(20))


def test_dashes_and_underscores_are_one():
    rolls = lb.datasets.swiss_rolls(60)
    one = lb.CCA(2, prepare="center-unit").fit(rolls.datasets, rolls.pairs(20))
    other = lb.CCA(2, prepare="center_unit").fit(rolls.datasets, rolls.pairs(20))
    assert (one.embeddings_[0] == other.embeddings_[0]).all()
