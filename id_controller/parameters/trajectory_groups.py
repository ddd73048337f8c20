"""The groups of the schema that are about motions: their limits and tolerances."""
from __future__ import annotations

from dataclasses import dataclass

from id_controller.parameters.fields import option


@dataclass(frozen=True, kw_only=True, slots=True)
class VelocityLimit:
    """Velocity limit of one joint."""

    value: float = option(
        0.0, 'Velocity limit; 0: the limit of the URDF.', unit='rad/s', lower=0.0, live=True
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class AccelerationLimit:
    """Acceleration limit of one joint."""

    value: float = option(
        0.0, 'Largest acceleration of a trajectory; 0: not checked.', unit='rad/s^2', lower=0.0,
        live=True,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class JointConstraints:
    """Tolerances of one joint."""

    trajectory: float = option(
        0.2, 'Largest tracking error before a fault; 0: not checked.', unit='rad', lower=0.0,
        live=True,
    )
    goal: float = option(
        0.05, 'Largest error at the end of an action goal; 0: not checked.', unit='rad',
        lower=0.0, live=True,
    )
    max_deceleration_on_cancel: float = option(
        0.0, 'Deceleration of a hold or a stop; 0: acceleration_limits.<joint>, else four times '
        'the velocity limit per second.', unit='rad/s^2', lower=0.0, live=True,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Constraints:
    """Tolerances over all joints."""

    stopped_velocity_tolerance: float = option(
        0.01, 'Speed that counts as standing still.', unit='rad/s', lower=0.0, live=True
    )
    goal_time: float = option(
        2.0, 'Time after the end of its trajectory in which an action goal must be within its '
        'tolerances; 0: goal_timeout alone counts.', unit='s', lower=0.0, live=True,
    )
    goal_timeout: float = option(
        30.0, 'An action goal whose reference has stood still for this long is aborted.',
        unit='s', lower=0.1, live=True,
    )
    progress_time: float = option(
        1.0, 'Time in which a joint whose reference moves must move too, or the action goal is '
        'aborted; 0: not checked.', unit='s', lower=0.0, live=True,
    )
    position_limit_tolerance: float = option(
        0.1, 'How far a measured position may lie outside its limits before a fault.',
        unit='rad', lower=0.0, live=True,
    )
    over_speed_factor: float = option(
        1.5, 'Measured speed over the velocity limit that is a fault; 0: not checked.',
        lower=0.0, live=True,
    )
    position_jump: float = option(
        0.2, 'Change of a measured position from one state to the next that is a fault; 0: not '
        'checked.', unit='rad', lower=0.0, live=True,
    )
    saturation_time: float = option(
        2.0, 'Time for which an effort may be at its limit before a fault; 0: not checked.',
        unit='s', lower=0.0, live=True,
    )
