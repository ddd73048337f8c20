"""What is accepted as a trajectory and what is refused, with which words: numbers and times."""
from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from trajectory_rig import JOINTS, accept, matrix, points, refuse


def test_good_points_come_back_as_they_are_and_read_only() -> None:
    given = points(start_ns=5)
    found = accept(given)
    for field in dataclasses.fields(given):
        before, after = getattr(given, field.name), getattr(found, field.name)
        if isinstance(before, np.ndarray):
            assert np.array_equal(before, after)
            assert not np.shares_memory(before, after)
            assert not after.flags.writeable
        else:
            assert before == after


@pytest.mark.parametrize('bad', [math.nan, math.inf, -math.inf, 1e300])
@pytest.mark.parametrize(
    ('field', 'name'),
    [('q', 'position'), ('v', 'velocity'), ('a', 'acceleration'), ('effort', 'effort')],
)
def test_b01_what_is_not_finite_names_point_joint_and_field(
    field: str, name: str, bad: float
) -> None:
    array = getattr(points(), field).copy()
    array[1, 2] = bad
    refuse(points(**{field: array}), rf"point 1, joint 'wrist', {name}: got .*expected finite")


def test_b01_time_that_is_not_finite() -> None:
    refuse(points(times=np.array([1.0, math.nan])), r'point 1, time: got nan s')
    refuse(points(times=np.array([1.0, math.inf])), r'point 1, time: got inf s')


def test_b01_present_position_that_is_not_finite() -> None:
    refuse(points(), r"present position of joint 'elbow': got nan",
           q_now=np.array([0.1, math.nan, 0.3]))


def test_b02_sizes_that_do_not_match() -> None:
    refuse(points(v=matrix([0.1, 0.2])), r'velocities: got float64 of shape \(1, 2\), '
           r'expected float64 of \(2, 3\)')
    refuse(points(effort=np.zeros(3)), r'effort: got float64 of shape \(3,\)')
    refuse(points(times=np.ones((2, 1))), r'times: got float64 of shape \(2, 1\)')
    refuse(points(q=np.zeros((2, 3), dtype=np.float32)), 'positions: got float32')


def test_b03_velocities_only_says_why() -> None:
    refuse(points(q=None, a=None), r"point 0, joint 'shoulder', positions: got velocities only")
    refuse(points(q=None, v=None, a=None), r'positions: got none')
    refuse(points(v=None), r"point 0, joint 'shoulder', velocities: got none")
    refuse(points(q=None, v=None, a=None), r'positions: got none', integrate=True)


@pytest.mark.parametrize(
    ('times', 'words'),
    [
        ([1.0, 1.0], r'point 1, time: got 1 s after 1 s, expected strictly increasing'),
        ([2.0, 1.0], r'point 1, time: got 1 s after 2 s'),
        ([0.0, 0.0], r'point 1, time: got 0 s after 0 s'),
        ([-0.1, 1.0], r'point 0, time: got -0.1 s, expected 0 to'),
    ],
)
def test_b04_times(times: list[float], words: str) -> None:
    refuse(points(times=np.array(times)), words)


def test_b05_first_point_at_time_0_far_away() -> None:
    far = points(times=np.array([0.0]), q=matrix([0.1, 0.2, 2.0]), v=None, a=None, effort=None)
    refuse(far, r"point 0, joint 'wrist', distance from the present position at 0 s: got 1.7, "
           r'expected at most 0.2', start_tolerance=np.array([0.1, 0.1, 0.2]))
    accept(far, start_tolerance=np.array([0.1, 0.1, 0.0]))


def test_b06_the_present_state_as_first_point() -> None:
    found = accept(points(times=np.array([0.0, 2.0]), q=matrix([0.1, 0.2, 0.3], [0.5, 0.6, 0.7])),
                   start_tolerance=np.full(3, 0.01))
    assert found.times.tolist() == [0.0, 2.0]


def test_b07_points_too_close_for_the_velocity_limit() -> None:
    close = points(times=np.array([1.0, 1.0005]), q=matrix([0.4, 0.5, 0.6], [0.4, 0.6, 0.6]))
    refuse(close, r"point 1, joint 'elbow', mean velocity since the point before: got 200, "
           r'expected at most 1.1')
    refuse(points(times=np.array([1.0, 1.0 + 1e-9])), 'at least 1e-06 s apart')


def test_b09_wholly_in_the_past_gives_the_age() -> None:
    late = points(start_ns=10_000_000_000)
    refuse(late, r'the last point was due 988.000 s ago', now_ns=1_000_000_000_000)
    accept(late, now_ns=11_900_000_000)
    accept(points(start_ns=0), now_ns=1_000_000_000_000)
    refuse(points(start_ns=-1), 'stamp: got -1 ns')


def test_b12_no_points() -> None:
    empty = points(times=np.zeros(0), q=np.zeros((0, 3)), v=None, a=None, effort=None)
    refuse(empty, 'trajectory: got no points')


def test_b13_columns_are_permuted_by_name_in_every_field() -> None:
    order = [2, 0, 1]
    straight = points()
    shuffled = points(
        joints=tuple(JOINTS[i] for i in order),
        **{name: getattr(straight, name)[:, order] for name in ('q', 'v', 'a', 'effort')},
    )
    found = accept(shuffled)
    assert found.joints == JOINTS
    for name in ('q', 'v', 'a', 'effort'):
        assert np.array_equal(getattr(found, name), getattr(straight, name))


@pytest.mark.parametrize(
    ('speed', 'fine'), [(4e-7, True), (1e-4, True), (-0.01, True), (0.02, False), (-0.5, False)]
)
def test_b16_end_velocity(speed: float, fine: bool) -> None:
    given = points(v=matrix([0.11, 0.12, 0.13], [0.0, speed, 0.0]))
    if fine:
        found = accept(given)
        assert found.v is not None
        assert found.v[-1].tolist() == [0.0, 0.0, 0.0]
    else:
        refuse(given, r"point 1, joint 'elbow', end velocity: got")
        accept(given, stopped_velocity=0.6)


def test_b27_the_way_of_a_continuous_joint_is_the_short_one() -> None:
    one = points(times=np.array([0.5]), q=matrix([0.1, 0.2, 3.1413]), v=None, a=None, effort=None)
    turning = np.array([False, False, True])
    accept(one, q_now=np.array([0.1, 0.2, -3.1415]), continuous=turning)
