"""Parameter files as ROS 2 writes them, read without ROS."""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from id_controller.errors import ParameterError

NODE_KEYS = ('/**', 'id_controller', '/id_controller', '/**/id_controller')


def load_parameter_file(
    path: str | Path, node_keys: tuple[str, ...] = NODE_KEYS
) -> dict[str, Any]:
    """
    Read a ROS 2 parameter file into flat names.

    Sections of other nodes are passed over; a later section of ours overrides an earlier one.

    :param path: YAML file of the form ``node: ros__parameters: ...``.
    :param node_keys: Section names that are meant for this node.
    :raises ParameterError: when the file is missing, is no YAML, or has no section for us.
    """
    tree = _load(Path(path))
    sections = [tree[key] for key in node_keys if isinstance(tree.get(key), dict)]
    parameters = [section.get('ros__parameters') for section in sections]
    if not any(isinstance(section, dict) for section in parameters):
        raise ParameterError(
            f'{path}: got the sections {", ".join(map(str, tree)) or "none"}, expected '
            f'"{node_keys[0]}:" or "{node_keys[1]}:" with "ros__parameters:" under it'
        )
    flat: dict[str, Any] = {}
    for section in parameters:
        if isinstance(section, dict):
            flat.update(_flattened(section))
    return flat


def _load(path: Path) -> dict[str, Any]:
    try:
        tree = yaml.safe_load(path.read_text(encoding='utf-8'))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, 'strerror', None) or error
        raise ParameterError(f'{path}: cannot read the parameter file: {reason}') from error
    except yaml.YAMLError as error:
        where = ' '.join(str(error).split())
        raise ParameterError(f'{path}: not valid YAML: {where}') from error
    if not isinstance(tree, dict):
        raise ParameterError(f'{path}: got {type(tree).__name__}, expected a mapping of nodes')
    return tree


def _flattened(tree: Mapping[Any, Any], prefix: str = '') -> Iterator[tuple[str, Any]]:
    for key, value in tree.items():
        if isinstance(value, Mapping):
            yield from _flattened(value, f'{prefix}{key}.')
        else:
            yield f'{prefix}{key}', value
