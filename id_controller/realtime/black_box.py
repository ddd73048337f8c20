"""
The last seconds of ticks before and after a fault, as a file.

One ``.npz`` file: the rows of the telemetry, and what one must know to read them as JSON. Nothing
in it is executed when it is read.
"""
from __future__ import annotations

import json
import os
import zipfile
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import recfunctions

from id_controller.errors import RecordingError
from id_controller.state import Rows

FORMAT = 1
_NEEDED = ('tick', 'steady_ns', 'mode', 'fault', 'q', 'v', 'q_ref', 'tau', 'terms')


@dataclass(frozen=True, kw_only=True, slots=True)
class Facts:
    """
    What one must know to read the rows.

    :param fault: Name of the fault, :param cause: what it means, or how a process was lost.
    :param written: System time of the fault, ISO 8601.
    :param joints: Joints, in the order of the columns; :param terms: terms of the law.
    :param effort_limit: Effort limit of each joint, N m or N.
    :param period_s: Period of the ticks, s.
    :param robot: Name of the robot in its description, :param description_sha256: of that text.
    :param parameters: Every parameter by its full name.
    """

    fault: str
    cause: str
    written: str
    joints: tuple[str, ...]
    terms: tuple[str, ...]
    effort_limit: tuple[float, ...]
    period_s: float
    robot: str
    description_sha256: str
    parameters: dict[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Recording:
    """Rows of ticks and the facts about them."""

    facts: Facts
    rows: Rows


def save(recording: Recording, path: Path) -> None:
    """
    Write a file; whoever finds it finds it whole.

    :raises OSError: when that cannot be done.
    """
    text = json.dumps({'format': FORMAT, **asdict(recording.facts)}, default=str)
    part = path.with_suffix('.part')
    with part.open('wb') as file:
        np.savez_compressed(
            file, facts=np.frombuffer(text.encode(), np.uint8),
            rows=recfunctions.repack_fields(recording.rows),
        )
    os.replace(part, path)


def load(path: Path) -> Recording:
    """
    Read a file.

    :raises RecordingError: when it is no recording, or of another version.
    """
    try:
        with np.load(path, allow_pickle=False) as found:
            values = json.loads(bytes(found['facts']))
            rows = found['rows']
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise RecordingError(f'{path}: no recording of a black box: {error}') from None
    if not isinstance(values, dict) or values.get('format') != FORMAT:
        got = values.get('format') if isinstance(values, dict) else values
        raise RecordingError(f'{path}: got format {got!r}, expected {FORMAT}')
    missing = [field.name for field in fields(Facts) if field.name not in values]
    missing += [name for name in _NEEDED if name not in (rows.dtype.names or ())]
    if missing:
        raise RecordingError(f'{path}: {", ".join(missing)} missing')
    given = {field.name: values[field.name] for field in fields(Facts)}
    for name in ('joints', 'terms', 'effort_limit'):
        given[name] = tuple(given[name])
    if rows['q'].ndim != 2 or rows['q'].shape[1] != len(given['joints']):
        raise RecordingError(
            f'{path}: got rows of shape {rows["q"].shape}, expected {len(given["joints"])} joints'
        )
    return Recording(facts=Facts(**given), rows=rows)
