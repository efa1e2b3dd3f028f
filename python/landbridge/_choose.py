"""Choosing a method, comparing several, tuning one."""

from __future__ import annotations

import csv
import difflib
import io
import itertools
import json
import os
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _data
from . import _landbridge as _core
from ._alignment import _CLASSES, Alignment, from_params
from ._base import Base, copy_unfitted, threads, whole
from ._errors import AlignmentWarning, NotFittedError, ParameterError
from ._picture import write
from ._words import Scoring


class Selection(list[dict[str, Any]]):
    """How `align` chose: one dict per candidate, the best first.

    Each has `method` (the call), `score` with `low` and `high` (the 95 % interval), `chance`, `recall_at_1`, `recall_at_10`,
    `foscttm`, `tied`, `seconds`, `peak_bytes` (predicted memory of a fit), `reason` and `verdict`. Printed, it is a table.

    Attributes
    ----------
    scoring : what decided: "recall_at_1", "foscttm", …, or "reproducibility" without pairs
    pairs, folds : pairs held out in turn, and the number of folds
    trusted : True, False, or None if it cannot be told
    verdict : the same in words
    python, command : the calls that repeat the winner
    looks : what the data look like, a sentence per dataset
    explanation : the whole story in words
    """

    def __init__(self, found: dict[str, Any]) -> None:
        super().__init__(found["table"])
        self.scoring: str = found["scoring"]
        self.pairs: int = found["pairs"]
        self.folds: int = found["folds"]
        self.trusted: bool | None = found["trusted"]
        self.verdict: str = found["verdict"]
        self.python: str = found["python"]
        self.command: str = found["command"]
        self.looks: list[str] = found["looks"]
        self.explanation: str = found.get("explanation", "")

    def to_json(self) -> str:
        """Everything as JSON."""
        return json.dumps({"table": list(self), **{k: v for k, v in vars(self).items()}})

    def __str__(self) -> str:
        rows = [["method", self.scoring, "95 %", "chance", "seconds", "memory", "verdict"]]
        for row in self:
            interval = "" if row["low"] is None else f"{row['low']:.3f} to {row['high']:.3f}"
            seconds = row.get("seconds")
            rows.append(
                [row["method"], _share(row["score"]), interval, _share(row["chance"]), "" if seconds is None else f"{seconds:.2f}", f"{row.get('peak_bytes', 0) / 1e6:.0f} MB", row["verdict"]]
            )
        return _aligned(rows) + f"\nverdict: {self.verdict}\nagain:   {self.python}\n         {self.command}"

    __repr__ = __str__


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[c]) for row in rows) for c in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)


def _groups(groups: Any, data: list[Any]) -> list[list[int]] | None:
    """A number for each row of each dataset; equal labels, in any dataset, get equal numbers."""
    if groups is None:
        return None
    per_dataset = list(groups.values()) if isinstance(groups, Mapping) else list(groups)
    if len(per_dataset) != len(data):
        raise ParameterError(f"groups has {len(per_dataset)} entries; it must have a list of labels for each of {len(data)} datasets")
    numbers: dict[Any, int] = {}
    return [[numbers.setdefault(label, len(numbers)) for label in np.asarray(labels).tolist()] for labels in per_dataset]


def _core_pairs(datasets: Any, data: list[Any], pairs: Any) -> Any:
    return _data._cells().shared_names(datasets, data) if pairs is None else _data.pairs(pairs, data)


