"""Messages to values: trajectories and stamps."""
from __future__ import annotations

from typing import Any

from id_controller.state import NANOSECONDS
from id_controller.trajectory.points import JointPoints, points_from_rows


def nanoseconds(stamp: Any) -> int:
    """
    Count the nanoseconds of a builtin_interfaces Time or Duration.

    :param stamp: The message.
    """
    return int(stamp.sec) * NANOSECONDS + int(stamp.nanosec)


def points_from_message(message: Any, start_ns: int) -> JointPoints:
    """
    Read the points of a trajectory_msgs/JointTrajectory.

    :param start_ns: Its start on the clock of the controller; 0: now.
    :raises TrajectoryError: when a field of a point has the wrong size.
    """
    points = message.points
    return points_from_rows(
        tuple(message.joint_names),
        [nanoseconds(point.time_from_start) / NANOSECONDS for point in points],
        [point.positions for point in points],
        v=[point.velocities for point in points],
        a=[point.accelerations for point in points],
        effort=[point.effort for point in points],
        start_ns=start_ns,
    )
