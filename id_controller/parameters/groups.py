"""The groups of the schema: parameters that belong together."""
from __future__ import annotations

import math
from dataclasses import dataclass

from id_controller.errors import ParameterError
from id_controller.parameters.fields import option

OUTPUT_TYPES = ('forward_command', 'joint_force', 'joint_state')
OUTPUT_FIELDS = ('effort', 'effort_position', 'impedance')


def _check_clamps(gains: Gains | AccelerationGains) -> None:
    """A clamp that turns around, or that shuts zero out, is a mistake and not a wish."""
    for clamp in ('i_clamp', 'u_clamp'):
        low, high = getattr(gains, f'{clamp}_min'), getattr(gains, f'{clamp}_max')
        if not low <= 0.0 <= high:
            raise ParameterError(
                f'{clamp}_min, {clamp}_max: got {low:g}, {high:g}, expected min <= 0 <= max'
            )


@dataclass(frozen=True, kw_only=True, slots=True)
class Gains:
    """PID gains of one joint; they act on torque."""

    p: float = option(0.0, 'Proportional gain.', unit='N m/rad', lower=0.0, live=True)
    i: float = option(0.0, 'Integral gain.', unit='N m/(rad s)', lower=0.0, live=True)
    d: float = option(0.0, 'Derivative gain.', unit='N m s/rad', lower=0.0, live=True)
    i_clamp_max: float = option(math.inf, 'Largest integral term.', unit='N m', live=True)
    i_clamp_min: float = option(-math.inf, 'Smallest integral term.', unit='N m', live=True)
    u_clamp_max: float = option(math.inf, 'Largest feedback (P+I+D).', unit='N m', live=True)
    u_clamp_min: float = option(-math.inf, 'Smallest feedback (P+I+D).', unit='N m', live=True)

    def __post_init__(self) -> None:
        _check_clamps(self)


@dataclass(frozen=True, kw_only=True, slots=True)
class AccelerationGains:
    """PID gains of one joint for ``computed_torque``; they act on acceleration."""

    p: float = option(0.0, 'Proportional gain.', unit='1/s^2', lower=0.0, live=True)
    i: float = option(0.0, 'Integral gain.', unit='1/s^3', lower=0.0, live=True)
    d: float = option(0.0, 'Derivative gain.', unit='1/s', lower=0.0, live=True)
    i_clamp_max: float = option(math.inf, 'Largest integral term.', unit='rad/s^2', live=True)
    i_clamp_min: float = option(-math.inf, 'Smallest integral term.', unit='rad/s^2', live=True)
    u_clamp_max: float = option(math.inf, 'Largest feedback.', unit='rad/s^2', live=True)
    u_clamp_min: float = option(-math.inf, 'Smallest feedback.', unit='rad/s^2', live=True)

    def __post_init__(self) -> None:
        _check_clamps(self)


@dataclass(frozen=True, kw_only=True, slots=True)
class JointFriction:
    """Friction of one joint that the feedforward makes up for."""

    viscous: float = option(
        -1.0, 'Viscous friction; -1: the damping of the URDF.', unit='N m s/rad', live=True
    )
    coulomb: float = option(
        -1.0, 'Coulomb friction; -1: the friction of the URDF.', unit='N m', live=True
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class EffortLimit:
    """Effort limit of one joint."""

    value: float = option(
        0.0, 'Effort limit; 0: the limit of the URDF.', unit='N m', lower=0.0, live=True
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class EffortRate:
    """Rate limit of the effort of one joint."""

    value: float = option(
        0.0, 'Largest change of the effort; 0: 20 times the effort limit, per second.',
        unit='N m/s', lower=0.0, live=True,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Armature:
    """Reflected rotor inertia of one joint."""

    value: float = option(
        0.0, 'Reflected rotor inertia (gear ratio squared times rotor inertia).',
        unit='kg m^2', lower=0.0,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Payload:
    """A body fixed to a frame of the robot."""

    frame: str = option('', 'Link that carries the payload; empty: none.')
    mass: float = option(0.0, 'Mass.', unit='kg', lower=0.0, live=True)
    com: tuple[float, ...] = option(
        (0.0, 0.0, 0.0), 'Centre of mass in the frame.', unit='m', length=3, live=True
    )
    inertia: tuple[float, ...] = option(
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
        'Inertia about the centre of mass: ixx, ixy, ixz, iyy, iyz, izz.',
        unit='kg m^2', length=6, live=True,
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class SoftLimits:
    """Springs with damping at the position limits."""

    margin: float = option(
        0.05, 'Width of the spring inside a position limit, at most a twentieth of the '
        'range; 0: no springs.', unit='rad',
        lower=0.0, live=True,
    )
    scale: float = option(
        1.0, 'Spring and damper as a multiple of gains.<joint>.p and d.', lower=0.0, live=True
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class VelocityFilter:
    """First-order low pass on the measured velocity."""

    cutoff: float = option(
        0.0, 'Cut-off frequency; 0: no filter.', unit='Hz', lower=0.0, live=True
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class Output:
    """Where commands go."""

    type: str = option(
        'forward_command', 'Kind of command message; joint_force is for ApplyJointForce of '
        'Gazebo, which must not run beside gz_ros2_control: one effort path only.',
        choices=OUTPUT_TYPES,
    )
    controller: str = option('effort_controller', 'Name of the controller that takes commands.')
    topic: str = option(
        '', 'Command topic; {joint} stands for a joint; empty: by output.type and controller.'
    )
    fields: str = option('effort', 'What a command holds.', choices=OUTPUT_FIELDS)


@dataclass(frozen=True, kw_only=True, slots=True)
class BlackBoxFiles:
    """Files with the last seconds of ticks, written at each fault."""

    folder: str = option('', 'Where they go; empty: id_controller in the log folder of ROS.')
    files: int = option(20, 'How many are kept; 0: none is written.', lower=0, upper=10000)
