"""
Command-line checks that ROS leaves to a crash.

``rclpy.init`` ends a process with a C++ message when a parameter file is missing or holds a list
of mixed numbers; here the same faults get one line that names the file, the parameter and the fix.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import rclpy
import yaml
from rclpy.signals import SignalHandlerOptions
from rclpy.utilities import remove_ros_args

from id_controller.errors import ParameterError
from id_controller.ros.environment import find_log_folder

_HELP = """usage: {program} --ros-args [--params-file FILE] [-p NAME:=VALUE ...]

  -p robot_description_file:=FILE  URDF or xacro file of the robot
  -p auto_activate:=true           (controller) activate without being asked
  -r NAME:=NAME                    remap a topic

All parameters are in doc/parameters.md and config/id_controller.yaml."""


class _Loader(yaml.SafeLoader):
    """Takes the tuples that launch writes for lists, as ROS does."""


def _list(loader: yaml.SafeLoader, node: yaml.SequenceNode) -> list[Any]:
    return loader.construct_sequence(node)


_Loader.add_constructor('tag:yaml.org,2002:python/tuple', _list)


def start_ros(argv: Sequence[str]) -> None:
    """
    Initialise ROS with our own signal handling.

    :param argv: Command line, program name first.
    :raises ParameterError: when an argument or a parameter file cannot be used.
    """
    check_parameter_files(argv)
    find_log_folder()
    try:
        _check_own_arguments(argv)
        rclpy.init(args=list(argv), signal_handler_options=SignalHandlerOptions.NO)
    except RuntimeError as error:
        # rcl adds where in its own source it gave up.
        reason = str(error).split(', at /')[0]
        for prefix in ('failed to initialize rcl: ', 'Failed to parse ROS arguments: '):
            reason = reason.removeprefix(prefix)
        raise ParameterError(f'command line: {reason}') from error


def _check_own_arguments(argv: Sequence[str]) -> None:
    for argument in remove_ros_args(list(argv))[1:]:
        if argument in ('-h', '--help'):
            print(_HELP.format(program=Path(argv[0]).name))
            raise SystemExit(0)
        raise ParameterError(
            f'command line: got {argument!r}, expected --ros-args before all arguments; '
            'see --help'
        )


def check_parameter_files(argv: Sequence[str]) -> None:
    """
    Check every ``--params-file`` of a command line, and what ``-p`` says of its values.

    :raises ParameterError: when one cannot be read, or holds a value that ROS cannot take.
    """
    in_files: dict[str, tuple[str, Any]] = {}
    for path in _following(argv, ('--params-file',)):
        for name, value in _values(_read(path)):
            _check_value(path, name, value)
            in_files[name.rpartition('/')[2].partition('.')[2]] = (path, value)
    for rule in _following(argv, ('-p', '--param')):
        name, _, text = rule.partition(':=')
        if name in in_files:
            _check_override(name, text, *in_files[name])


def _following(argv: Sequence[str], options: tuple[str, ...]) -> Iterator[str]:
    for option, argument in zip(argv, argv[1:]):
        if option in options:
            yield argument


def _check_override(name: str, text: str, path: str, value: Any) -> None:
    """Refuse what ROS would pass over in silence: an override of another type than the file's."""
    try:
        override = yaml.safe_load(text)
    except yaml.YAMLError:
        override = text
    if isinstance(override, str) != isinstance(value, str):
        raise ParameterError(
            f'{name}: got {override!r} on the command line, expected the type of the '
            f'{value!r} in {path}'
        )


def _read(path: str) -> Any:
    try:
        return yaml.load(Path(path).read_text(encoding='utf-8'), _Loader)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, 'strerror', None) or error
        raise ParameterError(f'{path}: cannot read the parameter file: {reason}') from error
    except yaml.YAMLError as error:
        raise ParameterError(f'{path}: not valid YAML: {" ".join(str(error).split())}') from error


def _values(tree: Any, prefix: str = '') -> Iterator[tuple[str, Any]]:
    if isinstance(tree, dict):
        for key, value in tree.items():
            inner = prefix if key == 'ros__parameters' else f'{prefix}{key}.'
            yield from _values(value, inner)
    else:
        yield prefix.rstrip('.'), tree


def _check_value(path: str, name: str, value: Any) -> None:
    if value is None:
        raise ParameterError(f'{path}: {name}: got nothing, expected a value')
    if isinstance(value, list) and len({type(element) for element in value}) > 1:
        raise ParameterError(
            f'{path}: {name}: got a list of mixed types {value!r}, expected one type; '
            'write whole numbers as 1.0 where the others have a point'
        )
