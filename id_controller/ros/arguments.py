"""
Command-line checks that ROS leaves to a crash.

``rclpy.init`` ends a process with a C++ message when a parameter file is missing or holds a list
of mixed numbers; here the same faults get one line that names the file, the parameter and the fix.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from id_controller.errors import ParameterError


class _Loader(yaml.SafeLoader):
    """Takes the tuples that launch writes for lists, as ROS does."""


def _list(loader: yaml.SafeLoader, node: yaml.SequenceNode) -> list[Any]:
    return loader.construct_sequence(node)


_Loader.add_constructor('tag:yaml.org,2002:python/tuple', _list)


def check_parameter_files(argv: Sequence[str]) -> None:
    """
    Check every ``--params-file`` of a command line.

    :raises ParameterError: when one cannot be read, or holds a value that ROS cannot take.
    """
    for path in _parameter_files(argv):
        for name, value in _values(_read(path)):
            _check_value(path, name, value)


def _parameter_files(argv: Sequence[str]) -> Iterator[str]:
    for i, argument in enumerate(argv):
        if argument == '--params-file' and i + 1 < len(argv):
            yield argv[i + 1]


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
