"""What programs rely on: every public name of the package, in api/python.txt. A test fails when they change and the list does not."""

from __future__ import annotations

import inspect
import os
from pathlib import Path

import pytest

import landbridge as lb

LIST = Path(__file__).parents[2] / "api" / "python.txt"
HEAD = "# Public names of the Python package. `cargo xtask api` writes this file; VERSIONING.md says what may change."


def parameters(function) -> str:
    """The parameters as a caller sees them: names, order, defaults. Annotations are left out: mypy looks after them."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return "(...)"
    plain = [p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()]
    return str(inspect.Signature(plain))


def members(cls: type) -> list[tuple[str, object]]:
    """Public members that our classes define. Those of scikit-learn are not ours to promise; those of a public base are listed there."""
    found: dict[str, object] = {}
    for base in reversed(cls.__mro__):
        own = base.__module__.split(".")[0] == "landbridge"
        if not own or any(issubclass(other, base) for other in public_bases(cls)):
            continue
        names = {**dict.fromkeys(getattr(base, "__annotations__", {})), **vars(base)}
        found.update({name: item for name, item in names.items() if not name.startswith("_") and not name.endswith("_request")})
    return sorted(found.items())


def public_bases(cls: type) -> list[type]:
    return [base for base in cls.__mro__[1:] if base.__name__ in lb.__all__ and base.__module__.startswith("landbridge")]


def describe(path: str, item: object) -> list[str]:
    if inspect.isclass(item):
        bases = ", ".join(b.__name__ for b in item.__mro__[1:] if issubclass(b, BaseException) or b in public_bases(item))
        # How an exception is made is not for callers.
        lines = [f"class {path}{'' if issubclass(item, BaseException) else parameters(item)}{' is ' + bases if bases else ''}"]
        for name, member in members(item):
            if isinstance(member, (staticmethod, classmethod)):
                member = member.__func__
            lines.append(f"    {path}.{name}{parameters(member) if inspect.isfunction(member) else ''}")
        return lines
    if callable(item):
        return [f"def {path}{parameters(item)}"]
    if inspect.ismodule(item):
        lines = [f"module {path}"]
        for name in sorted(getattr(item, "__all__", [])):
            lines += describe(f"{path}.{name}", getattr(item, name))
        return lines
    return [f"value {path}"]


def test_public_names_are_those_of_the_list():
    pytest.importorskip("dask", reason="the names of landbridge.dask need Dask")
    pytest.importorskip("sklearn", reason="with scikit-learn, estimators have its base class")
    lines = [HEAD]
    for name in sorted(lb.__all__):
        lines += describe(f"landbridge.{name}", getattr(lb, name))
    assert len(lines) > 300, "the walk does not find the names any more"
    found = "\n".join(lines) + "\n"
    assert " at 0x" not in found, "a default has no stable text"
    if os.environ.get("LANDBRIDGE_WRITE_API"):
        LIST.write_text(found, encoding="utf-8")
    listed = LIST.read_text(encoding="utf-8").splitlines()
    gone = [line for line in listed if line not in set(lines)]
    new = [line for line in lines if line not in set(listed)]
    assert listed == lines, f"api/python.txt does not list the package as it is. Gone: {gone}. New: {new}. If you mean it: cargo xtask api"


def test_every_module_lists_its_names():
    """A module without `__all__` would hide its names from the list."""
    for name in lb.__all__:
        item = getattr(lb, name)
        if inspect.ismodule(item):
            assert item.__all__, name
