"""README.md and docs/*.md do what they say: every block runs, in the order of its page, and every link leads to a file.

The language of a block decides: `python` blocks of a page share one namespace, `sh` blocks run in the same folder, which holds
small made-up files. `text` blocks do not run; a word after `text` says why. The Rust block of README.md is compiled by
crates/landbridge/tests/readme.rs.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy import io, sparse

import landbridge as lb
from pages import LINK, Block, anchors, blocks, prose, run

#: That pairs come from names of cells is always told; the pages mean it.
# What is told wherever it happens: names make pairs, counts of cells are recognised.
pytestmark = pytest.mark.filterwarnings("ignore:.*pairs came from equal names", "ignore:.*; prepared by", "ignore:do not trust yet")

ROOT = Path(__file__).parents[2]
#: The stories run in a folder of their own: test_stories.py.
PAGES = [ROOT / "README.md", *sorted(p for p in (ROOT / "docs").rglob("*.md") if p.parent.name != "stories")]
STORIES = sorted((ROOT / "docs" / "stories").glob("*.md"))
OTHERS = [ROOT / name for name in ("NOTATION.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "benchmarks/README.md", "fuzz/README.md")]
BUILT = ROOT / "target" / "release" / "landbridge"
PROGRAM = os.environ.get("LANDBRIDGE_CLI") or (str(BUILT) if BUILT.is_file() else shutil.which("landbridge"))

BY_NAMES = "pairs came from equal names"  # told as a warning wherever names make pairs


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def write_text(folder: Path, rng: np.random.Generator, n: int) -> None:
    """The same made-up documents in English and Italian, a line each: two subjects and some everyday words per document."""
    subjects = [
        ("price bread market shop money cheap", "prezzo pane mercato negozio soldi economico"),
        ("sea ship harbour wind sail captain", "mare nave porto vento vela capitano"),
        ("school teacher book lesson pupil chalk", "scuola maestro libro lezione allievo gesso"),
        ("doctor hospital nurse patient cure fever", "medico ospedale infermiera paziente cura febbre"),
        ("train station rail ticket driver tunnel", "treno stazione binario biglietto macchinista galleria"),
        ("garden rose tree soil seed spring", "giardino rosa albero terra seme primavera"),
        ("court judge law witness trial verdict", "tribunale giudice legge testimone processo sentenza"),
        ("music violin song choir piano concert", "musica violino canzone coro pianoforte concerto"),
    ]
    everyday = ("the of and in with", "il di e in con")
    english, italian = [], []
    for _ in range(n):
        chosen = rng.choice(len(subjects), size=2, replace=False)
        words = [(s, w) for s in chosen for w in rng.choice(6, size=rng.integers(4, 9))]
        common = rng.integers(5, size=6)
        for side, lines in ((0, english), (1, italian)):
            told = [subjects[s][side].split()[w] for s, w in words] + [everyday[side].split()[c] for c in common]
            lines.append(" ".join(told))
    (folder / "en.txt").write_text("\n".join(english) + "\n")
    (folder / "it.txt").write_text("\n".join(italian) + "\n")


def write_ratings(folder: Path, rng: np.random.Generator) -> None:
    """Lines of user, item, rating: 80 users of books.csv, 60 of them in films.csv, 10 newcomers in new.csv."""
    taste, books, films = rng.normal(size=(90, 2)), rng.normal(size=(2, 20)), rng.normal(size=(2, 15))
    for file, users, items, goods in (
        ("books.csv", range(80), "book", books),
        ("films.csv", range(60), "film", films),
        ("new.csv", range(80, 90), "book", books),
    ):
        stars = np.clip(np.round(3 + taste @ goods), 1, 5)
        known = rng.random(stars.shape) < 0.6
        known[:, 0] = known[0] = True
        lines = [f"user{u},{items}{i},{stars[u, i]:.0f}" for u in users for i in range(goods.shape[1]) if known[u, i]]
        (folder / file).write_text("user,item,rating\n" + "\n".join(lines) + "\n")


def write_cells(folder: Path) -> None:
    """150 cells measured twice, 60 of them under the same name: rna.h5ad, atac.h5ad, both in cells.h5mu; truth.csv.

    rna.npy and atac.npy: other cells, on a trajectory that branches, for pairs inferred from the shape.
    """
    ad, md, pd = (pytest.importorskip(module) for module in ("anndata", "mudata", "pandas"))
    sheet = lb.datasets.swiss_rolls(150, random_state=0)
    stage = np.where(sheet.latent[:, 0] < np.median(sheet.latent[:, 0]), "early", "late")
    names = {kind: [f"cell{i}" if i < 60 else f"{kind}{i}" for i in range(150)] for kind in ("rna", "atac")}
    cells = {}
    for kind, rows in zip(names, sheet.datasets):
        obs = pd.DataFrame({"cell_type": pd.Categorical(stage)}, index=names[kind])
        cells[kind] = ad.AnnData(rows, obs=obs, obsm={"X_pca": lb.PCA(3).fit_transform(rows)})
        cells[kind].write_h5ad(folder / f"{kind}.h5ad")
    for kind, rows in zip(names, lb.datasets.branching_trees(150, random_state=0).datasets):
        np.save(folder / f"{kind}.npy", rows / np.linalg.norm(rows, axis=1, keepdims=True))
    md.MuData(cells).write_h5mu(folder / "cells.h5mu")
    (folder / "truth.csv").write_text("rna,atac\n" + "".join(f"{a},{b}\n" for a, b in zip(*names.values())))


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    """Files of the names that the pages use. `en` and `it` have the same row numbers in every format."""
    folder = tmp_path_factory.mktemp("samples")
    rng = np.random.default_rng(0)
    write_text(folder, rng, 120)
    write_ratings(folder, rng)
    documents = lb.datasets.bilingual_documents(300, topics=30, length=300, vocabulary=(300, 250), prevalence=1.0)
    rolls = lb.datasets.swiss_rolls(120, random_state=0)
    for language, counts, rows in zip(("en", "it"), documents.datasets, rolls.datasets):
        io.mmwrite(folder / f"{language}.mtx", sparse.csr_matrix(counts))
        np.save(folder / f"{language}.npy", np.hstack([rows, np.sin(rows), np.cos(rows)]))
    (folder / "pairs.csv").write_text("en,it\n" + "".join(f"{i},{i}\n" for i in range(60)))
    (folder / "truth.csv").write_text("en,it\n" + "".join(f"{i},{i}\n" for i in range(120)))
    return folder


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """PATH with `landbridge` in its first folder."""
    if PROGRAM is None:
        pytest.skip("the command line is not built")
    folder = tmp_path_factory.mktemp("bin")
    (folder / "landbridge").symlink_to(Path(PROGRAM).resolve())
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


@pytest.mark.filterwarnings(f"ignore:.*{BY_NAMES}")
@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_block_runs(page, samples, path, tmp_path, monkeypatch):
    shutil.copytree(samples, tmp_path, dirs_exist_ok=True)
    if page.name == "single-cell.md":
        write_cells(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", path)

    def announced(block: Block, done: subprocess.CompletedProcess[str]) -> None:
        """A reader who follows the page sees no warning that the block does not announce."""
        warns = any("warning:" in line and BY_NAMES not in line for line in done.stderr.splitlines())
        assert warns == ("# warns" in block.text), f"{name(page)}, block of line {block.line}:\n{done.stderr}"

    run(page, announced)


@pytest.mark.parametrize("page", PAGES + STORIES + OTHERS, ids=name)
def test_every_block_has_a_language_and_a_reason_not_to_run(page):
    # CONTRIBUTING.md shows pieces of source; in the pages that users read, Rust is what tests/readme.rs compiles.
    known = {"python", "sh", "text"} | ({"rust"} if name(page) in ("README.md", "CONTRIBUTING.md") else set())
    for block in blocks(page.read_text(encoding="utf-8")):
        where = f"{name(page)}, block of line {block.line}"
        assert block.language in known, f"{where}: the language is {block.language!r}; it must be one of {sorted(known)}"
        if block.language == "text":
            assert block.reason, f"{where}: say why it does not run, after the word text"


@pytest.mark.parametrize("page", PAGES + STORIES + OTHERS, ids=name)
def test_every_relative_link_leads_to_a_file_and_a_heading(page):
    for target in LINK.findall(prose(page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", target) is not None:
            continue
        file, _, anchor = target.partition("#")
        goal = page.parent / file if file else page
        assert goal.exists(), f"{name(page)}: {target} does not exist"
        if anchor:
            assert anchor in anchors(goal.read_text(encoding="utf-8")), f"{name(page)}: {target}: there is no such heading"


def test_blocks_are_told_apart():
    page = "a\n```sh\nls\n```\n- b\n\n  ```text it installs\n  pip install .\n  ```\n```\nbare\n```\n"
    found = [(b.line, b.language, b.reason, b.text) for b in blocks(page)]
    assert found == [(2, "sh", "", "ls\n"), (7, "text", "it installs", "pip install .\n"), (10, "", "", "bare\n")]
    assert LINK.findall(prose("[a](b.md) `[c](d.md)` ![e](f.svg)")) == ["b.md", "f.svg"]
    assert anchors("# A, b\n## `c_d`: [é](f)!\n```sh\n# g\n```\n") == {"a-b", "c_d-é"}
    with pytest.raises(AssertionError, match="line 1: the block has no end"):
        blocks("```sh\nls\n")
