"""The messages of control_msgs/FollowJointTrajectory; control_msgs is needed only when used."""
from __future__ import annotations

from typing import Any

import numpy as np
from builtin_interfaces.msg import Duration
from trajectory_msgs.msg import JointTrajectoryPoint

from id_controller.control.goal import End
from id_controller.control.tolerances import JointTolerance
from id_controller.errors import TrajectoryError
from id_controller.ros.goal_server import Wanted
from id_controller.ros.messages import TrajectoryMessage, nanoseconds
from id_controller.state import NANOSECONDS, Rows, Vector


class FollowJointTrajectory:
    """
    Reads goals, writes feedback and results.

    :raises ImportError: when control_msgs is not installed.
    """

    def __init__(self) -> None:
        from control_msgs.action import FollowJointTrajectory

        self.kind: Any = FollowJointTrajectory

    def read(self, goal: Any) -> Wanted:
        """
        Read a goal.

        :raises TrajectoryError: when it has joints of several degrees of freedom.
        """
        for field in ('multi_dof_trajectory', 'component_path_tolerance',
                      'component_goal_tolerance'):
            given = getattr(goal, field, None)
            if len(getattr(given, 'joint_names', given) or ()):
                raise TrajectoryError(f'{field}: got some, expected none: joints have one axis')
        return Wanted(
            TrajectoryMessage(goal.trajectory), _tolerances(goal.path_tolerance),
            _tolerances(goal.goal_tolerance), nanoseconds(goal.goal_time_tolerance) / NANOSECONDS,
        )

    def result(self, end: End) -> Any:
        """Write a result."""
        return self.kind.Result(error_code=int(end.code), error_string=end.text)

    def feedback(self, joints: tuple[str, ...], row: Rows, stamp: Any) -> Any:
        """Write feedback on a tick."""
        message = self.kind.Feedback(joint_names=list(joints))
        message.header.stamp = stamp
        message.desired = point(row['q_ref'], row['v_ref'], row['a_ref'])
        message.actual = point(row['q'], row['v'])
        message.error = point(row['q_ref'] - row['q'], row['v_ref'] - row['v'])
        return message


def _tolerances(messages: Any) -> tuple[JointTolerance, ...]:
    return tuple(
        JointTolerance(one.name, one.position, one.velocity, one.acceleration) for one in messages
    )


def point(
    q: Vector, v: Vector, a: Vector | None = None, effort: Vector | None = None
) -> JointTrajectoryPoint:
    """Write one point; what is not given stays empty."""
    message: Any = JointTrajectoryPoint(time_from_start=Duration())
    fields = {'positions': q, 'velocities': v, 'accelerations': a, 'effort': effort}
    for name, values in fields.items():
        if values is not None:
            setattr(message, name, np.asarray(values).tolist())
    return message
