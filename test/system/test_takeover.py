"""The host in place of its control process: limits, layouts and ends are those in force."""
from __future__ import annotations

import signal
from pathlib import Path

import numpy as np
import pytest
from nodes import Robot

from id_controller.errors import ParameterError

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
