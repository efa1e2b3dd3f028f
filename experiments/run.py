"""Alignment on real data, beside plain references and published figures.

    cargo xtask experiments --data DIR [--only europarl,snareseq] [--quick] [--list]

The data are not part of the project; DIR holds one folder per dataset. Prints one table per experiment; exits 1 when a
figure falls out of the range it is known to have.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy import sparse

import cells
import bridge
import choosing
import confidence
import cross_system
import disjoint
import few_pairs
import global_geometry
import landbridge as lb
import linear
import links
import multiscale
import no_pairs
import peers
import sparse_maps
import transfer
import two_step
from common import degrees_off, europarl_counts, expect, failures, show, turntables

def europarl(data: Path, quick: bool) -> None:
    """English and Italian speeches: 1,000 known pairs, the other 1,500 documents to be found."""
    X, Y = (europarl_counts(data / "europarl", language, 2500, 1000) for language in ("en", "it"))
    pairs = np.column_stack([np.arange(1000)] * 2)
    rows: list[list[object]] = []

    def run(name: str, d: int, reference: str, **params: object) -> np.ndarray:
        started = time.perf_counter()
        a = lb.InstanceAlignment(d, metric="cosine", weights="binary", **params).fit([X, Y], pairs)
        seconds = time.perf_counter() - started
        Z, W = (z[1000:] for z in a.embeddings_)
        euclidean = lb.metrics.recall_at_k(Z, W, (1, 10))
        cosine = lb.metrics.recall_at_k(Z, W, (1, 10), metric="cosine")
        rows.append([name, d, *map(float, euclidean), *map(float, cosine), reference, f"{seconds:.2f} s"])
        return np.concatenate([euclidean, cosine])

    raw = run("raw mu = 1 (as printed)", 200, ".001 / .04", balance=False)
    strong = run("raw mu = 100", 200, ".20 / .21", balance=False, mu=100.0)
    run("balanced (default)", 200, "", balance=True)
    if not quick:
        for d in (50, 100, 400):
            run("balanced (default)", d, "", balance=True)
        run("hard constraints", 200, "", hard=True)
        run("plain Laplacian, balanced", 200, "", normalized=False)
    show(
        "Europarl en-it, 2,500 documents, 1,000 words, 1,000 pairs; top-1 and top-10 on the other 1,500",
        ["setting", "d", "top-1", "top-10", "cos top-1", "cos top-10", "plain reference (top-1 / cos)", "fit"],
        rows,
    )
    print("  Linear maps do far better on the same data: see the experiment `maps`.")
    expect("europarl raw mu, Euclidean top-1", float(raw[0]), 0.0, 0.03)
    expect("europarl mu = 100, Euclidean top-1", float(strong[0]), 0.15, 0.30)
    expect("europarl mu = 100, cosine top-1", float(strong[2]), 0.16, 0.30)


def read_csv(path: Path) -> np.ndarray:
    return np.loadtxt(path, delimiter=",")


def cell_types(path: Path, column: str) -> np.ndarray:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else open(path, encoding="utf-8") as lines:
        table = [line.rstrip("\n").split(",") for line in lines]
    return np.array([row[table[0].index(column)] for row in table[1:]])


def single_cell(folder: Path, name: str, files: tuple[str, str], quick: bool, published: str) -> None:
    X, Y = (read_csv(folder / file) for file in files)
    types = cell_types(next(folder.glob("cells.csv*")), "cell_type")
    # As SCOT prepares them: rows of unit length for SNARE-seq; scGEM as it is.
    if name == "SNARE-seq":
        X, Y = (M / np.linalg.norm(M, axis=1, keepdims=True) for M in (X, Y))
    rows: list[list[object]] = []
    for share in (0.1, 0.25) if quick else (0.01, 0.05, 0.1, 0.25, 0.5):
        scores = []
        for seed in range(3 if quick else 10):
            order = np.random.default_rng(seed).permutation(len(X))
            known, rest = order[: max(2, int(share * len(X)))], order[max(2, int(share * len(X))) :]
            a = lb.InstanceAlignment(5, n_neighbors=10).fit([X, Y], np.column_stack([known, known]))
            Z, W = (z[rest] for z in a.embeddings_)
            scores.append(
                [lb.metrics.foscttm(Z, W), lb.metrics.label_transfer(Z, types[rest], W, types[rest]), lb.metrics.recall_at_k(Z, W, 10)]
            )
        means = np.mean(scores, axis=0)
        rows.append([f"{share:.0%}", len(X), *map(float, means)])
        if share == 0.25:
            expect(f"{name} FOSCTTM from 25 % of the pairs", float(means[0]), 0.0, 0.35)
    show(
        f"{name}: cells not given as pairs, d = 5, mean over seeds",
        ["known pairs", "cells", "FOSCTTM (0.5 = chance)", "label transfer", "recall@10"],
        rows,
    )
    print(f"  {published}")


def snareseq(data: Path, quick: bool) -> None:
    """Chromatin and expression of 1,047 cells."""
    folder = data / "single-cell" / "snareseq"
    names = sorted(p.name for p in folder.glob("*1047x*"))
    single_cell(folder, "SNARE-seq", (names[0], names[1]), quick, "SCOT, no pairs: FOSCTTM 0.150, label transfer 0.936. Ridge map, 25 %: FOSCTTM 0.242.")


def scgem(data: Path, quick: bool) -> None:
    """Expression and methylation of 177 cells."""
    folder = data / "single-cell" / "scgem"
    names = sorted(p.name for p in folder.glob("*177x*"))
    single_cell(folder, "scGEM", (names[0], names[1]), quick, "SCOT, no pairs: FOSCTTM 0.19, label transfer 0.51. Ridge map, 25 %: FOSCTTM 0.266.")


def coil(data: Path, quick: bool) -> None:
    """Two rotating objects: which picture of one shows the pose of the other?"""
    rows: list[list[object]] = []
    for objects, X, Y in turntables(data):
        known = np.arange(0, 72, 6)
        a = lb.InstanceAlignment(4, n_neighbors=4).fit([X, Y], np.column_stack([known, known]))
        hidden = np.setdiff1d(np.arange(72), known)
        index, _ = a.match(source=0, target=1, k=1)
        degrees = degrees_off(index[hidden, 0], hidden)
        rows.append([objects, len(known), float(np.median(degrees)), float(np.mean(degrees <= 10))])
        expect(f"COIL {objects}, share within 10 degrees", float(np.mean(degrees <= 10)), 0.5, 1.0)
    show("COIL-20, 72 poses of two objects, every sixth pose known", ["objects", "pairs", "median error (degrees)", "within 10 degrees"], rows)


EXPERIMENTS: dict[str, Callable[[Path, bool], None]] = {
    "europarl": europarl,
    "maps": linear.maps,
    "chapter11": linear.chapter11,
    "triples": linear.triples,
    "self-training": few_pairs.self_training,
    "self-training-50k": few_pairs.many_documents,
    "cells": few_pairs.cells_without_pairs,
    "words": few_pairs.words,
    "disjoint": disjoint.disjoint,
    "hebrew": disjoint.hebrew,
    "arabic": disjoint.arabic,
    "nothing-to-find": disjoint.nothing_to_find,
    "confidence": confidence.confidence,
    "wrong-fits": confidence.wrong_fits,
    "absent-types": confidence.absent_types,
    "links": links.linked_columns,
    "wrong-links": links.wrong_links,
    "no-pairs": no_pairs.proteins_without_pairs,
    "transport": no_pairs.cells_by_transport,
    "zero-pairs": no_pairs.cells_without_settings,
    "unequal": no_pairs.unequal_proportions,
    "landmarks": no_pairs.landmarks_for_many,
    "trust": no_pairs.trust_table,
    "next-pair": no_pairs.rows_to_pair_next,
    "mixed-up": no_pairs.mixed_up_pairs,
    "bridge": bridge.bridge,
    "bridge-prediction": bridge.bridge_prediction,
    "choosing": choosing.choosing,
    "choosing-honest": choosing.honest,
    "choosing-leakage": choosing.leakage,
    "choosing-shared": choosing.shared,
    "two_step": two_step.two_step,
    "proteins": two_step.proteins,
    "bound": transfer.bound,
    "transfer": transfer.transfer,
    "global": global_geometry.global_documents,
    "global-large": global_geometry.global_large,
    "global-shapes": global_geometry.global_shapes,
    "raw-counts": cells.raw_counts,
    "no-pair-verdicts": cells.no_pair_verdicts,
    "cell-peers": peers.peers,
    "snareseq": snareseq,
    "scgem": scgem,
    "coil": coil,
    "jester": cross_system.jester,
    "books": cross_system.book_crossing,
    "sensitivity": cross_system.sensitivity,
    "poses": cross_system.poses,
    "pictures": cross_system.pictures,
    "sparse": sparse_maps.sparse_maps,
    "sparse-paper": sparse_maps.sparse_paper,
    "coauthors": sparse_maps.coauthors,
    "topics": multiscale.topics,
}


#: Minutes even with fewer settings; run them by name.
LONG = {"choosing", "choosing-honest", "choosing-leakage", "choosing-shared", "self-training-50k", "zero-pairs", "unequal", "trust", "next-pair", "mixed-up", "landmarks", "transfer", "bound", "global", "global-large", "jester", "sensitivity", "sparse-paper", "coauthors", "topics", "nothing-to-find", "no-pair-verdicts", "cell-peers"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder with the data")
    parser.add_argument("--only", default="", help="names, separated by commas")
    parser.add_argument("--quick", action="store_true", help="fewer settings and seeds, and without those that take minutes all the same")
    parser.add_argument("--list", action="store_true", help="names and what they are")
    args = parser.parse_args()
    if args.list:
        for name, experiment in EXPERIMENTS.items():
            print(f"{name:10} {experiment.__doc__}")
        return 0
    if args.data is None or not args.data.is_dir():
        parser.error("--data must name the folder that holds the data")
    names = args.only.split(",") if args.only else [name for name in EXPERIMENTS if not (args.quick and name in LONG)]
    for name in names:
        if name not in EXPERIMENTS:
            parser.error(f"there is no experiment {name}; there are {', '.join(EXPERIMENTS)}")
        started = time.perf_counter()
        EXPERIMENTS[name](args.data, args.quick)
        print(f"  ({name}: {time.perf_counter() - started:.0f} s)")
    print()
    for failure in failures:
        print(f"out of range: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
