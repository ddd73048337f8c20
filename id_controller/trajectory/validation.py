"""
One validator for every trajectory that comes from outside.

What it returns is finite, complete, in controller joint order and inside the limits at its
points; what it refuses, it refuses with point, joint, field, got and expected.
"""
from __future__ import annotations

import dataclasses

import numpy as np
import numpy.typing as npt

from id_controller.errors import OldStampError, TrajectoryError
from id_controller.state import NANOSECONDS, Matrix, Vector
from id_controller.trajectory.columns import in_order, integrated
from id_controller.trajectory.junction import SHORTEST_ENTRY_S
from id_controller.trajectory.points import JointPoints, Limits
from id_controller.trajectory.turns import shortest

SHORTEST_S = 1e-6
LARGEST = 1e9
_SLACK = 1e-6
_Bools = npt.NDArray[np.bool_]


def validated(
    points: JointPoints,
    joints: tuple[str, ...],
    limits: Limits,
    *,
    q_now: Vector,
    v_now: Vector | None = None,
    partial: bool = False,
    integrate: bool = False,
    points_max: int = 10000,
    continuous: _Bools | None = None,
    start_tolerance: Vector | None = None,
    stopped_velocity: float = 0.01,
    now_ns: int | None = None,
) -> JointPoints:
    """
    Check points and bring them into controller joint order.

    A joint that stands outside its position limits may move as far out as it stands, so that it
    can come back. End velocities up to ``stopped_velocity`` become 0.

    :param joints: Joints of the controller.
    :param limits: Limits of these joints.
    :param q_now: Where the reference is, or the joints are, shape (n,); joints that are not named
        hold this.
    :param v_now: How fast they are, shape (n,); None: at rest.
    :param partial: Whether some joints may be left out.
    :param integrate: Whether velocities may come without positions.
    :param points_max: Most points.
    :param continuous: Which joints turn without end, shape (n,): no position limits.
    :param start_tolerance: How far a first point at time 0 may be away, shape (n,); 0: any.
    :param stopped_velocity: Largest end velocity, rad/s or m/s.
    :param now_ns: The time, to refuse what is wholly in the past; None: not checked.
    :raises TrajectoryError: when the points cannot be accepted.
    """
    _check_count(points.times, points_max)
    _check_times(points.times)
    _check_stamp(points, now_ns)
    _check_present(q_now, joints)
    found = in_order(points, joints, q_now, partial, integrate)
    turning = np.zeros(len(joints), dtype=bool) if continuous is None else continuous
    _check_finite(found)
    if found.q is None:
        found = integrated(found, q_now, np.zeros_like(q_now) if v_now is None else v_now)
    _check_positions(found, limits, q_now, turning)
    _check_rates(found, limits)
    _check_start(found, q_now, turning, start_tolerance)
    return _frozen(_stopped(found, stopped_velocity))


def _check_count(times: Vector, points_max: int) -> None:
    if times.ndim != 1 or times.dtype != np.float64:
        raise TrajectoryError(
            f'times: got {times.dtype} of shape {times.shape}, expected float64 of shape (m,)'
        )
    if not len(times):
        raise TrajectoryError('trajectory: got no points, expected at least one')
    if len(times) > points_max:
        raise TrajectoryError(
            f'trajectory: got {len(times)} points, expected at most {points_max} '
            '(trajectory_points_max)'
        )


def _check_times(times: Vector) -> None:
    wrong = ~(np.isfinite(times) & (times >= 0.0) & (times <= LARGEST))
    if wrong.any():
        index = int(np.argmax(wrong))
        raise TrajectoryError(
            f'point {index}, time: got {times[index]:g} s, expected 0 to {LARGEST:g} s'
        )
    close = np.diff(times) < SHORTEST_S
    if close.any():
        index = int(np.argmax(close)) + 1
        raise TrajectoryError(
            f'point {index}, time: got {times[index]:.9g} s after {times[index - 1]:.9g} s, '
            f'expected strictly increasing times, at least {SHORTEST_S:g} s apart'
        )


def _check_stamp(points: JointPoints, now_ns: int | None) -> None:
    if now_ns is None and points.start_ns < 0:
        raise TrajectoryError(f'stamp: got {points.start_ns} ns, expected 0 (now) or a time')
    if now_ns is None or points.start_ns == 0:
        return
    age_s = (now_ns - points.start_ns) / NANOSECONDS - float(points.times[-1])
    if age_s > 0.0:
        raise OldStampError(
            f'stamp: the last point was due {age_s:.3f} s ago, expected one in the future'
        )


