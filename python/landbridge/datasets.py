"""Synthetic datasets with known truth.

>>> import landbridge as lb
>>> rolls = lb.datasets.swiss_rolls(300, overlap=0.8, shuffle=True)
>>> [X.shape for X in rolls.datasets]
[(270, 3), (270, 3)]
>>> rolls.pairs(20).shape
(20, 2)

All take `overlap`, the share of the objects that appear in every dataset (each of the others appears in only one); `shuffle`,
whether the rows of all datasets except the first are in random order; and `random_state`. The same arguments give the same data.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from . import _landbridge as _core
from ._base import whole

__all__ = [
    "Synthetic",
    "bilingual_documents",
    "branching_trees",
    "helices",
    "lifted_copies",
    "rotated_copies",
    "swiss_rolls",
    "thin_chains",
]


class Synthetic:
    """Datasets with their known truth.

    Attributes
    ----------
    datasets : list of arrays or sparse `csr_array`
    names : list of str
    truth : (objects, c) array, the row of each object in each dataset, -1 if it does not appear
    latent : (objects, q) array, the true coordinates of each object
    labels : list of arrays of text, one per dataset, or None if the generator has no labels
    columns : list of lists of column names, or None if they have no names
    """

    datasets: list[Any]
    names: list[str]
    truth: npt.NDArray[np.int64]
    latent: npt.NDArray[np.float64]
    labels: list[npt.NDArray[np.str_] | None]
    columns: list[list[str] | None]

    def __init__(self, core: _core.Synthetic) -> None:
        self._core = core
        self.names = core.names
        self.datasets = [_rows(core.rows(a)) for a in range(len(self.names))]
        self.truth = core.truth
        self.latent = core.latent
        labels = [core.labels(a) for a in range(len(self.names))]
        self.labels = [None if text is None else np.array(text) for text in labels]
        self.columns = [core.columns(a) for a in range(len(self.names))]

    def pairs(self, count: int, random_state: int = 0) -> npt.NDArray[np.int64]:
        """`count` of the objects that appear in every dataset, chosen at random, as a (count, c) table of pairs.

        With the same `random_state`, a larger count contains all pairs of a smaller one.
        """
        return self._core.pairs(whole("count", count), whole("random_state", random_state))

    def counterparts(self, source: int = 0, target: int = 1) -> npt.NDArray[np.int64]:
        """For each row of `source` the true row of `target`, -1 for none: the `truth` that the metrics take."""
        return self._core.counterparts(whole("source", source), whole("target", target))

    def __repr__(self) -> str:
        parts = ", ".join(f"{name} {X.shape}" for name, X in zip(self.names, self.datasets))
        return f"Synthetic({len(self.truth)} objects: {parts})"


def _rows(rows: Any) -> Any:
    if isinstance(rows, tuple):
        indptr, indices, values, width = rows
        return sparse.csr_array((values, indices, indptr), shape=(len(indptr) - 1, width))
    return rows


def _generate(kind: str, **options: Any) -> Synthetic:
    given = {name: list(v) if isinstance(v, (tuple, np.ndarray)) else v for name, v in options.items()}
    return Synthetic(_core.Synthetic.generate(kind, given))


def swiss_rolls(
    n: int,
    *,
    second: str = "s_curve",
    width: float = 21.0,
    scale: float = 1.0,
    noise: float = 0.0,
    overlap: float = 1.0,
    shuffle: bool = False,
    random_state: int = 0,
) -> Synthetic:
    """One sheet, rolled up in the first dataset and bent otherwise in the second: "swiss", "s_curve" or "flat".

    `latent` holds position along and across the sheet: its distances are the geodesic distances. Labels are bands along it.

    Parameters
    ----------
    n : number of objects
    second : how the second dataset is bent
    width : width of the sheet
    scale : size of the second dataset relative to the first
    noise : standard deviation of the noise in each column
    overlap, shuffle, random_state : as for all datasets here, see above
    """
    return _generate("swiss_rolls", **locals())


def helices(
    n: int,
    *,
    radius: Sequence[float] = (1.0, 2.0),
    pitch: Sequence[float] = (1.0, 0.5),
    turns: Sequence[float] = (2.0, 3.0),
    features: Sequence[int] = (3, 3),
    noise: float = 0.0,
    overlap: float = 1.0,
    shuffle: bool = False,
    random_state: int = 0,
) -> Synthetic:
    """One curve as two helices; one number per helix in each of the four lists.

    Parameters
    ----------
    n : number of objects
    radius, pitch, turns : radius, rise per turn and turns of each helix
    features : columns of each dataset
    noise : standard deviation of the noise in each column
    overlap, shuffle, random_state : as for all datasets here, see above
    """
    return _generate("helices", **locals())


def thin_chains(
    n: int,
    *,
    width: float = 1.0,
    noise: float = 0.0,
    overlap: float = 1.0,
    shuffle: bool = False,
    random_state: int = 0,
) -> Synthetic:
    """A long thin strip, whose eigenvalues lie close to 0 and to each other: hard for eigensolvers.

    Parameters
    ----------
    n : number of objects
    width : width of the strip, in mean spacings along it
    noise : standard deviation of the noise in each column
    overlap, shuffle, random_state : as for all datasets here, see above
    """
    return _generate("thin_chains", **locals())


def branching_trees(
    n: int,
    *,
    splits: int = 2,
    features: Sequence[int] = (200, 100),
    thickness: float = 0.03,
    noise: float = 0.1,
    overlap: float = 1.0,
    shuffle: bool = False,
    random_state: int = 0,
) -> Synthetic:
    """A branching trajectory, measured by two sets of features, as in single-cell data. Labels are the branches.

    Parameters
    ----------
    n : number of objects
    splits : levels of splitting
    features : columns of each dataset
    thickness : scatter of the objects around their branch
    noise : standard deviation of the noise in each column
    overlap, shuffle, random_state : as for all datasets here, see above
    """
    return _generate("branching_trees", **locals())


def rotated_copies(
    n: int,
    *,
    n_features: int = 3,
    n_datasets: int = 2,
    scale: float = 1.0,
    translation: float = 1.0,
    noise: float = 0.0,
    overlap: float = 1.0,
    shuffle: bool = False,
    random_state: int = 0,
) -> Synthetic:
    """A cloud and its rotated, scaled and translated copies.

    Parameters
    ----------
    n : number of objects
    n_features : columns of every dataset
    n_datasets : number of datasets, the cloud included
    scale : each copy is this much larger than the one before
    translation : typical shift of a copy in each coordinate
    noise : standard deviation of the noise in each column
    overlap, shuffle, random_state : as for all datasets here, see above
    """
    return _generate("rotated_copies", **locals())


def lifted_copies(
    n: int,
    *,
    intrinsic: int = 5,
    clusters: int = 10,
    spread: float = 0.4,
    features: Sequence[int] = (50, 80),
    map: str = "tanh",
    roughness: float = 1.0,
    noise: float = 0.05,
    overlap: float = 1.0,
    shuffle: bool = False,
    random_state: int = 0,
) -> Synthetic:
    """Clusters on a manifold of few dimensions, lifted into many by another random smooth map ("tanh" or "fourier") for each
    dataset; as many datasets as numbers of `features`. Labels are the clusters.

    Parameters
    ----------
    n : number of objects
    intrinsic : dimensions of the manifold
    clusters : number of clusters
    spread : standard deviation within a cluster
    features : columns of each dataset
    map : kind of map, "tanh" or "fourier"
    roughness : how strongly the maps bend
    noise : standard deviation of the noise in each column
    overlap, shuffle, random_state : as for all datasets here, see above
    """
    return _generate("lifted_copies", **locals())


def bilingual_documents(
    n: int,
    *,
    topics: int = 20,
    vocabulary: Sequence[int] = (2000, 1500),
    length: float = 100.0,
    concentration: float = 0.1,
    specificity: float = 0.05,
    zipf: float = 1.0,
    prevalence: float = 0.0,
    languages: Sequence[str] = ("en", "it"),
    overlap: float = 1.0,
    shuffle: bool = False,
    random_state: int = 0,
) -> Synthetic:
    """The same documents in two languages, as sparse counts of words; `latent` holds their mixtures of topics.

    With `prevalence` 0 all topics are equally frequent, and only pairs can tell them apart; with 1 some are frequent, some rare.

    Parameters
    ----------
    n : number of objects
    topics : number of topics
    vocabulary : words of each language
    length : mean number of words in a document
    concentration : Dirichlet parameter of the mixtures of topics; small: few topics in a document
    specificity : mean Dirichlet parameter of the words in a topic; small: few words in a topic
    zipf : exponent of the word frequencies
    prevalence : exponent of the topic frequencies
    languages : names of the languages
    overlap, shuffle, random_state : as for all datasets here, see above
    """
    return _generate("bilingual_documents", **locals())
