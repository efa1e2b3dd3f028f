"""Two datasets as X and y of scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from . import _alignment, metrics
from ._base import Base, OwnBase, copy_unfitted
from ._errors import DataError, NotFittedError, ParameterError
from ._tables import Table

Floats = npt.NDArray[np.float64]

if TYPE_CHECKING:

    class Transformer:
        """What scikit-learn adds to transformers: `set_output`, `get_feature_names_out` and tags."""

        def set_output(self, *, transform: str | None = None) -> Any: ...

        def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]: ...

elif Base is OwnBase:

    class Transformer:
        """Without scikit-learn nothing is added."""

else:
    from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

    class Transformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin):
        """What scikit-learn adds to transformers: `set_output`, `get_feature_names_out` and tags."""


class TwoSets(Transformer, Base):
    """Two datasets as scikit-learn's X and y: row i of `X` corresponds to row i of `Y`.

    Both may be sparse. `cross_val_score` itself refuses a sparse y, but takes it as ``landbridge.Table(Y)``.

    An alignment of two datasets then works in `Pipeline`, `cross_val_score` and `GridSearchCV`, which split rows: the pairs of
    the training rows are known, and those of the held-out rows must be found. It passes scikit-learn's `check_estimator`.

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
    feature_names_in_ : their names, if `X` has names

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
    feature_names_in_: npt.NDArray[np.object_]

    def __init__(
        self, alignment: _alignment.Alignment, *, scoring: str | Callable[[Floats, Floats], float] = "recall_at_1"
    ) -> None:
        self.alignment = alignment
        self.scoring = scoring

    def fit(self, X: Any, y: Any = None, *, paired: Any = None) -> TwoSets:
        """Align `X` and `y`.

        Rows of `y` that are all NaN have no counterpart: those rows of `X` are aligned without a pair. So are rows for which
        `paired`, one bool per row, is False; their rows of `y` take part without a pair too. In scikit-learn's meta-estimators,
        ``set_fit_request(paired=True)`` routes `paired` to the fit of each split.
        """
        self._score_function()
        X = self._checked(X, reset=True)
        Y = _target(self, y)
        n = _length(X)
        there = _rows_there(Y)
        if n != len(there):
            raise DataError(
                f"Found input variables with inconsistent numbers of samples: X has {n} rows and Y has {len(there)}; row i of one "
                "corresponds to row i of the other"
            )
        known = there if paired is None else there & _flags(paired, n)
        if not known.any():
            raise DataError("no row of X has a counterpart in Y, so there is no pair to align by")
        rows = np.flatnonzero(there)
        place = np.cumsum(there) - 1
        pairs = np.column_stack([np.flatnonzero(known), place[known]])
        self.alignment_ = copy_unfitted(self.alignment).fit([X, Y if there.all() else _select(Y, rows)], pairs)
        self._n_features_out = self.alignment_._model.embedding_shape(0)[1]
        return self

    def transform(self, X: Any) -> Floats:
        """Rows `X` of the first dataset in the joint space."""
        alignment = self._fitted()
        return alignment.transform(self._checked(X, reset=False), 0)

    def fit_transform(self, X: Any, y: Any = None, **params: Any) -> Floats:
        """Fit to `X` and `y`, and return the rows of `X` in the joint space."""
        embedding: Floats = self.fit(X, y, **params).alignment_.embeddings_[0].copy()
        return embedding

    def score(self, X: Any, y: Any) -> float:
        """How well new rows of `X` find their counterparts among new rows of `y`, by `scoring`; larger is better.

        Rows of `y` that are all NaN, and their rows of `X`, are left out.
        """
        alignment = self._fitted()
        X, Y = self._checked(X, reset=False), _target(self, y)
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

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        tags.target_tags.two_d_labels = False
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _checked(self, X: Any, reset: bool) -> Any:
        """Rows as scikit-learn checks them; tables and lists of our own kinds as they are."""
        own = hasattr(X, "schema") or hasattr(X, "obs_names") or isinstance(X, Table)
        try:
            from sklearn.utils.validation import validate_data
        except ImportError:
            own = True
        if own:
            if reset:
                self.n_features_in_ = int(np.shape(X)[1])
            return X
        checked = validate_data(
            self, X, reset=reset, accept_sparse="csr", dtype=[np.float64, np.float32], ensure_min_samples=2 if reset else 1
        )
        # The alignment has its own names of columns.
        return X if hasattr(X, "iloc") else checked

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


def _target(owner: TwoSets, y: Any) -> Any:
    """The second dataset; one column may be a plain list of numbers."""
    if y is None:
        raise DataError(f"{type(owner).__name__} requires y to be passed, but the target y is None")
    if sparse.issparse(y):
        return y.tocsr()
    if hasattr(y, "to_frame") and getattr(y, "ndim", 2) == 1:
        return y.to_frame()
    if hasattr(y, "columns") or hasattr(y, "schema") or hasattr(y, "obs_names"):
        return y
    values = np.asarray(y)
    if values.ndim == 1 and values.dtype.kind in "fiub":
        return values.astype(np.float64).reshape(-1, 1)
    if np.iscomplexobj(values):
        raise DataError("Complex data not supported: y holds complex numbers")
    if values.dtype.kind not in "fiub":
        raise DataError(f"Unknown label type: y holds {values.dtype}; it must hold numbers")
    return values


def _flags(paired: Any, n: int) -> npt.NDArray[np.bool_]:
    flags = np.asarray(paired)
    if flags.shape != (n,) or flags.dtype != bool:
        raise ParameterError(f"paired is {flags.dtype} {flags.shape}; it must have a bool for each of the {n} rows")
    return flags


def _length(X: Any) -> int:
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def _rows_there(Y: Any) -> npt.NDArray[np.bool_]:
    """Which rows are not entirely NaN; a sparse matrix has all of them."""
    Y = Y.X if isinstance(Y, Table) else Y
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
