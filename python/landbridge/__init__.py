"""landbridge aligns datasets that share no features in one joint space (manifold alignment).

Examples are English and Italian documents, gene expression and chromatin of the same cells, or two shapes of one object. From
a few rows known to correspond, landbridge finds a joint space in which all rows are comparable. It maps new rows into this
space, and matches the rows of one dataset to those of another.

>>> import landbridge as lb
>>> rolls = lb.datasets.swiss_rolls(300)                      # two shapes, 300 points each
>>> pairs = rolls.pairs(30)                                   # 30 points known in both
>>> a = lb.InstanceAlignment(n_components=4).fit(rolls.datasets, pairs)
>>> idx, dist = a.match(source=0, target=1, k=10)             # the 10 best matches of each row
>>> bool(lb.metrics.recall_at_k(*a.embeddings_, k=10) > 0.5)  # the true one is among them
True
"""

from typing import TYPE_CHECKING, Any

from . import _methods, control, datasets, geometry, links, metrics, sc, solve
from ._alignment import Alignment, load
from ._bridge import BridgeReport, Quality, bridge
from ._choose import AlignCV, Comparison, Selection, align, compare, tune
from ._confidence import MatchConfidence
from ._cells import from_anndata, from_mudata, to_anndata
from ._embeddings import Embedding, load_embedding
from ._errors import (
    AlignmentWarning,
    DataError,
    FileError,
    InternalError,
    LandbridgeError,
    MemoryLimitError,
    ModelError,
    NotFittedError,
    NumericalError,
    PairsError,
    ParameterError,
    UndefinedError,
)
from ._landbridge import __version__
from ._matching import infer_pairs, match_rows
from ._methods import *
from ._outcome import Outcome
from ._held_out import HeldOut, trust
from ._pair_check import PairCheck, check_pairs
from ._picture import Picture, plot
from ._plan import Plan, plan, set_max_memory
from ._presets import preset, presets
from ._scores import Evaluation
from ._sparse import SparsePath, sparse_path
from ._statistics import Shard, Statistics
from ._tables import Pairs, Table, read, read_all, read_pairs
from ._topics import AlignedTopic, TopicAlignment, align_topics
from ._two_sets import TwoSets

__all__ = [
    *_methods.__all__,
    "AlignCV",
    "AlignedTopic",
    "Alignment",
    "AlignmentWarning",
    "BridgeReport",
    "Comparison",
    "DataError",
    "Embedding",
    "Evaluation",
    "FileError",
    "HeldOut",
    "InternalError",
    "LandbridgeError",
    "MatchConfidence",
    "MemoryLimitError",
    "ModelError",
    "NotFittedError",
    "NumericalError",
    "Outcome",
    "PairCheck",
    "Pairs",
    "PairsError",
    "ParameterError",
    "Picture",
    "Plan",
    "Quality",
    "Selection",
    "Shard",
    "SparsePath",
    "Statistics",
    "Table",
    "TopicAlignment",
    "TwoSets",
    "UndefinedError",
    "__version__",
    "align",
    "align_topics",
    "bridge",
    "check_pairs",
    "compare",
    "control",
    "dask",
    "datasets",
    "from_anndata",
    "from_mudata",
    "geometry",
    "links",
    "infer_pairs",
    "load",
    "load_embedding",
    "match_rows",
    "metrics",
    "plan",
    "plot",
    "preset",
    "presets",
    "read",
    "read_all",
    "read_pairs",
    "sc",
    "set_max_memory",
    "solve",
    "sparse_path",
    "to_anndata",
    "trust",
    "tune",
]

if TYPE_CHECKING:
    from . import dask


def __getattr__(name: str) -> Any:
    """Imports `landbridge.dask` when it is used first: Dask need not be installed for the rest."""
    if name == "dask":
        import importlib

        return importlib.import_module(".dask", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
