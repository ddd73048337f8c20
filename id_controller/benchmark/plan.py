"""What is run, in which order, and for how long."""
from __future__ import annotations

import random
from typing import NamedTuple

from id_controller.benchmark.rows import Row
from id_controller.errors import ParameterError

OVERHEAD_S, FLOOR_OVERHEAD_S = 4.5, 0.3
"""What a run takes beside its window: start, settling, end."""
BAR_S, SHOWN_S, QUICK_S = 10.0, 5.0, 3.0
ROUNDS, LATE_JOINERS = 5, 3
CYCLICTEST = 'cyclictest'
LATENCIES, GROWTH = 'latencies', 'growth'
OTHERS_S = {LATENCIES: 150.0, GROWTH: 65.0}
"""What is measured after the rows, and about how long it takes."""


class Planned(NamedTuple):
    """
    One run.

    :param turn: Number of its round; runs of two rows in the same round are compared.
    """

    row: Row
    seconds: float
    turn: int

    @property
    def duration_s(self) -> float:
        """About how long it takes."""
        idle = FLOOR_OVERHEAD_S if self.row.node == CYCLICTEST else OVERHEAD_S
        return self.seconds + idle


FLOOR, FAST_FLOOR = Row(node=CYCLICTEST), Row(node=CYCLICTEST, rate_hz=2000)
OURS, OURS_BUSY = Row(node='ours'), Row(node='ours', traffic=True)
MESSAGES, MESSAGES_BUSY = Row(node='ours_messages'), Row(node='ours_messages', traffic=True)
NAIVE, NAIVE_BUSY = Row(node='naive'), Row(node='naive', traffic=True)
EVENTS, EVENTS_BUSY = Row(node='events'), Row(node='events', traffic=True)
ECHO, ECHO_BY_STATE = Row(node='echo'), Row(node='echo', pacing='state')
BY_STATE = Row(node='ours', pacing='state')
MESSAGES_BY_STATE = Row(node='ours_messages', pacing='state')
SHARED_BY_STATE = Row(node='ours', pacing='state', transport='shared_memory')
FAST, FAST_BUSY = Row(node='ours', rate_hz=2000), Row(node='ours', rate_hz=2000, traffic=True)
BODY_BUSY = Row(node='ours', joints=29, traffic=True)
SLOW, NAIVE_SLOW = Row(node='ours', rate_hz=500), Row(node='naive', rate_hz=500)
JOINED = Row(node='ours', rate_hz=2000, late_joiner=True)
SHARED_JOINED = Row(node='ours', rate_hz=2000, late_joiner=True, transport='shared_memory')

_GROUPS = (
    (FLOOR, OURS, NAIVE, EVENTS, MESSAGES, ECHO),
    (OURS_BUSY, NAIVE_BUSY, EVENTS_BUSY, MESSAGES_BUSY),
    (BY_STATE, ECHO_BY_STATE, MESSAGES_BY_STATE, SHARED_BY_STATE),
    (FAST_FLOOR, FAST, FAST_BUSY),
    (SLOW, NAIVE_SLOW),
    (BODY_BUSY,),
)
"""Rows that are compared with each other are run next to each other."""
_SHOWN = (
    EVENTS, MESSAGES, ECHO, EVENTS_BUSY, MESSAGES_BUSY, MESSAGES_BY_STATE, SHARED_BY_STATE,
    SLOW, NAIVE_SLOW,
)
"""Rows without a bar."""
_QUICK = (
    FLOOR, OURS, NAIVE, OURS_BUSY, NAIVE_BUSY, EVENTS_BUSY, BY_STATE, ECHO_BY_STATE, FAST,
    FAST_BUSY, BODY_BUSY,
)


class Wanted(NamedTuple):
    """
    What was asked for; None: as it is by itself.

    :param quick: One round of short windows of the main rows, for a first look.
    :param rounds: How often each row is run, :param seconds: length of every window.
    :param late_joiners: Runs in which a participant joins.
    :param rows: Only what has this text in its name.
    """

    quick: bool = False
    rounds: int | None = None
    seconds: float | None = None
    late_joiners: int | None = None
    rows: str = ''


class Plan(NamedTuple):
    """
    Runs of rows in order, and what else is measured after them.

    :param others: Names out of ``OTHERS_S``.
    """

    runs: tuple[Planned, ...]
    others: tuple[str, ...]

    @property
    def duration_s(self) -> float:
        """About how long everything takes."""
        others = sum(OTHERS_S[name] for name in self.others)
        return sum(run.duration_s for run in self.runs) + others


def make_plan(wanted: Wanted) -> Plan:
    """
    Plan a benchmark.

    :raises ParameterError: when nothing of it is wanted.
    """
    rounds = wanted.rounds or (1 if wanted.quick else ROUNDS)
    runs = (*_in_rounds(wanted.quick, rounds), *_late_joiners(wanted))
    plan = Plan(
        tuple(
            run if wanted.seconds is None else run._replace(seconds=wanted.seconds)
            for run in runs if wanted.rows in run.row.name
        ),
        () if wanted.quick else tuple(name for name in OTHERS_S if wanted.rows in name),
    )
    if not plan.runs and not plan.others:
        names = '; '.join(dict.fromkeys([*(run.row.name for run in runs), *OTHERS_S]))
        raise ParameterError(f'--rows: got {wanted.rows!r}, expected a part of one of: {names}')
    return plan


def _in_rounds(quick: bool, rounds: int) -> list[Planned]:
    """Every row once in each round, in an order that differs from round to round."""
    order, runs = random.Random(1), []
    for turn in range(rounds):
        for group in order.sample(_GROUPS, len(_GROUPS)):
            for row in order.sample(group, len(group)):
                if not quick or row in _QUICK:
                    seconds = QUICK_S if quick else SHOWN_S if row in _SHOWN else BAR_S
                    runs.append(Planned(row, seconds, turn))
    return runs


def _late_joiners(wanted: Wanted) -> list[Planned]:
    """Plan runs with a late joiner, who must stay longer than 3 s to do harm."""
    count = wanted.late_joiners
    if count is None:
        count = 1 if wanted.quick else LATE_JOINERS
    runs = [Planned(JOINED, BAR_S, turn) for turn in range(count)]
    return runs if wanted.quick or not count else [*runs, Planned(SHARED_JOINED, BAR_S, 0)]
