"""
What starts a tick: a steady deadline, or an event such as a new state or a new clock time.

Every wait wakes up at least every 4 ms to move the heartbeat, and an event that does not come is
replaced by a time-out tick, so that the checks run whatever the outside does.
"""
from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple, Protocol

from id_controller.state import NANOSECONDS

BEAT_NS = 4_000_000
TIMEOUT_NS = 10_000_000
SHORTEST_NS = 250_000
"""Steady time between two events that make ticks: a flood of them makes 4000 ticks each second."""
WAKE_UP_NS = 50_000
"""About what a wake-up takes until Python runs; see ``lead_ns``."""
AT_ONCE_NS = 20_000
"""A wait that is shorter than this was none: its event was there already."""
LATE_IN_A_ROW = 10
PAUSE_S = 50e-6
"""A loop that is always late still leaves its CPU to others and does not look like a runaway."""

Clock = Callable[[], int]
WaitForEvent = Callable[[float], bool]


class Tick(NamedTuple):
    """
    One tick.

    :param now_ns: Control time, which may stand still or step.
    :param steady_ns: Steady time at the wake-up.
    :param lateness_ns: How long after the deadline that was; 0 where there is no deadline.
    :param skipped: Ticks dropped since the last one.
    :param timed_out: Whether it comes instead of an event.
    :param silent_ns: Steady time since ``now_ns`` last changed where events make it; 0 when it
        has.
    """

    now_ns: int
    steady_ns: int
    lateness_ns: int = 0
    skipped: int = 0
    timed_out: bool = False
    silent_ns: int = 0


class Pacing(Protocol):
    """Waits for the next tick."""

    def wait(self) -> Tick:
        """Return when the next tick is due."""


def _nothing() -> None:
    """Beat for nobody."""


class _Breath:
    """
    Makes a loop sleep now and then that would never do so by itself.

    :param sleep: Sleeps for a time in s.
    """

    def __init__(self, sleep: Callable[[float], None]) -> None:
        self._sleep, self._late = sleep, 0

    def taken(self, late: bool) -> bool:
        """
        Sleep for a moment when many ticks in a row were late, and say whether that was so.

        :param late: Whether this tick begins without a sleep.
        """
        self._late = self._late + 1 if late else 0
        if self._late <= LATE_IN_A_ROW:
            return False
        self._sleep(PAUSE_S)
        return True


class SteadyPacing:
    """
    Ticks at absolute deadlines of the steady clock.

    Deadlines are counted from the first wait in whole ticks, so the rate has no drift (and is
    exact for any whole rate). A late tick runs at once; ticks that are late by a whole period are
    dropped and counted, and the phase stays.

    :param rate_hz: Rate.
    :param beat: Called at least every 4 ms.
    :param clock: Steady time in ns.
    :param sleep: Sleeps for a time in s.
    :param lead_ns: How much before a deadline a sleep ends. About as long as a wake-up takes, so
        that the rest, in which the clock is looked at again and again, is short.
    """

    def __init__(
        self,
        rate_hz: int,
        beat: Callable[[], None] = _nothing,
        clock: Clock = time.monotonic_ns,
        sleep: Callable[[float], None] = time.sleep,
        lead_ns: int = 0,
    ) -> None:
        self._rate = rate_hz
        self._beat, self._clock, self._sleep, self._lead_ns = beat, clock, sleep, lead_ns
        self._start_ns = self._count = 0
        self._breath = _Breath(sleep)

    def wait(self) -> Tick:
        """Sleep to the next deadline."""
        if self._count == 0:
            self._start_ns = self._clock()
        self._count += 1
        deadline = self._deadline(self._count)
        now = self._clock()
        if self._breath.taken(late=now >= deadline):
            now = self._clock()
        early = deadline - self._lead_ns
        while now < early:
            self._sleep(1e-9 * min(early - now, BEAT_NS))
            now = self._clock()
            if now < early:
                self._beat()
        while now < deadline:
            now = self._clock()
        due = (now - self._start_ns) * self._rate // NANOSECONDS
        skipped = max(0, due - self._count)
        self._count += skipped
        return Tick(now, now, now - self._deadline(self._count), skipped)

    def _deadline(self, count: int) -> int:
        # Rounded up, so that the tick of a deadline that is just reached counts as due.
        return self._start_ns - (-count * NANOSECONDS) // self._rate


class EventPacing:
    """
    Ticks on events, with the control time taken from a clock of the outside.

    Events that come faster than ``SHORTEST_NS`` wait until then; the newest of them counts. An
    event that brings no new time is a tick without time (a plant in lockstep asks again), but no
    sign of life: a clock that stands is as silent as one that sends nothing.

    :param wait_for_event: Waits for an event up to a time in s and says whether one came.
    :param clock: Control time in ns.
    :param period_ns: Control time between two ticks; 0: every event is a tick. Ticks keep the
        phase of this period, and those that the clock jumps over count as skipped. A hundredth of
        it too early is in time: many simulators round their time down.
    :param timeout_ns: Steady time without an event after which a time-out tick comes.
    :param beat: Called at least every 4 ms.
    :param steady: Steady time in ns.
    :param sleep: Sleeps for a time in s.
    """

    def __init__(
        self,
        wait_for_event: WaitForEvent,
        clock: Clock,
        *,
        period_ns: int = 0,
        timeout_ns: int = TIMEOUT_NS,
        beat: Callable[[], None] = _nothing,
        steady: Clock = time.monotonic_ns,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._wait_for_event, self._clock = wait_for_event, clock
        self._period, self._hair, self._timeout = period_ns, period_ns // 100, timeout_ns
        self._beat, self._steady = beat, steady
        self._due: int | None = None
        self._now_ns, self._moved_ns, self._ticked_ns = 0, steady(), 0
        self._sleep, self._breath, self._at_once = sleep, _Breath(sleep), False

    def wait(self) -> Tick:
        """Wait for the next event that makes a tick, or for the time-out."""
        limit = self._steady() + self._timeout
        self._rest()
        begin = steady = self._steady()
        while steady < limit:
            came = self._wait_for_event(1e-9 * min(limit - steady, BEAT_NS))
            steady = self._steady()
            if came:
                now = self._clock()
                self._at_once = steady - begin < AT_ONCE_NS
                silence, skipped = self._silence(now, steady), self._skipped(now)
                if skipped is not None:
                    self._ticked_ns = steady
                    return Tick(now, steady, 0, skipped, False, silence)
            self._beat()
        now = self._clock()
        return Tick(now, steady, 0, 0, True, self._silence(now, steady))

    def _silence(self, now_ns: int, steady_ns: int) -> int:
        """Steady time for which the clock has not moved."""
        if now_ns != self._now_ns:
            self._now_ns, self._moved_ns = now_ns, steady_ns
        return steady_ns - self._moved_ns

    def _rest(self) -> None:
        """Keep the distance to the last event, and sleep in any case now and then."""
        early_ns = self._ticked_ns + SHORTEST_NS - self._steady()
        if early_ns > 0:
            self._sleep(1e-9 * early_ns)
        self._breath.taken(late=early_ns <= 0 and self._at_once)

    def _skipped(self, now_ns: int) -> int | None:
        """Ticks that the clock jumped over; None when no tick is due yet."""
        if self._period == 0 or now_ns <= 0:
            return 0
        soon = now_ns + self._hair
        if self._due is None or soon < self._due - self._period:
            self._due = now_ns
        if soon < self._due:
            return None
        skipped = (soon - self._due) // self._period
        self._due += (skipped + 1) * self._period
        return skipped
