"""
The host process with the action of the wheels behind ``~/follow_joint_trajectory``.

control_msgs cannot be had everywhere; Fibonacci can, and what carries goals cares for neither.
Its ``order`` says what is wanted, its ``sequence`` holds what is told.
"""
from __future__ import annotations

import math
from typing import Any

from test_msgs.action import Fibonacci
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

import id_controller.ros.trajectory_interface as interface
from id_controller.control.goal import End
from id_controller.control.tolerances import JointTolerance
from id_controller.ros import host_process
from id_controller.ros.goal_server import Wanted
from id_controller.ros.messages import TrajectoryMessage
from id_controller.state import Rows

JOINTS = tuple(f'joint{k}' for k in range(1, 8))
POSE = (0.3, -0.4, 0.5, 0.9, -0.3, 0.4, 0.6)
EMPTY, NAN, STRANGER, OLD, BAD_TOLERANCE, PATH, GOAL = 0, -1, -2, -3, -4, -5, -6


def order(share: float, seconds: float) -> int:
    """Write an order: to a share of POSE in a time."""
    return round(1000 * seconds) * 10000 + round(1000 * share)


class FibonacciAction:
    """Orders as goals."""

    kind: Any = Fibonacci

    def read(self, goal: Any) -> Wanted:
        number = goal.order
        share, seconds = (number % 10000 / 1000, number // 10000 / 1000) if number > 0 else (1, 2)
        message = JointTrajectory(joint_names=list(JOINTS))
        if number != EMPTY:
            message.points.append(point(share, seconds))
        if number == NAN:
            message.points[0].positions[3] = math.nan
        if number == STRANGER:
            message.joint_names[6] = 'joint8'
        if number == OLD:
            message.header.stamp.sec = 1
        tolerances = {
            BAD_TOLERANCE: {'goal': (JointTolerance('joint2', -0.5),)},
            PATH: {'path': (JointTolerance('joint2', 1e-6),)},
            GOAL: {'goal': (JointTolerance('joint2', 1e-9),), 'goal_time_s': 0.3},
        }
        return Wanted(TrajectoryMessage(message), **tolerances.get(number, {}))

    def result(self, end: End) -> Any:
        return Fibonacci.Result(sequence=[int(end.code), *end.text.encode()])

    def feedback(self, joints: tuple[str, ...], row: Rows, stamp: Any) -> Any:
        return Fibonacci.Feedback(sequence=[int(row['left_ns']) // 1_000_000])


def point(share: float, seconds: float) -> JointTrajectoryPoint:
    found = JointTrajectoryPoint(positions=[share * q for q in POSE])
    found.velocities = [0.0] * len(POSE)
    found.time_from_start.sec = int(seconds)
    found.time_from_start.nanosec = round(1e9 * (seconds % 1.0))
    return found


class NoState:
    """In the place of what needs control_msgs."""

    def __init__(self, *parts: Any) -> None:
        pass

    def publish(self) -> None:
        pass


def main() -> int:
    patched: Any = interface
    patched.FollowJointTrajectory, patched.ControllerState = FibonacciAction, NoState
    return host_process.main()
