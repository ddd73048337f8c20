"""What is made from the schema: the text of ``doc/parameters.md`` and of an example file."""
from __future__ import annotations

import math
from typing import Any

import yaml

from id_controller.parameters.fields import Spec, Value, specs
from id_controller.parameters.schema import Parameters

_EXAMPLE_JOINT = 'joint1'
_KINDS = {'strings': 'list of texts', 'floats': 'list of numbers', 'ints': 'list of integers'}
_HEAD = """# Parameters

Made from the schema (`id_controller/parameters/schema.py`) by `make docs`.

A **live** parameter may be set while the controller runs; all that are set together are checked
together and take effect between two ticks. Whole numbers are accepted where numbers are meant.
At the start an unknown name in one of these groups, or one that is nearly right, is refused with
the nearest known name. Units are those of revolute joints; for prismatic joints read N for N m
and m for rad.

| parameter | type | default | unit | bounds | live | meaning |
|---|---|---|---|---|---|---|
"""
_EXAMPLE_HEAD = """# Every parameter with its default, for one joint; copy what you change.
# Made by `make docs`.
"""


def reference() -> str:
    """Text of ``doc/parameters.md``."""
    return _HEAD + ''.join(_row(spec) for spec in specs(Parameters, ('<joint>',)))


def _row(spec: Spec) -> str:
    bounds = ', '.join(spec.choices) or _interval(spec)
    kind = _KINDS.get(spec.kind, spec.kind)
    live = 'yes' if spec.live else ''
    return (
        f'| `{spec.name}` | {kind} | `{_shown(spec.default)}` | {spec.unit} | {bounds} '
        f'| {live} | {spec.doc} |\n'
    )


def _interval(spec: Spec) -> str:
    if spec.length is not None:
        return f'{spec.length} numbers'
    low = f'>= {spec.lower:g}' if spec.lower is not None else ''
    high = f'<= {spec.upper:g}' if spec.upper is not None else ''
    return ', '.join(part for part in (low, high) if part)


def _shown(value: Value) -> str:
    if isinstance(value, tuple):
        return '[' + ', '.join(_shown(element) for element in value) + ']'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"'{value}'"
    if isinstance(value, float) and math.isinf(value):
        return '.inf' if value > 0 else '-.inf'
    return repr(value)


def example() -> str:
    """Text of ``config/id_controller.yaml``."""
    tree: dict[str, Any] = {}
    for spec in specs(Parameters, (_EXAMPLE_JOINT,)):
        value: Value = (_EXAMPLE_JOINT,) if spec.name == 'joints' else spec.default
        if value == ():
            continue  # ROS cannot tell the type of an empty list in a file
        *groups, name = spec.name.split('.')
        place = tree
        for group in groups:
            place = place.setdefault(group, {})
        place[name] = list(value) if isinstance(value, tuple) else value
    text = yaml.safe_dump({'/**': {'ros__parameters': tree}}, sort_keys=False)
    return _EXAMPLE_HEAD + str(text)
