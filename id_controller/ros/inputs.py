"""What comes to the host from outside: trajectories and external wrenches."""
from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from geometry_msgs.msg import WrenchStamped
from trajectory_msgs.msg import JointTrajectory

from id_controller.errors import IdControllerError, TrajectoryError
from id_controller.ros.messages import nanoseconds, points_from_message
from id_controller.state import Mode, Request, Vector
from id_controller.trajectory.spline import fit
from id_controller.trajectory.validation import validated

if TYPE_CHECKING:
    from id_controller.ros.host_node import HostNode
    from id_controller.ros.session import Session

_MOVING = (Mode.HOLD, Mode.TRACK)


class Inputs:
    """
    Subscriptions ``~/joint_trajectory`` and ``~/external_wrench`` of the host.

    Whatever is refused is refused with a line on ``~/events``, and what runs goes on.

    :param host: The host node.
    """

    def __init__(self, host: HostNode) -> None:
        self._host = host
        host.create_subscription(JointTrajectory, '~/joint_trajectory', self._on_trajectory, 10)
        if host.start_parameters.wrench_frame:
            host.create_subscription(WrenchStamped, '~/external_wrench', self._on_wrench, 1)

    def _on_trajectory(self, message: Any) -> None:
        try:
            line = self._follow(message)
        except IdControllerError as error:
            self._host.events.say(f'trajectory refused: {error}', 'warning')
        else:
            self._host.events.say(line)

    def _follow(self, message: Any) -> str:
        session = self._ready()
        if not message.points:
            refusal = session.link.request(Request.HOLD)
            if refusal:
                raise TrajectoryError(refusal)
            return 'empty trajectory: stop and hold'
        p = session.configuration.parameters
        now_ns = self._control_time(session)
        points = validated(
            points_from_message(message, self._start_ns(message.header.stamp, now_ns)),
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
        session = self._host.session
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
        if session.configuration.parameters.pacing == 'steady':
            return time.monotonic_ns()
        return int(session.link.latest()['now_ns'][0])

    def _start_ns(self, stamp: Any, now_ns: int) -> int:
        """Start on the clock of the ticks; under simulated pacing that is the stamp's own."""
        stamp_ns = nanoseconds(stamp)
        parameters = self._host.start_parameters
        if stamp_ns == 0 or parameters.pacing != 'steady':
            return stamp_ns
        return stamp_ns - int(self._host.get_clock().now().nanoseconds) + now_ns

    def _on_wrench(self, message: Any) -> None:
        session = self._host.session
        force, torque = message.wrench.force, message.wrench.torque
        wrench = (force.x, force.y, force.z, torque.x, torque.y, torque.z)
        if session is None or session.link.lost:
            return
        if not all(math.isfinite(number) for number in wrench):
            self._host.events.say(f'external wrench refused: got {wrench}', 'warning')
            return
        try:
            session.link.send_wrench(wrench)
        except IdControllerError as error:
            self._host.events.say(f'external wrench refused: {error}', 'warning')


def _where(session: Session) -> Vector:
    """Where the reference is."""
    return np.array(session.link.latest()['q_ref'][0])
