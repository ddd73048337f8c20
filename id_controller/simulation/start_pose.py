"""Where the robot stands at the start: inside its limits, which zero often is not."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from id_controller.errors import SimulationError
from id_controller.state import Vector

# Share of the range that zero must keep from either limit to be taken.
MARGIN = 0.1


def start_pose(lower: Vector, upper: Vector) -> Vector:
    """
    Choose a pose: zero where it is well inside the range, else the middle of the range.

    :param lower: Lower limits, shape (n,), -inf for none, rad or m.
    :param upper: Upper limits, shape (n,), inf for none, rad or m.
    :returns: Positions, shape (n,), rad or m.
    """
    pose = np.zeros(lower.size)
    for i, (low, high) in enumerate(zip(lower, upper)):
        if np.isfinite(low) and np.isfinite(high):
            margin = MARGIN * (high - low)
            inside = low + margin <= 0.0 <= high - margin
            pose[i] = 0.0 if inside else 0.5 * (low + high)
        else:
            pose[i] = min(max(0.0, low), high)
    return pose


def given_pose(
    joints: Sequence[str], positions: Sequence[float], lower: Vector, upper: Vector
) -> Vector:
    """
    Take a pose that was asked for.

    :param positions: One for each joint, in the order of ``joints``, rad or m.
    :raises SimulationError: when the number is wrong or one lies outside its limits.
    """
    if len(positions) != len(joints):
        raise SimulationError(
            f'start_positions: got {len(positions)} numbers, expected {len(joints)}, '
            f'one for each of {", ".join(joints)}'
        )
    for joint, q, low, high in zip(joints, positions, lower, upper):
        if not low <= q <= high:
            raise SimulationError(
                f'start_positions: {joint}: got {q:g}, expected {low:g} to {high:g}'
            )
    return np.array(positions, dtype=np.float64)
