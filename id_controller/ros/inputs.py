"""What comes to the host from outside: trajectories and external wrenches."""
from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from geometry_msgs.msg import WrenchStamped
from rclpy.node import Node
from trajectory_msgs.msg import JointTrajectory

from id_controller.errors import IdControllerError, TrajectoryError
from id_controller.parameters.schema import Parameters
from id_controller.ros.acceptance import Acceptance
from id_controller.ros.events import Events
from id_controller.ros.messages import TrajectoryMessage
from id_controller.ros.mismatch import mismatch
from id_controller.ros.session import Session
from id_controller.ros.trajectory_codec import TrajectoryDecoder
from id_controller.state import Request


class Inputs:
    """
    Subscriptions ``~/joint_trajectory`` and ``~/external_wrench`` of the host.

    Whatever is refused is refused with a line on ``~/events``, and what runs goes on.

    :param node: The host node.
    :param events: Its way to say something.
    :param parameters: Parameters at the start.
    :param session: Returns the session, or None while there is none.
    """

    def __init__(
        self,
        node: Node,
        events: Events,
        parameters: Parameters,
        session: Callable[[], Session | None],
    ) -> None:
        self._node, self._events, self._session = node, events, session
        self.acceptance = Acceptance(node, parameters.pacing == 'steady', session)
        # As bytes: the objects of a long trajectory take 10 to 20 ms of the whole process.
        self._raw = parameters.raw_messages
        node.create_subscription(
            JointTrajectory, '~/joint_trajectory', self._on_trajectory, 10, raw=self._raw,
            event_callbacks=mismatch('~/joint_trajectory', events.say, 'publish it reliable'),
        )
        if parameters.wrench_frame:
            node.create_subscription(WrenchStamped, '~/external_wrench', self._on_wrench, 1)

    def _on_trajectory(self, message: Any) -> None:
        try:
            line = self._follow(message)
        except IdControllerError as error:
            self._events.say(f'trajectory refused: {error}', 'warning')
        else:
            self._events.say(line)

    def _follow(self, message: Any) -> str:
        session = self.acceptance.ready()
        points_max = session.configuration.parameters.trajectory_points_max
        incoming = (
            TrajectoryDecoder(message, points_max) if self._raw else TrajectoryMessage(message)
        )
        if not incoming.count:
            refusal = session.link.request(Request.HOLD)
            if refusal:
                raise TrajectoryError(refusal)
            return 'empty trajectory: stop and hold'
        accepted = self.acceptance.accept(incoming)
        self.acceptance.goals.drop('a trajectory on ~/joint_trajectory has taken its place')
        return f'trajectory accepted: {accepted.line}'

    def _on_wrench(self, message: Any) -> None:
        session = self._session()
        force, torque = message.wrench.force, message.wrench.torque
        wrench = (force.x, force.y, force.z, torque.x, torque.y, torque.z)
        if session is None or session.link.lost:
            return
        if not all(math.isfinite(number) for number in wrench):
            self._events.say(f'external wrench refused: got {wrench}', 'warning')
            return
        try:
            session.link.send_wrench(wrench)
        except IdControllerError as error:
            self._events.say(f'external wrench refused: {error}', 'warning')
