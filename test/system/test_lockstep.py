"""
Tracking of Panda through the real node, exact to the tick: plant and controller in lockstep.

The expected motion is evaluated here from the sine itself, not from what the controller reports.
"""
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nodes import Robot
from rclpy.qos import QoSProfile
from sensor_msgs.msg import JointState

from id_controller.control.configuration import configured
from id_controller.model.description import load_description
from id_controller.model.robots import robot_config, robot_path
from id_controller.parameters.flat import parameters_from_flat
from id_controller.parameters.yaml_file import load_parameter_file
from id_controller.ros.sender import message_from_points
from id_controller.state import NANOSECONDS
from id_controller.trajectory.motions import sine
from id_controller.trajectory.points import JointPoints
from id_controller.trajectory.spline import fit, sampled

DURATION_S = 5.0
FADE_S = 1.0
LEAD_NS = NANOSECONDS
# In lockstep the wall clock means nothing: a busy machine is no fault.
# As fast as it goes: real-time priority would keep everybody else from the CPU.
LOCKSTEP = ('-p', 'lockstep:=true', '-p', 'plant_priority:=0')
PATIENT = ('-p', 'pacing:=state', '-p', 'state_timeout:=5.0')
MOTIONS = {'slow': 0.3, 'fast': 0.75}


class Follow:
    """Sends a motion that starts at a known time of the plant and keeps every state."""

    def __init__(self, run: Robot) -> None:
        self._run = run
        self.states: list[Any] = []
        run.node.create_subscription(
            JointState, '/joint_states', self.states.append, QoSProfile(depth=10)
        )

    def errors(self, points: JointPoints) -> np.ndarray:
        """Reference minus measured, rad, while the motion is in full swing."""
        self._run.wait(lambda: self.states, 'a state')
        start_ns = _stamp(self.states[-1]) + LEAD_NS
        message = message_from_points(points)
        message.header.stamp.sec, message.header.stamp.nanosec = divmod(start_ns, NANOSECONDS)
        self._run.trajectories.publish(message)
        end_ns = start_ns + round((DURATION_S + 0.2) * NANOSECONDS)
        self._run.wait(lambda: _stamp(self.states[-1]) > end_ns, 'the end of the motion', 60.0)
        times = np.array([(_stamp(state) - start_ns) / NANOSECONDS for state in self.states])
        steady = (times > FADE_S) & (times < DURATION_S - FADE_S)
        measured = np.array([_positions(state, points.joints) for state in self.states])
        q, _, _ = sampled(fit(points), times[steady])
        assert steady.sum() > 100, 'enough states were seen'
        return q - measured[steady]


def _stamp(state: Any) -> int:
    return int(state.header.stamp.sec) * NANOSECONDS + int(state.header.stamp.nanosec)


def _positions(state: Any, joints: tuple[str, ...]) -> list[float]:
    found = dict(zip(state.name, state.position))
    return [found[joint] for joint in joints]


def rms_mrad(errors: np.ndarray) -> float:
    return float(1e3 * np.sqrt(np.mean(errors**2)))


@pytest.mark.timeout(240)
def test_feedforward_on_an_exact_model_tracks_within_a_third_of_a_milliradian(
    tmp_path: Path,
) -> None:
    parameters = parameters_from_flat(load_parameter_file(robot_config('panda')))
    configuration = configured(parameters, load_description(robot_path('panda')))
    joints, found = parameters.joints, {}
    with Robot(tmp_path, 'panda', PATIENT, LOCKSTEP) as run:
        run.wait_for_event('mode HOLD')
        follow = Follow(run)
        for mode in ('feedforward', 'gravity_pd'):
            run.set(control_mode=mode)
            for motion, hz in MOTIONS.items():
                follow.states.clear()
                run.wait(lambda: len(run.state) >= len(joints) and follow.states, 'states')
                start = run.q(list(joints))
                points = sine(
                    joints, configuration.limits, start, fraction=0.9, hz=hz,
                    duration_s=DURATION_S, fade_s=FADE_S,
                )
                found[mode, motion] = rms_mrad(follow.errors(points))
    print({name: round(value, 4) for name, value in found.items()})
    assert not [line for line in run.events if 'mode FAULT' in line]
    assert found['feedforward', 'slow'] <= 0.3
    assert found['feedforward', 'fast'] <= 0.3
    assert found['gravity_pd', 'fast'] >= 10.0 * found['feedforward', 'fast']
