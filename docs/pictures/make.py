"""Makes the pictures of the pages in this folder, from data that ship with landbridge: `python docs/pictures/make.py`.

The command line must be on the PATH, or LANDBRIDGE_CLI be its path. Pictures of fits come from `lb.plot`; the decision tree and the
icon are drawn here.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

import numpy as np

import landbridge as lb

HERE = Path(__file__).parent
PROGRAM = os.environ.get("LANDBRIDGE_CLI", "landbridge")


def passages(folder: Path) -> None:
    subprocess.run([PROGRAM, "demo", "passages", "--data", "passages", "-q"], cwd=folder, check=True, capture_output=True)
    data = {name: lb.read(folder / f"passages/{name}.mtx") for name in ("english", "german")}
    a = lb.SelfTraining().fit(data)
    lb.plot(a, data).save(HERE / "passages.svg")


def protein(folder: Path) -> None:
    subprocess.run([PROGRAM, "demo", "protein", "--data", "protein", "-q"], cwd=folder, check=True, capture_output=True)
    data = {name: lb.read(folder / f"protein/{name}.csv", label_column="label") for name in ("model_1", "model_10")}
    a = lb.ProcrustesAlignment(embedding=None).fit(data, folder / "protein/pairs.csv")
    lb.plot(a, data).save(HERE / "protein.svg")


def rolls(_: Path) -> None:
    """The same sheets by methods that differ in what they keep."""
    for name, method in (
        ("joint", lb.InstanceAlignment(2)),
        ("global", lb.GlobalAlignment(2, level="instance", n_neighbors=6)),
        ("two-step", lb.AffineAlignment(2, embedding="isomap", n_neighbors=6)),
        ("cross-system", lb.CLLE(2)),
    ):
        sheet = lb.datasets.swiss_rolls(400 if name == "global" else 250)  # of fewer points, the graph takes shortcuts
        data = {"roll": sheet.datasets[0], "S": sheet.datasets[1]}
        lb.plot(method.fit(data, sheet.pairs(30)), data).save(HERE / f"{name}.svg")


def sparse(_: Path) -> None:
    documents = lb.datasets.bilingual_documents(400, length=600)
    method = lb.SparseAlignment(20, metric="cosine", prepare="log_tfidf", mu=3)
    path = lb.sparse_path(method, documents.datasets, documents.pairs(200), alphas=[0.2, 0.1, 0.05, 0.02, 0.01])
    path.plot(str(HERE / "sparse.svg"))


def topics(_: Path) -> None:
    rng = np.random.default_rng(0)
    words = [f"{s}{i}" for s in ("brain", "markets", "planets", "cooking", "football", "music", "law", "gardens") for i in range(12)]
    about = np.kron(np.eye(8), np.ones(12)) * rng.gamma(0.5, size=(8, 96))
    mixtures = rng.dirichlet(np.full(8, 0.15), 600)
    counts = rng.poisson(120 * mixtures @ (about / about.sum(axis=1, keepdims=True) + 1e-3 / 96)).astype(float)
    lsi = lb.LSI(12, prepare=None).fit(counts).components_
    mixed = rng.random((8, 8)) ** 4 @ about
    pairs = np.column_stack([np.arange(120)] * 2)
    found = lb.align_topics({"LSI": counts @ lsi.T, "mixed": counts @ mixed.T}, [lsi, mixed], words, pairs, metric="cosine", precision=1e-3)
    found.tree(HERE / "topics.svg")


#: The decision tree: a question, and for each answer what to use or the next question.
TREE = [
    ("Are rows known that correspond?", [
        ("none", [
            ("columns that correspond", "fit(…, links=…)"),
            ("shapes, molecules", "ProcrustesAlignment, infer_pairs"),
            ("the same kind of objects", "SelfTraining"),
            ("cells", 'infer_pairs(how="transport")'),
        ]),
        ("a few, up to fifty", [
            ("many more rows without a pair", "SelfTraining"),
            ("vectors of two embedding models", "bridge"),
            ("curved sheets, shapes", "InstanceAlignment"),
        ]),
        ("many", [
            ("map new rows, search", "LinearAlignment, CCA"),
            ("predict missing values, ratings", "CLLE"),
            ("distances must keep their meaning", "GlobalAlignment"),
            ("maps that people read", "SparseAlignment"),
            ("topics, several scales", "MultiscaleAlignment"),
        ]),
    ]),
]  # fmt: skip


def tree(_: Path) -> None:
    """Boxes from left to right; the text takes the colour of the page."""
    question, branches = TREE[0]
    parts, y, line = [], 20, 34
    middles = []
    for answer, leaves in branches:
        top = y
        for what, use in leaves:
            parts.append(f'<text x="400" y="{y + 15}" class="w">{escape(what)}</text>')
            parts.append(f'<rect x="690" y="{y - 4}" width="300" height="28" rx="6" class="b"/><text x="704" y="{y + 15}" class="c">{escape(use)}</text>')
            y += line
        middle = (top + y - line) / 2 + 10
        middles.append(middle)
        for i in range(len(leaves)):
            end = top + i * line + 10
            parts.insert(0, f'<path d="M350 {middle} C375 {middle} 370 {end} 392 {end}"/>')
            parts.insert(0, f'<path d="M662 {end} H690"/>')
        parts.append(f'<rect x="215" y="{middle - 15}" width="135" height="30" rx="15" class="q"/>')
        parts.append(f'<text x="282" y="{middle + 5}" text-anchor="middle" class="w">{escape(answer)}</text>')
        y += 22
    start = (middles[0] + middles[-1]) / 2
    for middle in middles:
        parts.insert(0, f'<path d="M180 {start} C200 {start} 195 {middle} 215 {middle}"/>')
    parts.append(f'<rect x="8" y="{start - 27}" width="172" height="54" rx="8" class="q"/>')
    for k, words in enumerate(("Are rows known", "that correspond?")):
        parts.append(f'<text x="94" y="{start - 5 + 19 * k}" text-anchor="middle" class="w">{words}</text>')
    assert question == "Are rows known that correspond?"
    style = (
        "text{font:14px system-ui,sans-serif;fill:#1c2b2a}.c{font:13px ui-monospace,monospace;fill:#00443f}"
        "path{fill:none;stroke:#5a7d7a;stroke-width:1.5}.b{fill:#d5efec;stroke:#00796b}.q{fill:#eef3f3;stroke:#5a7d7a}"
    )
    (HERE / "tree.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 {y}" role="img"><title>Which method</title><style>{style}</style>'
        f'<rect width="1000" height="{y}" fill="#fff"/>{"".join(parts)}</svg>\n',
        encoding="utf-8",
    )


def icon(_: Path) -> None:
    (HERE / "icon.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#00796b"/>'
        '<path d="M3 21h26M6 21v-7M26 21v-7M6 14c4 6 16 6 20 0M11 18v3M16 18.5v2.5M21 18v3" fill="none" stroke="#fff" stroke-width="2"/></svg>\n',
        encoding="utf-8",
    )


PICTURES = [passages, protein, rolls, sparse, topics, tree, icon]

if __name__ == "__main__":
    wanted = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for picture in PICTURES:
            if not wanted or picture.__name__ in wanted:
                picture(Path(folder))
