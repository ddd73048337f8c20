"""Named motions stay inside the limits, start and end at rest and move every joint."""
from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from id_controller.errors import TrajectoryError
from id_controller.state import Vector
from id_controller.trajectory.motions import MOTIONS, quintic_tour, sine, sweep
from id_controller.trajectory.spline import fit, sampled
from id_controller.trajectory.validation import validated


@dataclasses.dataclass(frozen=True)
class Limits:
    lower: Vector
    upper: Vector
    velocity: Vector
    effort: Vector


JOINTS = ('a', 'b', 'c', 'd')
LIMITS = Limits(
    np.array([-0.5, -3.0, 0.0, -np.inf]), np.array([2.5, -0.7, 0.8, np.inf]),
    np.array([2.0, 1.5, 0.3, np.inf]), np.array([80.0, 60.0, 40.0, 20.0]),
)
START = np.array([0.2, -1.5, 0.4, 7.0])
ACCELERATION = np.array([5.0, 4.0, 1.5, 6.0])
CASES = [
    (name, fraction, acceleration)
    for name in MOTIONS for fraction in (0.2, 1.0) for acceleration in (None, ACCELERATION)
]


@pytest.mark.parametrize(('name', 'fraction', 'acceleration'), CASES)
def test_a_motion_stays_inside_the_limits(
    name: str, fraction: float, acceleration: Vector | None
) -> None:
    points = MOTIONS[name](JOINTS, LIMITS, START, fraction=fraction, acceleration=acceleration)
    checked = validated(points, JOINTS, LIMITS, q_now=START, start_tolerance=np.full(4, 1e-9))
    q, v, a = sampled(fit(checked), np.linspace(0.0, points.times[-1], 20001))
    assert (q > LIMITS.lower - 1e-6).all()
    assert (q < LIMITS.upper + 1e-6).all()
    assert (np.abs(v) < LIMITS.velocity * 1.0001).all()
    if acceleration is not None:
        assert (np.abs(a) < acceleration * 1.001).all()
    spans = np.ptp(q, axis=0)
    assert spans.min() > 0.01
    assert len(set(np.round(spans, 6))) == len(JOINTS)


@pytest.mark.parametrize('name', MOTIONS)
def test_a_motion_starts_and_ends_at_rest_at_the_start_pose(name: str) -> None:
    points = MOTIONS[name](JOINTS, LIMITS, START)
    assert points.times[0] == 0.0
    for array, expected in ((points.q, START), (points.v, np.zeros(4)), (points.a, np.zeros(4))):
        assert array is not None
        assert np.allclose(array[[0, -1]], expected, atol=1e-12)


@pytest.mark.parametrize('name', MOTIONS)
def test_v_and_a_are_the_derivatives(name: str) -> None:
    points = MOTIONS[name](JOINTS, LIMITS, START)
    times = np.linspace(0.0, points.times[-1], 40001)
    q, v, a = sampled(fit(points), times)
    assert np.abs(np.gradient(q, times, axis=0) - v)[1:-1].max() < 1e-4
    inner = np.abs(np.gradient(v, times, axis=0) - a)[1:-1]
    assert np.quantile(inner, 0.99) < 1e-2


def test_a_sine_is_a_sine_between_the_fades() -> None:
    points = sine(JOINTS, LIMITS, START, hz=0.5, duration_s=8.0, fade_s=1.0)
    assert points.q is not None
    assert points.a is not None
    inside = (points.times > 1.01) & (points.times < 6.99)
    # There a = -omega^2 (q - start).
    assert np.allclose(points.a[inside], -(np.pi**2) * (points.q - START)[inside], atol=1e-9)


def test_a_short_fade_keeps_the_velocity_limits() -> None:
    points = sine(JOINTS, LIMITS, START, hz=0.1, fade_s=0.2, fraction=1.0)
    _, v, _ = sampled(fit(points), np.linspace(0.0, 8.0, 20001))
    assert (np.abs(v) < LIMITS.velocity * 1.0001).all()


def test_a_tour_visits_different_poses() -> None:
    points = quintic_tour(JOINTS, LIMITS, START, stops=5)
    assert points.q is not None
    assert len(np.unique(np.round(points.q, 9), axis=0)) == 6


def test_a_sweep_moves_one_joint_at_a_time_to_its_ends() -> None:
    points = sweep(JOINTS, LIMITS, START, fraction=0.5)
    assert points.q is not None
    away = points.q - START
    assert (np.count_nonzero(np.abs(away) > 1e-12, axis=1) <= 1).all()
    # Half of the way to the limits, of 1 rad where they are farther, a, b, c, d in turn.
    ends = [-0.35, 0.5, -0.5, 0.4, -0.2, 0.2, -0.5, 0.5]
    reached = away[np.arange(len(away)) % 3 != 0].sum(axis=1)
    assert np.allclose(reached, ends)
    assert not away[::3].any()


def test_a_sweep_takes_the_time_of_the_limits() -> None:
    points = sweep(JOINTS, LIMITS, START, fraction=0.5, shortest_s=0.01)
    # Joint a: 0.35 rad at a peak of 1 rad/s, which is 1.875 times the mean.
    assert points.times[1] == pytest.approx(1.875 * 0.35)
    assert points.times[2] - points.times[1] == pytest.approx(1.875 * 0.85)
    slow = sweep(JOINTS, LIMITS, START, fraction=0.5, acceleration=np.full(4, 0.1))
    assert slow.times[1] == pytest.approx(np.sqrt(10.0 / np.sqrt(3.0) * 0.35 / 0.1))


def test_a_sweep_of_nothing_rests() -> None:
    limits = dataclasses.replace(LIMITS, velocity=np.zeros(4))
    points = sweep(JOINTS, limits, START)
    assert points.times.tolist() == [0.0]


@pytest.mark.parametrize('name', MOTIONS)
def test_a_joint_without_velocity_does_not_move(name: str) -> None:
    limits = dataclasses.replace(LIMITS, velocity=np.array([2.0, 0.0, 0.3, 1.0]))
    points = MOTIONS[name](JOINTS, limits, START)
    assert points.q is not None
    assert np.isfinite(points.times).all()
    assert np.ptp(points.q, axis=0)[1] == 0.0
    assert np.ptp(points.q, axis=0)[0] > 0.01


@pytest.mark.parametrize(
    ('name', 'options', 'words'),
    [
        ('sine', {'fraction': 1.5}, 'fraction up to 1'),
        ('sine', {'hz': 0.0}, 'motion, hz: got 0.0'),
        ('sine', {'rate_hz': float('nan')}, 'motion, rate_hz: got nan'),
        ('sine', {'fade_s': 5.0}, 'fades that fit'),
        ('quintic_tour', {'fraction': 2.0}, 'fraction 2'),
        ('sweep', {'fraction': 1.1}, 'sweep: got fraction 1.1'),
        ('sweep', {'shortest_s': 0.0}, 'motion, shortest_s: got 0.0'),
        ('quintic_tour', {'stops': 0}, 'motion, stops: got 0'),
    ],
)
def test_parameters_out_of_range(name: str, options: dict[str, Any], words: str) -> None:
    with pytest.raises(TrajectoryError, match=words):
        MOTIONS[name](JOINTS, LIMITS, START, **options)


@pytest.mark.parametrize('name', MOTIONS)
def test_a_start_outside_the_limits_is_refused(name: str) -> None:
    with pytest.raises(TrajectoryError, match="start pose, joint 'b': got 0.5"):
        MOTIONS[name](JOINTS, LIMITS, np.array([0.2, 0.5, 0.4, 7.0]))
