"""Time from tick to tick: stalls, standing clocks, steps back."""
from __future__ import annotations

import pytest

from id_controller.control.clock import TickClock

MS = 1_000_000
BACK = 50 * MS


def clock_at(now_ns: int) -> TickClock:
    clock = TickClock(0.001)
    clock.advance(now_ns, 0, BACK, False)
    return clock


def test_the_first_tick_counts_as_one_period() -> None:
    assert clock_at(7000 * MS).dt_s == pytest.approx(0.001)
    assert clock_at(7000 * MS).reference_ns == 7000 * MS


def test_time_is_measured() -> None:
    clock = clock_at(7000 * MS)
    clock.advance(7000 * MS + 1_300_000, 0, BACK, False)
    assert clock.dt_s == pytest.approx(0.0013)
    assert clock.reference_ns == 7000 * MS + 1_300_000


def test_after_a_stall_the_reference_moves_by_two_periods_at_most() -> None:
    clock = clock_at(7000 * MS)
    clock.advance(7100 * MS, 0, BACK, False)
    assert clock.dt_s == pytest.approx(0.002)
    assert clock.elapsed_s == pytest.approx(0.1)
    assert clock.reference_ns == 7002 * MS


def test_b40_a_clock_that_stands_or_stumbles_gives_no_time() -> None:
    clock = clock_at(7000 * MS)
    for now_ns in (7000 * MS, 6999 * MS, 6951 * MS):
        clock.advance(now_ns, 0, BACK, False)
        assert (clock.dt_s, clock.jumped) == (0.0, False)
    clock.advance(7001 * MS, 0, BACK, False)
    assert clock.dt_s == pytest.approx(0.001)


def test_b70_a_clock_set_back_is_a_jump_once() -> None:
    clock = clock_at(7000 * MS)
    clock.advance(6000 * MS, 0, BACK, False)
    assert (clock.dt_s, clock.jumped) == (0.0, True)
    clock.advance(6001 * MS, 0, BACK, False)
    assert (clock.dt_s, clock.jumped) == (pytest.approx(0.001), False)


def test_a_ramp_that_must_end_does_not_wait_for_the_clock() -> None:
    clock = clock_at(7000 * MS)
    clock.advance(7000 * MS, 0, BACK, True)
    assert clock.elapsed_s == pytest.approx(0.001)
    # The age of the state shows how much time passed while the clock stood.
    clock.advance(7000 * MS, 30 * MS, BACK, True)
    assert clock.elapsed_s == pytest.approx(0.03)
    assert clock.dt_s == pytest.approx(0.002)


def test_a_restart_forgets_the_last_tick() -> None:
    clock = clock_at(7000 * MS)
    clock.restart()
    clock.advance(10 * MS, 0, BACK, False)
    assert (clock.dt_s, clock.jumped) == (pytest.approx(0.001), False)
