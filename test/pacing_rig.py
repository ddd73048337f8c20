"""Clocks and events that a test owns."""
from __future__ import annotations

from id_controller.realtime.pacing import EventPacing, SteadyPacing

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


def steady(world: World, rate_hz: int) -> SteadyPacing:
    return SteadyPacing(rate_hz, world.beat, world.clock, world.sleep)


def events(world: World, **options: int) -> EventPacing:
    return EventPacing(
        world.wait_for_event, lambda: world.sim_ns, beat=world.beat, steady=world.clock,
        sleep=world.sleep, **options
    )
