"""From points to a trajectory: what the interpolant does, integration, smoothing, the entry."""
from __future__ import annotations

import numpy as np
import pytest
from trajectory_rig import JOINTS, MS, NOW, Q_NOW, S, matrix, plan, points, refuse_plan, resting

from id_controller.state import Reference
from id_controller.trajectory.follower import Follower
from id_controller.trajectory.points import JointPoints
from id_controller.trajectory.spline import sampled

BARE = {'v': None, 'a': None, 'effort': None}
TURNING = np.array([False, False, True])


def followed(points_: JointPoints, reference: Reference, **changes: object) -> Follower:
    """A follower that takes the plan from a reference."""
    follower = Follower(3, TURNING if 'continuous' in changes else None)
    follower.start(plan(points_, reference, **changes), reference, NOW)
    return follower


def test_b03_velocities_are_integrated_where_that_is_allowed() -> None:
    given = points(
        times=np.array([1.0, 3.0]), q=None, a=None, effort=None,
        v=matrix([0.2, -0.4, 0.6], [0.0, 0.0, 0.0]),
    )
    refuse_plan(given, 'allow_integration_in_goal_trajectories')
    found = plan(given, integrate=True)
    # Triangles: 0.5 * 1 s * v up, 0.5 * 2 s * v down.
    assert found.q[0] == pytest.approx(Q_NOW + [0.1, -0.2, 0.3])
    assert found.q[1] == pytest.approx(Q_NOW + [0.3, -0.6, 0.9])
    q, v, _ = sampled(found, np.array([2.0]))
    assert v[0] == pytest.approx([0.1, -0.2, 0.3])
    assert q[0] == pytest.approx(Q_NOW + [0.25, -0.5, 0.75])


def test_b03_velocities_with_accelerations_are_integrated_as_cubics() -> None:
    t = np.array([0.5, 1.0, 2.0])
    # v = t (2 - t)^2 is a cubic that is at rest at 0 s and at 2 s; its slope at 0 s is 4, so the
    # first piece, which begins without acceleration, is another one.
    v, a = t * (2.0 - t) ** 2, (2.0 - t) * (2.0 - 3.0 * t)
    given = JointPoints(joints=JOINTS, times=t, q=None, v=0.1 * np.outer(v, [1, 2, 3]),
                        a=0.1 * np.outer(a, [1, 2, 3]))
    found = plan(given, integrate=True)
    # Integral of t (2 - t)^2 from 0.5 to 2: t^2 2 - 4/3 t^3 + t^4 / 4.
    whole = (8.0 - 32.0 / 3.0 + 4.0) - (0.5 - 1.0 / 6.0 + 0.0625 / 4.0)
    assert found.q[2] - found.q[0] == pytest.approx(0.1 * whole * np.array([1, 2, 3]))


def test_velocities_that_are_not_finite_are_named_as_such() -> None:
    bad = points(q=None, a=None, v=matrix([0.1, np.nan, 0.1], [0.0, 0.0, 0.0]))
    refuse_plan(bad, r"point 0, joint 'elbow', velocity: got nan", integrate=True)


def test_b05_a_first_point_at_time_0_is_within_the_path_tolerance_or_refused() -> None:
    far = points(times=np.array([0.0, 2.0]), q=matrix([0.1, 0.2, 0.7], [0.4, 0.5, 0.7]), **BARE)
    refuse_plan(far, r'distance from the present position at 0 s: got 0.4, expected at most 0.3')
    near = points(times=np.array([0.0, 2.0]), q=matrix([0.1, 0.2, 0.5], [0.4, 0.5, 0.6]), **BARE)
    follower = followed(near, resting())
    v = np.array([follower.sample(NOW + k * MS).v[2] for k in range(2000)])
    assert abs(np.diff(v)).max() < 0.05
    assert follower.sample(NOW).q[2] == pytest.approx(0.3)


def test_b07_points_too_close_make_the_spline_leave_the_limits() -> None:
    close = points(
        times=np.array([1.0, 1.1]), q=matrix([0.4, 0.5, 0.6], [0.45, 0.5, 0.6]),
        v=matrix([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]), a=None,
    )
    # Mean 0.5 rad/s is allowed, the cubic needs 1.5 times as much; allowed is 1.
    plan(close)
    close = points(
        times=np.array([1.0, 1.06]), q=close.q, v=close.v, a=None,
    )
    refuse_plan(close, r"points 0 and 1, joint 'shoulder', velocity: got 1.25, expected -1")


def test_positions_between_the_points_count() -> None:
    swing = points(
        times=np.array([4.0, 6.0]), q=matrix([1.9, 0.5, 0.6], [1.9, 0.5, 0.6]),
        v=matrix([0.6, 0.0, 0.0], [0.0, 0.0, 0.0]), a=None,
    )
    # v T s (1 - s)^2 has its peak at s = 1/3: 0.6 * 2 * 4/27 = 0.178 above 1.9.
    refuse_plan(swing, r"between points 0 and 1, joint 'shoulder', position: got 2.0777")


def test_accelerations_are_checked_where_there_is_a_limit() -> None:
    given = points(times=np.array([1.0, 2.0]), a=None)
    plan(given)
    refuse_plan(given, 'acceleration: got', acceleration=np.array([0.5, 0.5, 0.5]))


def test_the_way_to_the_first_point_counts() -> None:
    soon = points(times=np.array([0.2, 2.0]), **BARE)
    refuse_plan(soon, r"on the way from the present position to point 0, joint 'shoulder', v")
    one = {**BARE, 'q': matrix([0.9, 0.2, 0.3])}
    # 0.8 rad from rest to rest: 1.875 * 0.8 rad / 1.0 rad/s = 1.5 s.
    refuse_plan(points(times=np.array([1.49]), **one), "'shoulder', velocity: got 1.0067")
    plan(points(times=np.array([1.51]), **one))


