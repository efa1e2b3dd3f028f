"""Aligned topics: matches the topics of one model to those of another, level by level."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from . import _landbridge as _core
from ._base import whole
from ._errors import DataError, ParameterError
from ._methods import MultiscaleAlignment
from ._picture import write


class AlignedTopic(NamedTuple):
    """One component as a topic of every dataset."""

    #: Its number in the level.
    component: int
    #: For each dataset its words of largest weight, largest first.
    words: list[list[str]]
    #: Weights of these words.
    weights: list[list[float]]
    #: Cosine between the topics of the first two datasets over their words; None if the vocabularies differ in size.
    similarity: float | None
    #: The component whose words in the second dataset are most similar to those of this one in the first.
    best_match: int | None


class TopicAlignment:
    """The result of `align_topics`.

    Attributes
    ----------
    alignment_ : the fitted `MultiscaleAlignment` of the documents
    levels_ : list of int, the number of aligned topics at each level, finest first
    """

    def __init__(
        self, alignment: MultiscaleAlignment, topics: list[npt.NDArray[np.float64]], words: list[list[str]]
    ) -> None:
        self.alignment_ = alignment
        self.levels_ = alignment.levels_
        self._topics = topics
        self._words = words

    def topics(self, level: int | None = None, n: int = 8) -> list[AlignedTopic]:
        """The aligned topics of a level with their `n` top words; None is the level that the alignment shows."""
        model = self.alignment_._shown(level)._fitted("show topics")
        found = model.aligned_topics(self._topics, whole("n", n, 1))
        return [
            AlignedTopic(
                c,
                [[self._words[a][w] for w, _ in side] for a, side in enumerate(sides)],
                [[weight for _, weight in side] for side in sides],
                similarity,
                best,
            )
            for c, (sides, similarity, best) in enumerate(found)
        ]

    def agreement(self, level: int | None = None, n: int = 8) -> tuple[float, float]:
        """How well a level's topics agree across the first two datasets: the share whose own column is the best match, and
        the mean share of the top `n` words in common. Both need one vocabulary."""
        topics = self.topics(level, n)
        if topics[0].similarity is None:
            raise DataError("the vocabularies of the two topic spaces differ, so their words cannot be compared")
        own = float(np.mean([t.best_match == t.component for t in topics]))
        return own, float(np.mean([len(set(t.words[0]) & set(t.words[1])) / n for t in topics]))

    def table(self, level: int | None = None, n: int = 8, limit: int = 20) -> str:
        """The topics of a level side by side, as text: at most `limit`, those most alike first, with `n` words each."""
        topics = sorted(self.topics(level, n), key=lambda t: -(t.similarity or 0.0))[: whole("limit", limit, 1)]
        names = self.alignment_.names_
        width = max(len(name) for name in names)
        lines = []
        for t in topics:
            lines.append(f"topic {t.component}" + ("" if t.similarity is None else f" (cosine {t.similarity:.2f})"))
            lines += [f"  {name:<{width}}  {' '.join(side)}" for name, side in zip(names, t.words)]
        return "\n".join(lines)

    def tree(self, path: str | os.PathLike[str] | None = None, n: int = 4, max_nodes: int = 12) -> str:
        """The tree of levels as SVG text, coarsest on top, also written to `path`, whole or not at all.

        The parent of a topic is the coarser topic with the largest overlap. Levels of more than 120 components are left out.
        A level shows at most `max_nodes` topics, each with `n` words.
        """
        model = self.alignment_._fitted("draw a tree")
        svg = _core.topic_tree(model, self._topics, self._words, whole("n", n, 1), whole("max_nodes", max_nodes, 1))
        if path is not None:
            write(path, svg)
        return svg


def align_topics(documents: Any, topics: Any, words: Any, pairs: Any, **params: Any) -> TopicAlignment:
    """Align topic spaces of one corpus or of several, at every level of a hierarchy.

    An alignment of documents described by topics transforms the topics themselves, ``S_a`` into ``S_a F_a``. The columns of all
    datasets then correspond, and their top words describe them.

    Parameters
    ----------
    documents : list or dict of (n_a, r_a) arrays
        Documents in topic space, for example ``X @ S``.
    topics : list of (r_a, p_a) arrays
        Topic-word matrices, one row per topic: ``lb.LSI(400).fit(X).components_``, scikit-learn's
        ``LatentDirichletAllocation.components_``, or any other.
    words : list of the p words, or one such list per dataset
    pairs : documents known to be the same, as in `fit`
    **params : parameters of `MultiscaleAlignment`

    Examples
    --------
    >>> import numpy as np, landbridge as lb
    >>> rng = np.random.default_rng(0)
    >>> X = rng.poisson(rng.dirichlet(np.full(4, 0.2), 80) @ (40 * rng.dirichlet(np.full(30, 0.2), 4))).astype(float)
    >>> S = [np.linalg.svd(X, full_matrices=False)[2][:6], rng.random((6, 30))]
    >>> pairs = np.column_stack([np.arange(30), np.arange(30)])
    >>> t = lb.align_topics([X @ s.T for s in S], S, [f"w{i}" for i in range(30)], pairs)
    >>> len(t.topics(level=0)) == t.levels_[0], t.tree().startswith("<svg")
    (True, True)
    """
    matrices = [np.asarray(s.toarray() if sparse.issparse(s) else s, dtype=np.float64) for s in topics]
    if any(m.ndim != 2 for m in matrices):
        raise DataError("topics are matrices with a row per topic and a column per word")
    shared = len(words) > 0 and all(isinstance(w, str) for w in words)
    lists = [list(words)] * len(matrices) if shared else [[str(w) for w in own] for own in words]
    if len(lists) != len(matrices):
        raise ParameterError(f"words gives {len(lists)} lists for {len(matrices)} topic spaces; one list serves all, or one each")
    for a, (m, own) in enumerate(zip(matrices, lists)):
        if m.shape[1] != len(own):
            raise DataError(f"topics {a} have {m.shape[1]} columns, but there are {len(own)} words")
    alignment = MultiscaleAlignment(**params).fit(documents, pairs)
    for a, (m, p) in enumerate(zip(matrices, alignment.n_features_in_)):
        if m.shape[0] != p:
            raise DataError(f"topics {a} have {m.shape[0]} rows, but its documents have {p} columns: one per topic")
    if len(matrices) != len(alignment.names_):
        raise DataError(f"there are {len(matrices)} topic spaces for {len(alignment.names_)} sets of documents")
    return TopicAlignment(alignment, [np.ascontiguousarray(m) for m in matrices], lists)
