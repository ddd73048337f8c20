"""
An action server for goals that are trajectories, whatever the messages are.

Nothing here waits: a goal is handed to the control process at once, a timer judges the ticks,
and the result is made when the goal has ended. A coroutine that waits for its goal would keep
rclpy's executor turning without a pause.
"""
from __future__ import annotations

import contextlib
import time
from typing import Any, NamedTuple, Protocol

from rclpy.action.server import ActionServer, CancelResponse, GoalEvent, GoalResponse
from rclpy.clock import Clock
from rclpy.clock_type import ClockType
from rclpy.node import Node

from id_controller.control.goal import End, Goal, Outcome, refused
from id_controller.control.judgement import Judge
from id_controller.control.tolerances import JointTolerance, tolerances_of_goal
from id_controller.errors import IdControllerError
from id_controller.ros.acceptance import Acceptance
from id_controller.ros.events import Events
from id_controller.ros.messages import TrajectoryMessage
from id_controller.state import NANOSECONDS, Request, Rows

LOOK_S = 0.02


class Wanted(NamedTuple):
    """What a goal asks for."""

    trajectory: TrajectoryMessage
    path: tuple[JointTolerance, ...] = ()
    goal: tuple[JointTolerance, ...] = ()
    goal_time_s: float = 0.0


class TrajectoryAction(Protocol):
    """The messages of an action."""

    kind: Any
    """Type of the action."""

    def read(self, goal: Any) -> Wanted:
        """
        Read a goal.

        :raises IdControllerError: when it asks for what we cannot do.
        """

    def result(self, end: End) -> Any:
        """Write a result."""

    def feedback(self, joints: tuple[str, ...], row: Rows, stamp: Any) -> Any:
        """Write feedback on a tick."""


class GoalServer:
    """
    Serves ``~/follow_joint_trajectory``.

    :param node: The host node, :param events: its way to say something.
    :param acceptance: Takes or refuses trajectories, and keeps the goals.
    :param action: The messages.
    :param feedback_hz: Rate of the feedback.
    """

    def __init__(
        self,
        node: Node,
        events: Events,
        acceptance: Acceptance,
        action: TrajectoryAction,
        feedback_hz: float,
    ) -> None:
        self._node, self._events, self._acceptance = node, events, acceptance
        self._action, self._feedback_ns = action, round(NANOSECONDS / feedback_hz)
        self._handle: Any = None
        self._tick, self._told_ns = -1, 0
        self._server: Any = ActionServer(
            node, action.kind, '~/follow_joint_trajectory', self._unused,
            goal_callback=self._on_goal, handle_accepted_callback=self._on_accepted,
            cancel_callback=self._on_cancel,
        )
        self._timer = node.create_timer(
            LOOK_S, self._look, clock=Clock(clock_type=ClockType.STEADY_TIME)
        )

    def close(self) -> None:
        """Take the server away; the goals must have ended."""
        self._node.destroy_timer(self._timer)
        self._server.destroy()

    def _unused(self, handle: Any) -> Any:
        """Executing is what the control process does; results are made when that is done."""
        return self._action.kind.Result()

    def _on_goal(self, goal: Any) -> GoalResponse:
        """Reject an empty goal alone: what is accepted gets a result that says what is wrong."""
        with contextlib.suppress(IdControllerError):
            if not self._action.read(goal).trajectory.count:
                self._events.say('goal rejected: it has no points', 'warning')
                return GoalResponse.REJECT
        return GoalResponse.ACCEPT

    def _on_accepted(self, handle: Any) -> None:
        def finish(end: End) -> None:
            self._finish(handle, end)

        handle._update_state(GoalEvent.EXECUTE)  # `execute` would want the result now
        try:
            goal = self._taken(handle.request, finish)
        except IdControllerError as error:
            finish(refused(error))
            return
        self._acceptance.goals.start(goal)
        self._handle = handle

    def _taken(self, request: Any, finish: Any) -> Goal:
        """Hand a goal to the control process; what runs goes on when it is refused."""
        wanted = self._action.read(request)
        configuration = self._acceptance.ready().configuration
        joints = configuration.parameters.joints
        tolerances = tolerances_of_goal(
            configuration.tolerances(), joints, wanted.path, wanted.goal, wanted.goal_time_s
        )
        accepted = self._acceptance.accept(wanted.trajectory)
        self._events.say(f'goal accepted: {accepted.line}')
        judge = Judge(joints, configuration.model.continuous, tolerances)
        return Goal(accepted.number, time.monotonic_ns(), judge, finish)

    def _on_cancel(self, handle: Any) -> CancelResponse:
        goals, session = self._acceptance.goals, self._acceptance.session
        if goals.active is not None and handle == self._handle and session is not None:
            goals.cancel(goals.active.number)
            refusal = session.link.request(Request.HOLD)
            if refusal:
                goals.drop(refusal)
        return CancelResponse.ACCEPT

    def _finish(self, handle: Any, end: End) -> None:
        def execute(ended: Any) -> Any:
            _ENDINGS[end.outcome](ended)
            return self._action.result(end)

        severity = 'info' if end.outcome is Outcome.SUCCEEDED else 'warning'
        self._events.say(f'goal {end.outcome.value}: {end.text}', severity)
        self._server.notify_execute(handle, execute)

    def _look(self) -> None:
        """Judge the ticks since the last look."""
        goals, session = self._acceptance.goals, self._acceptance.session
        if goals.active is None:
            self._tick = -1
            return
        if session is None or session.link.lost:
            goals.drop(session.link.lost if session else 'the controller is not configured')
            return
        rows = session.link.telemetry.since(self._tick)
        if not len(rows):
            return
        self._tick = int(rows['tick'][-1])
        if goals.look(rows):
            session.link.request(Request.HOLD)
        now_ns = time.monotonic_ns()
        if goals.active is not None and now_ns - self._told_ns >= self._feedback_ns:
            self._told_ns = now_ns
            stamp = self._node.get_clock().now().to_msg()
            joints = session.configuration.parameters.joints
            self._handle.publish_feedback(self._action.feedback(joints, rows[-1], stamp))


_ENDINGS = {
    Outcome.SUCCEEDED: lambda handle: handle.succeed(),
    Outcome.ABORTED: lambda handle: handle.abort(),
    Outcome.CANCELED: lambda handle: handle.canceled(),
}
