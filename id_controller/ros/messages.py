"""Message objects to values: stamps, joint states and trajectories."""
from __future__ import annotations

from typing import Any

import numpy as np

from id_controller.ros.joint_state_codec import States
from id_controller.state import NANOSECONDS
from id_controller.trajectory.points import JointPoints, points_from_rows


def nanoseconds(stamp: Any) -> int:
    """
    Count the nanoseconds of a builtin_interfaces Time or Duration.

    :param stamp: The message.
    """
    return int(stamp.sec) * NANOSECONDS + int(stamp.nanosec)


def states_from_message(message: Any) -> States:
    """
    Read a sensor_msgs/JointState.

    :param message: The message object.
    """
    return States(
        tuple(message.name), tuple(message.position), tuple(message.velocity),
        nanoseconds(message.header.stamp),
    )


class TrajectoryMessage:
    """
    A trajectory_msgs/JointTrajectory, with the same face as ``TrajectoryDecoder``.

    :param message: The message object.
    """

    def __init__(self, message: Any) -> None:
        self._message = message
        self.stamp_ns = nanoseconds(message.header.stamp)
        self.count = len(message.points)

    def points(self, start_ns: int) -> JointPoints:
        """
        Read the points.

        :param start_ns: Start on the clock of the controller; 0: now.
        :raises TrajectoryError: when a field of a point has the wrong size.
        """
        points = self._message.points
        times = np.array([nanoseconds(point.time_from_start) for point in points], np.int64)
        return points_from_rows(
            tuple(self._message.joint_names),
            times / NANOSECONDS,
            [point.positions for point in points],
            v=[point.velocities for point in points],
            a=[point.accelerations for point in points],
            effort=[point.effort for point in points],
            start_ns=start_ns,
        )
