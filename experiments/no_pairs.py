"""Proteins without a known residue, cells by transport alone, pairs that were mixed up."""

from __future__ import annotations

import csv
import gzip
import time
import warnings
from pathlib import Path

import numpy as np
from scipy import sparse

import landbridge as lb
from common import europarl_counts, expect, show


def models(data: Path, entry: str) -> list[np.ndarray]:
    """First and last model of an NMR entry."""
    with gzip.open(data / "protein-nmr" / f"{entry}_ca.csv.gz", "rt") as lines:
        table = list(csv.DictReader(lines))
    numbers = sorted({int(row["model"]) for row in table})
    return [np.array([[float(row[c]) for c in "xyz"] for row in table if int(row["model"]) == m]) for m in (numbers[0], numbers[-1])]


def proteins_without_pairs(data: Path, quick: bool) -> None:
    """Model 1, stretched four times, against the last one, turned and shuffled: no residue is known."""
    rows: list[list[object]] = []
    for entry in ("1s40", "1sbo", "1adz", "2mbl", "2k5v", "2bcb"):
        first, last = models(data, entry)
        X, n = 4 * first, len(first)
        for k in (4, 5):
            worst, right = 0.0, []
            for seed in range(3 if quick else 20):
                rng = np.random.default_rng(seed)
                order = rng.permutation(n)
                turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
                Y = last[order] @ turn
                pairs = lb.infer_pairs(X, Y, n_neighbors=k, random_state=seed)

                def residual(pairs: np.ndarray) -> float:
                    Z, W = lb.ProcrustesAlignment(embedding=None).fit_transform([X, Y], pairs)
                    return float(np.sqrt(((Z[order] - W) ** 2).sum(axis=1).mean()))

                worst = max(worst, residual(pairs) / residual(np.column_stack([order, np.arange(n)])))
                right.append(float((order[pairs[:, 1]] == pairs[:, 0]).mean()))
            rows.append([entry, n, k, worst, float(np.mean(right))])
            expect(f"{entry}, k = {k}: residual over that of the true pairs", worst, 0, 1.3)
    show(
        "Proteins without correspondence; residual of Procrustes on inferred pairs over that on the true ones (worst seed)",
        ["entry", "residues", "k", "residual ratio", "pairs right"],
        rows,
    )


def cells_by_transport(data: Path, quick: bool) -> None:
    """SCOT's recipe with our own pieces: hops over a correlation graph, entropic Gromov-Wasserstein, barycentres."""
    rows: list[list[object]] = []
    for name, files, k, epsilon, published in (
        ("SNARE-seq", ("snareseq/atac_1047x19", "snareseq/rna_1047x10"), 110, 1e-3, 0.150),
        ("scGEM", ("scgem/expression_177x34", "scgem/methylation_177x27"), 35, 5e-3, 0.192),
    ):
        if quick and name == "SNARE-seq":
            continue
        X, Y = (np.loadtxt(data / "single-cell" / f"{file}.csv.gz", delimiter=",") for file in files)
        order = np.random.default_rng(0).permutation(len(Y))
        Y = Y[order]
        X, Y = (Z / np.linalg.norm(Z, axis=1, keepdims=True) for Z in (X, Y))

        def hops(Z: np.ndarray) -> np.ndarray:
            # A cell counts among its own neighbours there: one fewer of the others.
            index, _ = lb.geometry.knn_graph(Z - Z.mean(axis=1, keepdims=True), k - 1, metric="cosine")
            graph = sparse.coo_array((np.ones(index.size), (np.repeat(np.arange(len(Z)), k - 1), index.ravel())), shape=(len(Z),) * 2)
            D = lb.geometry.geodesic_distances(None, graph=((graph + graph.T) > 0).astype(float))
            D[~np.isfinite(D)] = D[np.isfinite(D)].max()
            return D / D.max()

        started = time.perf_counter()
        plan, info = lb.solve.entropic_gw(hops(X), hops(Y), epsilon)
        seconds = time.perf_counter() - started
        truth = np.argsort(order)
        moved = plan @ Y / plan.sum(axis=1, keepdims=True)
        score = float(lb.metrics.foscttm(moved, Y, truth=truth))
        rows.append([name, k, epsilon, info["iterations"], score, published, f"{seconds:.0f} s"])
        expect(f"{name} by transport, FOSCTTM", score, 0, published + 0.002)
    show(
        "Single cells without pairs, entropic Gromov-Wasserstein at SCOT's published settings (chosen there with the truth known)",
        ["data", "k", "epsilon", "steps", "FOSCTTM", "published", "time"],
        rows,
    )


