"""Pictures of an alignment."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from . import _data
from . import _landbridge as _core
from ._base import threads
from ._errors import AlignmentWarning, ParameterError

if TYPE_CHECKING:
    from ._alignment import Alignment


def write(path: str | os.PathLike[str], svg: str) -> None:
    """Write a picture as its name ends, .svg, .png or .pdf."""
    note = _core.write_picture(os.fspath(path), svg)
    if note is not None:
        warnings.warn(note, AlignmentWarning, stacklevel=3)


class Picture:
    """A picture that shows itself in notebooks. `plot` returns it."""

    def __init__(self, svg: str, notes: list[str]) -> None:
        #: The picture as SVG text.
        self.svg = svg
        #: What it could not show, and why.
        self.notes = notes

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to `path`, .svg, .png or .pdf, whole or not at all."""
        write(path, self.svg)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return "a picture for notebooks; save(path) writes it to a file"


def plot(
    alignment: Alignment,
    datasets: Any = None,
    *,
    components: Sequence[int] | None = None,
    color: Literal["dataset", "label"] | None = None,
    highlight: Sequence[str] = (),
) -> Picture:
    """Draw the datasets before alignment and the joint space after it, as ``landbridge plot`` does.

    Parameters
    ----------
    alignment : a fitted alignment
    datasets : the data of the fit, which the picture shows before alignment. Some methods keep their rows and need no data here
    components : one or two components of the joint space, counted from 0; None for the first two
    color : what colours show: "dataset" or "label"; None is "label" if there are labels
    highlight : labels to show in colour; all other labels are grey

    Returns
    -------
    Picture
        It shows itself in a notebook; ``plot(a).save("picture.png")`` writes it, as .svg, .png or .pdf. Where a few rows lie far from all the others,
        they are drawn at the edge, and the caption says how many.

    Examples
    --------
    >>> import landbridge as lb
    >>> rolls = lb.datasets.swiss_rolls(100)
    >>> picture = lb.plot(lb.InstanceAlignment(2).fit(rolls.datasets, rolls.pairs(20)))
    >>> picture.svg[:4]
    '<svg'
    """
    if not hasattr(alignment, "_fitted"):
        raise ParameterError(f"alignment is a {type(alignment).__name__}; it must be a fitted alignment")
    chosen = None if components is None else [int(c) for c in components]
    if chosen is not None and any(c < 0 for c in chosen):
        raise ParameterError(f"components is {components!r}; components are counted from 0")
    model = alignment._fitted("plot")
    rows = None if datasets is None else _data.datasets(alignment._seen(datasets))
    svg, notes = _core.plot(model, rows, chosen, color, [str(label) for label in highlight], threads(alignment.n_jobs))
    return Picture(svg, notes)
