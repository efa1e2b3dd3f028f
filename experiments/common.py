"""What the experiments share: tables, ranges, readers."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from scipy import sparse

from landbridge import _landbridge

failures: list[str] = []


def show(title: str, header: list[str], rows: list[list[object]]) -> None:
    cells = [header] + [[f"{c:.3f}" if isinstance(c, float) else str(c) for c in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    print(f"\n{title}")
    for row in cells:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


def expect(what: str, value: float, low: float, high: float) -> None:
    if not low <= value <= high:
        failures.append(f"{what} is {value:.3f}, expected {low} to {high}")


def europarl_counts(folder: Path, language: str, documents: int, words: int, part: str = "core") -> sparse.csr_array:
    """Bag-of-words lines: `gap[:count] ...`, word numbers ascending. `documents` at most."""
    indptr, indices, values = [0], [], []
    with gzip.open(folder / f"{language}.{part}.bow.gz", "rt", encoding="utf-8") as lines:
        for _, line in zip(range(documents), lines):
            word = -1
            for entry in line.split():
                gap, _, count = entry.partition(":")
                word += int(gap) + 1
                if word < words:
                    indices.append(word)
                    values.append(float(count or 1))
            indptr.append(len(indices))
    return sparse.csr_array((values, indices, indptr), shape=(len(indptr) - 1, words))


def europarl_words(folder: Path, language: str, words: int) -> list[str]:
    with gzip.open(folder / f"{language}.vocab.tsv.gz", "rt", encoding="utf-8") as lines:
        return [line.split("\t")[0] for line in lines][1 : words + 1]


def coil_pictures(data: Path) -> np.ndarray:
    """COIL-20: 20 objects, 72 pictures of each, one every 5 degrees, 32 x 32."""
    with gzip.open(data / "coil20" / "coil20_1440x32x32_u16.npy.gz") as file:
        return np.load(file).reshape(20, 72, 32, 32) / 4080.0


def turntables(data: Path) -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Pairs of objects of COIL-20: which they are, and the rows of each."""
    images = coil_pictures(data).reshape(20, 72, -1)
    for first, second in ((0, 3), (2, 5)):
        yield f"{first} and {second}", images[first], images[second]


def degrees_off(matched: np.ndarray, true: np.ndarray) -> np.ndarray:
    """Degrees between poses, the shorter way round."""
    error = np.abs(matched - true)
    return 5 * np.minimum(error, 72 - error)


def unit_rows(X: sparse.csr_array) -> sparse.csr_array:
    length = np.sqrt(X.multiply(X).sum(axis=1))
    return sparse.csr_array(X.multiply(1 / np.where(length > 0, length, 1)[:, None]))


def draw(
    name: str,
    title: str,
    subtitle: str,
    axes: tuple[str, str],
    curves: list[tuple[str, list[float], list[float]]],
    y_range: tuple[float, float],
    log_x: bool = True,
) -> None:
    """A picture in the folder `figures` beside the experiments (not part of the project)."""
    folder = Path(__file__).parent / "figures"
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.svg"
    path.write_text(_landbridge.line_chart(title, subtitle, axes, curves, log_x, y_range), encoding="utf-8")
    print(f"  picture: {path.relative_to(Path(__file__).parents[1])}")