def test_the_way_to_the_first_point_starts_from_the_reference_that_moves() -> None:
    moving = Reference(np.array([1.85, 0.2, 0.3]), np.array([0.9, 0.0, 0.0]), np.zeros(3),
                       np.zeros(3))
    one = points(times=np.array([2.0]), q=matrix([1.9, 0.2, 0.3]), **BARE)
    refuse_plan(one, r"to point 0, joint 'shoulder', position: got 2.2165", reference=moving)
    later = points(times=np.array([2.0]), q=matrix([1.9, 0.2, 0.3]), start_ns=NOW + S, **BARE)
    plan(later, moving)  # by then it is elsewhere; the junction sees to it


def test_a_late_stamp_leaves_less_time_for_the_first_point() -> None:
    one = {**BARE, 'times': np.array([2.0]), 'q': matrix([0.9, 0.2, 0.3])}
    plan(points(start_ns=NOW - 400 * MS, **one))
    refuse_plan(points(start_ns=NOW - 600 * MS, **one), "'shoulder', velocity: got 1.07")


def test_b27_from_minus_to_plus_pi_is_a_ten_thousandth() -> None:
    q = np.array([0.1, 0.2, -3.1415])
    one = points(times=np.array([0.5]), q=matrix([0.1, 0.2, 3.1413]), **BARE)
    follower = followed(one, resting(q), continuous=TURNING)
    way = [follower.sample(NOW + k * MS).q[2] for k in range(700)]
    assert max(way) - min(way) == pytest.approx(2.0 * np.pi - 3.1415 - 3.1413, abs=1e-9)
    refuse_plan(one, r"'wrist', position: got 3.1413", reference=resting(q))


def test_b27_two_turns_stay_two_turns() -> None:
    turns = points(
        times=np.array([0.0, 10.0, 20.0]), **BARE,
        q=matrix([0.1, 0.2, 0.0], [0.1, 0.2, 2.0 * np.pi], [0.1, 0.2, 4.0 * np.pi]),
    )
    follower = followed(turns, resting(np.array([0.1, 0.2, 2.0 * np.pi])), continuous=TURNING)
    q = [follower.sample(NOW + k * 10 * MS).q[2] for k in range(2100)]
    assert q[-1] - q[0] == pytest.approx(4.0 * np.pi)


def test_positions_alone_get_a_continuous_acceleration_where_that_is_asked_for() -> None:
    given = points(
        times=np.array([1.0, 1.5, 2.5, 3.0]), **BARE,
        q=matrix([0.4, 0.5, 0.6], [0.6, 0.4, 0.7], [0.8, 0.3, 0.6], [0.7, 0.4, 0.5]),
    )
    found = plan(given, method='c2')
    for k in (1, 2):
        q, v, a = sampled(found, np.array([found.times[k] - 1e-9, found.times[k]]))
        for pair in (q, v, a):
            assert pair[0] == pytest.approx(pair[1], abs=1e-6)
    assert not found.v[-1].any()
    assert plan(given).coefficients[:, 2:].any() is np.False_


def test_the_smooth_spline_is_the_one_by_moments() -> None:
    """The textbook's other way: second derivatives as unknowns, one dense system."""
    draw = np.random.default_rng(3)
    gaps = draw.uniform(0.8, 1.4, 30)
    times = np.concatenate(([0.0], np.cumsum(gaps)))
    q = np.vstack((Q_NOW, Q_NOW + 0.2 * draw.normal(size=(30, 3))))
    moving = resting()._replace(v=np.array([0.1, -0.2, 0.3]))
    system, right = np.zeros((31, 31)), np.zeros((31, 3))
    slopes = np.diff(q, axis=0) / gaps[:, np.newaxis]
    system[0, :2], right[0] = (2.0 * gaps[0], gaps[0]), 6.0 * (slopes[0] - moving.v)
    system[30, 29:], right[30] = (gaps[29], 2.0 * gaps[29]), -6.0 * slopes[29]
    for k in range(1, 30):
        system[k, k - 1 : k + 2] = gaps[k - 1], 2.0 * (gaps[k - 1] + gaps[k]), gaps[k]
        right[k] = 6.0 * (slopes[k] - slopes[k - 1])
    moments = np.linalg.solve(system, right)
    found = plan(points(times=times[1:], q=q[1:], **BARE), moving, method='c2')
    _, _, a = sampled(found, np.concatenate((times[1:-1], [times[-1] - 1e-9])))
    assert np.allclose(a, moments[1:], atol=1e-6)
    middle, _, _ = sampled(found, 0.5 * (times[1:-1] + times[2:]))
    sag = gaps[1:, np.newaxis] ** 2 / 16.0 * (moments[1:-1] + moments[2:])
    assert np.allclose(middle, 0.5 * (q[1:-1] + q[2:]) - sag, atol=1e-9)


def test_smoothing_a_single_point_and_points_with_velocities_changes_nothing() -> None:
    for given in (points(times=np.array([2.0]), q=matrix([0.4, 0.5, 0.6]), **BARE), points()):
        plain, smooth = plan(given), plan(given, method='c2')
        assert np.array_equal(plain.coefficients, smooth.coefficients)
        assert np.array_equal(plain.v, smooth.v)


def test_steps_are_not_judged_between_the_points() -> None:
    far = points(times=np.array([0.9, 2.0]), q=matrix([0.9, 0.5, 0.6], [0.7, 0.8, 0.9]), **BARE)
    refuse_plan(far, 'velocity')
    assert plan(far, method='none').steps
