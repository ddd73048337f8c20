"""
Trajectories in files: YAML with joints and points, CSV with one row a point.

What is no number, or of another shape, is refused with file, line and field. Whether the numbers
make sense for a robot, the validator says.
"""
from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import yaml

from id_controller.errors import TrajectoryError
from id_controller.model.names import nearest
from id_controller.trajectory.points import JointPoints, points_from_rows

FIELDS = ('positions', 'velocities', 'accelerations', 'effort')
_KEYS = ('joints', 'points')
_POINT_KEYS = ('time', *FIELDS)
# How a column of a CSV file ends that holds no positions.
_ENDINGS = {'.velocity': 'velocities', '.acceleration': 'accelerations', '.effort': 'effort'}
_Table = dict[str, list[list[float]]]


def load_points(path: Path) -> JointPoints:
    """
    Read a trajectory.

    :param path: A file that ends in .yaml, .yml or .csv.
    :raises TrajectoryError: when it cannot be read as one.
    """
    read = _READERS.get(path.suffix.lower())
    if read is None:
        raise TrajectoryError(
            f'{path}: got the ending {path.suffix!r}, expected one of {", ".join(_READERS)}'
        )
    try:
        text = path.read_text(encoding='utf-8-sig')
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, 'strerror', None) or 'it is no text in UTF-8'
        raise TrajectoryError(f'{path}: cannot read the trajectory: {reason}') from error
    joints, times, table = read(path, text)
    try:
        return points_from_rows(
            joints, times, table['positions'], v=table['velocities'], a=table['accelerations'],
            effort=table['effort'],
        )
    except TrajectoryError as error:
        raise TrajectoryError(f'{path}: {error}') from None


_Read = tuple[tuple[str, ...], list[float], _Table]


def _read_yaml(path: Path, text: str) -> _Read:
    root, tree = _parsed(path, text)
    _check_keys(f'{path}', tree, _KEYS, _KEYS)
    joints, points = tree['joints'], tree['points']
    if not isinstance(joints, list) or not all(isinstance(name, str) for name in joints):
        raise TrajectoryError(f'{path}, joints: got {joints!r}, expected a list of joint names')
    if not isinstance(points, list):
        raise TrajectoryError(f'{path}, points: got {points!r}, expected a list of mappings')
    times: list[float] = []
    table: _Table = {field: [] for field in FIELDS}
    for k, (point, line) in enumerate(zip(points, _lines(root))):
        where = f'{path}, line {line}, point {k}'
        _check_keys(where, point, _POINT_KEYS, ('time', 'positions'))
        times.append(_number(point['time'], f'{where}, time'))
        for field in FIELDS:
            table[field].append(_numbers(point.get(field, []), f'{where}, {field}', joints))
    return tuple(joints), times, table


def _parsed(path: Path, text: str) -> tuple[Any, Any]:
    """The tree of nodes, which know their lines, and the values."""
    # The parser in C, where there is one, reads a long trajectory ten times as fast.
    loader = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)(text)
    try:
        root = loader.get_single_node()
        return root, loader.construct_document(root) if root is not None else None
    except (yaml.YAMLError, ValueError) as error:
        said = ' '.join(str(error).split())
        raise TrajectoryError(f'{path}: not valid YAML: {said}') from error
    finally:
        loader.dispose()


def _lines(root: Any) -> list[int]:
    """Lines on which the points begin."""
    (points,) = (value for key, value in root.value if key.value == 'points')
    return [point.start_mark.line + 1 for point in points.value]


def _check_keys(where: str, tree: Any, known: Sequence[str], required: Sequence[str]) -> None:
    if not isinstance(tree, dict):
        raise TrajectoryError(
            f'{where}: got {tree!r}, expected a mapping with {" and ".join(required)}'
        )
    for key in tree:
        if key not in known:
            raise TrajectoryError(f'{where}: got the key {key!r}; {nearest(str(key), known)}')
    for key in required:
        if key not in tree:
            raise TrajectoryError(f'{where}: got no {key!r}, expected {" and ".join(required)}')


