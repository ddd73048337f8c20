"""What settings must be before an arm may be driven by them."""
from __future__ import annotations

import dataclasses
import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from id_controller.control.laws import LAWS
from id_controller.control.settings import PidGains, Settings
from id_controller.control.settings_record import leaves, numbers_in
from id_controller.errors import ParameterError
from id_controller.state import Vector

# Far above any robot, and far below where products of two overflow.
_LARGEST = 1e9

_OF_THREE = ('gravity', 'payload_com')
_UNBOUNDED = (
    'effort_limit', 'max_effort_rate', 'velocity_limit', 'deceleration', 'lower', 'upper', 'i_min',
    'i_max', 'u_min', 'u_max',
)
_SIGNED = (
    'lower', 'upper', 'i_min', 'u_min', 'gravity', 'payload_com', 'payload_inertia',
)


_BELOW = tuple(name for name in _UNBOUNDED if name in _SIGNED)


def check_settings(settings: Settings, joints: tuple[str, ...]) -> None:
    """
    Check the numbers themselves.

    :raises ParameterError: when one has the wrong length, is not a number or is out of range.
    """
    if not _in_bounds(settings, len(joints)):
        _name_what_is_wrong(settings, joints)
    for path in ('gains', 'acceleration_gains'):
        gains = getattr(settings, path)
        for low, high in (('i_min', 'i_max'), ('u_min', 'u_max')):
            bad = ~((getattr(gains, low) <= 0.0) & (getattr(gains, high) >= 0.0))
            _refuse(bad, joints, f'{path}.{low}, {high}', 'min <= 0 <= max')
    _refuse(settings.lower > settings.upper, joints, 'lower, upper', 'lower <= upper')
    stuck = (settings.effort_limit > 0.0) & (settings.max_effort_rate <= 0.0)
    _refuse(stuck, joints, 'max_effort_rate', 'a rate > 0')
    if settings.speed_scaling > 1.0:
        raise ParameterError(f'speed_scaling: got {settings.speed_scaling:g}, expected 0 to 1')
    for name in ('friction_velocity', 'state_timeout_s'):
        if getattr(settings, name) <= 0.0:
            raise ParameterError(f'{name}: got {getattr(settings, name)!r}, expected > 0')


def missing_gains(settings: Settings, joints: tuple[str, ...]) -> str:
    """
    Say which gains the control mode lacks; empty when it has all.

    Every joint needs one: a joint that was forgotten would be driven open loop.
    """
    law = LAWS[settings.control_mode]
    group = 'acceleration_gains' if law.uses_acceleration_gains else 'gains'
    gains: PidGains = getattr(settings, group)
    strength = gains.p + gains.d if law.follows else gains.d
    without = [joint for joint, value in zip(joints, strength) if value <= 0.0]
    if not without:
        return ''
    wanted = 'p or d' if law.follows else 'd'
    return (
        f"control_mode '{settings.control_mode}': got no gain for {', '.join(without)}, "
        f'expected {group}.<joint>.{wanted} > 0 (there is no default gain)'
    )


@lru_cache(maxsize=8)
def _bounds(n: int) -> tuple[Vector, Vector]:
    """Lower and upper bounds of all numbers of settings, as ``numbers_in`` orders them."""
    low, high = [], []
    for path, length in leaves(n).items():
        low += [-math.inf if path[-1] in _BELOW else _low(path[-1])] * length
        high += [math.inf if path[-1] in _UNBOUNDED else _LARGEST] * length
    return np.array(low), np.array(high)


def _in_bounds(settings: Settings, n: int) -> bool:
    """Look at all numbers at once: this runs between two ticks."""
    low, high = _bounds(n)
    numbers = numbers_in(settings)
    return numbers.shape == low.shape and bool(((numbers >= low) & (numbers <= high)).all())


def _name_what_is_wrong(settings: Settings, joints: tuple[str, ...]) -> None:
    _check_numbers(settings, joints, '')
    for path in ('gains', 'acceleration_gains'):
        _check_numbers(getattr(settings, path), joints, f'{path}.')


def _low(name: str) -> float:
    return -_LARGEST if name in _SIGNED else 0.0


def _check_numbers(record: Settings | PidGains, joints: tuple[str, ...], path: str) -> None:
    for field in dataclasses.fields(record):
        value = getattr(record, field.name)
        if isinstance(value, (str, PidGains)):
            continue
        numbers = np.atleast_1d(np.asarray(value, float))
        length = _length(field.name, field.type, len(joints))
        if numbers.shape != (length,):
            raise ParameterError(
                f'{path}{field.name}: got shape {numbers.shape}, expected ({length},)'
            )
        low = _low(field.name)
        allowed = (numbers >= low) & (numbers <= _LARGEST)
        if field.name in _UNBOUNDED:
            allowed |= np.isposinf(numbers)
            if field.name in _BELOW:
                allowed |= np.isneginf(numbers)
        names = joints if length == len(joints) else tuple(str(k) for k in range(length))
        _refuse(~allowed, names, f'{path}{field.name}', f'{low:g} to {_LARGEST:g}', numbers)


def _length(name: str, kind: object, n: int) -> int:
    if kind != 'Vector':
        return 1
    return 3 if name in _OF_THREE else 6 if name == 'payload_inertia' else n


def _refuse(
    bad: npt.NDArray[np.bool_],
    joints: tuple[str, ...],
    what: str,
    expected: str,
    got: Vector | None = None,
) -> None:
    if not bad.any():
        return
    for joint, wrong, k in zip(joints, bad, range(len(joints))):
        if wrong:
            value = '' if got is None else f'got {got[k]:g}, '
            raise ParameterError(f'{what} of {joint}: {value}expected {expected}')
