"""Alignment from very few pairs, or none."""

from __future__ import annotations

from typing import Any, ClassVar

from ._alignment import _CLASSES, Alignment
from ._errors import ParameterError


class SelfTraining(Alignment):
    """Feeds a method its own confident matches, beginning with the pairs that are known, or with none.

    Each dataset is described by itself (principal coordinates, and how similar each row is to the others); mutual nearest
    neighbours become pairs, pairs make a map, the map makes new neighbours, while the dimension grows. The base method is
    fitted on the matches that deserve it, and on the known pairs. More than two datasets are matched to the first.

    Parameters
    ----------
    base : an alignment, default None
        The method of the final fit; None is `CCA` with tf-idf for sparse rows, centred rows of unit length otherwise.
    first_dimension : int, default 10
        Where the dimension begins.
    steps, hold : int, default 20 and 4
        Steps in which the dimension grows, and most steps after that.
    max_runs : int, default 12
        Restarts, at most.
    good : float, default 0.9
        Reproducibility at which no restart follows.
    n_jobs, random_state, verbose
        As in `InstanceAlignment`.

    Attributes
    ----------
    embeddings_, eigenvalues_, names_, n_features_in_
        Of the base method.
    outcome_ : Outcome
        With `reproducibility`, `null`, `trusted`, `verdict`, `suspect_pairs`, `matches` and `history`.

    Examples
    --------
    Two languages, no known translation.

    >>> import landbridge as lb
    >>> documents = lb.datasets.bilingual_documents(600, topics=60, length=600, shuffle=True)
    >>> a = lb.SelfTraining().fit(documents.datasets)
    >>> truth = documents.counterparts(0, 1)
    >>> bool(lb.metrics.recall_at_k(*a.embeddings_, k=1, truth=truth, metric="cosine") > 0.9)
    True
    >>> a.outcome_.trusted
    True
    """

    _method = "self_training"
    _has_maps: ClassVar[bool] = True

    def __init__(
        self,
        base: Any = None,
        *,
        first_dimension: int = 10,
        steps: int = 20,
        hold: int = 4,
        max_runs: int = 12,
        good: float = 0.9,
        n_jobs: int | None = None,
        random_state: int = 0,
        verbose: int = 0,
    ) -> None:
        self.base = base
        self.first_dimension = first_dimension
        self.steps = steps
        self.hold = hold
        self.max_runs = max_runs
        self.good = good
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _core_params(self) -> dict[str, Any]:
        params = super()._core_params()
        if self.base is not None:
            if not isinstance(self.base, Alignment) or isinstance(self.base, SelfTraining):
                raise ParameterError(f"base is {self.base!r}; it must be None or an alignment such as LinearAlignment(100)")
            params["base"] = (self.base._method, self.base._core_params())
        return params

    @staticmethod
    def _from_file(params: dict[str, Any]) -> dict[str, Any]:
        import inspect

        base = params.get("base")
        if base is not None:
            cls = _CLASSES[base["method"]]
            known = inspect.signature(cls.__init__).parameters
            params["base"] = cls(**cls._from_file({k: v for k, v in base["params"].items() if k in known}))
        return params


_CLASSES["self_training"] = SelfTraining
