"""Examples in the documentation and in examples/ run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import runpy
from pathlib import Path

import pytest

import landbridge as lb

MODULES = ["landbridge"] + [f"landbridge.{m.name}" for m in pkgutil.iter_modules(lb.__path__)]
EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name):
    failed, _ = doctest.testmod(importlib.import_module(name))
    assert failed == 0


def test_every_public_name_is_documented_and_some_have_examples():
    attempted = 0
    for name in lb.__all__:
        item = getattr(lb, name)
        if not isinstance(item, str):
            assert item.__doc__, name
    for module in (lb.control, lb.datasets, lb.geometry, lb.metrics):
        assert all(getattr(module, name).__doc__ for name in module.__all__)
    finder = doctest.DocTestFinder()
    for name in MODULES:
        attempted += sum(len(found.examples) for found in finder.find(importlib.import_module(name)))
    assert attempted >= 30


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.name)
def test_example_scripts(path, capsys):
    runpy.run_path(str(path), run_name="__main__")
    assert any(c.isdigit() for c in capsys.readouterr().out)
