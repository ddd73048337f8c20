"""How exactly a goal must be followed and reached: by parameters, and by each goal."""
from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from id_controller.errors import JointNamesError, TrajectoryError
from id_controller.parameters.schema import Parameters
from id_controller.state import Vector

DEFAULT, NONE = 0.0, -1.0
"""What these numbers mean in a goal (control_msgs/JointTolerance)."""


class JointTolerance(NamedTuple):
    """Tolerances that a goal asks for, as control_msgs/JointTolerance has them."""

    name: str
    position: float = DEFAULT
    velocity: float = DEFAULT
    acceleration: float = DEFAULT


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Tolerances:
    """
    Tolerances in force, infinite where nothing is checked; arrays of shape (n,).

    :param path: Largest errors of position and :param path_velocity: of velocity on the way.
    :param goal: Largest errors of position and :param goal_velocity: largest speeds at the end.
    :param goal_time_s: Time after the end of the trajectory to get there, s.
    :param timeout_s: Longest time in which the reference stands still, s.
    :param progress_s: Time in which a joint must move with its reference, s; 0: not checked.
    """

    path: Vector
    path_velocity: Vector
    goal: Vector
    goal_velocity: Vector
    goal_time_s: float
    timeout_s: float
    progress_s: float


def tolerances_from_parameters(p: Parameters) -> Tolerances:
    """Take the tolerances of the parameters; 0 there means that nothing is checked."""
    n, c = len(p.joints), p.constraints
    return Tolerances(
        path=_checked([p.tolerances[joint].trajectory for joint in p.joints]),
        path_velocity=np.full(n, np.inf),
        goal=_checked([p.tolerances[joint].goal for joint in p.joints]),
        goal_velocity=_checked([c.stopped_velocity_tolerance] * n),
        goal_time_s=c.goal_time or math.inf,
        timeout_s=c.goal_timeout,
        progress_s=c.progress_time,
    )


def tolerances_of_goal(
    defaults: Tolerances,
    joints: tuple[str, ...],
    path: Iterable[JointTolerance] = (),
    goal: Iterable[JointTolerance] = (),
    goal_time_s: float = DEFAULT,
) -> Tolerances:
    """
    Put what a goal asks for over the defaults: 0 leaves the default, -1 takes the check away.

    :param path: On the way, :param goal: at the end; joints that are not named keep theirs.
    :param goal_time_s: Time after the end of the trajectory, s.
    :raises TrajectoryError: for any other negative number, and for one that is not finite.
    :raises JointNamesError: for a joint that is not ours or is named twice.
    """
    on_path = _replaced('path_tolerance', joints, path, defaults.path, defaults.path_velocity)
    at_goal = _replaced('goal_tolerance', joints, goal, defaults.goal, defaults.goal_velocity)
    return dataclasses.replace(
        defaults,
        path=on_path[0], path_velocity=on_path[1], goal=at_goal[0], goal_velocity=at_goal[1],
        goal_time_s=_chosen('goal_time_tolerance', defaults.goal_time_s, goal_time_s),
    )


def _checked(values: list[float]) -> Vector:
    return np.array([value if value > 0.0 else math.inf for value in values])


def _replaced(
    what: str,
    joints: tuple[str, ...],
    wanted: Iterable[JointTolerance],
    position: Vector,
    velocity: Vector,
) -> tuple[Vector, Vector]:
    position, velocity = position.copy(), velocity.copy()
    named: set[str] = set()
    for one in wanted:
        where = f'{what}, joint {one.name!r}'
        if one.name not in joints:
            raise JointNamesError(f'{where}: unknown, expected one of {", ".join(joints)}')
        if one.name in named:
            raise JointNamesError(f'{where}: named again, expected each joint once')
        named.add(one.name)
        k = joints.index(one.name)
        position[k] = _chosen(f'{where}, position', position[k], one.position)
        velocity[k] = _chosen(f'{where}, velocity', velocity[k], one.velocity)
        if one.acceleration not in (DEFAULT, NONE):
            raise TrajectoryError(
                f'{where}, acceleration: got {one.acceleration:g}, expected 0 or -1 '
                '(no acceleration is measured)'
            )
    return position, velocity


def _chosen(where: str, default: float, wanted: float) -> float:
    if wanted == DEFAULT:
        return float(default)
    if wanted == NONE:
        return math.inf
    if not 0.0 < wanted < math.inf:
        raise TrajectoryError(
            f'{where}: got {wanted:g}, expected 0 (the default), -1 (not checked) or a number > 0'
        )
    return wanted
