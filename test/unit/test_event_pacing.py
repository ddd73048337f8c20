"""Ticks on events, on clocks that the test owns."""
from __future__ import annotations

import math
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pacing_rig import MS, World, events

from id_controller.realtime.pacing import BEAT_NS, SHORTEST_NS, Tick


@pytest.fixture
def world() -> World:
    return World()


def test_every_event_is_a_tick_with_the_time_of_its_clock(world: World) -> None:
    pacing, start = events(world), world.now_ns
    world.events = [(start + 2 * MS, 500), (start + 3 * MS, 500), (start + 9 * MS, 1500)]
    ticks = [pacing.wait() for _ in range(3)]
    assert ticks == [
        Tick(500, start + 2 * MS),
        Tick(500, start + 3 * MS, silent_ns=1 * MS),
        Tick(1500, start + 9 * MS),
    ]


def test_an_event_that_does_not_come_is_a_time_out_tick(world: World) -> None:
    pacing, start = events(world, timeout_ns=10 * MS), world.now_ns
    world.events = [(start, 500)]
    pacing.wait()
    first, second = pacing.wait(), pacing.wait()
    assert first == Tick(500, start + 10 * MS, 0, 0, True, 10 * MS)
    assert second.silent_ns == 20 * MS
    times = [start, *world.beats]
    assert max(b - a for a, b in zip(times, times[1:], strict=False)) <= BEAT_NS + SHORTEST_NS


def test_b40_a_clock_that_repeats_itself_is_silent(world: World) -> None:
    """Messages alone are no sign of life: the efforts would stand while states move on."""
    start = world.now_ns
    for period_ns in (0, MS):
        pacing = events(world, period_ns=period_ns, timeout_ns=10 * MS)
        start = world.now_ns
        world.events = [(start + k * MS, 700 + start) for k in range(1, 51)]
        ticks = []
        while world.now_ns < start + 50 * MS:
            ticks.append(pacing.wait())
        assert {tick.now_ns for tick in ticks} == {700 + start}
        assert [tick.silent_ns for tick in ticks] == [t.steady_ns - start - MS for t in ticks]
        assert ticks[-1].silent_ns >= 40 * MS


def test_b72_messages_without_a_time_are_silence(world: World) -> None:
    pacing, start = events(world), world.now_ns
    world.events = [(start + k * MS, 0) for k in range(1, 10)]
    assert [pacing.wait().silent_ns for _ in range(3)] == [1 * MS, 2 * MS, 3 * MS]


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


def test_b79_a_clock_that_rounds_its_time_down_loses_no_tick(world: World) -> None:
    """As one does that counts in floating-point seconds."""
    pacing, start = events(world, period_ns=MS), world.now_ns
    seconds = accumulate([0.001] * 900, initial=1.0)
    times = [int(t) * 1000 * MS + int((t - int(t)) * 1e9) for t in seconds]
    assert {now % MS for now in times} == {0, MS - 1}
    world.events = [(start + k * MS, now) for k, now in enumerate(times)]
    ticks = [pacing.wait() for _ in times]
    assert [(tick.now_ns, tick.skipped) for tick in ticks] == [(now, 0) for now in times]


def test_a_clock_that_is_not_there_yet_makes_no_tick(world: World) -> None:
    pacing, start = events(world, period_ns=MS), world.now_ns
    world.events = [(start + 1, 5 * MS), (start + 2, 6 * MS - 10_001), (start + 3, 6 * MS)]
    assert [pacing.wait().now_ns for _ in range(2)] == [5 * MS, 6 * MS]


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
    assert tick.silent_ns == 0, 'it does move'


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


def test_a_flood_of_events_makes_four_thousand_ticks_a_second(world: World) -> None:
    start = world.now_ns
    world.events = [(start + 10_000 * k, start + 10_000 * k) for k in range(1, 50_000)]
    pacing = events(world)
    ticks = []
    while world.now_ns < start + 200 * MS:
        ticks.append(pacing.wait())
    assert 790 <= len(ticks) <= 810
    assert min(b.steady_ns - a.steady_ns for a, b in zip(ticks, ticks[1:])) >= 250_000


@given(
    st.lists(st.tuples(st.integers(0, 12 * MS), st.integers(-3 * MS, 8 * MS)), max_size=60),
    st.sampled_from([0, MS, 4 * MS]),
)
def test_whatever_events_come_ticks_are_neither_early_nor_missing(
    steps: list[tuple[int, int]], period_ns: int
) -> None:
    """Control time in steps of any size and sign, at steady times of any distance."""
    world = World()
    at, sim = world.now_ns, 10**9
    world.sim_ns = sim
    for pause, step in steps:
        at, sim = at + pause, max(1, sim + step)
        world.events.append((at, sim))
    pacing = events(world, period_ns=period_ns)
    ticks, end = [], at + 100 * MS
    while world.now_ns < end:
        ticks.append(pacing.wait())
    steady_times = [tick.steady_ns for tick in ticks]
    assert steady_times == sorted(steady_times)
    assert max(b - a for a, b in zip(steady_times, steady_times[1:])) <= 11 * MS, 'time-outs come'
    made = [tick for tick in ticks if not tick.timed_out]
    assert all(tick.skipped >= 0 for tick in made)
    if period_ns and all(step > 0 for _, step in steps) and made:
        passed = (made[-1].now_ns - made[0].now_ns + period_ns // 100) // period_ns
        assert sum(1 + tick.skipped for tick in made[1:]) == passed
