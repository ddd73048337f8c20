"""A trajectory that stops: numbers by hand, and what no stop may do."""
from __future__ import annotations

import numpy as np
import pytest

from id_controller.state import Reference
from id_controller.trajectory.spline import sampled
from id_controller.trajectory.stopping import SHORTEST_S, stopping

FREE = np.full(2, np.inf)


def moving(v: list[float], a: list[float], q: tuple[float, float] = (0.3, -0.4)) -> Reference:
    return Reference(np.array(q), np.array(v), np.array(a), np.array([3.0, 0.0]))


def test_a_stop_from_a_steady_speed() -> None:
    # 1.5 * 2 rad/s / 4 rad/s^2 = 0.75 s for the harder joint; the mean speed is half.
    found = stopping(moving([2.0, -0.5], [0.0, 0.0]), np.array([4.0, 4.0]), -FREE, FREE)
    assert found.times.tolist() == [0.0, 0.75]
    assert found.q[-1] == pytest.approx([0.3 + 0.75, -0.4 - 0.1875])
    _, v, a = sampled(found, np.linspace(0.0, 0.75, 1001))
    assert abs(a).max(axis=0) == pytest.approx([4.0, 1.0], rel=1e-5)
    assert (np.diff(v[:, 0]) <= 0.0).all()
    assert found.effort.tolist() == [[3.0, 0.0], [0.0, 0.0]]


def test_it_starts_as_the_reference_moves_and_ends_at_rest() -> None:
    draw = np.random.default_rng(4)
    for _ in range(100):
        given = moving(list(draw.normal(size=2)), list(draw.normal(size=2)))
        found = stopping(given, draw.uniform(0.5, 9.0, 2), -FREE, FREE)
        q, v, a = sampled(found, np.array([0.0, found.times[-1]]))
        assert np.allclose((q[0], v[0], a[0]), given[:3])
        assert np.allclose(q[-1], found.q[-1])
        assert np.allclose((v[-1], a[-1]), 0.0, atol=1e-9)


def test_it_stops_harder_before_a_position_limit() -> None:
    for sign in (1.0, -1.0):
        given = moving([sign * 2.0, 0.1], [sign * 3.0, 0.0])
        lower = np.array([0.3 - 0.2, -9.0])
        upper = np.array([0.3 + 0.2, 9.0])
        found = stopping(given, np.array([4.0, 4.0]), lower, upper)
        q, _, _ = sampled(found, np.linspace(0.0, found.times[-1], 1001))
        assert found.times[-1] < 0.25
        assert (q[:, 0] >= lower[0] - 1e-9).all()
        assert (q[:, 0] <= upper[0] + 1e-9).all()
        assert found.q[-1, 0] == pytest.approx(0.3 + sign * 0.2)


def test_without_limits_and_without_motion_it_takes_the_least_time() -> None:
    for given in (moving([5.0, 1.0], [0.0, 0.0]), moving([0.0, 0.0], [0.0, 0.0])):
        assert stopping(given, FREE, -FREE, FREE).times[-1] == SHORTEST_S