def _check_present(q_now: Vector, joints: tuple[str, ...]) -> None:
    if q_now.shape != (len(joints),):
        raise TrajectoryError(
            f'present positions: got shape {q_now.shape}, expected ({len(joints)},)'
        )
    wrong = ~np.isfinite(q_now)
    if wrong.any():
        index = int(np.argmax(wrong))
        raise TrajectoryError(
            f'present position of joint {joints[index]!r}: got {q_now[index]}, expected a number'
        )


def _fields(points: JointPoints) -> dict[str, Matrix]:
    """What the points carry, by the name that users know."""
    fields = {
        'position': points.q,
        'velocity': points.v,
        'acceleration': points.a,
        'effort': points.effort,
    }
    return {name: array for name, array in fields.items() if array is not None}


def _check_finite(points: JointPoints) -> None:
    for name, array in _fields(points).items():
        # The comparison is false for nan, and what it lets through cannot overflow in a spline.
        _refuse(points, name, array, ~(np.abs(array) <= LARGEST), f'finite, up to {LARGEST:g}')


def _refuse(points: JointPoints, name: str, array: Matrix, wrong: _Bools, expected: str) -> None:
    """Raise for the first point and joint that is wrong, if one is."""
    if wrong.any():
        point, joint = (int(at) for at in np.argwhere(wrong)[0])
        raise TrajectoryError(
            f'point {point}, joint {points.joints[joint]!r}, {name}: '
            f'got {array[point, joint]:.6g}, expected {expected}'
        )


def _refuse_limit(points: JointPoints, name: str, array: Matrix, limit: Vector) -> None:
    wrong = np.abs(array) > limit * (1.0 + _SLACK)
    if wrong.any():
        bound = limit[int(np.argwhere(wrong)[0][1])]
        _refuse(points, name, array, wrong, f'at most {bound:.6g} either way (limit)')


def _check_positions(
    points: JointPoints, limits: Limits, q_now: Vector, turning: _Bools
) -> None:
    q = _positions(points)
    lower = np.where(turning, -np.inf, np.minimum(limits.lower, q_now)) - _SLACK
    upper = np.where(turning, np.inf, np.maximum(limits.upper, q_now)) + _SLACK
    wrong = (q < lower) | (q > upper)
    if wrong.any():
        joint = int(np.argwhere(wrong)[0][1])
        span = f'{limits.lower[joint]:.6g} to {limits.upper[joint]:.6g} (position limits)'
        _refuse(points, 'position', q, wrong, span)


def _check_rates(points: JointPoints, limits: Limits) -> None:
    """Check velocities and efforts at the points, and mean velocities between them."""
    q = _positions(points)
    if points.v is not None:
        _refuse_limit(points, 'velocity', points.v, limits.velocity)
    if points.effort is not None:
        _refuse_limit(points, 'effort', points.effort, limits.effort)
    # By the mean value theorem no interpolant can be slower than this.
    mean = np.zeros_like(q)
    mean[1:] = np.diff(q, axis=0) / np.diff(points.times)[:, np.newaxis]
    _refuse_limit(points, 'mean velocity since the point before', mean, limits.velocity)


def _check_start(
    points: JointPoints, q_now: Vector, turning: _Bools, tolerance: Vector | None
) -> None:
    """Check that a first point for which there is no time is where the joints are."""
    first_s = float(points.times[0])
    if first_s >= SHORTEST_ENTRY_S or tolerance is None:
        return
    way = shortest(turning, _positions(points)[:1] - q_now)
    bound = np.where(tolerance > 0.0, tolerance, np.inf)
    wrong = np.abs(way) > bound * (1.0 + _SLACK)
    if wrong.any():
        most = bound[int(np.argwhere(wrong)[0][1])]
        name = f'distance from the present position at {first_s:g} s'
        _refuse(points, name, way, wrong, f'at most {most:.6g} (trajectory tolerance)')


def _positions(points: JointPoints) -> Matrix:
    if points.q is None:
        raise TrajectoryError('positions: got none, expected one for each joint and point')
    return points.q


def _stopped(points: JointPoints, tolerance: float) -> JointPoints:
    """Check that the last point is at rest, and make it exactly so."""
    if points.v is None:
        return points
    last = len(points.v) - 1
    wrong = np.zeros(points.v.shape, dtype=bool)
    wrong[last] = np.abs(points.v[last]) > tolerance
    _refuse(points, 'end velocity', points.v, wrong, f'0 (up to {tolerance:g} counts as 0)')
    points.v[last] = 0.0
    return points


def _frozen(points: JointPoints) -> JointPoints:
    for field in dataclasses.fields(points):
        value = getattr(points, field.name)
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
    return points
