"""The robots of the benchmark: an arm, and a body with the joints of a humanoid."""
from __future__ import annotations

from pathlib import Path
from typing import Any

from id_controller.model.robots import default_joints, robot_config, robot_path
from id_controller.parameters.yaml_file import load_parameter_file

# Chains of a humanoid: name, what it hangs on, joints.
CHAINS = (
    ('waist', 'base', 3), ('left_leg', 'base', 6), ('right_leg', 'base', 6),
    ('left_arm', 'waist_2', 7), ('right_arm', 'waist_2', 7),
)
_AXES = ('0 0 1', '0 1 0', '1 0 0')


def bench_robot(joints: int, folder: Path) -> dict[str, Any]:
    """
    Return the parameters of a robot, its description among them.

    :param joints: 7: the arm; 29: the body.
    :param folder: Gets the description where there is no file of it.
    """
    if joints == 7:
        file = robot_config('arm7')
        flat = {} if file is None else load_parameter_file(file)
        return {**flat, 'joints': list(default_joints('arm7')),
                'robot_description_file': str(robot_path('arm7'))}
    path = folder / 'body.urdf'
    path.write_text(_body())
    names = [f'{chain}_{k}_joint' for chain, _, count in CHAINS for k in range(count)]
    gains = {f'gains.{name}.{key}': value for name in names
             for key, value in (('p', 80.0), ('d', 4.0))}
    return {**gains, 'joints': names, 'robot_description_file': str(path)}


def _body() -> str:
    links = [_link('base', 8.0)]
    for chain, root, count in CHAINS:
        parent = root
        for k in range(count):
            child = f'{chain}_{k}'
            links += [_link(child, 3.0 / (1 + k)), _joint(child, parent, _AXES[k % 3])]
            parent = child
    return f'<robot name="body">{"".join(links)}</robot>'


def _link(name: str, mass: float) -> str:
    inertia = 0.01 * mass
    return (
        f'<link name="{name}"><inertial><origin xyz="0 0.01 0.05"/><mass value="{mass:.4f}"/>'
        f'<inertia ixx="{inertia:.5f}" iyy="{inertia:.5f}" izz="{inertia:.5f}" ixy="0" ixz="0" '
        'iyz="0"/></inertial></link>'
    )


def _joint(child: str, parent: str, axis: str) -> str:
    return (
        f'<joint name="{child}_joint" type="revolute"><parent link="{parent}"/>'
        f'<child link="{child}"/><origin xyz="0 0.02 0.1"/><axis xyz="{axis}"/>'
        '<limit lower="-2.5" upper="2.5" effort="200" velocity="10"/></joint>'
    )