def scaled_cells(data: Path, name: str) -> tuple[list[np.ndarray], np.ndarray]:
    """Both sets with rows of unit length, as SCOT prepares them, and the types of the cells."""
    files = {"SNARE-seq": ("snareseq", "atac_1047x19", "rna_1047x10"), "scGEM": ("scgem", "expression_177x34", "methylation_177x27")}[name]
    folder = data / "single-cell" / files[0]
    sets = [np.loadtxt(folder / f"{file}.csv.gz", delimiter=",") for file in files[1:]]
    with gzip.open(next(folder.glob("cells.csv*")), "rt", encoding="utf-8") as lines:
        types = np.array([row["cell_type"] for row in csv.DictReader(lines)])
    return [Z / np.linalg.norm(Z, axis=1, keepdims=True) for Z in sets], types


def cells_without_settings(data: Path, quick: bool) -> None:
    """Transport at its defaults, the same for all data, then a method; no pair is known."""
    rows: list[list[object]] = []
    for name, bar, published in (("SNARE-seq", 0.150, "0.150 / 0.936"), ("scGEM", 0.19, "0.19 / 0.51")):
        (X, Y), types = scaled_cells(data, name)
        for seed in range(1 if quick else 3):
            order = np.random.default_rng(seed).permutation(len(Y))
            place = np.argsort(order)
            started = time.perf_counter()
            pairs, weights = lb.infer_pairs(X, Y[order], how="transport", random_state=seed, return_weights=True)
            seconds = time.perf_counter() - started
            single = pairs[::10]
            strength = np.zeros((len(X), len(Y)))
            strength[pairs[:, 0], pairs[:, 1]] = weights
            mutual = single[strength.argmax(axis=0)[single[:, 1]] == single[:, 0]]
            weighted = {(0, 1): np.column_stack([pairs, weights])}
            runs = [
                ("CCA, d = 5", lb.CCA(5, prepare="center"), weighted, bar),
                ("linear maps, one pair per row", lb.LinearAlignment(5), single, 0.0),
                ("self-training from mutual pairs", lb.SelfTraining(max_runs=2), mutual, 0.0),
            ]
            for method, alignment, given, limit in runs if seed == 0 else runs[:1]:
                Z, W = alignment.fit([X, Y[order]], given).embeddings_
                W = W[place]
                score = [float(lb.metrics.foscttm(Z, W, metric=m)) for m in ("euclidean", "cosine")]
                transfer = float(lb.metrics.label_transfer(W, types, Z, types))
                rows.append([name, method, seed, *score, transfer, published, f"{seconds:.1f} s"])
                if limit:
                    expect(f"{name} without pairs, {method}, seed {seed}, FOSCTTM", score[0], 0, limit)
    show(
        "Single cells without pairs: transport at its defaults, then a method",
        ["data", "method", "seed", "FOSCTTM", "cosine", "label transfer", "SCOT (FOSCTTM / labels)", "transport"],
        rows,
    )
    print("  The defaults were fixed while looking at these two; scNMT below had no part in that.")
    rows = []
    folder = data / "single-cell" / "scnmt"
    sets = {f: np.loadtxt(next(folder.glob(f"{f}_*x30.csv.gz")), delimiter=",") for f in ("rna", "acc", "met")}
    stages = {f: np.loadtxt(folder / f"{f}_stage.txt.gz", dtype=float).astype(int) for f in sets}
    for first, second in (("rna", "acc"), ("rna", "met"), ("acc", "met")):
        pairs, weights = lb.infer_pairs(sets[first], sets[second], how="transport", return_weights=True)
        a = lb.CCA(5, prepare="center").fit([sets[first], sets[second]], {(0, 1): np.column_stack([pairs, weights])})
        labels = stages[first], stages[second]
        most = float(np.bincount(labels[1]).max() / len(labels[1]))
        strongest = pairs[:: 10]
        same = float((labels[0][strongest[:, 0]] == labels[1][strongest[:, 1]]).mean())
        rows.append([f"{first}-{second}", same, float(lb.metrics.label_transfer(a.embeddings_[0], labels[0], a.embeddings_[1], labels[1])), most])
    show("scNMT (no pairing known), the same defaults", ["sets", "strongest pair of the same stage", "label transfer after CCA", "largest stage"], rows)
    sensitivity = []
    for name in ("scGEM",) if quick else ("scGEM", "SNARE-seq"):
        (X, Y), _ = scaled_cells(data, name)
        for change in ({}, {"epsilon": 0.01}, {"epsilon": 0.05}, {"n_neighbors": 10}, {"n_neighbors": 40}, {"landmarks": 150}):
            pairs, weights = lb.infer_pairs(X, Y, how="transport", return_weights=True, **change)
            Z, W = lb.CCA(5, prepare="center").fit([X, Y], {(0, 1): np.column_stack([pairs, weights])}).embeddings_
            sensitivity.append([name, str(change or "defaults"), float(lb.metrics.foscttm(Z, W))])
    show("How much the settings matter", ["data", "setting", "FOSCTTM"], sensitivity)


