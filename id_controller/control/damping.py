"""Damping that a slow loop can bear: what a take-over brakes with."""
from __future__ import annotations

import numpy as np

from id_controller.model.limits import JointLimits
from id_controller.model.robot import RobotModel
from id_controller.model.sampling import sampled_positions
from id_controller.state import Vector

_SAMPLES = 24
_SHARE, _LARGEST = 0.35, 0.6


def bearable_damping(
    model: RobotModel, limits: JointLimits, wanted: Vector, period_s: float
) -> Vector:
    """
    Lower damping to what is stable when it acts once a period, one period late.

    With M v' = -D v sampled so, each mode has z^2 - z + k = 0, k being an eigenvalue of M^-1 D
    times the period: stable below 1, without overshoot below 1/4. Each joint gets at most a share
    of that for the least inertia that it has anywhere, and all together no more than the largest.

    :param wanted: Damping, shape (n,), N m s/rad or N s/m.
    :param period_s: Period of the loop, s.
    """
    inverses = [
        np.linalg.inv(model.mass_matrix(q)) for q in sampled_positions(limits, _SAMPLES)
    ]
    least = np.min([1.0 / np.diag(inverse) for inverse in inverses], axis=0)
    damping = np.minimum(wanted, _SHARE * least / period_s)
    fastest = max(
        float(np.linalg.eigvals(inverse * damping).real.max()) for inverse in inverses
    )
    return np.asarray(damping * min(1.0, _LARGEST / max(period_s * fastest, 1e-12)))
