"""Settings as a record of fixed size, for a memory that two processes share."""
from __future__ import annotations

import dataclasses
from functools import lru_cache
from typing import Any

import numpy as np

from id_controller.control.settings import PidGains, Settings
from id_controller.errors import MailboxError
from id_controller.parameters.schema import CONTROL_MODES, EXIT_ACTIONS, FAULT_ACTIONS
from id_controller.parameters.timing_groups import OVERRUN_POLICIES
from id_controller.state import Vector

_CHOICES = {
    'control_mode': CONTROL_MODES,
    'on_fault': FAULT_ACTIONS,
    'on_exit': EXIT_ACTIONS,
    'overrun_policy': OVERRUN_POLICIES,
}
_LENGTHS = {'gravity': 3, 'payload_com': 3, 'payload_inertia': 6}


@lru_cache(maxsize=8)
def leaves(
    n: int, group: type = Settings, path: tuple[str, ...] = ()
) -> dict[tuple[str, ...], int]:
    """Path of every number in a record, with its length; strings are stored as their index."""
    found: dict[tuple[str, ...], int] = {}
    for field in dataclasses.fields(group):
        here = (*path, field.name)
        if field.type == 'PidGains':
            found.update(leaves(n, PidGains, here))
        elif field.type == 'Vector':
            found[here] = _LENGTHS.get(field.name, n)
        else:
            found[here] = 1
    return found


def record_size(n: int) -> int:
    """Bytes of the record of a robot with n joints."""
    return 8 * sum(leaves(n).values())


def record_from_settings(settings: Settings) -> bytes:
    """Write settings as a fixed-size record of float64."""
    return numbers_in(settings).tobytes()


def numbers_in(settings: Settings) -> Vector:
    """Return every number of settings in the order of ``leaves``."""
    parts: list[Any] = []
    for path in leaves(len(settings.lower)):
        value: Any = settings
        for name in path:
            value = getattr(value, name)
        if path[0] in _CHOICES:
            value = _CHOICES[path[0]].index(value)
        parts.append(value if isinstance(value, np.ndarray) else (float(value),))
    return np.concatenate(parts)


def settings_from_record(record: bytes, n: int) -> Settings:
    """
    Read settings from a record.

    :raises MailboxError: when the record is not one of n joints.
    """
    if len(record) != record_size(n):
        raise MailboxError(
            f'settings record: got {len(record)} bytes, expected {record_size(n)} for {n} joints'
        )
    numbers = np.frombuffer(record, dtype=np.float64).copy()
    values: dict[str, Any] = {'gains': {}, 'acceleration_gains': {}}
    start = 0
    for path, length in leaves(n).items():
        part = numbers[start : start + length]
        start += length
        target = values[path[0]] if len(path) == 2 else values
        target[path[-1]] = _value(path[-1], part)
    for name in ('gains', 'acceleration_gains'):
        values[name] = PidGains(**values[name])
    return Settings(**values)


def _value(name: str, part: Vector) -> Any:
    if name in _CHOICES:
        return _CHOICES[name][int(part[0])]
    if Settings.__annotations__.get(name) == 'float':
        return float(part[0])
    part.flags.writeable = False
    return part
