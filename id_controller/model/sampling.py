"""Positions drawn from the whole range of a robot."""
from __future__ import annotations

import numpy as np

from id_controller.model.limits import JointLimits
from id_controller.state import Matrix


def sampled_positions(limits: JointLimits, count: int, seed: int = 0) -> Matrix:
    """
    Draw positions evenly between the limits; where there are none, in one turn (or +-pi m).

    :param count: How many.
    :param seed: The same seed gives the same positions.
    :return: Positions, shape (count, n), rad or m.
    """
    lower = np.where(np.isfinite(limits.lower), limits.lower, -np.pi)
    upper = np.where(np.isfinite(limits.upper), limits.upper, np.pi)
    # With one open end the range reaches one turn beyond the other.
    lower = np.where(np.isneginf(limits.lower) & (upper <= lower), upper - 2.0 * np.pi, lower)
    upper = np.where(np.isposinf(limits.upper) & (upper <= lower), lower + 2.0 * np.pi, upper)
    share = np.random.default_rng(seed).random((count, len(lower)))
    positions: Matrix = lower + share * (upper - lower)
    return positions
