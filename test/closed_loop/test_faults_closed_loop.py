"""What a whole arm does under faults, stops and exits, in MuJoCo and virtual time."""
from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from closed_loop_rig import World

from id_controller.control.faults import Fault
from id_controller.state import JointState, Mode, Request

pytest.importorskip('mujoco')


def in_motion(robot: str = 'arm7', **parameters: object) -> World:
    """An arm near the middle of a fast motion."""
    world = World(robot, **parameters)
    world.activated().start_sine(0.5, 6.0)
    world.tracking_errors(1.4)
    assert np.abs(world.plant.v).max() > 0.3
    return world


def settled(world: World) -> None:
    """The arm stands, and stays where it stands."""
    assert np.abs(world.plant.v).max() < 0.01
    before = world.plant.q.copy()
    world.run(1.0)
    assert world.plant.q == pytest.approx(before, abs=2e-3)


@pytest.mark.parametrize('mode', ['feedforward', 'computed_torque', 'gravity_pd'])
@pytest.mark.parametrize('asked', [Request.HOLD, Request.STOP])
def test_b88_a_stop_in_motion_stops_the_arm_and_it_stays(mode: str, asked: Request) -> None:
    world = in_motion(control_mode=mode)
    where = world.plant.q.copy()
    assert world.controller.request(asked) == ''
    command = world.run(1.5)
    assert command.mode is (Mode.HOLD if asked is Request.HOLD else Mode.SOFT_STOP)
    settled(world)
    assert np.abs(world.plant.q - where).max() < np.radians(5.0)


# Faults that leave the state trusted; each as the arm would meet it.
TRUSTED: dict[Fault, Callable[[World], object]] = {
    Fault.HOST_SILENT: lambda world: world.controller.raise_fault(Fault.HOST_SILENT),
    Fault.OVERRUN: lambda world: world.controller.raise_fault(Fault.OVERRUN),
    Fault.TIME_JUMP: lambda world: setattr(world, 'now_ns', world.now_ns - 10**9),
    Fault.SUBSCRIBER_LOST: lambda world: world.tick(matched=False),
}


@pytest.mark.parametrize('fault', TRUSTED, ids=lambda fault: fault.name)
def test_a_fault_with_a_good_state_holds_the_arm(fault: Fault) -> None:
    world = in_motion()
    where = world.plant.q.copy()
    TRUSTED[fault](world)
    command = world.run(1.5)
    assert (command.mode, command.fault) == (Mode.FAULT, fault)
    settled(world)
    assert np.abs(world.plant.q - where).max() < np.radians(5.0)


@pytest.mark.parametrize('on_fault', ['gravity', 'damping'])
def test_gravity_and_damping_keep_the_arm_from_falling(on_fault: str) -> None:
    world = in_motion(on_fault=on_fault, smooth=False)
    world.controller.raise_fault(Fault.HOST_SILENT)
    before = np.abs(world.plant.v).max()
    world.run(2.0)
    assert world.controller.mode is Mode.FAULT
    assert np.abs(world.plant.v).max() < before
    if on_fault == 'damping':
        settled(world)


def test_a_state_that_freezes_lets_the_arm_sink_and_never_drives_it() -> None:
    world = in_motion()
    frozen = JointState(world.plant.q.copy(), world.plant.v.copy(), 0)
    carried = world.configuration.model.gravity(frozen.q)
    ramp_s = world.configuration.parameters.ramp_time
    for k in range(1, 800):
        command = world.tick(frozen=frozen._replace(age_ns=k * world.period_ns))
        if command.mode is Mode.FAULT and k > 100:
            left = max(0.0, 1.0 - (k - 51) * 0.001 / ramp_s)
            assert command.tau == pytest.approx(left * carried, abs=0.01 * np.abs(carried).max())
    assert (command.fault, command.tau.any()) == (Fault.STATE_STALE, False)


@pytest.mark.parametrize(('pushes', 'fault'), [
    ((0.13, 0.12), Fault.TRACKING_ERROR), ((0.25,), Fault.STATE_JUMP),
])
def test_b70_an_arm_that_is_pushed_too_far_or_put_elsewhere_is_a_fault(
    pushes: tuple[float, ...], fault: Fault
) -> None:
    world = World('arm7').activated()
    pushed = world.plant.q.copy()
    for push in pushes:
        pushed[1] += push
        world.plant.reset(pushed)
        command = world.tick()
    assert (command.mode, command.fault) == (Mode.FAULT, fault)
    world.run(0.5)
    settled(world)
    # It holds where it was pushed to, and does not fling back.
    assert world.plant.q == pytest.approx(pushed, abs=0.01)
    assert world.controller.request(Request.RESET) == ''
    assert world.run(0.2).mode is Mode.HOLD


@pytest.mark.parametrize('joint', [1, 3])
def test_an_arm_that_leans_on_a_limit_is_still_carried(joint: int) -> None:
    world = World('arm7', **{'soft_limits.margin': 0.1, 'control_mode': 'gravity'})
    q = world.plant.q.copy()
    q[joint] = world.configuration.limits.upper[joint] - 0.02
    world.plant.reset(q)
    world.activated(2.0)
    # The spring brings it out of the margin, gently; gravity does not win on the way.
    lower = world.configuration.limits.upper[joint] - 0.15
    assert lower < world.plant.q[joint] < q[joint]
    others = np.delete(world.plant.q - q, joint)
    assert np.abs(others).max() < 0.1


@pytest.mark.parametrize('smooth', [True, False])
def test_an_exit_in_motion_brakes_the_arm_before_it_lets_go(smooth: bool) -> None:
    world = in_motion(smooth=smooth)
    before = np.abs(world.plant.v).max()
    world.controller.request(Request.EXIT)
    world.run(0.15)
    assert np.abs(world.plant.v).max() < 0.5 * before
    for _ in range(600):
        command = world.tick()
        if command.mode is Mode.EXITED:
            break
    assert (command.mode, command.publish) == (Mode.EXITED, False)
    assert world.sent is not None
    assert not world.sent.any()


def test_b39_activation_again_where_the_arm_was_moved_to_is_bumpless() -> None:
    world = in_motion()
    world.controller.request(Request.EXIT)
    world.run(1.0)
    moved = np.clip(world.plant.q + 0.4, world.plant.lower + 0.3, world.plant.upper - 0.3)
    world.plant.reset(moved)
    world.sent = None
    world.activated(1.0)
    assert world.plant.q == pytest.approx(moved, abs=0.02)


def test_b69_a_stale_state_is_a_fault_within_the_timeout() -> None:
    world = in_motion()
    frozen = JointState(world.plant.q.copy(), world.plant.v.copy(), 0)
    ages = []
    for k in range(1, 60):
        age_ns = k * world.period_ns
        if world.tick(frozen=frozen._replace(age_ns=age_ns)).mode is Mode.FAULT:
            ages.append(age_ns)
    assert ages[0] == 51_000_000
