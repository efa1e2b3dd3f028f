"""Which eigsh call is the fastest one that converges? Run once per dataset; tasks.py holds the winners.

    python benchmarks/sweep.py two_views 20000 10 products inverse:MMD_AT_PLUS_A
"""

from __future__ import annotations

import os
import sys

threads = int(os.environ.get("SWEEP_THREADS", "2"))
for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(variable, str(threads))

from time import perf_counter, process_time

import numpy as np
from threadpoolctl import threadpool_limits

import data
import peers

TOLERANCES = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2)


def sweep(generator: str, n: int, d: int, kinds: list[str]) -> None:
    A = peers.normalized(peers.joint_graph(getattr(data, generator)(n), threads))
    count = d + 1
    print(f"{generator} 2 x {n}, d = {d}: {A.shape[0]} nodes, {A.nnz} entries", flush=True)
    reference = None
    best = np.inf
    for kind in kinds:
        name, _, ordering = kind.partition(":")
        # Lanczos wants about two basis vectors per eigenvalue; more basis, fewer restarts.
        ncvs = [max(20, int(f * count)) for f in ((1.5, 2, 3, 4, 6, 10) if d <= 20 else (3, 2, 4))]
        for blas in (1, 2):
            for ncv in dict.fromkeys(ncvs):
                for tol in TOLERANCES if reference is not None else (1e-12, *TOLERANCES):
                    with threadpool_limits(blas, user_api="blas"):
                        wall, cpu = perf_counter(), process_time()
                        try:
                            if name == "products":
                                values, _ = peers.smallest_by_products(A, count, ncv, tol)
                            else:
                                sigma = -1e-4 if reference is None else -0.1 * reference[0]
                                values, _ = peers.smallest_by_inverse(A, count, ncv, tol, sigma, ordering or None)
                        except Exception as failure:  # no convergence: say so, go on
                            print(f"  {kind} blas={blas} ncv={ncv} tol={tol:g}: {type(failure).__name__}", flush=True)
                            continue
                        wall, cpu = perf_counter() - wall, process_time() - cpu
                    if reference is None:
                        reference = values[1:]
                        print(f"  eigenvalues {reference[0]:.3e} .. {reference[-1]:.3e}")
                    error = np.max(np.abs(values[1:] - reference) / reference)
                    mark = ""
                    if error < 3e-7 and wall < best:
                        best, mark = wall, "  <- best so far"
                    print(
                        f"  {kind} blas={blas} ncv={ncv} tol={tol:g}: {wall:.2f} s wall, {cpu:.2f} s cpu, "
                        f"error {error:.1e}{mark}",
                        flush=True,
                    )
                    if error > 1e-6:
                        break  # a looser tolerance would not be more exact


if __name__ == "__main__":
    sweep(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:] or ["products", "inverse:MMD_AT_PLUS_A"])
