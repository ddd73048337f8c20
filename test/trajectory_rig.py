"""Trajectories, a follower and points with one way to accept and one to refuse them, for tests."""
from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from id_controller.errors import TrajectoryError
from id_controller.state import Matrix, Reference, Vector
from id_controller.trajectory.follower import Follower
from id_controller.trajectory.planning import Rules, planned
from id_controller.trajectory.points import JointPoints
from id_controller.trajectory.spline import fit
from id_controller.trajectory.trajectory import Trajectory
from id_controller.trajectory.validation import validated

MS = 1_000_000
S = 1000 * MS
NOW = 50 * S


def trajectory(
    times: list[float], q: list[list[float]], *, start_ns: int = 0, method: str = 'splines',
    effort: list[list[float]] | None = None, v: list[list[float]] | None = None,
) -> Trajectory:
    return fit(JointPoints(
        joints=tuple('abcdefg'[: len(q[0])]), times=np.array(times), q=np.array(q),
        v=None if v is None else np.array(v),
        effort=None if effort is None else np.array(effort), start_ns=start_ns,
    ), method)


def copied(reference: Reference) -> Reference:
    return Reference(*(array.copy() for array in reference))


def at_rest(*q: float) -> Follower:
    follower = Follower(len(q))
    follower.hold(np.array(q))
    return follower


def begin(follower: Follower, given: Trajectory, now_ns: int = NOW) -> None:
    follower.start(given, follower.sample(now_ns), now_ns)


def assert_same(one: Reference, other: Reference, atol: float = 1e-9) -> None:
    for left, right in zip(one, other):
        assert np.allclose(left, right, rtol=0.0, atol=atol)


JOINTS = ('shoulder', 'elbow', 'wrist')
Q_NOW = np.array([0.1, 0.2, 0.3])


@dataclasses.dataclass(frozen=True)
class Limits:
    lower: Vector
    upper: Vector
    velocity: Vector
    effort: Vector


LIMITS = Limits(
    np.array([-2.0, -2.1, -2.2]), np.array([2.0, 2.1, 2.2]),
    np.array([1.0, 1.1, 1.2]), np.array([50.0, 30.0, 10.0]),
)


def matrix(*rows: list[float]) -> Matrix:
    return np.array(rows, dtype=np.float64)


def points(**changes: Any) -> JointPoints:
    good: dict[str, Any] = {
        'joints': JOINTS,
        'times': np.array([1.0, 2.0]),
        'q': matrix([0.4, 0.5, 0.6], [0.7, 0.8, 0.9]),
        'v': matrix([0.11, 0.12, 0.13], [0.0, 0.0, 0.0]),
        'a': matrix([1.1, 1.2, 1.3], [1.4, 1.5, 1.6]),
        'effort': matrix([5.0, 6.0, 7.0], [8.0, 9.0, 9.5]),
    }
    return JointPoints(**{**good, **changes})


def accept(given: JointPoints, **options: Any) -> JointPoints:
    return validated(given, JOINTS, LIMITS, **{'q_now': Q_NOW, **options})


def refuse(given: JointPoints, words: str, **options: Any) -> None:
    with pytest.raises(TrajectoryError, match=words):
        accept(given, **options)


RULES = Rules(
    joints=JOINTS, continuous=np.zeros(3, dtype=bool), limits=LIMITS,
    acceleration=np.zeros(3), start_tolerance=np.array([0.1, 0.2, 0.3]),
)


def rules(**changes: Any) -> Rules:
    return dataclasses.replace(RULES, **changes)


def resting(q: Vector = Q_NOW) -> Reference:
    return Reference(q, np.zeros_like(q), np.zeros_like(q), np.zeros_like(q))


def plan(
    given: JointPoints, reference: Reference | None = None, now_ns: int = NOW, **changes: Any
) -> Trajectory:
    return planned(given, rules(**changes), reference or resting(), now_ns)


def refuse_plan(given: JointPoints, words: str, **options: Any) -> None:
    with pytest.raises(TrajectoryError, match=words):
        plan(given, **options)
