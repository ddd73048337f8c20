from __future__ import annotations

import math

import numpy as np
import pytest
from urdf_text import PENDULUM, SLIDES, joint, limits, link, robot

from id_controller.errors import SimulationError
from id_controller.simulation.plant import Plant
from id_controller.simulation.settings import PlantSettings

G = 9.81


def test_inverse_dynamics_of_a_pendulum() -> None:
    plant = Plant(PENDULUM)
    q, a = 0.4, 1.7
    expected = 2.0 * G * 0.3 * math.cos(q) + (0.05 + 2.0 * 0.3**2) * a
    got = plant.inverse_dynamics(np.array([q]), np.array([5.0]), np.array([a]))
    assert got[0] == pytest.approx(expected, abs=1e-12)
    assert plant.mass_matrix(np.array([q]))[0, 0] == pytest.approx(0.05 + 0.18, abs=1e-12)


def test_constant_forces_give_constant_accelerations() -> None:
    plant = Plant(SLIDES)
    steps = 400
    plant.step(np.array([2.0 * G + 4.0, -1.5]), steps)
    t = steps * 0.00025
    assert plant.v == pytest.approx([2.0 * t, -0.5 * t], abs=1e-12)
    # The semi-implicit rule is ahead of the parabola by half a step of velocity.
    ahead = 0.5 * 0.00025 * t
    assert plant.q == pytest.approx([t**2 + 2.0 * ahead, -0.25 * t**2 - 0.5 * ahead], abs=1e-12)


def test_the_asked_order_is_the_order_of_all_vectors() -> None:
    plant = Plant(SLIDES, PlantSettings(joints=('along', 'up')))
    rest = np.zeros(2)
    assert plant.joints == ('along', 'up')
    assert plant.names == ('up', 'along')
    assert plant.inverse_dynamics(rest, rest, rest) == pytest.approx([0.0, 2.0 * G])
    plant.step(np.array([3.0, 2.0 * G]), 40)
    q, v, tau = plant.measure()
    assert v == pytest.approx([0.0, 0.01], abs=1e-12)
    assert tau == pytest.approx([2.0 * G, 3.0])
    assert q[1] == plant.q[0] > 0.0


def test_gravity_is_a_setting() -> None:
    plant = Plant(SLIDES, PlantSettings(gravity=(1.0, 0.0, 0.0)))
    rest = np.zeros(2)
    assert plant.inverse_dynamics(rest, rest, rest) == pytest.approx([0.0, -3.0])


def test_time_counts_whole_steps_without_drift() -> None:
    plant = Plant(SLIDES, PlantSettings(step_s=0.001 / 3.0))
    for _ in range(1000):
        plant.hold(3)
    assert plant.time_ns == 1_000_000_000


def test_efforts_are_clamped_at_the_limits_of_each_joint() -> None:
    text = robot(
        link('base'), link('a', 2.0), link('b', 4.0),
        joint('one', 'prismatic', 'base', 'a', '1 0 0', extra=limits(-9, 9, effort=6.0)),
        joint('two', 'prismatic', 'base', 'b', '0 1 0', extra=limits(-9, 9, effort=20.0)),
    )
    plant = Plant(text)
    plant.step(np.array([100.0, -100.0]), 4)
    assert plant.tau == pytest.approx([6.0, -20.0])
    assert plant.v == pytest.approx([0.003, -0.005], abs=1e-12)


@pytest.mark.parametrize('effort', ['effort="0"', 'effort="-3"', ''])
def test_no_effort_limit_above_zero_is_no_limit(effort: str) -> None:
    limit = f'<limit lower="-9" upper="9" velocity="1" {effort}/>'
    text = robot(
        link('base'), link('a', 2.0), joint('j', 'prismatic', 'base', 'a', '1 0 0', extra=limit)
    )
    plant = Plant(text)
    plant.step(np.array([1e4]))
    assert plant.tau[0] == 1e4


def test_a_position_limit_stops_the_joint() -> None:
    text = robot(
        link('base'), link('a', 2.0),
        joint('j', 'prismatic', 'base', 'a', '0 0 1', extra=limits(-0.1, 0.3)),
    )
    plant = Plant(text)
    plant.reset(np.array([0.1]))
    plant.step(np.zeros(1), 8000)
    assert plant.q[0] == pytest.approx(-0.1, abs=5e-3)


def test_a_continuous_joint_turns_without_wrap() -> None:
    text = robot(
        link('base'), link('wheel', 1.0, i=0.5),
        joint('j', 'continuous', 'base', 'wheel', '0 0 1', extra='<limit effort="9"/>'),
    )
    plant = Plant(text)
    assert (plant.lower[0], plant.upper[0]) == (-math.inf, math.inf)
    plant.step(np.array([5.0]), 8000)
    assert plant.q[0] == pytest.approx(0.5 * 10.0 * 2.0**2, rel=1e-3)


def test_brakes_hold_and_time_passes() -> None:
    plant = Plant(SLIDES)
    plant.step(np.zeros(2), 40)
    q = plant.q
    plant.hold(8)
    plant.hold(4000)
    assert (plant.q == q).all()
    assert (plant.v == 0.0).all()
    assert plant.time_ns == 4048 * 250_000


def test_damping_sinks_at_the_speed_where_it_carries_the_weight() -> None:
    text = robot(
        link('base'), link('a', 2.0),
        joint('j', 'prismatic', 'base', 'a', '0 0 1', extra=limits(-9, 9, 2.0, 100.0)),
    )
    plant = Plant(text)
    plant.damp(4000)
    assert plant.v[0] == pytest.approx(-2.0 * G / 50.0, rel=1e-6)
    plant.step(np.array([2.0 * G]), 400)
    assert plant.v[0] == pytest.approx(-2.0 * G / 50.0, rel=1e-6), 'damping stayed on'


def test_damping_of_a_joint_without_limits_stops_it_in_time() -> None:
    text = robot(
        link('base'), link('wheel', 1.0, i=0.5),
        joint('j', 'continuous', 'base', 'wheel', '0 0 1', extra=''),
    )
    plant = Plant(text)
    plant.step(np.array([50.0]), 400)
    v = plant.v[0]
    plant.damp(200)
    assert plant.v[0] == pytest.approx(v * math.exp(-1.0), rel=0.01)


def test_reset_stands_still_at_a_pose_and_time_runs_on() -> None:
    plant = Plant(SLIDES)
    plant.step(np.array([50.0, 10.0]), 100)
    plant.reset(np.array([0.5, -0.25]))
    assert plant.q.tolist() == [0.5, -0.25]
    assert plant.v.tolist() == [0.0, 0.0]
    assert plant.time_ns == 25_000_000


@pytest.mark.parametrize('bad', [math.nan, math.inf, -math.inf])
def test_efforts_that_are_not_finite_are_refused(bad: float) -> None:
    plant = Plant(SLIDES)
    with pytest.raises(SimulationError, match='efforts: got .* expected finite'):
        plant.step(np.array([1.0, bad]))
    assert np.isfinite(plant.q).all()


def test_a_diverged_simulation_is_told(tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(str(tmp_path))
    text = SLIDES.replace('effort="500"', 'effort="1e308"')
    plant = Plant(text)
    with pytest.raises(SimulationError, match='diverged at 0.0'):
        for _ in range(50):
            plant.step(np.array([1e308, 0.0]))
