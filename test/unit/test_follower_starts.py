"""Where a trajectory begins: blend, replacement, streams, starts in the future and the past."""
from __future__ import annotations

import numpy as np
import pytest
from trajectory_rig import MS, NOW, S, assert_same, at_rest, begin, copied, trajectory

from id_controller.state import Reference
from id_controller.trajectory.follower import Follower


def test_b06_present_state_as_first_point_starts_without_a_step() -> None:
    follower = at_rest(0.3)
    begin(follower, trajectory([0.0, 2.0], [[0.3], [1.3]]))
    q, v, a, _ = follower.sample(NOW)
    assert (q[0], v[0], a[0]) == pytest.approx((0.3, 0.0, 0.0), abs=1e-9)
    assert follower.sample(NOW + S).q[0] == pytest.approx(0.8)


def test_b05_a_first_point_at_time_0_elsewhere_is_blended_in_within_the_velocity_limit() -> None:
    follower = Follower(2, velocity=np.array([1.0, 4.0]))
    follower.hold(np.array([0.0, 0.0]))
    begin(follower, trajectory([0.0], [[0.2, -0.2]]))
    steps = [copied(follower.sample(NOW + k * MS)) for k in range(1000)]
    assert_same(steps[0], Reference(*np.zeros((4, 2))))
    q = np.array([step.q for step in steps])
    v = np.array([step.v for step in steps])
    assert np.abs(np.gradient(q, 1e-3, axis=0) - v)[1:-1].max() < 1e-3
    assert 0.3 < np.abs(v[:, 0]).max() <= 0.5 + 1e-9
    assert q[-1].tolist() == [0.2, -0.2]
    # 0.2 rad at no more than half of 1 rad/s: 1.875 * 0.2 / 0.5 = 0.75 s.
    assert not follower.finished(NOW + 749 * MS)
    assert follower.finished(NOW + 751 * MS)


def test_a_first_point_that_cannot_be_reached_in_time_is_blended() -> None:
    follower = Follower(1, velocity=np.array([1.0]))
    begin(follower, trajectory([0.1], [[0.5]]))
    v = [follower.sample(NOW + k * MS).v[0] for k in range(3000)]
    assert max(v) <= 0.5 + 1e-9
    assert follower.sample(NOW + 3 * S).q[0] == 0.5


def test_replacement_starts_from_the_reference_in_q_v_and_a() -> None:
    follower = at_rest(0.0, 1.0)
    begin(follower, trajectory([2.0], [[2.0, -3.0]]))
    now = NOW + 700 * MS
    before = copied(follower.sample(now))
    assert np.abs(before.v).min() > 0.1
    assert np.abs(before.a).min() > 0.1
    begin(follower, trajectory([1.0, 2.0], [[-1.0, 0.0], [0.5, 0.25]]), now)
    assert_same(follower.sample(now), before)
    begin(follower, trajectory([0.0, 2.0], [[0.0, 0.0], [0.5, 0.25]]), now)
    assert_same(follower.sample(now), before)


@pytest.mark.parametrize('period_ms', [100, 10])
def test_b18_the_same_target_streamed_is_reached_smoothly(period_ms: int) -> None:
    follower = at_rest(0.0)
    target = trajectory([1.0], [[1.0]])
    found = []
    for k in range(8000):
        now = NOW + k * MS
        if k % period_ms == 0:
            begin(follower, target, now)
        found.append(copied(follower.sample(now)))
    q, v = (np.array([getattr(step, name)[0] for step in found]) for name in 'qv')
    assert np.abs(np.diff(v)).max() < 0.02
    assert np.abs(np.gradient(q, 1e-3) - v)[1:-1].max() < 1e-3
    assert q.max() < 1.02
    assert q[-1] == pytest.approx(1.0, abs=1e-4)


