"""Following trajectories: entry, spline, turns, effort, steps, end."""
from __future__ import annotations

import time

import numpy as np
import pytest
from trajectory_rig import MS, NOW, S, assert_same, at_rest, begin, copied, trajectory

from id_controller.errors import TrajectoryError
from id_controller.state import Reference, Vector
from id_controller.trajectory.follower import Follower
from id_controller.trajectory.spline import sampled


def test_at_rest() -> None:
    follower = Follower(2)
    follower.hold(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
    q, v, a, effort = follower.sample(NOW)
    assert (q.tolist(), effort.tolist()) == ([1.0, 2.0], [3.0, 4.0])
    assert not v.any()
    assert not a.any()
    assert follower.finished(NOW)
    assert follower.trajectories == ()


def test_the_entry_leads_from_rest_to_the_first_point_like_a_minimum_jerk_motion() -> None:
    follower = at_rest(1.0, -1.0)
    begin(follower, trajectory([2.0], [[2.0, -4.0]]))
    q, v, a, _ = follower.sample(NOW)
    assert q.tolist() == [1.0, -1.0]
    assert not v.any()
    assert not a.any()
    q, v, a, _ = follower.sample(NOW + S)
    # Half-way: the middle, at 1.875 times the mean velocity, without acceleration.
    assert np.allclose(q, [1.5, -2.5])
    assert np.allclose(v, [1.875 * 0.5, 1.875 * -1.5])
    assert np.allclose(a, 0.0)
    assert not follower.finished(NOW + 2 * S - 1)
    assert follower.remaining_ns(NOW + S) == 1.0 * S
    q, v, a, _ = follower.sample(NOW + 2 * S)
    assert q.tolist() == [2.0, -4.0]
    assert follower.finished(NOW + 2 * S)
    assert follower.remaining_ns(NOW + 9 * S) == 0


def test_the_entry_meets_the_velocity_of_the_first_segment() -> None:
    follower = at_rest(0.0)
    begin(follower, trajectory([1.0, 3.0], [[1.0], [2.0]]))
    before, after = copied(follower.sample(NOW + S - 1)), follower.sample(NOW + S)
    assert before.v[0] == pytest.approx(0.5)
    assert_same(before, after, atol=1e-6)


def test_between_the_points_it_is_the_spline() -> None:
    given = trajectory(
        [0.5, 1.0, 1.75, 2.0], [[1.0, 5.0], [2.0, 4.0], [2.5, 3.0], [2.6, 1.0]],
        v=[[0.1, 0.2], [-0.3, 0.4], [0.5, -0.6], [0.0, 0.0]],
    )
    follower = at_rest(0.9, 5.1)
    begin(follower, given)
    times = np.array([0.5, 0.6, 1.0, 1.3, 1.74, 1.75, 1.99, 0.7, 1.8, 0.55])
    for at, q, v, a in zip(times, *sampled(given, times)):
        found = follower.sample(NOW + round(at * S))
        assert_same(found, Reference(q, v, a, np.zeros(2)))


def test_after_the_last_point_it_rests_there() -> None:
    follower = at_rest(0.0)
    begin(follower, trajectory([0.5, 1.0], [[1.0], [2.0]]))
    q, v, a, _ = follower.sample(NOW + 100 * S)
    assert (q[0], v[0], a[0]) == (2.0, 0.0, 0.0)


def turning(q: float) -> Follower:
    follower = Follower(2, continuous=np.array([True, False]))
    follower.hold(np.array([q, 0.0]))
    return follower


def travel(follower: Follower, until_ms: int) -> Vector:
    q = [follower.sample(NOW + k * MS).q.copy() for k in range(until_ms)]
    return np.abs(np.diff(np.array(q), axis=0)).sum(axis=0)


def test_b27_a_continuous_joint_takes_the_short_way_at_the_junction() -> None:
    follower = turning(-3.1415)
    begin(follower, trajectory([1.0, 2.0], [[3.1413, 0.1], [3.0, 0.2]]))
    assert travel(follower, 1001)[0] < 0.2
    assert follower.sample(NOW + S).q[0] == pytest.approx(3.1413 - 2.0 * np.pi)
    # The whole trajectory is shifted, not each point.
    assert follower.sample(NOW + 2 * S).q[0] == pytest.approx(3.0 - 2.0 * np.pi)


def test_b27_a_continuous_joint_that_is_told_to_turns_twice() -> None:
    follower = turning(0.0)
    full = 2.0 * np.pi
    begin(follower, trajectory([0.0, 1.0, 2.0], [[0.0, 0.0], [full, 0.0], [2.0 * full, 0.0]]))
    assert travel(follower, 2001)[0] == pytest.approx(2.0 * full, rel=0.01)


def test_b27_turns_already_made_are_kept() -> None:
    follower = turning(6.0 * np.pi + 0.1)
    begin(follower, trajectory([1.0], [[0.3, 0.0]]))
    assert follower.sample(NOW + S).q[0] == pytest.approx(6.0 * np.pi + 0.3)


def test_b29_a_limited_joint_goes_the_way_it_is_told() -> None:
    follower = turning(0.0)
    begin(follower, trajectory([1.0], [[0.0, 2.0 * np.pi]]))
    assert follower.sample(NOW + S).q.tolist() == [0.0, 2.0 * np.pi]


def test_effort_is_interpolated_between_the_points_and_led_up_to_the_first() -> None:
    follower = Follower(1)
    follower.hold(np.array([0.0]), np.array([2.0]))
    begin(follower, trajectory([1.0, 2.0, 4.0], [[0.0], [0.0], [0.0]],
                               effort=[[4.0], [8.0], [-2.0]]))
    found = [follower.sample(NOW + k * S // 2).effort[0] for k in (0, 1, 2, 3, 4, 6, 8, 20)]
    assert found == pytest.approx([2.0, 3.0, 4.0, 6.0, 8.0, 3.0, -2.0, -2.0])


def test_effort_ends_with_the_entry_of_a_trajectory_without() -> None:
    follower = Follower(1)
    follower.hold(np.array([0.0]), np.array([2.0]))
    begin(follower, trajectory([1.0, 2.0], [[0.0], [0.0]]))
    found = [follower.sample(NOW + k * S // 2).effort[0] for k in (0, 1, 2, 3, 5)]
    assert found == pytest.approx([2.0, 1.0, 0.0, 0.0, 0.0])


def test_method_none_steps_to_each_point_at_its_time() -> None:
    follower = at_rest(0.5)
    begin(follower, trajectory(
        [1.0, 2.0, 3.0], [[1.0], [2.0], [3.0]], v=[[0.1], [0.2], [0.0]], method='none',
        effort=[[7.0], [8.0], [9.0]],
    ))
    found = [copied(follower.sample(NOW + k * MS)) for k in (0, 999, 1000, 1999, 2000, 3000, 9000)]
    assert [step.q[0] for step in found] == [0.5, 0.5, 1.0, 1.0, 2.0, 3.0, 3.0]
    assert [step.v[0] for step in found] == [0.0, 0.0, 0.1, 0.1, 0.2, 0.0, 0.0]
    assert [step.effort[0] for step in found] == [0.0, 0.0, 7.0, 7.0, 8.0, 9.0, 9.0]


def test_a_clock_that_steps_back_gives_no_jump_before_the_start() -> None:
    follower = at_rest(0.5)
    begin(follower, trajectory([1.0], [[1.0]]))
    assert follower.sample(NOW - 5 * S).q[0] == 0.5


def test_another_number_of_joints_is_refused() -> None:
    follower = at_rest(0.0, 0.0)
    with pytest.raises(TrajectoryError, match='got 1 joints, expected 2'):
        begin(follower, trajectory([1.0], [[1.0]]))


def test_a_sample_allocates_no_arrays_and_is_quick() -> None:
    m, n = 5000, 7
    times = np.arange(1.0, m + 1.0) * 0.01
    q = np.sin(times[:, np.newaxis] * np.arange(1.0, n + 1.0))
    follower = at_rest(*np.zeros(n))
    begin(follower, trajectory(times.tolist(), q.tolist(), effort=q.tolist()))
    first = follower.sample(NOW)
    spent = []
    for k in range(5000):
        begun = time.perf_counter_ns()
        found = follower.sample(NOW + k * MS)
        spent.append(time.perf_counter_ns() - begun)
        assert found is first
    # Measured: 3 us. The bar is 10 us; here a wide one, for a busy machine.
    assert np.median(spent) < 50_000
