"""
THE schema: every parameter of the controller, once.

Declaration on the node, validation, ``doc/parameters.md`` and the example YAML are all made from
``Parameters``. Names are those of joint_trajectory_controller and controller_manager where they
have one.
"""
from __future__ import annotations

from dataclasses import dataclass, field

from id_controller.errors import ParameterError
from id_controller.parameters.fields import option, per_joint
from id_controller.parameters.groups import (
    AccelerationGains,
    Armature,
    BlackBoxFiles,
    EffortLimit,
    EffortRate,
    Gains,
    JointFriction,
    Output,
    Payload,
    SoftLimits,
    VelocityFilter,
)
from id_controller.parameters.timing_groups import Diagnostics, Overruns
from id_controller.parameters.trajectory_groups import (
    AccelerationLimit,
    Constraints,
    JointConstraints,
    VelocityLimit,
)

CONTROL_MODES = ('feedforward', 'computed_torque', 'gravity_pd', 'gravity')
FAULT_ACTIONS = ('hold', 'gravity', 'damping', 'ramp_to_zero', 'zero')
EXIT_ACTIONS = ('ramp_to_zero', 'zero')
PACINGS = ('steady', 'state', 'sim_time')
EFFORT_POLICIES = ('refuse', 'unlimited', 'zero')
INTERPOLATIONS = ('splines', 'c2', 'none')
COMPENSATIONS = ('gravity', 'coriolis', 'friction')