def test_a_moving_reference_is_blended_without_leading_far_away() -> None:
    follower = Follower(1, velocity=np.array([1.0]))
    begin(follower, trajectory([4.0], [[2.0]]))
    now = NOW + 2 * S
    assert follower.sample(now).v[0] == pytest.approx(0.9375)
    # 9 rad away take 34 s; in that time a speed of 0.94 rad/s would lead 6 rad astray.
    begin(follower, trajectory([0.0], [[-8.0]]), now)
    q = [follower.sample(now + k * MS).q[0] for k in range(40000)]
    assert max(q) < 1.05
    assert min(q) == q[-1] == -8.0


def test_b10_a_start_in_the_future_lets_the_present_go_on() -> None:
    follower, alone = at_rest(0.0), at_rest(0.0)
    running = trajectory([2.0], [[2.0]])
    for each in (follower, alone):
        begin(each, running)
    later = trajectory([1.0], [[-1.0]], start_ns=NOW + S)
    begin(follower, later, NOW + 100 * MS)
    assert follower.waiting
    assert follower.trajectories == (running, later)
    assert not follower.finished(NOW + 9 * S)
    assert follower.remaining_ns(NOW + 100 * MS) == 1.9 * S
    for k in (200, 500, 999):
        assert_same(follower.sample(NOW + k * MS), alone.sample(NOW + k * MS))
    assert_same(follower.sample(NOW + S), alone.sample(NOW + S))
    assert not follower.waiting
    assert follower.trajectories == (later,)
    assert follower.sample(NOW + 2 * S).q[0] == -1.0


def test_b11_before_the_start_an_idle_follower_rests_where_it_is() -> None:
    follower = at_rest(0.5)
    begin(follower, trajectory([1.0, 2.0], [[0.5], [2.0]], start_ns=NOW + S))
    q, v, a, _ = follower.sample(NOW + 900 * MS)
    assert (q[0], v[0], a[0]) == (0.5, 0.0, 0.0)
    assert follower.waiting
    assert not follower.finished(NOW + 900 * MS)
    assert follower.sample(NOW + S).q[0] == 0.5
    assert not follower.waiting
    assert follower.sample(NOW + 3 * S).q[0] == 2.0
    assert follower.finished(NOW + 3 * S)


def test_b11_an_idle_follower_rests_at_the_reference_it_is_given() -> None:
    follower = at_rest(0.5)
    given = Reference(np.array([0.8]), np.array([0.3]), np.array([0.2]), np.array([4.0]))
    follower.start(trajectory([1.0], [[2.0]], start_ns=NOW + S), given, NOW)
    assert [array[0] for array in follower.sample(NOW)] == [0.8, 0.0, 0.0, 4.0]


def test_a_start_in_the_past_joins_where_the_trajectory_is_now() -> None:
    follower = at_rest(0.0)
    begin(follower, trajectory([0.0, 4.0], [[0.0], [4.0]], start_ns=NOW - 2 * S))
    assert follower.sample(NOW).q[0] == pytest.approx(0.0)
    assert follower.sample(NOW + 250 * MS).q[0] == pytest.approx(2.25)
    assert follower.remaining_ns(NOW) == 2.0 * S


def test_a_new_trajectory_drops_the_one_that_waits() -> None:
    follower = at_rest(0.0)
    begin(follower, trajectory([1.0], [[1.0]], start_ns=NOW + S))
    now_one = trajectory([1.0], [[0.2]])
    begin(follower, now_one)
    assert follower.trajectories == (now_one,)
    assert follower.sample(NOW + 9 * S).q[0] == 0.2


def test_hold_drops_everything() -> None:
    follower = at_rest(0.0)
    begin(follower, trajectory([1.0], [[1.0]]))
    begin(follower, trajectory([1.0], [[1.0]], start_ns=NOW + S))
    follower.hold(np.array([0.7]))
    q, v, _, _ = follower.sample(NOW + 5 * S)
    assert (q[0], v[0]) == (0.7, 0.0)
    assert follower.trajectories == ()
