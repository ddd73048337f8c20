"""The shipped configurations: they load, they fit their robots, and their gains are stable."""
from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from id_controller.command_line.chosen_robot import choose_robot
from id_controller.control.configuration import Configuration, configured
from id_controller.paths import share
from id_controller.state import Matrix, Vector

ROBOTS = ('arm7', 'panda', 'ur5', 'kinova')


def configuration_of(robot: str) -> Configuration:
    chosen = choose_robot(robot)
    return configured(chosen.parameters, chosen.description.text)


def column(configuration: Configuration, group: str, name: str) -> Vector:
    groups = getattr(configuration.parameters, group)
    return np.array([getattr(groups[joint], name) for joint in configuration.model.joints])


def poses(configuration: Configuration, count: int) -> list[Vector]:
    limits = configuration.limits
    lower = np.where(np.isfinite(limits.lower), limits.lower, -np.pi)
    upper = np.where(np.isfinite(limits.upper), limits.upper, np.pi)
    return list(np.random.default_rng(7).uniform(lower, upper, (count, lower.size)))


def sampled_loop(mass: Matrix, kp: Vector, kd: Vector, period_s: float) -> Matrix:
    """
    One step of (e, v, u): an inertia held by a sampled PD whose output comes a period late.

    From x' = v, M v' = u with u constant over a period (zero-order hold).
    """
    n = len(kp)
    one, none, inverse = np.eye(n), np.zeros((n, n)), np.linalg.inv(mass)
    return np.block([
        [one, period_s * one, 0.5 * period_s**2 * inverse],
        [none, one, period_s * inverse],
        [-np.diag(kp), -np.diag(kd), none],
    ])


def test_every_shipped_configuration_is_tried_here() -> None:
    named = {path.stem for path in share('config').glob('*.yaml')}
    assert set(ROBOTS) <= named
    assert named - set(ROBOTS) <= {'id_controller'}


@pytest.mark.parametrize('robot', ROBOTS)
def test_configuration_controls_joints_of_its_robot(robot: str) -> None:
    chosen = choose_robot(robot)
    kinds = {joint.name: joint.kind for joint in chosen.description.joints}
    assert all(kinds[joint] != 'fixed' for joint in chosen.parameters.joints)
    assert len(chosen.parameters.joints) == {'arm7': 7, 'panda': 7, 'ur5': 6, 'kinova': 6}[robot]
    assert chosen.parameters.update_rate == 1000


@pytest.mark.parametrize('robot', ROBOTS)
def test_configuration_has_gains_and_armature_for_every_joint(robot: str) -> None:
    configuration = configuration_of(robot)
    for group in ('gains', 'acceleration_gains'):
        assert (column(configuration, group, 'p') > 0.0).all()
        assert (column(configuration, group, 'd') > 0.0).all()
    assert (column(configuration, 'armature', 'value') > 0.0).all()


@pytest.mark.parametrize('robot', ROBOTS)
def test_gains_are_stable_at_their_rate_with_a_period_of_delay(robot: str) -> None:
    configuration = configuration_of(robot)
    kp, kd = column(configuration, 'gains', 'p'), column(configuration, 'gains', 'd')
    for q in poses(configuration, 200):
        step = sampled_loop(configuration.model.mass_matrix(q), kp, kd, configuration.period_s)
        assert np.abs(np.linalg.eigvals(step)).max() < 1.0


def test_panda_gains_are_unstable_without_the_rotor_inertias() -> None:
    configuration = configuration_of('panda')
    kp, kd = column(configuration, 'gains', 'p'), column(configuration, 'gains', 'd')
    q = np.array([0.1, -0.4, 0.2, -1.7, 0.3, 1.6, 0.4])
    mass = configuration.model.mass_matrix(q) - 0.1 * np.eye(7)
    step = sampled_loop(mass, kp, kd, configuration.period_s)
    assert np.abs(np.linalg.eigvals(step)).max() > 1.0


@pytest.mark.parametrize('robot', ROBOTS)
def test_acceleration_gains_are_stable_at_their_rate(robot: str) -> None:
    configuration = configuration_of(robot)
    kp = column(configuration, 'acceleration_gains', 'p')
    kd = column(configuration, 'acceleration_gains', 'd')
    step = sampled_loop(np.eye(len(kp)), kp, kd, configuration.period_s)
    assert np.abs(np.linalg.eigvals(step)).max() < 1.0


@pytest.mark.parametrize('robot', ROBOTS)
def test_gravity_leaves_most_of_the_effort(robot: str) -> None:
    configuration = configuration_of(robot)
    worst = np.max([np.abs(configuration.model.gravity(q)) for q in poses(configuration, 200)], 0)
    assert (worst < 0.75 * configuration.limits.effort).all()


@pytest.mark.parametrize(('rate_hz', 'warned'), [
    (50, True), (199, True), (200, False), (500, False),
])
def test_b85_a_rate_too_low_for_efforts_is_warned_of(rate_hz: int, warned: bool) -> None:
    chosen = choose_robot('arm7')
    parameters = dataclasses.replace(chosen.parameters, update_rate=rate_hz)
    warnings = configured(parameters, chosen.description.text).warnings
    assert any(f'got {rate_hz} Hz' in line for line in warnings) is warned


def test_b85_gains_that_are_stable_at_a_high_rate_are_not_at_a_low_one() -> None:
    mass, kp, kd = np.eye(1), np.array([400.0]), np.array([60.0])
    radii = [
        np.abs(np.linalg.eigvals(sampled_loop(mass, kp, kd, 1.0 / rate_hz))).max()
        for rate_hz in (50, 100, 200, 500)
    ]
    assert radii[0] > 1.0 > radii[2] > 0.0
    assert radii[3] < 1.0