def align(
    datasets: Any,
    pairs: Any = None,
    *,
    scoring: Scoring = "auto",
    folds: int | None = None,
    groups: Any = None,
    explain: bool = False,
    random_state: int = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> Alignment:
    """Choose a method for the data, say how good it is, and fit it.

    Looks at the data, compares at most four candidates on held-out pairs, and fits the best one to all pairs. Without pairs, the
    candidates find the pairs themselves, and the one whose matches are most reproducible wins. The same input gives the same
    choice.

    Parameters
    ----------
    datasets, pairs : as `fit` takes them
    scoring : "auto", "recall_at_1", "recall_at_5", "recall_at_10", "mrr" or "foscttm": what decides. "auto" is recall at 1 if the
        best candidate finds at least one partner in five at once, otherwise FOSCTTM
    folds : number of folds of held-out pairs; None: 20 for few pairs, 5 for many
    groups : labels of the rows of each dataset; rows with equal labels are held out together. None: near-copies are
    explain : print the reasons
    random_state : seed of everything random
    n_jobs : threads; None or -1 is all cores
    verbose : 1 prints the table on standard error; 2 also progress

    Returns
    -------
    The fitted alignment, an instance of the class that won. Its `selection_` is the table; `selection_.verdict` says how far to
    trust it. A warning is raised if it is not to be trusted.

    >>> import landbridge as lb
    >>> copies = lb.datasets.lifted_copies(200)
    >>> a = lb.align(copies.datasets, copies.pairs(40))
    >>> a.selection_.trusted
    True
    >>> len(a.selection_) <= 4 and a.selection_[0]["score"] > 0.5
    True
    """
    data = _data.datasets(datasets)
    model, found = _core.align(
        data,
        _core_pairs(datasets, data, pairs),
        None if folds is None else whole("folds", folds, 2),
        scoring,
        _groups(groups, data),
        whole("random_state", random_state),
        threads(n_jobs),
        verbose > 1,
    )
    alignment: Alignment = from_params(_CLASSES[model.method], model.method, model.params)
    alignment._learn(model)
    alignment.n_jobs = n_jobs
    alignment.selection_ = Selection(json.loads(found))
    if verbose == 1:
        print(alignment.selection_, file=sys.stderr)
    if explain:
        print(alignment.selection_.explanation)
    for text in alignment.outcome_.warnings:
        warnings.warn(text, AlignmentWarning, stacklevel=2)
    if alignment.selection_.trusted is False:
        warnings.warn(alignment.selection_.verdict, AlignmentWarning, stacklevel=2)
    return alignment


class Best(dict[str, Any]):
    """The best row of a comparison. `estimator` is its method, not fitted; `fit` fits a copy of it."""

    def __init__(self, row: dict[str, Any], estimator: Alignment) -> None:
        super().__init__(row)
        self.estimator = estimator

    def fit(self, datasets: Any, pairs: Any = None) -> Alignment:
        """A copy of the method, fitted."""
        return copy_unfitted(self.estimator).fit(datasets, pairs)  # type: ignore[no-any-return]


class Comparison:
    """What `compare` returns. Printed, it is a table.

    Attributes
    ----------
    table : one dict per method, in the given order: `method`, `score`, `low`, `high` (95 % interval), `recall_at_1`, `recall_at_5`,
        `recall_at_10`, `mrr`, `foscttm`, with labels `label_transfer`, with unknown values (ratings) `mmae` of predictions; `tied` (the pairs cannot tell it from the best), `behind`
        (interval of the best less this one), `seconds` of one fit, `trusted`, `error`
    best : the best row, with `best.estimator` and `best.fit(datasets, pairs)`; None if every fit failed
    scoring, chance : what decided, and its chance level
    pairs, folds : pairs held out in turn, and the number of folds
    """

    def __init__(self, found: dict[str, Any], estimators: list[Alignment]) -> None:
        self.scoring: str = found["scoring"]
        self.chance: float = found["chance"]
        self.pairs: int = found["units"]
        self.folds: int = found["folds"]
        self.optimism: float = found["optimism"]
        self._curves = [(row["label"], row["curve"]) for row in found["table"]]
        self.table: list[dict[str, Any]] = [self._row(row) for row in found["table"]]
        best = found["best"]
        self.best: Best | None = None if best is None else Best(self.table[best], estimators[best])

    def _row(self, row: dict[str, Any]) -> dict[str, Any]:
        score = row["score"] or {"value": None, "low": None, "high": None}
        measures = {m["name"]: m["value"] for m in row["measures"]}
        names = ("recall_at_1", "recall_at_5", "recall_at_10", "mrr", "foscttm", "label_transfer", "mmae")
        return {
            "method": row["label"],
            "score": score["value"],
            "low": score["low"],
            "high": score["high"],
            "scoring": self.scoring,
            "chance": self.chance,
            "pairs": self.pairs,
            **{name: measures.get(name) for name in names if name in measures or name not in ("label_transfer", "mmae")},
            "tied": row["tied"],
            "behind": row["behind"],
            "seconds": row["seconds"],
            "trusted": {"trusted": True, "not_trusted": False}.get(row["judgement"]),
            "params": row["params"],
            "error": row["error"],
        }

    def plot(self, path: str | os.PathLike[str] | None = None) -> str:
        """The curves of recall at k as SVG text; with `path`, also written there, as .svg, .png or .pdf."""
        curves = [(name, [float(k) for k, _ in curve], [r for _, r in curve]) for name, curve in self._curves if curve]
        if not curves:
            raise ParameterError("every fit failed, so there is nothing to draw")
        svg: str = _core.line_chart(
            "Recall at k", f"{self.pairs} pairs held out in {self.folds} folds", ("k", "recall at k"), curves, True, (0.0, 1.0)
        )
        if path is not None:
            write(path, svg)
        return svg

    def to_json(self) -> str:
        """Everything as JSON."""
        own = {k: getattr(self, k) for k in ("scoring", "chance", "pairs", "folds", "optimism", "table")}
        return json.dumps({**own, "best": None if self.best is None else self.best["method"]})

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str:
        """The table as CSV text; with `path`, also written there."""
        names = [name for name in self.table[0] if name not in ("params", "behind")]
        out = io.StringIO()
        writer = csv.DictWriter(out, names, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(self.table)
        if path is not None:
            _core.write_text(os.fspath(path), out.getvalue())
        return out.getvalue()

    def __str__(self) -> str:
        rows = [["", "method", self.scoring, "95 %", "recall@1", "recall@10", "foscttm", "seconds", ""]]
        best = None if self.best is None else self.best["method"]
        for row in self.table:
            if row["error"] is not None:
                rows.append(["", row["method"], "", "", "", "", "", "", f"failed: {row['error']}"])
                continue
            interval = f"{row['low']:.3f} to {row['high']:.3f}"
            note = "best" if row["method"] == best else "tied" if row["tied"] else ""
            numbers = [_share(row[name]) for name in ("recall_at_1", "recall_at_10", "foscttm")]
            mark = "*" if row["method"] == best else ""
            rows.append([mark, row["method"], _share(row["score"]), interval, *numbers, f"{row['seconds']:.2f}", note])
        return _aligned(rows) + f"\n{self.pairs} pairs held out in {self.folds} folds; chance {self.chance:.3g}"

    __repr__ = __str__


def _check_names(estimator: Alignment, names: Iterable[str]) -> None:
    known = list(estimator.get_params(deep=False))
    for name in names:
        if name.partition("__")[0] not in known:
            near = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(known)}"
            raise ParameterError(f"{type(estimator).__name__} has no parameter {name!r} ({hint})")


def _candidates(methods: Any) -> list[tuple[str, Alignment]]:
    """Methods, or (method, grid) with a list of values for each parameter; a dict gives names."""
    named = list(methods.items()) if isinstance(methods, Mapping) else [(None, m) for m in ([methods] if isinstance(methods, Alignment) else methods)]
    out: list[tuple[str, Alignment]] = []
    for name, given in named:
        estimator, grid = given if isinstance(given, tuple) and len(given) == 2 else (given, {})
        if not isinstance(estimator, Alignment):
            raise ParameterError(f"a method is {estimator!r}; it must be an alignment such as CCA(20), or (CCA(20), {{'n_components': [5, 20]}})")
        _check_names(estimator, grid)
        for values in itertools.product(*(list(v) for v in grid.values())):
            one = copy_unfitted(estimator).set_params(**dict(zip(grid, values)))
            chosen = ", ".join(f"{k}={v!r}" for k, v in zip(grid, values))
            label = repr(one) if name is None else f"{name} ({chosen})" if grid else str(name)
            out.append((" ".join(label.split()), one))
    labels = [label for label, _ in out]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise ParameterError(f"{twice} is there twice; give methods names by a dict")
    if not out:
        raise ParameterError("methods is empty; give at least one, such as CCA(20)")
    return out


def compare(
    methods: Any,
    datasets: Any,
    pairs: Any,
    *,
    folds: int = 5,
    scoring: Scoring = "auto",
    groups: Any = None,
    resume: str | os.PathLike[str] | None = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> Comparison:
    """Compare methods on known pairs that are held out in turn.

    Every method is fitted without each fold, and the held-out partners are looked up. All methods see the same folds, and share
    what no pair touches: neighbour graphs, preparation, embeddings. Held-out pairs never enter a fit.

    Parameters
    ----------
    methods : alignments; or (alignment, grid) with ``grid = {"n_components": [10, 50], ...}``; or a dict of names to either
    datasets, pairs : as `fit` takes them
    folds : number of folds
    scoring : as in `align`
    groups : labels of the rows of each dataset; rows with equal labels are held out together. None: near-copies are
    resume : a file that keeps finished folds: the same call goes on where it was stopped
    random_state : seed of the folds and of the bootstrap
    n_jobs : threads; None or -1 is all cores
    verbose : 1 shows progress on standard error

    >>> import landbridge as lb
    >>> copies = lb.datasets.lifted_copies(200)
    >>> t = lb.compare([lb.CCA(4), (lb.LinearAlignment(4), {"mu": [1, 100]})], copies.datasets, copies.pairs(40))
    >>> len(t.table)
    3
    >>> t.best.fit(copies.datasets, copies.pairs(40)).n_components
    4
    """
    candidates = _candidates(methods)
    data = _data.datasets(datasets)
    found = _core.compare(
        [(label, one._method, one._core_params()) for label, one in candidates],
        data,
        _core_pairs(datasets, data, pairs),
        whole("folds", folds, 2),
        scoring,
        _groups(groups, data),
        None if resume is None else os.fspath(resume),
        whole("random_state", random_state),
        threads(n_jobs),
        verbose > 0,
    )
    return Comparison(json.loads(found), [one for _, one in candidates])


class AlignCV(Base):
    """An alignment whose parameters are tuned by held-out pairs when it is fitted, after scikit-learn's search estimators.

    Parameters
    ----------
    alignment : an alignment, not fitted; its parameters are the first trial
    space : which parameters, and their values: a list of values; ``(low, high)``, on a logarithmic scale if low is above 0; or
        ``(low, high, "log" or "linear")``. None: the parameters that the method declares worth tuning
    n_trials : number of settings tried
    folds : folds of a full trial; settings that are behind after one fold get no more
    outer : parts of the pairs that are set aside in turn for the score
    scoring, groups : as in `compare`
    random_state, n_jobs, verbose : as everywhere

    Attributes
    ----------
    best_estimator_ : the alignment with the best parameters, fitted to all pairs
    best_params_ : the tuned parameters
    best_score_ : the score of such a search on pairs that played no part in it, and `best_score_interval_`
    default_score_ : the score of the given parameters on the same pairs, and `gain_interval_` of the difference
    best_index_, cv_results_ : the best trial, and all trials as scikit-learn lists them
    verdict_ : what to make of it, in words
    """

    def __init__(
        self,
        alignment: Alignment,
        *,
        space: Any = None,
        n_trials: int = 30,
        folds: int = 5,
        outer: int = 3,
        scoring: Scoring = "auto",
        groups: Any = None,
        random_state: int = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.alignment = alignment
        self.space = space
        self.n_trials = n_trials
        self.folds = folds
        self.outer = outer
        self.scoring = scoring
        self.groups = groups
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, datasets: Any, pairs: Any = None) -> AlignCV:
        """Tune the parameters, then fit the alignment of the `datasets` with the best ones to all pairs. A warning says if the gain is within noise."""
        if not isinstance(self.alignment, Alignment):
            raise ParameterError(f"alignment is {self.alignment!r}; it must be one such as LinearAlignment(50)")
        data = _data.datasets(datasets)
        found = json.loads(
            _core.tune(
                self.alignment._method,
                self.alignment._core_params(),
                data,
                _core_pairs(datasets, data, pairs),
                self._space(),
                whole("n_trials", self.n_trials, 1),
                whole("folds", self.folds, 2),
                whole("outer", self.outer, 2),
                self.scoring,
                _groups(self.groups, data),
                whole("random_state", self.random_state),
                threads(self.n_jobs),
                self.verbose > 0,
            )
        )
        best = {k: v for k, v in found["best"].items()}
        self.best_params_ = {k: "auto" if v is None else v for k, v in best.items()}
        self.best_score_ = found["score"]["value"]
        self.best_score_interval_ = (found["score"]["low"], found["score"]["high"])
        self.default_score_ = found["default_score"]["value"]
        self.gain_interval_ = tuple(found["gain"])
        self.scoring_ = found["scoring"]
        self.best_index_ = found["best_trial"]
        self.cv_results_ = _cv_results(found["trials"], self.scoring_)
        self.verdict_ = found["verdict"]
        if self.best_index_ != 0 and self.gain_interval_[0] <= 0:
            warnings.warn(self.verdict_, AlignmentWarning, stacklevel=2)
        self.best_estimator_ = copy_unfitted(self.alignment).set_params(**self.best_params_)
        self.best_estimator_.fit(datasets, pairs)
        return self

    def _space(self) -> Any:
        if self.space is None:
            return None
        _check_names(self.alignment, self.space)
        return [(name, _domain(name, values, getattr(self.alignment, name))) for name, values in self.space.items()]

    def __getattr__(self, name: str) -> Any:
        # What a fitted alignment does, its best one does: transform, match, embeddings_, outcome_, ...
        if name.startswith("_") or name == "best_estimator_":
            raise AttributeError(name)
        best = self.__dict__.get("best_estimator_")
        if best is None:
            if hasattr(Alignment, name):
                raise NotFittedError("this AlignCV is not fitted", "call fit first")
            raise AttributeError(name)
        return getattr(best, name)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "best_estimator_")


def _domain(name: str, values: Any, now: Any) -> Any:
    """Values to choose from, or (low, high, scale, whole numbers only)."""
    ends = isinstance(values, tuple) and len(values) in (2, 3) and all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values[:2])
    if ends:
        low, high = values[:2]
        scale = values[2] if len(values) == 3 else "log" if low > 0 else "linear"
        if scale not in ("log", "linear"):
            raise ParameterError(f'the scale of {name} is {scale!r}; it must be "log" or "linear"')
        only_whole = isinstance(low, int) and isinstance(high, int) and not isinstance(now, float)
        return (float(low), float(high), scale, only_whole)
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise ParameterError(f"the values of {name} are {values!r}; they must be a list, or (low, high)")
    return list(values)


