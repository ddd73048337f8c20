"""From parameters and a robot description to what a controller is built of."""
from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import numpy as np

from id_controller.control.settings import Settings, settings_from_parameters
from id_controller.control.tolerances import Tolerances, tolerances_from_parameters
from id_controller.model.build import build_model
from id_controller.model.description import parse_description
from id_controller.model.limits import JointLimits, joint_friction, joint_limits
from id_controller.model.robot import RobotModel
from id_controller.parameters.schema import Parameters
from id_controller.state import Vector
from id_controller.trajectory.planning import Rules

SLOWEST_HZ = 200
"""Below this feedback on efforts needs gains too low to be useful."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Configuration:
    """
    One robot, ready to be controlled.

    :param description: URDF text.
    :param limits: Limits after the overrides, :param damping: viscous and :param friction:
        Coulomb friction of the description, all in controller joint order.
    """

    parameters: Parameters
    description: str
    model: RobotModel
    limits: JointLimits
    damping: Vector
    friction: Vector

    @property
    def period_s(self) -> float:
        """Control period in s."""
        return 1.0 / self.parameters.update_rate

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know before power is on."""
        return self.model.warnings + self.limits.warnings + self._slow()

    def _slow(self) -> tuple[str, ...]:
        rate = self.parameters.update_rate
        if rate >= SLOWEST_HZ:
            return ()
        return (
            f'update_rate: got {rate} Hz; effort control below {SLOWEST_HZ} Hz tends to '
            'oscillate, since delay eats damping: lower the gains or raise the rate',
        )

    def with_parameters(self, parameters: Parameters) -> Configuration:
        """Take other live parameters; the model stays."""
        limits = _limits(self.description, parameters)
        return dataclasses.replace(self, parameters=parameters, limits=limits)

    def settings(self) -> Settings:
        """Build the live settings."""
        limits = self.limits
        return settings_from_parameters(
            self.parameters,
            lower=limits.lower, upper=limits.upper, velocity=limits.velocity,
            effort=limits.effort, damping=self.damping, friction=self.friction,
        )

    def tolerances(self) -> Tolerances:
        """Say how exactly goals are followed that ask for nothing else."""
        return tolerances_from_parameters(self.parameters)

    def rules(self) -> Rules:
        """Say which trajectories are accepted."""
        p = self.parameters
        return Rules(
            joints=p.joints,
            continuous=self.model.continuous,
            limits=self.limits,
            acceleration=np.array([p.acceleration_limits[joint].value for joint in p.joints]),
            start_tolerance=np.array([p.tolerances[joint].trajectory for joint in p.joints]),
            stopped_velocity=p.constraints.stopped_velocity_tolerance,
            points_max=p.trajectory_points_max,
            partial=p.allow_partial_joints_goal,
            integrate=p.allow_integration_in_goal_trajectories,
            method=p.interpolation_method,
        )


def configured(parameters: Parameters, description: str) -> Configuration:
    """
    Build the model and collect the limits of a robot.

    :param description: URDF text.
    :raises ModelError: when the description does not fit, or not to the parameters.
    """
    p, joints = parameters, parameters.joints
    parsed = parse_description(description)
    # First, for it says best what is wrong with a joint.
    model = build_model(
        description,
        joints,
        locked=dict(zip(p.locked_joints, p.locked_positions)),
        gravity=p.gravity,
        armature=np.array([p.armature[joint].value for joint in joints]),
        payload_frame=p.payload.frame,
        wrench_frame=p.wrench_frame,
        compensates=p.hardware_compensates,
    )
    damping, friction = joint_friction(parsed, joints)
    return Configuration(
        parameters=p, description=description, model=model, limits=_limits(description, p),
        damping=damping, friction=friction,
    )


def _limits(description: str, p: Parameters) -> JointLimits:
    return joint_limits(
        parse_description(description),
        p.joints,
        {joint: limit.value for joint, limit in p.effort_limits.items()},
        {joint: limit.value for joint, limit in p.velocity_limits.items()},
        p.effort_limit_policy,
    )
