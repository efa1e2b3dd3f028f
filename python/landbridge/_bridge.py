"""A bridge between two embedding models."""

from __future__ import annotations

import json
import re
import sys
import warnings
from typing import Any

import numpy as np

from . import _data
from . import _landbridge as _core
from ._alignment import _CLASSES, Alignment, from_params
from ._base import threads, whole
from ._choose import _aligned, _core_pairs
from ._errors import AlignmentWarning, ParameterError


class Estimate(float):
    """A figure from held-out pairs. It is its value; `low` and `high` are the ends of its 95 % interval."""

    low: float
    high: float

    def __new__(cls, found: dict[str, float]) -> Estimate:
        made = super().__new__(cls, found["value"])
        made.low, made.high = found["low"], found["high"]
        return made

    def __getnewargs__(self) -> tuple[dict[str, float]]:  # type: ignore[override]
        return ({"value": float(self), "low": self.low, "high": self.high},)

    def __getitem__(self, name: str) -> float:
        return {"value": float(self), "low": self.low, "high": self.high}[name]

    def __repr__(self) -> str:
        return f"{float(self):.3f} ({self.low:.3f} to {self.high:.3f})"


def _read(found: Any) -> Any:
    if isinstance(found, dict):
        return Estimate(found) if set(found) == {"value", "low", "high"} else {k: _read(v) for k, v in found.items()}
    return [_read(v) for v in found] if isinstance(found, list) else found


class Quality(dict[str, Any]):
    """How good a bridge is, from pairs that it did not see. Printed, it is a table.

    Each figure is an `Estimate`: a number with `low` and `high`.

    Keys
    ----
    recall_at_1, recall_at_10, ndcg_at_10 : old vectors search the new store in the joint space (the same as `old_to_new`)
    old_to_new, new_to_old : the same three for each direction, in the joint space
    mapped : the same three for `map`: mapped old vectors search the new store as it is, by cosine
    overlap_at_10 : share of the ten rows that the true new vector finds, that the old vector finds too; full re-embedding has 1
    cosine : between the predicted and the true new vector
    worst_clusters : the ten groups of similar rows with the least recall: `pairs`, `recall_at_1`, `recall_at_10`, `rows` (of the old
        store, near the centre)
    pairs : number of held-out pairs; with fewer than ten known pairs it is 0, and the figures are None
    """

    def __init__(self, found: dict[str, Any] | None) -> None:
        names = ("recall_at_1", "recall_at_10", "ndcg_at_10")
        read = _read(found or {})
        there = read.get("old_to_new") or dict.fromkeys(names)
        rest = ("old_to_new", "new_to_old", "mapped", "overlap_at_10", "cosine")
        super().__init__({"pairs": read.get("pairs", 0), **{n: there[n] for n in names}, **{n: read.get(n) for n in rest}})
        self["worst_clusters"] = read.get("worst_clusters", [])

    def __str__(self) -> str:
        if not self["pairs"]:
            return "no pair was held out"
        rows = [["search", "recall@1", "recall@10", "nDCG@10"]]
        words = {"old_to_new": "old finds new", "new_to_old": "new finds old", "mapped": "mapped old in new as it is"}
        for name, word in words.items():
            if self[name] is not None:
                rows.append([word, *(repr(self[name][k]) for k in ("recall_at_1", "recall_at_10", "ndcg_at_10"))])
        text = f"{_aligned(rows)}\noverlap of the ten first with those of the true vector: {self['overlap_at_10']!r}"
        return text if self["cosine"] is None else f"{text}\ncosine to the true vector: {self['cosine']!r}"

    __repr__ = __str__


class BridgeReport(dict[str, Any]):
    """What a bridge is worth, as `landbridge bridge --json` gives it. Printed, it is a table with the verdict."""

    def __str__(self) -> str:
        lines = [str(Quality(self["quality"])), f"chosen: {self['method']}"]
        lines += [f"{p['pairs']:>7} pairs  recall@1 {p['recall_at_1']:.3f}  recall@10 {p['recall_at_10']:.3f}" for p in self["learning_curve"]]
        return "\n".join([*lines, f"verdict: {self['verdict']}"])

    __repr__ = __str__


def _pairs(pairs: Any, data: list[Any]) -> Any:
    """As `fit` takes them; "500-first" and "none" as on the command line."""
    if not isinstance(pairs, str) or pairs == "names":
        return pairs
    if pairs == "none":
        return None
    if pairs == "by-id":
        return "names"
    first = re.fullmatch(r"(\d+)-first", pairs)
    if first is None:
        raise ParameterError(f'pairs is {pairs!r}; as text it must be "names", "none", or a number of rows such as "500-first"')
    count, least = int(first[1]), min(d.shape[0] for d in data)
    if not 1 <= count <= least:
        raise ParameterError(f"pairs says that the first {count} rows correspond; it must be at least 1 and at most {least}")
    return np.column_stack([np.arange(count)] * 2)