def _cv_results(trials: list[dict[str, Any]], scoring: str) -> dict[str, Any]:
    scores = np.array([np.nan if t["score"] is None else t["score"] for t in trials])
    worth = -scores if scoring == "foscttm" else scores
    # Trials on more folds rank before those that were dropped earlier.
    order = sorted(range(len(trials)), key=lambda t: (-trials[t]["folds"], -np.nan_to_num(worth[t], nan=-np.inf)))
    rank = np.empty(len(trials), int)
    rank[order] = np.arange(1, len(trials) + 1)
    names = sorted({name for t in trials for name in t["params"]})
    out: dict[str, Any] = {
        "params": [t["params"] for t in trials],
        "mean_test_score": scores,
        "rank_test_score": rank,
        "n_resources": np.array([t["folds"] for t in trials]),
        "mean_fit_time": np.array([t["seconds"] for t in trials]),
        "error": [t["error"] for t in trials],
    }
    for name in names:
        column = np.ma.MaskedArray(np.empty(len(trials), object), mask=True)
        for t, trial in enumerate(trials):
            if name in trial["params"]:
                column[t] = trial["params"][name]
        out[f"param_{name}"] = column
    return out


def tune(
    alignment: Alignment,
    datasets: Any,
    pairs: Any,
    *,
    n_trials: int = 30,
    space: Any = None,
    folds: int = 5,
    outer: int = 3,
    scoring: Scoring = "auto",
    groups: Any = None,
    random_state: int = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> AlignCV:
    """Tune the parameters of an alignment by held-out pairs: ``AlignCV(alignment, ...).fit(datasets, pairs)``.

    Successive halving: all settings are tried on one fold, the better third on more, the best few on all. The reported score comes
    from pairs that played no part in the search. A warning says if the gain over the given parameters is within noise.

    Parameters
    ----------
    alignment : an alignment, not fitted; its parameters are the first trial
    datasets, pairs : as in `fit`
    n_trials, space, folds, outer, scoring, groups : as in `AlignCV`
    random_state, n_jobs, verbose : as everywhere

    >>> import landbridge as lb
    >>> copies = lb.datasets.lifted_copies(200, noise=0.1)
    >>> b = lb.tune(lb.CCA(1), copies.datasets, copies.pairs(40), n_trials=8)
    >>> b.best_params_["n_components"] > 1
    True
    >>> len(b.cv_results_["params"])
    8
    """
    search = AlignCV(
        alignment,
        space=space,
        n_trials=n_trials,
        folds=folds,
        outer=outer,
        scoring=scoring,
        groups=groups,
        random_state=random_state,
        n_jobs=n_jobs,
        verbose=verbose,
    )
    return search.fit(datasets, pairs)
