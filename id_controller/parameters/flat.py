"""
Flat names to the typed schema, and every refusal that a value can earn.

A flat mapping is what ROS and YAML files have: ``{'gains.joint1.p': 100}``.
"""
from __future__ import annotations

import dataclasses
import difflib
import math
import typing
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from id_controller.errors import ParameterError
from id_controller.parameters.fields import Spec, Value, is_joint_group, specs
from id_controller.parameters.schema import Parameters

Schema = TypeVar('Schema')
_EXPECTED = {
    'bool': 'true or false',
    'int': 'a whole number',
    'float': 'a number',
    'str': 'a text',
    'strings': 'a list of texts',
    'floats': 'a list of numbers',
    'ints': 'a list of whole numbers',
}


def parameters_from_flat(flat: Mapping[str, Any]) -> Parameters:
    """
    Build the controller's parameters.

    :param flat: Values by full name; names that are absent take their defaults.
    :raises ParameterError: naming the parameter, what was got and what was expected.
    """
    joints = joints_from_flat(flat)
    return from_flat(Parameters, flat, joints)


def joints_from_flat(flat: Mapping[str, Any]) -> tuple[str, ...]:
    """
    Read ``joints``, on which the names of all per-joint parameters depend.

    :raises ParameterError: when it is empty or names a joint twice.
    """
    spec = Spec(name='joints', kind='strings', default=(), doc='')
    joints = typing.cast('tuple[str, ...]', coerced(spec, flat.get('joints', ())))
    if not joints:
        raise ParameterError(
            'joints: got an empty list, expected the names of the joints to control, '
            'in the order of the commands'
        )
    twice = sorted({joint for joint in joints if joints.count(joint) > 1})
    if twice:
        raise ParameterError(f'joints: {", ".join(twice)} named more than once')
    return joints


def from_flat(schema: type[Schema], flat: Mapping[str, Any], joints: tuple[str, ...]) -> Schema:
    """
    Build an instance of a schema class from flat values.

    :raises ParameterError: for a value of the wrong type, length or range, and for a name that is
        unknown inside one of the schema's groups or nearly that of a known parameter.
    """
    known = {spec.name: spec for spec in specs(schema, joints)}
    strangers(known, flat, joints)
    values = {name: coerced(known[name], flat[name]) for name in known if name in flat}
    return typing.cast(Schema, _build(schema, values, joints, ''))


def _build(schema: Any, values: Mapping[str, Value], joints: tuple[str, ...], prefix: str) -> Any:
    hints = typing.get_type_hints(schema)
    given: dict[str, Any] = {}
    for field in dataclasses.fields(schema):
        name = prefix + (field.metadata.get('name') or field.name)
        if is_joint_group(field):
            group = field.metadata['per_joint']
            given[field.name] = {
                joint: _build_joint(group, values, f'{name}.{joint}') for joint in joints
            }
        elif dataclasses.is_dataclass(hints[field.name]):
            given[field.name] = _build(hints[field.name], values, joints, name + '.')
        elif name in values:
            given[field.name] = values[name]
    try:
        return schema(**given)
    except ParameterError as error:
        raise ParameterError(f'{prefix}{error}') from None


def _build_joint(group: Any, values: Mapping[str, Value], name: str) -> Any:
    """Per-joint groups of one option carry no option name."""
    if name in values:
        return group(value=values[name])
    return _build(group, values, (), name + '.')


def strangers(
    known: Iterable[str], names: Iterable[str], joints: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """
    List the names that are not ours, for a warning.

    :param known: All names of the schema.
    :param names: The names that were given.
    :raises ParameterError: for a name inside one of our groups, or a near miss of a known one.
    """
    known = list(known)
    groups = {name.split('.')[0] for name in known if '.' in name}
    others = [name for name in names if name not in known]
    for name in others:
        nearest = difflib.get_close_matches(name, known, n=1, cutoff=0.0)
        near = bool(difflib.get_close_matches(name, known, n=1, cutoff=0.85))
        if near or name.split('.')[0] in groups:
            hint = f'; the joints are {", ".join(joints)}' if joints and '.' in name else ''
            raise ParameterError(
                f'{name}: no such parameter; the nearest is {nearest[0]}{hint}'
            )
    return tuple(others)


def coerced(spec: Spec, value: Any) -> Value:
    """
    Give a value the type that its parameter has, whole numbers taken for real ones.

    :raises ParameterError: naming the parameter, what was got and what was expected.
    """
    if spec.kind in ('strings', 'floats', 'ints'):
        result: Any = _array(spec, value)
    else:
        result = _scalar(spec, value, spec.kind)
    if spec.length is not None and len(result) != spec.length:
        raise ParameterError(
            f'{spec.name}: got {len(result)} numbers, expected {spec.length}'
        )
    for element in result if isinstance(result, tuple) else (result,):
        _check_choice(spec, element)
        if isinstance(element, (int, float)) and not isinstance(element, bool):
            _check_range(spec, element)
    return typing.cast(Value, result)


def _array(spec: Spec, value: Any) -> tuple[Any, ...]:
    if isinstance(value, (str, bytes)) or not hasattr(value, '__iter__'):
        raise _wrong_type(spec, value)
    kind = {'strings': 'str', 'floats': 'float', 'ints': 'int'}[spec.kind]
    return tuple(_scalar(spec, element, kind) for element in value)


def _scalar(spec: Spec, value: Any, kind: str) -> Any:
    if kind == 'float' and isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    if kind == 'int' and isinstance(value, int) and not isinstance(value, bool):
        return value
    if kind == 'bool' and isinstance(value, bool) or kind == 'str' and isinstance(value, str):
        return value
    raise _wrong_type(spec, value)


def _wrong_type(spec: Spec, value: Any) -> ParameterError:
    return ParameterError(
        f'{spec.name}: got {value!r} ({type(value).__name__}), expected {_EXPECTED[spec.kind]}'
    )


def _check_choice(spec: Spec, element: Any) -> None:
    if spec.choices and element not in spec.choices:
        raise ParameterError(
            f'{spec.name}: got {element!r}, expected one of {", ".join(spec.choices)}'
        )


def _check_range(spec: Spec, number: float) -> None:
    endless = isinstance(spec.default, float) and math.isinf(spec.default)
    if math.isnan(number) or (math.isinf(number) and not endless):
        raise ParameterError(f'{spec.name}: got {number}, expected a finite number')
    if spec.lower is not None and number < spec.lower:
        raise ParameterError(f'{spec.name}: got {number}, expected at least {spec.lower:g}')
    if spec.upper is not None and number > spec.upper:
        raise ParameterError(f'{spec.name}: got {number}, expected at most {spec.upper:g}')
