"""The host in place of its control process: limits, layouts and ends are those in force."""
from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

import numpy as np
import pytest
import rclpy
from nodes import Robot, alive, taken
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import JointState

from id_controller.benchmark.latency_listener import Listener
from id_controller.errors import ParameterError
from id_controller.ros.messages import nanoseconds

LIMIT = np.array([120.0, 120.0, 80.0, 80.0, 40.0, 20.0, 20.0])
STRETCHED = [0.0, 0.9, 0.0, 0.6, 0.0, 0.0, 0.0]
ARM7 = [f'joint{k}' for k in range(1, 8)]


def stretched(run: Robot) -> None:
    """Bring the arm where gravity pulls."""
    run.wait_for_event('mode HOLD')
    run.send([2.0], [STRETCHED], ARM7)
    run.wait_for_event('mode TRACK')
    run.wait_for_event('mode HOLD')


def steps(commands: list[np.ndarray]) -> np.ndarray:
    """Largest change of the command in one message, over the effort limit."""
    return np.abs(np.diff(np.array(commands), axis=0)).max(axis=0) / LIMIT


def test_take_over_is_no_step_and_keeps_live_limits(tmp_path: Path) -> None:
    with Robot(tmp_path) as run:
        stretched(run)
        run.set(**{'effort_limits.joint2': 100.0, 'gains.joint2.p': 600.0})
        count = len(run.commands)
        run.kill('control')
        run.wait_for_event('the host has the command topic')
        run.listen(0.5)
        taken = run.commands[count:]
        # 20 times the limit a second, at the host's 4 ms (twice that after a late one).
        assert (steps(taken) <= 0.17).all()
        assert np.abs(taken[-1]).max() > 5.0, 'the arm is carried'
        run.set(**{'effort_limits.joint2': 20.0})
        run.listen(0.5)
        assert abs(run.commands[-1][1]) <= 20.0


def test_take_over_keeps_the_layout_of_a_drive_and_gives_it_no_gains(tmp_path: Path) -> None:
    fields = ('-p', 'output.fields:=impedance')
    with Robot(tmp_path, controller=fields, simulator=fields) as run:
        run.wait_for_event('mode HOLD')
        run.kill('control')
        run.wait_for_event('the host has the command topic')
        run.listen(0.3)
        assert {len(command) for command in run.commands} == {35}
        assert not run.commands[-1][14:28].any()


def test_b01_a_payload_that_is_none_is_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    frame = ('-p', 'payload.frame:=link7')
    with Robot(tmp_path, controller=frame) as run:
        run.wait_for_event('mode HOLD')
        with pytest.raises(ParameterError, match='payload'):
            run.set(**{'payload.mass': 1.0,
                       'payload.inertia': [-1.0, 0.0, 0.0, 1.0, 0.0, 1.0]})
        run.listen(0.5)
        assert not [line for line in run.events if 'control process froze' in line]
        assert run.call('hold')[0]


def test_leaving_with_a_frozen_control_process_still_ends_at_zero(tmp_path: Path) -> None:
    with Robot(tmp_path) as run:
        stretched(run)
        run.kill('control', signal.SIGSTOP)
        run.kill('controller', signal.SIGINT)
        run.exit_code('controller', 8.0)
        run.listen(0.2)
        assert not run.commands[-1].any()


def test_a_reset_hands_the_arm_over_without_letting_go(tmp_path: Path) -> None:
    with Robot(tmp_path) as run:
        stretched(run)
        run.kill('control')
        run.wait_for_event('the host has the command topic')
        run.wait(lambda: np.abs(run.v(ARM7)).max() < 0.01, 'rest')
        before, count = run.q(ARM7), len(run.commands)
        carried = run.commands[-1]
        assert run.call('reset')[0]
        run.wait_for_event('mode HOLD')
        run.listen(0.3)
        assert run.q(ARM7) == pytest.approx(before, abs=np.radians(0.5))
        # From the first command to the last it is carried: nobody took the effort away.
        assert (np.array(run.commands[count:])[:, 1] > 0.8 * carried[1]).all() == (carried[1] > 0)
        assert (steps(run.commands[count:]) <= 0.17).all()
        run.send([1.0], [[0.1] * 3 + [0.8] + [0.1] * 3], ARM7)
        run.wait_for_event('mode TRACK')
        run.wait_for_event('mode HOLD')


