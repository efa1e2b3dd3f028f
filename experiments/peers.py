"""Published methods for single cells beside ours, in one run: those that are installed."""

from __future__ import annotations

import gzip
import importlib.util
import resource
import time
import warnings
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path

import numpy as np

import landbridge as lb
from cells import multiome, named, read
from common import show

Data = tuple[list[object], np.ndarray | None]


def load(data: Path, name: str, quick: bool) -> Data:
    folder = data / "single-cell"
    plain = lambda path: np.loadtxt(folder / f"{path}.csv.gz", delimiter=",")
    words = lambda path, column: np.array([line.split(",")[column] for line in gzip.open(folder / path, "rt").read().splitlines()[1:]])
    if name == "eccite":
        return [named(X, folder / name / f"{name}_{part}.features.txt.gz") for X, part in zip(read(folder, name, "rna", "adt"), ("rna", "adt"))], None
    if name == "a549":
        hours = np.array([line.split("\t")[1] for line in gzip.open(folder / "a549/a549_cells.tsv.gz", "rt").read().splitlines()[1:]])
        return [named(X, folder / name / f"{name}_{part}.features.txt.gz") for X, part in zip(read(folder, name, "rna", "atac"), ("rna", "atac"))], hours
    if name == "SNARE-seq":
        return [plain("snareseq/atac_1047x19"), plain("snareseq/rna_1047x10")], words("snareseq/cells.csv.gz", 1)
    if name == "scGEM":
        return [plain("scgem/expression_177x34"), plain("scgem/methylation_177x27")], words("scgem/cells.csv.gz", 1)
    rna, atac, kind = multiome(*((800, 400, 3000) if quick else (3000, 1000, 10000)))
    return [
        lb.Table(rna, None, [f"GENE{j}" for j in range(rna.shape[1])]),
        lb.Table(atac, None, [f"chr1:{500 * j}-{500 * j + 400}" for j in range(atac.shape[1])]),
    ], kind


def prepared(sets: list[object], directions: int = 30) -> list[np.ndarray]:
    """What the peers' tutorials do: our preparation of counts and principal coordinates; tables of features by their principal coordinates."""
    found = []
    for X in sets:
        columns = X.shape[1]  # type: ignore[attr-defined]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.append(np.asarray(lb.PCA(min(directions, columns), prepare="auto").fit(X).embedding_))
    return found


def ours(method: object) -> Callable[[list[object], np.ndarray], list[np.ndarray]]:
    def fit(sets: list[object], pairs: np.ndarray) -> list[np.ndarray]:
        if method is None:
            return list(lb.align(sets, pairs).embeddings_)
        return list(method.fit(sets, pairs).embeddings_)  # type: ignore[attr-defined]

    return fit


def harmony(sets: list[object], pairs: np.ndarray) -> list[np.ndarray]:
    """Harmony on a common space of both: coordinates that canonical correlation over the pairs makes comparable."""
    import harmonypy
    import pandas as pd

    Z = [np.asarray(z) for z in lb.CCA(20).fit(sets, pairs).embeddings_]
    both = np.concatenate(Z)
    about = pd.DataFrame({"modality": np.repeat(["a", "b"], [len(z) for z in Z])})
    moved = np.asarray(harmonypy.run_harmony(both, about, "modality").Z_corr)
    moved = moved if moved.shape[0] == len(both) else moved.T
    return [moved[: len(Z[0])], moved[len(Z[0]) :]]


