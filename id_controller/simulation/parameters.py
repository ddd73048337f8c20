"""
The parameters of the simulator, once, made as those of the controller are.

Names that the controller has too mean the same here, so that one file for both makes a plant that
is exactly as the controller thinks; ``realism`` departs from that.
"""
from __future__ import annotations

import math
from dataclasses import dataclass, field

from id_controller.errors import ParameterError
from id_controller.parameters.fields import option, per_joint
from id_controller.parameters.groups import Armature, JointFriction, Output, Payload
from id_controller.simulation.drive import LOSS_ACTIONS
from id_controller.simulation.engine import INTEGRATORS
from id_controller.simulation.realism import Realism
from id_controller.simulation.settings import PlantSettings

# Below it, neither signals nor services would be answered in time.
LEAST_WALL_RATE = 5
LOCKSTEP_TRIES = 10


@dataclass(frozen=True, kw_only=True, slots=True)
class Departures:
    """How the plant departs from what the controller is told of it."""

    mass_scale: float = option(1.0, 'Factor on the mass of every link.', lower=0.01, upper=100.0)
    mass_error: float = option(
        0.0, 'Largest relative error of the mass of a link, drawn for each link.',
        lower=0.0, upper=0.9,
    )
    payload: Payload = field(default_factory=Payload)
    command_delay: float = option(
        0.0, 'Time from the arrival of a command to its effect.', unit='s', lower=0.0, upper=1.0
    )
    velocity_noise: float = option(
        0.0, 'Standard deviation of measured velocities.', unit='rad/s', lower=0.0
    )

    def __post_init__(self) -> None:
        check_payload(self.payload)


def check_payload(payload: Payload) -> None:
    """
    Check that a payload has a place.

    :raises ParameterError: when it has none.
    """
    if payload.mass > 0.0 and not payload.frame:
        raise ParameterError(
            f'payload.frame: got none, expected the link that carries {payload.mass:g} kg'
        )


@dataclass(frozen=True, kw_only=True, slots=True)
class SimulatorParameters:
    """All parameters of the simulator."""

    joints: tuple[str, ...] = option((), 'Joints that move, in the order of the commands.')
    robot_description: str = option('', 'URDF text; empty: from the file.')
    robot_description_file: str = option('', 'URDF or xacro file.')
    state_rate: int = option(1000, 'Rate of joint_states.', unit='Hz', lower=1, upper=4000)
    physics_step: float = option(
        0.00025, 'Longest step of the physics; the state period holds a whole number of steps.',
        unit='s', lower=0.00001, upper=0.02,
    )
    integrator: str = option('implicitfast', 'Integrator of MuJoCo.', choices=INTEGRATORS)
    lockstep: bool = option(
        False, 'Wait after each state for the command that was computed from it.'
    )
    lockstep_timeout: float = option(
        0.1, 'Wall time without a command after which a state is sent again.', unit='s',
        lower=0.001, upper=10.0,
    )
    real_time_factor: float = option(
        1.0, 'Speed of simulated time where it is not led by commands.', lower=0.01, upper=100.0
    )
    publish_clock: bool = option(False, 'Publish /clock and stamp states with simulated time.')
    clock_rate: int = option(
        1000, 'Rate of /clock in simulated time, at most state_rate.', unit='Hz', lower=1,
        upper=4000,
    )
    shuffle: bool = option(False, 'Send the joints in a new random order in each message.')
    seed: int = option(0, 'Seed of everything random.', lower=0)
    start_positions: tuple[float, ...] = option(
        (), 'Positions of joints at the start; empty: inside the limits.', unit='rad or m'
    )
    locked_joints: tuple[str, ...] = option(
        (), 'Joints not in joints that stand elsewhere than at zero.'
    )
    locked_positions: tuple[float, ...] = option(
        (), 'Positions of locked_joints.', unit='rad or m'
    )
    gravity: tuple[float, ...] = option(
        (0.0, 0.0, -9.81), 'Gravity in the base frame.', unit='m/s^2', length=3
    )
    brakes: bool = option(
        True, 'Hold the start pose until the first command, as the brakes of a robot do.'
    )
    command_timeout: float = option(
        0.1, 'Wall time without a command that counts as loss (in lockstep at least 10 times '
        'lockstep_timeout).', unit='s', lower=0.002,
        upper=10.0,
    )
    on_command_loss: str = option(
        'damping', 'What the joints do while commands are lost.', choices=LOSS_ACTIONS
    )
    plant_priority: int = option(
        0, 'SCHED_FIFO priority of the step loop; 0: ordinary.', lower=0, upper=98
    )
    output: Output = field(default_factory=Output)
    payload: Payload = field(default_factory=Payload)
    armature: dict[str, Armature] = per_joint(Armature)
    friction: dict[str, JointFriction] = per_joint(JointFriction)
    realism: Departures = field(default_factory=Departures)

    def __post_init__(self) -> None:
        check_payload(self.payload)
        if len(self.locked_joints) != len(self.locked_positions):
            raise ParameterError(
                f'locked_positions: got {len(self.locked_positions)} numbers, expected one for '
                f'each of the {len(self.locked_joints)} locked_joints'
            )
        if self.wall_rate < LEAST_WALL_RATE:
            raise ParameterError(
                f'real_time_factor: got {self.real_time_factor:g}, which makes '
                f'{self.state_rate * self.real_time_factor:g} states per second of wall time, '
                f'expected at least {LEAST_WALL_RATE}'
            )

    @property
    def period_s(self) -> float:
        """Simulated time from one state to the next, s."""
        return 1.0 / self.state_rate

    @property
    def wall_rate(self) -> int:
        """States per second of wall time where commands do not lead, Hz."""
        return round(self.state_rate * self.real_time_factor)

    @property
    def loss_timeout_s(self) -> float:
        """
        Wall time without a command that counts as loss, s.

        In lockstep no simulated time passes while a command is awaited, so loss is not urgent and
        the state is sent again several times first.
        """
        if self.lockstep:
            return max(self.command_timeout, LOCKSTEP_TRIES * self.lockstep_timeout)
        return self.command_timeout

    @property
    def substeps(self) -> int:
        """Physics steps in a state period."""
        return max(1, math.ceil(self.period_s / self.physics_step - 1e-9))

    def plant_settings(self) -> PlantSettings:
        """Translate for the plant."""
        return PlantSettings(
            joints=self.joints,
            locked=dict(zip(self.locked_joints, self.locked_positions)),
            step_s=self.period_s / self.substeps,
            integrator=self.integrator,
            gravity=self.gravity,
            realism=self._realism(),
        )

    def _realism(self) -> Realism:
        friction = self.friction.items()
        departures = self.realism
        return Realism(
            armature={joint: one.value for joint, one in self.armature.items()},
            # Below zero: as the URDF says.
            viscous={joint: one.viscous for joint, one in friction if one.viscous >= 0.0},
            coulomb={joint: one.coulomb for joint, one in friction if one.coulomb >= 0.0},
            mass_scale=departures.mass_scale,
            mass_error=departures.mass_error,
            payloads=(self.payload, departures.payload),
            command_delay_s=departures.command_delay,
            velocity_noise=departures.velocity_noise,
            seed=self.seed,
        )