def test_a_stop_calls_a_reset_off(tmp_path: Path) -> None:
    with Robot(tmp_path) as run:
        run.wait_for_event('mode HOLD')
        run.kill('control')
        run.wait_for_event('the host has the command topic')
        assert run.call('reset')[0]
        assert run.call('stop')[0]
        run.listen(3.0)
        assert run.commands[-1].any(), 'the host still carries the arm'
        assert [line for line in run.events if line.startswith('mode')][-1] == 'mode HOLD'
        assert sum(line == 'mode HOLD' for line in run.events) == 1, 'it did not arm again'
        assert run.call('reset')[0]
        run.wait_for_event('mode HOLD')
        run.wait(lambda: sum(line == 'mode HOLD' for line in run.events) == 2, 'it arms again')


@pytest.mark.parametrize('number', [signal.SIGKILL, signal.SIGSTOP])
def test_b90_an_arm_in_motion_stops_where_its_control_process_is_lost(
    tmp_path: Path, number: signal.Signals
) -> None:
    with Robot(tmp_path) as run:
        run.wait_for_event('mode HOLD')
        node = rclpy.create_node('test_way', context=run.node.context)
        states = node.create_subscription(JointState, '/joint_states', print, 3000, raw=True)
        listener = Listener(node, '/effort_controller/commands')
        run.send([2.0], [[0.8, -0.5, 0.6, 0.6, 0.8, 0.6, 0.8]], ARM7)
        run.wait(lambda: np.abs(run.v(ARM7)).max() > 0.6, 'a speed of 0.6 rad/s')
        pid = run.pid('control')
        heard = listener.after(lambda: os.kill(pid, number), 1.0)[1]
        # From its first command on the host drives nothing any more.
        driven_ns = min(one.sent_ns for one in heard if one.writer == heard[-1].writer)
        run.wait(lambda: np.abs(run.v(ARM7)).max() < 0.01, 'rest', 3.0)
        rest, lost_at = run.q(ARM7), position_at(driven_ns, taken(states))
        assert np.abs(np.degrees(rest - lost_at)).max() < 5.0
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)
        run.listen(1.0)
        assert np.abs(np.degrees(run.q(ARM7) - lost_at)).max() < 5.0
        assert not alive(pid)
        goes_on(run)
        node.destroy_node()


def goes_on(run: Robot) -> None:
    """Nothing is followed until a reset; then a new goal works."""
    run.send([1.0], [[0.1] * 7], ARM7)
    run.wait_for_event('trajectory refused: control process')
    assert run.call('reset') == (True, 'a new control process starts')
    run.wait_for_event('mode HOLD')
    run.send([1.0], [[0.1, 0.1, 0.1, 0.9, 0.1, 0.1, 0.1]], ARM7)
    run.wait_for_event('mode TRACK')
    run.wait_for_event('mode HOLD')
    assert run.q(ARM7) == pytest.approx([0.1, 0.1, 0.1, 0.9, 0.1, 0.1, 0.1], abs=0.02)
    assert not [line for line in run.events if 'more publishers' in line]
    assert np.isfinite(np.concatenate(run.commands)).all()


def position_at(system_ns: int, messages: list[bytes]) -> np.ndarray:
    """Position that the plant said it had at a time."""
    states = [deserialize_message(content, JointState) for content in messages]
    stamps = np.array([nanoseconds(state.header.stamp) for state in states])
    nearest = states[int(np.abs(stamps - system_ns).argmin())]
    assert abs(nanoseconds(nearest.header.stamp) - system_ns) < 50_000_000
    return np.array([nearest.position[list(nearest.name).index(joint)] for joint in ARM7])
