"""Simulator and controller as processes over DDS: they move, and survive each other's end."""
from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from nodes import Robot, alive
from std_msgs.msg import Float64MultiArray, String

from id_controller.errors import ParameterError
from id_controller.model.robots import robot_config, robot_path
from id_controller.parameters.yaml_file import load_parameter_file
from id_controller.ros.description import LATCHED


def joints_of(robot: str) -> list[str]:
    return list(load_parameter_file(robot_config(robot))['joints'])


ARM7 = joints_of('arm7')
SENDER = """
import sys, time
import numpy as np
import rclpy
from id_controller.ros.sender import Sender
from id_controller.trajectory.points import JointPoints
rclpy.init(args=[])
sender = Sender(rclpy.create_node('sender'))
sender.wait_for_controller(10.0, lambda: None)
q = np.array([[float(word) for word in sys.argv[1:]]])
joints = tuple(f'joint{k}' for k in range(1, 8))
sender.send(JointPoints(joints=joints, times=np.array([2.0]), q=q))
time.sleep(60.0)
"""
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


def test_b91_b93_deactivation_ends_in_zero_and_activation_is_bumpless(tmp_path: Path) -> None:
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


def test_killed_sender_leaves_a_motion_that_goes_on(tmp_path: Path) -> None:
    with Robot(tmp_path) as run:
        run.wait_for_event('mode HOLD')
        sender = subprocess.Popen([sys.executable, '-c', SENDER, *map(str, TARGET)])
        run.wait_for_event('mode TRACK')
        sender.kill()
        sender.wait()
        run.wait_for_event('mode HOLD')
        run.listen(0.5)
        assert np.abs(run.q(ARM7) - TARGET).max() < 2e-3


def test_control_process_that_is_told_to_end_leaves_by_its_exit_policy(tmp_path: Path) -> None:
    with Robot(tmp_path) as run:
        run.wait_for_event('mode HOLD')
        run.kill('control', signal.SIGTERM)
        run.wait_for_event('control process ended with code 0')
        run.listen(0.3)
        assert not run.commands[-1].any()
        assert run.call('reset')[0]
        run.wait_for_event('mode HOLD')
        run.listen(0.5)
        tau = np.array(run.commands)
        step = np.abs(np.diff(tau, axis=0)).max(axis=0)
        limit = np.array([120.0, 120.0, 80.0, 80.0, 40.0, 20.0, 20.0])
        assert (step < 0.25 * limit).all(), 'no jump from one writer to the next'


@pytest.mark.parametrize(('controller', 'simulator'), [
    (('-p', 'pacing:=sim_time', '-p', 'use_sim_time:=true'), ('-p', 'publish_clock:=true')),
    (('-p', 'pacing:=state'), ()),
    (('-p', 'thread_priority:=0', '-p', 'lock_memory:=false'), ()),
    (('-p', 'control_mode:=computed_torque'), ('-p', 'shuffle:=true')),
    (('-p', 'output.type:=joint_state'), ('-p', 'output.type:=joint_state')),
    (('-p', 'output.type:=joint_force'), ('-p', 'output.type:=joint_force')),
], ids=['sim_time', 'state', 'ordinary scheduling', 'computed torque', 'joint_state',
        'joint_force'])
def test_motion_under_each_pacing_and_output(
    tmp_path: Path, controller: tuple[str, ...], simulator: tuple[str, ...]
) -> None:
    with Robot(tmp_path, controller=controller, simulator=simulator) as run:
        run.wait_for_event('mode HOLD')
        run.send([1.5], [TARGET], ARM7)
        run.wait_for_event('mode TRACK')
        run.wait_for_event('mode HOLD')
        run.listen(0.5)
        assert np.abs(run.q(ARM7) - TARGET).max() < 2e-3


def test_stop_holds_and_reset_does_not_resume(tmp_path: Path) -> None:
    with Robot(tmp_path) as run:
        run.wait_for_event('mode HOLD')
        run.send([3.0], [TARGET], ARM7)
        run.wait_for_event('mode TRACK')
        run.listen(1.0)
        assert run.call('stop') == (True, 'stopped')
        run.wait_for_event('mode SOFT_STOP')
        run.listen(0.5)
        stopped = run.q(ARM7)
        assert np.abs(run.v(ARM7)).max() < 0.01
        assert run.call('reset')[0]
        run.wait_for_event('mode HOLD')
        run.listen(0.5)
        assert np.abs(run.q(ARM7) - stopped).max() < 2e-3


def test_b44_gains_are_live_and_a_bad_set_changes_nothing(tmp_path: Path) -> None:
    with Robot(tmp_path, simulator=('-p', 'realism.payload.frame:=link7',
                                    '-p', 'realism.payload.mass:=1.0')) as run:
        run.wait_for_event('mode HOLD')
        run.listen(1.0)
        sag = abs(run.q(ARM7)[1])
        with pytest.raises(ParameterError, match=r'gains.joint2.d: got -1.0'):
            run.set(**{'gains.joint2.p': 1400.0, 'gains.joint2.d': -1.0})
        run.listen(0.5)
        assert abs(run.q(ARM7)[1]) == pytest.approx(sag, rel=0.05)
        run.set(**{'gains.joint2.p': 1400})
        run.listen(1.0)
        assert abs(run.q(ARM7)[1]) == pytest.approx(0.5 * sag, rel=0.2)


def test_b35_a_description_may_come_late_and_a_bad_one_does_no_harm(tmp_path: Path) -> None:
    with Robot(tmp_path, controller=('-p', 'robot_description_file:=""')) as run:
        publisher = run.node.create_publisher(String, '/robot_description', LATCHED)
        run.wait(lambda: publisher.get_subscription_count() > 0, 'a subscriber of the description')
        publisher.publish(String(data='<robot name="r"/>'))
        run.wait_for_event('configure: topic /robot_description')
        publisher.publish(String(data=robot_path('arm7').read_text()))
        run.wait_for_event('mode HOLD')
        publisher.publish(String(data=robot_path('two_link').read_text()))
        run.wait_for_event('another robot description')
        run.send([1.5], [TARGET], ARM7)
        run.wait_for_event('mode TRACK')
        run.wait_for_event('mode HOLD')
        run.listen(0.3)
        assert np.abs(run.q(ARM7) - TARGET).max() < 2e-3


def test_a_second_controller_on_the_same_topic_is_told(tmp_path: Path) -> None:
    with Robot(tmp_path) as run:
        run.wait_for_event('mode HOLD')
        run.listen(2.5)
        assert not [line for line in run.events if 'more publishers' in line]
        run.node.create_publisher(Float64MultiArray, '/effort_controller/commands', 1)
        run.wait_for_event('1 more publishers; only one may command')