def bridge(
    old: Any,
    new: Any,
    pairs: Any = None,
    *,
    folds: int | None = None,
    curve: bool = True,
    random_state: int = 0,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> Alignment:
    """Map the vectors of one embedding model to those of another, and say what the map is worth.

    Maps that suit vectors compete on held-out pairs: rotations, ridge regression, canonical correlations of several kinds, and
    the last with further pairs that the unpaired rows give. With fewer than ten pairs, or none, self-training finds them; the rows
    of the two stores must then be about the same things.

    Parameters
    ----------
    old, new : the vectors of the two stores, as `fit` takes a dataset; the rows need not be in the same order or number
    pairs : rows embedded with both models, as `fit` takes pairs; or "names" (rows with the same id), "500-first" (the first 500 rows
        of both), or None
    folds : folds of held-out pairs; None: 10 up to 100 pairs, else 5
    curve : whether to measure the learning curve
    random_state : seed of everything random
    n_jobs : threads; None or -1 is all cores
    verbose : 1 prints the figures on standard error; 2 also progress

    Returns
    -------
    A fitted alignment of the datasets "old" and "new". ``b.transform(x, "old")`` places vectors in the joint space, ``b.map(x)``
    gives old vectors in the features of the new model, and ``b.match(x, how="csls")`` searches the new store. Besides, it has

    quality_ : `Quality`, from pairs that the measured maps did not see
    learning_curve_ : list of dicts with `pairs`, `recall_at_1` and `recall_at_10`
    enough_pairs_ : the number of pairs from which twice as many bring less than .01 of recall at 1; None: not reached
    embed_first_ : rows of the old store whose place is least certain, the least certain first: `row`, `margin`, `confidence`
    trusted_, verdict_ : whether to use it (None: cannot tell), and the same in words

    A warning is raised if it is not to be used.

    >>> import landbridge as lb
    >>> copies = lb.datasets.rotated_copies(200, n_features=12, noise=0.05)
    >>> b = lb.bridge(*copies.datasets, copies.pairs(60))
    >>> b.trusted_, bool(b.quality_["recall_at_10"] > 0.9)
    (True, True)
    >>> b.map(copies.datasets[0][:3], "old", "new").shape
    (3, 12)
    """
    data = _data.datasets({"old": old, "new": new})
    model = _core.bridge(
        data,
        _core_pairs({"old": old, "new": new}, data, _pairs(pairs, data)),
        None if folds is None else whole("folds", folds, 2),
        bool(curve),
        whole("random_state", random_state),
        threads(n_jobs),
        verbose > 1,
    )
    alignment: Alignment = from_params(_CLASSES[model.method], model.method, model.params)
    alignment._learn(model)
    alignment.n_jobs = n_jobs
    if verbose == 1:
        print(alignment.bridge_, file=sys.stderr)
    for text in alignment.outcome_.warnings:
        warnings.warn(text, AlignmentWarning, stacklevel=2)
    if alignment.trusted_ is False:
        warnings.warn(alignment.verdict_, AlignmentWarning, stacklevel=2)
    return alignment


def attach(alignment: Any, found: dict[str, Any]) -> None:
    """The attributes of a bridge, from the outcome of its model."""
    alignment.bridge_ = BridgeReport(found)
    alignment.quality_ = Quality(found["quality"])
    alignment.learning_curve_ = found["learning_curve"]
    alignment.enough_pairs_ = found["enough_pairs"]
    alignment.embed_first_ = found["embed_first"]
    alignment.trusted_ = found["trusted"]
    alignment.verdict_ = found["verdict"]


class Drift(dict[str, Any]):
    """Whether new rows are like those of the fit. Printed, it is the verdict.

    Keys: `drifted`, `verdict`, `energy_distance`, `p_value`, `outside` and `length` (each: of the new rows, of the fitted ones),
    `rows`, `fitted_rows`.
    """

    def __bool__(self) -> bool:
        return bool(self["drifted"])

    def __str__(self) -> str:
        return str(self["verdict"])

    __repr__ = __str__


def drift(alignment: Alignment, X: Any, dataset: int | str, random_state: int) -> Drift:
    """What `Alignment.check_drift` returns."""
    model = alignment._fitted("check drift")
    position = model.position(dataset)
    return Drift(json.loads(model.check_drift(alignment._new_rows(X, position), position, whole("random_state", random_state))))
