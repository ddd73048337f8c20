"""The limiter and the springs at the position limits."""
from __future__ import annotations

import numpy as np
import pytest
from control_rig import pair

from id_controller.control.limits import Limiter, SoftLimits
from id_controller.state import Vector


def limiter(rate: Vector | None = None) -> Limiter:
    limits = Limiter(2)
    limits.configure(pair(10.0, 4.0), pair(1e6, 1e6) if rate is None else rate)
    return limits


def test_a_request_within_limits_passes_as_it_is() -> None:
    assert limiter().limited(pair(7.25, -3.5), 0.001).tolist() == [7.25, -3.5]


def test_a_request_beyond_the_limit_is_cut_off_and_counted() -> None:
    limits = limiter()
    assert limits.limited(pair(13.0, -9.0), 0.001).tolist() == [10.0, -4.0]
    assert limits.cut.tolist() == [3.0, -5.0]


def test_b55_a_step_goes_out_at_the_rate() -> None:
    limits = limiter(pair(1000.0, 200.0))
    assert limits.limited(pair(8.0, -3.0), 0.001) == pytest.approx([1.0, -0.2])
    assert limits.limited(pair(8.0, -3.0), 0.002) == pytest.approx([3.0, -0.6])
    assert limits.limited(pair(3.5, 3.0), 0.001) == pytest.approx([3.5, -0.4])


def test_the_limit_comes_before_the_rate() -> None:
    limits = limiter(pair(1000.0, 200.0))
    for _ in range(100):
        limits.limited(pair(1e6, -1e6), 0.001)
    # Had the rate been applied to the unlimited request, coming back would take forever.
    assert limits.limited(pair(0.0, 0.0), 0.001) == pytest.approx([9.0, -3.8])


def test_b40_without_time_the_last_output_stands() -> None:
    limits = limiter()
    limits.limited(pair(5.0, 2.0), 0.001)
    for dt_s in (0.0, -1.0):
        assert limits.limited(pair(-5.0, -2.0), dt_s).tolist() == [5.0, 2.0]


@pytest.mark.parametrize('bad', [np.nan, np.inf, -np.inf])
def test_b01_what_is_not_a_number_goes_out_finite_and_leaves_no_trace(bad: float) -> None:
    limits = limiter(pair(np.inf, np.inf))
    out = limits.limited(pair(bad, 2.0), 0.001)
    assert np.isfinite(out).all()
    assert abs(out[0]) <= 10.0
    assert out[1] == 2.0
    assert limits.limited(pair(1.5, 2.5), 0.001).tolist() == [1.5, 2.5]


def test_b01_an_unlimited_joint_asked_for_infinity_gives_zero() -> None:
    limits = Limiter(2)
    limits.configure(pair(np.inf, np.inf), pair(np.inf, np.inf))
    assert limits.limited(pair(np.inf, -7.0), 0.001).tolist() == [0.0, -7.0]


def test_a_lowered_limit_is_reached_at_the_rate_and_not_by_a_step() -> None:
    limits = limiter(pair(1000.0, 1000.0))
    for _ in range(20):
        limits.limited(pair(10.0, 4.0), 0.001)
    limits.configure(pair(2.0, 4.0), pair(1000.0, 1000.0))
    assert limits.limited(pair(10.0, 4.0), 0.001) == pytest.approx([9.0, 4.0])


def test_a_restart_begins_at_zero() -> None:
    limits = limiter(pair(1000.0, 200.0))
    limits.limited(pair(20.0, 20.0), 0.5)
    limits.restart()
    assert limits.cut.tolist() == [0.0, 0.0]
    assert limits.limited(pair(8.0, -3.0), 0.001) == pytest.approx([1.0, -0.2])


def springs(margin: float = 0.1) -> SoftLimits:
    return SoftLimits(
        pair(-1.0, -np.inf), pair(2.0, np.inf), margin, pair(50.0, 30.0), pair(4.0, 3.0)
    )


def soft(q: float, v: float, limits: SoftLimits | None = None) -> float:
    out = np.full(2, 99.0)
    (limits or springs()).torque(pair(q, 1e6), pair(v, 7.0), out)
    assert out[1] == 0.0
    return float(out[0])


def test_inside_the_range_there_is_no_spring() -> None:
    for q in (-0.9, 0.0, 1.9):
        assert soft(q, 5.0) == 0.0


def test_beyond_the_margin_a_spring_pushes_inward() -> None:
    assert soft(1.98, 0.0) == pytest.approx(-4.0)
    assert soft(-0.94, 0.0) == pytest.approx(2.0)
    assert soft(2.5, 0.0) == pytest.approx(-30.0)


def test_the_damper_acts_only_on_the_way_out() -> None:
    assert soft(1.98, 0.5) == pytest.approx(-6.0)
    assert soft(1.98, -0.5) == pytest.approx(-4.0)
    assert soft(-0.94, -0.25) == pytest.approx(3.0)
    assert soft(-0.94, 0.25) == pytest.approx(2.0)


def test_springs_leave_nine_tenths_of_a_short_range_free() -> None:
    narrow = SoftLimits(
        pair(-0.1, -np.inf), pair(0.3, np.inf), 1.0, pair(50.0, 1.0), pair(0.0, 1.0)
    )
    assert soft(0.28, 0.0, narrow) == pytest.approx(0.0)
    assert soft(-0.08, 0.0, narrow) == pytest.approx(0.0)
    assert soft(0.3, 0.0, narrow) == pytest.approx(-1.0)
    assert soft(-0.1, 0.0, narrow) == pytest.approx(1.0)


def test_b52_without_limits_or_strength_there_is_nothing() -> None:
    free = pair(-np.inf, -np.inf), pair(np.inf, np.inf)
    assert not SoftLimits(*free, 0.1, pair(50.0, 30.0), pair(4.0, 3.0)).present
    bounded = pair(-1.0, -1.0), pair(1.0, 1.0)
    assert not SoftLimits(*bounded, 0.1, np.zeros(2), np.zeros(2)).present
    assert springs().present
