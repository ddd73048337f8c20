"""A named robot in MuJoCo under the controller, in virtual time."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from id_controller.control.configuration import configured
from id_controller.control.controller import Controller
from id_controller.model.description import load_description
from id_controller.model.robots import default_joints, robot_config, robot_path
from id_controller.parameters.flat import parameters_from_flat
from id_controller.parameters.yaml_file import load_parameter_file
from id_controller.simulation.plant import Plant
from id_controller.simulation.realism import Realism
from id_controller.simulation.settings import PlantSettings
from id_controller.state import NANOSECONDS, Command, JointState, Mode, Request, Vector
from id_controller.trajectory.motions import sine
from id_controller.trajectory.spline import fit

STEP_S = 0.00025
FRICTION = ('viscous', 'coulomb')


class World:
    """
    A robot that hangs in its brakes until the first command, as real ones do.

    :param robot: Name of the robot.
    :param realism: How the plant departs from the description.
    :param smooth: Whether the joints have no friction, neither here nor there.
    :param parameters: Parameters that differ from the robot's file.
    """

    def __init__(
        self, robot: str, *, realism: dict[str, Any] | None = None, smooth: bool = True,
        **parameters: Any,
    ) -> None:
        text, joints = load_description(robot_path(robot)), default_joints(robot)
        file = robot_config(robot)
        flat = {} if file is None else load_parameter_file(file)
        flat.update({'joints': list(joints), **parameters})
        facts = dict(realism or {})
        if smooth:
            flat.update({f'friction.{joint}.{kind}': 0.0 for joint in joints for kind in FRICTION})
            facts.update({kind: dict.fromkeys(joints, 0.0) for kind in FRICTION})
        self.configuration = configured(parameters_from_flat(flat), text)
        facts['armature'] = {
            joint: rotor.value for joint, rotor in self.configuration.parameters.armature.items()
        }
        self.plant = Plant(
            text, PlantSettings(joints=joints, step_s=STEP_S, realism=Realism(**facts))
        )
        self._start()

    def _start(self) -> None:
        period_s = self.configuration.period_s
        self.controller = Controller(
            self.configuration.model, self.configuration.settings(), period_s
        )
        self.period_ns = round(period_s * NANOSECONDS)
        self.now_ns = NANOSECONDS
        self.sent: Vector | None = None

    def tick(self, *, frozen: JointState | None = None, matched: bool = True) -> Command:
        """Run one period: state in, command out, plant on; the last command stands."""
        self.now_ns += self.period_ns
        state = frozen or JointState(self.plant.q.copy(), self.plant.v.copy(), 0)
        command = self.controller.update(self.now_ns, state, matched)
        steps = round(self.period_ns / NANOSECONDS / STEP_S)
        if command.publish:
            self.sent = command.tau.copy()
        if self.sent is None:
            self.plant.hold(steps)
        else:
            self.plant.step(self.sent, steps)
        return command

    def run(self, seconds: float) -> Command:
        """Run for a while."""
        for _ in range(math.ceil(seconds * NANOSECONDS / self.period_ns)):
            command = self.tick()
        return command

    def activated(self, seconds: float = 0.5) -> World:
        """Activate and settle."""
        assert self.controller.request(Request.ACTIVATE) == ''
        assert self.run(seconds).mode is Mode.HOLD
        return self

    def start_sine(
        self, hz: float, seconds: float, *, acceleration: float = 8.0, fade_s: float = 1.0
    ) -> None:
        """Start a motion of all joints within the limits of the robot."""
        limits, joints = self.configuration.limits, self.configuration.parameters.joints
        points = sine(
            joints, limits, self.plant.q.copy(), fraction=0.4, hz=hz, duration_s=seconds,
            acceleration=np.full(len(joints), acceleration), rate_hz=200.0, fade_s=fade_s,
        )
        assert self.controller.follow(fit(points)) == ''

    def tracking_errors(self, seconds: float) -> Vector:
        """Run along a motion and collect the errors, shape (ticks, n)."""
        errors = []
        for _ in range(round(seconds * NANOSECONDS / self.period_ns)):
            measured = self.plant.q.copy()
            command = self.tick()
            assert command.mode is Mode.TRACK, command.fault
            errors.append(command.reference.q - measured)
        return np.array(errors)


def rms(errors: Vector) -> float:
    return float(np.sqrt(np.mean(np.square(errors))))
