"""Decision tasks: walks, sensors, policies."""

from __future__ import annotations

import numpy as np
import pytest

import landbridge as lb
from landbridge import control


def corridor():
    """Six places in a line, a step left or right, reward 1 for leaving on the right; one feature per place but the first."""
    places = np.eye(7)[:, 1:6]
    at = np.repeat(np.arange(6), 2)
    action = np.tile([0, 1], 6)
    to = np.where(action == 1, at + 1, np.maximum(at - 1, 0))
    return control.Experience(places[at], action, (to == 6).astype(float), places[to], to == 6)


def test_values_are_those_of_dynamic_programming():
    values = control.LSPI(0.9, n_actions=2, ridge=1e-12).fit(corridor())
    places = np.eye(7)[:6, 1:6]
    right = 0.9 ** (5 - np.arange(6))
    left = 0.9 * right[np.maximum(np.arange(6) - 1, 0)]
    np.testing.assert_allclose(values.values(places), np.column_stack([left, right]), atol=1e-8)
    assert values.converged_ and values.predict(places).tolist() == [1] * 6


def test_features_in_other_units_give_the_same_policy():
    walks = control.random_walks(control.MountainCar(), 30).map(lambda s: s * [1.0, 20.0])
    base = control.LSPI(0.99).fit(walks)
    scaled = control.LSPI(0.99).fit(walks.map(lambda s: s * 1e-3))
    np.testing.assert_allclose(scaled.weights_[:, 1:] * 1e-3, base.weights_[:, 1:], rtol=1e-6)


def test_walks_follow_the_published_equations_and_their_seed():
    walks = control.random_walks(control.MountainCar(), 5, random_state=3)
    place, speed = walks.states.T
    faster = np.clip(speed + 0.001 * (walks.actions - 1) - 0.0025 * np.cos(3 * place), -0.07, 0.07)
    free = place + faster >= -1.2
    np.testing.assert_allclose(walks.next_states[free], np.column_stack([place + faster, faster])[free], atol=1e-15)
    again = control.random_walks(control.MountainCar(), 9, random_state=3)
    np.testing.assert_array_equal(again.states[: len(walks)], walks.states)


def test_a_policy_acts_through_its_sensor_and_the_same_seed_repeats():
    task = control.Pendulum()
    sensor = control.Sensor(task, features=6, bend=0.1)
    walks = control.random_walks(task, 150).map(sensor.observe)
    states = walks.states[control.spread(walks.states, 200)]
    basis = lb.LaplacianEigenmaps(20, n_neighbors=25).fit(states)
    values = control.LSPI(task.discount).fit(walks.map(basis.transform))
    steps = control.steps(task, values, basis, sensor=sensor, episodes=4)
    assert steps.min() > 300
    np.testing.assert_array_equal(steps, control.steps(task, values, basis, sensor=sensor, episodes=4, n_jobs=1))


def test_what_cannot_be_says_why():
    task = control.Pendulum()
    walks = control.random_walks(task, 3)
    basis = lb.PCA(2).fit(walks.states)
    with pytest.raises(lb.NotFittedError):
        control.steps(task, control.LSPI(), basis)
    with pytest.raises(lb.ParameterError, match="discount"):
        control.LSPI(1.0).fit(walks)
    with pytest.raises(lb.ParameterError, match="actions"):
        control.LSPI(n_actions=2).fit(walks)
    with pytest.raises(lb.ParameterError, match="length"):
        control.random_walks(control.Pendulum(length=-1.0), 3)
    with pytest.raises(lb.ParameterError, match="episodes"):
        control.random_walks(task, 0)
    with pytest.raises(lb.ParameterError, match="task"):
        control.random_walks("pendulum", 3)
    with pytest.raises(lb.ParameterError, match="features"):
        control.Sensor(task, features=2)
    with pytest.raises(lb.ParameterError, match="two"):
        control.Sensor(task).observe(np.zeros((3, 4)))
    with pytest.raises(ValueError):
        control.steps(task, control.LSPI().fit(walks.map(lambda s: s[:, :1])), basis)
    with pytest.raises(ValueError, match="rewards"):
        control.LSPI().fit(control.Experience(walks.states, walks.actions, walks.rewards[1:], walks.next_states, walks.ended))
