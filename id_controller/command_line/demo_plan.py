"""What a demo run will do: the motion, and the parameters of both nodes."""
from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from id_controller.command_line.chosen_robot import ChosenRobot
from id_controller.command_line.derived_gains import (
    BANDWIDTH_HZ,
    has_gains,
    with_gains,
    with_rotors,
)
from id_controller.control.configuration import Configuration, configured
from id_controller.parameters.fields import specs
from id_controller.parameters.flat import parameters_from_flat
from id_controller.simulation.parameters import SimulatorParameters
from id_controller.simulation.start_pose import start_pose
from id_controller.state import Vector
from id_controller.trajectory.motions import sine
from id_controller.trajectory.points import JointPoints

CONTROLLER = '/id_controller'
MODES = ('feedforward', 'gravity_pd')
# Time from the reference in force to the first point, and rest after the last one.
LEAD_S = 0.5
REST_S = 0.5
FREQUENCY_HZ = 0.5
FADE_S = 2.0
# Shares of the position and velocity limits, and of the effort limits, that the motion uses.
FRACTIONS = (0.8, 0.6, 0.45, 0.3, 0.2, 0.1)
EFFORT_SHARE = 0.7


@dataclass(frozen=True, kw_only=True, slots=True)
class DemoPlan:
    """
    One run, decided.

    :param title: One line on the robot for a person.
    :param units: ``rad`` or ``m`` of each joint.
    :param phase_s: Duration of one phase, s.
    :param points: The motion, to be sent once in each phase.
    :param controller_file: Parameter file of the controller, :param simulator_file: of the plant.
    """

    robot: str
    title: str
    joints: tuple[str, ...]
    units: tuple[str, ...]
    effort_limit: Vector
    rate_hz: float
    phase_s: float
    points: JointPoints
    command_topic: str
    controller_file: Path
    simulator_file: Path


def make_plan(chosen: ChosenRobot, duration_s: float, folder: Path) -> DemoPlan:
    """
    Decide on a run and write its parameter files.

    :param duration_s: Length of all phases together.
    :param folder: Where the parameter files go.
    :raises IdControllerError: when the robot cannot be controlled.
    """
    flat, configuration, origin = _controlled(chosen)
    start = start_pose(configuration.limits.lower, configuration.limits.upper)
    phase_s = duration_s / len(MODES)
    p = configuration.parameters
    kinds = {joint.name: joint.kind for joint in chosen.description.joints}
    return DemoPlan(
        robot=chosen.name,
        title=f'{chosen.name}: {configuration.model.n} joints, {origin}',
        joints=p.joints,
        units=tuple('m' if kinds[joint] == 'prismatic' else 'rad' for joint in p.joints),
        effort_limit=configuration.limits.effort,
        rate_hz=float(p.update_rate),
        phase_s=phase_s,
        points=_motion(configuration, start, phase_s - LEAD_S - REST_S),
        command_topic=f'/{p.output.controller}/commands',
        controller_file=_write(folder / 'controller.yaml', flat),
        simulator_file=_write(folder / 'simulator.yaml', _simulator(flat, configuration, start)),
    )


def _controlled(chosen: ChosenRobot) -> tuple[dict[str, Any], Configuration, str]:
    """Parameters of the controller, what they make of the robot, and where its gains are from."""
    flat = {**chosen.flat, **_controller_overrides(chosen)}
    configuration = configured(parameters_from_flat(flat), chosen.description.text)
    if has_gains(configuration):
        return flat, configuration, f'gains of {chosen.parameter_file}'
    for complete in (with_rotors, with_gains):
        flat = complete(flat, configuration)
        configuration = configured(parameters_from_flat(flat), chosen.description.text)
    p = configuration.parameters
    listed = ', '.join(
        f'{joint} {p.gains[joint].p:g} / {p.gains[joint].d:g} / {p.armature[joint].value:g}'
        for joint in p.joints
    )
    return flat, configuration, (
        f'gains p / d for {BANDWIDTH_HZ:g} Hz and rotor inertias made up: {listed}'
    )


def _controller_overrides(chosen: ChosenRobot) -> dict[str, Any]:
    return {
        'robot_description_file': str(chosen.file.resolve()),
        'auto_configure': True,
        'auto_activate': True,
        'control_mode': MODES[0],
        'pacing': 'steady',
        'state_publish_rate': 200.0,
        'output.type': 'forward_command',
        'output.fields': 'effort',
        'output.topic': '',
    }


def _simulator(
    flat: dict[str, Any], configuration: Configuration, start: Vector
) -> dict[str, Any]:
    """The plant is what the controller believes it to be: what differs is what ROS does."""
    p = configuration.parameters
    known = {spec.name for spec in specs(SimulatorParameters, p.joints)}
    return {
        **{name: value for name, value in flat.items() if name in known},
        'state_rate': p.update_rate,
        'start_positions': [float(position) for position in start],
    }


def _motion(configuration: Configuration, start: Vector, duration_s: float) -> JointPoints:
    """The widest of a few sines whose torque the robot can give with something to spare."""
    joints, limits = configuration.parameters.joints, configuration.limits
    for fraction in FRACTIONS:
        points = sine(
            joints, limits, start, fraction=fraction, hz=FREQUENCY_HZ, duration_s=duration_s,
            fade_s=min(FADE_S, duration_s / 2.0),
        )
        if _effort_share(configuration, points) <= EFFORT_SHARE:
            break
    return dataclasses.replace(points, times=points.times + LEAD_S)


def _effort_share(configuration: Configuration, points: JointPoints) -> float:
    """Largest effort of a motion over its limit."""
    q, v, a = (np.asarray(rows) for rows in (points.q, points.v, points.a))
    efforts = [configuration.model.inverse_dynamics(*row) for row in zip(q, v, a)]
    peak = np.abs(efforts).max(axis=0)
    moved = peak > 0.0
    return float(np.max(peak[moved] / configuration.limits.effort[moved], initial=0.0))


def _write(path: Path, flat: dict[str, Any]) -> Path:
    """Write a parameter file as ROS reads it: no tuples, no infinities."""
    values = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in flat.items()
        if not (isinstance(value, float) and math.isinf(value))
        and not (isinstance(value, (list, tuple)) and not value)
    }
    text = yaml.safe_dump({'/**': {'ros__parameters': values}}, sort_keys=False)
    path.write_text(text, encoding='utf-8')
    return path