def unequal_proportions(data: Path, quick: bool) -> None:
    """A type of cells halved or removed on one side: balanced and relaxed transport, scored on the cells that both sides have."""
    warnings.simplefilter("ignore", lb.AlignmentWarning)
    prices = (None, 1.0, 0.3)
    rows: list[list[object]] = []
    for name in ("scGEM",) if quick else ("scGEM", "SNARE-seq"):
        (X, Y), types = scaled_cells(data, name)
        everything = np.arange(len(X))

        def placed(a: np.ndarray, b: np.ndarray, rho: float | None) -> list[np.ndarray]:
            rng = np.random.default_rng(0)
            orders = rng.permutation(len(a)), rng.permutation(len(b))
            A, B = X[a][orders[0]], Y[b][orders[1]]
            pairs, weights = lb.infer_pairs(A, B, how="transport", rho=rho, return_weights=True)
            found = lb.CCA(5, prepare="unit_center").fit([A, B], {(0, 1): np.column_stack([pairs, weights])}).embeddings_
            out = [np.full((len(X), Z.shape[1]), np.nan) for Z in found]
            for full, Z, kept, order in zip(out, found, (a, b), orders):
                full[kept[order]] = Z
            return out

        complete = placed(everything, everything, None)
        for kind in ("halved", "removed"):
            for cell_type in np.unique(types):
                own = np.flatnonzero(types == cell_type)
                gone = own if kind == "removed" else np.random.default_rng(0).permutation(own)[: len(own) // 2]
                kept = np.setdiff1d(everything, gone)
                score = [float(lb.metrics.foscttm(*(Z[kept] for Z in complete)))]
                for side in (0, 1):
                    sides = (kept, everything) if side == 0 else (everything, kept)
                    scores = [float(lb.metrics.foscttm(*(Z[kept] for Z in placed(*sides, rho)))) for rho in prices]
                    rows.append([name, kind, cell_type, side, *score, *scores])
    show("Unequal proportions, FOSCTTM of the cells that are left", ["data", "kind", "type", "side", "all cells", *(f"rho {r}" for r in prices)], rows)


def landmarks_for_many(data: Path, quick: bool) -> None:
    """Rows by the thousand, compared by landmarks; made-up courses of development, so that the truth is known."""
    rows: list[list[object]] = []
    for n in (2_000,) if quick else (2_000, 5_000, 20_000):
        rng = np.random.default_rng(0)
        t, branch = rng.random(n), rng.integers(0, 3, n)
        course = np.column_stack([t, np.where(branch == 1, t**2, 0), np.where(branch == 2, t, 0)])
        X, Y = (
            np.tanh(course @ rng.standard_normal((3, p)) * 1.5) + 0.03 * rng.standard_normal((n, p)) for p in (20, 12)
        )
        order = rng.permutation(n)
        started = time.perf_counter()
        pairs = lb.infer_pairs(X, Y[order], how="transport", keep=1)
        seconds = time.perf_counter() - started
        partner = order[pairs[:, 1]]
        rows.append([n, float(np.abs(t[pairs[:, 0]] - t[partner]).mean()), float((branch[pairs[:, 0]] == branch[partner]).mean()), f"{seconds:.1f} s"])
    show("Transport with 1,000 landmarks", ["rows of each", "mean error along the course (chance 0.33)", "same branch (chance 0.33)", "time"], rows)


def trust_table(data: Path, quick: bool) -> None:
    """Good alignments, shuffled pairs, unrelated datasets: which ones are trusted by held-out pairs?"""
    runs = 10 if quick else 50
    (A, B), _ = scaled_cells(data, "SNARE-seq")
    (C, D), _ = scaled_cells(data, "scGEM")
    en, it, de = (europarl_counts(data / "europarl", language, 1000, 1000) for language in ("en", "it", "de"))
    documents = lb.CCA(50, prepare="center_unit")
    sources = [
        ("Europarl en-it", en, it, documents, 60),
        ("Europarl en-de", en, de, documents, 100),
        ("SNARE-seq", A, B, lb.CCA(3), 60),
        ("scGEM", C, D, lb.CCA(3), 60),
        ("protein 1s40", *models(data, "1s40"), lb.ProcrustesAlignment(embedding=None), 20),
    ]
    table: dict[tuple[str, str], list[int]] = {}
    rows: list[list[object]] = []
    for kind in ("good", "shuffled pairs", "unrelated data"):
        for run in range(runs):
            name, X, Y, method, known = sources[run % len(sources)]
            rng = np.random.default_rng(1000 + run)
            n = min(X.shape[0], Y.shape[0])  # type: ignore[attr-defined]
            chosen = rng.permutation(n)[:known]
            pairs = np.column_stack([chosen, chosen])
            if kind == "shuffled pairs":
                pairs[:, 1] = rng.permutation(pairs[:, 1])
            if kind == "unrelated data":
                # The first set of one source and the second of the next, as if their rows were the same.
                _, _, other, _, _ = sources[(run + 2) % len(sources)]
                m = min(n, other.shape[0])  # type: ignore[attr-defined]
                chosen = rng.permutation(m)[: min(known, m // 2)]
                pairs = np.column_stack([chosen, rng.permutation(m)[: len(chosen)]])
                Y, method = other, lb.CCA(3)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", lb.AlignmentWarning)
                found = lb.trust(method, [X, Y], pairs, random_state=run)
            counts = table.setdefault((kind, name), [0, 0, 0])
            counts[{True: 0, False: 1, None: 2}[found.trusted]] += 1
    for kind in ("good", "shuffled pairs", "unrelated data"):
        parts = [(name, counts) for (k, name), counts in table.items() if k == kind]
        total = np.sum([counts for _, counts in parts], axis=0)
        rows += [[kind, name, *counts] for name, counts in parts] + [[kind, "all", *map(int, total)]]
        wrongly = int(total[1] + total[2]) if kind == "good" else int(total[0])
        expect(f"trust, {kind}: runs judged wrongly", wrongly, 0, 0)
    show(f"Held-out pairs, {runs} runs each", ["kind", "data (first set)", "trusted", "do not trust", "cannot tell"], rows)


def rows_to_pair_next(data: Path, quick: bool) -> None:
    """Ten pairs are known; a person pairs ten more: those that are suggested, or any?"""
    rows: list[list[object]] = []
    (A, B), _ = scaled_cells(data, "SNARE-seq")
    (C, D), _ = scaled_cells(data, "scGEM")
    en, it = (europarl_counts(data / "europarl", language, 1000, 1000) for language in ("en", "it"))
    cases = [("SNARE-seq", A, B, lb.CCA(3)), ("scGEM", C, D, lb.CCA(3)), ("Europarl en-it", en, it, lb.CCA(20, prepare="center_unit"))]
    for name, X, Y, method in cases:
        n = X.shape[0]  # type: ignore[attr-defined]
        scores = []
        for seed in range(3 if quick else 10):
            rng = np.random.default_rng(seed)
            order = rng.permutation(n)
            first, test = order[:10], order[n // 2 :]
            pool = order[10 : n // 2]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", lb.AlignmentWarning)
                # Only rows of the pool can be asked about: the rest is for the test.
                keep = np.concatenate([first, pool])
                asked = lb.check_pairs([X[keep], Y[keep]], np.column_stack([np.arange(10)] * 2), base=method, n_suggestions=40, random_state=seed)
                suggested = list(dict.fromkeys(int(i) for _, i in asked.next_rows if i >= 10))[:10]
                row = []
                for more in (np.array([], int), keep[suggested], rng.permutation(pool)[:10]):
                    known = np.concatenate([first, more])
                    Z, W = (z[test] for z in method.fit([X, Y], np.column_stack([known, known])).embeddings_)
                    row.append(float(lb.metrics.foscttm(Z, W, metric="cosine")))
            scores.append(row)
        rows.append([name, len(scores), *map(float, np.mean(scores, axis=0)), int(sum(s[1] < s[2] for s in scores))])
    show(
        "Which row to pair next: FOSCTTM (cosine) of the other half",
        ["data", "seeds", "10 pairs", "and 10 suggested", "and 10 at random", "suggested better"],
        rows,
    )


def mixed_up_pairs(data: Path, quick: bool) -> None:
    """5 % of the pairs are mixed up: which ones?"""
    rows: list[list[object]] = []

    def run(name: str, X: object, Y: object, known: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        chosen = rng.permutation(X.shape[0])[:known]  # type: ignore[attr-defined]
        pairs = np.column_stack([chosen, chosen])
        wrong = rng.permutation(known)[: max(2, known // 20)]
        pairs[wrong, 1] = np.roll(pairs[wrong, 1], 1)
        started = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", lb.AlignmentWarning)
            found = lb.check_pairs([X, Y], pairs, random_state=seed)
        hits = len(set(found.suspect.tolist()) & set(wrong.tolist()))
        precision, recall = hits / max(1, len(found.suspect)), hits / len(wrong)
        rows.append([name, known, seed, len(found.suspect), precision, recall, str(found.can_tell), f"{time.perf_counter() - started:.0f} s"])

    def means(kind: str, least: float) -> None:
        found = np.array([row[4:6] for row in rows if str(row[0]).startswith(kind)], float).mean(axis=0)
        for what, value in zip(("precision", "recall"), found):
            expect(f"mixed-up pairs, {kind}, mean {what}", float(value), least, 1)

    en, it = (europarl_counts(data / "europarl", language, 2500, 1000) for language in ("en", "it"))
    for seed in range(1 if quick else 5):
        run("Europarl en-it", en[:1000] if quick else en, it[:1000] if quick else it, 300 if quick else 1000, seed)
    for entry in ("1s40", "1sbo", "1adz"):
        first, last = models(data, entry)
        for seed in range(1 if quick else 5):
            run(f"protein {entry}", 4 * first, last, len(first), seed)
    for kind in ("Europarl", "protein"):
        means(kind, 0.9)
    X, Y = (np.loadtxt(data / "single-cell" / f"scgem/{file}.csv.gz", delimiter=",") for file in ("expression_177x34", "methylation_177x27"))
    for seed in range(1 if quick else 5):
        run("scGEM", X, Y, 177, seed)
    show(
        "Pairs of which 5 % are mixed up; those that look wrong to fits that never saw them",
        ["data", "pairs", "seed", "flagged", "precision", "recall", "can tell", "time"],
        rows,
    )
