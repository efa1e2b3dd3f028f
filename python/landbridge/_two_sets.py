"""Two datasets as X and y of scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from . import _alignment, metrics
from ._base import Base, copy_unfitted
from ._errors import DataError, NotFittedError, ParameterError

Floats = npt.NDArray[np.float64]


class TwoSets(Base):
    """Two datasets as scikit-learn's X and y: row i of `X` corresponds to row i of `Y`.

    An alignment of two datasets then works in `Pipeline`, `cross_val_score` and `GridSearchCV`, which split rows: the pairs of
    the training rows are known, and those of the held-out rows must be found.

    Parameters
    ----------
    alignment : an alignment, not fitted
        A copy of it is fitted.
    scoring : "recall_at_1", "recall_at_<k>", "foscttm" (as 1 - FOSCTTM, so that larger is better) or a function
        ``(Zx, Zy) -> float`` of corresponding rows in the joint space.

    Attributes
    ----------
    alignment_ : the fitted alignment; dataset 0 is `X`, dataset 1 holds the rows of `Y` that are not all NaN
    n_features_in_ : int, the number of features of `X`

    >>> import landbridge as lb
    >>> X, Y = lb.datasets.lifted_copies(400, noise=0.0).datasets
    >>> model = lb.TwoSets(lb.InstanceAlignment(8), scoring="recall_at_10").fit(X[:300], Y[:300])
    >>> model.transform(X[300:]).shape
    (100, 8)
    >>> bool(model.score(X[300:], Y[300:]) > 0.5)
    True
    """

    alignment_: _alignment.Alignment
    n_features_in_: int

    def __init__(
        self, alignment: _alignment.Alignment, *, scoring: str | Callable[[Floats, Floats], float] = "recall_at_1"
    ) -> None:
        self.alignment = alignment
        self.scoring = scoring

    def fit(self, X: Any, Y: Any) -> TwoSets:
        """Align `X` and `Y`. Rows of `Y` that are all NaN have no counterpart: those rows of `X` are aligned without a pair."""
        self._score_function()
        there = _rows_there(Y)
        if _length(X) != len(there):
            raise DataError(f"X has {_length(X)} rows and Y has {len(there)}; row i of one corresponds to row i of the other")
        rows = np.flatnonzero(there)
        pairs = np.column_stack([rows, np.arange(len(rows))])
        present = Y if there.all() else _select(Y, rows)
        self.alignment_ = copy_unfitted(self.alignment).fit([X, present], pairs)
        self.n_features_in_ = self.alignment_.n_features_in_[0]
        return self

    def transform(self, X: Any) -> Floats:
        """Rows of the first dataset in the joint space."""
        return self._fitted().transform(X, 0)

    def fit_transform(self, X: Any, Y: Any) -> Floats:
        """Fit, and return the rows of `X` in the joint space."""
        self.fit(X, Y)
        embedding: Floats = self.alignment_.embeddings_[0].copy()
        return embedding

    def score(self, X: Any, Y: Any) -> float:
        """How well new rows of `X` find their counterparts among new rows of `Y`, by `scoring`; larger is better.

        Rows of `Y` that are all NaN, and their rows of `X`, are left out.
        """
        alignment = self._fitted()
        there = _rows_there(Y)
        if _length(X) != len(there):
            raise DataError(f"X has {_length(X)} rows and Y has {len(there)}; row i of one corresponds to row i of the other")
        if not there.any():
            raise DataError("every row of Y is NaN, so there is nothing to score")
        rows = np.flatnonzero(there)
        X, Y = (X, Y) if there.all() else (_select(X, rows), _select(Y, rows))
        return float(self._score_function()(alignment.transform(X, 0), alignment.transform(Y, 1)))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "alignment_")

    def _fitted(self) -> _alignment.Alignment:
        if not hasattr(self, "alignment_"):
            raise NotFittedError("this TwoSets is not fitted", "call fit first")
        return self.alignment_

    def _score_function(self) -> Callable[[Floats, Floats], float]:
        scoring = self.scoring
        if callable(scoring):
            return scoring
        if scoring == "foscttm":
            return lambda Zx, Zy: 1.0 - metrics.foscttm(Zx, Zy)
        name, _, number = str(scoring).rpartition("_")
        if name == "recall_at" and number.isdigit() and int(number) > 0:
            return lambda Zx, Zy: float(metrics.recall_at_k(Zx, Zy, k=int(number)))
        raise ParameterError(f'scoring is {scoring!r}; it must be "recall_at_<k>", "foscttm" or a function')


def _length(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _rows_there(Y: Any) -> npt.NDArray[np.bool_]:
    """Which rows are not entirely NaN; a sparse matrix has all of them."""
    if sparse.issparse(Y):
        return np.ones(Y.shape[0], bool)
    values = Y.to_numpy() if hasattr(Y, "to_numpy") else np.asarray(Y)
    if values.ndim != 2 or values.shape[1] == 0 or values.dtype.kind not in "fiub":
        return np.ones(_length(Y), bool)  # fit gives a better error message
    missing: npt.NDArray[np.bool_] = np.asarray(np.isnan(values.astype(np.float64)).all(axis=1))
    return ~missing


def _select(X: Any, rows: npt.NDArray[np.int64]) -> Any:
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    if isinstance(X, (list, tuple)):
        return [X[i] for i in rows]
    return X.tocsr()[rows] if sparse.issparse(X) else X[rows]
