"""Value-function transfer: proto-value functions and policies carried to a changed state space, and the subspace bound.

All states are simulated: no data are needed (`--data` may be any folder).
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from scipy.linalg import eigh
from scipy.optimize import linear_sum_assignment
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import cdist

import landbridge as lb
from common import draw, expect, show
from landbridge import control


@dataclass
class Setting:
    """A task where it is learnt and where it is carried to, and how its states look there."""

    name: str
    change: str
    task: control.Task
    changed: control.Task
    source: control.Sensor
    target: control.Sensor
    #: Proto-value functions, states set up in both spaces, random episodes at the source.
    functions: int
    known: int
    episodes: int
    what: str
    most: float


def settings() -> list[Setting]:
    pendulum, car = control.Pendulum(), control.MountainCar()
    seen = {"pendulum": control.Sensor(pendulum), "car": control.Sensor(car)}
    balanced, arrived = "steps balanced", "steps to the goal"
    return [
        Setting("pendulum", "another sensor", pendulum, pendulum, seen["pendulum"],
                control.Sensor(pendulum, features=10, bend=0.2, random_state=1), 20, 40, 300, balanced, 3000),
        Setting("mountain car", "another sensor", car, car, seen["car"],
                control.Sensor(car, features=10, bend=0.5, random_state=1), 80, 150, 200, arrived, 500),
        Setting("pendulum", "stretched sensor, pendulum half as long again", pendulum, control.Pendulum(length=0.75),
                seen["pendulum"], control.Sensor(pendulum, stretch=(0.7, 1.4), features=5, random_state=2), 20, 40, 300, balanced, 3000),
        Setting("mountain car", "stretched sensor, a tenth more power", car, control.MountainCar(power=0.0011), seen["car"],
                control.Sensor(car, stretch=(1.4, 0.7), features=5, random_state=2), 80, 150, 200, arrived, 500),
    ]  # fmt: skip


def first_episodes(walks: control.Experience, episodes: int) -> control.Experience:
    goes_on = np.append(np.all(walks.next_states[:-1] == walks.states[1:], axis=1) & ~walks.ended[:-1], False)
    steps = int(np.flatnonzero(~goes_on)[episodes - 1]) + 1
    return control.Experience(*(getattr(walks, name)[:steps] for name in walks.__dataclass_fields__))


def covering(rows: np.ndarray, count: int = 500) -> np.ndarray:
    return rows[control.spread(rows, count)]


SCRATCH, BASIS, POLICY, ON = "from scratch", "basis carried (Y Q)", "values carried", "values carried, learnt on"


def trial(s: Setting, budgets: list[int], seed: int, tests: int) -> dict[tuple[str, int], float]:
    """Mean steps of the tests in the changed space, for each way and number of episodes seen there."""
    source = control.random_walks(s.task, s.episodes, random_state=2 * seed)
    target = control.random_walks(s.changed, max(budgets), random_state=2 * seed + 1)
    # A few states were set up in both spaces: the known pairs.
    known = covering(source.states * s.task.scales, s.known) / s.task.scales
    pairs = np.column_stack([np.arange(len(known))] * 2)
    learnt = source.map(s.source.observe)
    old = np.vstack([s.source.observe(known), covering(learnt.states)])
    lspi = control.LSPI(s.task.discount)
    act = partial(control.steps, s.changed, sensor=s.target, episodes=tests, random_state=seed)
    found: dict[tuple[str, int], float] = {}
    for episodes in budgets:
        seen = first_episodes(target, episodes).map(s.target.observe)
        new = np.vstack([s.target.observe(known), covering(seen.states)])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", lb.AlignmentWarning)
            own = lb.LaplacianEigenmaps(s.functions, n_neighbors=25).fit(new)
            # Both bases in one space. Moved onto the source (the first) or onto the target spans the same functions.
            moved = lb.ProcrustesAlignment(s.functions, embedding="laplacian", n_neighbors=25).fit([old, new], pairs)
        there, here = partial(moved.transform, dataset=0), partial(moved.transform, dataset=1)
        found[SCRATCH, episodes] = act(lspi.fit(seen.map(own.transform)), own).mean()
        found[BASIS, episodes] = act(lspi.fit(seen.map(here)), moved, 1).mean()
        found[POLICY, episodes] = act(lspi.fit(learnt.map(there)), moved, 1).mean()
        found[ON, episodes] = act(lspi.fit(learnt.map(there) + seen.map(here)), moved, 1).mean()
    return found


def transfer(data: Path, quick: bool) -> None:
    """A policy learnt on one state space, used on a changed one, against learning there from scratch (simulated)."""
    seeds, tests, budgets = (2, 3, [5, 50]) if quick else (5, 5, [2, 5, 10, 20, 50])
    for s in settings()[: 2 if quick else 4]:
        results = [trial(s, budgets, seed, tests) for seed in range(seeds)]
        rows: list[list[object]] = []
        curves = []
        means = {}
        for way in (SCRATCH, BASIS, POLICY, ON):
            steps = np.array([[result[way, episodes] for episodes in budgets] for result in results])
            rows.append([way, *(f"{m:.0f} ± {d:.0f}" for m, d in zip(steps.mean(axis=0), steps.std(axis=0)))])
            curves.append((way, [float(b) for b in budgets], [float(m) for m in steps.mean(axis=0)]))
            means[way] = steps.mean(axis=0)
        title = f"{s.name}, {s.change}"
        limit = "3,000 is the most" if s.name == "pendulum" else "500 is lost"
        show(
            f"{title}: {s.what} ({limit}), mean and spread over {seeds} seeds, by random episodes seen there",
            ["", *map(str, budgets)],
            rows,
        )
        draw(
            f"transfer-{s.name.replace(' ', '-')}-{'sensor' if s.task is s.changed else 'changed'}",
            title.capitalize(),
            f"mean over {seeds} seeds; {s.known} states known in both, {s.episodes} episodes where it was learnt",
            ("random episodes seen there", f"{s.what} ({limit})"),
            curves,
            (0.0, s.most),
        )
        better = means[POLICY][0] - means[SCRATCH][0] if s.name == "pendulum" else means[SCRATCH][0] - means[POLICY][0]
        if s.task is s.changed:
            expect(f"{title}: what carried values gain over learning from scratch, fewest episodes", float(better), 0, s.most)


def normalized_laplacian(states: np.ndarray) -> tuple[np.ndarray, int]:
    """I - D^-1/2 W D^-1/2 of heat weights, and the number of its parts."""
    graph = lb.geometry.similarity_graph(states, n_neighbors=25, weights="heat")
    return lb.geometry.laplacian(graph).toarray(), connected_components(graph, return_labels=False)


def sampled(task: control.Task, seed: int, count: int) -> np.ndarray:
    """States of random walks, drawn at random among all that were visited; each once (the car often stands at the wall)."""
    states = np.unique(control.random_walks(task, count, random_state=seed).states, axis=0)
    return np.random.default_rng(seed).permutation(states)[:count] * task.scales


def bound(data: Path, quick: bool) -> None:
    """Procrustes08, figure 4: subspaces of two graph Laplacians of sampled states, and the bound of Theorem 2 (simulated)."""
    N, epsilon, tests = 500, 0.5, 2 if quick else 5
    for task, name in ((control.Pendulum(), "pendulum"), (control.MountainCar(), "mountain car")):
        held: dict[int, list[tuple[float, float, float]]] = {}
        apart: dict[int, list[float]] = {}
        largest = 0.0
        for seed in range(tests):
            rng = np.random.default_rng(seed)
            first, second = sampled(task, 2 * seed, N), sampled(task, 2 * seed + 1, N)
            A, trivial = normalized_laplacian(first)
            values, vectors = np.linalg.eigh(A)
            # Two separate samples: each state of the second takes the place of one of the first, all as near as can be.
            order = linear_sum_assignment(cdist(first, second))[1]
            B, parts = normalized_laplacian(second[order])
            others = np.linalg.eigh(B)[1]
            largest = max(largest, float(np.abs(A - B).max()))
            noise = rng.standard_normal(first.shape)
            for i in range(1, 100, 5):
                chosen = slice(trivial, trivial + i)
                apart.setdefault(i, []).append(lb.metrics.subspace_distance(vectors[:, chosen], others[:, parts : parts + i]))
                gap = min(values[trivial] - values[trivial - 1], values[trivial + i] - values[trivial + i - 1])
                tau = lb.metrics.perturbation_bound(gap, N, epsilon) / 2  # as the paper: half of what the theorem allows
                # The same walks sampled once more by a sensor as exact as the condition asks for.
                scatter, difference = 1e-5, np.inf
                while difference > tau:
                    if np.isfinite(difference):
                        scatter *= np.clip(0.9 * tau / difference, 0.1, 0.9)  # a neighbour may have changed: a jump, not a slope
                    again, pieces = normalized_laplacian(first + scatter * noise)
                    difference = float(np.abs(A - again).max())
                moved = eigh(again, subset_by_index=(pieces, pieces + i - 1))[1]
                distance = lb.metrics.subspace_distance(vectors[:, chosen], moved)
                held.setdefault(i, []).append((gap, scatter, distance))
                expect(f"{name}, i = {i}: distance where the condition holds", distance, 0, epsilon)
        rows: list[list[object]] = []
        for i, found in held.items():
            gaps, scatters, distances = zip(*found)
            tau = lb.metrics.perturbation_bound(min(gaps), N, epsilon) / 2
            rows.append(
                [i, f"{min(gaps):.1e}", f"{tau:.1e}", f"{min(scatters):.0e}", f"{min(distances):.1e}", f"{max(distances):.1e}"]
                + [epsilon, f"{min(apart[i]):.2f}", f"{max(apart[i]):.2f}"]
            )
        show(
            f"{name}: distance of the subspaces of the i smoothest eigenvectors, N = {N}, {tests} tests",
            ["i", "least gap", "allowed |A - B|", "scatter", "least", "largest", "epsilon", "separate walks: least", "largest"],
            rows,
        )
        print(f"  Separate walks differ by up to {largest:.2f} in an entry, far more than allowed: the theorem does not speak of them.")
        curves = [
            ("epsilon", [float(i) for i in held], [epsilon] * len(held)),
            ("condition holds, largest", [float(i) for i in held], [max(f[2] for f in held[i]) for i in held]),
            ("condition holds, least", [float(i) for i in held], [min(f[2] for f in held[i]) for i in held]),
            ("separate walks, largest", [float(i) for i in held], [max(apart[i]) for i in held]),
            ("separate walks, least", [float(i) for i in held], [min(apart[i]) for i in held]),
        ]
        draw(
            f"bound-{name.replace(' ', '-')}",
            f"Theorem 2 of Procrustes08: {name}",
            f"N = {N}, {tests} tests, epsilon = {epsilon}",
            ("eigenvectors i", "distance of the subspaces"),
            curves,
            (0.0, 1.0),
            log_x=False,
        )
