"""Limits on what goes out, and springs at the limits of the joints."""
from __future__ import annotations

import math

import numpy as np

from id_controller.state import Vector


def numbers_within(values: Vector, largest: float = math.inf) -> bool:
    """
    Tell whether all are numbers with an amount below a bound.

    No call here raises a floating-point flag.

    :param values: Shape (n,), n > 0.
    """
    # The norm is above every amount, and cheaper than extrema; only where it is too large do
    # these decide. It is nan or infinite, and so not below, where any number is.
    return math.hypot(*values.tolist()) < largest or (
        values.item(values.argmax()) < largest and values.item(values.argmin()) > -largest
    )


class Limiter:
    """
    One saturation and then one rate limit, after everything was summed.

    A request that is not a number counts as zero, so that what comes out is always finite.
    Limiting what was limited changes nothing. When a limit is lowered while the output lies
    beyond it, the output comes down at the rate and does not step.

    :param n: Number of joints.
    """

    def __init__(self, n: int) -> None:
        self.cut = np.zeros(n)
        """What the saturation took off at the last call, shape (n,)."""
        self._last = np.zeros(n)
        self._wanted = np.zeros(n)
        self._low = np.zeros(n)
        self._high = np.zeros(n)
        self._step = np.zeros(n)
        self.configure(np.zeros(n), np.zeros(n))

    def configure(self, limit: Vector, rate: Vector) -> None:
        """
        Take over limits, at once.

        :param limit: Largest torque, shape (n,), :param rate: largest change of it per second.
        """
        self._limit = limit
        self._negative = -limit
        self._rate = rate

    def restart(self, torque: Vector | float = 0.0) -> None:
        """Start again from a torque that stands already, shape (n,)."""
        self._last[:] = torque
        self.cut.fill(0.0)

    @property
    def last(self) -> Vector:
        """The last output, shape (n,); valid until the next call."""
        return self._last

    def limited(self, torque: Vector, dt_s: float) -> Vector:
        """
        Limit a torque.

        :param torque: Sum of all terms, shape (n,).
        :param dt_s: Time since the last output; at 0 or less the last output stands.
        :returns: The output, shape (n,), valid until the next call.
        """
        if dt_s <= 0.0:
            return self._last
        wanted, last, step = self._wanted, self._last, self._step
        np.minimum(torque, self._limit, out=wanted)
        np.maximum(wanted, self._negative, out=wanted)
        if not numbers_within(wanted):
            wanted[~np.isfinite(wanted)] = 0.0
            self.cut.fill(0.0)
        else:
            np.subtract(torque, wanted, out=self.cut)
        np.multiply(self._rate, dt_s, out=step)
        np.add(last, step, out=self._high)
        np.subtract(last, step, out=self._low)
        np.minimum(wanted, self._high, out=last)
        np.maximum(last, self._low, out=last)
        return last


SHARE_OF_RANGE = 0.05
"""Most of a joint's range that a spring takes at either end: a short lift must stay free."""


class SoftLimits:
    """
    Springs inside the position limits, dampers only while a joint moves outward.

    They act beside the gravity term and take nothing away from it, so an arm that leans on a
    limit is still carried.

    :param lower: Lower and :param upper: upper position limit, shape (n,); may be infinite.
    :param margin: Width of the spring inside a limit, rad or m; at most a twentieth of the range.
    :param stiffness: N m/rad, :param damping: N m s/rad, shape (n,) each.
    """

    def __init__(
        self, lower: Vector, upper: Vector, margin: float, stiffness: Vector, damping: Vector
    ) -> None:
        width = np.minimum(margin, SHARE_OF_RANGE * (upper - lower))
        self._lower = lower + width
        self._upper = upper - width
        self._stiffness = stiffness
        self._damping = damping
        self._excess = np.zeros(len(lower))

    @property
    def present(self) -> bool:
        """Whether any joint has a spring."""
        bounded = np.isfinite(self._lower) | np.isfinite(self._upper)
        return bool((bounded & ((self._stiffness > 0.0) | (self._damping > 0.0))).any())

    def torque(self, q: Vector, v: Vector, out: Vector) -> None:
        """
        Compute the torque of the springs and dampers.

        :param q: Positions, :param v: velocities, :param out: torque, shape (n,) each.
        """
        excess = self._excess
        np.minimum(q, self._upper, out=excess)
        np.maximum(excess, self._lower, out=excess)
        # Mostly nothing was cut off, and equal bytes say so at half the cost of a difference.
        if excess.tobytes() == q.tobytes():
            out.fill(0.0)
            return
        np.subtract(q, excess, out=excess)
        outward = excess * v > 0.0
        np.multiply(self._stiffness, excess, out=out)
        out[outward] += self._damping[outward] * v[outward]
        np.negative(out, out=out)
