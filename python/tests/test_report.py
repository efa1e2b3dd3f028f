"""Pages about an alignment: report, show, and the summary in notebooks."""

from __future__ import annotations

import base64
import html
import json
import re
import zlib
from pathlib import Path
from typing import Any

import landbridge as lb
import numpy as np
import pytest


def fitted(**options: Any) -> tuple[Any, Any]:
    rolls = lb.datasets.swiss_rolls(120)
    return lb.InstanceAlignment(4, **options).fit(rolls.datasets, rolls.pairs(20)), rolls


def part(page: str, name: str) -> bytes:
    found = re.search(f'id="part-{name}">([^<]*)<', page)
    assert found, name
    return zlib.decompress(base64.b64decode(found[1]))


def manifest(page: str) -> Any:
    return json.loads(part(page, "manifest"))


def test_a_page_has_the_scores_of_evaluate(tmp_path: Path) -> None:
    a, rolls = fitted()
    truth = rolls.truth
    a.report(tmp_path / "r.html", truth=truth, title="Two rolls")
    about = manifest((tmp_path / "r.html").read_text(encoding="utf-8"))
    assert about["title"] == "Two rolls"
    curve = about["diagnosis"]["recall"][0]
    scores = a.evaluate(truth, k=1)["pairs"][0]["scores"]
    expected = next(s for s in scores if s["score"] == "recall" and s["k"] == 1)
    assert curve["held_out"] and curve["share"][0] == pytest.approx(expected["held_out"])
    assert about["diagnosis"]["command"].startswith("lb.InstanceAlignment(n_components=4)")
    assert about["before"][0] is not None  # this method keeps its rows


def test_values_texts_and_data_reach_the_page(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 30))
    a = lb.LinearAlignment(3).fit([X, X + 0.01], np.c_[np.arange(30), np.arange(30)])
    ages = [np.arange(60), [None] * 30 + [1.5] * 30]
    kinds = [["a", None, float("nan")] * 20, None]
    texts = [[f"<b>text {i}</b>" for i in range(60)], None]
    a.report(tmp_path / "r.html", datasets=[X, X], values={"age": ages, "kind": kinds}, texts=texts, features=[7], check_pairs=True)
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    about = manifest(page)
    names = [n["name"] for n in about["numbers"]]
    assert "age" in names and "0: feature 7" in names
    assert [w["name"] for w in about["words"]] == ["kind"] and about["words"][0]["count"] == 1
    assert json.loads(part(page, "texts-0"))[3] == "<b>text 3</b>" and "<b>text" not in page
    assert about["diagnosis"]["suspects"]["by"] == "check_pairs"
    assert about["features"][0]["k"] == 8


def test_mistakes_are_refused(tmp_path: Path) -> None:
    a, rolls = fitted()
    path = tmp_path / "r.html"
    with pytest.raises(lb.ParameterError, match=r"\.html"):
        a.report(tmp_path / "r.pdf")
    with pytest.raises(lb.ParameterError, match="one entry per dataset"):
        a.report(path, values={"age": [[1.0] * 120]})
    with pytest.raises(lb.LandbridgeError, match="age"):
        a.report(path, values={"age": [[1.0] * 3, None]})
    with pytest.raises(lb.ParameterError, match="check_pairs"):
        a.report(path, check_pairs=True)
    with pytest.raises(lb.ParameterError, match="list of names"):
        a.report(path, features="x")
    with pytest.raises(lb.ParameterError, match="no option 'heigth'"):
        a.show(heigth=3)
    with pytest.raises(lb.NotFittedError):
        lb.InstanceAlignment(4).report(path)
    with pytest.raises(lb.LandbridgeError, match="rows"):
        a.report(path, datasets=[rolls.datasets[0][:50], rolls.datasets[1]])
    assert not path.exists()


def test_notebooks_show_a_summary_and_a_frame() -> None:
    a, _ = fitted()
    summary = a._repr_html_()
    assert "<svg" in summary and "<script" not in summary and "20 pairs given" in summary
    assert set(a._repr_mimebundle_(include=None, exclude=None)) == {"text/plain", "text/html"}
    assert set(lb.InstanceAlignment(4)._repr_mimebundle_()) == {"text/plain"}
    frame = a.show(height=500, title="A frame")
    text = frame._repr_html_()
    assert 'sandbox="allow-scripts allow-downloads"' in text and "height:500px" in text
    page = html.unescape(text.split('srcdoc="')[1].rsplit('"></iframe>')[0])
    assert manifest(page)["title"] == "A frame"
    assert "notebook" in repr(frame)


def test_a_model_without_rows_and_one_from_a_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 5))
    a = lb.LinearAlignment(2).fit({"left": X, "right": X}, np.c_[np.arange(20), np.arange(20)])
    a.save(tmp_path / "m.lb", rows=False)
    bare = lb.load(tmp_path / "m.lb")
    bare.report(tmp_path / "r.html")
    about = manifest((tmp_path / "r.html").read_text(encoding="utf-8"))
    assert about["views"] == [] and "without its fitted rows" in about["notes"][0]
    assert "no fitted rows" in bare._repr_html_()
