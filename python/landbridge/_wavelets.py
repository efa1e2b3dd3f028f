"""Diffusion wavelets of any operator."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from . import _data
from . import _landbridge as _core
from ._base import threads, whole
from ._errors import AlignmentWarning, DataError, ParameterError
from ._words import Construction


class DiffusionWavelets(Sequence[Any]):
    """Nested spaces, finest first: ``wavelets[l]`` are the scaling functions of level l, an (n, dimension) array.

    Attributes
    ----------
    dimensions : list of int
    powers : list of int, k of each level; it belongs to ``T**(2**k)``
    errors : list of float
        Bound on the change by truncation and dropped entries in the step to each level; 0 for the exact subspaces.
    norm : float, of the operator as given
    rescaled : bool, whether it was divided by its norm
    construction : "spectral" or "recursion"
    """

    def __init__(self, built: _core.Wavelets, as_sparse: bool) -> None:
        self._built = built
        self._as_sparse = as_sparse
        self.dimensions = [d for _, d, _ in built.levels]
        self.powers = [k for k, _, _ in built.levels]
        self.errors = [e for _, _, e in built.levels]
        self.norm = built.norm
        self.rescaled = built.rescaled
        self.construction = built.construction

    def __len__(self) -> int:
        return len(self.dimensions)

    def __getitem__(self, level: Any) -> Any:
        if isinstance(level, slice):
            return [self[at] for at in range(*level.indices(len(self)))]
        if isinstance(level, (int, np.integer)) and -len(self) <= level < 0:
            level = int(level) + len(self)
        elif isinstance(level, (int, np.integer)) and level >= len(self):
            raise IndexError(f"level is {level}; it must be below {len(self)}, the number of levels; 0 is the finest")
        return self.basis(level)

    def basis(self, level: int) -> Any:
        """The scaling functions of a level in the original coordinates; sparse when they were built by a sparse recursion."""
        at = whole("level", level)
        return self._csr(self._built.sparse_basis(at), at) if self._as_sparse else self._built.basis(at)

    def step(self, level: int) -> Any:
        """The scaling functions of a level in those of the level below it, sparse; those of level 0 in the original ones."""
        at = whole("level", level)
        return self._csr(self._built.step(at), at)

    def _csr(self, arrays: Any, level: int) -> Any:
        indptr, indices, values = arrays
        return sparse.csr_array((values, indices, indptr), shape=(len(indptr) - 1, self.dimensions[level]))

    def __repr__(self) -> str:
        return f"DiffusionWavelets(dimensions={self.dimensions}, construction={self.construction!r})"


def diffusion_wavelets(
    T: Any,
    precision: float = 1e-5,
    max_levels: int | None = None,
    construction: Construction = "auto",
    n_jobs: int | None = None,
) -> DiffusionWavelets:
    """Diffusion wavelets of an operator of norm at most 1, such as a random walk on a graph.

    Level k = 1, 2, ... is an orthonormal, localised basis of the range of ``T**(2**k)`` at `precision`. For a symmetric T this is
    the span of the eigenvectors with ``abs(lambda)**(2**k) >= precision``. The recursion, for all other operators and for large
    sparse ones, has ``norm((I - P_k) T**(2**k)) <= 2 * precision``. The spans are nested.

    Parameters
    ----------
    T : (n, n) array or sparse matrix
        An operator of norm above 1 is divided by its norm, with a warning.
    precision : above 0, below 1
    max_levels : largest number of levels; None: until the levels no longer change
    construction : "spectral", exact, for symmetric operators; "recursion"; "auto" is spectral for symmetric operators of up
        to 4,000 rows
    n_jobs : threads; None or -1 is all cores

    >>> import numpy as np, landbridge as lb
    >>> T = np.diag(np.full(64, 0.5)) + np.diag(np.full(63, 0.25), 1) + np.diag(np.full(63, 0.25), -1)
    >>> T[0, 0] = T[-1, -1] = 0.75
    >>> wavelets = lb.geometry.diffusion_wavelets(T, precision=1e-3)
    >>> wavelets.dimensions[-1], wavelets[2].shape == (64, wavelets.dimensions[2])
    (1, True)
    """
    if isinstance(precision, (bool, str)) or not np.isreal(precision):
        raise ParameterError(f"precision is {precision!r}; it must be above 0 and below 1")
    levels = None if max_levels is None else whole("max_levels", max_levels, 1)
    given: Any
    if sparse.issparse(T):
        given = _data.csr_parts(T)
    else:
        given = np.ascontiguousarray(np.asarray(T, dtype=np.float64))
        if given.ndim != 2:
            raise DataError(f"an operator is a square matrix, this one has {given.ndim} dimension(s)")
    built = _core.Wavelets.build(given, float(precision), levels, construction, threads(n_jobs))
    if built.rescaled:
        text = f"the norm of the operator is {built.norm:.6g}; it was divided by it"
        warnings.warn(text, AlignmentWarning, stacklevel=2)
    return DiffusionWavelets(built, sparse.issparse(T) and built.construction == "recursion")
