"""Whether a trajectory that came in is followed: the one way for topic and action."""
from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from rclpy.node import Node

from id_controller.errors import TrajectoryError
from id_controller.ros.messages import TrajectoryMessage
from id_controller.ros.session import Session
from id_controller.ros.trajectory_codec import TrajectoryDecoder
from id_controller.state import Mode, Reference
from id_controller.trajectory.planning import planned
from id_controller.trajectory.trajectory import Trajectory

_MOVING = (Mode.HOLD, Mode.TRACK)


class Acceptance:
    """
    Plans what comes in and hands it to the control process.

    :param node: The host node, whose clock stamps are on.
    :param steady: Whether ticks are paced by the steady clock.
    :param session: Returns the session, or None while there is none.
    """

    def __init__(
        self, node: Node, steady: bool, session: Callable[[], Session | None]
    ) -> None:
        self._node, self._steady, self._session = node, steady, session

    def ready(self) -> Session:
        """
        Return the session that can follow something now.

        :raises TrajectoryError: when there is none.
        """
        session = self._session()
        if session is None:
            raise TrajectoryError('the controller is not configured')
        if session.link.lost:
            raise TrajectoryError(session.link.lost)
        mode = session.link.mode
        if mode not in _MOVING:
            raise TrajectoryError(f'the controller is in {mode.name}, expected HOLD or TRACK')
        return session

    def accept(self, incoming: TrajectoryDecoder | TrajectoryMessage) -> Trajectory:
        """
        Follow a trajectory, or leave everything as it is.

        :raises TrajectoryError: when it cannot be accepted, with the reason.
        """
        session = self.ready()
        now_ns = self._control_time(session)
        points = incoming.points(self._start_ns(incoming.stamp_ns, now_ns))
        rules = session.configuration.rules()
        trajectory = planned(points, rules, reference_of(session), now_ns)
        refusal = session.link.answer(session.link.send_trajectory(trajectory))
        if refusal:
            raise TrajectoryError(refusal)
        return trajectory

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


def reference_of(session: Session) -> Reference:
    """Return the reference of the newest tick."""
    row = session.link.latest()[0]
    q, v, a = (np.array(row[name]) for name in ('q_ref', 'v_ref', 'a_ref'))
    return Reference(q, v, a, np.zeros_like(q))
