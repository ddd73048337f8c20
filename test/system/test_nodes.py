"""Simulator and controller as processes over DDS: they move, and survive each other's end."""
from __future__ import annotations

import signal
from pathlib import Path

import numpy as np
import pytest
from nodes import Robot, alive

from id_controller.model.robots import robot_config
from id_controller.parameters.yaml_file import load_parameter_file


def joints_of(robot: str) -> list[str]:
    return list(load_parameter_file(robot_config(robot))['joints'])


ARM7 = joints_of('arm7')
TARGET = [0.3, -0.4, 0.5, 0.9, -0.3, 0.4, 0.6]


@pytest.mark.parametrize('robot', ['arm7', 'panda'])
def test_robot_moves_to_where_it_is_sent(tmp_path: Path, robot: str) -> None:
    joints = joints_of(robot)
    with Robot(tmp_path, robot) as run:
        run.wait_for_event('mode HOLD')
        target = run.q(joints) + np.array([0.2, -0.3, 0.25, 0.15, -0.2, 0.3, 0.35])
        run.send([2.0], [target.tolist()], joints)
        run.wait_for_event('trajectory accepted')
        run.wait_for_event('mode TRACK')
        run.wait_for_event('mode HOLD')
        run.listen(0.5)
        assert np.abs(run.q(joints) - target).max() < 2e-3
        assert np.abs(run.v(joints)).max() < 2e-2
        run.kill('controller', signal.SIGINT)
        assert run.exit_code('controller') == 0
        assert not run.commands[-1].any(), 'the last command is zero'
    assert np.isfinite(np.concatenate(run.commands)).all()


@pytest.mark.parametrize('number', [signal.SIGKILL, signal.SIGSTOP])
def test_lost_control_process_is_replaced_by_the_host(
    tmp_path: Path, number: signal.Signals
) -> None:
    with Robot(tmp_path) as run:
        run.wait_for_event('mode HOLD')
        run.send([3.0], [TARGET], ARM7)
        run.wait_for_event('mode TRACK')
        run.listen(1.0)
        control = run.kill('control', number)
        run.wait_for_event('the host has the command topic', timeout_s=2.0)
        assert not alive(control), 'fenced: a stopped process must never come back'
        stopped = run.q(ARM7)
        run.listen(1.5)
        assert np.abs(run.q(ARM7) - stopped).max() < np.radians(5.0)
        assert np.abs(run.v(ARM7)).max() < 0.05
        run.send([1.0], [TARGET], ARM7)
        run.wait_for_event('trajectory refused: control process')
        assert run.call('reset') == (True, 'a new control process runs')
        run.wait_for_event('mode HOLD')
        run.send([2.0], [TARGET], ARM7)
        run.wait_for_event('mode TRACK')
        run.wait_for_event('mode HOLD')
        run.listen(0.5)
        assert np.abs(run.q(ARM7) - TARGET).max() < 2e-3
    assert np.isfinite(np.concatenate(run.commands)).all()


def test_killed_host_takes_its_control_process_along(tmp_path: Path) -> None:
    with Robot(tmp_path) as run:
        run.wait_for_event('mode HOLD')
        run.send([3.0], [TARGET], ARM7)
        run.wait_for_event('mode TRACK')
        run.listen(0.5)
        control = run.pid('control')
        run.kill('controller')
        run.wait(lambda: not alive(control), 'end of the control process', 3.0)
        run.listen(0.3)
        assert not run.commands[-1].any(), 'the exit policy ended at zero'
        log = (tmp_path / 'simulator.log').read_text
        run.wait(lambda: 'no command' in log() or 'commands stopped' in log(), 'simulator says so')
    assert np.isfinite(np.concatenate(run.commands)).all()


def test_killed_simulator_is_a_fault_and_not_the_end(tmp_path: Path) -> None:
    with Robot(tmp_path) as run:
        run.wait_for_event('mode HOLD')
        run.send([3.0], [TARGET], ARM7)
        run.wait_for_event('mode TRACK')
        run.listen(0.5)
        run.kill('simulator')
        run.wait_for_event('mode FAULT', timeout_s=2.0)
        run.listen(1.0)
        assert not run.commands[-1].any(), 'without a state the effort decays to zero'
        succeeded, reason = run.call('reset')
        assert not succeeded and 'STATE_STALE' in reason
        run.start('simulator')
        run.wait(lambda: run.call('reset')[0], 'a reset once states are back')
        run.wait_for_event('mode HOLD')
        run.kill('controller', signal.SIGTERM)
        assert run.exit_code('controller') == 0
    assert np.isfinite(np.concatenate(run.commands)).all()


def test_b91_deactivation_ends_in_zero_and_activation_is_bumpless(tmp_path: Path) -> None:
    with Robot(tmp_path) as run:
        run.wait_for_event('mode HOLD')
        run.listen(0.5)
        assert run.change('deactivate')
        run.listen(0.2)
        assert not run.commands[-1].any()
        count = len(run.commands)
        run.listen(0.5)
        assert len(run.commands) == count, 'B93: an inactive controller publishes nothing'
        assert run.change('activate')
        run.wait_for_event('mode HOLD')
        run.listen(0.5)
        tau = np.array(run.commands[count:])
        rate = 20.0 * np.array([120.0, 120.0, 80.0, 80.0, 40.0, 20.0, 20.0])
        assert (np.abs(tau[0]) <= 0.003 * rate).all(), 'B39: efforts begin at zero'
