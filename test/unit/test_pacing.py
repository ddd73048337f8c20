"""Deadlines, on a clock that the test owns."""
from __future__ import annotations

import time

import pytest
from pacing_rig import MS, World, events, steady

from id_controller.realtime.pacing import BEAT_NS, SteadyPacing


@pytest.fixture
def world() -> World:
    return World()


@pytest.mark.parametrize('rate_hz', [3, 333, 1000, 1024, 4000])
def test_b76_the_rate_has_no_drift(world: World, rate_hz: int) -> None:
    pacing, start = steady(world, rate_hz), world.now_ns
    seconds = 30 if rate_hz < 2000 else 5
    for _ in range(seconds * rate_hz):
        tick = pacing.wait()
    assert 0 <= tick.steady_ns - start - seconds * 1_000_000_000 <= 1


def test_b78_a_late_tick_runs_at_once_and_the_next_is_on_time(world: World) -> None:
    pacing, start = steady(world, 1000), world.now_ns
    world.overshoot_ns = [0, 400_000, 0]
    ticks = [pacing.wait() for _ in range(3)]
    assert [tick.lateness_ns for tick in ticks] == [0, 400_000, 0]
    assert [tick.skipped for tick in ticks] == [0, 0, 0]
    assert ticks[2].steady_ns - start == 3 * MS


def test_b79_a_wake_up_a_hair_early_neither_adds_nor_loses_a_tick(world: World) -> None:
    pacing, start = steady(world, 1000), world.now_ns
    world.overshoot_ns = [-1, 0, -300, 0, -1, -1, 0] * 30
    ticks = [pacing.wait() for _ in range(90)]
    assert [tick.skipped for tick in ticks] == 90 * [0]
    assert [tick.steady_ns - start for tick in ticks] == [MS * k for k in range(1, 91)]


def test_work_longer_than_a_period_makes_the_next_tick_late(world: World) -> None:
    pacing = steady(world, 1000)
    pacing.wait()
    world.now_ns += 1_050_000
    assert pacing.wait()[2:4] == (50_000, 0)
    assert pacing.wait()[2:4] == (0, 0)


def test_missed_ticks_are_dropped_counted_and_the_phase_stays(world: World) -> None:
    pacing, start = steady(world, 1000), world.now_ns
    world.overshoot_ns = [3_300_000]
    first, second = pacing.wait(), pacing.wait()
    assert (first.skipped, first.lateness_ns) == (3, 300_000)
    assert (second.skipped, second.lateness_ns) == (0, 0)
    assert second.steady_ns - start == 5 * MS


def test_a_slow_rate_still_beats_every_few_milliseconds(world: World) -> None:
    pacing, start = steady(world, 20), world.now_ns
    tick = pacing.wait()
    assert tick.steady_ns - start == 50 * MS
    times = [start, *world.beats, tick.steady_ns]
    assert max(b - a for a, b in zip(times, times[1:], strict=False)) <= BEAT_NS


def test_what_comes_before_the_first_wait_skips_nothing(world: World) -> None:
    pacing = steady(world, 1000)
    world.now_ns += 700 * MS
    assert pacing.wait().skipped == 0


def test_steady_control_time_is_steady_time(world: World) -> None:
    tick = steady(world, 100).wait()
    assert tick.now_ns == tick.steady_ns
    assert not tick.timed_out


def test_the_real_clock_paces_too() -> None:
    pacing, start = SteadyPacing(500), time.monotonic_ns()
    for _ in range(20):
        pacing.wait()
    assert 40 * MS <= time.monotonic_ns() - start < 2000 * MS


@pytest.mark.parametrize('by', ['events', 'deadlines'])
def test_a_loop_that_is_always_late_sleeps_all_the_same(world: World, by: str) -> None:
    """Under SCHED_FIFO one that never sleeps starves others, and the kernel ends it."""
    start = world.now_ns
    world.events = [(start, start + MS * k) for k in range(1, 1000)]
    pacing = events(world) if by == 'events' else steady(world, 1000)
    sleeps: list[int] = []
    asleep = world.sleep

    def sleep(seconds: float) -> None:
        sleeps.append(world.now_ns)
        asleep(seconds)

    pacing._breath._sleep = sleep  # type: ignore[attr-defined]
    for _ in range(100):
        pacing.wait()
        world.now_ns += 3 * MS
    assert len(sleeps) > 80
    world.now_ns += 1  # and one that is late once does not
    assert max(b - a for a, b in zip(sleeps, sleeps[1:])) < 20 * MS


def test_b68_a_system_clock_that_is_set_back_changes_no_tick(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    pacing, start = steady(world, 1000), world.now_ns
    for back in (0, -60_000_000_000, 3_600_000_000_000):
        monkeypatch.setattr('time.time_ns', lambda back=back: start + back)
        for _ in range(100):
            pacing.wait()
    assert world.now_ns - start == 300 * MS


@pytest.mark.parametrize('overshoot_ns', [0, 10_000, 29_000, 45_000])
def test_a_sleep_ends_before_the_deadline_and_the_tick_does_not(
    world: World, overshoot_ns: int
) -> None:
    looks = []

    def clock() -> int:
        looks.append(world.now_ns)
        world.now_ns += 1000  # a look at the clock takes its time
        return world.now_ns

    world.overshoot_ns = [overshoot_ns] * 50
    pacing = SteadyPacing(1000, world.beat, clock, world.sleep, lead_ns=30_000)
    ticks = [pacing.wait() for _ in range(50)]
    assert all(0 <= tick.lateness_ns <= max(1000, overshoot_ns - 29_000) for tick in ticks)
    assert len(looks) < 50 * 36, 'at most 30 us of looking for each tick'
