"""Whole stories: from what a user has to what a user wants, against the script that a careful user would write with scikit-learn, scanpy and
faiss. See peers.py for the contract. The check is what the user cares about: the share of unseen rows whose partner is found.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

import data
from checks import Wrong

#: Nearest rows that a user asks for.
NEAREST = 10


def found(arrays, reference, answer, measured):
    """The share of rows without a known pair whose partner is among the nearest ten."""
    own = np.arange(len(answer["nearest"]))
    unseen = ~np.isin(own, arrays["pairs"][:, 0])
    share = float(np.mean(np.any(answer["nearest"] == own[:, None], axis=1)[unseen]))
    if not share > float(arrays["least"]):
        raise Wrong(f"only {share:.3f} of the unseen rows find their partner")
    return f"{share:.3f} of the unseen rows find their partner among {NEAREST}"


def no_worse(arrays, ours, peer):
    own = np.arange(len(ours["nearest"]))
    mine, theirs = (np.mean(np.any(a["nearest"] == own[:, None], axis=1)) for a in (ours, peer))
    if not mine >= theirs - 0.02:
        raise Wrong(f"ours finds {mine:.3f}, the peer {theirs:.3f}")


def ridge_cca(x, y, pairs, d, ridge):
    """Canonical correlations of the paired rows, and all rows on the first d directions."""
    import scipy.linalg

    means = [z[rows].mean(axis=0) for z, rows in ((x, pairs[:, 0]), (y, pairs[:, 1]))]
    a, b = x[pairs[:, 0]] - means[0], y[pairs[:, 1]] - means[1]
    whitened = []
    for z in (a, b):
        product = z.T @ z
        product[np.diag_indices_from(product)] += ridge * np.trace(product) / len(product)
        whitened.append(scipy.linalg.cholesky(product, lower=False))
    between = scipy.linalg.solve_triangular(whitened[0], a.T @ b, trans=1)
    between = scipy.linalg.solve_triangular(whitened[1], between.T, trans=1).T
    u, s, v = np.linalg.svd(between, full_matrices=False)
    maps = [scipy.linalg.solve_triangular(r, m[:, :d]) * s[:d] for r, m in zip(whitened, (u, v.T))]
    return [(z - mean) @ m for z, mean, m in zip((x, y), means, maps)]


def by_faiss(x, y, threads):
    """The nearest rows of y by the cosine."""
    import faiss

    faiss.omp_set_num_threads(threads)
    x, y = (np.ascontiguousarray(z, dtype=np.float32) for z in (x, y))
    faiss.normalize_L2(x)
    faiss.normalize_L2(y)
    index = faiss.IndexFlatIP(y.shape[1])
    index.add(y)
    return index.search(x, NEAREST)[1]


# ---- documents: two text files and a list of pairs ------------------------------------------------------------------


def two_texts(n: int) -> dict[str, np.ndarray]:
    """Two files of text, a document per line, about the same themes; a fifth of the documents are known pairs."""
    from self_training import bilingual

    arrays = bilingual(n, words=8_000, themes=150)
    out = {"pairs": np.column_stack([np.arange(n // 5)] * 2), "least": np.array(0.3)}
    back = arrays["truth"]
    for name, letter in (("X", "a"), ("Y", "b")):
        indptr, indices, counts = (arrays[f"{name}_{part}"] for part in ("indptr", "indices", "data"))
        lines = []
        for i in range(n) if name == "X" else back:
            words = np.repeat(indices[indptr[i] : indptr[i + 1]], counts[indptr[i] : indptr[i + 1]].astype(int))
            lines.append(" ".join(f"{letter}{w:x}" for w in words.tolist()) + "\n")
        out[f"text_{letter}"] = np.frombuffer("".join(lines).encode(), dtype=np.uint8)
    return out


def text_files(arrays):
    folder = tempfile.TemporaryDirectory()
    for letter in "ab":
        Path(folder.name, f"{letter}.txt").write_bytes(arrays[f"text_{letter}"].tobytes())
    return folder


def our_documents(arrays, threads):
    import landbridge as lb

    folder = text_files(arrays)

    def work():
        both = [lb.read(Path(folder.name, f"{letter}.txt")) for letter in "ab"]
        model = lb.CCA(200, n_principal=300, n_jobs=threads).fit(both, arrays["pairs"])
        nearest = model.match(k=NEAREST)[0]
        folder.cleanup()
        return {"nearest": nearest}

    return work


def documents_script(arrays, threads):
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    folder = text_files(arrays)

    def work():
        both = []
        for letter in "ab":
            with open(Path(folder.name, f"{letter}.txt"), encoding="utf-8") as file:
                counts = TfidfVectorizer(sublinear_tf=True).fit_transform(file)
            both.append(TruncatedSVD(300, random_state=0).fit_transform(counts))
        placed = ridge_cca(*both, arrays["pairs"], 200, 0.1)
        folder.cleanup()
        return {"nearest": by_faiss(*placed, threads)}

    return work


# ---- cells: counts of genes and of peaks ------------------------------------------------------------------------------


def two_omics(n: int, genes: int = 8_000, peaks: int = 30_000, latent: int = 12) -> dict[str, np.ndarray]:
    """Counts of the same cells in two technologies; a tenth of the cells were measured in both knowingly."""
    rng = np.random.default_rng(data.SEED + 140)
    state = data.clustered_latent(rng, n, latent, 12, 1.0) / 2
    out = {"pairs": np.column_stack([np.arange(n // 10)] * 2), "least": np.array(0.02)}
    for name, features, level, most in (("X", genes, 0.08, 200), ("Y", peaks, 0.02, 2)):
        weights = (rng.standard_normal((latent, features)) * (rng.random((latent, features)) < 0.3) * 0.6).astype(np.float32)
        base = np.log(level) + 1.2 * rng.standard_normal(features)
        indptr, indices, values = [np.zeros(1, np.int64)], [], []
        for first in range(0, n, 1_000):
            part = state[first : first + 1_000]
            depth = rng.lognormal(0, 0.3, (len(part), 1))
            counts = np.minimum(rng.poisson(depth * np.exp(np.minimum(base + part @ weights, 3))), most)
            row, column = np.nonzero(counts)
            indptr.append(indptr[-1][-1] + np.cumsum(np.bincount(row, minlength=len(part))))
            indices.append(column.astype(np.int32))
            values.append(counts[row, column].astype(np.float32))
        out |= {
            f"{name}_indptr": np.concatenate(indptr).astype(np.int32),
            f"{name}_indices": np.concatenate(indices),
            f"{name}_data": np.concatenate(values),
            f"{name}_columns": np.array(features),
        }
    return out


def cells_of(arrays):
    """AnnData of both, with names of genes and of peaks."""
    import anndata
    import pandas as pd
    from scipy import sparse

    both = []
    for name in ("X", "Y"):
        columns = int(arrays[f"{name}_columns"])
        parts = tuple(arrays[f"{name}_{part}"] for part in ("data", "indices", "indptr"))
        X = sparse.csr_matrix(parts, shape=(len(parts[2]) - 1, columns))
        names = [f"G{j}" if name == "X" else f"chr1:{500 * j}-{500 * j + 400}" for j in range(columns)]
        both.append(anndata.AnnData(X, var=pd.DataFrame(index=names)))
    return both


def our_cells(arrays, threads):
    import warnings

    import landbridge as lb

    both = cells_of(arrays)

    def work():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # how the counts are prepared
            model = lb.CCA(30, n_jobs=threads).fit(both, arrays["pairs"])
        return {"nearest": model.match(k=NEAREST)[0]}

    return work


def cells_script(arrays, threads):
    """The tutorials' way: normalised, logarithms, principal components; TF-IDF and its singular vectors; canonical correlations."""
    import scanpy as sc
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfTransformer

    rna, atac = cells_of(arrays)

    def work():
        sc.pp.normalize_total(rna, target_sum=1e4)
        sc.pp.log1p(rna)
        sc.pp.pca(rna, n_comps=50)
        counts = TfidfTransformer(sublinear_tf=True).fit_transform(atac.X)
        lsi = TruncatedSVD(50, algorithm="arpack", random_state=0).fit_transform(counts)[:, 1:]
        placed = ridge_cca(rna.obsm["X_pca"].astype(np.float64), lsi, arrays["pairs"], 30, 0.1)
        return {"nearest": by_faiss(*placed, threads)}

    return work


