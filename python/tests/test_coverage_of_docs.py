"""Everything that a user can name is documented: names of Python, their methods and parameters; options of the command line; pages of the site."""

from __future__ import annotations

import dataclasses
import inspect
import re
from pathlib import Path

import pytest

import landbridge as lb

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
MODULES = {"lb": lb} | {f"lb.{m}": getattr(lb, m) for m in ("control", "datasets", "geometry", "links", "metrics", "sc", "solve")}
#: Parameters that mean the same everywhere; the page of parameters has them.
EVERYWHERE = {"self", "cls", "n_jobs", "verbose", "random_state", "options", "params", "args", "kwargs"}
#: Results. Functions make them and users do not, so the parameters of their constructors need not be explained.
RESULTS = {"Comparison", "DiffusionWavelets", "Plan", "Quality", "Selection", "Statistics", "Synthetic", "TopicAlignment"}


def described(item: object) -> bool:
    """A sentence, or an example."""
    text = inspect.getdoc(item) or ""
    return ">>>" in text or len(text.split()) >= 3


def public():
    modules = dict(MODULES)
    try:
        modules["lb.dask"] = lb.dask
    except ImportError:
        pass
    for where, module in modules.items():
        for name in module.__all__:
            item = getattr(module, name) if name != "dask" else None
            if inspect.isclass(item) or callable(item):
                yield f"{where}.{name}", module, item


def members(cls: type):
    """Public methods and properties that landbridge defines, also in base classes."""
    for name in dir(cls):
        item = inspect.getattr_static(cls, name)
        function = item.fget if isinstance(item, property) else getattr(item, "__func__", item)
        if not name.startswith("_") and inspect.isfunction(function) and function.__module__.startswith("landbridge"):
            yield name, item if isinstance(item, property) else function


def test_every_public_name_and_method_has_a_sentence_or_an_example():
    missing = [name for name, _, item in public() if not described(item)]
    missing += [
        f"{name}.{member}" for name, _, cls in public() if inspect.isclass(cls) for member, item in members(cls) if not described(item)
    ]
    missing += [name for name, module in MODULES.items() if not described(module)]
    assert missing == []


def test_every_parameter_of_a_public_function_is_explained():
    missing = []
    for name, module, item in public():
        if not inspect.isfunction(item):
            continue
        missing += [f"{name}: {p}" for p in unexplained(item, item.__doc__ or "", module)]
    assert missing == []


def unexplained(function: object, text: str, *where: object) -> list[str]:
    """Parameters of which `text` says nothing. "see `lasso`" and "as in `compare`" send the reader on."""
    for other in re.findall(r"(?:see|as in|of|As) `(?:\w+\.)?(\w+)`", text):
        text += next((getattr(place, other).__doc__ or "" for place in (*where, lb) if hasattr(place, other)), "")
    known = set(re.findall(r"\w+", text)) | EVERYWHERE
    return [p for p in inspect.signature(function).parameters if p not in known and not p.startswith("_")]


def test_every_parameter_of_a_public_method_is_explained():
    missing = []
    for name, _, cls in public():
        for member, item in members(cls) if inspect.isclass(cls) else ():
            if isinstance(item, property):
                continue
            # What a base class says of the same method counts.
            own = [getattr(base, member).__doc__ or "" for base in cls.__mro__ if hasattr(base, member)]
            missing += [f"{name}.{member}: {p}" for p in unexplained(item, "\n".join(own), lb.Alignment, cls)]
    assert missing == []


def test_every_field_and_every_parameter_of_a_class_is_explained():
    missing = []
    for name, _, cls in public():
        if not inspect.isclass(cls) or issubclass(cls, BaseException):
            continue
        said = "\n".join(inspect.getdoc(base) or "" for base in cls.__mro__ if base.__module__.startswith("landbridge"))
        # Fields have a comment `#:` above them, which the site shows.
        lines = inspect.getsource(cls).splitlines()
        said += "\n".join(f" {line.split(':')[0].strip()} " for above, line in zip(lines, lines[1:]) if above.strip().startswith("#:"))
        known = set(re.findall(r"\w+", said)) | EVERYWHERE
        fields = [f for f in vars(cls).get("__annotations__", {}) if dataclasses.is_dataclass(cls) or issubclass(cls, tuple)]
        taken = list(inspect.signature(cls).parameters) if cls.__name__ not in RESULTS and not fields and makes(cls) else []
        missing += [f"{name}: {p}" for p in [*fields, *taken] if p not in known and not p.startswith("_")]
    assert missing == []


def makes(cls: type) -> bool:
    """Whether the class says in Python how it is made."""
    return inspect.isfunction(inspect.getattr_static(cls, "__init__"))


def test_every_page_is_in_the_navigation_and_every_entry_is_a_page():
    listed = set(re.findall(r"^ +- (?:[^:\n]+: )?([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M))
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    # What docs/site/hooks.py adds: files of the project and scripts.
    added = {f"examples/{path.stem}.md" for path in (ROOT / "examples").glob("*.py")} | {
        f"project/{name}.md" for name in ("ARCHITECTURE", "NOTATION", "CONTRIBUTING", "CHANGELOG")
    }
    added |= {"numbers/benchmarks-all.md", "numbers/benchmarks-how.md"}
    assert (pages | added) - listed == set(), "not in mkdocs.yml"
    assert listed - (pages | added) == set(), "in mkdocs.yml, but there is no such page"


def test_generated_parts_that_pages_ask_for_exist():
    declared = set(re.findall(r"^## (\w+)$", (DOCS / "parameters.md").read_text(encoding="utf-8"), re.M))
    asked = 0
    for page in DOCS.rglob("*.md"):
        for kind, what in re.findall(r"^<!-- (\w+)(?:: (\w+))? -->$", page.read_text(encoding="utf-8"), re.M):
            asked += 1
            assert kind in ("parameters", "commands", "benchmarks", "costs", "python"), f"{page}: {kind}"
            assert kind != "parameters" or what in declared, f"{page}: docs/parameters.md has no {what}"
    assert asked >= 10


def test_every_picture_is_used_and_is_small():
    text = "".join(path.read_text(encoding="utf-8") for path in [ROOT / "README.md", ROOT / "mkdocs.yml", *DOCS.rglob("*.md")])
    for picture in [*DOCS.glob("pictures/*.svg"), *DOCS.glob("*.svg"), *DOCS.glob("*.jpg")]:
        assert picture.name in text, f"{picture.name} is on no page"
        assert picture.stat().st_size < 250_000, f"{picture.name} is large"


def test_every_picture_has_a_recipe():
    recipe = (DOCS / "pictures" / "make.py").read_text(encoding="utf-8")
    for picture in DOCS.glob("pictures/*.svg"):
        assert f'"{picture.name}"' in recipe or f'("{picture.stem}", ' in recipe, f"docs/pictures/make.py does not make {picture.name}"


@pytest.mark.parametrize("page", sorted(DOCS.rglob("*.md")), ids=lambda p: p.relative_to(DOCS).as_posix())
def test_formulas_stand_on_lines_of_their_own(page):
    """The site and forges show `$$` blocks; within a line they would be shown as they are."""
    lines = page.read_text(encoding="utf-8").split("\n")
    assert [line for line in lines if "$$" in line and line != "$$"] == []
    assert sum(line == "$$" for line in lines) % 2 == 0
