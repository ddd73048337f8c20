"""What the launch files compute, where launch is not installed: with stand-ins for its names."""
from __future__ import annotations

import ast
from typing import Any

import pytest

from id_controller.model.robots import robot_config
from id_controller.parameters.flat import from_flat
from id_controller.parameters.yaml_file import load_parameter_file
from id_controller.paths import share
from id_controller.simulation.parameters import SimulatorParameters

FILE = share('launch') / 'demo_mujoco.launch.py'


def plant_parameters(flat: dict[str, Any]) -> dict[str, Any]:
    """The function of that name in the file, run by itself."""
    wanted = ('SHARED', 'plant_parameters')
    tree = ast.parse(FILE.read_text(encoding='utf-8'))
    tree.body = [
        node for node in tree.body
        if getattr(node, 'name', None) in wanted
        or isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) in wanted
    ]
    names: dict[str, Any] = {}
    exec(compile(tree, FILE, 'exec'), names)
    result: dict[str, Any] = names['plant_parameters'](flat)
    return result


@pytest.mark.parametrize('robot', ['arm7', 'panda', 'ur5', 'kinova'])
def test_the_plant_takes_what_the_launch_file_gives_it(robot: str) -> None:
    flat = load_parameter_file(robot_config(robot))
    joints = tuple(flat['joints'])
    plant = from_flat(SimulatorParameters, plant_parameters(flat), joints)
    assert plant.joints == joints
    rotors = [plant.armature[joint].value for joint in joints]
    assert rotors == [flat[f'armature.{joint}'] for joint in joints] and all(rotors)
