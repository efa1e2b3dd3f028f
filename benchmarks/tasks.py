"""The rows of the table: which data, which sides, which bar, which check."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import bridges
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
import starting
import stories
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
    warm_rows: int = 0  # rows of the small problem that every side solves first, outside the clock
    large: bool = False  # only with --large
    most_repeats: int | None = None

    def side(self, name: str) -> Side:
        fixed = {"ours": self.ours, "reference": self.reference}
        if name in fixed:
            return Side(name, fixed[name], most_repeats=self.most_repeats)
        return next(peer for peer in self.peers if peer.name == name)


def instance_row(name, what, make, n_components, solver, ncv, tol, bars, memory_bar=None, timeout=None):
    """An instance-level fit, graph included, against eigsh at its fastest and, with a second bar, SpectralEmbedding.

    `ncv`: basis vectors of the reference and of eigsh, whose tolerance is `tol`.
    """
    # Two BLAS threads win on a quiet machine and lose badly on a busy one: the peer may do both, and we must beat both.
    eigsh = solver | {"ncv": ncv[1], "tol": tol}
    sides = [
        Side(f"scipy eigsh, {count} BLAS", peers.eigsh_side(n_components, blas_threads=blas, **eigsh), bars[0], memory_bar)
        for blas, count in ((2, "parallel"), (1, "serial"))
    ]
    if len(bars) > 1:
        # One run: it takes minutes, and the bar is far enough away for noise not to matter.
        embed = peers.spectral_embedding(n_components)
        sides.append(Side("sklearn SpectralEmbedding", embed, bars[1], memory_bar, timeout, most_repeats=1))
    return row(name, f"instance fit, {what}, d = {n_components}", make, (20_000, 2_000), ours.instance(n_components), *sides,
               check=checks.same_eigenvalues, reference=checks.exact_eigenvalues(n_components, ncv=ncv[0], **solver), warm_rows=1000)


def row(name, task, make, sizes, our_side, *against, **more):
    """A row from its parts: (size, quick size), our side, the peers, and what else a Row has."""
    return Row(name, task, make, *sizes, our_side, against, **more)


def exact_knn_row(name, task, make, sizes, *against, metric="euclidean"):
    """Exact neighbours: checked on a sample against float64, and on all rows against each peer."""
    return row(name, task, make, sizes, ours.neighbors("exact", metric), *against, check=checks.same_neighbors,
               reference=checks.exact_neighbors, agree=checks.agreeing_neighbors, warm_rows=1000)


def reading_row(name, task, make, sizes, suffix, check, *readers, **more):
    """A file read by us and by each (name, reader, bar)."""
    sides = (Side(peer, files.reading(suffix, reader), bar) for peer, reader, bar in readers)
    return row(name, task, make, sizes, files.ours(suffix), *sides, check=check, **more)


def eigenmaps_row(name, kind, make, bar, bar_of_default):
    """Laplacian eigenmaps of many components against the three solvers of SpectralEmbedding."""
    solvers = (("amg", ", amg", bar), ("lobpcg", ", lobpcg", bar), (None, "", bar_of_default))
    sides = (
        Side(f"sklearn SpectralEmbedding{word}", embeddings.spectral_embedding(100, solver), least, timeout=300, most_repeats=1)
        for solver, word, least in solvers
    )
    return row(name, f"Laplacian eigenmaps, 20,000 rows x 50 ({kind}), d = 100, graph included", make, (20_000, 2_000),
               embeddings.our_eigenmaps(100), *sides, check=embeddings.near_eigenvalues,
               reference=embeddings.exact_eigenmaps(100))


def paths_row(name, what, make, dtype):
    task = f"shortest paths between all of 10,000 rows, {what}, 10 neighbours{', float32' if dtype == 'float32' else ''}"
    return row(name, task, make, (10_000, 1_500), global_geometry.our_paths(dtype),
               Side("scipy dijkstra", global_geometry.scipy_paths, 4, most_repeats=2),
               check=global_geometry.within_a_matrix, agree=global_geometry.same_paths, warm_rows=200)


def patterns_row(name, columns):
    return row(name, f"mutual best of 5,000 x 5,000 local patterns, k = 4, {columns} columns", no_pairs.clouds(columns),
               (5_000, 600), no_pairs.our_patterns, Side("numpy, one product per order", no_pairs.plain_patterns, 20),
               check=no_pairs.some_pairs, agree=no_pairs.same_pairs, warm_rows=300)


def chain_row(name, nodes, quick_size, **more):
    return row(name, f"diffusion wavelets, chain of {nodes:,} nodes, sparse recursion to the top", wavelets.chain,
               (nodes, quick_size), wavelets.our_chain, check=wavelets.chain_levels, **more)


def wavelets_row(name, task, construction, agree, peer):
    return row(name, f"diffusion wavelets, {task}", wavelets.dense_operator, (800, 200), wavelets.our_wavelets(construction),
               peer, check=wavelets.precise, agree=agree)


def unfolding_row(name, points, quick_size, *against, **more):
    task = f"maximum variance unfolding, {points:,} points of a roll, 6 neighbours, distances may shrink"
    return row(name, task, cross_system.roll_graph, (points, quick_size), cross_system.our_mvu, *against,
               check=cross_system.solved, **more)


PRODUCTS = peers.smallest_by_products
INVERSE = peers.smallest_by_inverse

ALL_ROWS = [
    # Sweep (eigenvalues 9.5e-3 to 2.4e-2), ncv 20 to 110, tol 1e-6 to 1e-4 (1e-4 leaves errors of 1e-5), one and two
    # BLAS threads: ncv 44 with two threads 0.76 s, with one 1.17 s; ncv 33 with one 1.11 s; ncv 22 1.8 s. Shift-invert
    # fills up here: it is what SpectralEmbedding does below.
    instance_row("instance-d10", "2 x 20,000 rows x 50", data.two_views, 10, {"solve": PRODUCTS}, (44, 44), 1e-5,
                 bars=(2, 10), memory_bar=0.5, timeout=40),
    # Sweep at full size: ncv 202 with two BLAS threads 54 s (105 s CPU), ncv 150 59 s (112 s CPU) and with one thread
    # 96 s, ncv 303 with one thread 104 s; shift-invert had not finished factoring after 150 s CPU and 2.1 GB. At
    # 2 x 5,000 rows tol 1e-4 was no faster than 1e-5 and left errors of 7e-6. The wanted eigenvalues lie close
    # together: each heavy pair is a trap for the random walk, and there are 1,000 of them.
    instance_row("instance-d100", "2 x 20,000 rows x 50", data.two_views, 100, {"solve": PRODUCTS}, (202, 202), 1e-5,
                 bars=(1.5, 10), memory_bar=0.5, timeout=120),
    # Sweep (eigenvalues 2.3e-5 to 8.4e-4): shift-invert with SuperLU's symmetric ordering 0.50 s, with the COLAMD
    # ordering that eigsh(sigma=...) picks by itself 1.32 s; larger ncv is slower.
    instance_row("instance-swiss-d10", "2 swiss rolls of 20,000 points", data.two_swiss_rolls, 10,
                 {"solve": INVERSE, "sigma": -2e-6, "ordering": "MMD_AT_PLUS_A"}, (33, 20), 1e-3, bars=(2,)),
    # Sweep (eigenvalues 7.0e-8 to 6.9e-6): shift-invert with eigsh's own COLAMD ordering 0.30 s, with the symmetric
    # ordering 0.32 to 0.41 s.
    instance_row("instance-chain-d10", "2 thin chains of 20,000 points", data.two_chains, 10,
                 {"solve": INVERSE, "sigma": -7e-9, "ordering": None}, (33, 22), 1e-3, bars=(2,)),
    *(
        exact_knn_row(f"knn-dense-{short}", f"exact 10-NN, {n:,} x {features}, float32", partial(data.dense_rows, features=features),
                      (n, 3_000), Side("faiss IndexFlatL2", peers.faiss_flat, 1), Side("sklearn brute", peers.sklearn_brute(), 3))
        for short, n, features in (("20k", 20_000, 50), ("100k", 100_000, 100))
    ),
    exact_knn_row("knn-sparse-10k", "exact cosine 10-NN, 10,000 sparse documents x 4,000 words",
                  partial(data.zipf_documents, words=4_000), (10_000, 2_000),
                  Side("sklearn brute", peers.sklearn_brute("cosine"), 5), metric="cosine"),
    # At its defaults with n_neighbors = 11 (one is the row itself) pynndescent reaches a recall of 0.891 in 4.5 s,
    # with 13: 0.936, 15: 0.961, 18: 0.983 in 6.8 s, 20: 0.990 in 7.7 s. The cheapest setting found over 0.98, among
    # 20 of n_neighbors, max_candidates, delta, n_trees, n_iters, is this one: 0.982 in 5.9 s.
    row("knn-approx-100k", "approximate 10-NN, 100,000 x 100, float32, recall >= 0.98",
        partial(data.mixture_rows, features=100), (100_000, 20_000), ours.neighbors("approximate"),
        Side("pynndescent", peers.nndescent(n_neighbors=17, max_candidates=20, delta=0.01), 2),
        check=checks.enough_neighbors, reference=checks.exact_neighbors, warm_rows=5_000),
    # gvx takes the wanted part of the spectrum; gvd, the whole, is slower still at this size.
    row("linear-p8000", "linear maps, 2 x 10,000 sparse documents x 4,000 words, d = 200, graphs and matrices included",
        linear.two_languages, (10_000, 1_500), linear.our_maps(200),
        Side("scipy eigh, subset", linear.eigh_maps(200), 5, most_repeats=1),
        check=linear.within_memory, agree=linear.same_maps, most_repeats=2),
    *(
        row(f"linear-w{words}", f"linear maps, 2 x 5,000 sparse documents x {words:,} words, d = 100, all paired, graphs and matrices included",
            partial(linear.two_languages, words=words), (5_000, 1_500), linear.our_maps(100),
            Side("scipy eigh, subset", linear.eigh_maps(100), 6, most_repeats=2),
            check=linear.within_memory, agree=linear.same_maps)
        for words in (1_000, 2_000, 4_000)
    ),
    row("cca-10k", "CCA, 10,000 rows, 2 x 2,000 features, d = 100", linear.correlated, (10_000, 5_000), linear.our_cca(100),
        Side("cca-zoo CCA", linear.cca_zoo(100), 3),
        Side("sklearn CCA", linear.sklearn_cca(100), 5, timeout=120, most_repeats=1),
        check=linear.same_correlations, reference=linear.exact_correlations(100)),
    row("lasso-5k", "lasso, 2,500 sparse documents x 5,000 words, 200 targets, relative gap 1e-6",
        regression.documents, (2_500, 400), regression.our_lasso(),
        Side("sklearn Lasso, 2-D target", regression.lasso_of(regression.sklearn_lasso), 5),
        Side("celer Lasso, target by target", regression.lasso_of(regression.celer_lasso), 2),
        Side("skglm Lasso, target by target", regression.lasso_of(regression.skglm_lasso), 2),
        check=regression.lasso_gap()),
    row("lasso-weak", "lasso at a thousandth of the largest strength, 2,500 sparse documents x 5,000 words, 200 targets",
        regression.documents, (2_500, 400), regression.our_lasso(regression.WEAK),
        Side("skglm Lasso, target by target", regression.lasso_of(regression.skglm_lasso, regression.WEAK), 2, timeout=900, most_repeats=1),
        check=regression.lasso_gap(regression.WEAK), most_repeats=2),
    row("fused-2500",
        "fused lasso, 2,500 rows x 2,500 features, 200 targets (the peer: one of them, so that 0.1 is 20 times)",
        regression.dense_documents, (2_500, 200), regression.our_fused,
        Side("cvxpy + Clarabel, one target", regression.clarabel_fused, 0.1, timeout=900, most_repeats=1),
        check=regression.fused_gap, agree=regression.same_fused),
    row("tv-1m", "total-variation denoising, 1,000,000 points", regression.signal, (1_000_000, 10_000),
        regression.our_variation, Side("condat_tv", regression.condat_variation, 0.5),
        check=regression.variation_conditions, agree=regression.same_variation),
    row("self-train-2500", "self-training from no pair, 2 x 2,500 sparse documents, score and null included",
        self_training.bilingual, (2_500, 1_000), self_training.ours,
        Side("plain NumPy recipe", self_training.plain_numpy, 5, most_repeats=2),
        check=self_training.found_again, agree=self_training.same_partners),
    row("match-69k", "top-10 cosine match, 69,458 x 69,458 rows, d = 200", linear.joint_rows, (69_458, 4_000), linear.our_match,
        Side("faiss IndexFlatIP", linear.faiss_match, 1),
        check=linear.same_matches, reference=linear.exact_match, warm_rows=1000),
    reading_row("read-csv", "csv file of 1 GB (1,000,000 x 50 doubles and names of rows) to rows of numbers",
                files.csv_table, (1_000_000, 2_000), ".csv", files.same_numbers,
                ("polars read_csv, to_numpy", files.polars_csv, 1.3)),
    reading_row("read-mtx", "mtx file of 200,000 x 20,000 with 10 million entries to CSR",
                files.mtx_matrix, (200_000, 2_000), ".mtx", files.same_entries,
                ("scipy.io.mmread, tocsr", files.scipy_mtx, 5), ("SciPy's reader before 1.12", files.scipy_python_mtx, 5)),
    reading_row("read-mtx-columns", "the same matrix, column after column, as the pipelines of 10x write it",
                files.mtx_by_columns, (200_000, 2_000), ".mtx", files.same_entries,
                ("scipy.io.mmread, tocsr", files.scipy_mtx, 5)),
    reading_row("read-parquet", "parquet file of 1 GB (1,000,000 x 125 doubles and names of rows) to rows of numbers",
                files.parquet_table, (1_000_000, 2_000), ".parquet", files.same_numbers,
                ("pyarrow read_table, to_numpy", files.pyarrow_parquet, 1)),
    reading_row("read-jsonl", "jsonl file of 1 GB (120,000 vectors of 768 numbers, with ids) to rows of numbers",
                files.json_vectors, (120_000, 500), ".jsonl", files.same_numbers,
                ("polars read_ndjson, to_numpy", files.polars_json, 1)),
    reading_row("read-h5ad", "h5ad file of 1 GB (80,000 cells x 20,000 genes, 120 million counts, not compressed) to CSR",
                files.cells_file(None), (80_000, 500), ".h5ad", files.same_entries,
                ("anndata.read_h5ad", files.anndata_h5ad, 2)),
    reading_row("read-h5ad-gzip", "the same counts, compressed by gzip as most published files are, to CSR",
                files.cells_file("gzip"), (80_000, 500), ".h5ad", files.same_entries,
                ("anndata.read_h5ad", files.anndata_h5ad, 2)),
    reading_row("read-text", "text file of 70,000 documents of 120 words to tf-idf",
                files.zipf_text, (70_000, 2_000), ".txt", files.plausible_text,
                ("sklearn TfidfVectorizer", files.sklearn_text, 5), agree=files.same_text),
    # "auto" is the dense eigensolver at ten components; "arpack" is the faster choice.
    row("isomap-5k", "Isomap, 5,000 rows x 50, 10 neighbours, d = 10", embeddings.curved_rows, (5_000, 800),
        embeddings.our_isomap(10),
        Side("sklearn Isomap, arpack", embeddings.sklearn_isomap(10, "arpack"), 4, most_repeats=2),
        Side("sklearn Isomap", embeddings.sklearn_isomap(10, "auto"), 4, most_repeats=1),
        check=embeddings.plausible_isomap, agree=embeddings.same_isomap, warm_rows=200),
    paths_row("geodesic-roll", "a swiss roll", global_geometry.roll, "float64"),
    paths_row("geodesic-roll-f32", "a swiss roll", global_geometry.roll, "float32"),
    paths_row("geodesic-gauss", "20 columns of noise", global_geometry.gaussian, "float64"),
    row("min-plus", "min-plus product, 2,500 x 1,000 x 2,500", global_geometry.factors, (2_500, 500),
        global_geometry.our_min_plus, Side("numpy, blocked", global_geometry.numpy_min_plus, 10, most_repeats=2),
        check=global_geometry.shape_of, agree=global_geometry.same_product),
    row("global-fit", "global geometry, 2 x 2,500 rows x 1,000 features, 1,000 pairs, d = 100",
        global_geometry.two_views, (2_500, 1_200), global_geometry.our_global(100),
        Side("numpy and scipy, formula by formula", global_geometry.plain_global(100), 10, most_repeats=2),
        Side("numpy and scipy, tuned", global_geometry.numpy_global(100), 10, most_repeats=2),
        check=global_geometry.descending, agree=global_geometry.same_spectrum),
    row("svd-12k", "truncated SVD, 12,500 sparse documents x 4,000 words, d = 200",
        partial(data.zipf_documents, words=4_000), (12_500, 2_000), embeddings.our_svd(200),
        Side("scipy svds, arpack", embeddings.scipy_svds(200, "arpack"), 2, most_repeats=2),
        check=embeddings.same_values, reference=embeddings.exact_svd(200)),
    # On a sheet of three dimensions the factor behind the default solver stays small, so that the bar of 10 is for the cloud.
    eigenmaps_row("eigenmaps-20k-d100", "a cloud of 8 dimensions", data.two_views, 1.5, 10),
    eigenmaps_row("eigenmaps-sheet-d100", "a curved sheet of 3 dimensions", embeddings.curved_rows, 1.5, None),
    wavelets_row("wavelets-800", "symmetric operator of 800 dimensions, to the top, exact subspaces", "auto",
                 wavelets.same_dimensions, Side("numpy eigh + scipy pivoted QR", wavelets.plain_spectral, 5)),
    wavelets_row("wavelets-800-recursion", "the same operator, published recursion", "recursion",
                 wavelets.close_dimensions, Side("scipy pivoted QR recursion", wavelets.plain_recursion)),
    chain_row("wavelets-chain-10k", 10_000, 5_000),
    chain_row("wavelets-chain-100k", 100_000, 8_000, most_repeats=2),
    patterns_row("patterns-5000", 3),
    patterns_row("patterns-5000-10d", 10),
    row("transport-1047", "pairs by transport with the defaults, 1,047 x 1,047 cells without a pair (the size of SNARE-seq)",
        no_pairs.course, (1_047, 200), no_pairs.our_inferred, check=no_pairs.near_partners(6)),
    row("gw-1047", "entropic Gromov-Wasserstein, 1,047 x 1,047 hops over graphs (the size of SNARE-seq), epsilon 0.005",
        no_pairs.cells, (1_047, 200), no_pairs.our_transport,
        Side("POT", no_pairs.pot_transport, 5, timeout=1800, most_repeats=1),
        check=no_pairs.a_plan, agree=no_pairs.same_plan),
    unfolding_row("mvu-200", 200, 60, Side("CSDP", cross_system.csdp, 2), agree=cross_system.same_objective),
    unfolding_row("mvu-2000", 2_000, 100, most_repeats=1),
    row("clle-10k", "CLLE fit, 2 x 10,000 rows of rolled-up sheets, 500 pairs, d = 10, neighbours included",
        cross_system.two_rolls, (10_000, 1_000), cross_system.our_clle(10),
        Side("scipy eigsh, shift-invert", cross_system.scipy_clle(10), 2),
        check=cross_system.ascending, agree=cross_system.same_space),
    row("instance-1m", "instance fit, 2 x 500,000 rows x 50, float32, d = 10, within 8 GiB",
        partial(data.two_views, dtype="float32"), (500_000, 5_000), ours.instance(10),
        check=checks.plausible_eigenvalues, large=True, most_repeats=1, warm_rows=1000),
    row("one-row", "2,000 new rows x 384, one call each, through a map to 200 components",
        one_row.rows_and_map, (4_000, 1_000), one_row.our_rows, Side("NumPy", one_row.numpy_rows, 1),
        check=one_row.all_rows, agree=one_row.same_places),
    row("one-row-map", "2,000 new rows x 768, float32, one call each, into 1,024 features of another model",
        one_row.two_models, (4_000, 1_500), one_row.our_images, Side("NumPy (x - m) @ W", one_row.numpy_images, 1 / 3),
        check=one_row.all_images, agree=one_row.same_images),
    row("search-one-100k", "200 queries, one call each, top 10 of 100,000 x 200 by the cosine",
        one_row.store, (100_000, 10_000), one_row.our_search(1), Side("faiss flat", one_row.faiss_search(1), 1),
        check=one_row.all_found, agree=one_row.same_rows),
    row("search-100k", "200 queries, 100 a call, top 10 of 100,000 x 200 by the cosine",
        one_row.store, (100_000, 10_000), one_row.our_search(100), Side("faiss flat", one_row.faiss_search(100), 1),
        check=one_row.all_found, agree=one_row.same_rows),
    row("bridge-fit-100k", "2 x 100,000 x 768, float32: a map from 5,000 pairs, all rows placed",
        bridges.stores, (100_000, 8_000), bridges.our_fit, Side("scikit-learn ridge, NumPy SVD", bridges.ridge_and_rotation, 2),
        check=bridges.finds, agree=bridges.no_worse, most_repeats=2),
    row("transform-1m", "1,000,000 x 256, float32, through a map to 200 components",
        bridges.many, (1_000_000, 20_000), bridges.our_million("float64"), Side("NumPy (x - m) @ W", bridges.numpy_million, 1),
        check=bridges.all_placed, agree=bridges.same_places, most_repeats=3),
    row("transform-1m-f32", "the same with results in float32 on both sides",
        bridges.many, (1_000_000, 20_000), bridges.our_million("float32"), Side("NumPy (x - m) @ W", bridges.numpy_million, 1),
        check=bridges.all_placed, agree=bridges.same_places, most_repeats=3),
    row("story-documents", "two text files of 10,000 documents and 2,000 pairs to the ten nearest of every document",
        stories.two_texts, (10_000, 1_500), stories.our_documents,
        Side("scikit-learn, NumPy, faiss", stories.documents_script, 3, most_repeats=2),
        check=stories.found, agree=stories.no_worse, most_repeats=2),
    row("story-cells", "AnnData of 10,000 cells, 8,000 genes and 30,000 peaks, 1,000 pairs, to the ten nearest of every cell",
        stories.two_omics, (10_000, 1_500), stories.our_cells,
        Side("scanpy, scikit-learn, NumPy, faiss", stories.cells_script, 3, most_repeats=2),
        check=stories.found, agree=stories.no_worse, most_repeats=2),
    row("story-embeddings", "2 x 50,000 x 384 vectors of two models, 5,000 pairs, to the ten nearest of every row",
        stories.two_stores, (50_000, 4_000), stories.our_stores,
        Side("scikit-learn ridge, faiss", stories.stores_script, 3, most_repeats=2),
        check=stories.found, agree=stories.no_worse, most_repeats=2),
    # Seconds are those of the fastest call.
    row("start-version", "start of the command line: landbridge --version", starting.nothing, (1, 1), starting.our_version,
        Side("python, import numpy", starting.numpy_import, 1), check=starting.quick_start(10)),
    row("start-match", "start of the command line: the ten nearest of one sentence in a text model of 100 MB",
        starting.documents, (14_000, 1_500), starting.our_sentence,
        Side("python, NumPy, the vectors alone", starting.numpy_sentence, 1), check=starting.quick_start(100)),
]
ROWS = {row.name: row for row in ALL_ROWS}
