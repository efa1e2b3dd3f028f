"""The base class of all alignments; the classes themselves are in `_methods`."""

from __future__ import annotations

import inspect
import json
import os
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, TypeVar

import numpy as np
import numpy.typing as npt

from . import _batches
from . import _confidence
from . import _data
from . import _landbridge as _core
from . import _report
from ._base import threads, whole
from ._core_params import core_params
from ._errors import AlignmentWarning, DataError, ModelError, NumericalError, ParameterError, UndefinedError
from ._labels import Labels
from ._model_holder import ModelHolder
from ._outcome import Outcome
from ._precision import DType, is_single, to_single
from ._scores import Evaluation
from ._words import How, Kind, Metric

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Self = TypeVar("Self", bound="Alignment")

_FIT = """
        Parameters
        ----------
        datasets : list, tuple or dict of 2 or more
            Rows are instances. Accepts NumPy arrays (float32 stays float32), SciPy sparse matrices and arrays (never made
            dense), pandas, polars and Arrow tables, AnnData objects (their X; `from_anndata` for other parts), the result of
            `read`, and a MuData object instead of the list (its modalities). A dict gives names; in a list they are "0", "1",
            and so on. Everything is copied first, so changing an array during fit has no effect. The index of a pandas table
            becomes row ids, unless it is a RangeIndex.
        pairs : (l, c) array of row numbers, one column per dataset, -1 = no counterpart; or
            ``{(a, b): (l, 2) array, (l, 3) array with weights, or sparse matrix}``, a and b positions or names; or
            a table (pandas, polars, Arrow) whose columns are names of datasets: integers are row numbers, text is looked up
            among the row ids, an empty cell means no counterpart, and a column "weight" gives the weights; or
            rows of names, one per dataset: ``[("cat", "gatto"), ("dog", "cane")]``; or
            a file, or what `read_pairs` returns; or
            "names": rows with the same name (index, obs_names, ids of a file) correspond; or
            None: AnnData objects are paired by the names of their cells (those that occur once in each, unless they are mere
            row numbers; a warning says how many). Other datasets have no pairs, and `InstanceAlignment`, `LinearAlignment`,
            `GlobalAlignment`, `ProcrustesAlignment` and `AffineAlignment` infer them by `infer_pairs`, with a warning.
        links : columns of two datasets that are known to correspond (genes and proteins, words of a dictionary), some of them
            perhaps wrongly: ``[("CD3E", "CD3"), (0, 4), ("dog", "cane", 2.0)]``, by name or by number from 0, perhaps with a
            weight; "alike": columns spelled alike, and numbers; "names": genes and proteins by name; or a csv or tsv file.
            Together with pairs or instead of them. Rows are matched by `SelfTraining` with this method as its base, and the
            outcome says how far to trust the matches and which links look wrong.

        Returns
        -------
        self
        """


