"""
The live settings of a controller: what may change between two ticks, all at once.

A ``Settings`` is built by the host from validated parameters, crosses the mailbox as one
fixed-size record and is swapped in whole. Arrays are in controller joint order, shape (n,).
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from id_controller.errors import ParameterError
from id_controller.parameters.groups import AccelerationGains, Gains
from id_controller.parameters.schema import Parameters
from id_controller.state import Vector

RATE_PER_LIMIT = 20.0
"""Default rate limit of an effort over its limit, 1/s."""
DECELERATION_PER_LIMIT = 4.0
"""Default deceleration of a stop over the velocity limit, 1/s."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PidGains:
    """
    Gains of one PID, shape (n,) each.

    :param p: Proportional, :param i: integral, :param d: derivative gain, all >= 0.
    :param i_max: Upper and :param i_min: lower clamp of the integral term.
    :param u_max: Upper and :param u_min: lower clamp of the sum of the three.
    """

    p: Vector
    i: Vector
    d: Vector
    i_min: Vector
    i_max: Vector
    u_min: Vector
    u_max: Vector


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """
    Everything a tick needs beside the model, the state and the trajectory.

    Torque limits in N m, rates in N m/s, velocities in rad/s, decelerations in rad/s^2, tolerances
    in rad, times in s. A tolerance or a factor of 0 switches its check off, decelerations of 0
    make a stop immediate; limits may be infinite, never nan.
    """

    control_mode: str
    gains: PidGains
    acceleration_gains: PidGains
    effort_limit: Vector
    max_effort_rate: Vector
    velocity_limit: Vector
    deceleration: Vector
    lower: Vector
    upper: Vector
    viscous: Vector
    coulomb: Vector
    friction_velocity: float
    velocity_cutoff_hz: float
    soft_margin: float
    soft_scale: float
    tracking_tolerance: Vector
    position_limit_tolerance: float
    over_speed_factor: float
    position_jump: float
    saturation_time_s: float
    state_timeout_s: float
    ramp_time_s: float
    speed_scaling: float
    cmd_timeout_s: float
    gravity: Vector
    payload_mass: float
    payload_com: Vector
    payload_inertia: Vector
    on_fault: str
    on_exit: str
    overrun_policy: str
    overrun_window_s: float
    overrun_min_rate: float
    overrun_max_consecutive: float
    overrun_max_age_s: float
    overrun_recovery_s: float


def _pid(groups: dict[str, Any], joints: tuple[str, ...], empty: Any) -> PidGains:
    def column(name: str) -> Vector:
        return np.array([getattr(groups.get(joint, empty), name) for joint in joints], float)

    return PidGains(
        p=column('p'), i=column('i'), d=column('d'),
        i_min=column('i_clamp_min'), i_max=column('i_clamp_max'),
        u_min=column('u_clamp_min'), u_max=column('u_clamp_max'),
    )


def settings_from_parameters(
    parameters: Parameters,
    *,
    lower: Vector,
    upper: Vector,
    velocity: Vector,
    effort: Vector,
    damping: Vector,
    friction: Vector,
) -> Settings:
    """
    Build settings from parameters and what the robot description says of each joint.

    :param lower: Lower and :param upper: upper position limit, infinite where there is none.
    :param velocity: Velocity limit and :param effort: effort limit, after the overrides.
    :param damping: Viscous and :param friction: Coulomb friction of the description.
    :raises ParameterError: when a joint has neither an effort limit nor a rate limit.
    """
    p, joints = parameters, parameters.joints
    viscous = np.array([_one(p.friction, joint, 'viscous', -1.0) for joint in joints])
    coulomb = np.array([_one(p.friction, joint, 'coulomb', -1.0) for joint in joints])
    modelled = 0.0 if 'friction' in p.hardware_compensates else 1.0
    return Settings(
        gains=_pid(p.gains, joints, Gains()),
        acceleration_gains=_pid(p.acceleration_gains, joints, AccelerationGains()),
        effort_limit=effort,
        max_effort_rate=_effort_rates(p, effort),
        velocity_limit=velocity,
        deceleration=_decelerations(p, velocity),
        lower=lower,
        upper=upper,
        viscous=modelled * np.where(viscous < 0.0, damping, viscous),
        coulomb=modelled * np.where(coulomb < 0.0, friction, coulomb),
        tracking_tolerance=np.array(
            [_one(p.tolerances, joint, 'trajectory', 0.2) for joint in joints]
        ),
        **_taken_over(p),
    )


def _effort_rates(p: Parameters, effort: Vector) -> Vector:
    """There is always one: without it a change of mode or gains would be a step."""
    given = np.array([_one(p.max_effort_rate, joint) for joint in p.joints])
    rates = np.where(given > 0.0, given, RATE_PER_LIMIT * effort)
    for joint, rate in zip(p.joints, rates):
        if not np.isfinite(rate):
            raise ParameterError(
                f'max_effort_rate.{joint}: got none and no effort limit to take it from, '
                'expected a rate > 0'
            )
    return rates


def _decelerations(p: Parameters, velocity: Vector) -> Vector:
    """How hard a stop brakes; 0 where it does not."""
    if not p.decelerate_on_cancel:
        return np.zeros_like(velocity)
    given = np.array([_one(p.tolerances, j, 'max_deceleration_on_cancel') for j in p.joints])
    limit = np.array([_one(p.acceleration_limits, joint) for joint in p.joints])
    limit = np.where(limit > 0.0, limit, DECELERATION_PER_LIMIT * velocity)
    return np.where(given > 0.0, given, limit)


def _taken_over(p: Parameters) -> dict[str, Any]:
    """Settings that are parameters as they are."""
    return {
        'control_mode': p.control_mode,
        'friction_velocity': p.friction_velocity,
        'velocity_cutoff_hz': p.velocity_filter.cutoff,
        'soft_margin': p.soft_limits.margin,
        'soft_scale': p.soft_limits.scale,
        'state_timeout_s': p.state_timeout,
        'ramp_time_s': p.ramp_time,
        'speed_scaling': p.speed_scaling,
        'cmd_timeout_s': p.cmd_timeout,
        'gravity': np.array(p.gravity, float),
        'payload_mass': p.payload.mass,
        'payload_com': np.array(p.payload.com, float),
        'payload_inertia': np.array(p.payload.inertia, float),
        'on_fault': p.on_fault,
        'on_exit': p.on_exit,
        **_thresholds(p),
    }


def _thresholds(p: Parameters) -> dict[str, Any]:
    c, o = p.constraints, p.overruns
    return {
        'position_limit_tolerance': c.position_limit_tolerance,
        'over_speed_factor': c.over_speed_factor,
        'position_jump': c.position_jump,
        'saturation_time_s': c.saturation_time,
        'overrun_policy': o.policy,
        'overrun_window_s': o.window,
        'overrun_min_rate': o.min_rate,
        'overrun_max_consecutive': o.max_consecutive,
        'overrun_max_age_s': o.max_state_age or 0.5 * p.state_timeout,
        'overrun_recovery_s': o.recovery_time,
    }


def _one(groups: dict[str, Any], joint: str, name: str = 'value', default: float = 0.0) -> float:
    return float(getattr(groups[joint], name)) if joint in groups else default
