"""How a reference gets from where it is onto a trajectory, without a step."""
from __future__ import annotations

import numpy as np
import numpy.typing as npt

from id_controller.state import Matrix, Reference, Vector
from id_controller.trajectory.spline import QUINTIC_PEAK, Evaluator, quintic
from id_controller.trajectory.turns import turns_between

# Where there is less time than this (one tick at 1 kHz) to the first point, the way is blended.
SHORTEST_ENTRY_S = 1e-3
# Time in which an offset in velocity and acceleration decays.
BLEND_S = 0.2


class Junction:
    """
    The start of a trajectory.

    Before the first point an *entry* leads from the reference to that point. Where it is too late
    for that, the *offset* between reference and trajectory decays instead. Both are
    quintics in each joint, so q, v and a of the reference do not step. Continuous joints get the
    whole number of turns that makes the way shortest, once, for the whole trajectory.

    :param continuous: Which joints turn without end, shape (n,).
    :param velocity: Velocity limits, shape (n,); a decaying offset uses up to half of them.
    """

    def __init__(self, continuous: npt.NDArray[np.bool_], velocity: Vector) -> None:
        n = len(continuous)
        self.shift = np.zeros(n)
        self.shifted = False
        self.entry_end_s = -np.inf
        self.blend_end_s = -np.inf
        self._continuous = continuous
        self._turning = bool(continuous.any())
        self._velocity = velocity
        self._begin_s = 0.0
        self._start = np.zeros((3, n))
        self._start_effort = np.zeros(n)
        self._effort_way = np.zeros(n)
        self._coefficients = np.zeros((6, n))
        self._rates = np.zeros((6, n))
        self._rates_end_s = -np.inf
        self._offset = np.zeros((3, n))
        self._evaluator = Evaluator()

    def leave(self, reference: Reference) -> None:
        """Remember the reference that a trajectory starts from."""
        self._start[0] = reference.q
        self._start[1] = reference.v
        self._start[2] = reference.a
        self._start_effort[:] = reference.effort
        self.shifted = False
        self.entry_end_s = self.blend_end_s = -np.inf

    def join(
        self,
        target: Matrix,
        entrance: Matrix,
        effort: Vector,
        now_s: float,
        first_s: float,
        steps: bool,
    ) -> None:
        """
        Fit the way onto the trajectory.

        :param target: q, v, a of the trajectory now, shape (3, n).
        :param entrance: q, v, a with which its first point is reached, shape (3, n).
        :param effort: Effort there, shape (n,).
        :param now_s: The time in the trajectory.
        :param first_s: The time of its first point.
        :param steps: Whether the reference steps.
        """
        self._begin_s = now_s
        if self._turning:
            self.shift[:] = turns_between(self._continuous, target[0], self._start[0])
            self.shifted = bool(self.shift.any())
        end = target.copy()
        end[0] += self.shift
        if steps:
            self._wait(first_s)
        elif self._in_time(first_s - now_s, end[0]):
            self.entry_end_s = first_s
            end[1:] = entrance[1:]
            self._coefficients[:] = quintic(first_s - now_s, self._start, end)
            self._effort_way[:] = (effort - self._start_effort) / (first_s - now_s)
        else:
            self._blend(self._start - end)

    def _in_time(self, duration: float, q: Vector) -> bool:
        """Whether the first point can be reached at its time."""
        if duration < SHORTEST_ENTRY_S:
            return False
        return bool((np.abs(q - self._start[0]) <= self._velocity * duration).all())

    def _wait(self, first_s: float) -> None:
        """Stand still until the first point."""
        self.entry_end_s = first_s
        self._coefficients[:] = 0.0
        self._coefficients[0] = self._start[0]
        self._effort_way[:] = 0.0

    def _blend(self, offset: Matrix) -> None:
        """
        Let the offset decay.

        Position takes as long as the velocity limits ask for; velocity and acceleration decay on
        their own, because over such a time they would lead far away.
        """
        way = np.abs(offset[0]) * (2.0 * QUINTIC_PEAK)
        times = np.divide(way, self._velocity, out=np.zeros_like(way), where=self._velocity > 0.0)
        duration = max(BLEND_S, float(times.max()))
        self.blend_end_s = self._begin_s + duration
        self._rates_end_s = self._begin_s + BLEND_S
        zero = np.zeros_like(offset)
        moving = offset.copy()
        moving[0] = 0.0
        self._rates[:] = quintic(BLEND_S, moving, zero)
        offset[1:] = 0.0
        self._coefficients[:] = quintic(duration, offset, zero)

    def entry(self, now_s: float, motion: Matrix, effort: Vector) -> None:
        """Evaluate the way to the first point."""
        s = max(0.0, now_s - self._begin_s)
        self._evaluator.evaluate(s, self._coefficients, motion)
        np.multiply(self._effort_way, s, out=effort)
        np.add(effort, self._start_effort, out=effort)

    def add_offset(self, now_s: float, motion: Matrix) -> None:
        """Add what is left of the offset between reference and trajectory."""
        s = max(0.0, now_s - self._begin_s)
        self._evaluator.evaluate(s, self._coefficients, self._offset)
        np.add(motion, self._offset, out=motion)
        if s < self._rates_end_s - self._begin_s:
            self._evaluator.evaluate(s, self._rates, self._offset)
            np.add(motion, self._offset, out=motion)
