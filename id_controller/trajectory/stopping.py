"""
A trajectory that brings a moving reference to rest.

The velocities go to zero as cubics (so the positions are quartics) from the present velocities
and accelerations, in one time for all joints, so that a straight path stays straight.
"""
from __future__ import annotations

import numpy as np

from id_controller.state import Matrix, Reference, Vector
from id_controller.trajectory.trajectory import ORDER, Trajectory

SHORTEST_S = 0.1
"""Least time of a stop: accelerations and efforts have to end too, and nothing must step."""
_HARDEST_S = 0.02
# Largest slope of the cubic from v to 0 over its mean slope.
_PEAK = 1.5


def stopping(
    reference: Reference, deceleration: Vector, lower: Vector, upper: Vector
) -> Trajectory:
    """
    Stop from where the reference is now.

    All stop harder when a joint would pass its position limit otherwise.

    :param reference: Where it is and how it moves; its effort goes to 0 too.
    :param deceleration: Largest decelerations, shape (n,), > 0; may be infinite.
    :param lower: Lower and :param upper: upper position limits, shape (n,).
    """
    q, v, a, effort = reference
    wanted_s = max(SHORTEST_S, float((_PEAK * np.abs(v) / deceleration).max()))
    ahead = np.where(v < 0.0, q - lower, upper - q)
    end_s = max(_HARDEST_S, min(wanted_s, _in_reach(np.abs(v), np.sign(v) * a, ahead)))
    coefficients = np.zeros((1, ORDER, len(q)))
    coefficients[0, :3] = q, v, 0.5 * a
    coefficients[0, 3] = -(v / end_s + 2.0 * a / 3.0) / end_s
    coefficients[0, 4] = (0.5 * v / end_s + 0.25 * a) / end_s**2
    return Trajectory(
        times=np.array([0.0, end_s]),
        q=np.stack((q, q + 0.5 * v * end_s + a * end_s**2 / 12.0)),
        v=_then_nothing(v),
        a=_then_nothing(a),
        effort=_then_nothing(effort),
        coefficients=coefficients,
        has_effort=bool(effort.any()),
    )


def _in_reach(speed: Vector, towards: Vector, ahead: Vector) -> float:
    """Longest stop in which no joint goes further than there is room ahead of it, s."""
    room = np.maximum(ahead, 0.0)
    root = np.sqrt(0.25 * speed**2 + np.maximum(towards, 0.0) * np.minimum(room, 1e9) / 3.0)
    times = 2.0 * room / np.maximum(0.5 * speed + root, 1e-12)
    return float(np.where(speed > 0.0, times, np.inf).min())


def _then_nothing(start: Vector) -> Matrix:
    return np.stack((start, np.zeros_like(start)))
