"""What holds for the ticks whatever the machine and the clocks do, in virtual time."""
from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st
from pacing_rig import MS, World, events, steady

from id_controller.realtime.pacing import BEAT_NS, PAUSE_S, SHORTEST_NS, TIMEOUT_NS, Tick

PAUSES = st.integers(0, 7 * MS)
RATES = st.sampled_from([3, 250, 333, 1000, 1024, 4000])


@given(RATES, st.lists(st.tuples(PAUSES, st.integers(-2000, 3 * MS)), min_size=1, max_size=80))
def test_deadlines_are_multiples_of_the_period_and_every_one_is_run_or_counted(
    rate_hz: int, disturbances: list[tuple[int, int]]
) -> None:
    """Work of any length between two ticks, and sleeps that end early or late."""
    world = World()
    pacing, start = steady(world, rate_hz), world.now_ns
    period = Fraction(10**9, rate_hz)
    passed, last = 0, start
    for work_ns, overshoot_ns in disturbances:
        world.overshoot_ns = [overshoot_ns]
        tick = pacing.wait()
        passed += 1 + tick.skipped
        elapsed = tick.steady_ns - start
        assert passed == elapsed // period, 'not early, and none is missing'
        assert 0 <= elapsed - passed * period - tick.lateness_ns < 1
        assert 0 <= tick.lateness_ns <= period
        assert tick.now_ns == tick.steady_ns >= last
        world.now_ns = last = tick.steady_ns + work_ns


@given(RATES, st.lists(PAUSES, min_size=1, max_size=80))
def test_a_tick_in_time_is_not_late(rate_hz: int, works: list[int]) -> None:
    world, period = World(), 10**9 // rate_hz
    pacing = steady(world, rate_hz)
    for work_ns in works:
        tick = pacing.wait()
        begun = tick.steady_ns
        in_time = tick.lateness_ns + work_ns < period
        world.now_ns = begun + work_ns
        after = pacing.wait()
        if in_time:
            assert (after.lateness_ns, after.skipped) == (0, 0)
        # At once, or after the pause of a loop that is always late.
        late_at = begun + work_ns + round(PAUSE_S * 1e9)
        assert after.steady_ns <= max(late_at, begun - tick.lateness_ns + period + 1)


Step = tuple[int, int]
FORWARD = st.lists(
    st.tuples(st.integers(0, 15 * MS), st.integers(0, 9 * MS)), min_size=1, max_size=60
)
ANY = st.lists(
    st.tuples(st.integers(0, 15 * MS), st.integers(-9 * MS, 9 * MS)), min_size=1, max_size=60
)


def ticks_on(world: World, steps: list[Step], period_ns: int) -> list[Tick]:
    """Ticks on a clock that steps as given, and on the silence that follows."""
    at, sim = world.now_ns, 10**9
    world.sim_ns = sim
    for pause_ns, step_ns in steps:
        at, sim = at + pause_ns, max(1, sim + step_ns)
        world.events.append((at, sim))
    pacing, ticks = events(world, period_ns=period_ns), []
    while world.now_ns < at + 50 * MS:
        ticks.append(pacing.wait())
    return ticks


@given(FORWARD, st.sampled_from([MS // 2, MS, 4 * MS]))
def test_every_period_of_the_clock_is_run_or_counted(steps: list[Step], period_ns: int) -> None:
    made = [tick for tick in ticks_on(World(), steps, period_ns) if not tick.timed_out]
    passed = 0
    for tick in made[1:]:
        passed += 1 + tick.skipped
        early_ns = period_ns // 100
        assert passed == (tick.now_ns - made[0].now_ns + early_ns) // period_ns


@given(ANY, st.sampled_from([0, MS, 4 * MS]))
def test_silence_is_told_in_time_and_only_then(steps: list[Step], period_ns: int) -> None:
    world = World()
    start = world.now_ns
    ticks = ticks_on(world, steps, period_ns)
    times = [start, *(tick.steady_ns for tick in ticks)]
    longest = TIMEOUT_NS + SHORTEST_NS + round(PAUSE_S * 1e9)
    assert max(b - a for a, b in zip(times, times[1:])) <= longest
    for before, tick in zip(ticks, ticks[1:]):
        if tick.now_ns == before.now_ns and not tick.timed_out and period_ns == 0:
            assert tick.silent_ns >= tick.steady_ns - before.steady_ns
    assert ticks[-1].silent_ns >= 40 * MS - BEAT_NS, 'it has been silent since the last event'


@given(ANY)
def test_ticks_on_events_keep_their_distance(steps: list[Step]) -> None:
    made = [tick for tick in ticks_on(World(), steps, 0) if not tick.timed_out]
    times = [tick.steady_ns for tick in made]
    assert all(b - a >= SHORTEST_NS for a, b in zip(times, times[1:]))