# ---- embeddings: another model, the store of the old one ---------------------------------------------------------------


def two_stores(n: int, width: int = 384, causes: int = 200) -> dict[str, np.ndarray]:
    """Vectors of n things by two models; 5,000 are known pairs."""
    rng = np.random.default_rng(data.SEED + 150)
    about = rng.standard_normal((n, causes), dtype=np.float32)
    sides = {}
    for name in ("X", "Y"):
        seen = about @ rng.standard_normal((causes, width), dtype=np.float32) + 10 * rng.standard_normal((n, width), dtype=np.float32)
        sides[name] = seen / np.linalg.norm(seen, axis=1, keepdims=True)
    known = min(5_000, n // 4)
    return sides | {"pairs": np.column_stack([np.arange(known)] * 2), "least": np.array(0.5)}


def our_stores(arrays, threads):
    import landbridge as lb

    method = lb.CCA(384, ridge=0.3, weight_power=1.25, prepare="unit_center", n_jobs=threads)

    def work():
        model = method.fit([arrays["X"], arrays["Y"]], arrays["pairs"])
        return {"nearest": model.match(k=NEAREST, how="nearest")[0]}

    return work


def stores_script(arrays, threads):
    from sklearn.linear_model import Ridge

    def work():
        X, Y, pairs = arrays["X"], arrays["Y"], arrays["pairs"]
        x, y = X - X.mean(axis=0), Y - Y.mean(axis=0)
        ridge = Ridge(alpha=0.3, fit_intercept=False).fit(x[pairs[:, 0]], y[pairs[:, 1]])
        return {"nearest": by_faiss(ridge.predict(x), y, threads)}

    return work
