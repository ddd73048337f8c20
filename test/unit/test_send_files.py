"""Trajectories in files: what is read, and how each kind of mistake is refused."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from id_controller.command_line.send_files import load_points
from id_controller.errors import TrajectoryError

YAML = """\
joints: [b, a]
points:
  - time: 0.5
    positions: [1.0, 2]
    velocities: [0.1, 0.2]
    accelerations: [1e-3, -4.0]
    effort: [5.0, 6.0]
  - {time: 2, positions: [3.0, 4.0], velocities: [0, 0], accelerations: [0, 0], effort: [7, 8]}
"""
CSV = """\
time, b, a, a.velocity, b.velocity, b.acceleration, a.acceleration, b.effort, a.effort

0.5, 1.0, 2, 0.2, 0.1, 1e-3, -4.0, 5.0, 6.0
2, 3.0, 4.0, 0, 0, 0, 0, 7, 8
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding='utf-8')
    return path


@pytest.mark.parametrize(('name', 'text'), [('m.yaml', YAML), ('m.YML', YAML), ('m.csv', CSV)])
def test_every_field_is_read(tmp_path: Path, name: str, text: str) -> None:
    points = load_points(written(tmp_path, name, text))
    assert points.joints == ('b', 'a')
    assert points.times.tolist() == [0.5, 2.0]
    for found, expected in (
        (points.q, [[1.0, 2.0], [3.0, 4.0]]),
        (points.v, [[0.1, 0.2], [0.0, 0.0]]),
        (points.a, [[0.001, -4.0], [0.0, 0.0]]),
        (points.effort, [[5.0, 6.0], [7.0, 8.0]]),
    ):
        assert found is not None
        assert found.tolist() == expected
    assert points.start_ns == 0


@pytest.mark.parametrize(
    ('name', 'text'),
    [
        ('m.yaml', 'joints: [a]\npoints: [{time: 1, positions: [.nan]}]'),
        ('m.csv', '\ufefftime,a\n1,nan\n'),
    ],
)
def test_positions_alone_are_enough_and_nan_is_for_the_validator(
    tmp_path: Path, name: str, text: str
) -> None:
    points = load_points(written(tmp_path, name, text))
    assert points.v is points.a is points.effort is None
    assert points.q is not None
    assert np.isnan(points.q).all()


POINT = 'joints: [a, b]\npoints:\n  - time: 1\n    positions: [1, 2]\n  - '
WRONG_YAML = [
    ('joints: [a', 'not valid YAML: '),
    ('', r'm\.yaml: got None, expected a mapping with joints and points'),
    ('[1, 2]', r'got \[1, 2\], expected a mapping'),
    ('joints: [a]\npoint: []', "got the key 'point'; did you mean 'points'"),
    ('joints: [a]', "got no 'points', expected joints and points"),
    ('joints: a\npoints: []', "joints: got 'a', expected a list of joint names"),
    ('joints: [a, 3]\npoints: []', r"joints: got \['a', 3\], expected a list of joint names"),
    ('joints: [a]\npoints: 3', 'points: got 3, expected a list of mappings'),
    (f'{POINT}7', r'm\.yaml, line 5, point 1: got 7, expected a mapping with time and positions'),
    (f'{POINT}{{time: 2}}', "line 5, point 1: got no 'positions'"),
    (f'{POINT}{{time: 2, position: [1, 2]}}', "line 5, point 1: got the key 'position'; did you"),
    (f'{POINT}{{time: soon, positions: [1, 2]}}', "point 1, time: got 'soon', expected a number"),
    (f'{POINT}{{time: 2, positions: [1, x]}}', "point 1, positions, b: got 'x', expected a num"),
    (f'{POINT}{{time: 2, positions: [true, 1]}}', 'point 1, positions, a: got True, expected a'),
    (f'{POINT}{{time: 2, positions: [1, null]}}', 'point 1, positions, b: got None, expected a'),
    (f'{POINT}{{time: 2, positions: 1.0}}', 'positions: got 1.0, expected a list of 2 numbers, '),
    (f'{POINT}{{time: 2, positions: [1]}}', r'm\.yaml: point 1, positions: got 1 values, expecte'),
    (f'{POINT}{{time: 2, positions: [1, 2, 3]}}', 'positions: got 3 values, expected 2, one for'),
    (f'{POINT}{{time: 2, positions: [1, 2], effort: [1, 2]}}', 'point 0, effort: got 0 values'),
]


@pytest.mark.parametrize(('text', 'words'), WRONG_YAML)
def test_a_wrong_yaml_file_is_refused(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(TrajectoryError, match=words):
        load_points(written(tmp_path, 'm.yaml', text))


WRONG_CSV = [
    ('', 'got an empty file, expected a header time,joint1'),
    ('\n\n', 'got an empty file'),
    ('time\n1\n', 'line 1: got the columns time, expected time first and then joints'),
    ('a,time\n1,2\n', 'line 1: got the columns a, time, expected time first'),
    ('time,a\n1,2\n\n2,x\n', r"m\.csv, line 4, a: got 'x', expected a number"),
    ('time,a\n1,\n', "line 2, a: got '', expected a number"),
    ('time,a\nsoon,1\n', "line 2, time: got 'soon', expected a number"),
    ('time,a\n1,2,3\n', 'line 2: got 3 cells, expected 2 as in the header'),
    ('time,a\n1\n', 'line 2: got 1 cells, expected 2'),
    ('time,a,a\n1,2,3\n', "line 1: got 'a' again, expected each column once"),
    ('time,a,\n1,2,3\n', 'line 1: got no name for column 3'),
    ('time,a,c.velocity\n1,2,3\n', "got the column 'c.velocity' without a column 'c'"),
    ('time,a,b,b.effort\n1,2,3,4\n', r"got the column 'b.effort' without a\.effort; expected"),
    ('time,a\n1,"2\n', r'm\.csv, line 2: '),
]


@pytest.mark.parametrize(('text', 'words'), WRONG_CSV)
def test_a_wrong_csv_file_is_refused(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(TrajectoryError, match=words):
        load_points(written(tmp_path, 'm.csv', text))


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TrajectoryError, match=r"got the ending '\.txt', expected one of \.yaml"):
        load_points(written(tmp_path, 'm.txt', CSV))


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TrajectoryError, match=r'no\.csv: cannot read the trajectory: No such'):
        load_points(tmp_path / 'no.csv')
    (tmp_path / 'bytes.csv').write_bytes(b'time,a\n1,\xff\n')
    with pytest.raises(TrajectoryError, match='it is no text in UTF-8'):
        load_points(tmp_path / 'bytes.csv')
