"""What holds for every trajectory, whatever its numbers."""
from __future__ import annotations

import struct
from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from id_controller.errors import MailboxError
from id_controller.state import Reference
from id_controller.trajectory.follower import Follower
from id_controller.trajectory.points import JointPoints
from id_controller.trajectory.spline import fit, sampled
from id_controller.trajectory.trajectory import Trajectory, slot_size
from id_controller.trajectory.validation import validated

N = 3
S = 1_000_000_000
NAMES = ('a', 'b', 'c')
FREE = SimpleNamespace(
    lower=np.full(N, -np.inf), upper=np.full(N, np.inf), velocity=np.full(N, np.inf),
    effort=np.full(N, np.inf),
)


@st.composite
def drawn_points(draw: st.DrawFn) -> JointPoints:
    """Points with whatever fields, every joint with numbers of its own."""
    m = draw(st.integers(1, 6))
    numbers = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    order = draw(st.integers(0, 2))
    gaps = numbers.uniform(0.01, 2.0, m)
    gaps[0] *= draw(st.sampled_from([0.0, 1.0]))
    v = numbers.normal(size=(m, N)) if order > 0 else None
    if v is not None:
        v[-1] = 0.0
    return JointPoints(
        joints=NAMES, times=np.cumsum(gaps), q=numbers.normal(size=(m, N)), v=v,
        a=numbers.normal(size=(m, N)) if order > 1 else None,
        effort=numbers.normal(size=(m, N)) if draw(st.booleans()) else None,
    )


@given(drawn_points())
def test_a_spline_goes_through_its_points(points: JointPoints) -> None:
    trajectory = fit(points)
    q, v, a = sampled(trajectory, points.times)
    assert np.allclose(q, points.q, atol=1e-8)
    if points.v is not None:
        assert np.allclose(v, points.v, atol=1e-6)
    if points.a is not None:
        assert np.allclose(a, points.a, atol=1e-4)


@given(drawn_points())
def test_v_and_a_are_derivatives_of_q(points: JointPoints) -> None:
    trajectory = fit(points)
    h = 1e-4
    inside = np.concatenate([points.times[:-1] + share * np.diff(points.times)
                             for share in (0.3, 0.5, 0.8)])
    before, at, after = (sampled(trajectory, inside + step) for step in (-h, 0.0, h))
    scale = 1.0 + np.abs(at[2]).max(initial=0.0) / np.diff(points.times).min(initial=1.0) ** 2
    for value, slope in ((0, 1), (1, 2)):
        rate = (after[value] - before[value]) / (2.0 * h)
        assert np.allclose(rate, at[slope], atol=1e-4 * scale)


@given(drawn_points(), st.permutations(range(N)))
def test_b13_the_order_of_the_joints_changes_nothing(
    points: JointPoints, order: list[int]
) -> None:
    fields = {
        name: None if getattr(points, name) is None else getattr(points, name)[:, order]
        for name in ('q', 'v', 'a', 'effort')
    }
    shuffled = JointPoints(joints=tuple(NAMES[i] for i in order), times=points.times, **fields)
    one, other = (validated(each, NAMES, FREE, q_now=np.zeros(N)) for each in (points, shuffled))
    assert np.array_equal(fit(one).coefficients, fit(other).coefficients)
    assert np.array_equal(fit(one).effort, fit(other).effort)


@given(drawn_points(), st.sampled_from(['splines', 'none']), st.integers(0, 5))
def test_a_view_of_written_memory_is_the_trajectory(
    points: JointPoints, method: str, spare: int
) -> None:
    given_one = fit(points, method)
    buffer = bytearray(slot_size(len(points.times) + spare, N))
    given_one.write_to(buffer)
    found = Trajectory.view(buffer, N)
    for name in ('times', 'q', 'v', 'a', 'effort', 'coefficients', 'start_ns', 'steps'):
        assert np.array_equal(getattr(given_one, name), getattr(found, name))


@given(drawn_points(), st.integers(0, 7), st.integers(-(2**63), 2**63 - 1) | st.integers(-9, 9))
def test_a_foreign_header_is_refused_or_fits(points: JointPoints, word: int, value: int) -> None:
    buffer = bytearray(slot_size(len(points.times), N))
    fit(points).write_to(buffer)
    struct.pack_into('q', buffer, 8 * word, value)
    try:
        found = Trajectory.view(buffer, N)
    except MailboxError:
        return
    assert slot_size(found.m, found.n) <= len(buffer)
    assert found.q.shape == (found.m, N)


@given(
    st.lists(st.tuples(drawn_points(), st.floats(0.0, 3.0), st.floats(-1.0, 2.0)), min_size=1,
             max_size=4),
    st.lists(st.booleans(), min_size=N, max_size=N),
)
def test_b18_no_start_ever_steps_the_reference(
    starts: list[tuple[JointPoints, float, float]], continuous: list[bool]
) -> None:
    follower = Follower(N, np.array(continuous), np.array([1.0, 2.0, np.inf]))
    follower.hold(np.array([0.3, -4.0, 9.0]))
    now = 100 * S
    for points, after_s, delay_s in starts:
        now += round(after_s * S)
        before = Reference(*(array.copy() for array in follower.sample(now)))
        trajectory = fit(points)
        if delay_s != 0.0:
            trajectory = fit(
                JointPoints(joints=NAMES, times=points.times, q=points.q, v=points.v, a=points.a,
                            effort=points.effort, start_ns=now + round(delay_s * S)))
        follower.start(trajectory, follower.sample(now), now)
        after = follower.sample(now)
        assert np.allclose(before.q, after.q, atol=1e-9)
        assert np.allclose(before.v, after.v, atol=1e-7)
        assert np.allclose(before.a, after.a, atol=1e-5)
    end = follower.sample(now + 10 * S)
    end = follower.sample(now + 100 * S)
    turns = (end.q - follower.trajectories[-1].q[-1]) / (2.0 * np.pi)
    assert np.allclose(turns, np.round(turns), atol=1e-9)
    assert not np.round(turns)[~np.array(continuous)].any()
    assert not end.v.any()
    assert not end.a.any()


@given(drawn_points(), st.lists(st.integers(0, 20 * S), min_size=1, max_size=20))
def test_sampling_is_pure(points: JointPoints, times: list[int]) -> None:
    one, other = Follower(N), Follower(N)
    for follower in (one, other):
        follower.start(fit(points), follower.sample(1), 1)
    expected = {}
    for now in sorted(times):
        expected[now] = [array.tolist() for array in one.sample(now)]
    for now in times:
        assert [array.tolist() for array in other.sample(now)] == expected[now]


@given(drawn_points())
def test_the_follower_is_the_spline_after_the_first_point(points: JointPoints) -> None:
    follower = Follower(N)
    trajectory = fit(points)
    follower.start(trajectory, follower.sample(1), 1)
    # A start without an entry is blended for 200 ms.
    times = np.linspace(points.times[0] + 0.21, points.times[-1] + 0.3, 13)
    for at, q in zip(times, sampled(trajectory, times)[0]):
        assert np.allclose(follower.sample(1 + round(at * S)).q, q, atol=1e-6)
