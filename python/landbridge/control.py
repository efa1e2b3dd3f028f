"""Transfer of policies from one state space to another (Wang and Mahadevan 2008, section 4.3).

Random walks give states. Their Laplacian eigenmaps are proto-value functions, a basis for the values of states, and
least-squares policy iteration learns a policy with them. If another sensor observes the same task, `ProcrustesAlignment` moves
one basis onto the other by a few states known in both, and the policy transfers.

>>> import landbridge as lb
>>> task = lb.control.Pendulum()
>>> sensor = lb.control.Sensor(task)
>>> walks = lb.control.random_walks(task, 100).map(sensor.observe)
>>> states = walks.states[lb.control.spread(walks.states, 200)]
>>> basis = lb.LaplacianEigenmaps(20, n_neighbors=25).fit(states)
>>> values = lb.control.LSPI(discount=task.discount).fit(walks.map(basis.transform))
>>> balanced = lb.control.steps(task, values, basis, sensor=sensor, episodes=5)   # pushed at random it falls after about 10
>>> bool(balanced.min() > 100)
True
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from . import _landbridge as _core
from ._base import Base, threads, whole
from ._errors import NotFittedError, ParameterError
from ._model_holder import ModelHolder
from .metrics import _places

__all__ = ["LSPI", "Experience", "MountainCar", "Pendulum", "Sensor", "Task", "random_walks", "spread", "steps"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Task(Base):
    """The base class of all tasks. Not used by itself.

    Attributes
    ----------
    n_actions : int
    discount : float, discount factor per step
    limit : int, largest number of steps of a test
    scales : (2,) array, factors that make both numbers of a state comparable
    """

    _task: ClassVar[str]

    def _facts(self) -> tuple[int, float, int, list[float]]:
        return _core.task_facts(self._task, self.get_params(deep=False))

    @property
    def n_actions(self) -> int:
        """Number of actions."""
        return self._facts()[0]

    @property
    def discount(self) -> float:
        """Discount factor per step."""
        return self._facts()[1]

    @property
    def limit(self) -> int:
        """Largest number of steps of a test."""
        return self._facts()[2]

    @property
    def scales(self) -> Floats:
        """Factors that make both numbers of a state comparable."""
        return np.array(self._facts()[3])


class Pendulum(Task):
    """An inverted pendulum on a cart, kept upright by pushes (Lagoudakis and Parr 2003).

    State: angle from the vertical and angular velocity. Actions 0, 1, 2: pushes of -50, 0, 50 newtons, each disturbed by up
    to 10. Below the horizontal an episode is over, with reward -1; a test is won after 3,000 steps of a tenth of a second.

    Parameters
    ----------
    length : of the pendulum, metres
    mass : of the pendulum, kilograms (the cart has 8)
    """

    _task = "pendulum"

    def __init__(self, length: float = 0.5, mass: float = 2.0) -> None:
        self.length: Any = length
        self.mass: Any = mass


class MountainCar(Task):
    """A car in a valley, too weak to drive out without a run-up (Sutton and Barto).

    State: position, -1.2 to 0.5, and velocity, within 0.07. Actions 0, 1, 2: throttle backward, none, forward. Reward 1 at 0.5,
    where the episode is over; a test starts at rest near the bottom and is lost after 500 steps.

    Parameters
    ----------
    power : change of velocity by the throttle
    """

    _task = "mountain_car"

    def __init__(self, power: float = 0.001) -> None:
        self.power: Any = power


class Sensor:
    """A sensor, which observes states as rows of features.

    Parameters
    ----------
    task : the task, whose `scales` come first
    stretch : further factors of the two numbers of a state
    features : None for the two numbers themselves; or 3 or more, in which their plane is rotated at random
    bend : curvature of the arc along which that plane is bent first; lengths along it are preserved
    random_state : seed of the rotation
    """

    def __init__(
        self,
        task: Task,
        *,
        stretch: Sequence[float] = (1.0, 1.0),
        features: int | None = None,
        bend: float = 0.0,
        random_state: int = 0,
    ) -> None:
        factors = [float(f) for f in stretch]
        if len(factors) != 2:
            raise ParameterError(f"stretch has {len(factors)} numbers; it must have two")
        count = 0 if features is None else whole("features", features, 1)
        params = _task(task).get_params(deep=False)
        self._core = _core.Sensor(task._task, params, factors, count, float(bend), whole("random_state", random_state))

    def observe(self, states: Any) -> Floats:
        """(n, 2) states as (n, features) rows."""
        rows = _places("states", states)
        if rows.shape[1] != 2:
            raise ParameterError(f"states have {rows.shape[1]} columns; they must have two")
        return self._core.observe(rows)


@dataclass
class Experience:
    """Observed steps: one row or entry each. `states` and `next_states` may be any features of the states."""

    #: The state before each step.
    states: Floats
    #: What was done, as a number from 0.
    actions: Ints
    #: What it brought.
    rewards: Floats
    #: The state after each step.
    next_states: Floats
    #: Whether the episode ended with this step.
    ended: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.actions)

    def map(self, features: Callable[[Floats], Any]) -> Experience:
        """The same steps with other features of the states: ``walks.map(sensor.observe).map(basis.transform)``."""
        return Experience(features(self.states), self.actions, self.rewards, features(self.next_states), self.ended)

    def __add__(self, other: Experience) -> Experience:
        """The steps of both, whose features must be the same."""
        both = [(getattr(self, name), getattr(other, name)) for name in self.__dataclass_fields__]
        return Experience(*(np.concatenate(pair) for pair in both))


def _task(task: Any) -> Task:
    if not isinstance(task, Task):
        raise ParameterError(f"task is {task!r}; it must be Pendulum(...) or MountainCar(...)")
    return task


def random_walks(task: Task, episodes: int, random_state: int = 0) -> Experience:
    """Random actions until the task ends or the walk is long enough. The first episodes do not depend on their number."""
    count, seed = whole("episodes", episodes, 1), whole("random_state", random_state)
    return Experience(*_core.random_walks(_task(task)._task, task.get_params(deep=False), count, seed))


def spread(rows: Any, count: int) -> Ints:
    """Positions of `count` rows that cover all of them, by farthest-point sampling."""
    return _core.spread(_places("rows", rows), whole("count", count, 1))


class LSPI(Base):
    """Least-squares policy iteration (Lagoudakis and Parr 2003): values of actions, linear in features of states.

    Each round solves ``F'(F - discount F_next) w = F'r`` for the current policy (LSTDQ), then takes the best action by w. It ends
    when the policy no longer changes.

    Parameters
    ----------
    discount : discount factor per step
    n_actions : number of actions
    max_iter : largest number of policies
    ridge : ridge, as a share of the diagonal
    n_jobs : threads; None or -1 is all cores

    Attributes
    ----------
    weights_ : (n_actions, 1 + features) array, the first column is a constant
    n_iter_ : policies tried
    converged_ : whether the greedy policy of these values has these values; if not, the policies cycled, and this one changed
        least
    """

    def __init__(
        self,
        discount: float = 0.95,
        *,
        n_actions: int = 3,
        max_iter: int = 30,
        ridge: float = 0.01,
        n_jobs: int | None = None,
    ) -> None:
        self.discount: Any = discount
        self.n_actions: Any = n_actions
        self.max_iter: Any = max_iter
        self.ridge: Any = ridge
        self.n_jobs: Any = n_jobs

    def fit(self, experience: Experience, y: Any = None) -> LSPI:
        """Learn from the observed steps `experience` of any policy; `y` has no meaning here."""
        self.weights_, self.n_iter_, self.converged_ = _core.policy_iteration(
            _places("states", experience.states),
            np.ascontiguousarray(experience.actions, dtype=np.int64),
            np.ascontiguousarray(experience.rewards, dtype=np.float64),
            _places("next_states", experience.next_states),
            np.ascontiguousarray(experience.ended, dtype=np.bool_),
            whole("n_actions", self.n_actions, 1),
            float(self.discount),
            whole("max_iter", self.max_iter, 1),
            float(self.ridge),
            threads(self.n_jobs),
        )
        return self

    def values(self, features: Any) -> Floats:
        """(n, n_actions) values of the actions in states with these `features`."""
        if not hasattr(self, "weights_"):
            raise NotFittedError("this LSPI is not fitted, so it has no values", "call fit first")
        rows = _places("features", features)
        if rows.shape[1] + 1 != self.weights_.shape[1]:
            raise ParameterError(f"features have {rows.shape[1]} columns; they must have {self.weights_.shape[1] - 1}")
        return np.asarray(self.weights_[:, 0] + rows @ self.weights_[:, 1:].T)

    def predict(self, features: Any) -> Ints:
        """The best action of each state, which its `features` describe; the first of equals."""
        return np.asarray(self.values(features).argmax(axis=1), dtype=np.int64)


def steps(
    task: Task,
    values: LSPI,
    model: ModelHolder,
    dataset: int = 0,
    *,
    sensor: Sensor | None = None,
    episodes: int = 20,
    random_state: int = 0,
    n_jobs: int | None = None,
) -> Ints:
    """Steps of each test of a policy: balanced (pendulum, the more the better), to the goal (mountain car, the fewer the better).

    Parameters
    ----------
    task : the task of the test
    values : the learnt values, in the space of `model`
    model : an embedding of states, or an alignment that has them as a dataset
    dataset : the dataset of the states
    sensor : the sensor of the states; None for the scaled numbers themselves
    episodes : number of tests
    random_state : seed of starts and disturbances
    n_jobs : threads; None or -1 is all cores
    """
    if not hasattr(values, "weights_"):
        raise NotFittedError("this LSPI is not fitted, so it cannot act", "call fit first")
    sensor = Sensor(task) if sensor is None else sensor
    return _core.policy_steps(
        _task(task)._task,
        task.get_params(deep=False),
        sensor._core,
        model._fitted("act"),
        whole("dataset", dataset),
        np.ascontiguousarray(values.weights_),
        whole("episodes", episodes, 1),
        whole("random_state", random_state),
        threads(n_jobs),
    )
