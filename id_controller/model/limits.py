"""The limits that the controller keeps, from the description, overrides and a stated policy."""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from id_controller.errors import ModelError
from id_controller.model.elements import Description, JointDescription
from id_controller.model.followers import followers
from id_controller.model.names import nearest
from id_controller.state import Vector

EFFORT_POLICIES = ('refuse', 'unlimited', 'zero')


@dataclass(frozen=True, kw_only=True, slots=True)
class JointLimits:
    """
    Limits in controller joint order, shape (n,) each.

    :param lower: Lower position limit, rad or m; -inf where there is none.
    :param upper: Upper position limit; inf where there is none.
    :param velocity: Velocity limit, > 0; inf where there is none.
    :param effort: Effort limit, >= 0; inf where there is none.
    :param warnings: What a person should know about how they came to be.
    """

    lower: Vector
    upper: Vector
    velocity: Vector
    effort: Vector
    warnings: tuple[str, ...] = ()


def joint_limits(
    description: Description,
    joints: Sequence[str],
    effort_overrides: Mapping[str, float] | None = None,
    velocity_overrides: Mapping[str, float] | None = None,
    policy: str = 'refuse',
) -> JointLimits:
    """
    Collect the limits of the controlled joints.

    An effort of 0 is no number to guess about: it was written for "unknown" as often as for
    "none" (URDF up to 1.1 reads a missing one as 0, from 1.2 as infinite).

    :param effort_overrides: Effort limits that win over the description, where > 0.
    :param velocity_overrides: Velocity limits that win over the description, where > 0.
    :param policy: What an effort that is 0, negative or missing means: ``refuse``,
        ``unlimited`` or ``zero``.
    :raises ModelError: naming the joint, what was got and what was expected.
    """
    if policy not in EFFORT_POLICIES:
        raise ModelError(
            f"effort_limit_policy: got '{policy}'; {nearest(policy, EFFORT_POLICIES)}"
        )
    warnings: list[str] = []
    rows = []
    for name in joints:
        joint = find_joint(description, name)
        lower, upper = _positions(joint, warnings)
        lower, upper = _within_followers(description, joint, lower, upper, warnings)
        velocity = _velocity(joint, (velocity_overrides or {}).get(name, 0.0), warnings)
        effort = _effort(joint, (effort_overrides or {}).get(name, 0.0), policy, warnings)
        rows.append((lower, upper, velocity, effort))
        if joint.k_velocity == 0.0:
            warnings.append(
                f"joint '{name}': its safety_controller has k_velocity 0: hardware that obeys it "
                'gives this joint no effort at all'
            )
    columns = np.array(rows, float).reshape(-1, 4).T.copy()
    columns.flags.writeable = False
    return JointLimits(
        lower=columns[0], upper=columns[1], velocity=columns[2], effort=columns[3],
        warnings=tuple(warnings),
    )


def joint_friction(description: Description, joints: Sequence[str]) -> tuple[Vector, Vector]:
    """
    Collect damping and Coulomb friction of the ``<dynamics>`` tags.

    The friction of a follower acts on its leader, by the square and the size of its ratio.

    :return: Damping in N m s/rad (N s/m) and friction in N m (N), shape (n,) each.
    """
    damping = {joint.name: joint.damping for joint in description.joints}
    friction = {joint.name: joint.friction for joint in description.joints}
    for name, rule in followers(description).items():
        damping[rule.joint] += rule.multiplier**2 * damping[name]
        friction[rule.joint] += abs(rule.multiplier) * friction[name]
    return (
        np.array([max(damping[name], 0.0) for name in joints]),
        np.array([max(friction[name], 0.0) for name in joints]),
    )


def find_joint(description: Description, name: str) -> JointDescription:
    """
    Find a joint of the description.

    :raises ModelError: when there is none of that name; names the nearest.
    """
    for joint in description.joints:
        if joint.name == name:
            return joint
    movable = [joint.name for joint in description.joints if joint.kind != 'fixed']
    raise ModelError(
        f"joint '{name}': the robot description has no such joint; {nearest(name, movable)}"
    )


def _positions(joint: JointDescription, warnings: list[str]) -> tuple[float, float]:
    lower, upper = joint.limits.lower, joint.limits.upper
    if joint.kind == 'continuous':
        return -math.inf, math.inf
    if lower is None and upper is None:
        warnings.append(f"joint '{joint.name}': it has no position limits")
        return -math.inf, math.inf
    if lower is None or upper is None:
        missing = 'lower' if lower is None else 'upper'
        warnings.append(f"joint '{joint.name}': its {missing} limit is not written: 0, as in URDF")
    lower, upper = lower or 0.0, upper or 0.0
    if not lower < upper:
        raise ModelError(
            f"joint '{joint.name}': got position limits {lower:g} to {upper:g}, expected lower < "
            'upper'
        )
    return lower, upper


def _ends(joint: JointDescription) -> tuple[float, float]:
    """Position limits as written, infinite where that makes no range."""
    lower, upper = joint.limits.lower, joint.limits.upper
    if joint.kind == 'continuous' or lower is None or upper is None or not lower < upper:
        return -math.inf, math.inf
    return lower, upper


def _within_followers(
    description: Description,
    joint: JointDescription,
    lower: float,
    upper: float,
    warnings: list[str],
) -> tuple[float, float]:
    """Narrow the range of a leader to what its followers can do."""
    for name, rule in followers(description).items():
        if rule.joint != joint.name or rule.multiplier == 0.0:
            continue
        ends = _ends(find_joint(description, name))
        low, high = sorted((end - rule.offset) / rule.multiplier for end in ends)
        low, high = max(low, lower), min(high, upper)
        if not low < high:
            warnings.append(
                f"joint '{joint.name}': its follower '{name}' leaves it no position inside the "
                'limits of both: those of the follower are ignored'
            )
            continue
        # Ratios are written with few digits: a hair of difference is no news.
        if low > lower + 1e-4 or high < upper - 1e-4:
            warnings.append(
                f"joint '{joint.name}': its range is narrowed to what its follower '{name}' can "
                f'do: {low:g} to {high:g}'
            )
        lower, upper = low, high
    return lower, upper


def _velocity(joint: JointDescription, override: float, warnings: list[str]) -> float:
    if override > 0.0:
        return override
    written = joint.limits.velocity
    if written is not None and written < 0.0:
        warnings.append(
            f"joint '{joint.name}': got velocity limit {written:g}, expected > 0: taken as none"
        )
    elif not written:
        text = 'not written' if written is None else '0'
        warnings.append(f"joint '{joint.name}': its velocity limit is {text}: taken as none")
    return written if written is not None and written > 0.0 else math.inf


def _effort(joint: JointDescription, override: float, policy: str, warnings: list[str]) -> float:
    written = joint.limits.effort
    got = 'no effort limit' if written is None else f'effort limit {written:g}'
    if written is not None and written < 0.0:
        warnings.append(f"joint '{joint.name}': got {got}, expected > 0 (a sign error?)")
    if override > 0.0:
        return override
    if written is not None and written > 0.0:
        return written
    if policy == 'refuse':
        raise ModelError(
            f"joint '{joint.name}': got {got} in the robot description, expected > 0; give "
            f'effort_limits.{joint.name}, or say by effort_limit_policy what it means (unlimited '
            'or zero)'
        )
    taken = 'no limit' if policy == 'unlimited' else 'no effort at all'
    warnings.append(f"joint '{joint.name}': got {got}: taken as {taken} (effort_limit_policy)")
    return math.inf if policy == 'unlimited' else 0.0
