"""The goals of one controller: at most one is active, and each gets its end."""
from __future__ import annotations

from id_controller.control.goal import Goal
from id_controller.state import Rows


class Goals:
    """Whatever takes the place of the active goal ends it first."""

    def __init__(self) -> None:
        self.active: Goal | None = None

    def start(self, goal: Goal) -> None:
        """Make a goal the active one; the control process follows its trajectory already."""
        self.drop('a newer goal has taken its place')
        self.active = goal

    def drop(self, why: str) -> None:
        """End the active goal, if there is one."""
        goal, self.active = self.active, None
        if goal is not None:
            goal.abort(why)

    def cancel(self, number: int) -> bool:
        """
        Cancel a goal.

        :param number: Number of its trajectory.
        :returns: Whether it is the active one, so that its motion must be stopped.
        """
        goal = self.active
        if goal is None or goal.number != number:
            return False
        goal.cancel()
        return True

    def look(self, rows: Rows) -> bool:
        """
        Judge ticks.

        :param rows: Ticks that were not judged yet, in order.
        :returns: Whether the motion must be stopped: its goal has ended and it goes on.
        """
        goal = self.active
        if goal is None or not len(rows):
            return False
        goal.look(rows)
        if goal.ended is None:
            return False
        self.active = None
        return bool(rows['trajectory'][-1] == goal.number and rows['left_ns'][-1] > 0)
