"""What the schema says of one parameter, and how to walk the schema."""
from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Value = bool | int | float | str | tuple[str, ...] | tuple[float, ...] | tuple[int, ...]
KINDS = ('bool', 'int', 'float', 'str', 'strings', 'floats', 'ints')


@dataclass(frozen=True, kw_only=True, slots=True)
class Spec:
    """
    One parameter as declared: enough to declare, check, document and show it.

    :param name: Full dotted name, ``gains.joint1.p``.
    :param kind: One of ``KINDS``.
    """

    name: str
    kind: str
    default: Value
    doc: str
    unit: str = ''
    lower: float | None = None
    upper: float | None = None
    choices: tuple[str, ...] = ()
    length: int | None = None
    live: bool = False


def option(
    default: Value,
    doc: str,
    *,
    unit: str = '',
    lower: float | None = None,
    upper: float | None = None,
    choices: tuple[str, ...] = (),
    length: int | None = None,
    live: bool = False,
) -> Any:
    """
    Declare a field of the schema.

    :param live: May be changed while the node runs; otherwise read-only after start.
    :param length: Required number of elements of an array.
    """
    facts = {
        'doc': doc,
        'unit': unit,
        'lower': lower,
        'upper': upper,
        'choices': choices,
        'length': length,
        'live': live,
    }
    return dataclasses.field(default=default, metadata=facts)


def per_joint(group: type, name: str = '') -> Any:
    """
    Declare a group that exists once for each joint, as ``<name>.<joint>.<option>``.

    :param name: Prefix where it differs from the name of the field.
    """
    facts = {'per_joint': group, 'name': name}
    return dataclasses.field(default_factory=dict, metadata=facts)


def is_joint_group(field: dataclasses.Field[Any]) -> bool:
    """Tell whether a field of the schema was declared by ``per_joint``."""
    return 'per_joint' in field.metadata


_KIND_OF = {
    bool: 'bool',
    int: 'int',
    float: 'float',
    str: 'str',
    tuple[str, ...]: 'strings',
    tuple[float, ...]: 'floats',
    tuple[int, ...]: 'ints',
}


def specs(group: type, joints: tuple[str, ...], prefix: str = '') -> Iterator[Spec]:
    """
    List every parameter of a schema group, joints filled in.

    :param group: A dataclass of the schema.
    :param joints: Joint names for the per-joint groups.
    :param prefix: Dotted prefix, with its dot.
    """
    hints = typing.get_type_hints(group)
    for field in dataclasses.fields(group):
        name = prefix + (field.metadata.get('name') or field.name)
        if is_joint_group(field):
            for joint in joints:
                yield from _joint_specs(field.metadata['per_joint'], f'{name}.{joint}')
        elif dataclasses.is_dataclass(hints[field.name]):
            yield from specs(hints[field.name], joints, name + '.')
        else:
            kind = _KIND_OF[hints[field.name]]
            default = typing.cast(Value, field.default)
            yield Spec(name=name, kind=kind, default=default, **field.metadata)


def _joint_specs(group: type, name: str) -> Iterator[Spec]:
    """A group of one option named ``value`` is written without that name."""
    for spec in specs(group, (), name + '.'):
        if spec.name == f'{name}.value':
            spec = dataclasses.replace(spec, name=name)
        yield spec
