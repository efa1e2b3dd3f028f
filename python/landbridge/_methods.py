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
    """Learns one linear map per dataset into the joint space: for mapping new rows and comparing features.

    The d smallest non-zero solutions of `(X'LX + R) f = λ X'DX f`. X is the block diagonal of the prepared datasets (never
    formed). L and D belong to the joint graph of neighbours and pairs. R is the ridge: for each dataset, `ridge` times the
    mean diagonal of its `X'DX`. By default (`ridge` auto) the ridge is chosen from the pairs. It then stands on both sides,
    `(X'LX + R) f = λ (X'DX + R) f`, and the components are scaled by their correlation over the pairs (see
    `weight_components`). With strong pairs this approaches ridge CCA. It did best on documents and on single cells.

    Departure: the papers have no ridge and an unbalanced μ = 1 (`ridge` 0, `balance` false). With that, maps of thousands of
    words fit the pairs and nothing else.

    Time: the neighbour search, the matrix `X'LX` (stored entries only for sparse rows), one Cholesky factorisation of P³/3
    operations, and about 3 d products with it. Memory: one P × P matrix, besides the rows.

    Parameters
    ----------
    n_components : int
        Dimension of the joint space.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": Euclidean distance, `|x − y|`.
        "cosine": Cosine distance, `1 − x·y / |x||y|`; 1 if a row is zero.
    weights : "auto", "heat", "binary", "cosine", "local", "precomputed", default "heat"
        Weight of an edge.
        "auto": Self-tuning as `local`, but `exp(−2d² / max(σ_i, σ_j)²)` where one σ is more than twice the other, so that no outlier hangs by a thread. Given graphs count as `precomputed`, a given width means `heat`.
        "heat": `exp(−d² / 2σ²)`, σ given or the mean distance to the k neighbours.
        "binary": 1.
        "cosine": The cosine of the two rows; edges whose cosine is not positive are dropped.
        "local": Self-tuning: `exp(−d² / σ_i σ_j)`, σ_i the distance of row i to its k-th neighbour.
        "precomputed": The graph is given, not built from rows.
    heat_width : float, default None
        Width σ of heat weights. None: the mean distance to the neighbours.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to 30,000 dense rows; approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    graphs : list of sparse matrices, one per dataset, default None
        Given graphs instead of neighbours: one symmetric sparse matrix of weights per dataset.

        New rows have no place in a given
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
        Ridge on the left-hand side, in units of the mean diagonal of `X'DX`.
        0 is the papers' problem. Auto: chosen from the pairs by generalised cross-validation (at most 1), on both sides.
    weight_components : bool, default None
        Scale each component by `sqrt(ρ / (1 − ρ²))`, ρ its correlation over the pairs.
        None: only if `ridge` is auto.
    unit_length : bool, default None
        Give every placed row length 1, so that Euclidean distances rank rows as cosines do.
        None: only for counts of cells, whose noise lengthens rows.
    prepare : "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", "counts", "counts_standardize", "peaks", "proteins", "auto", default "auto"
        Preprocessing of the rows. It is fitted with the model, saved in it and applied to new rows.
        "none": Nothing.
        "center": The mean of each column is subtracted.
        "unit": Each row has length 1 (zero rows stay zero).
        "center_unit": Centred, then unit length.
        "unit_center": Unit length, then centred.
        "tfidf": Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
        "tfidf_center": As tfidf, then centred.
        "log_tfidf": As tfidf, with `ln(1 + count)` in place of counts, so that repeated words count less.
        "standardize": Centred, and each column divided by its standard deviation (constant columns become 0).
        "counts": For counts of genes in cells: rows scaled to the median total, `ln(1 + x)`, the 2,000 most variable columns, centred.
        "counts_standardize": As counts, with each column divided by its standard deviation.
        "peaks": For counts of chromatin peaks in cells: shares times `n / cells with the peak`, `ln(1 + 10⁴ x)`, unit length, without the direction of the mean, which follows the depth of sequencing.
        "proteins": For counts of proteins in cells: `ln(1 + x / g)` with g the geometric mean of 1 + x over the row, centred.
        "auto": Counts, peaks or proteins where a dataset is recognised as such, which the outcome says; otherwise center.
    n_principal : int, default None
        Number of leading principal directions per dataset that the maps may use; fewer are faster.
        None: all, but 50 for counts of cells, and 500 for a dataset of more than 4,000 rows and still more features.
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
        weights: Literal["auto", "heat", "binary", "cosine", "local", "precomputed"] = "heat",
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
        unit_length: bool | None = None,
        prepare: Literal["none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", "counts", "counts_standardize", "peaks", "proteins", "auto"] | None = "auto",
        n_principal: int | None = None,
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
        self.unit_length = unit_length
        self.prepare = prepare
        self.n_principal = n_principal
        self.n_jobs = n_jobs
        self.verbose = verbose


class CCA(LinearMaps):
    """Finds the directions along which paired rows correlate most: one linear map per dataset, fitted on the paired rows only.

    The d largest solutions of `C f = ρ (B + R) f`. C holds the cross products `X_a' W_ab X_b` over the pairs. B holds the
    products `X_a' M_a X_a` over the same rows, where M counts the pairs of each row. R is the ridge: for each dataset,
    `ridge` times the mean diagonal of `X_a' M_a X_a`. For two datasets, ρ are the canonical correlations. For more, this is
    the sum-of-correlations form, with ρ between −1/(c−1) and 1. Rows without a pair get coordinates but do not influence the
    fit.

    Parameters
    ----------
    n_components : int
        Dimension of the joint space.
    ridge : float, default "auto"
        Ridge, in units of the mean diagonal of `X'X`; 0 is plain CCA.
        Auto: chosen from the pairs by generalised cross-validation, at most 1.
    weight_components : bool, default None
        Scale each component by `sqrt(ρ / (1 − ρ²))`, ρ its correlation over the pairs.
        None: only if `ridge` is auto.
    weight_power : float, default None
        Scale each component by ρ to this power instead.
        1 to 1.5 suits dense vectors: with a weak ridge, weak correlations are mostly chance. None: as `weight_components` says.
    unit_length : bool, default None
        Give every placed row length 1, so that Euclidean distances rank rows as cosines do.
        None: only for counts of cells, whose noise lengthens rows.
    prepare : "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", "counts", "counts_standardize", "peaks", "proteins", "auto", default "auto"
        Preprocessing of the rows. It is fitted with the model, saved in it and applied to new rows.
        "none": Nothing.
        "center": The mean of each column is subtracted.
        "unit": Each row has length 1 (zero rows stay zero).
        "center_unit": Centred, then unit length.
        "unit_center": Unit length, then centred.
        "tfidf": Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
        "tfidf_center": As tfidf, then centred.
        "log_tfidf": As tfidf, with `ln(1 + count)` in place of counts, so that repeated words count less.
        "standardize": Centred, and each column divided by its standard deviation (constant columns become 0).
        "counts": For counts of genes in cells: rows scaled to the median total, `ln(1 + x)`, the 2,000 most variable columns, centred.
        "counts_standardize": As counts, with each column divided by its standard deviation.
        "peaks": For counts of chromatin peaks in cells: shares times `n / cells with the peak`, `ln(1 + 10⁴ x)`, unit length, without the direction of the mean, which follows the depth of sequencing.
        "proteins": For counts of proteins in cells: `ln(1 + x / g)` with g the geometric mean of 1 + x over the row, centred.
        "auto": Counts, peaks or proteins where a dataset is recognised as such, which the outcome says; otherwise center.
    n_principal : int, default None
        Number of leading principal directions per dataset that the maps may use; fewer are faster.
        They are computed from the paired rows, for counts of cells from all rows.
        None: all directions; for counts of cells 10, 20 or 50 of each dataset, chosen with the ridge on held-out pairs.
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
        weight_power: float | None = None,
        unit_length: bool | None = None,
        prepare: Literal["none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", "counts", "counts_standardize", "peaks", "proteins", "auto"] | None = "auto",
        n_principal: int | None = None,
        random_state: int = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.ridge = ridge
        self.weight_components = weight_components
        self.weight_power = weight_power
        self.unit_length = unit_length
        self.prepare = prepare
        self.n_principal = n_principal
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class SelfTraining(SelfTrained):
    """Aligns datasets with few pairs or none: fits a method to its own confident matches.

    1. Represent each dataset by itself: tf-idf for sparse rows, centred, unit length, principal coordinates.
    2. Compute *signatures*: the similarities of a row to the others of its dataset, at several scales. They are comparable
       without pairs.
    3. Iterate: mutual nearest neighbours (CSLS) become pairs, and the pairs give a map (singular vectors of their cross
       covariance). The map gives new neighbours, in a space that grows from `first_dimension` to all principal coordinates.
       At first the known pairs weigh as much as all matches together, in the end as one match each.
    4. Measure *reproducibility*: maps fitted on half of the matches must find the other half. The null is a copy with
       shuffled columns and the same power of the singular values. Restart from other starts and with another power until the
       matches are reproducible or two starts agree. The run with the largest gain over its null wins.
    5. Fit the `base` method on the reliable matches and the known pairs.

    More than two datasets are matched to the first, one after the other.

    Columns that are known to correspond (`Pairs::with_column_links`) are a second view of the rows of two datasets: similarities of the
    linked columns stay beside the map while it grows, and fade. Such a run competes with the others under the same rule.

    The outcome reports the reproducibility, that of the null, and whether to trust the result.

    Parameters
    ----------
    base : an alignment such as ``LinearAlignment(100)``, default None
        The method of the final fit. None: CCA in principal coordinates.
        The default prepares sparse rows by tf-idf, and other rows by centring and scaling to unit length.
    start : "auto", "signatures", "moments", "pairs", default "auto"
        Where to start.
        "auto": Signatures and known pairs; moments where these lead nowhere.
        "signatures": Similarities of a row to the others of its dataset. Both datasets must hold the same objects, at least in part.
        "moments": The rotation that matches second and third moments. The datasets need not share a row.
        "pairs": Known pairs alone.
    first_dimension : int, default 10
        The first dimension of the joint space.
    steps : int, default 20
        Number of steps in which the dimension grows.
    hold : int, default 4
        Largest number of further steps; it stops when the matches repeat.
    max_runs : int, default 12
        Largest number of restarts.
    good : float, default 0.9
        Reproducibility at which the restarts stop.
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
    Two noisy views of one cloud in different orders, without any known pair.

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
        start: Literal["auto", "signatures", "moments", "pairs"] = "auto",
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
        self.start = start
        self.first_dimension = first_dimension
        self.steps = steps
        self.hold = hold
        self.max_runs = max_runs
        self.good = good
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose


class InstanceAlignment(Alignment):
    """Embeds the rows of all datasets in one joint space, where neighbours and known pairs are close; for curved datasets.

    Minimises `Σ_ab Σ_ij W_ij |f_i − f_j|²` over all rows of all datasets, subject to `F'DF = I`. W holds the similarities of
    neighbours within a dataset (times `nu`) and the known pairs across datasets (times `mu`). The coordinates are the d
    smallest non-zero solutions of `L f = λ D f`.

    Time: the neighbour search plus O(N k d) per product of the eigensolver. Memory: the rows, O(N k) for the graph, and about
    O(N (2d + 60)) for the eigensolver; never N × N.

    Departure: weights are self-tuning by default, and each component is scaled by `1/√λ`, so that distances in the joint space are
    commute times of a random walk on the joint graph. With the paper's single width an outlier hangs by a thread and takes whole
    components for itself; without the scaling, components that only one dataset knows count as much as those that both share. Other
    `weights`, or `weight_components` false, keep the paper's coordinates, `F'DF = I`.

    A joint graph of several connected components has one zero solution per component. The method skips all of them. The
    outcome warns that the relative position of the components has no meaning.

    Parameters
    ----------
    n_components : int
        Dimension of the joint space.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": Euclidean distance, `|x − y|`.
        "cosine": Cosine distance, `1 − x·y / |x||y|`; 1 if a row is zero.
    weights : "auto", "heat", "binary", "cosine", "local", "precomputed", default "auto"
        Weight of an edge.
        "auto": Self-tuning as `local`, but `exp(−2d² / max(σ_i, σ_j)²)` where one σ is more than twice the other, so that no outlier hangs by a thread. Given graphs count as `precomputed`, a given width means `heat`.
        "heat": `exp(−d² / 2σ²)`, σ given or the mean distance to the k neighbours.
        "binary": 1.
        "cosine": The cosine of the two rows; edges whose cosine is not positive are dropped.
        "local": Self-tuning: `exp(−d² / σ_i σ_j)`, σ_i the distance of row i to its k-th neighbour.
        "precomputed": The graph is given, not built from rows.
    heat_width : float, default None
        Width σ of heat weights. None: the mean distance to the neighbours.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to 30,000 dense rows; approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    graphs : list of sparse matrices, one per dataset, default None
        Given graphs instead of neighbours: one symmetric sparse matrix of weights per dataset.

        New rows have no place in a given
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
        Merge corresponding rows into one node, so that they coincide.
    normalized : bool, default True
        Constraint `F'DF = I` (normalised Laplacian); false: `F'F = I`.
    weight_components : bool, default None
        Scale each component by `1/√λ`, so that smooth ones count more. None: only if `weights` is auto, and no width and no graphs are given.
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
        weights: Literal["auto", "heat", "binary", "cosine", "local", "precomputed"] = "auto",
        heat_width: float | None = None,
        search: Literal["auto", "exact", "approximate"] = "auto",
        random_state: int = 0,
        graphs: Any = None,
        mu: float = 1.0,
        nu: float = 1.0,
        balance: bool = True,
        hard: bool = False,
        normalized: bool = True,
        weight_components: bool | None = None,
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
        self.weight_components = weight_components
        self.tolerance = tolerance
        self.n_jobs = n_jobs
        self.verbose = verbose


class GlobalAlignment(GlobalMaps):
    """Finds coordinates that preserve distances, within each dataset and, through the pairs, across datasets.

    Distances within a dataset are measured along its neighbour graph. Those of every other dataset are multiplied by η, so
    that distances between paired rows fit those of the first dataset (eq. 3). Across datasets, the distance is the shortest
    way through a pair (eq. 4). `τ(D) = −½ H D² H` turns distances into inner products. Feature level: the d largest solutions
    of `Z'τ(D)Z γ = λ (Z'Z + R) γ`, Z the block diagonal of the prepared datasets. Instance level: the d largest eigenvectors
    of τ(D) itself.

    Departures: instance level also takes the largest eigenvalues (the paper's "minimum" is a slip). Rows are not multiplied
    by η (step 2), which would only divide the maps by η. Coordinates are weighted by √λ by default at instance level and for
    geodesic distances, because that more than doubles the share of documents found; they are not weighted for maps of
    straight or given distances, where it loses a third of them. `weight_components` false is the paper. Two datasets that
    share no pair are bridged through the first; every dataset must share pairs with the first.

    A disconnected neighbour graph is joined by its shortest missing edges, and the outcome warns. Time: N shortest-path
    searches, `n_a n_b l` sums for the bridges (in 16 bits if that is accurate enough), and then one of two ways. Either about
    8 d products of the N × N matrix with a vector; or, at feature level if that is cheaper, the matrix `Z'τ(D)Z` in single
    precision, whose eigenvectors are refined by one product of the N × N matrix each. Memory: the blocks of D, without those
    that symmetry gives.

    Parameters
    ----------
    n_components : int
        Dimension of the joint space.
    level : "feature", "instance", default "feature"
        The result of the fit: maps of features or coordinates of rows.
        "feature": A linear map of the features of each dataset.
        "instance": Coordinates of each row. (Sparse12 §4.1: X is the identity; groups and order are those of rows.)
    distance : "geodesic", "euclidean", "cosine", "precomputed", default "geodesic"
        Distances within a dataset.
        "geodesic": Geodesic: shortest paths over the neighbour graph.
        "euclidean": Euclidean distances.
        "cosine": Cosine distances, `1 − cos`.
        "precomputed": Precomputed distances.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": Euclidean distance, `|x − y|`.
        "cosine": Cosine distance, `1 − x·y / |x||y|`; 1 if a row is zero.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to 30,000 dense rows; approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    ridge : float, default 0.0
        Ridge R, in units of the mean diagonal of each dataset's `Z'Z`; 0: solve on the range of `Z'Z`.
    weight_components : bool, default None
        Multiply coordinates by √λ, so that their distances approximate D; false: sphered, as in the paper.
        None: only at instance level and for geodesic distances.
    landmarks : int, default None
        Number of landmarks m: use distances to m rows only, with memory N × m instead of N². None: all rows.
    psd : bool, default False
        Remove the negative eigenvalues of τ(D). This needs all eigenvalues: N³ operations, with landmarks m³.
    prepare : "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", "counts", "counts_standardize", "peaks", "proteins", "auto", default "center"
        Preprocessing of the rows. It is fitted with the model, saved in it and applied to new rows.
        "none": Nothing.
        "center": The mean of each column is subtracted.
        "unit": Each row has length 1 (zero rows stay zero).
        "center_unit": Centred, then unit length.
        "unit_center": Unit length, then centred.
        "tfidf": Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
        "tfidf_center": As tfidf, then centred.
        "log_tfidf": As tfidf, with `ln(1 + count)` in place of counts, so that repeated words count less.
        "standardize": Centred, and each column divided by its standard deviation (constant columns become 0).
        "counts": For counts of genes in cells: rows scaled to the median total, `ln(1 + x)`, the 2,000 most variable columns, centred.
        "counts_standardize": As counts, with each column divided by its standard deviation.
        "peaks": For counts of chromatin peaks in cells: shares times `n / cells with the peak`, `ln(1 + 10⁴ x)`, unit length, without the direction of the mean, which follows the depth of sequencing.
        "proteins": For counts of proteins in cells: `ln(1 + x / g)` with g the geometric mean of 1 + x over the row, centred.
        "auto": Counts, peaks or proteins where a dataset is recognised as such, which the outcome says; otherwise center.
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    distances : list of (n_a, n_a) arrays, default None
        Precomputed distances: one symmetric matrix per dataset. Implies `distance` precomputed.
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
        search: Literal["auto", "exact", "approximate"] = "auto",
        ridge: float = 0.0,
        weight_components: bool | None = None,
        landmarks: int | None = None,
        psd: bool = False,
        prepare: Literal["none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", "counts", "counts_standardize", "peaks", "proteins", "auto"] | None = "center",
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
        self.search = search
        self.ridge = ridge
        self.weight_components = weight_components
        self.landmarks = landmarks
        self.psd = psd
        self.prepare = prepare
        self.random_state = random_state
        self.distances = distances
        self.n_jobs = n_jobs
        self.verbose = verbose


