"""
Polynomials through points, as joint_trajectory_controller joins them.

Linear where points carry positions only, cubic with velocities, quintic with accelerations too
(Biagiotti and Melchiorri, Trajectory Planning for Automatic Machines and Robots, 2008, ch. 2).
Coefficients are those of the time since the start of a segment, lowest power first.
"""
from __future__ import annotations

import numpy as np

from id_controller.errors import TrajectoryError
from id_controller.parameters.schema import INTERPOLATIONS
from id_controller.state import Matrix, Vector
from id_controller.trajectory.points import JointPoints
from id_controller.trajectory.trajectory import ORDER, Cube, Trajectory

# Largest velocity of a quintic from rest to rest over its mean velocity, and largest
# acceleration over distance by time squared.
QUINTIC_PEAK = 1.875
QUINTIC_PEAK_ACCELERATION = 10.0 / 3.0**0.5


def quintic(duration: Cube | float, start: Cube, end: Cube) -> Cube:
    """
    Coefficients of fifth-degree polynomials with given q, v, a at both ends.

    :param duration: Durations, s, that broadcast with the trailing shape of the ends.
    :param start: q, v, a at the start, shape (3, ...).
    :param end: q, v, a at the end, shape (3, ...).
    :returns: Coefficients, shape (6, ...).
    """
    h = duration
    d = end[0] - start[0] - h * (start[1] + 0.5 * h * start[2])
    e = h * (end[1] - start[1] - h * start[2])
    f = h * h * (end[2] - start[2])
    return np.stack((
        start[0],
        start[1],
        0.5 * start[2],
        (10.0 * d - 4.0 * e + 0.5 * f) / h**3,
        (-15.0 * d + 7.0 * e - f) / h**4,
        (6.0 * d - 3.0 * e + 0.5 * f) / h**5,
    ))


def cubic(duration: Cube | float, start: Cube, end: Cube) -> Cube:
    """
    Coefficients of third-degree polynomials with given q, v at both ends.

    :param duration: Durations, s, that broadcast with the trailing shape of the ends.
    :param start: q, v at the start, shape (2, ...).
    :param end: q, v at the end, shape (2, ...).
    :returns: Coefficients, shape (6, ...).
    """
    h = duration
    slope = (end[0] - start[0]) / h
    zero = np.zeros_like(slope)
    return np.stack((
        start[0],
        start[1],
        (3.0 * slope - 2.0 * start[1] - end[1]) / h,
        (start[1] + end[1] - 2.0 * slope) / h**2,
        zero,
        zero,
    ))


def linear(duration: Cube | float, start: Cube, end: Cube) -> Cube:
    """
    Coefficients of straight lines.

    :param duration: Durations, s, that broadcast with the trailing shape of the ends.
    :param start: Positions at the start.
    :param end: Positions at the end.
    :returns: Coefficients, shape (6, ...).
    """
    slope = (end - start) / duration
    zero = np.zeros_like(slope)
    return np.stack((start, slope, zero, zero, zero, zero))


def fit(points: JointPoints, method: str = 'splines') -> Trajectory:
    """
    Fit a trajectory to validated points.

    :param points: Points in controller joint order, as ``validated`` returns them.
    :param method: One of ``INTERPOLATIONS``; with 'none' the reference steps to each point at its
        time, and 'c2' is about points that ``smoothed`` has seen.
    :raises TrajectoryError: when the method is unknown or there are no positions.
    """
    if method not in INTERPOLATIONS:
        raise TrajectoryError(
            f'interpolation method: got {method!r}, expected one of {", ".join(INTERPOLATIONS)}'
        )
    if points.q is None:
        raise TrajectoryError('points without positions cannot be fitted')
    q = points.q
    v = np.zeros_like(q) if points.v is None else points.v.copy()
    a = np.zeros_like(q) if points.a is None else points.a.copy()
    coefficients = np.zeros((len(q) - 1, ORDER, q.shape[1]))
    if method != 'none' and len(q) > 1:
        coefficients = _segments(points, q)
        v[:-1] = coefficients[:, 1]
    return Trajectory(
        times=points.times,
        q=q,
        v=v,
        a=a,
        effort=np.zeros_like(q) if points.effort is None else points.effort,
        coefficients=coefficients,
        start_ns=points.start_ns,
        steps=method == 'none',
        has_effort=points.effort is not None and bool(points.effort.any()),
    )


def _segments(points: JointPoints, q: Matrix) -> Cube:
    """Coefficients between points, shape (m - 1, 6, n), by what the points carry."""
    h = np.diff(points.times)[:, np.newaxis]
    if points.v is None:
        found = linear(h, q[:-1], q[1:])
    elif points.a is None:
        knots = np.stack((q, points.v))
        found = cubic(h, knots[:, :-1], knots[:, 1:])
    else:
        knots = np.stack((q, points.v, points.a))
        found = quintic(h, knots[:, :-1], knots[:, 1:])
    return np.ascontiguousarray(found.transpose(1, 0, 2))


class Evaluator:
    """Value and two derivatives of polynomials, without allocation."""

    def __init__(self) -> None:
        self._powers = np.zeros((3, ORDER))
        self._powers[0, 0] = self._powers[1, 1] = 1.0
        self._powers[2, 2] = 2.0
        # A flat memoryview takes a float in a third of the time of an array.
        self._flat = self._powers.data.cast('B').cast('d')

    def evaluate(self, s: float, coefficients: Matrix, out: Matrix) -> None:
        """
        Evaluate q, v and a.

        :param s: Time since the start of the segment, s.
        :param coefficients: Lowest power first, shape (6, n).
        :param out: Receives q, v, a, shape (3, n).
        """
        flat = self._flat
        s2 = s * s
        s3 = s2 * s
        s4 = s2 * s2
        flat[1] = s
        flat[2] = s2
        flat[3] = s3
        flat[4] = s4
        flat[5] = s4 * s
        flat[8] = 2.0 * s
        flat[9] = 3.0 * s2
        flat[10] = 4.0 * s3
        flat[11] = 5.0 * s4
        flat[15] = 6.0 * s
        flat[16] = 12.0 * s2
        flat[17] = 20.0 * s3
        self._powers.dot(coefficients, out=out)


def sampled(trajectory: Trajectory, times: Vector) -> tuple[Matrix, Matrix, Matrix]:
    """
    Sample a trajectory at many times, for plots and checks.

    :param times: Times from the start, shape (k,), s; outside the points the nearest end holds.
    :returns: q, v and a, shape (k, n) each.
    """
    count = trajectory.m - 1
    if trajectory.steps or not count:
        at = np.searchsorted(trajectory.times, times, side='right') - 1
        at = np.clip(at, 0, count)
        return trajectory.q[at], trajectory.v[at], trajectory.a[at]
    inside = np.clip(times, trajectory.times[0], trajectory.times[-1])
    at = np.clip(np.searchsorted(trajectory.times, inside, side='right') - 1, 0, count - 1)
    s = inside - trajectory.times[at]
    basis = np.stack([np.vander(s, ORDER, increasing=True)] * 3)
    power = np.arange(ORDER)
    basis[1, :, 1:] = basis[0, :, :-1] * power[1:]
    basis[1, :, 0] = 0.0
    basis[2, :, 1:] = basis[1, :, :-1] * power[1:]
    basis[2, :, 0] = 0.0
    q, v, a = np.einsum('dkp,kpn->dkn', basis, trajectory.coefficients[at])
    return q, v, a
