"""What landbridge does, through its Python package. See peers.py for the contract of these functions."""

from __future__ import annotations

import numpy as np

from peers import K, csr


def instance(n_components):
    def set_up(arrays, threads):
        import landbridge as lb

        datasets = [arrays["X"], arrays["Y"]]
        # A fresh estimator per set-up; weights="binary" so that both sides build the same graph.
        alignment = lb.InstanceAlignment(
            n_components=n_components,
            n_neighbors=K,
            weights="binary",
            mu=1,
            balance=True,
            normalized=True,
            n_jobs=threads,
            random_state=0,
        )

        def work():
            alignment.fit(datasets, arrays["pairs"])
            return {"eigenvalues": np.asarray(alignment.eigenvalues_), "outcome": np.array(str(alignment.outcome_))}

        return work

    return set_up


def neighbors(method, metric="euclidean"):
    def set_up(arrays, threads):
        import landbridge as lb

        X = csr(arrays) if "indptr" in arrays else arrays["X"]

        def work():
            indices, distances = lb.geometry.knn_graph(
                X, n_neighbors=K, metric=metric, method=method, random_state=0, n_jobs=threads, mode="distance"
            )
            return {"indices": np.asarray(indices), "distances": np.asarray(distances)}

        return work

    return set_up
