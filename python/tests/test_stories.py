"""The stories in docs/stories: every block runs, in order, in an empty folder, and prints what the page shows."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import pages
from test_doors import PROGRAM

STORIES = sorted((Path(__file__).parents[2] / "docs" / "stories").glob("*.md"))


@pytest.mark.skipif(PROGRAM is None, reason="the command line is not built")
@pytest.mark.filterwarnings("ignore::landbridge.AlignmentWarning")
@pytest.mark.parametrize("story", [s for s in STORIES if s.stem != "index"], ids=lambda p: p.stem)
def test_every_block_runs(story, tmp_path, monkeypatch):
    if story.stem == "cells":
        pytest.importorskip("anndata")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "landbridge").symlink_to(Path(PROGRAM).resolve())
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    monkeypatch.setenv("PATH", os.pathsep.join([str(tmp_path / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]))
    assert any(block.language == "python" for block in pages.blocks(story.read_text(encoding="utf-8")))
    pages.run(story)


def test_every_story_is_in_the_list_of_stories():
    listed = (STORIES[0].parent / "index.md").read_text(encoding="utf-8")
    assert [s.name for s in STORIES if s.stem != "index" and f"({s.name})" not in listed] == []


def test_what_a_page_shows_is_compared_with_what_was_printed():
    assert pages.same("a  \n", "a\n") and not pages.same("a\n", "b\n")
    assert pages.same("took … s\n", "took 3 s\n") and not pages.same("took … s\n", "took 3 s\nmore\n")
    assert pages.same("first\n…\nlast\n", "first\n1\n2\nlast\n") and not pages.same("a.c\n", "abc\n")


def test_a_page_that_shows_something_else_fails(tmp_path, monkeypatch):
    monkeypatch.delenv("LANDBRIDGE_FILL", raising=False)
    page = tmp_path / "page.md"
    page.write_text("```python\nprint(1)\n```\n```text prints\n2\n```\n")
    with pytest.raises(AssertionError, match="says\n2\n\nand the code prints\n1"):
        pages.run(page)
