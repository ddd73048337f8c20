"""Collecting points that messages and files hold one by one."""
from __future__ import annotations

import numpy as np
import pytest

from id_controller.errors import TrajectoryError
from id_controller.trajectory.points import points_from_rows


def test_rows_become_arrays_and_empty_fields_are_absent() -> None:
    points = points_from_rows(
        ['a', 'b'], [0.5, 1.5], [[1.0, 2.0], [3.0, 4.0]],
        v=[[0.1, 0.2], [0.0, 0.0]], a=[[], []], start_ns=7,
    )
    assert points.joints == ('a', 'b')
    assert points.times.tolist() == [0.5, 1.5]
    assert points.q is not None
    assert points.q.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert points.v is not None
    assert points.v.tolist() == [[0.1, 0.2], [0.0, 0.0]]
    assert points.a is None
    assert points.effort is None
    assert points.start_ns == 7


def test_integers_are_numbers() -> None:
    points = points_from_rows(['a'], [1], [[2]])
    assert points.q is not None
    assert points.q.dtype == points.times.dtype == np.float64


def test_no_points_are_kept_for_the_validator_to_name() -> None:
    points = points_from_rows(['a'], [], [])
    assert len(points.times) == 0
    assert points.q is None


def test_b02_a_row_of_another_length_names_point_and_field() -> None:
    with pytest.raises(TrajectoryError, match='point 0, velocities: got 1 values, expected 2'):
        points_from_rows(['a', 'b'], [1.0], [[]], v=[[0.1]])
    with pytest.raises(TrajectoryError, match='point 1, positions: got 3 values, expected 2'):
        points_from_rows(['a', 'b'], [1.0, 2.0], [[1.0, 2.0], [1.0, 2.0, 3.0]])


def test_b15_effort_on_some_points_only_is_refused() -> None:
    with pytest.raises(TrajectoryError, match=r'point 1, effort: got 0 values.*all points or on'):
        points_from_rows(['a'], [1.0, 2.0], [[1.0], [2.0]], effort=[[5.0], []])


def test_b15_effort_of_wrong_length_is_refused() -> None:
    with pytest.raises(TrajectoryError, match='point 0, effort: got 2 values, expected 1'):
        points_from_rows(['a'], [1.0], [[1.0]], effort=[[5.0, 6.0]])


def test_a_field_with_fewer_rows_than_points_is_refused() -> None:
    with pytest.raises(TrajectoryError, match='velocities: got rows for 1 points, expected 2'):
        points_from_rows(['a'], [1.0, 2.0], [[1.0], [2.0]], v=[[0.0]])


def test_what_is_no_number_is_refused() -> None:
    with pytest.raises(TrajectoryError, match=r'positions: got .*expected numbers'):
        points_from_rows(['a'], [1.0], [['fast']])  # type: ignore[list-item]
    with pytest.raises(TrajectoryError, match=r'times: got .*expected numbers'):
        points_from_rows(['a'], ['soon'], [[1.0]])  # type: ignore[list-item]
