"""A controller in virtual time whose ticks are recorded, and goals on it."""
from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from control_rig import Session, pair, trajectory

from id_controller.control.goal import End, Goal
from id_controller.control.goals import Goals
from id_controller.control.judgement import Judge
from id_controller.control.laws import TERMS
from id_controller.control.tolerances import Tolerances
from id_controller.realtime.layout import Layout
from id_controller.state import Command, Rows

JOINTS = ('shoulder', 'elbow')
ROW = Layout(n=2, terms=len(TERMS), points_max=2).row
TOLERANCES = Tolerances(
    path=pair(0.1, 0.15), path_velocity=pair(math.inf, math.inf), goal=pair(0.02, 0.03),
    goal_velocity=pair(0.05, 0.06), goal_time_s=0.5, timeout_s=2.0, progress_s=0.3,
)


def judge(continuous: tuple[bool, bool] = (False, False), **changes: Any) -> Judge:
    return Judge(JOINTS, np.array(continuous), dataclasses.replace(TOLERANCES, **changes))


def rows(commands: Sequence[tuple[int, Any, Command]]) -> Rows:
    """Rows of ticks, each given by its time, its state and its command."""
    found = np.zeros(len(commands), ROW)
    for row, (now_ns, (q, v), command) in zip(found, commands):
        row['now_ns'] = row['steady_ns'] = now_ns
        row['q'], row['v'] = q, v
        row['q_ref'], row['v_ref'] = command.reference.q, command.reference.v
        row['mode'], row['fault'] = command.mode, command.fault
        row['trajectory'], row['left_ns'] = command.trajectory, command.left_ns
    return found


class Goalkeeper:
    """
    A session whose joints follow the reference, and the goals that were given to it.

    :param changes: Settings of the controller.
    """

    def __init__(self, **changes: Any) -> None:
        self.session = Session(deceleration=pair(6.0, 8.0), **changes).activated()
        self.goals = Goals()
        self.ends: dict[int, list[End]] = {}
        self.follows, self._number = True, 0
        self.offset = pair(0.0, 0.0)

    def send(
        self, to: Sequence[float], seconds: float = 0.5, *, delay_s: float = 0.0, **changes: Any
    ) -> int:
        """Give a goal and return its number; 0 when the controller refuses it."""
        number = self._publish(to, seconds, delay_s)
        if number:
            ends = self.ends.setdefault(number, [])
            self.goals.start(
                Goal(number, self.session.now_ns, judge(**changes), ends.append)
            )
        return number

    def send_on_topic(self, to: Sequence[float], seconds: float = 0.5) -> None:
        """Send a trajectory beside the action."""
        if self._publish(to, seconds, 0.0):
            self.goals.drop('a trajectory came on the topic')

    def _publish(self, to: Sequence[float], seconds: float, delay_s: float) -> int:
        self._number += 1
        start_ns = self.session.now_ns + round(1e9 * delay_s) if delay_s else 0
        given = trajectory([seconds], [list(to)], start_ns=start_ns)
        refusal = self.session.controller.follow(given, self._number)
        return 0 if refusal else self._number

    def run(self, ticks: int) -> list[Command]:
        """Tick, let the joints follow, and judge every 20 ticks as the host does."""
        found: list[Command] = []
        recorded = []
        for k in range(ticks):
            command = self.session.tick()
            found.append(command)
            state = (self.session.q.copy(), self.session.v.copy())
            recorded.append((self.session.now_ns, state, command))
            if self.follows:
                self.session.q = command.reference.q + self.offset
                self.session.v = command.reference.v
            if k % 20 == 19 or k == ticks - 1:
                self.goals.look(rows(recorded))
                recorded.clear()
        return found

    def end(self, number: int) -> End:
        """Return the one end of a goal."""
        assert len(self.ends[number]) == 1, self.ends[number]
        return self.ends[number][0]
