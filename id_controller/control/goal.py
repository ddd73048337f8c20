"""
One goal from its acceptance to its end, judged by what the ticks have recorded.

Every goal has exactly one end, whatever happens to it: the first reason that is found counts.
"""
from __future__ import annotations

from collections.abc import Callable
from enum import Enum, IntEnum
from typing import NamedTuple

import numpy as np

from id_controller.control.faults import Fault, fault_cause
from id_controller.control.judgement import Judge
from id_controller.errors import IdControllerError, JointNamesError, OldStampError
from id_controller.state import Mode, Rows


class Outcome(Enum):
    """The terminal states of an action."""

    SUCCEEDED = 'succeeded'
    ABORTED = 'aborted'
    CANCELED = 'canceled'


class Code(IntEnum):
    """Error codes of control_msgs/FollowJointTrajectory."""

    SUCCESSFUL = 0
    INVALID_GOAL = -1
    INVALID_JOINTS = -2
    OLD_HEADER_TIMESTAMP = -3
    PATH_TOLERANCE_VIOLATED = -4
    GOAL_TOLERANCE_VIOLATED = -5


class End(NamedTuple):
    """How a goal ended, and why, in words."""

    outcome: Outcome
    code: Code
    text: str


def refused(error: IdControllerError) -> End:
    """Return the end of a goal that cannot be accepted."""
    code = Code.INVALID_GOAL
    if isinstance(error, JointNamesError):
        code = Code.INVALID_JOINTS
    elif isinstance(error, OldStampError):
        code = Code.OLD_HEADER_TIMESTAMP
    return End(Outcome.ABORTED, code, str(error))


class Goal:
    """
    A goal that the control process has taken.

    :param number: Number of its trajectory, :param accepted_ns: steady time after it was taken.
    :param judge: Knows its tolerances.
    :param finish: Gets its end, once.
    """

    def __init__(
        self, number: int, accepted_ns: int, judge: Judge, finish: Callable[[End], None]
    ) -> None:
        self.number, self._accepted_ns = number, accepted_ns
        self._judge, self._finish = judge, finish
        self._canceling = False
        self.ended: End | None = None

    def end(self, end: End) -> None:
        """End, unless it has ended already; a goal that is being cancelled ends as cancelled."""
        if self.ended is not None:
            return
        if self._canceling:
            end = End(Outcome.CANCELED, Code.SUCCESSFUL, f'cancelled; {end.text}')
        self.ended = end
        self._finish(end)

    def abort(self, text: str) -> None:
        """End because of something that has nothing to do with tolerances."""
        self.end(End(Outcome.ABORTED, Code.INVALID_GOAL, text))

    def cancel(self) -> None:
        """End as cancelled as soon as the reference rests."""
        self._canceling = True

    def look(self, rows: Rows) -> None:
        """
        Judge ticks.

        :param rows: Ticks that were not judged yet, in order.
        """
        rows = rows[rows['steady_ns'] > self._accepted_ns]
        if self.ended is not None or not len(rows):
            return
        others = np.flatnonzero(rows['trajectory'] != self.number)
        ours = rows[: int(others[0])] if len(others) else rows
        if self._canceling:
            self._look_for_rest(rows)
            return
        if len(ours):
            self._look_at(ours)
        if len(others):
            self.end(_dropped(rows[int(others[0])]))

    def _look_at(self, rows: Rows) -> None:
        verdict = self._judge.look(rows)
        if verdict.off_path:
            self.end(End(Outcome.ABORTED, Code.PATH_TOLERANCE_VIOLATED, verdict.off_path))
        elif verdict.off_goal:
            self.end(End(Outcome.ABORTED, Code.GOAL_TOLERANCE_VIOLATED, verdict.off_goal))
        elif verdict.reached:
            self.end(End(Outcome.SUCCEEDED, Code.SUCCESSFUL, 'goal reached'))

    def _look_for_rest(self, rows: Rows) -> None:
        resting = rows['mode'] != Mode.TRACK
        if resting.any():
            mode = Mode(int(rows['mode'][int(resting.argmax())]))
            self.end(End(Outcome.CANCELED, Code.SUCCESSFUL, f'the controller is in {mode.name}'))


def _dropped(row: Rows) -> End:
    """Say why a trajectory is no longer followed, from the first tick without it."""
    mode, fault = Mode(int(row['mode'])), Fault(int(row['fault']))
    code = Code.INVALID_GOAL
    if fault is Fault.TRACKING_ERROR:
        code = Code.PATH_TOLERANCE_VIOLATED
    if fault:
        return End(Outcome.ABORTED, code, f'{fault.name}: {fault_cause(fault)}')
    return End(Outcome.ABORTED, code, f'the motion was ended; the controller is in {mode.name}')
