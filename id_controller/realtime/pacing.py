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
    :param silent_ns: Steady time since the last event; 0 when this is one.
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
    """

    def __init__(
        self,
        rate_hz: int,
        beat: Callable[[], None] = _nothing,
        clock: Clock = time.monotonic_ns,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._rate = rate_hz
        self._beat, self._clock, self._sleep = beat, clock, sleep
        self._start_ns = self._count = self._late = 0

    def wait(self) -> Tick:
        """Sleep to the next deadline."""
        if self._count == 0:
            self._start_ns = self._clock()
        self._count += 1
        deadline = self._deadline(self._count)
        now = self._clock()
        if now < deadline:
            self._late = 0
        elif self._late < LATE_IN_A_ROW:
            self._late += 1
        else:
            self._sleep(PAUSE_S)
            now = self._clock()
        while now < deadline:
            self._sleep(1e-9 * min(deadline - now, BEAT_NS))
            now = self._clock()
            if now < deadline:
                self._beat()
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

    :param wait_for_event: Waits for an event up to a time in s and says whether one came.
    :param clock: Control time in ns.
    :param period_ns: Shortest control time between two ticks; 0: every event is a tick. Ticks
        keep the phase of this period, and those that the clock jumps over count as skipped.
    :param timeout_ns: Steady time without an event after which a time-out tick comes.
    :param beat: Called at least every 4 ms.
    :param steady: Steady time in ns.
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
    ) -> None:
        self._wait_for_event, self._clock = wait_for_event, clock
        self._period, self._timeout = period_ns, timeout_ns
        self._beat, self._steady = beat, steady
        self._due: int | None = None
        self._event_ns = steady()

    def wait(self) -> Tick:
        """Wait for the next event that makes a tick, or for the time-out."""
        steady = self._steady()
        limit = steady + self._timeout
        while steady < limit:
            came = self._wait_for_event(1e-9 * min(limit - steady, BEAT_NS))
            steady = self._steady()
            if came:
                self._event_ns, now = steady, self._clock()
                skipped = self._skipped(now)
                if skipped is not None:
                    return Tick(now, steady, 0, skipped)
            self._beat()
        return Tick(self._clock(), steady, 0, 0, True, steady - self._event_ns)

    def _skipped(self, now_ns: int) -> int | None:
        """Ticks that the clock jumped over; None when no tick is due yet."""
        if self._period == 0 or now_ns <= 0:
            return 0
        if self._due is None or now_ns < self._due - self._period:
            self._due = now_ns
        if now_ns < self._due:
            return None
        skipped = (now_ns - self._due) // self._period
        self._due += (skipped + 1) * self._period
        return skipped