class Alignment(ModelHolder):
    """The base class of all alignments. Not used by itself."""

    #: Name of the method in the library.
    _method: ClassVar[str]
    #: Whether it learns maps of the features.
    _has_maps: ClassVar[bool] = False
    #: Whether it predicts values of other datasets, with NaN for unknown values.
    _predicts: ClassVar[bool] = False

    # Learned by fit; see the class documentation.
    eigenvalues_: Floats
    outcome_: Outcome
    n_features_in_: list[int]
    names_: list[str]
    #: How `align` chose this alignment; absent otherwise.
    selection_: Any
    #: What a bridge is worth, see `bridge`; absent otherwise.
    bridge_: Any
    quality_: Any
    learning_curve_: list[dict[str, Any]]
    enough_pairs_: int | None
    embed_first_: list[dict[str, Any]]
    trusted_: bool | None
    verdict_: str
    _model: _core.Model
    #: `embeddings_`, once they were asked for.
    _places: list[Floats] | None

    # Typed as Any, because __init__ stores them as given and fit checks them.
    n_components: Any
    n_jobs: Any
    verbose: Any

    def fit(self: Self, datasets: Any, pairs: Any = None, *, links: Any = None) -> Self:
        """Align the datasets by the known pairs.
        %s"""
        n_jobs, verbose = threads(self.n_jobs), self._is_verbose()
        params = self._core_params()
        data = _data.datasets(self._seen(datasets))
        if pairs is None:
            core_pairs = _data._cells().shared_names(datasets, data)
        else:
            core_pairs = _data.pairs(pairs, data)
        model = _core.fit(self._method, params, data, core_pairs, links, n_jobs, verbose)
        self._learn(model)
        for text in self.outcome_.warnings:
            warnings.warn(text, AlignmentWarning, stacklevel=2)
        return self

    fit.__doc__ = (fit.__doc__ or "") % _FIT

    @property
    def embeddings_(self) -> list[Floats]:
        """For each dataset its fitted rows in the joint space, an (n, d) array. They are copied from the model when they are first asked
        for."""
        if not hasattr(self, "_places"):
            raise AttributeError(f"this {type(self).__name__} has no attribute 'embeddings_': it is not fitted, or gives no coordinates")
        if self._places is None:
            self._places = [self._model.embedding(a) for a in range(len(self.names_))]
        return self._places

    @property
    def row_ids_(self) -> list[list[str] | None]:
        """For each dataset the ids of its fitted rows; None where they have none."""
        model = self._fitted("tell ids")
        return [model.row_ids(a) for a in range(len(model.names))]

    @property
    def labels_(self) -> list[list[str] | None]:
        """For each dataset the labels of its fitted rows; None where they have none."""
        model = self._fitted("tell labels")
        return [model.labels(a) for a in range(len(model.names))]

    @property
    def columns_(self) -> list[list[str] | None]:
        """For each dataset the names of its columns; None where they have none."""
        model = self._fitted("tell columns")
        return [model.columns(a) for a in range(len(model.names))]

    def fit_transform(self, datasets: Any, pairs: Any = None, *, links: Any = None) -> list[Floats]:
        """Fit, and return the coordinates of the fitted rows: ``fit(datasets, pairs, links=links).embeddings_``."""
        self.fit(datasets, pairs, links=links)
        return [embedding.copy() for embedding in self.embeddings_]

    def transform(self, X: Any, dataset: int | str, *, batch: Any = None, dtype: DType = "float64") -> Floats:
        """Coordinates of new rows of one dataset in the joint space.

        Parameters
        ----------
        X : rows with the same columns as the fitted rows of that dataset
        dataset : position or name
        batch : the batch of each row, or one name for all, where the dataset was fitted with batches: rows are placed around the
            mean of their batch. Rows of other batches, or without one, are placed around the mean of all fitted rows, with a warning
        dtype : of the result. "float32" takes half the memory, and half the time where `X` is float32 and the map is linear; it is
            good to about 1e-7 of the terms that the map sums up

        Returns
        -------
        (m, n_components) array. The result of a row does not depend on the other rows of `X`.
        """
        model = self._fitted("transform")
        position, single = model.position(dataset), is_single(dtype)
        plain, alone = _data.is_plain(X) and not self._predicts, batch is None and not model.batches(position)
        if plain and alone and not single:
            return model.transform_array(X, position, threads(self.n_jobs), self._is_verbose())
        new = X if plain and alone else self._new_rows(X, position)
        if single and alone:
            return model.transform_single(new, position, threads(self.n_jobs))  # type: ignore[no-any-return]
        if batch is not None:
            new.set_batches([batch] * new.shape[0] if isinstance(batch, str) else _data.batch_names("batch", batch))
        placed = self._placed(model, new, position)
        return to_single(placed) if single else placed

    def _placed(self, model: _core.Model, new: _core.Dataset, position: int) -> Floats:
        placed, note = model.transform(new, position, threads(self.n_jobs), self._is_verbose())
        if note is not None:
            _data.warn(note)
        return placed

    def transform_batches(
        self, X: Any, dataset: int | str = 0, *, size: int = 65_536, keep: Sequence[str] | None = None
    ) -> Iterator[Any]:
        """`transform`, some rows at a time: what does not fit into memory goes through in pieces.

        Parameters
        ----------
        X : new rows of `dataset`: an iterator of arrays or tables; an Arrow stream (a ``pyarrow.RecordBatchReader``, or anything else
            with ``__arrow_c_stream__``); AnnData, also backed; an array, also a memory map
        dataset : position or name
        size : rows of a piece, where `X` does not say how it is cut
        keep : names of columns that are carried along, of tables and of `obs` of AnnData. They are not data, unless the dataset was
            fitted with a column of that name

        Returns
        -------
        An iterator with an (m, d) array for each piece, in their order. Together they are what `transform` gives. With `keep` an
        iterator of tables: the kept columns, then z0, z1 and so on; of pandas for pandas and AnnData, otherwise of pyarrow.

        >>> import numpy as np
        >>> import landbridge as lb
        >>> helices = lb.datasets.helices(300)
        >>> a = lb.CCA(2, ridge=0.01).fit(helices.datasets, helices.pairs(50))
        >>> pieces = list(a.transform_batches(helices.datasets[0], 0, size=100))
        >>> len(pieces), bool((np.concatenate(pieces) == a.transform(helices.datasets[0], 0)).all())
        (3, True)
        """
        model = self._fitted("transform")
        position = model.position(dataset)
        columns = model.embedding_shape(position)[1]
        names = [f"z{j}" for j in range(columns)]
        return self._pieces(X, size, lambda rows: self.transform(rows, position), np.empty((0, columns)), (keep, position, names))

    def predict_batches(
        self, X: Any, source: int | str = 0, target: int | str = 1, *, size: int = 65_536, keep: Sequence[str] | None = None
    ) -> Iterator[Any]:
        """`predict` from `source` to `target`, some rows at a time; `X`, `size` and `keep` as in `transform_batches`. With `keep`, the
        predicted columns have the names of the fitted ones."""
        model = self._mapping("predict")
        s, t = model.position(source), model.position(target)
        names = model.columns(t) or [str(j) for j in range(model.n_features[t])]
        return self._pieces(X, size, lambda rows: self.predict(rows, s, t), np.empty((0, model.n_features[t])), (keep, s, names))

    def match_batches(
        self,
        X: Any,
        *,
        source: int | str = 0,
        target: int | str = 1,
        k: int = 1,
        how: How | None = None,
        metric: Metric | None = None,
        size: int = 65_536,
    ) -> Iterator[tuple[Integers, Floats]]:
        """`match` of new rows with the fitted rows of `target`, some at a time; `X` and `size` as in `transform_batches`, the rest as in `match`.

        "mutual" and "assignment" depend on all rows at once and are refused.
        """
        model = self._fitted("match")
        how = how or model.default_how(metric)
        if how not in ("nearest", "csls"):
            raise ParameterError(f'how is {how!r}; it must be "nearest" or "csls": other matches depend on all rows at once')
        s, t, k = model.position(source), model.position(target), whole("k", k, 1)
        self._check_rows(model, "match")
        nothing = np.empty((0, k), dtype=np.int64), np.empty((0, k))
        return self._pieces(X, size, lambda rows: self.match(rows, source=s, target=t, k=k, how=how, metric=metric), nothing)

    def _pieces(self, X: Any, size: int, work: Any, nothing: Any, kept: Any = (None, 0, [])) -> Iterator[Any]:
        """What `work` makes of every batch of `X`; `nothing` for one without rows. With columns to keep, the dataset that the rows
        belong to and the names of what is made: tables of both."""
        keep, position, names = kept
        if isinstance(keep, (str, bytes)):
            raise ParameterError(f"keep is {keep!r}; it must be a list of names", f"keep=[{keep!r}]")
        if keep:
            features = self._fitted("transform").columns(position)

            def both(batch: Any) -> Any:
                rows, beside = _batches.split(batch, list(keep), features)
                return _batches.beside(beside, work(rows) if _batches.n_rows(rows) else nothing, names)

            return (both(batch) for batch in _batches.batches(X, size))
        return (work(batch) if _batches.n_rows(batch) else nothing for batch in _batches.batches(X, size))

    def _check_rows(self, model: _core.Model, verb: str) -> None:
        """Refuses a model without its fitted rows, before the work begins."""
        if any(model.embedding_shape(a)[0] == 0 for a in range(len(self.names_))):
            raise UndefinedError(
                f"{verb} is not defined: the model was solved or saved without its fitted rows",
                "lb.dask.match(a, x, y=y) and lb.match_rows(a.transform(x, 0), a.transform(y, 1)) match rows that are given",
            )

    def match(
        self,
        X: Any = None,
        *,
        source: int | str = 0,
        target: int | str = 1,
        k: int = 1,
        how: How | None = None,
        metric: Metric | None = None,
        min_confidence: float | None = None,
    ) -> tuple[Integers, Floats]:
        """Match the rows of `source` to those of `target`.

        Parameters
        ----------
        X : new rows of `source`; None for its fitted rows
        source, target : position or name
        k : matches per row; 1 for "mutual" and "assignment"
        how : "nearest"; "csls", which penalises rows that are near to many others; "mutual", mutual nearest neighbours only;
            "assignment", one to one with the least total distance. None is "csls" where self-training found that it is right more often
            (`outcome_.csls`), otherwise "nearest"
        metric : "euclidean" or "cosine" in the joint space; None is "euclidean" for methods that place rows, "cosine" for
            methods that map features and for "csls" (which accepts no other)
        min_confidence : rows whose best match has a lower chance of being right have no match: -1 (`match_confidence`; for
            the fitted rows)

        Returns
        -------
        indices : (m, k) integer array, best first, -1 for no match
        distances : (m, k) array of their distances, infinite for no match; for "csls" the negated score
        """
        model = self._fitted("match")
        how = how or model.default_how(metric)
        if how == "csls" and metric not in (None, "cosine"):
            raise ParameterError(f'metric is {metric!r}; it must be None or "cosine" for how="csls"')
        s, t = model.position(source), model.position(target)
        least = _confidence.least(min_confidence)
        if least is not None and X is not None:
            raise ParameterError("min_confidence needs the fitted rows; leave X out, or min_confidence")
        rows = None if X is None else self._new_rows(X, s)
        index, distance = model.match_rows(
            rows, s, t, whole("k", k, 1), how, metric, threads(self.n_jobs), self._is_verbose()
        )
        if least is not None:
            chance = _confidence.of_model(model, index[:, 0], s, t, threads(self.n_jobs), self._is_verbose()).confidence
            index[chance < least], distance[chance < least] = -1, np.inf
        return index, distance

    def index(
        self,
        kind: Kind,
        *,
        source: int | str = 0,
        target: int | str = 1,
        metric: Metric | None = None,
        k: int = 10,
        verbose: int = 1,
        **options: Any,
    ) -> Any:
        """Hand the fitted rows of `target` over to an index of another library, for stores of millions of rows.

        `match` is exact and reads every row. An index reads few rows and misses some. How many is measured here, against the exact search
        for up to 500 fitted rows of `source`, and printed on standard error.

        Parameters
        ----------
        kind : "usearch" or "faiss"; the library must be installed (``pip install usearch``, ``pip install faiss-cpu``)
        source, target : position or name
        metric : as in `match`
        k : length of the lists whose recall is measured
        verbose : 0 prints nothing
        options : for usearch the settings of its ``Index`` (``connectivity``, ``expansion_add``, ``expansion_search``); for faiss
            ``factory``, the text of its ``index_factory``, "HNSW32" unless told

        Returns
        -------
        A `SearchIndex`: ``search(X, k)`` gives what ``match(X, k=k)`` gives, ``recall_`` the measured recall, ``index_`` the index itself.
        """
        from ._index import index

        return index(self, kind, source, target, metric, k, verbose, options)

    def match_confidence(self, source: int | str = 0, target: int | str = 1) -> _confidence.MatchConfidence:
        """The chance that the best match in `target` of each fitted row of `source`, by CSLS, is right.

        Rows are read by refits that did not see them: how far does a match lead over the second best? Decoys, what a row would
        match if its match were taken away, show how far wrong matches lead. With 50 known pairs or more, held-out pairs correct
        the chances. Needs maps of the features, and a verdict on the fit: self-training has one, `align` gives one. Matches of
        a fit that is not trusted have the chance 0. It costs up to half a fit of self-training.
        """
        model = self._fitted("match_confidence")
        s, t = model.position(source), model.position(target)
        return _confidence.of_model(model, None, s, t, threads(self.n_jobs), self._is_verbose())

    def matches(
        self,
        X: Any = None,
        *,
        source: int | str = 0,
        target: int | str = 1,
        k: int = 1,
        how: How | None = None,
        metric: Metric | None = None,
        confidence: bool | None = None,
    ) -> Any:
        """The result of `match` as a table with names: a pandas DataFrame, or an Arrow table where pandas is not installed.

        Columns: `source` and `target` (ids of the rows, or their numbers), `rank` from 1, `score` (the distance, smaller is
        better), `confidence`, the chance that the best match of the row is right (NaN for other ranks), and `mutual`: the two
        are each other's best. Rows without a match are left out. `how` as in `match`.

        `confidence` None adds that column where `match_confidence` is defined: fitted rows, maps, a fit with a verdict. True
        insists on it, and False saves its time.
        """
        model = self._fitted("match")
        s, t = model.position(source), model.position(target)
        how = how or model.default_how(metric)
        index, distance = self.match(X, source=s, target=t, k=k, how=how, metric=metric)
        kept = index >= 0
        rows, ranks = np.nonzero(kept)
        columns = index[kept]
        back = self.match(source=t, target=s, how="csls" if how == "csls" else "nearest", metric=metric)[0][:, 0] if X is None else None
        own_ids = model.row_ids(s) if X is None else _data.dataset("new rows", X).row_ids
        chance = self._chance(index, s, t, confidence) if X is None else None
        if X is not None and confidence:
            raise ParameterError("confidence=True needs the fitted rows; leave X out, or confidence")
        return _data.table(
            {
                "source": _named(own_ids, rows),
                "target": _named(model.row_ids(t), columns),
                "rank": ranks + 1,
                "score": distance[kept],
                **({} if chance is None else {"confidence": np.where(ranks == 0, chance[rows], np.nan)}),
                **({} if back is None else {"mutual": (back[columns] == rows) & (ranks == 0)}),
            }
        )

    def _chance(self, index: Integers, source: int, target: int, wanted: bool | None) -> Floats | None:
        """The chance of the best matches; None where it is not wanted, or not defined and not insisted on."""
        if wanted is False:
            return None
        try:
            model = self._fitted("match_confidence")
            return _confidence.of_model(model, index[:, 0], source, target, threads(self.n_jobs), self._is_verbose()).confidence
        except (DataError, NumericalError, UndefinedError):
            if wanted:
                raise
            return None

    def evaluate(
        self, truth: Any, *, k: int | tuple[int, ...] = (1, 10), metric: Metric | None = None, rows: Any = None
    ) -> Evaluation:
        """Score the alignment against known truth, as ``landbridge evaluate`` does.

        Parameters
        ----------
        truth : true pairs, in any form that `fit` takes
        k : the k of recall@k
        metric : "euclidean" or "cosine" in the joint space; None is what suits the method, as in `match`
        rows : new rows of every dataset that the truth is about, a list or a dict of what `transform_batches` takes; None: the fitted
            rows. Models that were solved or saved without rows need them. Only their coordinates are kept in memory. Pairs among them
            that were used in fitting cannot be told from others: leave them out of the truth

        Held out are the true pairs that were not given in fitting and do not follow from given ones: the honest figures. Rivals
        are all rows of the other dataset; a tie counts against.
        """
        model = self._fitted("evaluate")
        if rows is not None:
            model = self._with_places(model, rows)
        given = _data.pairs(truth, self._stand_ins(model))
        ks = sorted({whole("k", one, 1) for one in ([k] if isinstance(k, int) else k)})
        return Evaluation(json.loads(_core.evaluate(model, self._stand_ins(model), given, ks, metric, threads(self.n_jobs))))

    def report(
        self,
        path: str | os.PathLike[str],
        *,
        datasets: Any = None,
        truth: Any = None,
        texts: Any = None,
        values: dict[str, Any] | None = None,
        features: Any = (),
        check_pairs: bool = False,
        title: str | None = None,
        max_points: int = 100_000,
    ) -> None:
        """Write one HTML page: the joint space to explore in a browser, and how good it is. ``landbridge report`` does the same.

        The file needs nothing else: it opens from disk and asks for nothing from anywhere.

        Parameters
        ----------
        path : file to write, .html; whole or not at all
        datasets : the data of the fit: the page shows each dataset before alignment, and the features of each row. Some methods
            keep their rows and need no data here
        truth : true pairs, in any form that `fit` takes: recall on pairs that the fit did not see, and wrong matches
        texts : a text for each row, a list for each dataset (None for a dataset without)
        values : numbers or words to colour by: ``{"age": [ages_of_0, ages_of_1]}``, None for a dataset without
        features : names (or column numbers) of features to colour by, besides those of the largest weights
        check_pairs : also find known pairs that look wrong, as `check_pairs` does; needs `datasets`
        title : title of the page
        max_points : of more rows the page shows a sample that keeps rare labels
        """
        _report.write(self, path, datasets, truth, texts, values, features, check_pairs, title, max_points)

    def show(self, *, height: int = 900, **options: Any) -> _report.Frame:
        """The page of `report` in a notebook, in a frame of its own that cannot reach the notebook.

        Parameters
        ----------
        height : of the frame, in pixels
        options : those of `report`
        """
        return _report.frame(self, whole("height", height, 100), options)

    def _repr_html_(self) -> str | None:
        """A summary with a small picture, for notebooks."""
        return _report.summary(self) if hasattr(self, "_model") else None

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        found = {"text/plain": repr(self)}
        html = self._repr_html_()
        return found if html is None else {**found, "text/html": html}

    def transfer_labels(
        self,
        labels: Any = None,
        source: int | str = 0,
        target: int | str = 1,
        *,
        X: Any = None,
        k: int = 5,
        metric: Metric | None = None,
        min_probability: float = 0.0,
        min_support: float = 0.0,
        unknown: Any = "unknown",
    ) -> tuple[Any, Floats]:
        """Labels of `source` for the rows of `target`: the fitted ones, or new ones.

        Parameters
        ----------
        labels : a label for each fitted row of `source`, of any type, in the order of the rows, or by id: a dict, or a pandas Series
            whose index has the ids. None takes the labels that came with the data, which are text. A missing label (None, NaN, empty text) votes for `unknown`
        source, target : position or name
        X : new rows of `target`; None for its fitted rows
        k : nearest rows of the source that vote
        metric : as in `match`
        min_probability : below this share of votes a row is `unknown`
        min_support : a row is also `unknown` if rows of the source choose its region less often than this, in units of an even
            share; 0.33 finds cell types that the source lacks. It is known for the fitted rows only
        unknown : what such a row gets

        Returns
        -------
        labels : (n_target,) array of the type of `labels`: whole numbers come back as whole numbers, a pandas Categorical with its
            categories. Text comes in an array of objects, and so do numbers of which some are `unknown`
        probabilities : (n_target,) array, the share of votes for the most frequent label
        """
        model = self._fitted("transfer labels")
        s, t = model.position(source), model.position(target)
        given = None if labels is None else Labels(labels, model.row_ids(s))
        if X is not None and min_support != 0:
            raise ParameterError("min_support needs the fitted rows; leave X out, or min_support")
        new = None if X is None else self._new_rows(X, t)
        found, shares = _core.transfer_labels(
            model,
            new,
            None if given is None else given.texts,
            s,
            t,
            whole("k", k, 1),
            metric,
            float(min_probability),
            float(min_support),
            threads(self.n_jobs),
        )
        if given is not None:
            return given.back(found, unknown), shares
        return np.array([unknown if label is None else label for label in found], dtype=object), shares

    def _with_places(self, model: _core.Model, rows: Any) -> _core.Model:
        """The model with these rows in place of the fitted ones."""
        given = list(rows.items()) if isinstance(rows, dict) else list(enumerate(rows))
        positions = [model.position(name) for name, _ in given]
        if sorted(positions) != list(range(len(self.names_))):
            raise ParameterError(f"rows has {len(given)} entries; it must have one for each dataset: {', '.join(self.names_)}")
        places: dict[int, Any] = {}
        for position, (_, X) in zip(positions, given):
            ids: list[str] = []
            found = []
            for batch in _batches.batches(X, 65_536):
                if _batches.n_rows(batch):
                    new = self._new_rows(batch, position)
                    ids.extend(new.row_ids or [])
                    found.append(self._placed(model, new, position))
            if not found:
                raise DataError(f'rows of dataset "{self.names_[position]}" are empty')
            z = np.concatenate(found)
            places[position] = (z, ids if len(ids) == len(z) else None, None)
        return _core.with_places(model, [places[a] for a in range(len(self.names_))])

    def _stand_ins(self, model: _core.Model) -> list[_core.Dataset]:
        """Datasets with the names, the ids and as many rows as the fitted ones, for which pairs can be read."""
        sizes = [model.embedding_shape(a)[0] for a in range(len(self.names_))]
        return [
            _core.Dataset.dense(name, np.zeros((max(n, 1), 1)), model.row_ids(a) if n else None, None)
            for a, (name, n) in enumerate(zip(self.names_, sizes))
        ]

    def map(self, X: Any, source: int | str = 0, target: int | str = 1, *, dtype: DType = "float64") -> Floats:
        """Rows `X` of `source` in the features of `target`; methods that learn a map of the features define it.

        Returns
        -------
        (m, p_target) array, ``prepared(X) F_source pinv(F_target)``: prepared features of the target. With
        ``prepare="center"`` these are deviations from its means, which `predict` adds again. `dtype` as in `transform`.
        """
        return self._mapped("map", X, source, target, False, is_single(dtype))

    def predict(self, X: Any, source: int | str = 0, target: int | str = 1, *, dtype: DType = "float64") -> Floats:
        """Predict the features of `target` for rows known only in `source`: `map`, with the preprocessing of the target undone.

        Column means and factors are undone. Scaling of rows to length 1 (``prepare="unit_center"``, which `align` and `bridge` may
        choose) and the logarithms of counts cannot be undone; a warning says so once. `CLE`, `CLLE` and `LAMVU` have no
        map: they predict from rows known on both sides, as their `predictor` says. Unknown values of `X` are NaN or, in sparse
        rows, not stored. `dtype` as in `transform`.
        """
        return self._mapped("predict", X, source, target, True, is_single(dtype))

    def export(self, path: str | os.PathLike[str], source: int | str = 0, target: int | str | None = None) -> None:
        """Write a fitted map for use without landbridge, in the format of the extension: .onnx, .npz, .safetensors or .json.

        Parameters
        ----------
        path : file to write, whole or not at all. It has the numbers and the formula; an ONNX model takes "x" and gives "z"
        source : the dataset that rows come from, by position or name
        target : None: into the joint space, as `transform`; a dataset: into its features, as `map`
        """
        model = self._fitted("export")
        model.export(os.fspath(path), model.position(source), None if target is None else model.position(target))

    def check_drift(self, X: Any, dataset: int | str = 0, *, random_state: int = 0) -> Any:
        """Tell whether new rows `X` of a dataset are still like those of the fit. Alignments of `bridge` keep what that needs.

        Compares directions (energy distance, with a p-value by random divisions), the share of rows outside the principal
        directions of the fitted ones, and lengths. The result is true if the rows have drifted; its `verdict` says what to do.
        """
        from ._bridge import drift

        return drift(self, X, dataset, random_state)

    def top_features(self, dataset: int | str = 0, component: int = 0, n: int = 10) -> list[tuple[str, float]]:
        """The `n` features of `dataset` with the largest absolute weight in a component: names (or numbers as text) and weights."""
        model = self._mapping("top_features")
        found = model.top_features(model.position(dataset), whole("component", component), whole("n", n))
        return [(str(column) if name is None else name, weight) for column, name, weight in found]

    def _seen(self, datasets: Any) -> Any:
        """Turns NaN into unknown values, if the method supports them."""
        if not self._predicts:
            return datasets
        if isinstance(datasets, dict):
            return {name: _data.partly_known(X) for name, X in datasets.items()}
        return [_data.partly_known(X) for X in datasets] if isinstance(datasets, (list, tuple)) else datasets

    def _mapping(self, verb: str) -> _core.Model:
        model = self._fitted(verb)
        if not (self._has_maps or (verb == "predict" and self._predicts)):
            raise self._undefined(verb)
        return model

    def _mapped(self, verb: str, X: Any, source: int | str, target: int | str, original: bool, single: bool) -> Floats:
        model = self._mapping(verb)
        s, t = model.position(source), model.position(target)
        if original and not self._predicts and t not in self._told:
            self._told.add(t)
            if (note := model.note_of_predicted(t)) is not None:
                warnings.warn(note, AlignmentWarning, stacklevel=3)
        plain = _data.is_plain(X) and not self._predicts
        new = X if plain else self._new_rows(X, s)
        if single:
            return model.map_single(new, s, t, original, threads(self.n_jobs))  # type: ignore[no-any-return]
        return (model.map_array if plain else model.map)(new, s, t, original, threads(self.n_jobs))

    def _learn(self, model: _core.Model) -> None:
        self._model = model
        #: Datasets of which a prediction has said what it cannot undo.
        self._told: set[int] = set()
        self.names_ = model.names
        self.n_features_in_ = model.n_features
        self._places = None
        self.eigenvalues_ = model.eigenvalues
        self.outcome_ = Outcome._from_core(model.outcome())
        if self.outcome_.selection is not None:
            from ._choose import Selection

            self.selection_ = Selection(self.outcome_.selection)
        if self.outcome_.bridge is not None:
            from ._bridge import attach

            attach(self, self.outcome_.bridge)

    def _undefined(self, verb: str) -> UndefinedError:
        return UndefinedError(
            f"{verb} is not defined for {type(self).__name__}: it gives each row coordinates and learns no map of the features",
            "transform and match work",
        )

    def _new_rows(self, X: Any, position: int) -> _core.Dataset:
        """New rows of a dataset; columns that have names are matched by name."""
        X = _data.partly_known(X) if self._predicts else X
        own = getattr(X, "recipe", None)
        fitted = None if own is None else self._model.recipe(position)
        if own is not None and fitted is not None and json.loads(own) != json.loads(fitted):
            name = self.names_[position]
            raise DataError(
                f'new rows of {name}: the text was read with words and weights of its own, not with those of "{name}"',
                f"read it as the fitted text was read: lb.read(path, like=(a, {name!r})), where a is this alignment",
            )
        rows = _data.dataset(f"new rows of {self.names_[position]}", _data.like_fitted(X, self._model.columns(position)))
        note = _core.note_of_new(rows)
        if note is not None:
            _data.warn(f"{rows.name}: {note}")
        return rows

    def _core_params(self) -> dict[str, Any]:
        """The parameters in the form that the binding takes."""
        return core_params(self)


