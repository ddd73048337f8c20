"""PID feedback: sums on paper, anti-windup, clamps, time that stands still."""
from __future__ import annotations

import numpy as np
import pytest
from control_rig import pair, pid

from id_controller.control.feedback import Pid
from id_controller.state import Vector


class Rows:
    """A Pid with its three output rows."""

    def __init__(self, cut: Vector | None = None, **gains: object) -> None:
        self.pid = Pid(2, cut)
        self.pid.configure(pid(**gains))  # type: ignore[arg-type]
        self.p, self.i, self.d = np.zeros((3, 2))

    def compute(self, error: Vector, rate: Vector | None = None, dt_s: float = 0.01) -> Vector:
        rate = np.zeros(2) if rate is None else rate
        self.pid.compute(error, rate, dt_s, self.p, self.i, self.d)
        return self.p + self.i + self.d


def test_each_term_is_its_gain_times_its_error() -> None:
    rows = Rows(p=(10.0, 30.0), i=(100.0, 40.0), d=(2.0, 5.0))
    rows.compute(pair(0.5, -0.2), pair(-1.0, 3.0), dt_s=0.01)
    assert rows.p == pytest.approx([5.0, -6.0])
    assert rows.i == pytest.approx([0.5, -0.08])
    assert rows.d == pytest.approx([-2.0, 15.0])


def test_the_integral_sums_over_measured_time() -> None:
    rows = Rows(i=(100.0, 40.0))
    for dt_s in (0.01, 0.02, 0.03):
        rows.compute(pair(0.5, -0.2), dt_s=dt_s)
    assert rows.i == pytest.approx([100.0 * 0.5 * 0.06, -40.0 * 0.2 * 0.06])


def test_b40_without_time_the_last_output_stands() -> None:
    rows = Rows(p=(10.0, 30.0), i=(100.0, 40.0), d=(2.0, 5.0))
    before = rows.compute(pair(0.5, -0.2), pair(-1.0, 3.0))
    for dt_s in (0.0, -0.01):
        assert rows.compute(pair(9.0, 9.0), pair(9.0, 9.0), dt_s) == pytest.approx(before)
    assert rows.compute(pair(0.5, -0.2), pair(-1.0, 3.0))[0] == pytest.approx(before[0] + 0.5)


def test_b42_an_integral_gain_alone_works_without_clamps() -> None:
    rows = Rows(i=(100.0, 40.0))
    for _ in range(1000):
        rows.compute(pair(1.0, -2.0), dt_s=0.1)
    assert rows.i == pytest.approx([10000.0, -8000.0])


def test_b42_clamps_alone_change_nothing_inside_them() -> None:
    rows = Rows(p=(10.0, 30.0), i_max=1.0, i_min=-1.0, u_max=50.0, u_min=-50.0)
    assert rows.compute(pair(0.5, -0.2)) == pytest.approx([5.0, -6.0])


def test_the_integral_stays_within_its_clamp_and_returns_at_once() -> None:
    rows = Rows(i=(100.0, 40.0), i_max=0.7, i_min=-0.3)
    for _ in range(50):
        rows.compute(pair(1.0, -1.0))
    assert rows.i == pytest.approx([0.7, -0.3])
    rows.compute(pair(-0.1, 0.1))
    assert rows.i == pytest.approx([0.6, -0.26])


def test_a_clamp_on_the_sum_scales_its_terms() -> None:
    rows = Rows(p=(10.0, 30.0), d=(2.0, 5.0), u_max=4.0, u_min=-8.0)
    total = rows.compute(pair(0.6, -0.2), pair(1.0, -1.0))
    assert total == pytest.approx([4.0, -8.0])
    assert rows.p == pytest.approx([3.0, -6.0 * 8.0 / 11.0])
    assert rows.d == pytest.approx([1.0, -5.0 * 8.0 / 11.0])


def test_the_integral_stands_while_the_sum_is_clamped() -> None:
    rows = Rows(p=(10.0, 10.0), i=(100.0, 100.0), u_max=2.0, u_min=-2.0)
    for _ in range(200):
        rows.compute(pair(1.0, 0.01))
    # Joint one is clamped by P alone after one step; joint two winds on to its clamp.
    rows.compute(pair(0.0, 0.0))
    assert rows.i[0] == pytest.approx(1.0)
    assert 1.8 < rows.i[1] <= 2.0


def test_the_integral_stands_while_the_torque_is_cut_off_that_way() -> None:
    cut = pair(3.0, -3.0)
    rows = Rows(cut, i=(100.0, 100.0))
    rows.compute(pair(0.5, -0.5))
    assert rows.i == pytest.approx([0.0, 0.0])
    rows.compute(pair(-0.5, 0.5))
    assert rows.i == pytest.approx([-0.5, 0.5])


def test_a_reset_forgets_everything() -> None:
    rows = Rows(p=(10.0, 10.0), i=(100.0, 50.0), u_max=1.0, u_min=-1.0)
    for _ in range(5):
        rows.compute(pair(1.0, -1.0))
    rows.pid.reset()
    fresh = Rows(p=(10.0, 10.0), i=(100.0, 50.0), u_max=1.0, u_min=-1.0)
    assert rows.compute(pair(0.01, 0.02)) == pytest.approx(fresh.compute(pair(0.01, 0.02)))


def test_new_gains_keep_the_integral_within_its_new_clamp() -> None:
    rows = Rows(i=(100.0, 100.0))
    for _ in range(4):
        rows.compute(pair(1.0, 0.5))
    rows.pid.configure(pid(p=(1.0, 1.0), i=(10.0, 10.0), i_max=3.0))
    rows.compute(pair(0.0, 0.0))
    assert rows.i == pytest.approx([3.0, 2.0])


def test_an_integral_that_is_switched_off_does_not_come_back() -> None:
    rows = Rows(i=(100.0, 100.0))
    rows.compute(pair(1.0, 1.0))
    rows.pid.configure(pid(p=(1.0, 1.0)))
    assert rows.compute(pair(0.0, 0.0)) == pytest.approx([0.0, 0.0])
    rows.pid.configure(pid(i=(100.0, 100.0)))
    assert rows.compute(pair(0.0, 0.0)) == pytest.approx([0.0, 0.0])
