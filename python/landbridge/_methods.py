"""One class per method and embedding.

Written by `cargo xtask generate` from the declarations in Rust: do not edit.
"""

from __future__ import annotations

from typing import Any, Literal

from ._alignment import _CLASSES, Alignment
from ._embeddings import _EMBEDDINGS, Embedding, LinearEmbedding
from ._global import GlobalMaps
from ._linear import LinearMaps
from ._multiscale import Levels
from ._predicting import Predicting, Votes
from ._self_training import SelfTrained
from ._sparse import SparseMaps
from ._two_step import TwoStep


class LinearAlignment(LinearMaps):
    """One linear map per dataset into the joint space: any new row can be mapped, and features can be compared.

    The d smallest non-zero solutions of `(X'LX + R) f = λ X'DX f`, where X is the block diagonal of the prepared
    datasets (never formed), L and D belong to the joint graph of neighbours and pairs, and R is the ridge: for each
    dataset `ridge` times the mean of the diagonal of its `X'DX`. By default (no `ridge` given) the ridge is 1, it
    stands on both sides, `(X'LX + R) f = λ (X'DX + R) f`, and the components are weighed by what they say about pairs
    (`LinearAlignment::weight_components`): with strong pairs that tends to ridge CCA, and it is what did best on
    documents and on single cells.

    Departure: the papers have no ridge and raw μ = 1 (`.ridge(Some(0.0)).balance(false)`); with that, maps of
    thousands of words fit the pairs and nothing else.

    Time: neighbours, the matrix `X'LX` (sparse rows: stored entries only), one Cholesky factorisation of P³/3 and
    about 3 d products with it. Memory: one P × P matrix, beside the rows.

    Parameters
    ----------
    n_components : int
        Dimension of the joint space.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": `|x − y|`.
        "cosine": `1 − x·y / |x||y|`; 1 where a row is zero.
    weights : "heat", "binary", "cosine", "local", "precomputed", default "heat"
        Weight of an edge.
        "heat": `exp(−d² / 2σ²)`, σ given or the mean distance to the k neighbours.
        "binary": 1.
        "cosine": The cosine of the two rows; edges whose cosine is not positive are dropped.
        "local": Self-tuning: `exp(−d² / σ_i σ_j)`, σ_i the distance of row i to its k-th neighbour.
        "precomputed": The graph is given, not built from rows.
    heat_width : float, default None
        Width σ of heat weights; none: the mean distance to the neighbours.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to `EXACT_LIMIT` dense rows, approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    graphs : list of sparse matrices, one per dataset, default None
        Given graphs instead of neighbours: one symmetric sparse matrix of weights per dataset. New rows have no place in a given
        graph.
    mu : float, default 100.0
        Strength of the pairs.
    nu : float, default 1.0
        Strength of the neighbours.
    balance : bool, default True
        Count mu in units of (total edge weight) / (total pair weight); false is the papers' raw μ.

        Departure: the papers print a raw μ, with which a thousand pairs drown among tens of thousands of graph
        edges; the authors' own code balances without saying so.
    constraint : "degree", "identity", default "degree"
        Right-hand side of the eigenproblem.
        "degree": `F'X'DXF = I` (Chapter11).
        "identity": `F'X'XF = I` (Sparse12 §2.1.2).
    ridge : float, default "auto"
        Ridge on the left-hand side, in units of the mean diagonal of `X'DX`; 0 is the papers' problem. Auto: 1, on both sides.
    weight_components : bool, default None
        Coordinates times `sqrt(ρ / (1 − ρ²))`, where ρ is what a component says about pairs; none: only where no ridge is given.
    prepare : "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", default "center"
        What is done to the rows first. It is learnt by the fit, kept in the model and done to new rows.
        "none": Nothing.
        "center": The mean of each column is subtracted.
        "unit": Each row has length 1 (zero rows stay zero).
        "center_unit": Centred, then unit length.
        "unit_center": Unit length, then centred.
        "tfidf": Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
        "tfidf_center": As `Tfidf`, then centred.
        "log_tfidf": As `Tfidf`, with `ln(1 + count)` in place of counts: a word said ten times is not ten times as important.
        "standardize": Centred, and each column divided by its standard deviation (constant columns become 0).
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    embeddings_ : list of (n_a, d) arrays, the fitted rows in the joint space
    maps_ : list of (p_a, d) arrays
    component_weights_ : (d,) array or None
    eigenvalues_ : array, one per component
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings

    Examples
    --------
    >>> import landbridge as lb
    >>> documents = lb.datasets.bilingual_documents(300)
    >>> a = lb.LinearAlignment(20, prepare="unit_center").fit(documents.datasets, documents.pairs(150))
    >>> bool(lb.metrics.recall_at_k(*a.embeddings_, k=10, metric="cosine") > 0.5)
    True
    >>> a.map(documents.datasets[0][:2], source=0, target=1).shape[0]
    2
    >>> len(a.top_features(dataset=0, component=0, n=5))
    5
    """

    _method = "linear"

    def __init__(
        self,
        n_components: int,
        *,
        n_neighbors: int = 10,
        metric: Literal["euclidean", "cosine"] = "euclidean",
        weights: Literal["heat", "binary", "cosine", "local", "precomputed"] = "heat",
        heat_width: float | None = None,
        search: Literal["auto", "exact", "approximate"] = "auto",
        random_state: int = 0,
        graphs: Any = None,
        mu: float = 100.0,
        nu: float = 1.0,
        balance: bool = True,
        constraint: Literal["degree", "identity"] = "degree",
        ridge: float | Literal["auto"] = "auto",
        weight_components: bool | None = None,
        prepare: Literal["none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize"] | None = "center",
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.heat_width = heat_width
        self.search = search
        self.random_state = random_state
        self.graphs = graphs
        self.mu = mu
        self.nu = nu
        self.balance = balance
        self.constraint = constraint
        self.ridge = ridge
        self.weight_components = weight_components
        self.prepare = prepare
        self.n_jobs = n_jobs
        self.verbose = verbose


class CCA(LinearMaps):
    """Directions in which paired rows correlate most, one linear map per dataset.

    The d largest solutions of `C f = ρ (B + R) f`: C holds the cross products `X_a' W_ab X_b` over the pairs, B the
    products `X_a' M_a X_a` over the same rows (M: how many pairs a row is in), R the ridge, for each dataset `ridge`
    times the mean of the diagonal of `X_a' M_a X_a`. For two datasets ρ are the canonical correlations; for more it
    is the sum-of-correlations form, ρ between −1/(c−1) and 1. Rows without a pair are placed, but teach nothing.

    Parameters
    ----------
    n_components : int
        Dimension of the joint space.
    ridge : float, default "auto"
        Ridge, in units of the mean diagonal of `X'X`; 0 is plain CCA. Auto: 1.
    weight_components : bool, default None
        Coordinates times `sqrt(ρ / (1 − ρ²))`, where ρ is what a component says about pairs; none: only where no ridge is given.
    prepare : "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", default "center"
        What is done to the rows first. It is learnt by the fit, kept in the model and done to new rows.
        "none": Nothing.
        "center": The mean of each column is subtracted.
        "unit": Each row has length 1 (zero rows stay zero).
        "center_unit": Centred, then unit length.
        "unit_center": Unit length, then centred.
        "tfidf": Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
        "tfidf_center": As `Tfidf`, then centred.
        "log_tfidf": As `Tfidf`, with `ln(1 + count)` in place of counts: a word said ten times is not ten times as important.
        "standardize": Centred, and each column divided by its standard deviation (constant columns become 0).
    n_principal : int, default None
        Maps within that many leading principal directions of each dataset's paired rows: faster for many features. None: all
        directions.
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    embeddings_ : list of (n_a, d) arrays, the fitted rows in the joint space
    maps_ : list of (p_a, d) arrays
    component_weights_ : (d,) array or None
    eigenvalues_ : array, one per component
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings

    Examples
    --------
    >>> import landbridge as lb
    >>> documents = lb.datasets.bilingual_documents(300)
    >>> a = lb.CCA(20).fit(documents.datasets, documents.pairs(150))
    >>> bool(a.eigenvalues_[0] <= 1)
    True
    """

    _method = "cca"

    def __init__(
        self,
        n_components: int,
        *,
        ridge: float | Literal["auto"] = "auto",
        weight_components: bool | None = None,
        prepare: Literal["none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize"] | None = "center",
        n_principal: int | None = None,
        random_state: int = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.ridge = ridge
        self.weight_components = weight_components
        self.prepare = prepare
        self.n_principal = n_principal
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class SelfTraining(SelfTrained):
    """Feeds a method its own confident matches, beginning with the pairs that are known, or with none.

    1. Each dataset by itself: tf-idf for sparse rows, centred, unit length, principal coordinates.
    2. *Signatures*: how similar a row is to the others of its dataset, at several scales; comparable without any pair.
    3. A loop: mutual nearest neighbours (CSLS) become pairs, the pairs make a map (singular vectors of their cross
       covariance), the map makes new neighbours, in a space that grows from `first_dimension` to all principal
       coordinates. Known pairs weigh as much as all matches at first, and as one each in the end.
    4. *Reproducibility*: maps fitted on half of the matches must find the other half. It is compared with what comes out
       of a copy whose columns were shuffled, with the same power of the singular values; restarts from other starts and
       with another power until it is good, or two starts agree. The run with most over its null wins.
    5. The `base` method is fitted on the matches that deserve it, and on the known pairs.

    More than two datasets are matched to the first, one after the other.

    The outcome holds a `Trust`: reproducibility, that of the null, whether to trust the result.

    Parameters
    ----------
    base : an alignment such as ``LinearAlignment(100)``, default None
        The method of the final fit. None: CCA in principal coordinates, with tf-idf for sparse rows, centred rows of unit length
        otherwise.
    first_dimension : int, default 10
        Where the dimension begins.
    steps : int, default 20
        Steps in which the dimension grows.
    hold : int, default 4
        Steps after that, at most; it ends when the matches repeat.
    max_runs : int, default 12
        Number of restarts, at most.
    good : float, default 0.9
        Reproducibility at which no restart follows.
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    embeddings_, eigenvalues_ : of the base method
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings

    Examples
    --------
    Two noisy views of one cloud in different orders, no known pair.

    >>> import numpy as np
    >>> import landbridge as lb
    >>> rng = np.random.default_rng(0)
    >>> cloud = rng.exponential(size=(400, 30)) / np.arange(1, 31) ** 0.7
    >>> order = rng.permutation(400)
    >>> X = cloud @ rng.standard_normal((30, 600))
    >>> Y = (cloud @ rng.standard_normal((30, 500)))[order]
    >>> a = lb.SelfTraining().fit([X, Y])
    >>> bool(lb.metrics.recall_at_k(*a.embeddings_, k=1, truth=np.argsort(order), metric="cosine") > 0.9)
    True
    >>> a.outcome_.trusted
    True
    """

    _method = "self_training"

    def __init__(
        self,
        base: Any = None,
        *,
        first_dimension: int = 10,
        steps: int = 20,
        hold: int = 4,
        max_runs: int = 12,
        good: float = 0.9,
        random_state: int = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.base = base
        self.first_dimension = first_dimension
        self.steps = steps
        self.hold = hold
        self.max_runs = max_runs
        self.good = good
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class InstanceAlignment(Alignment):
    """Puts every row of every dataset at its place in one joint space.

    Minimises `Σ_ab Σ_ij W_ij |f_i − f_j|²` over all rows of all datasets, where W holds the similarity of
    neighbours within a dataset (times `nu`) and the known pairs across datasets (times `mu`), subject to
    `F'DF = I`: the d smallest non-zero solutions of `L f = λ D f`.

    Time: neighbours (see `crate::geometry::neighbors`) plus O(N k d) per product of the eigensolver. Memory:
    the rows, O(N k) for the graph, about O(N (2d + 60)) for the eigensolver; never N × N.

    A joint graph of several connected components has as many zero solutions, all of which are skipped; the
    outcome warns that positions of components relative to each other mean nothing.

    Parameters
    ----------
    n_components : int
        Dimension of the joint space.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": `|x − y|`.
        "cosine": `1 − x·y / |x||y|`; 1 where a row is zero.
    weights : "heat", "binary", "cosine", "local", "precomputed", default "heat"
        Weight of an edge.
        "heat": `exp(−d² / 2σ²)`, σ given or the mean distance to the k neighbours.
        "binary": 1.
        "cosine": The cosine of the two rows; edges whose cosine is not positive are dropped.
        "local": Self-tuning: `exp(−d² / σ_i σ_j)`, σ_i the distance of row i to its k-th neighbour.
        "precomputed": The graph is given, not built from rows.
    heat_width : float, default None
        Width σ of heat weights; none: the mean distance to the neighbours.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to `EXACT_LIMIT` dense rows, approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    graphs : list of sparse matrices, one per dataset, default None
        Given graphs instead of neighbours: one symmetric sparse matrix of weights per dataset. New rows have no place in a given
        graph.
    mu : float, default 1.0
        Strength of the pairs.
    nu : float, default 1.0
        Strength of the neighbours.
    balance : bool, default True
        Count mu in units of (total edge weight) / (total pair weight); false is the papers' raw μ.

        Departure: the papers print a raw μ, with which a thousand pairs drown among tens of thousands of graph
        edges; the authors' own code balances without saying so.
    hard : bool, default False
        Corresponding rows coincide: they are merged to one node.
    normalized : bool, default True
        Constraint `F'DF = I` (normalised Laplacian); false: `F'F = I`.
    tolerance : float, default 1e-5
        Relative residual of the eigensolver.
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    embeddings_ : list of (n_a, d) arrays, the fitted rows in the joint space
    eigenvalues_ : array, one per component
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings

    Examples
    --------
    Two rolled-up sheets; 30 of 300 points are known in both.

    >>> import landbridge as lb
    >>> rolls = lb.datasets.swiss_rolls(300)
    >>> a = lb.InstanceAlignment(4).fit(rolls.datasets, rolls.pairs(30))
    >>> [z.shape for z in a.embeddings_]
    [(300, 4), (300, 4)]
    >>> idx, dist = a.match(source=0, target=1, k=10)
    >>> idx.shape
    (300, 10)
    >>> bool(lb.metrics.recall_at_k(*a.embeddings_, k=10) > 0.5)
    True
    >>> a.transform(rolls.datasets[1][:5], dataset=1).shape
    (5, 4)
    """

    _method = "instance"

    def __init__(
        self,
        n_components: int,
        *,
        n_neighbors: int = 10,
        metric: Literal["euclidean", "cosine"] = "euclidean",
        weights: Literal["heat", "binary", "cosine", "local", "precomputed"] = "heat",
        heat_width: float | None = None,
        search: Literal["auto", "exact", "approximate"] = "auto",
        random_state: int = 0,
        graphs: Any = None,
        mu: float = 1.0,
        nu: float = 1.0,
        balance: bool = True,
        hard: bool = False,
        normalized: bool = True,
        tolerance: float = 1e-5,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.heat_width = heat_width
        self.search = search
        self.random_state = random_state
        self.graphs = graphs
        self.mu = mu
        self.nu = nu
        self.balance = balance
        self.hard = hard
        self.normalized = normalized
        self.tolerance = tolerance
        self.n_jobs = n_jobs
        self.verbose = verbose


class GlobalAlignment(GlobalMaps):
    """Places in which distances are those of the data, within each dataset and, through the pairs, across datasets.

    Distances within a dataset are measured along its neighbour graph; those of every other dataset are multiplied by η so
    that distances between paired rows fit those of the first (eq. 3); across datasets the way leads through the best pair
    (eq. 4). `τ(D) = −½ H D² H` turns distances into inner products. Feature level: the d largest solutions of
    `Z'τ(D)Z γ = λ (Z'Z + R) γ`, Z the block diagonal of the prepared datasets. Instance level: the d largest of τ(D) itself.

    Departures: the largest eigenvalues at instance level too (the paper's "minimum" is a slip); rows are not multiplied by
    η (step 2), which would divide the maps by η and change nothing else; coordinates are weighted by default at instance
    level and for geodesic distances, because that more than doubles the share of documents found (`Some(false)` is the
    paper), and not for maps of straight or given distances, where it loses a third of them. Two datasets that share no pair
    are bridged through the first; every dataset must share pairs with the first.

    A disconnected neighbour graph is joined by its shortest missing edges, and the outcome says so. Time: N searches for
    shortest paths, `n_a n_b l` sums for the bridges (of 16 bits, where these tell), and either about 8 d products of the
    N × N matrix with a vector, or, at feature level where that is less, `Z'τ(D)Z` as a matrix in single precision, whose
    eigenvectors are refined by a product of the N × N matrix with each. Memory: the blocks of D, half of the mirrored ones left out.

    Parameters
    ----------
    n_components : int
        Dimension of the joint space.
    level : "feature", "instance", default "feature"
        What is learnt.
        "feature": A linear map of the features of each dataset.
        "instance": A place for each row. (Sparse12 §4.1: X is the identity, groups and order are those of rows.)
    distance : "geodesic", "euclidean", "cosine", "precomputed", default "geodesic"
        Distances within a dataset.
        "geodesic": Along the data: shortest paths over the neighbour graph.
        "euclidean": Straight.
        "cosine": `1 − cos`.
        "precomputed": Given.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, for geodesic distances.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": `|x − y|`.
        "cosine": `1 − x·y / |x||y|`; 1 where a row is zero.
    ridge : float, default 0.0
        Ridge R, in units of the mean diagonal of each dataset's `Z'Z`; 0: solved on the range of `Z'Z`.
    weight_components : bool, default None
        Coordinates times √λ, so that distances are those of D; false: sphered, as in the paper. None: at instance level and for
        geodesic distances.
    landmarks : int, default None
        Distances to that many rows only: memory N × m instead of N².
    psd : bool, default False
        τ(D) without its negative eigenvalues. It needs all of them: N³ operations, with landmarks m³.
    prepare : "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", default "center"
        What is done to the rows first. It is learnt by the fit, kept in the model and done to new rows.
        "none": Nothing.
        "center": The mean of each column is subtracted.
        "unit": Each row has length 1 (zero rows stay zero).
        "center_unit": Centred, then unit length.
        "unit_center": Unit length, then centred.
        "tfidf": Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
        "tfidf_center": As `Tfidf`, then centred.
        "log_tfidf": As `Tfidf`, with `ln(1 + count)` in place of counts: a word said ten times is not ten times as important.
        "standardize": Centred, and each column divided by its standard deviation (constant columns become 0).
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to `EXACT_LIMIT` dense rows, approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    distances : list of (n_a, n_a) arrays, default None
        Given distances: one symmetric matrix per dataset. Implies precomputed distances.
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    embeddings_ : list of (n_a, d) arrays, the fitted rows in the joint space
    maps_ : list of (p_a, d) arrays; empty at instance level
    component_weights_ : (d,) array ``sqrt(eigenvalues_)``, or None
    eigenvalues_ : (d,) array, descending
    scales_ : (c,) array, what the distances of each dataset were multiplied by
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings

    Examples
    --------
    >>> import landbridge as lb
    >>> rolls = lb.datasets.swiss_rolls(1000)
    >>> a = lb.GlobalAlignment(2, level="instance").fit(rolls.datasets, rolls.pairs(100))
    >>> bool(lb.metrics.recall_at_k(*a.embeddings_, k=10) > 0.9)
    True
    >>> a.transform(rolls.datasets[1][:5], dataset=1).shape
    (5, 2)
    """

    _method = "global"

    def __init__(
        self,
        n_components: int,
        *,
        level: Literal["feature", "instance"] = "feature",
        distance: Literal["geodesic", "euclidean", "cosine", "precomputed"] = "geodesic",
        n_neighbors: int = 10,
        metric: Literal["euclidean", "cosine"] = "euclidean",
        ridge: float = 0.0,
        weight_components: bool | None = None,
        landmarks: int | None = None,
        psd: bool = False,
        prepare: Literal["none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize"] | None = "center",
        search: Literal["auto", "exact", "approximate"] = "auto",
        random_state: int = 0,
        distances: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.level = level
        self.distance = distance
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.ridge = ridge
        self.weight_components = weight_components
        self.landmarks = landmarks
        self.psd = psd
        self.prepare = prepare
        self.search = search
        self.random_state = random_state
        self.distances = distances
        self.n_jobs = n_jobs
        self.verbose = verbose


class SparseAlignment(SparseMaps):
    """Sparse maps: few features of each dataset carry the joint space, and those that only one dataset has are pruned.

    The d smallest non-zero eigenvectors of the joint Laplacian are the targets; for each dataset the map W minimises
    `|Y − XW|² + penalty(W)`, Y the dataset's rows of the eigenvectors and X its prepared rows. Z = diag(X_a) is block
    diagonal, so that datasets separate (Sparse12 §4).

    β counts in units of the same α as `alpha` (fused; default a tenth of `alpha`), or in units of the mean diagonal of
    `X'X` (elastic net and none; default 0.1).

    Departure: the paper takes plain eigenvectors, a raw μ and absolute strengths
    (`.normalized(false).balance(false).relative(false)`). Theorem 2 asks for rank(Z) = N − 1 with every dataset centred;
    a block-diagonal Z then has rank N − c at most. What holds, and is tested: with rows as they are (`Prepare::None`) and
    full row rank, the maps without penalty span the eigenvector solution. The fused penalty ends with each dataset.

    Time: neighbours, eigenvectors, and for each dataset `X'X` (sparse rows: stored entries only) and its regressions.
    Memory: one p × p matrix where p ≤ 8,192, otherwise residuals of 32 components at a time.

    Parameters
    ----------
    n_components : int
        Dimension of the joint space.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": `|x − y|`.
        "cosine": `1 − x·y / |x||y|`; 1 where a row is zero.
    weights : "heat", "binary", "cosine", "local", "precomputed", default "heat"
        Weight of an edge.
        "heat": `exp(−d² / 2σ²)`, σ given or the mean distance to the k neighbours.
        "binary": 1.
        "cosine": The cosine of the two rows; edges whose cosine is not positive are dropped.
        "local": Self-tuning: `exp(−d² / σ_i σ_j)`, σ_i the distance of row i to its k-th neighbour.
        "precomputed": The graph is given, not built from rows.
    heat_width : float, default None
        Width σ of heat weights; none: the mean distance to the neighbours.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to `EXACT_LIMIT` dense rows, approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    graphs : list of sparse matrices, one per dataset, default None
        Given graphs instead of neighbours: one symmetric sparse matrix of weights per dataset. New rows have no place in a given
        graph.
    mu : float, default 1.0
        Strength of the pairs.
    nu : float, default 1.0
        Strength of the neighbours.
    balance : bool, default True
        Count mu in units of (total edge weight) / (total pair weight); false is the papers' raw μ.

        Departure: the papers print a raw μ, with which a thousand pairs drown among tens of thousands of graph
        edges; the authors' own code balances without saying so.
    normalized : bool, default True
        Constraint `F'DF = I` (normalised Laplacian); false: `F'F = I`.
    penalty : "none", "lasso", "elastic_net", "group", "fused", default "lasso"
        What keeps weights small, or at 0.
        "none": A ridge alone: γ |W|².
        "lasso": α |W|₁.
        "elastic_net": α |W|₁ + γ |W|².
        "group": α Σ_g √|g| |W_g| over groups of features and all components: a group is in or out as a whole.
        "fused": α |W|₁ + β Σ |w_k − w_{k−1}| in the order of the features.
    alpha : float, default 0.02
        Strength α, as a share of the smallest that leaves no weight in the dataset (relative), or as it stands in the objective.
    beta : float, default "auto"
        Second strength: of differences (fused), of the ridge (elastic_net, none). Auto: a tenth of alpha (fused), 0.1.
    relative : bool, default True
        Strengths are shares of what leaves no weight; false: they stand as in the objective.
    groups : list with one entry per dataset: lists of column numbers, or one label per column, default None
        Penalty group: the features of each group, for each dataset. None: every feature by itself.
    order : list with one permutation of the columns per dataset, default None
        Penalty fused: the features in their order, for each dataset. None: as they are.
    level : "feature", "instance", default "feature"
        What is learnt.
        "feature": A linear map of the features of each dataset.
        "instance": A place for each row. (Sparse12 §4.1: X is the identity, groups and order are those of rows.)
    refit : float, default None
        Fit the weights that the penalty has chosen again, with this ridge in units of the mean diagonal of `X'X`: fewer
        features find as much, because those that stay are not held down any more.
    prepare : "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", default "center"
        What is done to the rows first. It is learnt by the fit, kept in the model and done to new rows.
        "none": Nothing.
        "center": The mean of each column is subtracted.
        "unit": Each row has length 1 (zero rows stay zero).
        "center_unit": Centred, then unit length.
        "unit_center": Unit length, then centred.
        "tfidf": Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
        "tfidf_center": As `Tfidf`, then centred.
        "log_tfidf": As `Tfidf`, with `ln(1 + count)` in place of counts: a word said ten times is not ten times as important.
        "standardize": Centred, and each column divided by its standard deviation (constant columns become 0).
    tolerance : float, default 1e-8
        Relative duality gap of every regression.
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    embeddings_ : list of (n_a, d) arrays, the fitted rows in the joint space
    maps_ : list of (p_a, d) sparse arrays
    features_used_, pruned_ : features of each dataset with any weight, and the share of those without
    alphas_, betas_, largest_alphas_ : strengths, as they stand in the objective
    gaps_, objectives_ : the largest relative duality gap, the least value found
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings

    Examples
    --------
    >>> import landbridge as lb
    >>> documents = lb.datasets.bilingual_documents(300)
    >>> a = lb.SparseAlignment(20, prepare="unit_center").fit(documents.datasets, documents.pairs(150))
    >>> a.features_used_[0] < documents.datasets[0].shape[1]
    True
    >>> max(a.gaps_) <= 1e-8
    True
    >>> a.transform(documents.datasets[1][:2], dataset=1).shape
    (2, 20)
    """

    _method = "sparse"

    def __init__(
        self,
        n_components: int,
        *,
        n_neighbors: int = 10,
        metric: Literal["euclidean", "cosine"] = "euclidean",
        weights: Literal["heat", "binary", "cosine", "local", "precomputed"] = "heat",
        heat_width: float | None = None,
        search: Literal["auto", "exact", "approximate"] = "auto",
        random_state: int = 0,
        graphs: Any = None,
        mu: float = 1.0,
        nu: float = 1.0,
        balance: bool = True,
        normalized: bool = True,
        penalty: Literal["none", "lasso", "elastic_net", "group", "fused"] | None = "lasso",
        alpha: float = 0.02,
        beta: float | Literal["auto"] = "auto",
        relative: bool = True,
        groups: Any = None,
        order: Any = None,
        level: Literal["feature", "instance"] = "feature",
        refit: float | None = None,
        prepare: Literal["none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize"] | None = "center",
        tolerance: float = 1e-8,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.heat_width = heat_width
        self.search = search
        self.random_state = random_state
        self.graphs = graphs
        self.mu = mu
        self.nu = nu
        self.balance = balance
        self.normalized = normalized
        self.penalty = penalty
        self.alpha = alpha
        self.beta = beta
        self.relative = relative
        self.groups = groups
        self.order = order
        self.level = level
        self.refit = refit
        self.prepare = prepare
        self.tolerance = tolerance
        self.n_jobs = n_jobs
        self.verbose = verbose


class MultiscaleAlignment(Levels):
    """A hierarchy of alignments, coarse to fine, whose dimensions come out of the data.

    With `G'G = X'X` (X the block diagonal of the prepared datasets) and `T = (G⁺' X'LX G⁺)⁺` scaled to norm 1, level
    k = 1, 2, … spans the eigenvectors of T with `λ^(2^k) ≥ precision`, in localised functions `[φ_k]`; the maps are
    `F_k = G⁺ [φ_k]`, so that `(X F_k)'(X F_k) = I`. `Alignment::levels` lists the levels, finest first;
    `Alignment::at_level` shows one. An alignment shows the finest level that leaves something out: the whole space
    (level 0, mostly) does not bring datasets together at all.

    Departure: the chapter inverts once in step 3 and again in step 4; one inverse is meant. It has μ = 1, not
    balanced, with which the coarsest levels say no more than "one dataset or the other".

    Directed graphs go through the recursion and have no optimality, as the chapter says.

    Time: neighbours, one decomposition of r³ (r the rank of all datasets together), one pivoted QR per level. Memory: rows
    times r, and r times the dimensions of the levels. Over instances only as many eigenvectors as level 0 needs.

    Parameters
    ----------
    precision : float, default 1e-5
        Precision ε: an eigenvector belongs to level k where `λ^(2^k) ≥ ε`.
    max_levels : int, default None
        Number of levels, at most; none: all up to the top.
    level : "feature", "instance", default "feature"
        What the functions of a level are functions of: features (every level has a map per dataset), or rows.
        "feature": A linear map of the features of each dataset.
        "instance": A place for each row. (Sparse12 §4.1: X is the identity, groups and order are those of rows.)
    construction : "auto", "spectral", "recursion", default "auto"
        How the levels are built.
        "auto": Spectral for symmetric operators of up to 4,000 rows, the recursion for all others.
        "spectral": Localised bases of the exact spectral subspaces. Symmetric operators only.
        "recursion": The published recursion: orthogonalise the columns of the power, compress, square.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": `|x − y|`.
        "cosine": `1 − x·y / |x||y|`; 1 where a row is zero.
    weights : "heat", "binary", "cosine", "local", "precomputed", default "heat"
        Weight of an edge.
        "heat": `exp(−d² / 2σ²)`, σ given or the mean distance to the k neighbours.
        "binary": 1.
        "cosine": The cosine of the two rows; edges whose cosine is not positive are dropped.
        "local": Self-tuning: `exp(−d² / σ_i σ_j)`, σ_i the distance of row i to its k-th neighbour.
        "precomputed": The graph is given, not built from rows.
    heat_width : float, default None
        Width σ of heat weights; none: the mean distance to the neighbours.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to `EXACT_LIMIT` dense rows, approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    graphs : list of sparse matrices, one per dataset, default None
        Given graphs instead of neighbours: one symmetric sparse matrix of weights per dataset. New rows have no place in a given
        graph.
    directed : bool, default False
        Edges lead from a row to its neighbours only, and given graphs need not be symmetric.
    mu : float, default 100.0
        Strength of the pairs.
    nu : float, default 1.0
        Strength of the neighbours.
    balance : bool, default True
        Count mu in units of (total edge weight) / (total pair weight); false is the papers' raw μ.

        Departure: the papers print a raw μ, with which a thousand pairs drown among tens of thousands of graph
        edges; the authors' own code balances without saying so.
    prepare : "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", default "center"
        What is done to the rows first. It is learnt by the fit, kept in the model and done to new rows.
        "none": Nothing.
        "center": The mean of each column is subtracted.
        "unit": Each row has length 1 (zero rows stay zero).
        "center_unit": Centred, then unit length.
        "unit_center": Unit length, then centred.
        "tfidf": Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
        "tfidf_center": As `Tfidf`, then centred.
        "log_tfidf": As `Tfidf`, with `ln(1 + count)` in place of counts: a word said ten times is not ten times as important.
        "standardize": Centred, and each column divided by its standard deviation (constant columns become 0).
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    levels_ : list of int, the dimension of each level, finest first
    level_ : int, the level that everything else speaks of: the finest that leaves something out
    embeddings_, maps_ : at `level_`; `at_level` gives another
    eigenvalues_ : all non-zero eigenvalues of the problem, ascending
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings

    Examples
    --------
    >>> import landbridge as lb
    >>> copies = lb.datasets.lifted_copies(300)
    >>> a = lb.MultiscaleAlignment(precision=1e-3).fit(copies.datasets, copies.pairs(60))
    >>> a.levels_ == sorted(a.levels_, reverse=True)
    True
    >>> a.transform(copies.datasets[1][:5], dataset=1, level=len(a.levels_) - 1).shape == (5, a.levels_[-1])
    True
    >>> idx, dist = a.match(source=0, target=1, level=1)
    """

    _method = "multiscale"

    def __init__(
        self,
        precision: float = 1e-5,
        *,
        max_levels: int | None = None,
        level: Literal["feature", "instance"] = "feature",
        construction: Literal["auto", "spectral", "recursion"] = "auto",
        n_neighbors: int = 10,
        metric: Literal["euclidean", "cosine"] = "euclidean",
        weights: Literal["heat", "binary", "cosine", "local", "precomputed"] = "heat",
        heat_width: float | None = None,
        search: Literal["auto", "exact", "approximate"] = "auto",
        random_state: int = 0,
        graphs: Any = None,
        directed: bool = False,
        mu: float = 100.0,
        nu: float = 1.0,
        balance: bool = True,
        prepare: Literal["none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize"] | None = "center",
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.precision = precision
        self.max_levels = max_levels
        self.level = level
        self.construction = construction
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.heat_width = heat_width
        self.search = search
        self.random_state = random_state
        self.graphs = graphs
        self.directed = directed
        self.mu = mu
        self.nu = nu
        self.balance = balance
        self.prepare = prepare
        self.n_jobs = n_jobs
        self.verbose = verbose


class ProcrustesAlignment(TwoStep):
    """Embeds each dataset by itself, then turns, scales and shifts the embeddings onto that of the first by the known pairs.

    For paired rows X of the first and Y of another embedding, centred on the pairs: `Y'X = UΣV'`, rotation `Q = UV'`, scale
    `k = tr(Σ) / tr(Y'Y)` minimise `‖X − kYQ‖` (Procrustes08, Theorem 1); `x ≈ k (y − mean) Q + mean`. With more than two
    datasets the least sum over all pairs: each in turn is fitted to the others where they now are, until nothing moves; the
    first stays where it is.

    Embeddings of unlike dimensions are filled up with zeros. Pairs that span fewer dimensions than the embeddings leave
    the rotation open: the least turn is taken, and the outcome warns. Time: the embeddings; the second step is O(l d² + d³)
    for l pairs.

    Parameters
    ----------
    embedding : "none", "pca", "lsi", "laplacian", "lpp", "diffusion", "isomap", "lle", default "laplacian"
        How each dataset is embedded by itself.
        "none": the rows as they are
        "pca": the directions of largest variance
        "lsi": a truncated SVD of tf-idf weighted rows, for documents
        "laplacian": neighbours stay neighbours
        "lpp": Laplacian eigenmaps restricted to linear maps
        "diffusion": distances of a random walk on the data
        "isomap": distances along the data
        "lle": rows as combinations of their neighbours
    prepare : "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", default "auto"
        What is done to the rows first. It is learnt by the fit, kept in the model and done to new rows.
        "none": Nothing.
        "center": The mean of each column is subtracted.
        "unit": Each row has length 1 (zero rows stay zero).
        "center_unit": Centred, then unit length.
        "unit_center": Unit length, then centred.
        "tfidf": Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
        "tfidf_center": As `Tfidf`, then centred.
        "log_tfidf": As `Tfidf`, with `ln(1 + count)` in place of counts: a word said ten times is not ten times as important.
        "standardize": Centred, and each column divided by its standard deviation (constant columns become 0).
    n_components : int, default "auto"
        Number of dimensions.
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": `|x − y|`.
        "cosine": `1 − x·y / |x||y|`; 1 where a row is zero.
    weights : "heat", "binary", "cosine", "local", "precomputed", default "heat"
        Weight of an edge.
        "heat": `exp(−d² / 2σ²)`, σ given or the mean distance to the k neighbours.
        "binary": 1.
        "cosine": The cosine of the two rows; edges whose cosine is not positive are dropped.
        "local": Self-tuning: `exp(−d² / σ_i σ_j)`, σ_i the distance of row i to its k-th neighbour.
        "precomputed": The graph is given, not built from rows.
    heat_width : float, default None
        Width σ of heat weights; none: the mean distance to the neighbours.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to `EXACT_LIMIT` dense rows, approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    graphs : list of sparse matrices, one per dataset, default None
        Given graphs instead of neighbours: one symmetric sparse matrix of weights per dataset. New rows have no place in a given
        graph.
    normalized : bool, default True
        Constraint `F'DF = I` (normalised Laplacian); false: `F'F = I`.
    tolerance : float, default 1e-5
        Relative residual of the eigensolver.
    embedding_ridge : float, default "auto"
        Ridge on the left-hand side, in units of the mean diagonal of `X'DX`.
    time : int, default 1
        Steps of the random walk.
    density : float, default 1.0
        Power of the degrees that is divided out first: 0 keeps the walk, 1 takes out how densely the data were sampled.
    scaling : bool, default True
        Find a scale for each dataset; false: sizes stay as they are.
    reflection : bool, default True
        Mirror images are allowed; false: proper rotations only.
    embedding_params : dict, default None
        Parameters of the embedding by their own names, instead of here.
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    embeddings_ : list of (n_a, d) arrays, the fitted rows in the joint space
    scale_, rotation_, translation_ : coordinates are ``scale_[a] * y @ rotation_[a] + translation_[a]``
    residuals_ : (l,) array, the distance between the two ends of each pair
    eigenvalues_ : those of the first embedding
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings

    Examples
    --------
    A protein-like chain, stretched and turned; every fourth point is known.

    >>> import numpy as np, landbridge as lb
    >>> t = np.linspace(0, 9, 80)
    >>> X = np.column_stack([np.cos(t), np.sin(t), t / 3])
    >>> Y = X[:, [2, 0, 1]] / 4 + 7
    >>> known = np.arange(0, 80, 4)
    >>> a = lb.ProcrustesAlignment(embedding=None).fit([X, Y], np.column_stack([known, known]))
    >>> round(float(a.scale_[1]), 6), bool(np.allclose(*a.embeddings_))
    (4.0, True)
    """

    _method = "procrustes"

    def __init__(
        self,
        n_components: int | Literal["auto"] | None = "auto",
        *,
        embedding: Literal["none", "pca", "lsi", "laplacian", "lpp", "diffusion", "isomap", "lle"] | None = "laplacian",
        prepare: Literal["auto", "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize"] | None = "auto",
        random_state: int = 0,
        n_neighbors: int = 10,
        metric: Literal["euclidean", "cosine"] = "euclidean",
        weights: Literal["heat", "binary", "cosine", "local", "precomputed"] = "heat",
        heat_width: float | None = None,
        search: Literal["auto", "exact", "approximate"] = "auto",
        graphs: Any = None,
        normalized: bool = True,
        tolerance: float = 1e-5,
        embedding_ridge: float | Literal["auto"] = "auto",
        time: int = 1,
        density: float = 1.0,
        scaling: bool = True,
        reflection: bool = True,
        embedding_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.embedding = embedding
        self.prepare = prepare
        self.random_state = random_state
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.heat_width = heat_width
        self.search = search
        self.graphs = graphs
        self.normalized = normalized
        self.tolerance = tolerance
        self.embedding_ridge = embedding_ridge
        self.time = time
        self.density = density
        self.scaling = scaling
        self.reflection = reflection
        self.embedding_params = embedding_params
        self.n_jobs = n_jobs
        self.verbose = verbose


class AffineAlignment(TwoStep):
    """Embeds each dataset by itself, then maps the embeddings onto that of the first by affine maps fitted to the pairs.

    The least `Σ w |x − yA − t|² + ridge |A|²` over the pairs. More than two datasets as in `ProcrustesAlignment`.

    Parameters
    ----------
    embedding : "none", "pca", "lsi", "laplacian", "lpp", "diffusion", "isomap", "lle", default "laplacian"
        How each dataset is embedded by itself.
        "none": the rows as they are
        "pca": the directions of largest variance
        "lsi": a truncated SVD of tf-idf weighted rows, for documents
        "laplacian": neighbours stay neighbours
        "lpp": Laplacian eigenmaps restricted to linear maps
        "diffusion": distances of a random walk on the data
        "isomap": distances along the data
        "lle": rows as combinations of their neighbours
    prepare : "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", default "auto"
        What is done to the rows first. It is learnt by the fit, kept in the model and done to new rows.
        "none": Nothing.
        "center": The mean of each column is subtracted.
        "unit": Each row has length 1 (zero rows stay zero).
        "center_unit": Centred, then unit length.
        "unit_center": Unit length, then centred.
        "tfidf": Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
        "tfidf_center": As `Tfidf`, then centred.
        "log_tfidf": As `Tfidf`, with `ln(1 + count)` in place of counts: a word said ten times is not ten times as important.
        "standardize": Centred, and each column divided by its standard deviation (constant columns become 0).
    n_components : int, default "auto"
        Number of dimensions.
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": `|x − y|`.
        "cosine": `1 − x·y / |x||y|`; 1 where a row is zero.
    weights : "heat", "binary", "cosine", "local", "precomputed", default "heat"
        Weight of an edge.
        "heat": `exp(−d² / 2σ²)`, σ given or the mean distance to the k neighbours.
        "binary": 1.
        "cosine": The cosine of the two rows; edges whose cosine is not positive are dropped.
        "local": Self-tuning: `exp(−d² / σ_i σ_j)`, σ_i the distance of row i to its k-th neighbour.
        "precomputed": The graph is given, not built from rows.
    heat_width : float, default None
        Width σ of heat weights; none: the mean distance to the neighbours.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to `EXACT_LIMIT` dense rows, approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    graphs : list of sparse matrices, one per dataset, default None
        Given graphs instead of neighbours: one symmetric sparse matrix of weights per dataset. New rows have no place in a given
        graph.
    normalized : bool, default True
        Constraint `F'DF = I` (normalised Laplacian); false: `F'F = I`.
    tolerance : float, default 1e-5
        Relative residual of the eigensolver.
    embedding_ridge : float, default "auto"
        Ridge on the left-hand side, in units of the mean diagonal of `X'DX`.
    time : int, default 1
        Steps of the random walk.
    density : float, default 1.0
        Power of the degrees that is divided out first: 0 keeps the walk, 1 takes out how densely the data were sampled.
    ridge : float, default 0.0
        Ridge of the affine maps, in units of the mean diagonal of the centred `Y'Y`; 0 is plain least squares.
    embedding_params : dict, default None
        Parameters of the embedding by their own names, instead of here.
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    embeddings_ : list of (n_a, d) arrays, the fitted rows in the joint space
    scale_, rotation_, translation_ : coordinates are ``scale_[a] * y @ rotation_[a] + translation_[a]``
    residuals_ : (l,) array, the distance between the two ends of each pair
    eigenvalues_ : those of the first embedding
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings

    Examples
    --------
    >>> import landbridge as lb
    >>> rolls = lb.datasets.swiss_rolls(500)
    >>> a = lb.AffineAlignment(2, embedding="isomap", n_neighbors=6).fit(rolls.datasets, rolls.pairs(20))
    >>> bool(lb.metrics.recall_at_k(*a.embeddings_, k=10) > 0.9)
    True
    """

    _method = "affine"

    def __init__(
        self,
        n_components: int | Literal["auto"] | None = "auto",
        *,
        embedding: Literal["none", "pca", "lsi", "laplacian", "lpp", "diffusion", "isomap", "lle"] | None = "laplacian",
        prepare: Literal["auto", "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize"] | None = "auto",
        random_state: int = 0,
        n_neighbors: int = 10,
        metric: Literal["euclidean", "cosine"] = "euclidean",
        weights: Literal["heat", "binary", "cosine", "local", "precomputed"] = "heat",
        heat_width: float | None = None,
        search: Literal["auto", "exact", "approximate"] = "auto",
        graphs: Any = None,
        normalized: bool = True,
        tolerance: float = 1e-5,
        embedding_ridge: float | Literal["auto"] = "auto",
        time: int = 1,
        density: float = 1.0,
        ridge: float = 0.0,
        embedding_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.embedding = embedding
        self.prepare = prepare
        self.random_state = random_state
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.heat_width = heat_width
        self.search = search
        self.graphs = graphs
        self.normalized = normalized
        self.tolerance = tolerance
        self.embedding_ridge = embedding_ridge
        self.time = time
        self.density = density
        self.ridge = ridge
        self.embedding_params = embedding_params
        self.n_jobs = n_jobs
        self.verbose = verbose


class CLE(Predicting):
    """CLE, correspondence Laplacian eigenmaps (Lamvu13 eq. 10): corresponding rows are merged, and the plain Laplacian is solved.

    The same as `InstanceAlignment::new(d).hard(true).normalized(false)`, under its published name, with predictions as in
    `Clle`.

    Parameters
    ----------
    n_components : int
        Dimension of the joint space.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": `|x − y|`.
        "cosine": `1 − x·y / |x||y|`; 1 where a row is zero.
    weights : "heat", "binary", "cosine", "local", "precomputed", default "heat"
        Weight of an edge.
        "heat": `exp(−d² / 2σ²)`, σ given or the mean distance to the k neighbours.
        "binary": 1.
        "cosine": The cosine of the two rows; edges whose cosine is not positive are dropped.
        "local": Self-tuning: `exp(−d² / σ_i σ_j)`, σ_i the distance of row i to its k-th neighbour.
        "precomputed": The graph is given, not built from rows.
    heat_width : float, default None
        Width σ of heat weights; none: the mean distance to the neighbours.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to `EXACT_LIMIT` dense rows, approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    graphs : list of sparse matrices, one per dataset, default None
        Given graphs instead of neighbours: one symmetric sparse matrix of weights per dataset. New rows have no place in a given
        graph.
    tolerance : float, default 1e-5
        Relative residual of the eigensolver.
    n_neighbors_embed : int, default None
        Number of neighbours (k_D) of a row that is placed afterwards; none: as many as fitted rows have.
    predictor : "residuals", "local", default "residuals"
        How values of the other datasets are predicted.
        "residuals": The mean of the column, plus what the row's own offset says, plus what is left, predicted from rows known on both sides.
        "local": The combination of the nearest rows of the other dataset in the joint space (Lamvu13 eq. 20, 21).
    n_neighbors_predict : int, default 10
        Number of neighbours in the joint space (k_A) of the local predictor.
    ridge : float, default 0.001
        Ridge of local weights, in units of the trace of the local Gram matrix. For ratings larger values (1) predict better.
    known : "stored", "rated", "non_zero", "all", default "stored"
        Which values are known.
        "stored": Of sparse rows the stored entries (a stored 0 is a value), of dense rows all.
        "rated": Of sparse rows the stored entries, of dense rows those that are not 0.
        "non_zero": Those that are not 0.
        "all": All; what sparse rows do not store is 0.
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    embeddings_ : list of (n_a, d) arrays, the fitted rows in the joint space
    eigenvalues_ : array, one per component
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings

    Examples
    --------
    >>> import landbridge as lb
    >>> helices = lb.datasets.helices(200)
    >>> a = lb.CLE(2).fit(helices.datasets, helices.pairs(20))
    >>> i, j = helices.pairs(20)[0]
    >>> bool((a.embeddings_[0][i] == a.embeddings_[1][j]).all())
    True
    """

    _method = "cle"

    def __init__(
        self,
        n_components: int,
        *,
        n_neighbors: int = 10,
        metric: Literal["euclidean", "cosine"] = "euclidean",
        weights: Literal["heat", "binary", "cosine", "local", "precomputed"] = "heat",
        heat_width: float | None = None,
        search: Literal["auto", "exact", "approximate"] = "auto",
        random_state: int = 0,
        graphs: Any = None,
        tolerance: float = 1e-5,
        n_neighbors_embed: int | None = None,
        predictor: Literal["residuals", "local"] = "residuals",
        n_neighbors_predict: int = 10,
        ridge: float = 0.001,
        known: Literal["stored", "rated", "non_zero", "all"] = "stored",
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.heat_width = heat_width
        self.search = search
        self.random_state = random_state
        self.graphs = graphs
        self.tolerance = tolerance
        self.n_neighbors_embed = n_neighbors_embed
        self.predictor = predictor
        self.n_neighbors_predict = n_neighbors_predict
        self.ridge = ridge
        self.known = known
        self.n_jobs = n_jobs
        self.verbose = verbose


class CLLE(Predicting):
    """Corresponding rows coincide, and every row is the combination of its neighbours that it was in its own dataset.

    `W_a` holds the weights with which rows of dataset a combine to each other (`Σ_j W_ij = 1`, least `|x_i − Σ W_ij x_j|²`).
    Minimises `Σ_a |F_a − W_a F_a|²` with corresponding rows merged to one node, `F'F = I` over the nodes: the d smallest
    non-zero solutions of `M f = λ f`, M the sum of all `(I − W_a)'(I − W_a)`.

    Time: neighbours, one sparse Cholesky factorisation of M (little fill-in where the data have few dimensions), and O(d)
    solves. Memory: the factor; never N × N unless the data have many dimensions.

    Parameters
    ----------
    n_components : int
        Dimension of the joint space.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": `|x − y|`.
        "cosine": `1 − x·y / |x||y|`; 1 where a row is zero.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to `EXACT_LIMIT` dense rows, approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    n_neighbors_embed : int, default None
        Number of neighbours (k_D) of a row that is placed afterwards; none: as many as fitted rows have.
    predictor : "residuals", "local", default "residuals"
        How values of the other datasets are predicted.
        "residuals": The mean of the column, plus what the row's own offset says, plus what is left, predicted from rows known on both sides.
        "local": The combination of the nearest rows of the other dataset in the joint space (Lamvu13 eq. 20, 21).
    n_neighbors_predict : int, default 10
        Number of neighbours in the joint space (k_A) of the local predictor.
    ridge : float, default 0.001
        Ridge of local weights, in units of the trace of the local Gram matrix. For ratings larger values (1) predict better.
    known : "stored", "rated", "non_zero", "all", default "stored"
        Which values are known.
        "stored": Of sparse rows the stored entries (a stored 0 is a value), of dense rows all.
        "rated": Of sparse rows the stored entries, of dense rows those that are not 0.
        "non_zero": Those that are not 0.
        "all": All; what sparse rows do not store is 0.
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    embeddings_ : list of (n_a, d) arrays, the fitted rows in the joint space
    eigenvalues_ : array, one per component
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings

    Examples
    --------
    >>> import landbridge as lb
    >>> rolls = lb.datasets.swiss_rolls(200)
    >>> a = lb.CLLE(2).fit(rolls.datasets, rolls.pairs(40))
    >>> a.embeddings_[0].shape
    (200, 2)
    >>> a.predict(rolls.datasets[0][:3], source=0, target=1).shape
    (3, 3)
    """

    _method = "clle"

    def __init__(
        self,
        n_components: int,
        *,
        n_neighbors: int = 10,
        metric: Literal["euclidean", "cosine"] = "euclidean",
        search: Literal["auto", "exact", "approximate"] = "auto",
        n_neighbors_embed: int | None = None,
        predictor: Literal["residuals", "local"] = "residuals",
        n_neighbors_predict: int = 10,
        ridge: float = 0.001,
        known: Literal["stored", "rated", "non_zero", "all"] = "stored",
        random_state: int = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.search = search
        self.n_neighbors_embed = n_neighbors_embed
        self.predictor = predictor
        self.n_neighbors_predict = n_neighbors_predict
        self.ridge = ridge
        self.known = known
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class LAMVU(Predicting):
    """Labelled rows are unfolded as far as their distances in all datasets allow; the others lie between labelled neighbours.

    1. Geodesics between labelled rows over all rows of each dataset, divided by their maximum and added up (eq. 14–16;
       scaling by the largest norm and centring change none of these numbers).
    2. Maximum variance unfolding of the sums on the graph of `n_neighbors` neighbours (`landbridge.solve.unfolding`); the
       leading eigenvectors of K, times √λ, are the places of labelled rows.
    3. Unlabelled and new rows: the affine combination of `n_neighbors_embed` labelled neighbours (eq. 17, 18).

    More than two datasets: labelled are groups of rows with one in every dataset, and all distances are added up.

    A row of several that correspond to one another counts once: the first of each dataset stands for the group.

    Parameters
    ----------
    n_components : int
        Dimension of the joint space.
    n_neighbors : int, default 10
        Number of nearest neighbours: of rows, for geodesics, and of paired rows, whose distances unfolding looks at.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": `|x − y|`.
        "cosine": `1 − x·y / |x||y|`; 1 where a row is zero.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to `EXACT_LIMIT` dense rows, approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    constraints : "shrink", "direct", "printed", default "shrink"
        What unfolding does with the distances of all datasets.
        "shrink": Sums of geodesics may shrink.
        "direct": Direct distances, `d² = Σ_a (d_a / max d_a)²`, are kept.
        "printed": Sums of geodesics are kept, as printed (eq. 16 into eq. 7).
    solver : "auto", "interior", "low_rank", "laplacian", default "auto"
        How the paired rows are unfolded.
        "auto": Interior point up to `LOW_RANK_EDGES` edges, or `INTERIOR_EDGES` of graphs of many dimensions; low rank above.
        "interior": Primal-dual interior point: the optimum, with a dual solution; time O(edges³).
        "low_rank": Coordinates in few dimensions by an augmented Lagrangian, certified by the dual.
        "laplacian": Coordinates that combine the smoothest functions of the graph (Weinberger, Sha, Zhu and Saul 2006): fast, not optimal; distances may always shrink.
    n_functions : int, default 20
        Number of smooth functions of the laplacian solver.
    n_neighbors_embed : int, default None
        Number of neighbours (k_D) of a row that is placed afterwards; none: 10, or as many as there are.
    predictor : "residuals", "local", default "residuals"
        How values of the other datasets are predicted.
        "residuals": The mean of the column, plus what the row's own offset says, plus what is left, predicted from rows known on both sides.
        "local": The combination of the nearest rows of the other dataset in the joint space (Lamvu13 eq. 20, 21).
    n_neighbors_predict : int, default 10
        Number of neighbours in the joint space (k_A) of the local predictor.
    ridge : float, default 0.001
        Ridge of local weights, in units of the trace of the local Gram matrix. For ratings larger values (1) predict better.
    known : "stored", "rated", "non_zero", "all", default "stored"
        Which values are known.
        "stored": Of sparse rows the stored entries (a stored 0 is a value), of dense rows all.
        "rated": Of sparse rows the stored entries, of dense rows those that are not 0.
        "non_zero": Those that are not 0.
        "all": All; what sparse rows do not store is 0.
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    distances : list of (n_a, n_a) arrays, default None
        Given distances between all rows of each dataset, instead of geodesics. New rows then have no place.
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    embeddings_ : list of (n_a, d) arrays, the fitted rows in the joint space
    eigenvalues_ : array, one per component
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings

    Examples
    --------
    >>> import landbridge as lb
    >>> rolls = lb.datasets.swiss_rolls(200)
    >>> a = lb.LAMVU(2, n_neighbors=6).fit(rolls.datasets, rolls.pairs(40))
    >>> a.embeddings_[1].shape
    (200, 2)
    """

    _method = "lamvu"

    def __init__(
        self,
        n_components: int,
        *,
        n_neighbors: int = 10,
        metric: Literal["euclidean", "cosine"] = "euclidean",
        search: Literal["auto", "exact", "approximate"] = "auto",
        constraints: Literal["shrink", "direct", "printed"] = "shrink",
        solver: Literal["auto", "interior", "low_rank", "laplacian"] = "auto",
        n_functions: int = 20,
        n_neighbors_embed: int | None = None,
        predictor: Literal["residuals", "local"] = "residuals",
        n_neighbors_predict: int = 10,
        ridge: float = 0.001,
        known: Literal["stored", "rated", "non_zero", "all"] = "stored",
        random_state: int = 0,
        distances: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.search = search
        self.constraints = constraints
        self.solver = solver
        self.n_functions = n_functions
        self.n_neighbors_embed = n_neighbors_embed
        self.predictor = predictor
        self.n_neighbors_predict = n_neighbors_predict
        self.ridge = ridge
        self.known = known
        self.random_state = random_state
        self.distances = distances
        self.n_jobs = n_jobs
        self.verbose = verbose


class LinearTransform(LinearMaps):
    """Maps every dataset into the features of the last one by least squares over the pairs.

    `T = (X'MX + R)⁻¹ X'WY` on the paired rows, R the ridge in units of the mean diagonal of `X'MX`; with ridge 0 the
    pseudo-inverse. The joint space is the last dataset's own (prepared) features, so it has as many dimensions.

    Parameters
    ----------
    ridge : float, default "auto"
        Ridge, in units of the mean diagonal of `X'X`; 0 is the pseudo-inverse. Auto: 0.1.
    prepare : "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", default "center"
        What is done to the rows first. It is learnt by the fit, kept in the model and done to new rows.
        "none": Nothing.
        "center": The mean of each column is subtracted.
        "unit": Each row has length 1 (zero rows stay zero).
        "center_unit": Centred, then unit length.
        "unit_center": Unit length, then centred.
        "tfidf": Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
        "tfidf_center": As `Tfidf`, then centred.
        "log_tfidf": As `Tfidf`, with `ln(1 + count)` in place of counts: a word said ten times is not ten times as important.
        "standardize": Centred, and each column divided by its standard deviation (constant columns become 0).
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    embeddings_ : list of (n_a, d) arrays, the fitted rows in the joint space
    maps_ : list of (p_a, d) arrays
    component_weights_ : (d,) array or None
    eigenvalues_ : array, one per component
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings

    Examples
    --------
    >>> import landbridge as lb
    >>> documents = lb.datasets.bilingual_documents(200)
    >>> a = lb.LinearTransform().fit(documents.datasets, documents.pairs(100))
    >>> a.embeddings_[0].shape == documents.datasets[1].shape
    True
    """

    _method = "linear_transform"

    def __init__(
        self,
        ridge: float | Literal["auto"] = "auto",
        *,
        prepare: Literal["none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize"] | None = "center",
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.ridge = ridge
        self.prepare = prepare
        self.n_jobs = n_jobs
        self.verbose = verbose


class PairSimilarity(Alignment):
    """Describes each row by its cosine similarity to the paired rows of its own dataset.

    The joint space has one dimension per group of corresponding rows that has a row in every dataset (the first one,
    where it has several); its coordinates are centred by the mean over all rows of the dataset.

    Parameters
    ----------
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    embeddings_ : list of (n_a, d) arrays, the fitted rows in the joint space
    eigenvalues_ : array, one per component
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings

    Examples
    --------
    >>> import landbridge as lb
    >>> documents = lb.datasets.bilingual_documents(200)
    >>> a = lb.PairSimilarity().fit(documents.datasets, documents.pairs(100))
    >>> a.embeddings_[0].shape
    (200, 100)
    """

    _method = "pair_similarity"

    def __init__(
        self,
        n_jobs: int | None = None,
        *,
        verbose: int = 0,
    ) -> None:
        self.n_jobs = n_jobs
        self.verbose = verbose


class MeanVotes(Votes):
    """Predicts the mean of the known votes of labelled rows, for every row the same: the baseline "Mean Votes" of Lamvu13.

    Labelled are the rows that occur in a pair; without pairs all rows vote. With `unseen` `Unseen::Overall` it is the
    column mean with a global fallback, the more honest baseline where many columns have no votes.

    Parameters
    ----------
    known : "stored", "rated", "non_zero", "all", default "rated"
        Which values are votes.
        "stored": Of sparse rows the stored entries (a stored 0 is a value), of dense rows all.
        "rated": Of sparse rows the stored entries, of dense rows those that are not 0.
        "non_zero": Those that are not 0.
        "all": All; what sparse rows do not store is 0.
    unseen : "zero", "overall", default "zero"
        What is predicted for a column without votes.
        "zero": 0.
        "overall": What is predicted when all columns are one: the mean of all votes, or the most frequent vote.
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    votes_ : list of (p_a,) arrays, what is predicted for the columns of each dataset
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings

    Examples
    --------
    >>> import landbridge as lb
    >>> a = lb.MeanVotes().fit([[[1.0], [2.0]], [[4.0, 0.0], [2.0, 5.0]]], [[0, 0], [1, 1]])
    >>> a.predict([[9.0]], source=0, target=1).tolist()
    [[3.0, 5.0]]
    """

    _method = "mean_votes"

    def __init__(
        self,
        known: Literal["stored", "rated", "non_zero", "all"] = "rated",
        *,
        unseen: Literal["zero", "overall"] = "zero",
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.known = known
        self.unseen = unseen
        self.n_jobs = n_jobs
        self.verbose = verbose


class PopularVotes(Votes):
    """Predicts the most frequent of the known votes of labelled rows, for every row the same: "Popular Votes" of Lamvu13.

    Of equally frequent votes the one nearest to the mean of the column counts, of two the higher. Parameters as in
    `MeanVotes`.

    Parameters
    ----------
    known : "stored", "rated", "non_zero", "all", default "rated"
        Which values are votes.
        "stored": Of sparse rows the stored entries (a stored 0 is a value), of dense rows all.
        "rated": Of sparse rows the stored entries, of dense rows those that are not 0.
        "non_zero": Those that are not 0.
        "all": All; what sparse rows do not store is 0.
    unseen : "zero", "overall", default "zero"
        What is predicted for a column without votes.
        "zero": 0.
        "overall": What is predicted when all columns are one: the mean of all votes, or the most frequent vote.
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    votes_ : list of (p_a,) arrays, what is predicted for the columns of each dataset
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings
    """

    _method = "popular_votes"

    def __init__(
        self,
        known: Literal["stored", "rated", "non_zero", "all"] = "rated",
        *,
        unseen: Literal["zero", "overall"] = "zero",
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.known = known
        self.unseen = unseen
        self.n_jobs = n_jobs
        self.verbose = verbose


class PCA(LinearEmbedding):
    """The directions of largest variance: `X V` for the d largest right singular vectors of the centred rows. Sparse rows
    are centred implicitly. Eigenvalues are the variances `s² / (n − 1)`.

    Time: about 3 d products with X and its transpose. Memory: the rows and about 2 d vectors.

    Parameters
    ----------
    n_components : int
        Number of dimensions.
    prepare : "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", default "center"
        What is done to the rows first. It is learnt by the fit, kept in the model and done to new rows.
        "none": Nothing.
        "center": The mean of each column is subtracted.
        "unit": Each row has length 1 (zero rows stay zero).
        "center_unit": Centred, then unit length.
        "unit_center": Unit length, then centred.
        "tfidf": Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
        "tfidf_center": As `Tfidf`, then centred.
        "log_tfidf": As `Tfidf`, with `ln(1 + count)` in place of counts: a word said ten times is not ten times as important.
        "standardize": Centred, and each column divided by its standard deviation (constant columns become 0).
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    embedding_ : (n, d) array, the fitted rows
    components_ : (d, p) array, the directions
    eigenvalues_ : (d,) array
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings

    Examples
    --------
    >>> import landbridge as lb
    >>> X = lb.datasets.bilingual_documents(100).datasets[0]
    >>> lb.PCA(5).fit(X).embedding_.shape
    (100, 5)
    """

    _embedding = "pca"

    def __init__(
        self,
        n_components: int,
        *,
        prepare: Literal["none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize"] | None = "center",
        random_state: int = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.prepare = prepare
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class LSI(LinearEmbedding):
    """Documents along the d largest right singular vectors of their tf-idf weighted, unit-length rows: `X V = U S`. Sparse
    rows stay sparse. Eigenvalues are the singular values.

    Time: about 3 d products with X and its transpose. Memory: the rows and about 2 d vectors.

    Parameters
    ----------
    n_components : int
        Number of dimensions.
    prepare : "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", default "log_tfidf"
        What is done to the rows first. It is learnt by the fit, kept in the model and done to new rows.
        "none": Nothing.
        "center": The mean of each column is subtracted.
        "unit": Each row has length 1 (zero rows stay zero).
        "center_unit": Centred, then unit length.
        "unit_center": Unit length, then centred.
        "tfidf": Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
        "tfidf_center": As `Tfidf`, then centred.
        "log_tfidf": As `Tfidf`, with `ln(1 + count)` in place of counts: a word said ten times is not ten times as important.
        "standardize": Centred, and each column divided by its standard deviation (constant columns become 0).
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    embedding_ : (n, d) array, the fitted rows
    components_ : (d, p) array, the directions
    eigenvalues_ : (d,) array
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings

    Examples
    --------
    >>> import landbridge as lb
    >>> X = lb.datasets.bilingual_documents(100).datasets[0]
    >>> z = lb.LSI(5).fit(X)
    >>> bool(abs(z.transform(X[:3]) - z.embedding_[:3]).max() < 1e-12)
    True
    """

    _embedding = "lsi"

    def __init__(
        self,
        n_components: int,
        *,
        prepare: Literal["none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize"] | None = "log_tfidf",
        random_state: int = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.prepare = prepare
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class LaplacianEigenmaps(Embedding):
    """Places for rows such that neighbours are near: the d smallest non-zero solutions of `L f = λ D f` on the neighbour
    graph, `F'DF = I` (Procrustes08 §3 uses the normalised Laplacian). New rows lie at the weighted mean of their
    neighbours, see `NeighborExtension`.

    A graph of several components has as many zero solutions, all of which are skipped; the outcome warns.

    Parameters
    ----------
    n_components : int
        Number of dimensions.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": `|x − y|`.
        "cosine": `1 − x·y / |x||y|`; 1 where a row is zero.
    weights : "heat", "binary", "cosine", "local", "precomputed", default "heat"
        Weight of an edge.
        "heat": `exp(−d² / 2σ²)`, σ given or the mean distance to the k neighbours.
        "binary": 1.
        "cosine": The cosine of the two rows; edges whose cosine is not positive are dropped.
        "local": Self-tuning: `exp(−d² / σ_i σ_j)`, σ_i the distance of row i to its k-th neighbour.
        "precomputed": The graph is given, not built from rows.
    heat_width : float, default None
        Width σ of heat weights; none: the mean distance to the neighbours.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to `EXACT_LIMIT` dense rows, approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    graphs : list of sparse matrices, one per dataset, default None
        Given graphs instead of neighbours: one symmetric sparse matrix of weights per dataset. New rows have no place in a given
        graph.
    normalized : bool, default True
        Constraint `F'DF = I` (normalised Laplacian); false: `F'F = I`.
    tolerance : float, default 1e-5
        Relative residual of the eigensolver.
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    embedding_ : (n, d) array, the fitted rows
    eigenvalues_ : (d,) array
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings

    Examples
    --------
    >>> import landbridge as lb
    >>> X = lb.datasets.swiss_rolls(200).datasets[0]
    >>> lb.LaplacianEigenmaps(2).fit_transform(X).shape
    (200, 2)
    """

    _embedding = "laplacian"

    def __init__(
        self,
        n_components: int,
        *,
        n_neighbors: int = 10,
        metric: Literal["euclidean", "cosine"] = "euclidean",
        weights: Literal["heat", "binary", "cosine", "local", "precomputed"] = "heat",
        heat_width: float | None = None,
        search: Literal["auto", "exact", "approximate"] = "auto",
        random_state: int = 0,
        graphs: Any = None,
        normalized: bool = True,
        tolerance: float = 1e-5,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.heat_width = heat_width
        self.search = search
        self.random_state = random_state
        self.graphs = graphs
        self.normalized = normalized
        self.tolerance = tolerance
        self.n_jobs = n_jobs
        self.verbose = verbose


class LPP(LinearEmbedding):
    """Laplacian eigenmaps restricted to linear maps: the d smallest non-zero solutions of `X'LX f = λ X'DX f` on the
    neighbour graph, `z = prepared(x) F`.

    Dependent columns: solved on the range of `X'DX`, and the outcome says its rank.

    Parameters
    ----------
    n_components : int
        Number of dimensions.
    ridge : float, default 0.0
        Ridge on the left-hand side, in units of the mean diagonal of `X'DX`.
    prepare : "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", default "center"
        What is done to the rows first. It is learnt by the fit, kept in the model and done to new rows.
        "none": Nothing.
        "center": The mean of each column is subtracted.
        "unit": Each row has length 1 (zero rows stay zero).
        "center_unit": Centred, then unit length.
        "unit_center": Unit length, then centred.
        "tfidf": Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
        "tfidf_center": As `Tfidf`, then centred.
        "log_tfidf": As `Tfidf`, with `ln(1 + count)` in place of counts: a word said ten times is not ten times as important.
        "standardize": Centred, and each column divided by its standard deviation (constant columns become 0).
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": `|x − y|`.
        "cosine": `1 − x·y / |x||y|`; 1 where a row is zero.
    weights : "heat", "binary", "cosine", "local", "precomputed", default "heat"
        Weight of an edge.
        "heat": `exp(−d² / 2σ²)`, σ given or the mean distance to the k neighbours.
        "binary": 1.
        "cosine": The cosine of the two rows; edges whose cosine is not positive are dropped.
        "local": Self-tuning: `exp(−d² / σ_i σ_j)`, σ_i the distance of row i to its k-th neighbour.
        "precomputed": The graph is given, not built from rows.
    heat_width : float, default None
        Width σ of heat weights; none: the mean distance to the neighbours.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to `EXACT_LIMIT` dense rows, approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    graphs : list of sparse matrices, one per dataset, default None
        Given graphs instead of neighbours: one symmetric sparse matrix of weights per dataset. New rows have no place in a given
        graph.
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    embedding_ : (n, d) array, the fitted rows
    components_ : (d, p) array, the directions
    eigenvalues_ : (d,) array
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings

    Examples
    --------
    >>> import landbridge as lb
    >>> X = lb.datasets.swiss_rolls(200).datasets[0]
    >>> lb.LPP(2).fit(X).transform(X[:4]).shape
    (4, 2)
    """

    _embedding = "lpp"

    def __init__(
        self,
        n_components: int,
        *,
        ridge: float = 0.0,
        prepare: Literal["none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize"] | None = "center",
        n_neighbors: int = 10,
        metric: Literal["euclidean", "cosine"] = "euclidean",
        weights: Literal["heat", "binary", "cosine", "local", "precomputed"] = "heat",
        heat_width: float | None = None,
        search: Literal["auto", "exact", "approximate"] = "auto",
        random_state: int = 0,
        graphs: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.ridge = ridge
        self.prepare = prepare
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.heat_width = heat_width
        self.search = search
        self.random_state = random_state
        self.graphs = graphs
        self.n_jobs = n_jobs
        self.verbose = verbose


class DiffusionMap(Embedding):
    """Coordinates whose distances are those of a random walk on the neighbour graph after `time` steps: `κ^time ψ` for the d
    largest eigenvalues κ < 1 of `P = D⁻¹W`, with `Σ π ψ² = 1`, π the walk's stationary distribution. Eigenvalues are κ.

    With `density` α the graph is first divided by the α-th power of the degrees at both ends: 0 keeps the walk as it is,
    1 takes out how densely the data were sampled.

    Departure: the walk lives on the neighbour graph, which has no loops, not on the full kernel matrix.

    Parameters
    ----------
    n_components : int
        Number of dimensions.
    time : int, default 1
        Steps of the random walk.
    density : float, default 1.0
        Power of the degrees that is divided out first: 0 keeps the walk, 1 takes out how densely the data were sampled.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": `|x − y|`.
        "cosine": `1 − x·y / |x||y|`; 1 where a row is zero.
    weights : "heat", "binary", "cosine", "local", "precomputed", default "heat"
        Weight of an edge.
        "heat": `exp(−d² / 2σ²)`, σ given or the mean distance to the k neighbours.
        "binary": 1.
        "cosine": The cosine of the two rows; edges whose cosine is not positive are dropped.
        "local": Self-tuning: `exp(−d² / σ_i σ_j)`, σ_i the distance of row i to its k-th neighbour.
        "precomputed": The graph is given, not built from rows.
    heat_width : float, default None
        Width σ of heat weights; none: the mean distance to the neighbours.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to `EXACT_LIMIT` dense rows, approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    graphs : list of sparse matrices, one per dataset, default None
        Given graphs instead of neighbours: one symmetric sparse matrix of weights per dataset. New rows have no place in a given
        graph.
    tolerance : float, default 1e-5
        Relative residual of the eigensolver.
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    embedding_ : (n, d) array, the fitted rows
    eigenvalues_ : (d,) array
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings

    Examples
    --------
    >>> import landbridge as lb
    >>> X = lb.datasets.swiss_rolls(200).datasets[0]
    >>> lb.DiffusionMap(2, time=3).fit_transform(X).shape
    (200, 2)
    """

    _embedding = "diffusion"

    def __init__(
        self,
        n_components: int,
        *,
        time: int = 1,
        density: float = 1.0,
        n_neighbors: int = 10,
        metric: Literal["euclidean", "cosine"] = "euclidean",
        weights: Literal["heat", "binary", "cosine", "local", "precomputed"] = "heat",
        heat_width: float | None = None,
        search: Literal["auto", "exact", "approximate"] = "auto",
        random_state: int = 0,
        graphs: Any = None,
        tolerance: float = 1e-5,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.time = time
        self.density = density
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.heat_width = heat_width
        self.search = search
        self.random_state = random_state
        self.graphs = graphs
        self.tolerance = tolerance
        self.n_jobs = n_jobs
        self.verbose = verbose


class Isomap(Embedding):
    """Places whose distances are those along the data: classical scaling of shortest paths over the neighbour graph. The d
    largest eigenvalues of `−½ H D² H`, coordinates `√λ v`. New rows by Isomap's own formula, `GeodesicExtension`.

    A disconnected graph is joined by the shortest edge between every two of its parts, and the outcome says so.

    Time: n times Dijkstra's algorithm in O(n k log n), on all cores. Memory: one n × n matrix while fitting; the model
    keeps the graph only.

    Parameters
    ----------
    n_components : int
        Number of dimensions.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": `|x − y|`.
        "cosine": `1 − x·y / |x||y|`; 1 where a row is zero.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to `EXACT_LIMIT` dense rows, approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    embedding_ : (n, d) array, the fitted rows
    eigenvalues_ : (d,) array
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings

    Examples
    --------
    >>> import landbridge as lb
    >>> X = lb.datasets.swiss_rolls(300).datasets[0]
    >>> lb.Isomap(2, n_neighbors=6).fit(X).transform(X[:5]).shape
    (5, 2)
    """

    _embedding = "isomap"

    def __init__(
        self,
        n_components: int,
        *,
        n_neighbors: int = 10,
        metric: Literal["euclidean", "cosine"] = "euclidean",
        search: Literal["auto", "exact", "approximate"] = "auto",
        random_state: int = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.search = search
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class LLE(Embedding):
    """Places that are the same affine combinations of their neighbours as the rows are: the d smallest non-zero eigenvectors
    of `M = (I − W)'(I − W)`, `F'F = I`. New rows lie at the combination of their neighbours' places.

    Time and memory: one Cholesky factorisation of a dense n × n matrix.

    Parameters
    ----------
    n_components : int
        Number of dimensions.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": `|x − y|`.
        "cosine": `1 − x·y / |x||y|`; 1 where a row is zero.
    ridge : float, default 0.001
        Ridge of the local weights, in units of the trace of the local Gram matrix.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to `EXACT_LIMIT` dense rows, approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    n_jobs : int, default None
        Threads; None or -1 is all cores. Results do not depend on it.
    verbose : int, default 0
        1 writes progress to stderr.

    Attributes
    ----------
    embedding_ : (n, d) array, the fitted rows
    eigenvalues_ : (d,) array
    outcome_ : Outcome, with status, residual, solver, seconds per stage and warnings

    Examples
    --------
    >>> import landbridge as lb
    >>> X = lb.datasets.swiss_rolls(200).datasets[0]
    >>> lb.LLE(2).fit_transform(X).shape
    (200, 2)
    """

    _embedding = "lle"

    def __init__(
        self,
        n_components: int,
        *,
        n_neighbors: int = 10,
        metric: Literal["euclidean", "cosine"] = "euclidean",
        ridge: float = 0.001,
        search: Literal["auto", "exact", "approximate"] = "auto",
        random_state: int = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.ridge = ridge
        self.search = search
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

_CLASSES.update(
    {
        "linear": LinearAlignment,
        "cca": CCA,
        "self_training": SelfTraining,
        "instance": InstanceAlignment,
        "global": GlobalAlignment,
        "sparse": SparseAlignment,
        "multiscale": MultiscaleAlignment,
        "procrustes": ProcrustesAlignment,
        "affine": AffineAlignment,
        "cle": CLE,
        "clle": CLLE,
        "lamvu": LAMVU,
        "linear_transform": LinearTransform,
        "pair_similarity": PairSimilarity,
        "mean_votes": MeanVotes,
        "popular_votes": PopularVotes,
    }
)

_EMBEDDINGS.update(
    {
        "pca": PCA,
        "lsi": LSI,
        "laplacian": LaplacianEigenmaps,
        "lpp": LPP,
        "diffusion": DiffusionMap,
        "isomap": Isomap,
        "lle": LLE,
    }
)

__all__ = [
    "AffineAlignment",
    "CCA",
    "CLE",
    "CLLE",
    "DiffusionMap",
    "GlobalAlignment",
    "InstanceAlignment",
    "Isomap",
    "LAMVU",
    "LLE",
    "LPP",
    "LSI",
    "LaplacianEigenmaps",
    "LinearAlignment",
    "LinearTransform",
    "MeanVotes",
    "MultiscaleAlignment",
    "PCA",
    "PairSimilarity",
    "PopularVotes",
    "ProcrustesAlignment",
    "SelfTraining",
    "SparseAlignment",
]
