"""Pages about an alignment: written to a file, or shown in a notebook."""

from __future__ import annotations

import html
import os
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _data
from . import _landbridge as _core
from ._base import threads, whole
from ._errors import ParameterError

if TYPE_CHECKING:
    from ._alignment import Alignment


class Frame:
    """A page in a frame; a notebook displays it."""

    def __init__(self, page: str, height: int) -> None:
        self._page, self._height = page, height

    def _repr_html_(self) -> str:
        # The frame runs its own script and may offer a download. It has no origin: it reaches neither the notebook nor a network.
        return (
            f'<iframe sandbox="allow-scripts allow-downloads" style="width:100%;height:{self._height}px;border:0" '
            f'title="alignment" srcdoc="{html.escape(self._page)}"></iframe>'
        )

    def __repr__(self) -> str:
        return "a page for notebooks; report(path) writes it to a file"


def write(estimator: Alignment, path: str | os.PathLike[str], *given: Any) -> None:
    name = os.fspath(path)
    if not name.lower().endswith((".html", ".htm")):
        raise ParameterError(f"path is {name!r}; pages are written as .html")
    _core.write_text(name, _page(estimator, *given))


def frame(estimator: Alignment, height: int, options: dict[str, Any]) -> Frame:
    known = ("datasets", "truth", "texts", "values", "features", "check_pairs", "title", "max_points")
    unknown = [name for name in options if name not in known]
    if unknown:
        raise ParameterError(f"show has no option {unknown[0]!r}; it has height, {', '.join(known)}")
    defaults: dict[str, Any] = {"features": (), "check_pairs": False, "max_points": 100_000}
    given: list[Any] = [options.get(name, defaults.get(name)) for name in known]
    return Frame(_page(estimator, *given), height)


def summary(estimator: Alignment) -> str:
    return _core.summary_html(estimator._fitted("summarise"), threads(estimator.n_jobs))


def _page(
    estimator: Alignment,
    datasets: Any,
    truth: Any,
    texts: Any,
    values: dict[str, Any] | None,
    features: Any,
    check_pairs: bool,
    title: str | None,
    max_points: int,
) -> str:
    model = estimator._fitted("report")
    names = estimator.names_
    if check_pairs and datasets is None:
        raise ParameterError("check_pairs needs the data of the fit; give them as datasets=")
    if isinstance(features, str):
        raise ParameterError(f"features is {features!r}; it must be a list of names or column numbers")
    rows = None if datasets is None else _data.datasets(estimator._seen(datasets))
    pairs = None if truth is None else _data.pairs(truth, estimator._stand_ins(model))
    columns = {name: _sides(f"values[{name!r}]", sides, len(names)) for name, sides in (values or {}).items()}
    options = {
        "texts": [(a, [_word(t) for t in side]) for a, side in _sides("texts", texts, len(names))],
        "values": [(str(name), a, column) for name, sides in columns.items() for a, column in _columns(name, sides)],
        "features": [str(feature) for feature in features],
        "title": None if title is None else str(title),
        "command": f"lb.{estimator!r}",
        "check_pairs": bool(check_pairs),
        "max_points": whole("max_points", max_points, 1),
        "n_jobs": threads(estimator.n_jobs),
        "verbose": estimator._is_verbose(),
    }
    page, _ = _core.report(model, rows, estimator._stand_ins(model), pairs, options)
    return page


def _sides(name: str, given: Any, count: int) -> list[tuple[int, list[Any]]]:
    """The values of each dataset that has some."""
    if given is None:
        return []
    if isinstance(given, (str, bytes)) or len(given) != count:
        raise ParameterError(f"{name} must be a list with one entry per dataset ({count}); None for a dataset without")
    return [(a, list(side)) for a, side in enumerate(given) if side is not None]


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, (bool, np.bool_))


def _word(value: Any) -> str:
    """Text; missing values have none."""
    return "" if value is None or (isinstance(value, float) and value != value) else str(value)


def _columns(name: str, sides: list[tuple[int, list[Any]]]) -> list[tuple[int, list[Any]]]:
    """Numbers if every value of every dataset is one or is missing; words otherwise."""
    if all(value is None or _is_number(value) for _, side in sides for value in side):
        return [(a, [float("nan") if value is None else float(value) for value in side]) for a, side in sides]
    return [(a, [_word(value) for value in side]) for a, side in sides]