def _named(ids: list[str] | None, rows: Any) -> Any:
    return rows if ids is None else np.array(ids, dtype=object)[rows]


#: By the name of the method in a model file; `_methods` fills it.
_CLASSES: dict[str, type[Alignment]] = {}


def from_params(cls: Any, name: str, params: str) -> Any:
    """An estimator of that class, with the parameters of a model file."""
    signature = inspect.signature(cls.__init__).parameters
    values = {}
    for key, value in json.loads(_core.params_in_file(name, params)).items():
        if value is None and signature[key].default == "auto":
            value = "auto"
        elif isinstance(value, dict) and "method" in value:
            value = from_params(_CLASSES[value["method"]], value["method"], json.dumps(value["params"]))
        elif value == "none" and key in ("prepare", "embedding"):
            value = None
        values[key] = value
    return cls(**values)


def load(path: str | os.PathLike[str]) -> Alignment:
    """Read a model file at `path`, written by `save` or by the command line.

    Returns an estimator of the class that was fitted, with its parameters. Given graphs, `n_jobs` and `verbose` are not saved
    in a model file and have their defaults.
    """
    model = _core.load(os.fspath(path))
    cls = _CLASSES.get(model.method)
    if cls is None:
        raise ModelError(f'{path}: a model of method "{model.method}", which this landbridge does not know', "update landbridge")
    alignment: Alignment = from_params(cls, model.method, model.params)
    alignment._learn(model)
    return alignment
