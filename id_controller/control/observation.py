"""What one tick sees of the world, as the detectors of the fault table read it."""
from __future__ import annotations

import math
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from id_controller.control.limits import numbers_within
from id_controller.control.settings import Settings
from id_controller.state import NANOSECONDS, JointState, Matrix, Vector
from id_controller.trajectory.turns import shortest

# A number beyond this is no joint state.
_LARGEST = 1e9


class Row(IntEnum):
    """Rows of the comparison with bounds."""

    POSITION = 0
    VELOCITY = 1
    ERROR = 2
    JUMP = 3


class Observation:
    """
    Facts of one tick. All bounds of all joints are compared in one pass.

    :param n: Number of joints.
    :param continuous: Which turn without end, shape (n,); None: none.
    """

    __slots__ = (
        'complete', 'age_ns', 'timeout_ns', 'q_sane', 'v_sane', 'command_finite', 'matched',
        'raised', 'time_jumped', '_quiet', '_values', '_q', '_v', '_measured', '_lower', '_upper',
        '_excess', '_flat', '_last', '_known', '_continuous', '_saturated_s', '_saturation_s',
    )

    def __init__(self, n: int, continuous: npt.NDArray[np.bool_] | None = None) -> None:
        self.complete = self.q_sane = self.v_sane = self.command_finite = self.matched = True
        self.age_ns = self.timeout_ns = self.raised = 0
        self.time_jumped = False
        self._quiet = True
        self._values: Matrix = np.zeros((4, n))
        self._q, self._v, _, _ = self._values
        self._last: Vector = np.zeros(n)
        self._known = False
        self._continuous = np.zeros(n, dtype=bool) if continuous is None else continuous
        self._saturated_s, self._saturation_s = 0.0, math.inf
        self._measured: Vector = self._values[: Row.ERROR].reshape(-1)
        self._lower: Matrix = np.full((4, n), -np.inf)
        self._upper: Matrix = np.full((4, n), np.inf)
        self._excess: Matrix = np.zeros((4, n))
        self._flat: Vector = self._excess.reshape(-1)

    @property
    def sane(self) -> bool:
        """Whether the measured state consists of usable numbers."""
        return self.q_sane and self.v_sane

    def configure(self, settings: Settings) -> None:
        """Take over the bounds."""
        speed = settings.over_speed_factor * settings.velocity_limit
        upper = self._upper
        upper[Row.POSITION] = settings.upper + settings.position_limit_tolerance
        upper[Row.VELOCITY] = speed if settings.over_speed_factor > 0.0 else np.inf
        upper[Row.JUMP] = settings.position_jump or np.inf
        self._saturation_s = settings.saturation_time_s or math.inf
        tolerance = settings.tracking_tolerance
        upper[Row.ERROR] = np.where(tolerance > 0.0, tolerance, np.inf)
        np.negative(upper, out=self._lower)
        self._lower[Row.POSITION] = settings.lower - settings.position_limit_tolerance
        self.timeout_ns = round(settings.state_timeout_s * NANOSECONDS)

    def look(self, state: JointState, matched: bool, time_jumped: bool) -> None:
        """Take in what arrived."""
        self.complete, self.age_ns, self.matched = state.complete, state.age_ns, matched
        self._q[:] = state.q
        self._v[:] = state.v
        if numbers_within(self._measured, _LARGEST):
            self.q_sane = self.v_sane = True
        else:
            self.q_sane = numbers_within(self._q, _LARGEST)
            self.v_sane = numbers_within(self._v, _LARGEST)
        self._step(state.complete and self.q_sane)
        self.time_jumped = time_jumped
        self.command_finite = self._quiet = True

    def _step(self, usable: bool) -> None:
        """Compare with the last position that was one."""
        step, last = self._values[Row.JUMP], self._last
        if not usable:
            self._known = False
        if self._known:
            np.subtract(self._q, last, out=step)
        else:
            step.fill(0.0)
        if usable:
            last[:] = self._q
            self._known = True

    def limited(self, cut: Vector, elapsed_s: float) -> None:
        """
        Take in what the saturation took off the last command.

        :param cut: Shape (n,).
        """
        if np.count_nonzero(cut):
            self._saturated_s += elapsed_s
        else:
            self._saturated_s = 0.0

    def clear(self) -> None:
        """Begin anew to count for how long efforts are saturated."""
        self._saturated_s = 0.0

    @property
    def saturated(self) -> bool:
        """Whether efforts have been at their limit for too long."""
        return self._saturated_s > self._saturation_s

    @property
    def jumped(self) -> bool:
        """Whether a measured position has jumped; a continuous joint may do so by whole turns."""
        if not self.outside(Row.JUMP):
            return False
        step = shortest(self._continuous, self._values[Row.JUMP])
        return bool((np.abs(step) > self._upper[Row.JUMP]).any())

    def compare(self, error: Vector) -> None:
        """
        Compare the state that was looked at, if it is sane, with the bounds.

        :param error: Wanted minus measured position, shape (n,).
        """
        values, excess = self._values, self._excess
        values[Row.ERROR] = error
        np.minimum(values, self._upper, out=excess)
        np.maximum(excess, self._lower, out=excess)
        np.subtract(values, excess, out=excess)
        self._quiet = np.count_nonzero(self._flat) == 0

    @property
    def nominal(self) -> bool:
        """
        Whether nothing is out of the ordinary, so that no detector can find anything.

        One look instead of one for each row of the fault table.
        """
        return (
            self._quiet and self.complete and self.age_ns <= self.timeout_ns and self.q_sane
            and self.v_sane and self.matched and self.command_finite and not self.raised
            and not self.time_jumped and self._saturated_s <= self._saturation_s
        )

    def outside(self, row: Row) -> bool:
        """Whether any joint is out of the bounds of a row."""
        return not self._quiet and bool(self._excess[row].any())

    def outside_joints(self, row: Row) -> Vector:
        """How far each joint is out of the bounds of a row, shape (n,), of the last comparison."""
        excess: Vector = self._excess[row]
        return excess