def scot(sets: list[object], _: np.ndarray) -> list[np.ndarray]:
    """SCOT's recipe with POT: graph distances, entropic Gromov-Wasserstein, barycentric projection. No pair is used."""
    import ot
    from scipy.sparse.csgraph import dijkstra
    from sklearn.neighbors import kneighbors_graph

    X, Y = prepared(sets)
    distances = []
    for Z in (X, Y):
        d = dijkstra(kneighbors_graph(Z, min(50, len(Z) // 4), mode="connectivity", metric="correlation"), directed=False)
        d[np.isinf(d)] = d[np.isfinite(d)].max()
        distances.append(d / d.max())
    plan = ot.gromov.entropic_gromov_wasserstein(*distances, ot.unif(len(X)), ot.unif(len(Y)), "square_loss", epsilon=1e-3, max_iter=200)
    return [np.asarray(plan @ Y / np.maximum(plan.sum(axis=1, keepdims=True), 1e-300)), Y]


def embedded(fusor: object, X: np.ndarray, Y: np.ndarray) -> list[np.ndarray]:
    """The steps of MaxFuse's tutorial after its features are chosen."""
    fusor.split_into_batches(max_outward_size=5000, matching_ratio=3, metacell_size=2, verbose=False)
    fusor.construct_graphs(n_neighbors1=15, n_neighbors2=15, svd_components1=None, svd_components2=None, verbose=False)
    fusor.find_initial_pivots(wt1=0.7, wt2=0.7, svd_components1=None, svd_components2=None)
    dimension = min(15, X.shape[1], Y.shape[1])
    fusor.refine_pivots(wt1=0.7, wt2=0.7, svd_components1=None, svd_components2=None, cca_components=dimension, n_iters=1, verbose=False)
    fusor.filter_bad_matches(target="pivot", filter_prop=0.3)
    return [np.asarray(z) for z in fusor.get_embedding(active_arr1=fusor.active_arr1, active_arr2=fusor.active_arr2)]


def maxfuse(sets: list[object], pairs: np.ndarray) -> list[np.ndarray]:
    """MaxFuse with weakly linked features: the components of canonical correlation over the pairs stand for them."""
    from maxfuse.model import Fusor

    X, Y = prepared(sets)
    shared = [np.asarray(z) for z in lb.CCA(10).fit(sets, pairs).embeddings_]
    fusor = Fusor(shared_arr1=shared[0], shared_arr2=shared[1], active_arr1=X, active_arr2=Y)
    return embedded(fusor, X, Y)


#: Genes of antibodies in eccite whose name is not that of the gene.
GENES = {
    "B220": "PTPRC", "CD45": "PTPRC", "CD45RA": "PTPRC", "CD45RO": "PTPRC", "PD-L1": "CD274", "CD117": "KIT", "CD11B": "ITGAM",
    "CD11C": "ITGAX", "CD138": "SDC1", "CD16": "FCGR3A", "CD1A": "CD1A", "LAG3": "LAG3", "CD26": "DPP4", "CD3": "CD3E", "TIM3": "HAVCR2",
    "CD56": "NCAM1", "CD62L": "SELL", "CD66B": "CEACAM8", "CD8": "CD8A", "CD326": "EPCAM", "HLA-A,B,C": "HLA-A", "CD127": "IL7R",
    "HLA-DR": "HLA-DRA", "CD134": "TNFRSF4", "CD279": "PDCD1", "CD31": "PECAM1", "SIGLEC-8": "SIGLEC8", "TCRB": "TRBC1",
}


def by_names(sets: list[object]) -> list[tuple[int, int]]:
    """Columns of genes and of their proteins."""
    at = {gene.removeprefix("hg19_").upper(): j for j, gene in enumerate(sets[0].columns)}  # type: ignore[attr-defined]
    found = []
    for k, protein in enumerate(sets[1].columns):  # type: ignore[attr-defined]
        spelled = [part.strip(" )").upper() for part in protein.split("(")]
        genes = [at[GENES.get(name, name)] for name in spelled if GENES.get(name, name) in at]
        found.extend((j, k) for j in genes[:1])
    return found


def linked(sets: list[object], _: np.ndarray) -> list[np.ndarray]:
    """Self-training with genes and proteins linked by name. No pair of cells is used."""
    return list(lb.SelfTraining().fit(sets, links="names").embeddings_)


def maxfuse_linked(sets: list[object], _: np.ndarray) -> list[np.ndarray]:
    """MaxFuse as its tutorial does it: prepared genes and their proteins are the weakly linked features. No pair of cells is used."""
    from maxfuse.model import Fusor

    genes, proteins = (np.array(of) for of in zip(*by_names(sets)))
    raw = [np.asarray(X.X.todense() if hasattr(X.X, "todense") else X.X, dtype=float) for X in sets]  # type: ignore[attr-defined]
    logs = np.log1p(raw[0] / raw[0].sum(axis=1, keepdims=True) * 1e4)
    shares = np.log1p(raw[1] / np.exp(np.log1p(raw[1]).mean(axis=1, keepdims=True)))
    standard = lambda X: (X - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-12)
    shared = standard(logs[:, genes]), standard(shares[:, proteins])
    kept = (shared[0].std(axis=0) > 0) & (shared[1].std(axis=0) > 0)
    X, Y = prepared(sets)
    fusor = Fusor(shared_arr1=shared[0][:, kept], shared_arr2=shared[1][:, kept], active_arr1=X, active_arr2=Y)
    return embedded(fusor, X, Y)


CALLS: dict[str, tuple[str, str | None, Callable[[list[object], np.ndarray], list[np.ndarray]]]] = {
    "CCA(20)": ("a quarter of the pairs", None, ours(lb.CCA(20))),
    "lb.align": ("a quarter of the pairs", None, ours(None)),
    "Harmony on CCA(20)": ("a quarter of the pairs", "harmonypy", harmony),
    "MaxFuse on CCA(10)": ("a quarter of the pairs", "maxfuse", maxfuse),
    "lb.SelfTraining, no pair": ("none", None, ours(lb.SelfTraining())),
    "SCOT (POT), no pair": ("none", "ot", scot),
    "lb.SelfTraining, links by name": ("none", None, linked),
    "MaxFuse, links by name": ("none", "maxfuse", maxfuse_linked),
}


def one(data: Path, name: str, label: str, quick: bool, answer: object) -> None:
    """One call in a process of its own, so that its memory is its own."""
    warnings.simplefilter("ignore")
    sets, kind = load(data, name, quick)
    n = sets[0].shape[0]  # type: ignore[attr-defined]
    order = np.random.default_rng(0).permutation(n)
    known, rest = order[: n // 4], order[n // 4 :]
    pairs = np.column_stack([known, known]) if CALLS[label][0] != "none" else np.zeros((0, 2), dtype=int)
    before, started = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    Z, W = (z[rest] for z in CALLS[label][2](sets, pairs))
    seconds = time.process_time() - started
    held = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    score = float(lb.metrics.foscttm(Z, W))
    right = float("nan") if kind is None else float(lb.metrics.label_transfer(Z, kind[rest], W, kind[rest]))
    answer.put((score, right, seconds, held))  # type: ignore[attr-defined]


def peers(data: Path, quick: bool) -> None:
    """Published methods beside ours on cells: FOSCTTM, labels, processor seconds, memory."""
    for name in ("scGEM", "eccite") if quick else ("scGEM", "eccite", "SNARE-seq", "a549", "made-up multiome"):
        rows: list[list[object]] = []
        for label, (pairs, library, _) in CALLS.items():
            if label.endswith("links by name") and name != "eccite":
                continue
            if library is not None and importlib.util.find_spec(library) is None:
                rows.append([name, label, pairs, "not installed", "", "", ""])
                continue
            context = get_context("spawn")
            answer = context.Queue()
            child = context.Process(target=one, args=(data, name, label, quick, answer))
            child.start()
            child.join(900)
            if child.is_alive():
                child.terminate()
                rows.append([name, label, pairs, "more than 900 s", "", "", ""])
            elif child.exitcode != 0 or answer.empty():
                rows.append([name, label, pairs, "failed", "", "", ""])
            else:
                score, right, seconds, held = answer.get()
                rows.append([name, label, pairs, score, right, f"{seconds:.1f} s", f"{held:.0f} MB"])
        show(f"Peers on {name}; what is not installed is said", ["data", "call", "pairs", "FOSCTTM", "labels", "CPU time", "memory"], rows)
