"""Robots known by name: our own, and some of the package example-robot-data."""
from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from id_controller.errors import ModelError
from id_controller.model.description import load_description, parse_description
from id_controller.model.elements import DRIVEN_KINDS, Description
from id_controller.model.names import nearest
from id_controller.paths import share


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedRobot:
    """
    Where the description of a robot lies.

    :param file: Path below ``urdf/`` of this package or below the robots of example-robot-data.
    :param own: Whether the file is ours.
    :param not_driven: Joints that have no effort interface (grippers): never controlled.
    """

    file: str
    own: bool = False
    not_driven: tuple[str, ...] = ()


ROBOTS = {
    'arm7': NamedRobot(file='arm7.urdf', own=True),
    'two_link': NamedRobot(file='two_link.urdf', own=True),
    'panda': NamedRobot(
        file='panda_description/urdf/panda.urdf', not_driven=('panda_finger_joint1',)
    ),
    'ur5': NamedRobot(file='ur_description/urdf/ur5_robot.urdf'),
    'kinova': NamedRobot(file='kinova_description/robots/kinova.urdf'),
}


def robot_path(name: str) -> Path:
    """
    Find the description of a robot.

    :param name: One of ``ROBOTS``, or the path of a URDF or xacro file.
    :raises ModelError: when there is none; says how to get it.
    """
    robot = ROBOTS.get(name)
    if robot is None:
        path = Path(name).expanduser()
        if path.suffix in ('.urdf', '.xacro') or len(path.parts) > 1:
            if path.is_file():
                return path
            raise ModelError(f'robot {name}: got no such file, expected a URDF or xacro')
        raise ModelError(
            f"robot '{name}': no robot of that name; {nearest(name, ROBOTS)}; or give the path of "
            'a .urdf or .xacro file'
        )
    return share('urdf') / robot.file if robot.own else _example_path(name, robot.file)


def robot_config(name: str) -> Path | None:
    """Find the parameter file of a named robot; None when it has none."""
    path = share('config') / f'{name}.yaml'
    return path if name in ROBOTS and path.is_file() else None


def default_joints(robot: str | Description) -> tuple[str, ...]:
    """
    List the joints to control when nobody says which: all that move and follow no other.

    :param robot: A name (as for ``robot_path``), then without joints known to have no effort
        interface, or a description.
    """
    left_out: tuple[str, ...] = ()
    if isinstance(robot, Description):
        description = robot
    else:
        description = parse_description(load_description(robot_path(robot)))
        left_out = ROBOTS[robot].not_driven if robot in ROBOTS else ()
    return tuple(
        joint.name
        for joint in description.joints
        if joint.kind in DRIVEN_KINDS and joint.mimic is None and joint.name not in left_out
    )


def _example_path(name: str, file: str) -> Path:
    for folder in _example_folders():
        if (folder / file).is_file():
            return folder / file
    raise ModelError(
        f"robot '{name}': its description is in the package example-robot-data, which is not "
        'installed; pip install example-robot-data, or apt install '
        'ros-$ROS_DISTRO-example-robot-data'
    )


def _example_folders() -> Iterator[Path]:
    """Places of the robots: beside its Python module, beside Pinocchio, then on the path."""
    tail = Path('share', 'example-robot-data', 'robots')
    for module in ('example_robot_data', 'pinocchio'):
        spec = importlib.util.find_spec(module)
        if spec is not None and spec.origin:
            for parent in Path(spec.origin).resolve().parents:
                if (parent / tail).is_dir():
                    yield parent / tail
    for entry in [*sys.path, sys.prefix, '/usr', '/opt/openrobots']:
        for root in (Path(entry), Path(entry) / 'cmeel.prefix'):
            yield root / tail
