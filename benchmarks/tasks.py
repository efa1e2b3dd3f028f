"""The rows of the table: which data, which sides, which bar, which check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import checks
import cross_system
import data
import embeddings
import files
import global_geometry
import linear
import no_pairs
import one_row
import ours
import peers
import regression
import self_training
import wavelets


@dataclass(frozen=True)
class Side:
    name: str
    set_up: Callable  # (arrays, threads) -> work
    bar: float | None = None  # ours must be at least this many times faster
    memory_bar: float | None = None  # our increase in memory must be at most this share of the peer's
    timeout: float | None = None  # seconds for the whole process; past it the row says "> timeout"
    most_repeats: int | None = None  # for sides that take minutes


@dataclass(frozen=True)
class Row:
    name: str
    task: str
    make: Callable  # size -> arrays
    size: int
    quick_size: int
    ours: Callable
    peers: tuple[Side, ...]
    check: Callable  # (arrays, reference, answer, measured) -> sentence
    reference: Callable | None = None  # a set_up whose answer is the truth
    agree: Callable | None = None  # (arrays, our answer, peer's answer)
    warm_rows: int = 1000
    large: bool = False  # only with --large
    most_repeats: int | None = None

    def side(self, name: str) -> Side:
        fixed = {"ours": self.ours, "reference": self.reference}
        if name in fixed:
            return Side(name, fixed[name], most_repeats=self.most_repeats)
        return next(peer for peer in self.peers if peer.name == name)


def instance_row(name, task, make, n_components, exact, eigsh, bars, memory_bar=None, timeout=None):
    """An instance-level fit, graph included, against eigsh at its fastest and, with a second bar, SpectralEmbedding."""
    # Two BLAS threads win on a quiet machine and lose badly on a busy one: the peer may do both, and we must beat both.
    sides = [
        Side(f"scipy eigsh, {count} BLAS", peers.eigsh_side(n_components, blas_threads=blas, **eigsh), bars[0], memory_bar)
        for blas, count in ((2, "parallel"), (1, "serial"))
    ]
    if len(bars) > 1:
        # One run: it takes minutes, and the bar is far enough away for noise not to matter.
        embed = peers.spectral_embedding(n_components)
        sides.append(Side("sklearn SpectralEmbedding", embed, bars[1], memory_bar, timeout, most_repeats=1))
    return Row(
        name=name,
        task=task,
        make=make,
        size=20_000,
        quick_size=2_000,
        ours=ours.instance(n_components),
        peers=tuple(sides),
        check=checks.same_eigenvalues,
        reference=checks.exact_eigenvalues(n_components, **exact),
    )


PRODUCTS = peers.smallest_by_products
INVERSE = peers.smallest_by_inverse

ALL_ROWS = [
    instance_row(
        "instance-d10",
        "instance fit, 2 x 20,000 rows x 50, d = 10",
        data.two_views,
        10,
        # Sweep (eigenvalues 9.5e-3 to 2.4e-2), ncv 20 to 110, tol 1e-6 to 1e-4 (1e-4 leaves errors of 1e-5), one and two
        # BLAS threads: ncv 44 with two threads 0.76 s, with one 1.17 s; ncv 33 with one 1.11 s; ncv 22 1.8 s. Shift-invert
        # fills up here: it is what SpectralEmbedding does below.
        exact={"solve": PRODUCTS, "ncv": 44},
        eigsh={"solve": PRODUCTS, "ncv": 44, "tol": 1e-5},
        bars=(2, 10),
        memory_bar=0.5,
        timeout=40,
    ),
    instance_row(
        "instance-d100",
        "instance fit, 2 x 20,000 rows x 50, d = 100",
        data.two_views,
        100,
        # Sweep at full size: ncv 202 with two BLAS threads 54 s (105 s CPU), ncv 150 59 s (112 s CPU) and with one thread
        # 96 s, ncv 303 with one thread 104 s; shift-invert had not finished factoring after 150 s CPU and 2.1 GB. At
        # 2 x 5,000 rows tol 1e-4 was no faster than 1e-5 and left errors of 7e-6. The wanted eigenvalues lie close
        # together: each heavy pair is a trap for the random walk, and there are 1,000 of them.
        exact={"solve": PRODUCTS, "ncv": 202},
        eigsh={"solve": PRODUCTS, "ncv": 202, "tol": 1e-5},
        bars=(1.5, 10),
        memory_bar=0.5,
        timeout=120,
    ),
    instance_row(
        "instance-swiss-d10",
        "instance fit, 2 swiss rolls of 20,000 points, d = 10",
        data.two_swiss_rolls,
        10,
        # Sweep (eigenvalues 2.3e-5 to 8.4e-4): shift-invert with SuperLU's symmetric ordering 0.50 s, with the COLAMD
        # ordering that eigsh(sigma=...) picks by itself 1.32 s; larger ncv is slower.
        exact={"solve": INVERSE, "ncv": 33, "sigma": -2e-6, "ordering": "MMD_AT_PLUS_A"},
        eigsh={"solve": INVERSE, "ncv": 20, "tol": 1e-3, "sigma": -2e-6, "ordering": "MMD_AT_PLUS_A"},
        bars=(2,),
    ),
    instance_row(
        "instance-chain-d10",
        "instance fit, 2 thin chains of 20,000 points, d = 10",
        data.two_chains,
        10,
        # Sweep (eigenvalues 7.0e-8 to 6.9e-6): shift-invert with eigsh's own COLAMD ordering 0.30 s, with the symmetric
        # ordering 0.32 to 0.41 s.
        exact={"solve": INVERSE, "ncv": 33, "sigma": -7e-9, "ordering": None},
        eigsh={"solve": INVERSE, "ncv": 22, "tol": 1e-3, "sigma": -7e-9, "ordering": None},
        bars=(2,),
    ),
    Row(
        name="knn-dense-20k",
        task="exact 10-NN, 20,000 x 50, float32",
        make=partial(data.dense_rows, features=50),
        size=20_000,
        quick_size=3_000,
        ours=ours.neighbors("exact"),
        peers=(Side("faiss IndexFlatL2", peers.faiss_flat, 1), Side("sklearn brute", peers.sklearn_brute(), 2)),
        check=checks.same_neighbors,
        reference=checks.exact_neighbors,
        agree=checks.agreeing_neighbors,
    ),
    Row(
        name="knn-dense-100k",
        task="exact 10-NN, 100,000 x 100, float32",
        make=partial(data.dense_rows, features=100),
        size=100_000,
        quick_size=3_000,
        ours=ours.neighbors("exact"),
        peers=(Side("faiss IndexFlatL2", peers.faiss_flat, 1), Side("sklearn brute", peers.sklearn_brute(), 2)),
        check=checks.same_neighbors,
        reference=checks.exact_neighbors,
        agree=checks.agreeing_neighbors,
    ),
    Row(
        name="knn-sparse-10k",
        task="exact cosine 10-NN, 10,000 sparse documents x 4,000 words",
        make=partial(data.zipf_documents, words=4_000),
        size=10_000,
        quick_size=2_000,
        ours=ours.neighbors("exact", metric="cosine"),
        peers=(Side("sklearn brute", peers.sklearn_brute("cosine"), 5),),
        check=checks.same_neighbors,
        reference=checks.exact_neighbors,
        agree=checks.agreeing_neighbors,
    ),
    Row(
        name="knn-approx-100k",
        task="approximate 10-NN, 100,000 x 100, float32, recall >= 0.98",
        make=partial(data.mixture_rows, features=100),
        size=100_000,
        quick_size=20_000,
        ours=ours.neighbors("approximate"),
        # At its defaults with n_neighbors = 11 (one is the row itself) pynndescent reaches a recall of 0.891 in 4.5 s,
        # with 13: 0.936, 15: 0.961, 18: 0.983 in 6.8 s, 20: 0.990 in 7.7 s. The cheapest setting found over 0.98, among
        # 20 of n_neighbors, max_candidates, delta, n_trees, n_iters, is this one: 0.982 in 5.9 s.
        peers=(Side("pynndescent", peers.nndescent(n_neighbors=17, max_candidates=20, delta=0.01), 1),),
        check=checks.enough_neighbors,
        reference=checks.exact_neighbors,
        warm_rows=5_000,
    ),
    Row(
        name="linear-p8000",
        task="linear maps, 2 x 10,000 sparse documents x 4,000 words, d = 200, graphs and matrices included",
        make=linear.two_languages,
        size=10_000,
        quick_size=1_500,
        ours=linear.our_maps(200),
        # gvx takes the wanted part of the spectrum; gvd, the whole, is slower still at this size.
        peers=(Side("scipy eigh, subset", linear.eigh_maps(200), 5, most_repeats=1),),
        check=linear.within_memory,
        agree=linear.same_maps,
        warm_rows=0,
        most_repeats=2,
    ),
    Row(
        name="cca-10k",
        task="CCA, 10,000 rows, 2 x 2,000 features, d = 100",
        make=linear.correlated,
        size=10_000,
        quick_size=5_000,
        ours=linear.our_cca(100),
        peers=(
            Side("cca-zoo CCA", linear.cca_zoo(100), 1),
            Side("sklearn CCA", linear.sklearn_cca(100), 5, timeout=120, most_repeats=1),
        ),
        check=linear.same_correlations,
        reference=linear.exact_correlations(100),
        warm_rows=0,
    ),
    Row(
        name="lasso-5k",
        task="lasso, 2,500 sparse documents x 5,000 words, 200 targets, relative gap 1e-6",
        make=regression.documents,
        size=2_500,
        quick_size=400,
        ours=regression.our_lasso,
        peers=(
            Side("sklearn Lasso, 2-D target", regression.lasso_of(regression.sklearn_lasso), 5),
            Side("celer Lasso, target by target", regression.lasso_of(regression.celer_lasso), 2),
            Side("skglm Lasso, target by target", regression.lasso_of(regression.skglm_lasso), 2),
        ),
        check=regression.lasso_gap,
        warm_rows=0,
    ),
    Row(
        name="fused-2500",
        task="fused lasso, 2,500 rows x 2,500 features, 200 targets (the peer: one of them, so that 0.1 is 20 times)",
        make=regression.dense_documents,
        size=2_500,
        quick_size=200,
        ours=regression.our_fused,
        peers=(Side("cvxpy + Clarabel, one target", regression.clarabel_fused, 0.1, timeout=900, most_repeats=1),),
        check=regression.fused_gap,
        agree=regression.same_fused,
        warm_rows=0,
    ),
    Row(
        name="tv-1m",
        task="total-variation denoising, 1,000,000 points",
        make=regression.signal,
        size=1_000_000,
        quick_size=10_000,
        ours=regression.our_variation,
        peers=(Side("condat_tv", regression.condat_variation, 0.5),),
        check=regression.variation_conditions,
        agree=regression.same_variation,
        warm_rows=0,
    ),
    Row(
        name="self-train-2500",
        task="self-training from no pair, 2 x 2,500 sparse documents, score and null included",
        make=self_training.bilingual,
        size=2_500,
        quick_size=1_000,
        ours=self_training.ours,
        peers=(Side("plain NumPy recipe", self_training.plain_numpy, 5, most_repeats=2),),
        check=self_training.found_again,
        agree=self_training.same_partners,
        warm_rows=0,
    ),
    Row(
        name="match-69k",
        task="top-10 cosine match, 69,458 x 69,458 rows, d = 200",
        make=linear.joint_rows,
        size=69_458,
        quick_size=4_000,
        ours=linear.our_match,
        peers=(Side("faiss IndexFlatIP", linear.faiss_match, 1),),
        check=linear.same_matches,
        reference=linear.exact_match,
    ),
    Row(
        name="read-csv",
        task="csv file of 1 GB (1,000,000 x 50 doubles and names of rows) to rows of numbers",
        make=files.csv_table,
        size=1_000_000,
        quick_size=2_000,
        ours=files.ours(".csv"),
        peers=(Side("polars read_csv, to_numpy", files.reading(".csv", files.polars_csv), 1),),
        check=files.same_numbers,
        warm_rows=0,
    ),
    Row(
        name="read-mtx",
        task="mtx file of 200,000 x 20,000 with 10 million entries to CSR",
        make=files.mtx_matrix,
        size=200_000,
        quick_size=2_000,
        ours=files.ours(".mtx"),
        peers=(
            Side("scipy.io.mmread, tocsr", files.reading(".mtx", files.scipy_mtx), 5),
            Side("SciPy's reader before 1.12", files.reading(".mtx", files.scipy_python_mtx), 5),
        ),
        check=files.same_entries,
        warm_rows=0,
    ),
    Row(
        name="read-text",
        task="text file of 70,000 documents of 120 words to tf-idf",
        make=files.zipf_text,
        size=70_000,
        quick_size=2_000,
        ours=files.ours(".txt"),
        peers=(Side("sklearn TfidfVectorizer", files.reading(".txt", files.sklearn_text), 5),),
        check=files.plausible_text,
        agree=files.same_text,
        warm_rows=0,
    ),
    Row(
        name="isomap-5k",
        task="Isomap, 5,000 rows x 50, 10 neighbours, d = 10",
        make=embeddings.curved_rows,
        size=5_000,
        quick_size=800,
        ours=embeddings.our_isomap(10),
        # "auto" is the dense eigensolver at ten components; "arpack" is the faster choice.
        peers=(
            Side("sklearn Isomap, arpack", embeddings.sklearn_isomap(10, "arpack"), 4, most_repeats=2),
            Side("sklearn Isomap", embeddings.sklearn_isomap(10, "auto"), 4, most_repeats=1),
        ),
        check=embeddings.plausible_isomap,
        agree=embeddings.same_isomap,
        warm_rows=200,
    ),
    *(
        Row(
            name=f"geodesic-{shape}{suffix}",
            task=f"shortest paths between all of 10,000 rows, {what}, 10 neighbours{', float32' if suffix else ''}",
            make=make,
            size=10_000,
            quick_size=1_500,
            ours=global_geometry.our_paths(dtype),
            peers=(Side("scipy dijkstra", global_geometry.scipy_paths, 4, most_repeats=2),),
            check=global_geometry.within_a_matrix,
            agree=global_geometry.same_paths,
            warm_rows=200,
        )
        for shape, what, make, suffix, dtype in (
            ("roll", "a swiss roll", global_geometry.roll, "", "float64"),
            ("roll", "a swiss roll", global_geometry.roll, "-f32", "float32"),
            ("gauss", "20 columns of noise", global_geometry.gaussian, "", "float64"),
        )
    ),
    Row(
        name="min-plus",
        task="min-plus product, 2,500 x 1,000 x 2,500",
        make=global_geometry.factors,
        size=2_500,
        quick_size=500,
        ours=global_geometry.our_min_plus,
        peers=(Side("numpy, blocked", global_geometry.numpy_min_plus, 10, most_repeats=2),),
        check=global_geometry.shape_of,
        agree=global_geometry.same_product,
        warm_rows=0,
    ),
    Row(
        name="global-fit",
        task="global geometry, 2 x 2,500 rows x 1,000 features, 1,000 pairs, d = 100",
        make=global_geometry.two_views,
        size=2_500,
        quick_size=1_200,
        ours=global_geometry.our_global(100),
        peers=(
            Side("numpy and scipy, formula by formula", global_geometry.plain_global(100), 10, most_repeats=2),
            Side("numpy and scipy, tuned", global_geometry.numpy_global(100), 10, most_repeats=2),
        ),
        check=global_geometry.descending,
        agree=global_geometry.same_spectrum,
        warm_rows=0,
    ),
    Row(
        name="svd-12k",
        task="truncated SVD, 12,500 sparse documents x 4,000 words, d = 200",
        make=partial(data.zipf_documents, words=4_000),
        size=12_500,
        quick_size=2_000,
        ours=embeddings.our_svd(200),
        peers=(Side("scipy svds, arpack", embeddings.scipy_svds(200, "arpack"), 2, most_repeats=2),),
        check=embeddings.same_values,
        reference=embeddings.exact_svd(200),
        warm_rows=0,
    ),
    *(
        Row(
            name=name,
            task=f"Laplacian eigenmaps, 20,000 rows x 50 ({kind}), d = 100, graph included",
            make=make,
            size=20_000,
            quick_size=2_000,
            ours=embeddings.our_eigenmaps(100),
            peers=(
                Side("sklearn SpectralEmbedding, amg", embeddings.spectral_embedding(100, "amg"), bars[0], timeout=300, most_repeats=1),
                Side("sklearn SpectralEmbedding, lobpcg", embeddings.spectral_embedding(100, "lobpcg"), bars[0], timeout=300, most_repeats=1),
                Side("sklearn SpectralEmbedding", embeddings.spectral_embedding(100, None), bars[1], timeout=300, most_repeats=1),
            ),
            check=embeddings.near_eigenvalues,
            reference=embeddings.exact_eigenmaps(100),
            warm_rows=0,
        )
        # On a sheet of three dimensions the factor behind the default solver stays small, so that the bar of 10 is for the cloud.
        for name, kind, make, bars in (
            ("eigenmaps-20k-d100", "a cloud of 8 dimensions", data.two_views, (1.5, 10)),
            ("eigenmaps-sheet-d100", "a curved sheet of 3 dimensions", embeddings.curved_rows, (1.5, None)),
        )
    ),
    Row(
        name="wavelets-800",
        task="diffusion wavelets, symmetric operator of 800 dimensions, to the top, exact subspaces",
        make=wavelets.dense_operator,
        size=800,
        quick_size=200,
        ours=wavelets.our_wavelets("auto"),
        peers=(Side("numpy eigh + scipy pivoted QR", wavelets.plain_spectral, 5),),
        check=wavelets.precise,
        agree=wavelets.same_dimensions,
        warm_rows=0,
    ),
    Row(
        name="wavelets-800-recursion",
        task="diffusion wavelets, the same operator, published recursion",
        make=wavelets.dense_operator,
        size=800,
        quick_size=200,
        ours=wavelets.our_wavelets("recursion"),
        peers=(Side("scipy pivoted QR recursion", wavelets.plain_recursion),),
        check=wavelets.precise,
        agree=wavelets.close_dimensions,
        warm_rows=0,
    ),
    Row(
        name="wavelets-chain-10k",
        task="diffusion wavelets, chain of 10,000 nodes, sparse recursion to the top",
        make=wavelets.chain,
        size=10_000,
        quick_size=5_000,
        ours=wavelets.our_chain,
        peers=(),
        check=wavelets.chain_levels,
        warm_rows=0,
    ),
    Row(
        name="wavelets-chain-100k",
        task="diffusion wavelets, chain of 100,000 nodes, sparse recursion to the top",
        make=wavelets.chain,
        size=100_000,
        quick_size=8_000,
        ours=wavelets.our_chain,
        peers=(),
        check=wavelets.chain_levels,
        warm_rows=0,
        most_repeats=2,
    ),
    *(
        Row(
            name=name,
            task=f"mutual best of 5,000 x 5,000 local patterns, k = 4, {columns} columns",
            make=no_pairs.clouds(columns),
            size=5_000,
            quick_size=600,
            ours=no_pairs.our_patterns,
            peers=(Side("numpy, one product per order", no_pairs.plain_patterns, 20),),
            check=no_pairs.some_pairs,
            agree=no_pairs.same_pairs,
            warm_rows=300,
        )
        for name, columns in (("patterns-5000", 3), ("patterns-5000-10d", 10))
    ),
    Row(
        name="gw-1047",
        task="entropic Gromov-Wasserstein, 1,047 x 1,047 hops over graphs (the size of SNARE-seq), epsilon 0.005",
        make=no_pairs.cells,
        size=1_047,
        quick_size=200,
        ours=no_pairs.our_transport,
        peers=(Side("POT", no_pairs.pot_transport, 5, timeout=1800, most_repeats=1),),
        check=no_pairs.a_plan,
        agree=no_pairs.same_plan,
        warm_rows=0,
    ),
    Row(
        name="mvu-200",
        task="maximum variance unfolding, 200 points of a roll, 6 neighbours, distances may shrink",
        make=cross_system.roll_graph,
        size=200,
        quick_size=60,
        ours=cross_system.our_mvu,
        peers=(Side("CSDP", cross_system.csdp, 2),),
        check=cross_system.solved,
        agree=cross_system.same_objective,
        warm_rows=0,
    ),
    Row(
        name="mvu-2000",
        task="maximum variance unfolding, 2,000 points of a roll, 6 neighbours, distances may shrink",
        make=cross_system.roll_graph,
        size=2_000,
        quick_size=100,
        ours=cross_system.our_mvu,
        peers=(),
        check=cross_system.solved,
        warm_rows=0,
        most_repeats=1,
    ),
    Row(
        name="clle-10k",
        task="CLLE fit, 2 x 10,000 rows of rolled-up sheets, 500 pairs, d = 10, neighbours included",
        make=cross_system.two_rolls,
        size=10_000,
        quick_size=1_000,
        ours=cross_system.our_clle(10),
        peers=(Side("scipy eigsh, shift-invert", cross_system.scipy_clle(10), 2),),
        check=cross_system.ascending,
        agree=cross_system.same_space,
        warm_rows=0,
    ),
    Row(
        name="one-row",
        task="2,000 new rows x 384, one call each, through a map to 200 components",
        make=one_row.rows_and_map,
        size=4_000,
        quick_size=1_000,
        ours=one_row.our_rows,
        peers=(Side("NumPy", one_row.numpy_rows, 1),),
        check=one_row.all_rows,
        agree=one_row.same_places,
        warm_rows=0,
    ),
    Row(
        name="instance-1m",
        task="instance fit, 2 x 500,000 rows x 50, float32, d = 10, within 8 GiB",
        make=partial(data.two_views, dtype="float32"),
        size=500_000,
        quick_size=5_000,
        ours=ours.instance(10),
        peers=(),
        check=checks.plausible_eigenvalues,
        large=True,
        most_repeats=1,
    ),
]
ROWS = {row.name: row for row in ALL_ROWS}