@dataclass(frozen=True, kw_only=True, slots=True)
class Parameters:
    """All parameters of the controller."""

    joints: tuple[str, ...] = option((), 'Controlled joints, in the order of the commands.')
    robot_description: str = option('', 'URDF text; empty: from the file or the topic.')
    robot_description_file: str = option('', 'URDF or xacro file; empty: from the topic.')
    update_rate: int = option(1000, 'Control rate.', unit='Hz', lower=1, upper=4000)
    pacing: str = option(
        'steady', 'What starts a tick: the steady clock; each new state, timed by its stamp; '
        'each update_rate-th part of a second of /clock.', choices=PACINGS,
    )
    control_mode: str = option('feedforward', 'Control law.', choices=CONTROL_MODES, live=True)
    auto_configure: bool = option(True, 'Configure at start.')
    auto_activate: bool = option(False, 'Activate once configured.')
    state_timeout: float = option(
        0.05, 'Age of the state that is a fault.', unit='s', lower=0.001, upper=10.0, live=True
    )
    enable_timeout: float = option(
        0.0, 'Longest pause of ~/enable before a soft stop; 0: ~/enable is not needed.',
        unit='s', lower=0.0,
    )
    robot_mode_topic: str = option(
        '', 'Topic (std_msgs/Bool) on which the robot says whether it follows commands; empty: '
        'not used.'
    )
    interpolation_method: str = option(
        'splines', 'How points are joined: by what they carry; the same, and positions alone with '
        'a continuous acceleration; or not at all.', choices=INTERPOLATIONS, live=True
    )
    allow_partial_joints_goal: bool = option(
        False, 'Accept trajectories of some joints only; the others hold.', live=True
    )
    allow_integration_in_goal_trajectories: bool = option(
        False, 'Accept velocities without positions, which are integrated.', live=True
    )
    decelerate_on_cancel: bool = option(
        True, 'A hold, a stop or a cancelled goal decelerates along the motion; otherwise the '
        'measured position becomes the reference at once.', live=True,
    )
    speed_scaling: float = option(
        1.0, 'Share of its speed with which a trajectory is followed; 0: it pauses.',
        lower=0.0, upper=1.0, live=True,
    )
    cmd_timeout: float = option(
        0.0, 'Time after the end of a trajectory when the effort of its last point is dropped; '
        '0: it stays.', unit='s', lower=0.0, live=True,
    )
    action_monitor_rate: float = option(
        20.0, 'Rate of the feedback of an action goal.', unit='Hz', lower=0.1, upper=200.0
    )
    trajectory_points_max: int = option(
        10000, 'Most points that a trajectory may have.', lower=2, upper=50000
    )
    gravity: tuple[float, ...] = option(
        (0.0, 0.0, -9.81), 'Gravity in the base frame (tilted mounts).', unit='m/s^2', length=3,
        live=True,
    )
    payload: Payload = field(default_factory=Payload)
    wrench_frame: str = option('', 'Frame at which ~/external_wrench acts; empty: not used.')
    hardware_compensates: tuple[str, ...] = option(
        (), 'What the hardware adds itself and we must not.', choices=COMPENSATIONS
    )
    locked_joints: tuple[str, ...] = option(
        (), 'Joints that do not move and stand elsewhere than at the neutral position.'
    )
    locked_positions: tuple[float, ...] = option(
        (), 'Positions of locked_joints.', unit='rad or m'
    )
    effort_limit_policy: str = option(
        'refuse', 'A joint whose effort limit is 0, negative or missing in the URDF and in '
        'effort_limits is refused, unlimited, or gets no effort.', choices=EFFORT_POLICIES,
    )
    friction_velocity: float = option(
        0.02, 'Speed at which the smoothed Coulomb friction reaches tanh(1).', unit='rad/s',
        lower=1e-6, live=True,
    )
    velocity_filter: VelocityFilter = field(default_factory=VelocityFilter)
    soft_limits: SoftLimits = field(default_factory=SoftLimits)
    constraints: Constraints = field(default_factory=Constraints)
    on_fault: str = option('hold', 'What a fault does while ticking.', choices=FAULT_ACTIONS,
                           live=True)
    on_exit: str = option('ramp_to_zero', 'What is sent last.', choices=EXIT_ACTIONS, live=True)
    ramp_time: float = option(
        0.5, 'Time in which an effort is taken to zero.', unit='s',
        lower=0.0, upper=10.0, live=True,
    )
    output: Output = field(default_factory=Output)
    state_publish_rate: float = option(
        50.0, 'Rate of ~/reference and ~/terms.', unit='Hz', lower=0.1, upper=1000.0
    )
    raw_messages: bool = option(
        True, 'Read and write serialized messages without building message objects; where '
        'rclpy offers no way to take them, message objects are used in any case.'
    )
    overruns: Overruns = field(default_factory=Overruns)
    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    black_box: BlackBoxFiles = field(default_factory=BlackBoxFiles)
    thread_priority: int = option(50, 'SCHED_FIFO priority; 0: ordinary.', lower=0, upper=98)
    lock_memory: bool = option(True, 'Lock the memory of the control process.')
    cpu_affinity: tuple[int, ...] = option((), 'CPUs of the control process; empty: any.')
    gains: dict[str, Gains] = per_joint(Gains)
    acceleration_gains: dict[str, AccelerationGains] = per_joint(AccelerationGains)
    effort_limits: dict[str, EffortLimit] = per_joint(EffortLimit)
    velocity_limits: dict[str, VelocityLimit] = per_joint(VelocityLimit)
    acceleration_limits: dict[str, AccelerationLimit] = per_joint(AccelerationLimit)
    max_effort_rate: dict[str, EffortRate] = per_joint(EffortRate)
    armature: dict[str, Armature] = per_joint(Armature)
    friction: dict[str, JointFriction] = per_joint(JointFriction)
    tolerances: dict[str, JointConstraints] = per_joint(JointConstraints, 'constraints')

    def __post_init__(self) -> None:
        if len(self.locked_joints) != len(self.locked_positions):
            raise ParameterError(
                f'locked_positions: got {len(self.locked_positions)} numbers, expected one for '
                f'each of the {len(self.locked_joints)} locked_joints'
            )
        if self.payload.mass > 0.0 and not self.payload.frame:
            raise ParameterError(
                f'payload.frame: got none, expected the link that carries {self.payload.mass:g} kg'
            )
