"""Filters on measured signals."""
from __future__ import annotations

import math

import numpy as np

from id_controller.state import Vector


class LowPass:
    """
    First-order low pass, discretised exactly for an input held over the step.

    ``y += (1 - exp(-2 pi f dt)) (x - y)``; see Franklin, Powell and Workman, Digital Control of
    Dynamic Systems, ch. 6 (zero-order hold). It does not depend on a constant rate.

    :param n: Number of joints.
    :param cutoff_hz: Cut-off frequency; 0: the signal passes as it is.
    """

    def __init__(self, n: int, cutoff_hz: float = 0.0) -> None:
        self.cutoff_hz = cutoff_hz
        self._y = np.zeros(n)
        self._step = np.zeros(n)

    def restart(self, x: Vector) -> None:
        """Forget the past: the output is the present input."""
        self._y[:] = x

    def filtered(self, x: Vector, dt_s: float) -> Vector:
        """
        Take a sample.

        :param x: Input, shape (n,), finite.
        :param dt_s: Time since the last sample; at 0 or less the output stays.
        :returns: Output, shape (n,), valid until the next call.
        """
        if self.cutoff_hz <= 0.0:
            return x
        if dt_s > 0.0:
            gain = -math.expm1(-2.0 * math.pi * self.cutoff_hz * dt_s)
            np.subtract(x, self._y, out=self._step)
            np.multiply(self._step, gain, out=self._step)
            np.add(self._y, self._step, out=self._y)
        return self._y
