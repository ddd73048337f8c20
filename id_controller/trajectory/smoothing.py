"""
Positions alone, joined so that the acceleration does not step either.

The cubic spline through the points with given velocities at both ends (de Boor, A Practical Guide
to Splines, 2001, ch. IV): continuous acceleration gives one equation for the velocity at each
inner point.
"""
from __future__ import annotations

import dataclasses

import numpy as np

from id_controller.state import Matrix, Reference, Vector
from id_controller.trajectory.junction import SHORTEST_ENTRY_S
from id_controller.trajectory.points import JointPoints


def smoothed(points: JointPoints, reference: Reference) -> JointPoints:
    """
    Give positions velocities and accelerations; points that carry velocities stay as they are.

    :param points: Validated points in controller joint order.
    :param reference: Where the motion comes from; it ends at rest.
    """
    if points.v is not None or points.q is None:
        return points
    times, q = points.times, points.q
    comes = times[0] >= SHORTEST_ENTRY_S
    if comes:
        times, q = np.concatenate(([0.0], times)), np.vstack((reference.q, q))
    ends = np.stack((reference.v, np.zeros_like(reference.v)))
    if len(times) == 1:
        return dataclasses.replace(points, v=ends[1:])
    v, first = _velocities(times, q, ends), int(comes)
    return dataclasses.replace(points, v=v[first:], a=_accelerations(times, q, v)[first:])


def _velocities(times: Vector, q: Matrix, ends: Matrix) -> Matrix:
    """
    Velocities of the spline at its points, shape (m, n).

    :param times: Shape (m,), m > 1.
    :param ends: Velocities at the first and the last point, shape (2, n).
    """
    h = np.diff(times)
    slope = np.diff(q, axis=0) / h[:, np.newaxis]
    v = np.zeros_like(q)
    v[0], v[-1] = ends
    # Row k: h[k] v[k-1] + 2 (h[k-1] + h[k]) v[k] + h[k-1] v[k+1] = right[k].
    right = 3.0 * (h[1:, np.newaxis] * slope[:-1] + h[:-1, np.newaxis] * slope[1:])
    right[:1] -= h[1:2, np.newaxis] * v[0]
    right[-1:] -= h[-2:-1, np.newaxis] * v[-1]
    v[1:-1] = _solved(h[1:].tolist(), (2.0 * (h[:-1] + h[1:])).tolist(), h[:-1].tolist(), right)
    return v


def _accelerations(times: Vector, q: Matrix, v: Matrix) -> Matrix:
    """Second derivatives of the spline at its points: of the piece after each, and the last."""
    h = np.diff(times)[:, np.newaxis]
    slope = np.diff(q, axis=0) / h
    after = (6.0 * slope - 4.0 * v[:-1] - 2.0 * v[1:]) / h
    last = (2.0 * v[-2:-1] + 4.0 * v[-1:] - 6.0 * slope[-1:]) / h[-1:]
    return np.vstack((after, last))


def _solved(below: list[float], on: list[float], above: list[float], right: Matrix) -> Matrix:
    """Solve equations with three diagonals by elimination (Thomas); it is dominant."""
    for k in range(1, len(on)):
        factor = below[k] / on[k - 1]
        on[k] -= factor * above[k - 1]
        right[k] -= factor * right[k - 1]
    for k in range(len(on) - 1, -1, -1):
        if k + 1 < len(on):
            right[k] -= above[k] * right[k + 1]
        right[k] /= on[k]
    return right
