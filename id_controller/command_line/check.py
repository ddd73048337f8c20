"""``id_controller check``: what a person should know of a robot before powering on."""
from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np

from id_controller.command_line.check_data import Check, GainCheck
from id_controller.command_line.check_findings import findings
from id_controller.command_line.check_table import report
from id_controller.command_line.chosen_robot import ChosenRobot, choose_robot
from id_controller.command_line.derived_gains import has_gains, with_gains
from id_controller.control.configuration import Configuration, configured
from id_controller.model.checks import check_loads
from id_controller.model.gravity_load import gravity_load
from id_controller.model.stability import (
    Stability,
    delay_margin,
    gains_stability,
    smallest_inertias,
    spectral_radius,
)
from id_controller.parameters.flat import parameters_from_flat
from id_controller.simulation.start_pose import start_pose

FINE, WARNED = 0, 1


def run(robot: str, parameter_file: Path | None, delay_ms: float) -> int:
    """
    Print the table.

    :param delay_ms: Transport delay from a state to the effort that answers it.
    :return: 0 when there is nothing to say, 1 with warnings.
    :raises IdControllerError: when the robot or its parameters cannot be used.
    """
    check = examined(choose_robot(robot, parameter_file), delay_ms / 1e3)
    warnings = findings(check)
    print(f'{report(check)}\n')
    for warning in warnings:
        print(f'warning: {warning}')
    count = len(warnings)
    print(f'{count} warning{"s" if count > 1 else ""}' if count else 'fine')
    return WARNED if warnings else FINE


def examined(chosen: ChosenRobot, delay_s: float) -> Check:
    """
    Compute everything that the table shows.

    :param delay_s: Transport delay.
    :raises ModelError: when the description does not fit, or not to the parameters.
    """
    configuration = configured(chosen.parameters, chosen.description.text)
    model, limits = configuration.model, configuration.limits
    p = configuration.parameters
    rotor = np.array([p.armature[joint].value for joint in p.joints])
    check_loads(chosen.description, p.joints, rotor)
    model.set_payload(p.payload.mass, np.array(p.payload.com), np.array(p.payload.inertia))
    proposed = not has_gains(configuration)
    if proposed:
        parameters = parameters_from_flat(with_gains(chosen.flat, configuration))
        configuration = dataclasses.replace(configuration, parameters=parameters)
    pose = start_pose(limits.lower, limits.upper)
    checks = (_torque_gains(configuration, delay_s), _acceleration_gains(configuration, delay_s))
    return Check(
        chosen=chosen,
        configuration=configuration,
        delay_s=delay_s,
        pose=pose,
        gravity=gravity_load(model, limits, pose),
        gain_checks=tuple(check for check in checks if check.p.any() or check.d.any()),
        proposed=proposed,
    )


def _torque_gains(configuration: Configuration, delay_s: float) -> GainCheck:
    gains = configuration.settings().gains
    inertias = smallest_inertias(configuration.model, configuration.limits)
    return GainCheck(
        group='gains',
        p=gains.p,
        d=gains.d,
        inertia=inertias.free,
        stability=gains_stability(
            configuration.model, inertias, gains.p, gains.d, configuration.period_s, delay_s
        ),
    )


def _acceleration_gains(configuration: Configuration, delay_s: float) -> GainCheck:
    """The mass matrix in front of these gains cancels that of the robot: what is left is 1."""
    gains, period_s = configuration.settings().acceleration_gains, configuration.period_s
    pairs = list(zip(gains.p, gains.d))
    radius = np.array([spectral_radius(p, d, 1.0, period_s, delay_s) for p, d in pairs])
    return GainCheck(
        group='acceleration_gains',
        p=gains.p,
        d=gains.d,
        inertia=np.ones(len(pairs)),
        stability=Stability(
            damping_number=gains.d * period_s,
            stiffness_number=gains.p * period_s**2,
            radius=radius,
            whole_radius=float(radius.max()),
            delay_margin_s=np.array(
                [delay_margin(p, d, 1.0, period_s, delay_s) for p, d in pairs]
            ),
        ),
    )
