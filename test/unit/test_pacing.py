"""Deadlines and events, on clocks that the test owns."""
from __future__ import annotations

import math
import time

import pytest

from id_controller.realtime.pacing import BEAT_NS, EventPacing, SteadyPacing, Tick

MS = 1_000_000


class World:
    """A steady clock that moves only while somebody sleeps, and overshoots as it is told."""

    def __init__(self) -> None:
        self.now_ns = 1_000_000_007
        self.overshoot_ns: list[int] = []
        self.beats: list[int] = []
        self.events: list[tuple[int, int]] = []
        self.sim_ns = 0

    def clock(self) -> int:
        return self.now_ns

    def sleep(self, time_s: float) -> None:
        self.now_ns += round(time_s * 1e9)
        self.now_ns += self.overshoot_ns.pop(0) if self.overshoot_ns else 0

    def beat(self) -> None:
        self.beats.append(self.now_ns)

    def wait_for_event(self, timeout_s: float) -> bool:
        """Take the next event if its steady time comes before the time-out."""
        limit = self.now_ns + round(timeout_s * 1e9)
        if self.events and self.events[0][0] <= limit:
            at, self.sim_ns = self.events.pop(0)
            self.now_ns = max(self.now_ns, at)
            return True
        self.now_ns = limit
        return False


@pytest.fixture
def world() -> World:
    return World()


def steady(world: World, rate_hz: int) -> SteadyPacing:
    return SteadyPacing(rate_hz, world.beat, world.clock, world.sleep)


def events(world: World, **options: int) -> EventPacing:
    return EventPacing(
        world.wait_for_event, lambda: world.sim_ns, beat=world.beat, steady=world.clock, **options
    )


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


def test_every_event_is_a_tick_with_the_time_of_its_clock(world: World) -> None:
    pacing, start = events(world), world.now_ns
    world.events = [(start + 2 * MS, 500), (start + 3 * MS, 500), (start + 9 * MS, 1500)]
    ticks = [pacing.wait() for _ in range(3)]
    assert ticks == [
        Tick(500, start + 2 * MS), Tick(500, start + 3 * MS), Tick(1500, start + 9 * MS),
    ]


def test_an_event_that_does_not_come_is_a_time_out_tick(world: World) -> None:
    pacing, start = events(world, timeout_ns=10 * MS), world.now_ns
    world.events = [(start, 500)]
    pacing.wait()
    first, second = pacing.wait(), pacing.wait()
    assert first == Tick(500, start + 10 * MS, 0, 0, True, 10 * MS)
    assert second.silent_ns == 20 * MS
    times = [start, *world.beats]
    assert max(b - a for a, b in zip(times, times[1:], strict=False)) <= BEAT_NS


def test_silence_counts_from_the_start_when_nothing_ever_came(world: World) -> None:
    pacing = events(world, timeout_ns=10 * MS)
    assert [pacing.wait().silent_ns for _ in range(3)] == [10 * MS, 20 * MS, 30 * MS]


def test_a_fine_clock_is_divided_to_the_period(world: World) -> None:
    pacing, start = events(world, period_ns=1000, timeout_ns=10 * MS), world.now_ns
    world.events = [(start + k * MS, 5000 + 300 * k) for k in range(8)]
    ticks = [pacing.wait() for _ in range(3)]
    # Due at 5000, 6000 and 7000: the first clock times not before are these.
    assert [tick.now_ns for tick in ticks] == [5000, 6200, 7100]
    assert [tick.skipped for tick in ticks] == [0, 0, 0]


def test_a_coarse_clock_skips_and_says_so(world: World) -> None:
    pacing, start = events(world, period_ns=1000), world.now_ns
    world.events = [(start + k * MS, 5000 + 2500 * k) for k in range(3)]
    assert [pacing.wait().skipped for _ in range(3)] == [0, 1, 2]


def test_a_clock_that_hardly_moves_still_gets_its_checks(world: World) -> None:
    pacing, start = events(world, period_ns=1_000_000, timeout_ns=10 * MS), world.now_ns
    world.events = [(start + k * MS, 5000 + k) for k in range(200)]
    pacing.wait()
    tick = pacing.wait()
    assert tick.timed_out
    assert tick.steady_ns - start == 10 * MS
    assert tick.silent_ns <= 1 * MS


def test_b70_a_clock_set_back_starts_a_new_phase(world: World) -> None:
    pacing, start = events(world, period_ns=1000), world.now_ns
    world.events = [(start + MS, 90_000), (start + 2 * MS, 400), (start + 3 * MS, 1400)]
    assert [pacing.wait().now_ns for _ in range(3)] == [90_000, 400, 1400]


def test_b72_no_ticks_are_missed_before_the_first_clock(world: World) -> None:
    pacing, start = events(world, period_ns=1000), world.now_ns
    world.events = [(start + MS, 0), (start + 2 * MS, 5_000_000), (start + 3 * MS, 5_001_000)]
    assert [pacing.wait().skipped for _ in range(3)] == [0, 0, 0]


def test_events_before_the_time_out_never_time_out(world: World) -> None:
    pacing, start = events(world, timeout_ns=10 * MS), world.now_ns
    world.events = [(start + 9 * MS * k, k) for k in range(1, 50)]
    assert not any(pacing.wait().timed_out for _ in range(49))
    assert math.isclose(world.now_ns - start, 9 * 49 * MS)