class SparseAlignment(SparseMaps):
    """Learns sparse linear maps: few features of each dataset carry the joint space, and those of only one dataset are pruned.

    The targets are the d smallest non-zero eigenvectors of the joint Laplacian. For each dataset the map W minimises `|Y −
    XW|² + penalty(W)`, where Y holds the dataset's rows of the eigenvectors and X its prepared rows. Z = diag(X_a) is block
    diagonal, so the problem separates into one per dataset (Sparse12 §4).

    For the fused penalty, `beta` is relative to the same α as `alpha` (default: a tenth of `alpha`). For the elastic net and
    no penalty, it is in units of the mean diagonal of `X'X` (default: 0.1).

    Departure: the paper takes eigenvectors of the plain Laplacian, an unbalanced μ and absolute strengths (`normalized`
    false, `balance` false, `relative` false). Theorem 2 requires rank(Z) = N − 1 with every dataset centred; a block-diagonal
    Z then has rank N − c at most. A weaker statement holds and is tested: with unprepared rows (`prepare` none) and full row
    rank, the maps without penalty span the eigenvector solution. The fused penalty does not cross datasets.

    Time: the neighbour search, the eigenvectors, and for each dataset `X'X` (stored entries only for sparse rows) and its
    regressions. Memory: one p × p matrix if p ≤ 8,192, otherwise the residuals of 32 components at a time.

    Parameters
    ----------
    n_components : int
        Dimension of the joint space.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": Euclidean distance, `|x − y|`.
        "cosine": Cosine distance, `1 − x·y / |x||y|`; 1 if a row is zero.
    weights : "auto", "heat", "binary", "cosine", "local", "precomputed", default "heat"
        Weight of an edge.
        "auto": Self-tuning as `local`, but `exp(−2d² / max(σ_i, σ_j)²)` where one σ is more than twice the other, so that no outlier hangs by a thread. Given graphs count as `precomputed`, a given width means `heat`.
        "heat": `exp(−d² / 2σ²)`, σ given or the mean distance to the k neighbours.
        "binary": 1.
        "cosine": The cosine of the two rows; edges whose cosine is not positive are dropped.
        "local": Self-tuning: `exp(−d² / σ_i σ_j)`, σ_i the distance of row i to its k-th neighbour.
        "precomputed": The graph is given, not built from rows.
    heat_width : float, default None
        Width σ of heat weights. None: the mean distance to the neighbours.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to 30,000 dense rows; approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    graphs : list of sparse matrices, one per dataset, default None
        Given graphs instead of neighbours: one symmetric sparse matrix of weights per dataset.

        New rows have no place in a given
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
        The penalty on the weights.
        "none": Ridge only: γ |W|².
        "lasso": Lasso: α |W|₁.
        "elastic_net": Elastic net: α |W|₁ + γ |W|².
        "group": Group lasso over groups of features and all components: α Σ_g √|g| |W_g|. A group is kept or dropped as a whole.
        "fused": Fused lasso in the order of the features: α |W|₁ + β Σ |w_k − w_{k−1}|.
    alpha : float, default 0.02
        Strength α of the penalty, as a share of the smallest α that sets all weights of the dataset to 0.
        If `relative` is false, α stands in the objective as given.
    beta : float, default "auto"
        Second strength: of the differences (fused) or of the ridge (elastic_net, none).
        Auto: a tenth of alpha (fused), otherwise 0.1.
    relative : bool, default True
        Strengths are relative to the smallest one that sets all weights to 0; false: absolute.
    groups : list with one entry per dataset: lists of column numbers, or one label per column, default None
        Groups of features of each dataset, for the penalty group. None: each feature is a group.
    order : list with one permutation of the columns per dataset, default None
        Order of the features of each dataset, for the penalty fused. None: the order of the columns.
    level : "feature", "instance", default "feature"
        The result of the fit: maps of features or coordinates of rows.
        "feature": A linear map of the features of each dataset.
        "instance": Coordinates of each row. (Sparse12 §4.1: X is the identity; groups and order are those of rows.)
    refit : float, default None
        Refit the selected weights without the penalty, with this ridge in units of the mean diagonal of `X'X`.
        Fewer features then find as many matches, because the penalty no longer shrinks the weights that it keeps.
    prepare : "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", "counts", "counts_standardize", "peaks", "proteins", "auto", default "center"
        Preprocessing of the rows. It is fitted with the model, saved in it and applied to new rows.
        "none": Nothing.
        "center": The mean of each column is subtracted.
        "unit": Each row has length 1 (zero rows stay zero).
        "center_unit": Centred, then unit length.
        "unit_center": Unit length, then centred.
        "tfidf": Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
        "tfidf_center": As tfidf, then centred.
        "log_tfidf": As tfidf, with `ln(1 + count)` in place of counts, so that repeated words count less.
        "standardize": Centred, and each column divided by its standard deviation (constant columns become 0).
        "counts": For counts of genes in cells: rows scaled to the median total, `ln(1 + x)`, the 2,000 most variable columns, centred.
        "counts_standardize": As counts, with each column divided by its standard deviation.
        "peaks": For counts of chromatin peaks in cells: shares times `n / cells with the peak`, `ln(1 + 10⁴ x)`, unit length, without the direction of the mean, which follows the depth of sequencing.
        "proteins": For counts of proteins in cells: `ln(1 + x / g)` with g the geometric mean of 1 + x over the row, centred.
        "auto": Counts, peaks or proteins where a dataset is recognised as such, which the outcome says; otherwise center.
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
        weights: Literal["auto", "heat", "binary", "cosine", "local", "precomputed"] = "heat",
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
        prepare: Literal["none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", "counts", "counts_standardize", "peaks", "proteins", "auto"] | None = "center",
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
    """Builds a hierarchy of alignments, coarse to fine, whose dimensions are found from the data.

    With `G'G = X'X` (X the block diagonal of the prepared datasets) and `T = (G⁺' X'LX G⁺)⁺` scaled to norm 1, level k = 1,
    2, … spans the eigenvectors of T with `λ^(2^k) ≥ precision`, expressed in localised functions `[φ_k]`. The maps are `F_k =
    G⁺ [φ_k]`, so that `(X F_k)'(X F_k) = I`. The levels are listed finest first. The fitted alignment shows the finest level
    that is smaller than the whole space, because the whole space (usually level 0) does not bring the datasets together.

    Departure: the chapter inverts once in step 3 and again in step 4; one inverse is meant. It has an unbalanced μ = 1, with
    which the coarsest levels only separate one dataset from the other.

    Directed graphs use the recursive construction, without a guarantee of optimality, as the chapter says.

    Time: the neighbour search, one decomposition of r³ operations (r the rank of all datasets together), and one pivoted QR
    per level. Memory: rows times r, and r times the dimensions of the levels. At instance level only the eigenvectors of
    level 0 are computed.

    Parameters
    ----------
    precision : float, default 1e-5
        Precision ε: an eigenvector belongs to level k where `λ^(2^k) ≥ ε`.
    max_levels : int, default None
        Largest number of levels. None: all levels.
    level : "feature", "instance", default "feature"
        Whether the functions of a level are functions of features or of rows.
        Functions of features give one map per dataset at every level.
        "feature": A linear map of the features of each dataset.
        "instance": Coordinates of each row. (Sparse12 §4.1: X is the identity; groups and order are those of rows.)
    construction : "auto", "spectral", "recursion", default "auto"
        How the levels are built.
        "auto": Spectral for symmetric operators of up to 4,000 rows, the recursion for all others.
        "spectral": Localised bases of the exact spectral subspaces. Symmetric operators only.
        "recursion": The published recursion: orthogonalise the columns of the power, compress, square.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": Euclidean distance, `|x − y|`.
        "cosine": Cosine distance, `1 − x·y / |x||y|`; 1 if a row is zero.
    weights : "auto", "heat", "binary", "cosine", "local", "precomputed", default "heat"
        Weight of an edge.
        "auto": Self-tuning as `local`, but `exp(−2d² / max(σ_i, σ_j)²)` where one σ is more than twice the other, so that no outlier hangs by a thread. Given graphs count as `precomputed`, a given width means `heat`.
        "heat": `exp(−d² / 2σ²)`, σ given or the mean distance to the k neighbours.
        "binary": 1.
        "cosine": The cosine of the two rows; edges whose cosine is not positive are dropped.
        "local": Self-tuning: `exp(−d² / σ_i σ_j)`, σ_i the distance of row i to its k-th neighbour.
        "precomputed": The graph is given, not built from rows.
    heat_width : float, default None
        Width σ of heat weights. None: the mean distance to the neighbours.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to 30,000 dense rows; approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    graphs : list of sparse matrices, one per dataset, default None
        Given graphs instead of neighbours: one symmetric sparse matrix of weights per dataset.

        New rows have no place in a given
        graph.
    directed : bool, default False
        Use directed edges, from a row to its neighbours only. Given graphs need not be symmetric.
    mu : float, default 100.0
        Strength of the pairs.
    nu : float, default 1.0
        Strength of the neighbours.
    balance : bool, default True
        Count mu in units of (total edge weight) / (total pair weight); false is the papers' raw μ.

        Departure: the papers print a raw μ, with which a thousand pairs drown among tens of thousands of graph
        edges; the authors' own code balances without saying so.
    prepare : "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", "counts", "counts_standardize", "peaks", "proteins", "auto", default "center"
        Preprocessing of the rows. It is fitted with the model, saved in it and applied to new rows.
        "none": Nothing.
        "center": The mean of each column is subtracted.
        "unit": Each row has length 1 (zero rows stay zero).
        "center_unit": Centred, then unit length.
        "unit_center": Unit length, then centred.
        "tfidf": Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
        "tfidf_center": As tfidf, then centred.
        "log_tfidf": As tfidf, with `ln(1 + count)` in place of counts, so that repeated words count less.
        "standardize": Centred, and each column divided by its standard deviation (constant columns become 0).
        "counts": For counts of genes in cells: rows scaled to the median total, `ln(1 + x)`, the 2,000 most variable columns, centred.
        "counts_standardize": As counts, with each column divided by its standard deviation.
        "peaks": For counts of chromatin peaks in cells: shares times `n / cells with the peak`, `ln(1 + 10⁴ x)`, unit length, without the direction of the mean, which follows the depth of sequencing.
        "proteins": For counts of proteins in cells: `ln(1 + x / g)` with g the geometric mean of 1 + x over the row, centred.
        "auto": Counts, peaks or proteins where a dataset is recognised as such, which the outcome says; otherwise center.
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
        weights: Literal["auto", "heat", "binary", "cosine", "local", "precomputed"] = "heat",
        heat_width: float | None = None,
        search: Literal["auto", "exact", "approximate"] = "auto",
        random_state: int = 0,
        graphs: Any = None,
        directed: bool = False,
        mu: float = 100.0,
        nu: float = 1.0,
        balance: bool = True,
        prepare: Literal["none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", "counts", "counts_standardize", "peaks", "proteins", "auto"] | None = "center",
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
    """Embeds each dataset by itself, then rotates, scales and shifts the embeddings onto the first one by the known pairs.

    Let X be the paired rows of the first embedding and Y those of another, both centred on the pairs, and `Y'X = UΣV'`. The
    rotation `Q = UV'` and the scale `k = tr(Σ) / tr(Y'Y)` minimise `‖X − kYQ‖` (Procrustes08, Theorem 1), and `x ≈ k (y −
    mean) Q + mean`. With more than two datasets the method minimises the sum over all pairs: it fits each dataset in turn to
    the current positions of the others until nothing moves. The first dataset is fixed.

    Embeddings of different dimensions are padded with zeros. If the pairs span fewer dimensions than the embeddings, the
    rotation is not unique: the method takes the smallest one, and the outcome warns. Time: the embeddings, plus O(l d² + d³)
    for l pairs.

    Parameters
    ----------
    embedding : "none", "pca", "lsi", "laplacian", "lpp", "diffusion", "isomap", "lle", default "laplacian"
        The embedding of each dataset.
        "none": the rows already are coordinates
        "pca": you want the directions of largest variance
        "lsi": the rows are documents, as word counts
        "laplacian": neighbours should stay neighbours
        "lpp": neighbours should stay neighbours under a linear map
        "diffusion": you want distances of a random walk on the data
        "isomap": you want distances along the data
        "lle": rows should stay combinations of their neighbours
    prepare : "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", "counts", "counts_standardize", "peaks", "proteins", "auto", default "auto"
        Preprocessing of the rows. It is fitted with the model, saved in it and applied to new rows.
        "none": Nothing.
        "center": The mean of each column is subtracted.
        "unit": Each row has length 1 (zero rows stay zero).
        "center_unit": Centred, then unit length.
        "unit_center": Unit length, then centred.
        "tfidf": Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
        "tfidf_center": As tfidf, then centred.
        "log_tfidf": As tfidf, with `ln(1 + count)` in place of counts, so that repeated words count less.
        "standardize": Centred, and each column divided by its standard deviation (constant columns become 0).
        "counts": For counts of genes in cells: rows scaled to the median total, `ln(1 + x)`, the 2,000 most variable columns, centred.
        "counts_standardize": As counts, with each column divided by its standard deviation.
        "peaks": For counts of chromatin peaks in cells: shares times `n / cells with the peak`, `ln(1 + 10⁴ x)`, unit length, without the direction of the mean, which follows the depth of sequencing.
        "proteins": For counts of proteins in cells: `ln(1 + x / g)` with g the geometric mean of 1 + x over the row, centred.
        "auto": Counts, peaks or proteins where a dataset is recognised as such, which the outcome says; otherwise center.
    n_components : int, default None
        Number of dimensions.
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": Euclidean distance, `|x − y|`.
        "cosine": Cosine distance, `1 − x·y / |x||y|`; 1 if a row is zero.
    weights : "auto", "heat", "binary", "cosine", "local", "precomputed", default "heat"
        Weight of an edge.
        "auto": Self-tuning as `local`, but `exp(−2d² / max(σ_i, σ_j)²)` where one σ is more than twice the other, so that no outlier hangs by a thread. Given graphs count as `precomputed`, a given width means `heat`.
        "heat": `exp(−d² / 2σ²)`, σ given or the mean distance to the k neighbours.
        "binary": 1.
        "cosine": The cosine of the two rows; edges whose cosine is not positive are dropped.
        "local": Self-tuning: `exp(−d² / σ_i σ_j)`, σ_i the distance of row i to its k-th neighbour.
        "precomputed": The graph is given, not built from rows.
    heat_width : float, default None
        Width σ of heat weights. None: the mean distance to the neighbours.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to 30,000 dense rows; approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    graphs : list of sparse matrices, one per dataset, default None
        Given graphs instead of neighbours: one symmetric sparse matrix of weights per dataset.

        New rows have no place in a given
        graph.
    normalized : bool, default True
        Constraint `F'DF = I` (normalised Laplacian); false: `F'F = I`.
    tolerance : float, default 1e-5
        Relative residual of the eigensolver.
    embedding_ridge : float, default "auto"
        Ridge on the left-hand side, in units of the mean diagonal of `X'DX`.
    time : int, default 1
        Number of steps of the random walk.
    density : float, default 1.0
        Exponent of the density normalisation: 0 keeps the walk, 1 removes the effect of the sampling density.
    scaling : bool, default True
        Fit a scale for each dataset; false: keep the sizes.
    reflection : bool, default True
        Allow reflections; false: proper rotations only.
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
    A protein-like chain, stretched and rotated; every fourth point is known.

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
        n_components: int | None = None,
        *,
        embedding: Literal["none", "pca", "lsi", "laplacian", "lpp", "diffusion", "isomap", "lle"] | None = "laplacian",
        prepare: Literal["none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", "counts", "counts_standardize", "peaks", "proteins", "auto"] | None = "auto",
        random_state: int = 0,
        n_neighbors: int = 10,
        metric: Literal["euclidean", "cosine"] = "euclidean",
        weights: Literal["auto", "heat", "binary", "cosine", "local", "precomputed"] = "heat",
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
    """Embeds each dataset by itself, then maps the embeddings onto the first one by affine maps fitted to the pairs.

    Minimises `Σ w |x − yA − t|² + ridge |A|²` over the pairs. More than two datasets are fitted in turn, as in the Procrustes
    method.

    Parameters
    ----------
    embedding : "none", "pca", "lsi", "laplacian", "lpp", "diffusion", "isomap", "lle", default "laplacian"
        The embedding of each dataset.
        "none": the rows already are coordinates
        "pca": you want the directions of largest variance
        "lsi": the rows are documents, as word counts
        "laplacian": neighbours should stay neighbours
        "lpp": neighbours should stay neighbours under a linear map
        "diffusion": you want distances of a random walk on the data
        "isomap": you want distances along the data
        "lle": rows should stay combinations of their neighbours
    prepare : "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", "counts", "counts_standardize", "peaks", "proteins", "auto", default "auto"
        Preprocessing of the rows. It is fitted with the model, saved in it and applied to new rows.
        "none": Nothing.
        "center": The mean of each column is subtracted.
        "unit": Each row has length 1 (zero rows stay zero).
        "center_unit": Centred, then unit length.
        "unit_center": Unit length, then centred.
        "tfidf": Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
        "tfidf_center": As tfidf, then centred.
        "log_tfidf": As tfidf, with `ln(1 + count)` in place of counts, so that repeated words count less.
        "standardize": Centred, and each column divided by its standard deviation (constant columns become 0).
        "counts": For counts of genes in cells: rows scaled to the median total, `ln(1 + x)`, the 2,000 most variable columns, centred.
        "counts_standardize": As counts, with each column divided by its standard deviation.
        "peaks": For counts of chromatin peaks in cells: shares times `n / cells with the peak`, `ln(1 + 10⁴ x)`, unit length, without the direction of the mean, which follows the depth of sequencing.
        "proteins": For counts of proteins in cells: `ln(1 + x / g)` with g the geometric mean of 1 + x over the row, centred.
        "auto": Counts, peaks or proteins where a dataset is recognised as such, which the outcome says; otherwise center.
    n_components : int, default None
        Number of dimensions.
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": Euclidean distance, `|x − y|`.
        "cosine": Cosine distance, `1 − x·y / |x||y|`; 1 if a row is zero.
    weights : "auto", "heat", "binary", "cosine", "local", "precomputed", default "heat"
        Weight of an edge.
        "auto": Self-tuning as `local`, but `exp(−2d² / max(σ_i, σ_j)²)` where one σ is more than twice the other, so that no outlier hangs by a thread. Given graphs count as `precomputed`, a given width means `heat`.
        "heat": `exp(−d² / 2σ²)`, σ given or the mean distance to the k neighbours.
        "binary": 1.
        "cosine": The cosine of the two rows; edges whose cosine is not positive are dropped.
        "local": Self-tuning: `exp(−d² / σ_i σ_j)`, σ_i the distance of row i to its k-th neighbour.
        "precomputed": The graph is given, not built from rows.
    heat_width : float, default None
        Width σ of heat weights. None: the mean distance to the neighbours.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to 30,000 dense rows; approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    graphs : list of sparse matrices, one per dataset, default None
        Given graphs instead of neighbours: one symmetric sparse matrix of weights per dataset.

        New rows have no place in a given
        graph.
    normalized : bool, default True
        Constraint `F'DF = I` (normalised Laplacian); false: `F'F = I`.
    tolerance : float, default 1e-5
        Relative residual of the eigensolver.
    embedding_ridge : float, default "auto"
        Ridge on the left-hand side, in units of the mean diagonal of `X'DX`.
    time : int, default 1
        Number of steps of the random walk.
    density : float, default 1.0
        Exponent of the density normalisation: 0 keeps the walk, 1 removes the effect of the sampling density.
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
        n_components: int | None = None,
        *,
        embedding: Literal["none", "pca", "lsi", "laplacian", "lpp", "diffusion", "isomap", "lle"] | None = "laplacian",
        prepare: Literal["none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", "counts", "counts_standardize", "peaks", "proteins", "auto"] | None = "auto",
        random_state: int = 0,
        n_neighbors: int = 10,
        metric: Literal["euclidean", "cosine"] = "euclidean",
        weights: Literal["auto", "heat", "binary", "cosine", "local", "precomputed"] = "heat",
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
    """Embeds curved datasets so that corresponding rows coincide: correspondence Laplacian eigenmaps (CLE, Lamvu13 eq. 10).

    This is instance-level alignment with `hard` true and `normalized` false, under its published name. It predicts values as
    CLLE does.

    Parameters
    ----------
    n_components : int
        Dimension of the joint space.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": Euclidean distance, `|x − y|`.
        "cosine": Cosine distance, `1 − x·y / |x||y|`; 1 if a row is zero.
    weights : "auto", "heat", "binary", "cosine", "local", "precomputed", default "heat"
        Weight of an edge.
        "auto": Self-tuning as `local`, but `exp(−2d² / max(σ_i, σ_j)²)` where one σ is more than twice the other, so that no outlier hangs by a thread. Given graphs count as `precomputed`, a given width means `heat`.
        "heat": `exp(−d² / 2σ²)`, σ given or the mean distance to the k neighbours.
        "binary": 1.
        "cosine": The cosine of the two rows; edges whose cosine is not positive are dropped.
        "local": Self-tuning: `exp(−d² / σ_i σ_j)`, σ_i the distance of row i to its k-th neighbour.
        "precomputed": The graph is given, not built from rows.
    heat_width : float, default None
        Width σ of heat weights. None: the mean distance to the neighbours.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to 30,000 dense rows; approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    graphs : list of sparse matrices, one per dataset, default None
        Given graphs instead of neighbours: one symmetric sparse matrix of weights per dataset.

        New rows have no place in a given
        graph.
    tolerance : float, default 1e-5
        Relative residual of the eigensolver.
    n_neighbors_embed : int, default None
        Number of neighbours (k_D) for rows placed after the fit. None: `n_neighbors`.
    predictor : "residuals", "local", default "residuals"
        Predictor for the values of other datasets.
        "residuals": The column mean, plus the row's own offset, plus a kernel regression of the residuals on rows known on both sides.
        "local": The affine combination of the nearest rows of the other dataset in the joint space (Lamvu13 eq. 20, 21).
    n_neighbors_predict : int, default 10
        Number of neighbours in the joint space (k_A) of the local predictor.
    ridge : float, default 0.001
        Ridge of the local weights, in units of the trace of the local Gram matrix.
        For ratings, larger values (1) predict better.
    known : "stored", "rated", "non_zero", "all", default "stored"
        Which entries are known.
        "stored": The stored entries of sparse rows (a stored 0 is a value), and all entries of dense rows.
        "rated": The stored entries of sparse rows, and the non-zero entries of dense rows.
        "non_zero": Non-zero entries.
        "all": All entries; those that sparse rows do not store are 0.
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
        weights: Literal["auto", "heat", "binary", "cosine", "local", "precomputed"] = "heat",
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
    """Aligns curved datasets so that corresponding rows coincide and each row keeps its local linear reconstruction.

    `W_a` holds the weights that reconstruct each row of dataset a from its neighbours: they minimise `|x_i − Σ W_ij x_j|²`
    with `Σ_j W_ij = 1`. The method merges corresponding rows into one node and minimises `Σ_a |F_a − W_a F_a|²` with `F'F =
    I` over the nodes. The coordinates are the d smallest non-zero solutions of `M f = λ f`, M the sum of all `(I − W_a)'(I −
    W_a)`.

    Time: the neighbour search, one sparse Cholesky factorisation of M (little fill-in for data of few dimensions), and O(d)
    solves. Memory: the factor. The N × N matrix is formed only if the data have many dimensions.

    Parameters
    ----------
    n_components : int
        Dimension of the joint space.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": Euclidean distance, `|x − y|`.
        "cosine": Cosine distance, `1 − x·y / |x||y|`; 1 if a row is zero.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to 30,000 dense rows; approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    n_neighbors_embed : int, default None
        Number of neighbours (k_D) for rows placed after the fit. None: `n_neighbors`.
    predictor : "residuals", "local", default "residuals"
        Predictor for the values of other datasets.
        "residuals": The column mean, plus the row's own offset, plus a kernel regression of the residuals on rows known on both sides.
        "local": The affine combination of the nearest rows of the other dataset in the joint space (Lamvu13 eq. 20, 21).
    n_neighbors_predict : int, default 10
        Number of neighbours in the joint space (k_A) of the local predictor.
    ridge : float, default 0.001
        Ridge of the local weights, in units of the trace of the local Gram matrix.
        For ratings, larger values (1) predict better.
    known : "stored", "rated", "non_zero", "all", default "stored"
        Which entries are known.
        "stored": The stored entries of sparse rows (a stored 0 is a value), and all entries of dense rows.
        "rated": The stored entries of sparse rows, and the non-zero entries of dense rows.
        "non_zero": Non-zero entries.
        "all": All entries; those that sparse rows do not store are 0.
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
    """Unfolds the paired rows as far as their distances in all datasets allow, and places the other rows between them.

    1. Compute the geodesic distances between the labelled (paired) rows of each dataset, over all its rows. Divide them by
       their maximum and sum over the datasets (eq. 14–16). Scaling by the largest norm and centring do not change these
       numbers.
    2. Apply maximum variance unfolding to the sums, on the graph of `n_neighbors` neighbours. The leading eigenvectors of the
       kernel K, times √λ, are the coordinates of the labelled rows.
    3. Place each unlabelled or new row at the affine combination of its `n_neighbors_embed` labelled neighbours (eq. 17, 18).

    With more than two datasets, a labelled group has a row in every dataset, and the sums run over all datasets. If several
    rows of a dataset belong to one group, the first one represents it.

    Parameters
    ----------
    n_components : int
        Dimension of the joint space.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": Euclidean distance, `|x − y|`.
        "cosine": Cosine distance, `1 − x·y / |x||y|`; 1 if a row is zero.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to 30,000 dense rows; approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    constraints : "shrink", "direct", "printed", default "shrink"
        How unfolding treats the distances of the datasets.
        "shrink": Summed geodesic distances may shrink but not grow.
        "direct": Straight distances, `d² = Σ_a (d_a / max d_a)²`, are preserved.
        "printed": Summed geodesic distances are preserved, as printed (eq. 16 into eq. 7).
    solver : "auto", "interior", "low_rank", "laplacian", default "auto"
        Solver for the unfolding of the paired rows.
        "auto": Interior point up to 3,000 edges, or 8,000 of graphs of many dimensions; low rank above.
        "interior": Primal-dual interior point: the optimum, with a dual solution; time O(edges³).
        "low_rank": Coordinates in few dimensions by an augmented Lagrangian, certified by the dual.
        "laplacian": Coordinates that combine the smoothest functions of the graph (Weinberger, Sha, Zhu and Saul 2006): fast, not optimal; distances may always shrink.
    n_functions : int, default 20
        Number of Laplacian eigenvectors that the `laplacian` solver uses.
    n_neighbors_embed : int, default None
        Number of neighbours (k_D) for rows placed after the fit. None: 10, or fewer if there are fewer.
    predictor : "residuals", "local", default "residuals"
        Predictor for the values of other datasets.
        "residuals": The column mean, plus the row's own offset, plus a kernel regression of the residuals on rows known on both sides.
        "local": The affine combination of the nearest rows of the other dataset in the joint space (Lamvu13 eq. 20, 21).
    n_neighbors_predict : int, default 10
        Number of neighbours in the joint space (k_A) of the local predictor.
    ridge : float, default 0.001
        Ridge of the local weights, in units of the trace of the local Gram matrix.
        For ratings, larger values (1) predict better.
    known : "stored", "rated", "non_zero", "all", default "stored"
        Which entries are known.
        "stored": The stored entries of sparse rows (a stored 0 is a value), and all entries of dense rows.
        "rated": The stored entries of sparse rows, and the non-zero entries of dense rows.
        "non_zero": Non-zero entries.
        "all": All entries; those that sparse rows do not store are 0.
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    distances : list of (n_a, n_a) arrays, default None
        Precomputed distances between all rows of each dataset, instead of geodesics.
        New rows cannot be placed then.
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
    """Maps every dataset into the features of the last one by least squares over the pairs: a baseline without a manifold.

    `T = (X'MX + R)⁻¹ X'WY` on the paired rows, where R is the ridge in units of the mean diagonal of `X'MX`. With ridge 0 it
    is the pseudo-inverse. The joint space is the (prepared) feature space of the last dataset.

    Parameters
    ----------
    ridge : float, default "auto"
        Ridge, in units of the mean diagonal of `X'X`; 0 is the pseudo-inverse.
        Auto: chosen from the pairs by generalised cross-validation, at most 1.
    prepare : "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", "counts", "counts_standardize", "peaks", "proteins", "auto", default "center"
        Preprocessing of the rows. It is fitted with the model, saved in it and applied to new rows.
        "none": Nothing.
        "center": The mean of each column is subtracted.
        "unit": Each row has length 1 (zero rows stay zero).
        "center_unit": Centred, then unit length.
        "unit_center": Unit length, then centred.
        "tfidf": Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
        "tfidf_center": As tfidf, then centred.
        "log_tfidf": As tfidf, with `ln(1 + count)` in place of counts, so that repeated words count less.
        "standardize": Centred, and each column divided by its standard deviation (constant columns become 0).
        "counts": For counts of genes in cells: rows scaled to the median total, `ln(1 + x)`, the 2,000 most variable columns, centred.
        "counts_standardize": As counts, with each column divided by its standard deviation.
        "peaks": For counts of chromatin peaks in cells: shares times `n / cells with the peak`, `ln(1 + 10⁴ x)`, unit length, without the direction of the mean, which follows the depth of sequencing.
        "proteins": For counts of proteins in cells: `ln(1 + x / g)` with g the geometric mean of 1 + x over the row, centred.
        "auto": Counts, peaks or proteins where a dataset is recognised as such, which the outcome says; otherwise center.
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
        prepare: Literal["none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", "counts", "counts_standardize", "peaks", "proteins", "auto"] | None = "center",
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.ridge = ridge
        self.prepare = prepare
        self.n_jobs = n_jobs
        self.verbose = verbose


