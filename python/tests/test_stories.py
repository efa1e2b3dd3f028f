"""The stories in docs/stories: every block runs, in order, in an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from test_doors import PROGRAM

STORIES = sorted((Path(__file__).parents[2] / "docs" / "stories").glob("*.md"))


@pytest.mark.skipif(PROGRAM is None, reason="the command line is not built")
@pytest.mark.filterwarnings("ignore::landbridge.AlignmentWarning")
@pytest.mark.parametrize("story", STORIES, ids=lambda p: p.stem)
def test_every_block_runs(story, tmp_path, monkeypatch):
    if story.stem == "cells":
        pytest.importorskip("anndata")
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "landbridge").symlink_to(Path(PROGRAM).resolve())
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    folders = [str(tmp_path / "bin"), str(Path(sys.executable).parent), os.environ["PATH"]]
    known: dict[str, object] = {}
    blocks = re.findall(r"```(python|sh)\n(.*?)```", story.read_text(), re.S)
    assert {kind for kind, _ in blocks} == {"python", "sh"}
    for kind, block in blocks:
        if kind == "python":
            exec(compile(block, f"{story.name}", "exec"), known)
        else:
            ran = subprocess.run(
                ["sh", "-e", "-c", block], env={**os.environ, "PATH": os.pathsep.join(folders)}, capture_output=True, text=True
            )
            assert ran.returncode == 0, f"{block}\n{ran.stdout}\n{ran.stderr}"
