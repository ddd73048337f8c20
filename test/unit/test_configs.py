"""The shipped configurations: they load, they fit their robots, and their gains are stable."""
from __future__ import annotations

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
