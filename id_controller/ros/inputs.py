"""What comes to the host from outside: trajectories and external wrenches."""
from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from geometry_msgs.msg import WrenchStamped
from rclpy.node import Node
from trajectory_msgs.msg import JointTrajectory

from id_controller.errors import IdControllerError, TrajectoryError
from id_controller.parameters.schema import Parameters
from id_controller.ros.events import Events
from id_controller.ros.messages import TrajectoryMessage
from id_controller.ros.session import Session
from id_controller.ros.trajectory_codec import TrajectoryDecoder
from id_controller.state import Mode, Request, Vector
from id_controller.trajectory.spline import fit
from id_controller.trajectory.validation import validated

_MOVING = (Mode.HOLD, Mode.TRACK)


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
        self._steady = parameters.pacing == 'steady'
        # As bytes: the objects of a long trajectory take 10 to 20 ms of the whole process.
        self._raw = parameters.raw_messages
        node.create_subscription(
            JointTrajectory, '~/joint_trajectory', self._on_trajectory, 10, raw=self._raw
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
        session = self._ready()
        p = session.configuration.parameters
        incoming = (
            TrajectoryDecoder(message, p.trajectory_points_max) if self._raw
            else TrajectoryMessage(message)
        )
        if not incoming.count:
            refusal = session.link.request(Request.HOLD)
            if refusal:
                raise TrajectoryError(refusal)
            return 'empty trajectory: stop and hold'
        return self._sent(session, incoming)

    def _sent(self, session: Session, incoming: TrajectoryDecoder | TrajectoryMessage) -> str:
        p = session.configuration.parameters
        now_ns = self._control_time(session)
        points = validated(
            incoming.points(self._start_ns(incoming.stamp_ns, now_ns)),
            p.joints,
            session.configuration.limits,
            q_now=_where(session),
            partial=p.allow_partial_joints_goal,
            points_max=p.trajectory_points_max,
            continuous=session.configuration.model.continuous,
            start_tolerance=session.configuration.settings().tracking_tolerance,
            stopped_velocity=p.constraints.stopped_velocity_tolerance,
            now_ns=now_ns,
        )
        trajectory = fit(points, p.interpolation_method)
        refusal = session.link.answer(session.link.send_trajectory(trajectory))
        if refusal:
            raise TrajectoryError(refusal)
        return f'trajectory accepted: {len(points.times)} points, {points.times[-1]:.3f} s'

    def _ready(self) -> Session:
        session = self._session()
        if session is None:
            raise TrajectoryError('the controller is not configured')
        if session.link.lost:
            raise TrajectoryError(session.link.lost)
        mode = session.link.mode
        if mode not in _MOVING:
            raise TrajectoryError(f'the controller is in {mode.name}, expected HOLD or TRACK')
        return session

    def _control_time(self, session: Session) -> int:
        """Time as the ticks count it."""
        if self._steady:
            return time.monotonic_ns()
        return int(session.link.latest()['now_ns'][0])

    def _start_ns(self, stamp_ns: int, now_ns: int) -> int:
        """Start on the clock of the ticks; under simulated pacing that is the stamp's own."""
        if stamp_ns == 0 or not self._steady:
            return stamp_ns
        return stamp_ns - int(self._node.get_clock().now().nanoseconds) + now_ns

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


def _where(session: Session) -> Vector:
    """Where the reference is."""
    return np.array(session.link.latest()['q_ref'][0])
