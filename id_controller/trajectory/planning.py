"""
From points that came from outside to a trajectory that the robot can follow, or a refusal.

The one way for topic, action and command line.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from id_controller.state import NANOSECONDS, Reference, Vector
from id_controller.trajectory.between import Bounds, check_polynomials
from id_controller.trajectory.junction import SHORTEST_ENTRY_S
from id_controller.trajectory.points import JointPoints, Limits
from id_controller.trajectory.smoothing import smoothed
from id_controller.trajectory.spline import fit, quintic
from id_controller.trajectory.trajectory import Trajectory
from id_controller.trajectory.turns import turns_between
from id_controller.trajectory.validation import validated


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Rules:
    """
    What is accepted, arrays of shape (n,) in controller joint order.

    :param joints: Joints of the controller.
    :param continuous: Which turn without end.
    :param limits: Limits of the joints; :param acceleration: acceleration limits, 0: none.
    :param start_tolerance: How far a first point at time 0 may be away; 0: any.
    :param stopped_velocity: Largest end velocity, which counts as 0.
    :param points_max: Most points.
    :param partial: Whether some joints may be left out.
    :param integrate: Whether velocities may come without positions.
    :param method: One of ``INTERPOLATIONS``.
    """

    joints: tuple[str, ...]
    continuous: npt.NDArray[np.bool_]
    limits: Limits
    acceleration: Vector
    start_tolerance: Vector
    stopped_velocity: float = 0.01
    points_max: int = 10000
    partial: bool = False
    integrate: bool = False
    method: str = 'splines'


def planned(points: JointPoints, rules: Rules, reference: Reference, now_ns: int) -> Trajectory:
    """
    Check points and fit a trajectory to them that starts from the reference.

    :param reference: The reference in force.
    :param now_ns: The time, on the clock of ``points.start_ns``.
    :raises TrajectoryError: when they cannot be accepted.
    """
    checked = validated(
        points, rules.joints, rules.limits, q_now=reference.q, v_now=reference.v,
        partial=rules.partial, integrate=rules.integrate, points_max=rules.points_max,
        continuous=rules.continuous, start_tolerance=rules.start_tolerance,
        stopped_velocity=rules.stopped_velocity, now_ns=now_ns,
    )
    if rules.method == 'c2':
        checked = smoothed(checked, reference)
    trajectory = fit(checked, rules.method)
    if not trajectory.steps:
        bounds = _bounds(rules, reference.q)
        check_polynomials(
            trajectory.coefficients, np.diff(trajectory.times), bounds, rules.joints
        )
        _check_entry(trajectory, rules, bounds, reference, now_ns)
    return trajectory


def _bounds(rules: Rules, q_now: Vector) -> Bounds:
    """A joint that stands outside its limits may move as far out as it stands."""
    limits, turning = rules.limits, rules.continuous
    return Bounds(
        lower=np.where(turning, -np.inf, np.minimum(limits.lower, q_now)),
        upper=np.where(turning, np.inf, np.maximum(limits.upper, q_now)),
        velocity=limits.velocity,
        acceleration=np.where(rules.acceleration > 0.0, rules.acceleration, np.inf),
    )


def _check_entry(
    trajectory: Trajectory, rules: Rules, bounds: Bounds, reference: Reference, now_ns: int
) -> None:
    """Check the way from the reference to the first point, as the junction will make it."""
    wait_s = (trajectory.start_ns - now_ns) / NANOSECONDS if trajectory.start_ns else 0.0
    if wait_s > 0.0 and reference.v.any():
        return  # Where the reference will be by then, nobody knows yet; the junction blends.
    entry_s = float(trajectory.times[0]) + min(wait_s, 0.0)
    if entry_s < SHORTEST_ENTRY_S:
        return
    start, end = np.stack((reference.q, reference.v, reference.a)), trajectory.entrance
    end[0] += turns_between(rules.continuous, end[0], reference.q)
    way = quintic(entry_s, start, end)[np.newaxis]
    where = ('on the way from the present position to point 0',)
    check_polynomials(way, np.array([entry_s]), bounds, rules.joints, where)
