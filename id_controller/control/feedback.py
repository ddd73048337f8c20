"""PID feedback over all joints at once."""
from __future__ import annotations

import numpy as np

from id_controller.control.settings import PidGains
from id_controller.state import Vector


class Pid:
    """
    Proportional, integral and derivative feedback, each a term of its own.

    ``u = clamp(kp e + clamp(int ki e dt) + kd e')``. Anti-windup by conditional integration: the
    integral of a joint stands while its feedback or its torque is cut off and the error would
    drive it further (Astrom and Haegglund, Advanced PID Control, sec. 3.5). A clamp on u scales
    the three terms of that joint, so that they still sum to u. With ``dt <= 0`` the last output
    stands.

    :param n: Number of joints.
    :param cut: What the limits took off the torque at the last tick, shape (n,); positive when
        the wanted torque was above its limit. Read, never written.
    """

    def __init__(self, n: int, cut: Vector | None = None) -> None:
        self._cut = np.zeros(n) if cut is None else cut
        self._integral = np.zeros(n)
        self._u = np.zeros(n)
        self._bounded = np.zeros(n)
        self._beyond = np.zeros(n)

    def configure(self, gains: PidGains) -> None:
        """Take over gains; the integral stays, within its new clamp."""
        self._gains = gains
        self._has_integral = bool(gains.i.any())
        self._has_clamp = bool(np.isfinite(gains.u_min).any() or np.isfinite(gains.u_max).any())
        if not self._has_integral:
            self._integral.fill(0.0)
        np.clip(self._integral, gains.i_min, gains.i_max, out=self._integral)

    def reset(self) -> None:
        """Clear all that is remembered."""
        self._integral.fill(0.0)
        self._beyond.fill(0.0)

    def compute(
        self,
        error: Vector,
        rate_error: Vector,
        dt_s: float,
        proportional: Vector,
        integral: Vector,
        derivative: Vector,
    ) -> None:
        """
        Compute the three terms.

        :param error: Wanted minus measured position, :param rate_error: of velocity, shape (n,).
        :param proportional: Output, :param integral: output, :param derivative: output.
        """
        if dt_s <= 0.0:
            return
        gains = self._gains
        np.multiply(gains.p, error, out=proportional)
        np.multiply(gains.d, rate_error, out=derivative)
        if self._has_integral:
            self._integrate(error, dt_s)
            integral[:] = self._integral
        else:
            integral.fill(0.0)
        if self._has_clamp:
            self._clamp(proportional, integral, derivative)

    def _integrate(self, error: Vector, dt_s: float) -> None:
        gains, step = self._gains, self._bounded
        np.multiply(gains.i, error, out=step)
        np.multiply(step, dt_s, out=step)
        step[self._beyond * error > 0.0] = 0.0
        step[self._cut * error > 0.0] = 0.0
        np.add(self._integral, step, out=self._integral)
        np.minimum(self._integral, gains.i_max, out=self._integral)
        np.maximum(self._integral, gains.i_min, out=self._integral)

    def _clamp(self, proportional: Vector, integral: Vector, derivative: Vector) -> None:
        gains, u, bounded = self._gains, self._u, self._bounded
        np.add(proportional, integral, out=u)
        np.add(u, derivative, out=u)
        np.minimum(u, gains.u_max, out=bounded)
        np.maximum(bounded, gains.u_min, out=bounded)
        np.subtract(u, bounded, out=self._beyond)
        cut = self._beyond != 0.0
        if cut.any():
            factor = np.divide(bounded, u, out=np.ones(len(u)), where=cut)
            for term in (proportional, integral, derivative):
                np.multiply(term, factor, out=term)
