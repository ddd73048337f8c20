"""Tracking of whole robots in MuJoCo, in virtual time."""
from __future__ import annotations

import numpy as np
import pytest
from closed_loop_rig import World, rms

from id_controller.model.robots import default_joints
from id_controller.parameters.groups import Payload
from id_controller.state import Mode, Vector

pytest.importorskip('mujoco')

FADE_S = 1.0


def tracked(world: World, hz: float) -> Vector:
    """Errors along a sine, without its fades."""
    world.activated().start_sine(hz, 2.0 + 2.0 * FADE_S, fade_s=FADE_S)
    world.tracking_errors(FADE_S)
    return world.tracking_errors(2.0)


@pytest.mark.parametrize('robot', ['arm7', 'panda'])
@pytest.mark.parametrize('mode', ['feedforward', 'computed_torque'])
@pytest.mark.parametrize('hz', [0.2, 0.5])
def test_with_an_exact_model_the_error_is_a_hair(robot: str, mode: str, hz: float) -> None:
    assert rms(tracked(World(robot, control_mode=mode), hz)) <= 0.05e-3


@pytest.mark.parametrize('robot', ['arm7', 'panda'])
def test_the_dynamics_are_worth_more_than_ten_times_gravity_alone(robot: str) -> None:
    without = rms(tracked(World(robot, control_mode='gravity_pd'), 0.5))
    assert without >= 10.0 * rms(tracked(World(robot), 0.5))


def test_friction_that_is_known_is_made_up_for() -> None:
    known = rms(tracked(World('arm7', smooth=False), 0.5))
    joints = default_joints('arm7')
    unknown = World('arm7', smooth=False, **{
        f'friction.{joint}.{kind}': 0.0 for joint in joints for kind in ('viscous', 'coulomb')
    })
    assert known <= 0.3e-3
    assert rms(tracked(unknown, 0.5)) >= 5.0 * known


def test_continuous_joints_are_tracked_through_half_a_turn() -> None:
    world = World('kinova')
    start = world.plant.q.copy()
    start[world.configuration.model.continuous] = np.pi - 0.05
    world.plant.reset(start)
    assert rms(tracked(world, 0.4)) <= 0.1e-3


@pytest.mark.parametrize(('offset_v', 'w'), [(0.15, 10.0), (-0.1, 16.0)])
def test_computed_torque_answers_as_the_second_order_system_it_makes(
    offset_v: float, w: float
) -> None:
    gains = {f'acceleration_gains.{joint}.{gain}': value for joint in ('shoulder', 'elbow')
             for gain, value in (('p', w * w), ('d', 2.0 * w))}
    # A blow asks for a step of the effort, which the rate limit would turn into a ramp.
    gains.update({'max_effort_rate.shoulder': 1e5, 'max_effort_rate.elbow': 1e5})
    world = World('two_link', control_mode='computed_torque', update_rate=2000, **gains)
    world.activated(2.5)
    held = world.tick().reference.q.copy()
    world.plant._engine.place(world.plant.q, np.full(2, offset_v))
    for k in range(1, 801):
        world.tick()
        t = k / 2000.0
        expected = offset_v * t * np.exp(-w * t)
        assert world.plant.q - held == pytest.approx([expected, expected], abs=5e-5), t


def test_a_payload_that_is_known_is_carried_and_one_that_is_not_sags_by_its_weight() -> None:
    payload = Payload(frame='tool0', mass=1.0)
    gains = {f'gains.{joint}.{gain}': value for joint in ('shoulder', 'elbow')
             for gain, value in (('p', 100.0), ('d', 5.0))}
    plant = {'payloads': (payload,)}
    told = World('two_link', realism=plant, **gains,
                 **{'payload.frame': 'tool0', 'payload.mass': 1.0}).activated(5.0)
    error = told.tick().reference.q - told.plant.q
    assert np.abs(error).max() < 1e-5
    untold = World('two_link', realism=plant, **gains).activated(5.0)
    q = untold.plant.q
    error = untold.tick().reference.q - q
    elbow = -9.81 * 0.4 * np.cos(q[0] + q[1])
    expected = np.array([elbow - 9.81 * 0.5 * np.cos(q[0]), elbow]) / 100.0
    assert error == pytest.approx(expected, rel=0.02)


def test_an_integral_takes_the_sag_away() -> None:
    gains = {f'gains.{joint}.{gain}': value for joint in ('shoulder', 'elbow')
             for gain, value in (('p', 100.0), ('d', 10.0), ('i', 200.0))}
    world = World(
        'two_link', realism={'payloads': (Payload(frame='tool0', mass=1.0),)}, **gains
    ).activated(8.0)
    assert np.abs(world.tick().reference.q - world.plant.q).max() < 1e-4


def test_after_a_motion_the_arm_stands_at_its_end() -> None:
    world = World('arm7').activated()
    start = world.plant.q.copy()
    world.start_sine(0.5, 3.0)
    command = world.run(3.5)
    assert command.mode is Mode.HOLD
    assert command.reference.q == pytest.approx(start, abs=1e-3)
    assert world.plant.q == pytest.approx(command.reference.q, abs=1e-4)
    assert np.abs(world.plant.v).max() < 1e-3
