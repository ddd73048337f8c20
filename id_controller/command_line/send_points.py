"""From what was asked for to the points of a trajectory."""
from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from id_controller.command_line.send_facts import Situation
from id_controller.command_line.send_files import load_points
from id_controller.command_line.send_options import SendOptions
from id_controller.errors import TrajectoryError
from id_controller.model.names import nearest
from id_controller.state import Vector
from id_controller.trajectory.motions import MOTIONS
from id_controller.trajectory.points import JointPoints
from id_controller.trajectory.spline import QUINTIC_PEAK

SHORTEST_WAY_S = 1.0
WAY_SHARE = 0.3
"""Share of the velocity limits that a way takes for which no time was given."""
LEAD_S = 0.5
"""Time from the reference in force to the first point of a motion."""
LONGEST_FADE_S = 2.0


def wanted_points(options: SendOptions, situation: Situation) -> JointPoints:
    """
    Make the points of a trajectory.

    :raises TrajectoryError: when what was asked for cannot be.
    """
    if options.file is not None:
        return load_points(options.file)
    if options.what == 'motion':
        return _motion_points(options, situation)
    return _pose_points(options, situation)


def way_duration(way: Vector, velocity: Vector, shortest_s: float) -> float:
    """
    Choose the time of a way from rest to rest.

    :param way: How far each joint goes, shape (n,).
    :param velocity: Velocity limits, shape (n,).
    """
    limit = WAY_SHARE * velocity
    needed = np.divide(np.abs(way), limit, out=np.zeros_like(way), where=limit > 0.0)
    return float(max(shortest_s, QUINTIC_PEAK * needed.max(initial=0.0)))


def _pose_points(options: SendOptions, situation: Situation) -> JointPoints:
    """One point of all joints: those that are not named stay where the reference is."""
    joints, q_now = situation.joints, situation.reference.q
    q = q_now.copy()
    named: set[str] = set()
    for joint, value in options.pose:
        if joint not in joints:
            raise TrajectoryError(f'{joint}={value:g}: no such joint; {nearest(joint, joints)}')
        if joint in named:
            raise TrajectoryError(f'{joint}={value:g}: got {joint} again, expected it once')
        named.add(joint)
        at = joints.index(joint)
        turns = options.degrees and situation.units[at] == 'rad'
        q[at] = np.radians(value) if turns else value
    duration_s = options.time
    if duration_s is None:
        velocity = situation.configuration.limits.velocity
        duration_s = way_duration(q - q_now, velocity, SHORTEST_WAY_S)
    return JointPoints(joints=joints, times=np.array([duration_s]), q=q[np.newaxis])


def _motion_points(options: SendOptions, situation: Situation) -> JointPoints:
    further: dict[str, Any] = {}
    if options.motion == 'sine' and options.duration is not None:
        fade_s = min(LONGEST_FADE_S, 0.25 * options.duration)
        further = {'duration_s': options.duration, 'fade_s': fade_s}
    points = MOTIONS[options.motion](
        situation.joints, situation.configuration.limits, situation.reference.q,
        fraction=options.fraction, acceleration=_accelerations(situation), **further,
    )
    if options.motion != 'sine' and options.duration is not None:
        points = _slower(points, options.motion, options.duration)
    return dataclasses.replace(points, times=points.times + LEAD_S)


def _accelerations(situation: Situation) -> Vector:
    """Limits that the controller checks; where it has none, 0, there are none."""
    given = situation.configuration.rules().acceleration
    return np.where(given > 0.0, given, np.inf)


def _slower(points: JointPoints, motion: str, duration_s: float) -> JointPoints:
    """Stretch a motion that is at rest in each of its points."""
    least = float(points.times[-1])
    if duration_s < least:
        raise TrajectoryError(
            f'{motion}: got a duration of {duration_s:g} s, expected at least {least:.3g} s '
            'for this fraction of the limits; give a smaller --fraction'
        )
    if least == 0.0:
        return points
    return dataclasses.replace(points, times=points.times * (duration_s / least))
