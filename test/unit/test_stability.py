"""Stability of sampled gains against Jury's criterion, and the load of gravity."""
from __future__ import annotations

import numpy as np
import pytest

from id_controller.model.build import build_model
from id_controller.model.description import load_description, parse_description
from id_controller.model.gravity_load import gravity_load
from id_controller.model.limits import JointLimits, joint_limits
from id_controller.model.robot import RobotModel
from id_controller.model.robots import default_joints, robot_path
from id_controller.model.sampling import sampled_positions
from id_controller.model.stability import (
    delay_margin,
    gains_stability,
    smallest_inertias,
    spectral_radius,
    whole_radius,
)

T = 0.001


def known(name: str) -> tuple[RobotModel, JointLimits]:
    text = load_description(robot_path(name))
    joints = default_joints(name)
    return build_model(text, joints), joint_limits(parse_description(text), joints)


@pytest.mark.parametrize('mass', [0.01, 3.0])
@pytest.mark.parametrize(
    ('kp_number', 'kd_number'),
    [(0.01, 1.99), (0.01, 2.01), (0.01, 0.0051), (0.01, 0.0049), (1.0, 1.9), (1.0, 0.49)],
)
def test_without_delay_it_is_jurys_criterion(
    mass: float, kp_number: float, kd_number: float
) -> None:
    radius = spectral_radius(kp_number * mass / T**2, kd_number * mass / T, mass, T, 0.0)
    # Kp T / 2 < Kd < 2 M / T
    assert (radius < 1.0) == (kp_number / 2 < kd_number < 2.0)


def stepped_growth(
    kp: float, kd: float, mass: float, delay_steps: int, fraction: float
) -> float:
    """Step the joint itself, torque late by whole periods and a part of one, and see it grow."""
    q, v, late = 1.0, 0.0, [0.0] * (delay_steps + 2)
    sizes = []
    for _ in range(6000):
        late = [-kp * q - kd * v, *late[:-1]]
        for part, torque in ((fraction, late[delay_steps + 1]), (1 - fraction, late[delay_steps])):
            step = part * T
            q += v * step + 0.5 * torque / mass * step**2
            v += torque / mass * step
        sizes.append(abs(q) + T * abs(v))
    return (max(sizes[-1000:]) / max(sizes[2000:3000])) ** (1 / 3000)


@pytest.mark.parametrize(
    ('delay_steps', 'fraction'), [(0, 0.0), (0, 0.4), (1, 0.0), (2, 0.7), (5, 0.0)]
)
@pytest.mark.parametrize(('kp', 'kd'), [(2000.0, 40.0), (300.0, 20.0), (5000.0, 450.0)])
def test_radius_is_the_growth_of_a_stepped_joint(
    delay_steps: int, fraction: float, kp: float, kd: float
) -> None:
    radius = spectral_radius(kp, kd, 1.7, T, (delay_steps + fraction) * T)
    growth = stepped_growth(kp, kd, 1.7, delay_steps, fraction)
    assert growth == pytest.approx(radius, abs=3e-4)


def test_coupled_joints_are_less_stable_than_each_alone() -> None:
    mass = np.array([[1.0, 0.9], [0.9, 1.0]])
    kd = np.diag([300.0, 300.0])
    free = 1.0 / np.linalg.inv(mass)[0, 0]
    alone = spectral_radius(10.0, 300.0, free, T, 0.0)
    # M^-1 Kd T has the eigenvalue 300 T / 0.1 = 3 > 2.
    assert alone < 1.0 < whole_radius(10.0 * np.eye(2), kd, mass, T, 0.0)


def test_delay_margin_is_where_it_turns_unstable() -> None:
    margin = delay_margin(100.0, 300.0, 1.0, T, T)
    assert 0.0 < margin < 0.02
    assert spectral_radius(100.0, 300.0, 1.0, T, T + margin) < 1.0
    assert spectral_radius(100.0, 300.0, 1.0, T, T + margin + 0.2 * T) > 1.0
    assert delay_margin(100.0, 3000.0, 1.0, T, 0.0) == 0.0
    assert delay_margin(1.0, 1.0, 1.0, T, 0.0) == 0.05


