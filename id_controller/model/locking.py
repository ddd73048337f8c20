"""Where the joints that are not controlled stand."""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from id_controller.errors import ModelError
from id_controller.model.elements import DRIVEN_KINDS, Description
from id_controller.model.followers import followers
from id_controller.model.limits import find_joint


def locked_positions(
    description: Description, joints: Sequence[str], given: Mapping[str, float]
) -> dict[str, float]:
    """
    List every joint that does not move, with its position.

    :param joints: The controlled joints; they and their followers move.
    :param given: Positions of some others, rad or m; the rest stands at 0. Followers of a locked
        joint stand where their rule puts them.
    :raises ModelError: when a given joint is unknown, controlled, a follower or not movable.
    """
    rules = followers(description)
    for name, position in given.items():
        _check(description, joints, name, position)
        if name in rules:
            raise ModelError(
                f"locked joint '{name}': it follows joint '{rules[name].joint}' (mimic); lock "
                'that one'
            )
    positions = {}
    for joint in description.joints:
        rule = rules.get(joint.name)
        if joint.kind == 'fixed' or joint.name in joints or (rule and rule.joint in joints):
            continue
        if rule is None:
            positions[joint.name] = float(given.get(joint.name, 0.0))
        else:
            positions[joint.name] = rule.multiplier * given.get(rule.joint, 0.0) + rule.offset
    return positions


def outside_limits(description: Description, positions: Mapping[str, float]) -> list[str]:
    """List the locked joints that stand outside their position limits, one sentence each."""
    warnings = []
    for name, position in positions.items():
        joint = find_joint(description, name)
        lower, upper = joint.limits.lower, joint.limits.upper
        if joint.kind == 'continuous' or lower is None or upper is None or lower >= upper:
            continue
        if not lower - 1e-9 <= position <= upper + 1e-9:
            warnings.append(
                f"joint '{name}': it is locked at {position:g}, outside its limits {lower:g} to "
                f'{upper:g} (locked_joints, locked_positions)'
            )
    return warnings


def _check(
    description: Description, joints: Sequence[str], name: str, position: float
) -> None:
    joint = find_joint(description, name)
    if name in joints:
        raise ModelError(f"locked joint '{name}': it is controlled, so it cannot be locked")
    if joint.kind not in DRIVEN_KINDS:
        raise ModelError(
            f"locked joint '{name}': got type {joint.kind}, expected one of "
            f'{", ".join(DRIVEN_KINDS)}'
        )
    if not math.isfinite(position):
        raise ModelError(f"locked joint '{name}': got position {position}, expected a number")
