"""Which columns correspond, from what is known of them: for ``fit(links=...)``."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from typing import Any

from ._errors import ParameterError

__all__ = ["from_intervals"]

_Interval = tuple[str, int, int]


def _interval(what: str, value: Any) -> _Interval:
    """``"chr1:100-200"`` (or with ``_`` or ``-`` throughout), or (chromosome, start, end)."""
    if isinstance(value, str):
        parts = value.replace(":", "-").replace("_", "-").rsplit("-", 2)
        if len(parts) == 3 and parts[1].isdigit() and parts[2].isdigit():
            return parts[0], int(parts[1]), int(parts[2])
    else:
        try:
            chromosome, start, end = value[0], int(value[1]), int(value[2])
        except (TypeError, ValueError, IndexError):
            pass
        else:
            return str(chromosome), start, end
    raise ParameterError(f'{what} {value!r} is not an interval; write "chr1:100-200" or ("chr1", 100, 200)')


def from_intervals(
    peaks: Iterable[Any],
    genes: Iterable[tuple[Any, ...]],
    *,
    promoter: int = 2000,
    peaks_first: bool = False,
) -> list[tuple[str, str]]:
    """Link genes with the peaks that overlap them or their promoters.

    Parameters
    ----------
    peaks : names of columns such as "chr1:100-200"
    genes : (name, chromosome, start, end) or (name, chromosome, start, end, strand), as in a BED or GTF table; the strand is "+" or
        "-", and without it the promoter lies on both sides
    promoter : bases before the start of a gene that count as its promoter
    peaks_first : whether the peaks are the first dataset

    Returns
    -------
    list of (gene, peak), or of (peak, gene) with `peaks_first`

    Examples
    --------
    >>> import landbridge as lb
    >>> lb.links.from_intervals(["chr1:900-1100", "chr1:9000-9100", "chr2:900-1100"], [("GENE", "chr1", 2000, 5000, "+")])
    [('GENE', 'chr1:900-1100')]
    """
    if promoter < 0:
        raise ParameterError(f"promoter is {promoter}; it must be 0 or more")
    spans: dict[str, list[tuple[int, int, str]]] = {}
    for gene in genes:
        if len(gene) not in (4, 5):
            raise ParameterError(f"gene {gene!r} must be (name, chromosome, start, end), perhaps with a strand")
        chromosome, start, end = _interval("gene", gene[1:4])
        strand = gene[4] if len(gene) == 5 else None
        before = promoter if strand != "-" else 0
        after = promoter if strand != "+" else 0
        spans.setdefault(chromosome, []).append((start - before, end + after, str(gene[0])))
    for list_ in spans.values():
        list_.sort()
    longest = {c: max(end - start for start, end, _ in list_) for c, list_ in spans.items()}
    found: list[tuple[str, str]] = []
    for peak in peaks:
        chromosome, start, end = _interval("peak", peak)
        near = spans.get(chromosome, [])
        at = bisect_left(near, (start - longest.get(chromosome, 0), 0, ""))
        name = peak if isinstance(peak, str) else f"{chromosome}:{start}-{end}"
        while at < len(near) and near[at][0] <= end:
            if near[at][1] >= start:
                found.append((name, near[at][2]) if peaks_first else (near[at][2], name))
            at += 1
    return found
