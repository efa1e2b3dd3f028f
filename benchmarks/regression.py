"""Rows of sparse regression: the data, what we do, what the peers do, the checks."""

from __future__ import annotations

import numpy as np

import data
from checks import Wrong

#: Strength of the lasso as a share of the smallest that leaves no weight, and of differences as a share of that.
ALPHA, BETA = 0.02, 0.1
#: A strength that leaves 2,300 of the 2,500 weights a target can have.
WEAK = 0.001
#: Relative duality gap.
GAP = 1e-6


# ---- data ---------------------------------------------------------------------------------------------------------


def smooth_targets(X, width):
    """The smoothest functions on the graph of neighbours, as alignments have them."""
    from scipy import sparse
    from scipy.sparse.linalg import eigsh
    from sklearn.neighbors import kneighbors_graph

    W = kneighbors_graph(X, 10, metric="cosine")
    W = W.maximum(W.T)
    scale = sparse.diags_array(1 / np.sqrt(np.asarray(W.sum(axis=0)).ravel()))
    _, vectors = eigsh(scale @ W @ scale, k=width + 1, v0=np.ones(X.shape[0]))
    return np.ascontiguousarray(vectors[:, :-1])


def documents(n: int, words: int = 5000, width: int = 200) -> dict[str, np.ndarray]:
    """Sparse documents with rows of unit length, and targets that are smooth on their graph."""
    from scipy import sparse

    words, width = min(words, 2 * n), min(width, n // 10)
    arrays = data.zipf_documents(n, words)
    X = sparse.csr_matrix((arrays["data"], arrays["indices"], arrays["indptr"]), shape=(n, words))
    X = X.multiply(1 / np.sqrt(X.multiply(X).sum(axis=1))).tocsr()
    return {"data": X.data, "indices": X.indices, "indptr": X.indptr, "shape": np.array(X.shape), "Y": smooth_targets(X, width)}


def dense_documents(n: int) -> dict[str, np.ndarray]:
    """As many words as documents, centred."""
    arrays = documents(n, n)
    X = matrix(arrays).toarray()
    return {"X": X - X.mean(axis=0), "Y": arrays["Y"]}


def signal(n: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(data.SEED + 21)
    return {"X": np.repeat(rng.standard_normal(n // 1000), 1000) + 0.5 * rng.standard_normal(n // 1000 * 1000)}


def matrix(arrays):
    from scipy import sparse

    return sparse.csr_matrix((arrays["data"], arrays["indices"], arrays["indptr"]), shape=tuple(arrays["shape"]))


def largest(X, Y):
    return 2 * np.abs(X.T @ Y).max()


# ---- lasso --------------------------------------------------------------------------------------------------------


def our_lasso(share=ALPHA):
    def set_up(arrays, threads):
        import landbridge as lb

        X, Y = matrix(arrays), arrays["Y"]
        alpha = share * largest(X, Y)

        def work():
            W, info = lb.solve.lasso(X, Y, alpha, tolerance=GAP, n_jobs=threads)
            return {"W": W, "gap": np.array(info["gap"])}

        return work

    return set_up


def lasso_of(make, share=ALPHA):
    """Peers take the design by columns, alpha in units of their own, and one target at a time where they must."""

    def set_up(arrays, threads):
        X, Y = matrix(arrays).tocsc(), np.asfortranarray(arrays["Y"])
        alpha = share * largest(X, Y) / 2 / X.shape[0]
        solve = make(X, Y, alpha)
        solve(X, Y[:, :1])  # whatever is compiled is compiled now

        def work():
            return {"W": solve(X, Y)}

        return work

    return set_up


def sklearn_lasso(X, Y, alpha):
    from sklearn.linear_model import Lasso

    # Its tolerance is relative to |y|², ours to the objective, which is about two thirds of that here.
    model = Lasso(alpha=alpha, fit_intercept=False, tol=GAP, max_iter=100_000)
    return lambda X, Y: np.atleast_2d(model.fit(X, Y).coef_).T


def celer_lasso(X, Y, alpha):
    from celer import Lasso

    model = Lasso(alpha=alpha, fit_intercept=False, tol=GAP)
    return lambda X, Y: np.column_stack([model.fit(X, Y[:, t]).coef_ for t in range(Y.shape[1])])


def skglm_lasso(X, Y, alpha):
    from skglm import Lasso

    # It stops where the optimality conditions hold to tol as an absolute number, and those are in units of alpha (6e-6 here):
    # 1e-6 as for the others would end far from the answer. 1e-4 alpha leaves gaps of about 2e-5.
    model = Lasso(alpha=alpha, fit_intercept=False, tol=1e-4 * alpha, max_iter=1000)
    return lambda X, Y: np.column_stack([model.fit(X, Y[:, t]).coef_ for t in range(Y.shape[1])])


def lasso_gap(share=ALPHA):
    """The duality gap of every target, computed here."""

    def check(arrays, reference, answer, measured):
        X, Y, W = matrix(arrays), arrays["Y"], answer["W"]
        alpha = share * largest(X, Y)
        R = Y - X @ W
        value = (R**2).sum(axis=0) + alpha * np.abs(W).sum(axis=0)
        s = np.minimum(1, alpha / (2 * np.abs(X.T @ R).max(axis=0)))
        gap = (value - 2 * s * (R * Y).sum(axis=0) + s**2 * (R**2).sum(axis=0)) / value
        # Peers count their tolerance in units of |y|², and skglm stops on another rule: they are allowed wider gaps, which is to
        # their advantage.
        of_targets = gap * value / (Y**2).sum(axis=0)
        if not (gap.max() <= 2 * GAP if "gap" in answer else of_targets.max() <= 1e-3):
            raise Wrong(f"relative duality gap {gap.max():.1e}, {of_targets.max():.1e} of the targets")
        return f"largest gap {gap.max():.0e}, {np.count_nonzero(W) / W.shape[1]:.0f} weights a target"

    return check


# ---- fused lasso --------------------------------------------------------------------------------------------------


def our_fused(arrays, threads):
    import landbridge as lb

    X, Y = arrays["X"], arrays["Y"]
    alpha = ALPHA * largest(X, Y)

    def work():
        W, info = lb.solve.fused_lasso(X, Y, alpha, BETA * alpha, n_jobs=threads)
        return {"W": W, "gap": np.array(info["gap"])}

    return work


def clarabel_fused(arrays, threads):
    import cvxpy as cp

    X, y = arrays["X"], arrays["Y"][:, 0]
    alpha = ALPHA * largest(X, arrays["Y"])

    def work():
        w, r = cp.Variable(X.shape[1]), cp.Variable(X.shape[0])
        objective = cp.sum_squares(r) + alpha * cp.norm1(w) + BETA * alpha * cp.norm1(cp.diff(w))
        cp.Problem(cp.Minimize(objective), [r == y - X @ w]).solve(solver=cp.CLARABEL)
        return {"W": w.value[:, None]}

    return work


def fused_value(arrays, W):
    X, Y = arrays["X"], arrays["Y"][:, : W.shape[1]]
    alpha = ALPHA * largest(X, arrays["Y"])
    value = ((Y - X @ W) ** 2).sum(axis=0) + alpha * np.abs(W).sum(axis=0)
    return value + BETA * alpha * np.abs(np.diff(W, axis=0)).sum(axis=0)


def fused_gap(arrays, reference, answer, measured):
    values = fused_value(arrays, answer["W"])
    if "gap" in answer and not answer["gap"] <= 1e-8:
        raise Wrong(f"relative duality gap {answer['gap']:.1e}")
    return f"{len(values)} target(s)" + (f", largest gap {float(answer['gap']):.0e}" if "gap" in answer else "")


def same_fused(arrays, ours, peer):
    mine, other = fused_value(arrays, ours["W"])[0], fused_value(arrays, peer["W"])[0]
    if not mine <= other * (1 + 1e-7):
        raise Wrong(f"objective {mine:.10g}, the peer has {other:.10g}")


# ---- total variation ----------------------------------------------------------------------------------------------


def our_variation(arrays, threads):
    import landbridge as lb

    return lambda: {"x": lb.solve.total_variation(arrays["X"], 1.0)}


def condat_variation(arrays, threads):
    from condat_tv import tv_denoise

    return lambda: {"x": tv_denoise(arrays["X"], 1.0)}


def variation_conditions(arrays, reference, answer, measured):
    dual = np.cumsum(arrays["X"] - answer["x"])
    if not np.abs(dual[:-1]).max() <= 1 + 1e-8:
        raise Wrong("not optimal")
    return "optimality conditions within 1e-8"


def same_variation(arrays, ours, peer):
    error = np.abs(ours["x"] - peer["x"]).max()
    if not error <= 1e-9:
        raise Wrong(f"signals differ by {error:.1e}")
