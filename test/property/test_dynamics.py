"""What holds for the dynamics of any robot in any state."""
from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from id_controller.model.build import build_model
from id_controller.model.description import load_description
from id_controller.model.robot import RobotModel
from id_controller.model.robots import default_joints, robot_path

ROBOTS = ('two_link', 'arm7', 'panda', 'ur5', 'kinova')
NAMES = st.sampled_from(ROBOTS)
SEEDS = st.integers(0, 2**32 - 1)


@functools.cache
def text_of(name: str) -> str:
    return load_description(robot_path(name))


@functools.cache
def known(name: str, order: tuple[int, ...] = (), armature: bool = True) -> RobotModel:
    joints = default_joints(name)
    order = order or tuple(range(len(joints)))
    rotor = np.linspace(0.05, 0.2, len(joints))[list(order)]
    return build_model(
        text_of(name), [joints[i] for i in order], armature=rotor if armature else None,
        wrench_frame='tool0' if name == 'arm7' else '',
    )


def state(n: int, seed: int) -> Any:
    return np.random.default_rng(seed).uniform(-3.0, 3.0, (3, n))


@given(NAMES, SEEDS)
def test_inverse_dynamics_is_mass_times_acceleration_and_bias(name: str, seed: int) -> None:
    robot = known(name)
    q, v, a = state(robot.n, seed)
    expected = robot.mass_matrix(q) @ a + robot.bias(q, v)
    assert robot.inverse_dynamics(q, v, a) == pytest.approx(expected, abs=1e-10)


@given(NAMES, SEEDS)
def test_forward_dynamics_inverts(name: str, seed: int) -> None:
    robot = known(name)
    q, v, a = state(robot.n, seed)
    tau = robot.inverse_dynamics(q, v, a)
    assert robot.forward_dynamics(q, v, tau) == pytest.approx(a, abs=1e-8)


@given(NAMES, SEEDS)
def test_gravity_is_bias_at_rest(name: str, seed: int) -> None:
    robot = known(name)
    q, _, _ = state(robot.n, seed)
    assert robot.gravity(q) == pytest.approx(robot.bias(q, np.zeros(robot.n)), abs=1e-11)


@given(NAMES, SEEDS)
def test_mass_matrix_is_symmetric_and_positive(name: str, seed: int) -> None:
    robot = known(name, armature=False)
    q, _, _ = state(robot.n, seed)
    mass = robot.mass_matrix(q)
    assert mass.tolist() == mass.T.tolist()
    assert np.linalg.eigvalsh(mass).min() > 0.0


@given(NAMES, SEEDS)
@settings(max_examples=30)
def test_power_of_the_efforts_is_the_growth_of_kinetic_energy(name: str, seed: int) -> None:
    # dE/dt = v . tau without gravity; E = v M v / 2, by central differences along q + v t.
    robot = known(name, armature=False)
    q, v, a = state(robot.n, seed)
    step = 1e-5

    def energy(time: float) -> float:
        speed = v + a * time
        return 0.5 * float(speed @ robot.mass_matrix(q + v * time + a * time**2 / 2) @ speed)

    power = (energy(step) - energy(-step)) / (2.0 * step)
    tau = robot.inverse_dynamics(q, v, a) - robot.gravity(q)
    assert float(v @ tau) == pytest.approx(power, rel=1e-5, abs=1e-5)


@given(st.data(), NAMES, SEEDS)
@settings(max_examples=40)
def test_b67_order_of_joints_changes_order_only(data: Any, name: str, seed: int) -> None:
    robot = known(name)
    order = data.draw(st.permutations(range(robot.n)))
    other = known(name, tuple(order))
    q, v, a = state(robot.n, seed)
    tau = robot.inverse_dynamics(q, v, a)
    found = other.inverse_dynamics(q[order], v[order], a[order])
    assert found == pytest.approx(tau[order], abs=1e-12)
    assert other.gravity(q[order]) == pytest.approx(robot.gravity(q)[order], abs=1e-12)
    mass = robot.mass_matrix(q)[np.ix_(order, order)]
    assert other.mass_matrix(q[order]) == pytest.approx(mass, abs=1e-12)
    back = other.forward_dynamics(q[order], v[order], found)
    assert back == pytest.approx(a[order], abs=1e-8)


@given(SEEDS)
def test_wrench_does_the_work_that_the_efforts_do(seed: int) -> None:
    # A pure force along gravity at the tool: J^T f is the slope of the work f . p(q), which a
    # small payload there feels as a change of the gravity effort.
    text = text_of('arm7')
    loaded = build_model(text, default_joints('arm7'), payload_frame='tool0')
    robot = known('arm7')
    q, _, _ = state(7, seed)
    empty = loaded.gravity(q)
    loaded.set_payload(0.8, np.zeros(3), np.zeros(6))
    weight = np.array([0.0, 0.0, -9.81 * 0.8, 0.0, 0.0, 0.0])
    # Holding the payload takes the negative of what its weight does to the joints.
    assert loaded.gravity(q) - empty == pytest.approx(
        -robot.wrench_torque(q, weight), abs=1e-10
    )


FINITE = st.floats(-1e4, 1e4)


@given(arrays(float, 6, elements=FINITE), arrays(float, 6, elements=FINITE))
def test_b57_difference_is_the_short_way_for_continuous_joints(q_from: Any, q_to: Any) -> None:
    robot = known('kinova')
    way = robot.difference(q_from, q_to)
    plain = q_to - q_from
    turning = robot.continuous
    assert way[~turning].tolist() == plain[~turning].tolist()
    assert (way[turning] > -np.pi - 1e-9).all()
    assert (way[turning] <= np.pi + 1e-9).all()
    turns = (plain - way)[turning] / (2.0 * np.pi)
    assert turns == pytest.approx(np.round(turns), abs=1e-9)