def test_inertias_of_two_link() -> None:
    robot, limits = known('two_link')
    found = smallest_inertias(robot, limits, samples=3000)
    # Elbow held: 0.485 + 0.2 cos q2, free: less M12^2 / M22; q2 lies in -2.2 .. 2.4.
    cosines = np.cos(np.linspace(-2.2, 2.4, 4001))
    held = 0.485 + 0.2 * cosines
    free = held - (0.06 + 0.1 * cosines) ** 2 / 0.06
    assert found.held[0] == pytest.approx(held.min(), rel=1e-3)
    assert found.held_most[0] == pytest.approx(held.max(), rel=1e-3)
    assert found.free[0] == pytest.approx(free.min(), rel=1e-2)
    assert found.held[1] == found.held_most[1] == pytest.approx(0.06)
    at_worst = np.linalg.inv(robot.mass_matrix(found.poses[0]))
    assert 1.0 / at_worst[0, 0] == pytest.approx(found.free[0])


def test_panda_wrist_without_rotor_is_unstable_with_stiff_gains() -> None:
    robot, limits = known('panda')
    kp = np.array([600.0, 600.0, 600.0, 600.0, 250.0, 150.0, 50.0])
    kd = np.array([50.0, 50.0, 50.0, 50.0, 30.0, 25.0, 15.0])
    found = gains_stability(robot, smallest_inertias(robot, limits), kp, kd, T)
    # 15 N m s/rad on 0.0067 kg m^2 (all other joints held): 2.2 > 2.
    assert not found.stable
    assert found.damping_number[6] > 2.2
    assert found.delay_margin_s[6] == 0.0
    text = load_description(robot_path('panda'))
    geared = build_model(text, robot.joints, armature=np.full(7, 0.1))
    again = gains_stability(geared, smallest_inertias(geared, limits), kp, kd, T, delay_s=T)
    assert again.stable
    assert (again.delay_margin_s > T).all()


def test_damping_alone_is_stable() -> None:
    robot, limits = known('ur5')
    kd = np.full(6, 2.0)
    found = gains_stability(robot, smallest_inertias(robot, limits), np.zeros(6), kd, T, T)
    assert found.stable


def test_gravity_load_of_two_link() -> None:
    robot, limits = known('two_link')
    load = gravity_load(robot, limits, np.array([0.5, 0.5]), samples=4000)
    assert load.at_pose == pytest.approx(robot.gravity(np.array([0.5, 0.5])))
    # Stretched out level: 9.81 (2 * 0.25 + 1 * 0.7) and 9.81 * 0.2.
    assert np.abs(load.worst) == pytest.approx([11.772, 1.962], rel=0.01)
    assert load.worst_share == pytest.approx([11.772 / 40, 1.962 / 15], rel=0.01)
    for joint in range(2):
        assert robot.gravity(load.worst_poses[joint])[joint] == load.worst[joint]


def test_share_of_no_limit_and_of_no_effort() -> None:
    robot, limits = known('two_link')
    none = JointLimits(lower=limits.lower, upper=limits.upper, velocity=limits.velocity,
                       effort=np.array([0.0, np.inf]))
    load = gravity_load(robot, none, np.zeros(2), samples=10)
    assert load.worst_share.tolist() == [np.inf, 0.0]


def test_samples_stay_in_the_range_and_repeat() -> None:
    limits = JointLimits(
        lower=np.array([-1.0, -np.inf, 5.0, -np.inf]), upper=np.array([2.0, np.inf, np.inf, -4.0]),
        velocity=np.ones(4), effort=np.ones(4),
    )
    found = sampled_positions(limits, 500, seed=3)
    assert found.tolist() == sampled_positions(limits, 500, seed=3).tolist()
    assert ((found >= limits.lower) & (found <= limits.upper)).all()
    assert found.min(axis=0) == pytest.approx([-1, -np.pi, 5, -4 - 2 * np.pi], abs=0.1)
    assert found.max(axis=0) == pytest.approx([2, np.pi, 5 + 2 * np.pi, -4], abs=0.1)
