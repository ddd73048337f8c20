"""Whether a trajectory that came in is followed: the one way for topic and action."""
from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from rclpy.node import Node

from id_controller.control.goals import Goals
from id_controller.errors import TrajectoryError
from id_controller.ros.messages import TrajectoryMessage
from id_controller.ros.session import Session
from id_controller.ros.trajectory_codec import TrajectoryDecoder
from id_controller.state import FOLLOWING, NANOSECONDS, Reference
from id_controller.trajectory.foresight import Foresight
from id_controller.trajectory.planning import planned
from id_controller.trajectory.trajectory import Trajectory

# A question about now takes its time to get here.
_PAST_NS = NANOSECONDS // 10


class Accepted(NamedTuple):
    """What the control process has taken, and the number that its ticks give it."""

    trajectory: Trajectory
    number: int

    @property
    def line(self) -> str:
        """Say how long it is."""
        return f'{self.trajectory.m} points, {self.trajectory.times[-1]:.3f} s'


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
        self._foresight: Foresight | None = None
        self.goals = Goals()

    @property
    def session(self) -> Session | None:
        """The session, where there is one."""
        return self._session()

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
        if mode not in FOLLOWING:
            raise TrajectoryError(f'the controller is in {mode.name}, expected HOLD or TRACK')
        return session

    def accept(self, incoming: TrajectoryDecoder | TrajectoryMessage) -> Accepted:
        """
        Follow a trajectory, or leave everything as it is.

        :returns: What is followed now.
        :raises TrajectoryError: when it cannot be accepted, with the reason.
        """
        session = self.ready()
        now_ns = self._control_time(session)
        points = incoming.points(self._start_ns(incoming.stamp_ns, now_ns))
        rules = session.configuration.rules()
        reference = _reference(session)
        trajectory = planned(points, rules, reference, now_ns)
        number = session.link.send_trajectory(trajectory)
        refusal = session.link.answer(number)
        if refusal:
            raise TrajectoryError(refusal)
        self._foresight = Foresight(rules, trajectory, number, reference, now_ns)
        return Accepted(trajectory, number)

    def foreseen(self, time_ns: int) -> tuple[tuple[str, ...], Reference]:
        """
        Return the joints, and the reference at a time on the node's clock.

        :raises TrajectoryError: when nothing is followed now, or the time is over.
        """
        session = self.ready()
        row = session.link.latest()[0]
        ahead_ns = time_ns - int(self._node.get_clock().now().nanoseconds)
        if ahead_ns < -_PAST_NS:
            raise TrajectoryError(f'time: got {-ahead_ns / NANOSECONDS:.3f} s ago, expected now')
        p = session.configuration.parameters
        present = Reference(*(row[name].copy() for name in ('q_ref', 'v_ref', 'a_ref', 'tau')))
        if self._foresight is None:
            return p.joints, present
        return p.joints, self._foresight.at(row, max(0, ahead_ns), p.speed_scaling, present)

    def _control_time(self, session: Session) -> int:
        """Time as the ticks count it."""
        if self._steady:
            return time.monotonic_ns()
        return int(session.link.latest()['now_ns'][0])

    def _start_ns(self, stamp_ns: int, now_ns: int) -> int:
        """Start on the clock of the ticks; under simulated pacing that is the stamp's own."""
        if stamp_ns == 0 or not self._steady:
            return stamp_ns
        # 0 would mean now.
        return stamp_ns - int(self._node.get_clock().now().nanoseconds) + now_ns or 1


def _reference(session: Session) -> Reference:
    """Return the reference of the newest tick, at full speed."""
    row = session.link.latest()[0]
    pace = session.configuration.parameters.speed_scaling or 1.0
    q = row['q_ref'].copy()
    return Reference(q, row['v_ref'] / pace, row['a_ref'] / pace**2, np.zeros_like(q))
