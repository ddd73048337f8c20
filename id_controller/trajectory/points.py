"""
Trajectory points as they come from outside, before and after validation.

Units: times in s, q in rad or m, v per second, a per second squared, effort in N m or N.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from id_controller.errors import TrajectoryError
from id_controller.state import Matrix, Vector


class Limits(Protocol):
    """What this package asks of joint limits: arrays of shape (n,), infinite where unlimited."""

    @property
    def lower(self) -> Vector:
        """Lower position limits, rad or m."""

    @property
    def upper(self) -> Vector:
        """Upper position limits, rad or m."""

    @property
    def velocity(self) -> Vector:
        """Velocity limits, rad/s or m/s."""

    @property
    def effort(self) -> Vector:
        """Effort limits, N m or N."""


@dataclass(frozen=True, kw_only=True, slots=True)
class JointPoints:
    """
    Points of a trajectory; a field that the points do not carry is None.

    :param joints: Names of the columns.
    :param times: Times from the start, shape (m,), s.
    :param q: Positions, shape (m, n).
    :param v: Velocities, shape (m, n).
    :param a: Accelerations, shape (m, n).
    :param effort: Efforts added as feedforward, shape (m, n).
    :param start_ns: Time of the start on the clock of the controller; 0: when it is accepted.
    """

    joints: tuple[str, ...]
    times: Vector
    q: Matrix | None
    v: Matrix | None = None
    a: Matrix | None = None
    effort: Matrix | None = None
    start_ns: int = 0


Rows = Sequence[Sequence[float] | Vector]


def points_from_rows(
    joints: Sequence[str],
    times: Sequence[float] | Vector,
    q: Rows,
    *,
    v: Rows = (),
    a: Rows = (),
    effort: Rows = (),
    start_ns: int = 0,
) -> JointPoints:
    """
    Collect points given one by one, as messages and files hold them.

    Per field there is one row for each point; a field that is empty on all points is absent.

    :raises TrajectoryError: when a row has a wrong length, a field is on some points only, or
        something is no number.
    """
    fields = {'positions': q, 'velocities': v, 'accelerations': a, 'effort': effort}
    arrays = {
        name: _matrix(name, rows, len(times), tuple(joints)) for name, rows in fields.items()
    }
    return JointPoints(
        joints=tuple(joints),
        times=_numbers('times', times),
        q=arrays['positions'],
        v=arrays['velocities'],
        a=arrays['accelerations'],
        effort=arrays['effort'],
        start_ns=start_ns,
    )


def _matrix(name: str, rows: Rows, m: int, joints: tuple[str, ...]) -> Matrix | None:
    if not any(len(row) for row in rows):
        return None
    if len(rows) != m:
        raise TrajectoryError(f'{name}: got rows for {len(rows)} points, expected {m}')
    for index, row in enumerate(rows):
        if len(row) != len(joints):
            raise wrong_size(index, name, len(row), joints)
    return _numbers(name, rows)


def wrong_size(point: int, name: str, got: int, joints: tuple[str, ...]) -> TrajectoryError:
    """
    Say that a field of a point has too few or too many numbers.

    :param name: Name of the field.
    :param got: How many it has.
    """
    some = '' if got else '; a field is given on all points or on none'
    return TrajectoryError(
        f'point {point}, {name}: got {got} values, expected {len(joints)}, one for '
        f'each of the joints {", ".join(joints)}{some}'
    )


def _numbers(name: str, values: Sequence[float] | Vector | Rows) -> Matrix:
    try:
        return np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TrajectoryError(f'{name}: got {error}, expected numbers') from error
