"""What joint_trajectory_controller tells and hears beside its action, through control_msgs."""
from __future__ import annotations

from typing import Any

import numpy as np
from rclpy.node import Node
from rclpy.parameter import Parameter

from id_controller.errors import IdControllerError
from id_controller.ros.acceptance import Acceptance
from id_controller.ros.events import Events
from id_controller.ros.follow_joint_trajectory import point
from id_controller.ros.messages import nanoseconds
from id_controller.state import Rows

# A factor that differs by less is the same one.
_LEAST_CHANGE = 1e-3
_NOTHING = np.empty(0)


class ControllerState:
    """
    ``~/controller_state``, ``~/query_state`` and ``~/speed_scaling_input``.

    :param node: The host node, :param events: its way to say something.
    :param acceptance: Knows where the reference will be.
    :raises ImportError: when control_msgs is not installed.
    """

    def __init__(self, node: Node, events: Events, acceptance: Acceptance) -> None:
        from control_msgs.msg import JointTrajectoryControllerState
        from control_msgs.srv import QueryTrajectoryState

        self._node, self._events, self._acceptance = node, events, acceptance
        self._message = JointTrajectoryControllerState
        self._states = node.create_publisher(
            JointTrajectoryControllerState, '~/controller_state', 10
        )
        node.create_service(QueryTrajectoryState, '~/query_state', self._query)
        self._listen_to_scaling()

    def _listen_to_scaling(self) -> None:
        try:
            from control_msgs.msg import SpeedScalingFactor
        except ImportError:  # Not before 2024; the parameter does the same.
            return
        self._node.create_subscription(
            SpeedScalingFactor, '~/speed_scaling_input', self._on_scaling, 1
        )

    def publish(self) -> None:
        """Send the newest tick, where somebody listens."""
        session = self._acceptance.session
        if session is None or not self._states.get_subscription_count():
            return
        for row in session.link.latest():
            p = session.configuration.parameters
            message = self._filled(p.joints, row)
            if hasattr(message, 'speed_scaling_factor'):
                message.speed_scaling_factor = p.speed_scaling
            self._states.publish(message)

    def _filled(self, joints: tuple[str, ...], row: Rows) -> Any:
        message: Any = self._message(joint_names=list(joints))
        message.header.stamp = self._node.get_clock().now().to_msg()
        parts = {
            'reference': point(row['q_ref'], row['v_ref'], row['a_ref']),
            'feedback': point(row['q'], row['v']),
            'error': point(row['q_ref'] - row['q'], row['v_ref'] - row['v']),
            'output': point(_NOTHING, _NOTHING, effort=row['tau']),
        }
        # Humble's names.
        parts |= {'desired': parts['reference'], 'actual': parts['feedback']}
        for name, part in parts.items():
            if hasattr(message, name):
                setattr(message, name, part)
        return message

    def _query(self, request: Any, response: Any) -> Any:
        try:
            joints, motion = self._acceptance.foreseen(nanoseconds(request.time))
        except IdControllerError as error:
            response.success, response.message = False, str(error)
            return response
        response.success, response.name = True, list(joints)
        response.position, response.velocity, response.acceleration = (
            part.tolist() for part in motion[:3]
        )
        return response

    def _on_scaling(self, message: Any) -> None:
        present: Any = self._node.get_parameter('speed_scaling').value
        least = 0.0 if message.factor in (0.0, 1.0) else _LEAST_CHANGE
        if abs(message.factor - present) <= least:
            return
        parameter = Parameter('speed_scaling', value=float(message.factor))
        for result in self._node.set_parameters([parameter]):
            if not result.successful:
                self._events.say(f'~/speed_scaling_input refused: {result.reason}', 'warning')