def _numbers(values: Any, where: str, joints: Sequence[str]) -> list[float]:
    if not isinstance(values, list):
        raise TrajectoryError(
            f'{where}: got {values!r}, expected a list of {len(joints)} numbers, one for each '
            f'of the joints {", ".join(joints)}'
        )
    # A list of another length is refused with the joints by whoever collects the points.
    names = [*joints, *[f'value {k}' for k in range(len(joints), len(values))]]
    return [_number(value, f'{where}, {name}') for name, value in zip(names, values)]


def _number(value: Any, where: str) -> float:
    try:
        # YAML takes 1e-3 for a text, and true for what Python counts as 1.
        if isinstance(value, (int, float, str)) and not isinstance(value, bool):
            return float(value)
    except (ValueError, OverflowError):
        pass
    raise TrajectoryError(f'{where}: got {value!r}, expected a number')


def _read_csv(path: Path, text: str) -> _Read:
    try:
        reader = csv.reader(text.splitlines(), skipinitialspace=True, strict=True)
        rows = [(reader.line_num, [cell.strip() for cell in row]) for row in reader if row]
    except csv.Error as error:
        raise TrajectoryError(f'{path}, line {reader.line_num}: {error}') from error
    if not rows:
        raise TrajectoryError(f'{path}: got an empty file, expected a header time,joint1,...')
    (line, header), *rest = rows
    joints, columns = _columns(f'{path}, line {line}', header)
    times: list[float] = []
    table: _Table = {field: [] for field in FIELDS}
    for line, row in rest:
        where = f'{path}, line {line}'
        if len(row) != len(header):
            raise TrajectoryError(
                f'{where}: got {len(row)} cells, expected {len(header)} as in the header'
            )
        numbers = [_number(cell, f'{where}, {name}') for name, cell in zip(header, row)]
        times.append(numbers[0])
        for field in FIELDS:
            table[field].append([numbers[at] for at in columns[field]])
    return joints, times, table


def _columns(where: str, header: list[str]) -> tuple[tuple[str, ...], dict[str, list[int]]]:
    """Which joints there are, and in which columns each field stands, in their order."""
    if header[0] != 'time' or len(header) < 2:
        raise TrajectoryError(
            f'{where}: got the columns {", ".join(header)}, expected time first and then joints'
        )
    ends = {name: name[name.rfind('.'):] if '.' in name else '' for name in header}
    joints = tuple(name for name in header[1:] if ends[name] not in _ENDINGS)
    columns = {'positions': [header.index(joint) for joint in joints]}
    for ending, field in _ENDINGS.items():
        wanted = [f'{joint}{ending}' for joint in joints]
        given = [name for name in header if ends[name] == ending]
        _check_columns(where, given, wanted)
        columns[field] = [header.index(name) for name in wanted] if given else []
    _check_once(where, header)
    return joints, columns


def _check_columns(where: str, given: list[str], wanted: list[str]) -> None:
    """A field is given for all joints or for none."""
    for name in given:
        if name not in wanted:
            raise TrajectoryError(
                f'{where}: got the column {name!r} without a column {name.rpartition(".")[0]!r}'
            )
    missing = [name for name in wanted if name not in given]
    if given and missing:
        raise TrajectoryError(
            f'{where}: got the column {given[0]!r} without {", ".join(missing)}; expected it for '
            'all joints or for none'
        )


def _check_once(where: str, header: list[str]) -> None:
    for k, name in enumerate(header):
        if name in header[:k] or not name:
            what = f'{name!r} again' if name else f'no name for column {k + 1}'
            raise TrajectoryError(f'{where}: got {what}, expected each column once')


_READERS: dict[str, Callable[[Path, str], _Read]] = {
    '.yaml': _read_yaml, '.yml': _read_yaml, '.csv': _read_csv,
}
