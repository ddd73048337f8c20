"""
Gains for a robot that came with none: a stated bandwidth on the inertia that each joint feels.

With tau = Kp e + Kd de on an inertia M, Kp = M w^2 and Kd = 2 M w place both poles at -w
(critical damping; Siciliano et al., Robotics, section 8.3). A sampled derivative gain is stable
only while Kd dt / M stays small for the *smallest* M, so M is cut down where it varies too much.
"""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from id_controller.control.configuration import Configuration
from id_controller.model.stability import smallest_inertias
from id_controller.state import Vector

BANDWIDTH_HZ = 5.0
DAMPING_BAR = 0.25
# Speeding up nothing but its rotor, a drive of an arm reaches some 500 rad/s^2.
ROTOR_ACCELERATION = 500.0


def derived_gains(
    inertia: Vector, smallest: Vector, period_s: float, bandwidth_hz: float = BANDWIDTH_HZ
) -> tuple[Vector, Vector]:
    """
    Choose proportional and derivative gains.

    :param inertia: Inertia that each joint typically moves, shape (n,), kg m^2 or kg.
    :param smallest: Smallest inertia that each joint feels, the others free, shape (n,).
    :param period_s: Control period.
    :return: Kp in N m/rad and Kd in N m s/rad, shape (n,) each.
    """
    w = 2.0 * math.pi * bandwidth_hz
    counted = np.minimum(inertia, DAMPING_BAR * smallest / (2.0 * w * period_s))
    return counted * w**2, 2.0 * counted * w


def has_gains(configuration: Configuration) -> bool:
    """Tell whether any joint has a gain that acts on torque."""
    return any(one.p or one.d for one in configuration.parameters.gains.values())


def with_rotors(flat: dict[str, Any], configuration: Configuration) -> dict[str, Any]:
    """
    Add rotor inertias to parameters that have none, in proportion to the effort limits.

    Descriptions leave them out, but no geared arm is without: they are most of what a wrist feels.

    :param flat: Parameters by full name.
    :param configuration: What they make of the robot.
    """
    if any(one.value for one in configuration.parameters.armature.values()):
        return flat
    limits = zip(configuration.model.joints, configuration.limits.effort)
    added = {
        f'armature.{joint}': float(f'{effort / ROTOR_ACCELERATION:.3g}')
        for joint, effort in limits
        if math.isfinite(effort)
    }
    return {**flat, **added}


def with_gains(flat: dict[str, Any], configuration: Configuration) -> dict[str, Any]:
    """
    Add derived gains to parameters that have none.

    :param flat: Parameters by full name.
    :param configuration: What they make of the robot.
    """
    inertias = smallest_inertias(configuration.model, configuration.limits)
    typical = np.sqrt(inertias.held * inertias.held_most)
    kp, kd = derived_gains(typical, inertias.free, configuration.period_s)
    added: dict[str, Any] = {}
    for joint, p, d in zip(configuration.model.joints, kp, kd):
        added[f'gains.{joint}.p'] = float(f'{p:.3g}')
        added[f'gains.{joint}.d'] = float(f'{d:.3g}')
    return {**flat, **added}
