"""The interface of joint_trajectory_controller beyond its topic, where control_msgs is there."""
from __future__ import annotations

from rclpy.node import Node

from id_controller.parameters.schema import Parameters
from id_controller.ros.acceptance import Acceptance
from id_controller.ros.controller_state import ControllerState
from id_controller.ros.events import Events
from id_controller.ros.follow_joint_trajectory import FollowJointTrajectory
from id_controller.ros.goal_server import GoalServer


class TrajectoryInterface:
    """
    Action, state topic, query and speed scaling of the host.

    :param node: The host node, :param events: its way to say something.
    :param parameters: Parameters at the start.
    :param acceptance: Takes or refuses trajectories.
    """

    def __init__(
        self, node: Node, events: Events, parameters: Parameters, acceptance: Acceptance
    ) -> None:
        self._server: GoalServer | None = None
        self._state: ControllerState | None = None
        try:
            action = FollowJointTrajectory()
            self._state = ControllerState(node, events, acceptance)
        except ImportError:
            events.say(
                'control_msgs is not installed: no ~/follow_joint_trajectory, '
                '~/controller_state and ~/query_state (apt: ros-<distribution>-control-msgs)'
            )
            return
        self._server = GoalServer(
            node, events, acceptance, action, parameters.action_monitor_rate
        )

    def publish_state(self) -> None:
        """Send the newest tick to whoever listens."""
        if self._state is not None:
            self._state.publish()

    def close(self) -> None:
        """Take the action server away."""
        if self._server is not None:
            self._server.close()
            self._server = None
