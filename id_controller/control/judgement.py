"""Whether ticks keep the tolerances of a goal."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from id_controller.control.tolerances import Tolerances
from id_controller.state import NANOSECONDS, Matrix, Mode, Rows, Vector
from id_controller.trajectory.turns import shortest

# A joint that did less than this share of its reference's way does not move with it.
_SHARE = 0.1
# Least way of a reference that says something where no goal tolerance is given, rad or m.
_LEAST_WAY = 0.01


class Verdict(NamedTuple):
    """What was found; an empty text says that nothing was."""

    off_path: str = ''
    off_goal: str = ''
    reached: bool = False


class Judge:
    """
    Looks at the ticks of one trajectory, in order.

    :param joints: Joints of the controller.
    :param continuous: Which turn without end, shape (n,).
    :param tolerances: What is allowed.
    """

    def __init__(
        self,
        joints: tuple[str, ...],
        continuous: npt.NDArray[np.bool_],
        tolerances: Tolerances,
    ) -> None:
        self._joints, self._continuous, self._tolerances = joints, continuous, tolerances
        self._end_ns = 0
        self._left_ns = self._moved_ns = -1
        self._window: Rows | None = None

    def look(self, rows: Rows) -> Verdict:
        """
        Judge ticks that follow those of the last call.

        :param rows: At least one.
        """
        runs = (rows['left_ns'] > 0) & (rows['mode'] == Mode.TRACK)
        off_path = self._off_path(rows[runs]) or self._stuck(rows[runs])
        if off_path:
            return Verdict(off_path=off_path)
        ended = rows[rows['left_ns'] == 0]
        if len(ended):
            if not self._end_ns:
                self._end_ns = int(ended['now_ns'][0])
            if self._reached(ended):
                return Verdict(reached=True)
        return Verdict(off_goal=self._late(rows[-1]))

    def _errors(self, rows: Rows) -> Matrix:
        return shortest(self._continuous, rows['q_ref'] - rows['q'])

    def _off_path(self, rows: Rows) -> str:
        t = self._tolerances
        return self._worst('position', self._errors(rows), t.path) or self._worst(
            'velocity', rows['v_ref'] - rows['v'], t.path_velocity
        )

    def _worst(self, what: str, errors: Matrix, bound: Vector) -> str:
        """Name the first tick's joint that is out of bounds; not a number is out of them."""
        wrong = ~(np.abs(errors) <= bound)
        if not wrong.any():
            return ''
        row, joint = np.argwhere(wrong)[0]
        return (
            f'path tolerance, joint {self._joints[joint]!r}, {what}: got an error of '
            f'{errors[row, joint]:.6g}, expected at most {bound[joint]:.6g}'
        )

    def _stuck(self, rows: Rows) -> str:
        """Compare the ways of joints and reference over a time."""
        progress_ns = self._tolerances.progress_s * NANOSECONDS
        if not progress_ns or not len(rows):
            return ''
        if self._window is None:
            self._window = rows[0].copy()
        first, last = self._window, rows[-1]
        if last['now_ns'] - first['now_ns'] < progress_ns:
            return ''
        self._window = last.copy()
        wanted, done = np.abs(last['q_ref'] - first['q_ref']), np.abs(last['q'] - first['q'])
        goal = self._tolerances.goal
        least = np.where(np.isfinite(goal), goal, _LEAST_WAY)
        stuck = (wanted > least) & (done < _SHARE * wanted)
        if not stuck.any():
            return ''
        joint = int(stuck.argmax())
        return (
            f'joint {self._joints[joint]!r} does not move: its reference went '
            f'{wanted[joint]:.6g} in {self._tolerances.progress_s:g} s (constraints.progress_time)'
            f' and it went {done[joint]:.6g}'
        )

    def _reached(self, rows: Rows) -> bool:
        t = self._tolerances
        there = (np.abs(self._errors(rows)) <= t.goal) & (np.abs(rows['v']) <= t.goal_velocity)
        return bool(there.all(axis=1).any())

    def _late(self, row: Rows) -> str:
        """Look at the times in which a goal must come to its end."""
        t, now_ns = self._tolerances, int(row['now_ns'])
        if self._end_ns and now_ns - self._end_ns > t.goal_time_s * NANOSECONDS:
            return f'{self._distance(row)}, {t.goal_time_s:g} s after the end (goal_time)'
        if row['left_ns'] != self._left_ns:
            self._left_ns, self._moved_ns = int(row['left_ns']), now_ns
        elif now_ns - self._moved_ns > t.timeout_s * NANOSECONDS:
            where = self._distance(row) if self._end_ns else 'the trajectory does not go on'
            return f'{where}, for {t.timeout_s:g} s (constraints.goal_timeout)'
        return ''

    def _distance(self, row: Rows) -> str:
        t, error = self._tolerances, self._errors(row[np.newaxis])[0]
        excess = np.abs(error) / t.goal
        speed = np.abs(row['v']) / t.goal_velocity
        if excess.max() > 1.0:
            k, what, got, bound = int(excess.argmax()), 'position', error, t.goal
        else:
            k, what, got, bound = int(speed.argmax()), 'velocity', row['v'], t.goal_velocity
        return (
            f'goal tolerance, joint {self._joints[k]!r}, {what}: got an error of {got[k]:.6g}, '
            f'expected at most {bound[k]:.6g}'
        )
