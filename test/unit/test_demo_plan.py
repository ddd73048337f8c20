"""What a demo is going to do, before anything is started."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import yaml

from id_controller.command_line.chosen_robot import choose_robot
from id_controller.command_line.demo_plan import EFFORT_SHARE, LEAD_S, DemoPlan, make_plan
from id_controller.control.configuration import configured
from id_controller.model.robots import robot_path
from id_controller.parameters.flat import from_flat, parameters_from_flat
from id_controller.parameters.yaml_file import load_parameter_file
from id_controller.simulation.parameters import SimulatorParameters

ROBOTS = ('arm7', 'panda', 'ur5', 'kinova', 'two_link')


def plan_of(robot: str, folder: Path) -> DemoPlan:
    return make_plan(choose_robot(robot), 20.0, folder)


@pytest.mark.parametrize('robot', ROBOTS)
def test_motion_keeps_to_the_limits_and_starts_and_ends_at_rest(
    robot: str, tmp_path: Path
) -> None:
    plan = plan_of(robot, tmp_path)
    parameters = parameters_from_flat(load_parameter_file(plan.controller_file))
    configuration = configured(parameters, choose_robot(robot).description.text)
    limits, points = configuration.limits, plan.points
    assert (points.q >= limits.lower).all()
    assert (points.q <= limits.upper).all()
    assert (np.abs(points.v) <= limits.velocity).all()
    for ends in (points.v[[0, -1]], points.a[[0, -1]]):
        np.testing.assert_allclose(ends, 0.0, atol=1e-9)
    np.testing.assert_allclose(points.q[0], points.q[-1], atol=1e-9)
    assert points.times[0] == LEAD_S
    assert points.times[-1] < plan.phase_s
    efforts = [
        configuration.model.inverse_dynamics(*row) for row in zip(points.q, points.v, points.a)
    ]
    assert (np.abs(efforts).max(axis=0) <= EFFORT_SHARE * limits.effort + 1e-9).all()


@pytest.mark.parametrize('robot', ROBOTS)
def test_every_joint_moves_visibly(robot: str, tmp_path: Path) -> None:
    assert (np.ptp(plan_of(robot, tmp_path).points.q, axis=0) > 0.08).all()


@pytest.mark.parametrize('robot', ROBOTS)
def test_the_plant_is_what_the_controller_thinks(robot: str, tmp_path: Path) -> None:
    plan = plan_of(robot, tmp_path)
    controller = parameters_from_flat(load_parameter_file(plan.controller_file))
    flat = load_parameter_file(plan.simulator_file)
    simulator = from_flat(SimulatorParameters, flat, plan.joints)
    assert simulator.joints == controller.joints
    assert simulator.armature == controller.armature
    assert simulator.output == controller.output
    assert simulator.state_rate == controller.update_rate
    assert simulator.robot_description_file == controller.robot_description_file
    np.testing.assert_allclose(simulator.start_positions, plan.points.q[0], atol=1e-9)
    assert controller.auto_activate


def test_a_robot_without_parameters_gets_gains_and_says_so(tmp_path: Path) -> None:
    plan = plan_of('two_link', tmp_path)
    parameters = parameters_from_flat(load_parameter_file(plan.controller_file))
    assert all(one.p > 0.0 and one.d > 0.0 for one in parameters.gains.values())
    # 40 N m at 500 rad/s^2.
    assert parameters.armature['shoulder'].value == pytest.approx(0.08)
    assert 'made up: shoulder' in plan.title


def test_gains_that_were_given_stay(tmp_path: Path) -> None:
    file = tmp_path / 'mine.yaml'
    gains = {'shoulder': {'p': 11.0, 'd': 1.0}, 'elbow': {'p': 7.0, 'd': 0.5}}
    tree = {'/**': {'ros__parameters': {'joints': ['shoulder', 'elbow'], 'gains': gains}}}
    file.write_text(yaml.safe_dump(tree), encoding='utf-8')
    plan = make_plan(choose_robot('two_link', file), 20.0, tmp_path)
    parameters = parameters_from_flat(load_parameter_file(plan.controller_file))
    assert parameters.gains['elbow'].p == 7.0
    assert parameters.armature['elbow'].value == 0.0
    assert 'mine.yaml' in plan.title


def test_prismatic_joints_are_measured_in_metres(tmp_path: Path) -> None:
    text = robot_path('two_link').read_text(encoding='utf-8')
    old = 'name="elbow" type="revolute"'
    assert old in text
    path = tmp_path / 'slider.urdf'
    path.write_text(text.replace(old, 'name="elbow" type="prismatic"'), encoding='utf-8')
    assert plan_of(str(path), tmp_path).units == ('rad', 'm')
