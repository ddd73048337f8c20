"""What is run, in which order, and for how long."""
from __future__ import annotations

import random
from typing import NamedTuple

from id_controller.benchmark.rows import Row

OVERHEAD_S = 4.5
"""What a run takes beside its window: start, settling, end."""
BAR_S, SHOWN_S, QUICK_S = 10.0, 6.0, 3.0
CYCLICTEST = 'cyclictest'


class Planned(NamedTuple):
    """One run."""

    row: Row
    seconds: float

    @property
    def duration_s(self) -> float:
        """About how long it takes."""
        return self.seconds + (0.3 if self.row.node == CYCLICTEST else OVERHEAD_S)


OURS, OURS_BUSY = Row(node='ours'), Row(node='ours', traffic=True)
NAIVE, NAIVE_BUSY = Row(node='naive'), Row(node='naive', traffic=True)
EVENTS, EVENTS_BUSY = Row(node='events'), Row(node='events', traffic=True)
MESSAGES = Row(node='ours_messages')
ECHO = Row(node='echo', pacing='state')
BY_STATE = Row(node='ours', pacing='state')
MESSAGES_BY_STATE = Row(node='ours_messages', pacing='state')
FAST, FAST_BUSY = Row(node='ours', rate_hz=2000), Row(node='ours', rate_hz=2000, traffic=True)
BODY_BUSY = Row(node='ours', joints=29, traffic=True)
SLOW, NAIVE_SLOW = Row(node='ours', rate_hz=500), Row(node='naive', rate_hz=500)
FLOOR, FAST_FLOOR = Row(node=CYCLICTEST), Row(node=CYCLICTEST, rate_hz=2000)
SHARED = Row(node='ours', pacing='state', transport='shared_memory')
JOINED = Row(node='ours', rate_hz=2000, late_joiner=True)
SHARED_JOINED = Row(node='ours', rate_hz=2000, late_joiner=True, transport='shared_memory')

_BARS = (
    OURS, OURS_BUSY, NAIVE, NAIVE_BUSY, ECHO, BY_STATE, FAST, FAST_BUSY, BODY_BUSY, FLOOR,
    FAST_FLOOR,
)
_SHOWN = (MESSAGES, MESSAGES_BY_STATE, EVENTS, EVENTS_BUSY, SLOW, NAIVE_SLOW)
_QUICK = (OURS, OURS_BUSY, NAIVE_BUSY, ECHO, BY_STATE, FAST_BUSY, BODY_BUSY, FLOOR, JOINED)


class Plan(NamedTuple):
    """
    Rounds of runs; in a round everything is run once, close together.

    :param rounds: Runs of each round, in order.
    :param single: Runs that are not part of a round, afterwards.
    :param with_growth: Whether growth and latencies are measured too.
    """

    rounds: list[list[Planned]]
    single: list[Planned]
    with_growth: bool

    @property
    def duration_s(self) -> float:
        """About how long all runs take."""
        runs = [run for each in (*self.rounds, self.single) for run in each]
        return sum(run.duration_s for run in runs)


def full_plan(rounds: int, seconds: float | None, late_joiners: int, pattern: str = '') -> Plan:
    """
    Plan the whole benchmark.

    :param seconds: Length of every window; None: 10 s where there is a bar, 6 s elsewhere.
    :param late_joiners: Runs in which a participant joins.
    :param pattern: Only rows with this text in their name.
    """
    order = random.Random(1)
    planned = [Planned(row, seconds or BAR_S) for row in _BARS]
    planned += [Planned(row, seconds or SHOWN_S) for row in _SHOWN]
    planned = [run for run in planned if pattern in run.row.name]
    made = []
    for _ in range(rounds):
        order.shuffle(planned)
        made.append(list(planned))
    others = [Planned(SHARED, seconds or SHOWN_S), Planned(SHARED_JOINED, seconds or BAR_S)]
    others += [Planned(JOINED, seconds or BAR_S)] * late_joiners
    return Plan(made, [run for run in others if pattern in run.row.name], not pattern)


def quick_plan() -> Plan:
    """Plan one round of short windows, for a first look."""
    # Who joins must stay longer than 3 s to do harm.
    runs = [Planned(row, BAR_S if row.late_joiner else QUICK_S) for row in _QUICK]
    return Plan([runs], [], False)
