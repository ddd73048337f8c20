"""Columns of a trajectory: which joint is where, and what the joints do that are not named."""
from __future__ import annotations

import dataclasses
import difflib

import numpy as np

from id_controller.errors import JointNamesError, TrajectoryError
from id_controller.state import Matrix, Vector
from id_controller.trajectory.points import JointPoints


def in_order(
    points: JointPoints,
    joints: tuple[str, ...],
    q_now: Vector,
    partial: bool,
    integrate: bool = False,
) -> JointPoints:
    """
    Copy points into controller joint order; joints that are not named hold their position.

    :param joints: Joints of the controller.
    :param q_now: Where they are, shape (n,).
    :param partial: Whether some may be left out.
    :param integrate: Whether velocities may come without positions.
    :raises TrajectoryError: when names, fields or sizes are wrong.
    """
    _check_names(points.joints, joints, partial)
    _check_fields(points, integrate)
    columns = [joints.index(name) for name in points.joints]
    rest = np.zeros(len(joints))
    return JointPoints(
        joints=joints,
        times=points.times.copy(),
        q=_spread('positions', points, points.q, columns, q_now),
        v=_spread('velocities', points, points.v, columns, rest),
        a=_spread('accelerations', points, points.a, columns, rest),
        effort=_spread('effort', points, points.effort, columns, rest),
        start_ns=points.start_ns,
    )


def _check_names(names: tuple[str, ...], joints: tuple[str, ...], partial: bool) -> None:
    if not names:
        raise JointNamesError(f'joint names: got none, expected {", ".join(joints)}')
    for index, name in enumerate(names):
        if name not in joints:
            near = difflib.get_close_matches(name, joints, n=1)
            hint = f' (nearest: {near[0]!r})' if near else ''
            raise JointNamesError(
                f'joint name {index}: got unknown {name!r}{hint}, expected {", ".join(joints)}'
            )
        if name in names[:index]:
            raise JointNamesError(
                f'joint name {index}: got {name!r} again, expected each joint once'
            )
    missing = [joint for joint in joints if joint not in names]
    if missing and not partial:
        raise JointNamesError(
            f'joint names: {", ".join(missing)} missing, expected all of {", ".join(joints)} '
            '(allow_partial_joints_goal accepts some only)'
        )


def _check_fields(points: JointPoints, integrate: bool) -> None:
    """Refuse derivatives without what they are the derivative of."""
    if points.q is None and not (integrate and points.v is not None):
        got = 'velocities only' if points.v is not None else 'none'
        raise TrajectoryError(
            f'point 0, joint {points.joints[0]!r}, positions: got {got}, expected positions '
            '(allow_integration_in_goal_trajectories integrates velocities)'
        )
    if points.a is not None and points.v is None:
        raise TrajectoryError(
            f'point 0, joint {points.joints[0]!r}, velocities: got none, '
            'expected velocities where there are accelerations'
        )


def integrated(points: JointPoints, q_now: Vector, v_now: Vector) -> JointPoints:
    """
    Give velocities the positions to which they lead from where the joints are.

    Velocities are straight lines in between, or cubics where there are accelerations; what is
    fitted to the result has just these.

    :param points: Points in controller joint order, with velocities.
    :param q_now: Positions and :param v_now: velocities at time 0, shape (n,) each.
    """
    if points.v is None:
        return points
    h = np.diff(points.times, prepend=0.0)[:, np.newaxis]
    v = np.vstack((v_now, points.v))
    steps = 0.5 * h * (v[:-1] + v[1:])
    if points.a is not None:
        a = np.vstack((np.zeros_like(v_now), points.a))
        steps += h * h / 12.0 * (a[:-1] - a[1:])
    return dataclasses.replace(points, q=q_now + np.cumsum(steps, axis=0))


def _spread(
    name: str, points: JointPoints, array: Matrix | None, columns: list[int], rest: Vector
) -> Matrix | None:
    """Put the columns of a field into a new array whose other columns hold ``rest``."""
    if array is None:
        return None
    shape = (len(points.times), len(columns))
    if array.shape != shape or array.dtype != np.float64:
        raise TrajectoryError(
            f'{name}: got {array.dtype} of shape {array.shape}, expected float64 of {shape}: '
            f'points and the joints {", ".join(points.joints)}'
        )
    spread = np.tile(rest, (shape[0], 1))
    spread[:, columns] = array
    return spread