class PairSimilarity(Alignment):
    """Describes each row by its cosine similarity to the paired rows of its own dataset: a baseline without a map.

    The joint space has one dimension per group of corresponding rows with a row in every dataset (the first row, if there are
    several). The coordinates are centred by the mean over all rows of the dataset.

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
    """Predicts the mean known vote of each column, the same for every row: the baseline "Mean Votes" of Lamvu13.

    The votes are those of the labelled rows, which occur in a pair; without pairs all rows vote. With `unseen` overall it is
    the column mean with a global fallback, a fairer baseline if many columns have no votes.

    Parameters
    ----------
    known : "stored", "rated", "non_zero", "all", default "rated"
        Which entries are votes.
        "stored": The stored entries of sparse rows (a stored 0 is a value), and all entries of dense rows.
        "rated": The stored entries of sparse rows, and the non-zero entries of dense rows.
        "non_zero": Non-zero entries.
        "all": All entries; those that sparse rows do not store are 0.
    unseen : "zero", "overall", default "zero"
        The prediction for a column without votes.
        "zero": 0.
        "overall": The prediction over all columns together: the mean of all votes, or the most frequent vote.
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
    """Predicts the most frequent known vote of each column, the same for every row: the baseline "Popular Votes" of Lamvu13.

    Among equally frequent votes, the one nearest to the mean of the column wins; of two equally near, the higher. The
    parameters are those of mean votes.

    Parameters
    ----------
    known : "stored", "rated", "non_zero", "all", default "rated"
        Which entries are votes.
        "stored": The stored entries of sparse rows (a stored 0 is a value), and all entries of dense rows.
        "rated": The stored entries of sparse rows, and the non-zero entries of dense rows.
        "non_zero": Non-zero entries.
        "all": All entries; those that sparse rows do not store are 0.
    unseen : "zero", "overall", default "zero"
        The prediction for a column without votes.
        "zero": 0.
        "overall": The prediction over all columns together: the mean of all votes, or the most frequent vote.
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
    """Embeds one dataset along its directions of largest variance (principal component analysis).

    The coordinates are `X V` for the d largest right singular vectors of the centred rows. Sparse rows are centred
    implicitly. The reported eigenvalues are the variances `s² / (n − 1)`.

    Time: about 3 d products with X and its transpose. Memory: the rows and about 2 d vectors.

    Parameters
    ----------
    n_components : int
        Number of dimensions.
    prepare : "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", "counts", "counts_standardize", "peaks", "proteins", "auto", default "center"
        Preprocessing of the rows. It is fitted with the model, saved in it and applied to new rows.
        "none": Nothing.
        "center": The mean of each column is subtracted.
        "unit": Each row has length 1 (zero rows stay zero).
        "center_unit": Centred, then unit length.
        "unit_center": Unit length, then centred.
        "tfidf": Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
        "tfidf_center": As tfidf, then centred.
        "log_tfidf": As tfidf, with `ln(1 + count)` in place of counts, so that repeated words count less.
        "standardize": Centred, and each column divided by its standard deviation (constant columns become 0).
        "counts": For counts of genes in cells: rows scaled to the median total, `ln(1 + x)`, the 2,000 most variable columns, centred.
        "counts_standardize": As counts, with each column divided by its standard deviation.
        "peaks": For counts of chromatin peaks in cells: shares times `n / cells with the peak`, `ln(1 + 10⁴ x)`, unit length, without the direction of the mean, which follows the depth of sequencing.
        "proteins": For counts of proteins in cells: `ln(1 + x / g)` with g the geometric mean of 1 + x over the row, centred.
        "auto": Counts, peaks or proteins where a dataset is recognised as such, which the outcome says; otherwise center.
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
        prepare: Literal["none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", "counts", "counts_standardize", "peaks", "proteins", "auto"] | None = "center",
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
    """Embeds documents by a truncated singular value decomposition of their tf-idf weighted, unit-length rows.

    The coordinates are `X V = U S` for the d largest right singular vectors. Sparse rows stay sparse. The reported
    eigenvalues are the singular values.

    Time: about 3 d products with X and its transpose. Memory: the rows and about 2 d vectors.

    Parameters
    ----------
    n_components : int
        Number of dimensions.
    prepare : "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", "counts", "counts_standardize", "peaks", "proteins", "auto", default "log_tfidf"
        Preprocessing of the rows. It is fitted with the model, saved in it and applied to new rows.
        "none": Nothing.
        "center": The mean of each column is subtracted.
        "unit": Each row has length 1 (zero rows stay zero).
        "center_unit": Centred, then unit length.
        "unit_center": Unit length, then centred.
        "tfidf": Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
        "tfidf_center": As tfidf, then centred.
        "log_tfidf": As tfidf, with `ln(1 + count)` in place of counts, so that repeated words count less.
        "standardize": Centred, and each column divided by its standard deviation (constant columns become 0).
        "counts": For counts of genes in cells: rows scaled to the median total, `ln(1 + x)`, the 2,000 most variable columns, centred.
        "counts_standardize": As counts, with each column divided by its standard deviation.
        "peaks": For counts of chromatin peaks in cells: shares times `n / cells with the peak`, `ln(1 + 10⁴ x)`, unit length, without the direction of the mean, which follows the depth of sequencing.
        "proteins": For counts of proteins in cells: `ln(1 + x / g)` with g the geometric mean of 1 + x over the row, centred.
        "auto": Counts, peaks or proteins where a dataset is recognised as such, which the outcome says; otherwise center.
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
        prepare: Literal["none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", "counts", "counts_standardize", "peaks", "proteins", "auto"] | None = "log_tfidf",
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
    """Embeds one dataset so that neighbours are close: Laplacian eigenmaps.

    The d smallest non-zero solutions of `L f = λ D f` on the neighbour graph, with `F'DF = I` (Procrustes08 §3 uses the
    normalised Laplacian). A new row lies at the weighted mean of its neighbours.

    A graph of several components has one zero solution per component. The method skips all of them, and the outcome warns.

    Parameters
    ----------
    n_components : int
        Number of dimensions.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": Euclidean distance, `|x − y|`.
        "cosine": Cosine distance, `1 − x·y / |x||y|`; 1 if a row is zero.
    weights : "auto", "heat", "binary", "cosine", "local", "precomputed", default "heat"
        Weight of an edge.
        "auto": Self-tuning as `local`, but `exp(−2d² / max(σ_i, σ_j)²)` where one σ is more than twice the other, so that no outlier hangs by a thread. Given graphs count as `precomputed`, a given width means `heat`.
        "heat": `exp(−d² / 2σ²)`, σ given or the mean distance to the k neighbours.
        "binary": 1.
        "cosine": The cosine of the two rows; edges whose cosine is not positive are dropped.
        "local": Self-tuning: `exp(−d² / σ_i σ_j)`, σ_i the distance of row i to its k-th neighbour.
        "precomputed": The graph is given, not built from rows.
    heat_width : float, default None
        Width σ of heat weights. None: the mean distance to the neighbours.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to 30,000 dense rows; approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    graphs : list of sparse matrices, one per dataset, default None
        Given graphs instead of neighbours: one symmetric sparse matrix of weights per dataset.

        New rows have no place in a given
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
        weights: Literal["auto", "heat", "binary", "cosine", "local", "precomputed"] = "heat",
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
    """Embeds one dataset by a linear map that keeps neighbours close: Laplacian eigenmaps restricted to linear maps.

    The d smallest non-zero solutions of `X'LX f = λ X'DX f` on the neighbour graph, `z = prepared(x) F`. If columns are
    linearly dependent, the problem is solved on the range of `X'DX`, and the outcome reports its rank.

    Parameters
    ----------
    n_components : int
        Number of dimensions.
    ridge : float, default 0.0
        Ridge on the left-hand side, in units of the mean diagonal of `X'DX`.
    prepare : "none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", "counts", "counts_standardize", "peaks", "proteins", "auto", default "center"
        Preprocessing of the rows. It is fitted with the model, saved in it and applied to new rows.
        "none": Nothing.
        "center": The mean of each column is subtracted.
        "unit": Each row has length 1 (zero rows stay zero).
        "center_unit": Centred, then unit length.
        "unit_center": Unit length, then centred.
        "tfidf": Counts times `ln((1 + n) / (1 + documents with the word)) + 1`, then unit length.
        "tfidf_center": As tfidf, then centred.
        "log_tfidf": As tfidf, with `ln(1 + count)` in place of counts, so that repeated words count less.
        "standardize": Centred, and each column divided by its standard deviation (constant columns become 0).
        "counts": For counts of genes in cells: rows scaled to the median total, `ln(1 + x)`, the 2,000 most variable columns, centred.
        "counts_standardize": As counts, with each column divided by its standard deviation.
        "peaks": For counts of chromatin peaks in cells: shares times `n / cells with the peak`, `ln(1 + 10⁴ x)`, unit length, without the direction of the mean, which follows the depth of sequencing.
        "proteins": For counts of proteins in cells: `ln(1 + x / g)` with g the geometric mean of 1 + x over the row, centred.
        "auto": Counts, peaks or proteins where a dataset is recognised as such, which the outcome says; otherwise center.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": Euclidean distance, `|x − y|`.
        "cosine": Cosine distance, `1 − x·y / |x||y|`; 1 if a row is zero.
    weights : "auto", "heat", "binary", "cosine", "local", "precomputed", default "heat"
        Weight of an edge.
        "auto": Self-tuning as `local`, but `exp(−2d² / max(σ_i, σ_j)²)` where one σ is more than twice the other, so that no outlier hangs by a thread. Given graphs count as `precomputed`, a given width means `heat`.
        "heat": `exp(−d² / 2σ²)`, σ given or the mean distance to the k neighbours.
        "binary": 1.
        "cosine": The cosine of the two rows; edges whose cosine is not positive are dropped.
        "local": Self-tuning: `exp(−d² / σ_i σ_j)`, σ_i the distance of row i to its k-th neighbour.
        "precomputed": The graph is given, not built from rows.
    heat_width : float, default None
        Width σ of heat weights. None: the mean distance to the neighbours.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to 30,000 dense rows; approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    graphs : list of sparse matrices, one per dataset, default None
        Given graphs instead of neighbours: one symmetric sparse matrix of weights per dataset.

        New rows have no place in a given
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
        prepare: Literal["none", "center", "unit", "center_unit", "unit_center", "tfidf", "tfidf_center", "log_tfidf", "standardize", "counts", "counts_standardize", "peaks", "proteins", "auto"] | None = "center",
        n_neighbors: int = 10,
        metric: Literal["euclidean", "cosine"] = "euclidean",
        weights: Literal["auto", "heat", "binary", "cosine", "local", "precomputed"] = "heat",
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
    """Embeds one dataset so that distances are those of a random walk on its neighbour graph after `time` steps.

    The coordinates are `κ^time ψ` for the d largest eigenvalues κ < 1 of `P = D⁻¹W`, with `Σ π ψ² = 1` and π the stationary
    distribution of the walk. The reported eigenvalues are κ.

    With `density` α, each edge is first divided by the α-th power of the degrees at both ends: 0 keeps the walk, 1 removes
    the effect of the sampling density.

    Departure: the walk runs on the neighbour graph, which has no loops, not on the full kernel matrix.

    Parameters
    ----------
    n_components : int
        Number of dimensions.
    time : int, default 1
        Number of steps of the random walk.
    density : float, default 1.0
        Exponent of the density normalisation: 0 keeps the walk, 1 removes the effect of the sampling density.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": Euclidean distance, `|x − y|`.
        "cosine": Cosine distance, `1 − x·y / |x||y|`; 1 if a row is zero.
    weights : "auto", "heat", "binary", "cosine", "local", "precomputed", default "heat"
        Weight of an edge.
        "auto": Self-tuning as `local`, but `exp(−2d² / max(σ_i, σ_j)²)` where one σ is more than twice the other, so that no outlier hangs by a thread. Given graphs count as `precomputed`, a given width means `heat`.
        "heat": `exp(−d² / 2σ²)`, σ given or the mean distance to the k neighbours.
        "binary": 1.
        "cosine": The cosine of the two rows; edges whose cosine is not positive are dropped.
        "local": Self-tuning: `exp(−d² / σ_i σ_j)`, σ_i the distance of row i to its k-th neighbour.
        "precomputed": The graph is given, not built from rows.
    heat_width : float, default None
        Width σ of heat weights. None: the mean distance to the neighbours.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to 30,000 dense rows; approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    random_state : int, default 0
        Seed of everything random. The same seed gives the same result.
    graphs : list of sparse matrices, one per dataset, default None
        Given graphs instead of neighbours: one symmetric sparse matrix of weights per dataset.

        New rows have no place in a given
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
        weights: Literal["auto", "heat", "binary", "cosine", "local", "precomputed"] = "heat",
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
    """Embeds one dataset so that distances are those along the data: classical scaling of shortest paths.

    The coordinates are `√λ v` for the d largest eigenvalues of `−½ H D² H`, where D holds the shortest paths over the
    neighbour graph. New rows are placed by Isomap's own formula.

    A disconnected graph is joined by the shortest edge between every two of its components, and the outcome warns.

    Time: n runs of Dijkstra's algorithm in O(n k log n), on all cores. Memory: one n × n matrix during the fit; the model
    stores only the graph.

    Parameters
    ----------
    n_components : int
        Number of dimensions.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": Euclidean distance, `|x − y|`.
        "cosine": Cosine distance, `1 − x·y / |x||y|`; 1 if a row is zero.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to 30,000 dense rows; approximate above.
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
    """Embeds one dataset so that each row keeps its reconstruction from its neighbours: locally linear embedding.

    The d smallest non-zero eigenvectors of `M = (I − W)'(I − W)`, with `F'F = I`. A new row lies at the affine combination of
    its neighbours' coordinates that reconstructs the row itself.

    Time and memory: one Cholesky factorisation of a dense n × n matrix.

    Parameters
    ----------
    n_components : int
        Number of dimensions.
    n_neighbors : int, default 10
        Number of nearest neighbours per row, less than the number of rows.
    metric : "euclidean", "cosine", default "euclidean"
        Distance between the rows of a dataset.
        "euclidean": Euclidean distance, `|x − y|`.
        "cosine": Cosine distance, `1 − x·y / |x||y|`; 1 if a row is zero.
    search : "auto", "exact", "approximate", default "auto"
        How nearest neighbours are found.
        "auto": Exact for sparse rows, for few columns and up to 30,000 dense rows; approximate above.
        "exact": Always exact.
        "approximate": Always approximate (dense rows).
    ridge : float, default 0.001
        Ridge of the local weights, in units of the trace of the local Gram matrix.
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
        search: Literal["auto", "exact", "approximate"] = "auto",
        ridge: float = 0.001,
        random_state: int = 0,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.search = search
        self.ridge = ridge
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
