"""The robot that a person named on the command line, with its parameters."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from id_controller.errors import ModelError, ParameterError
from id_controller.model.description import Description, load_description, parse_description
from id_controller.model.elements import DRIVEN_KINDS
from id_controller.model.robots import ROBOTS, default_joints, robot_config, robot_path
from id_controller.parameters.flat import parameters_from_flat
from id_controller.parameters.schema import Parameters
from id_controller.parameters.yaml_file import load_parameter_file


@dataclass(frozen=True, kw_only=True, slots=True)
class ChosenRobot:
    """
    A robot and how to control it.

    :param file: Its URDF or xacro file.
    :param parameter_file: Where the parameters come from; None: made up from the description.
    :param flat: The parameters by full name, as given.
    """

    name: str
    file: Path
    description: Description
    parameter_file: Path | None
    flat: dict[str, Any]
    parameters: Parameters


def choose_robot(robot: str, parameter_file: Path | None = None) -> ChosenRobot:
    """
    Find a robot by name or path.

    A robot without a parameter file has all joints controlled that can be, and no gains.

    :raises ModelError: when there is no such robot, or its description cannot be used.
    :raises ParameterError: when its parameters cannot be used.
    """
    name, file, parameter_file = _files(robot, parameter_file)
    description = _description(file)
    flat: dict[str, Any] = {}
    if parameter_file is not None:
        flat = load_parameter_file(parameter_file)
    if not flat.get('joints'):
        flat['joints'] = _all_joints(name, file, description)
    return ChosenRobot(
        name=name,
        file=file,
        description=description,
        parameter_file=parameter_file,
        flat=flat,
        parameters=_parameters(flat, parameter_file or file),
    )


def _description(file: Path) -> Description:
    text = load_description(file)
    try:
        return parse_description(text)
    except ModelError as error:
        raise ModelError(f'{file}: {error}') from error


def _files(robot: str, parameter_file: Path | None) -> tuple[str, Path, Path | None]:
    if robot in ROBOTS:
        return robot, robot_path(robot), parameter_file or robot_config(robot)
    path = robot_path(robot).resolve()
    return path.name.split('.')[0], path, parameter_file


def _all_joints(name: str, file: Path, description: Description) -> list[str]:
    joints = default_joints(name if name in ROBOTS else description)
    if not joints:
        raise ModelError(
            f'{file}: got no joint to control, expected at least one of type '
            f'{", ".join(DRIVEN_KINDS)} that mimics no other'
        )
    return list(joints)


def _parameters(flat: dict[str, Any], file: Path) -> Parameters:
    try:
        return parameters_from_flat(flat)
    except ParameterError as error:
        raise ParameterError(f'{file}: {error}') from None
