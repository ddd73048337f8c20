"""From the trace of a run to the numbers that are compared; times in us."""
from __future__ import annotations

import statistics
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from id_controller.benchmark.rows import Row, Times, Trace

_US, NONE = 1e-3, float('nan')
STALE_PERIODS = 2.0
"""Age of a state, in its periods, that is too old."""


class Spread(NamedTuple):
    """Percentiles of one quantity, us; nan where there is none."""

    p50: float
    p99: float
    p999: float
    max: float


NOTHING = Spread(*4 * (NONE,))


class Figures(NamedTuple):
    """
    One run in numbers; what a row does not have is not a number.

    :param achieved: Ticks over what the rate asks for.
    :param skipped: Share of ticks that were dropped, :param late: that were done later than T.
    :param jitter: Of the period, :param lateness: of the wake-up after its deadline.
    :param done: From the deadline to the published command, :param budget: from the wake-up.
    :param age: Of the state at the tick, :param stale_s: longest window without a fresh one.
    :param cpu: Shares of one core, :param host_cpu: of the host beside it.
    :param source_late: States after their deadlines, :param source_gap_s: longest time between
        two.
    """

    achieved: float = NONE
    skipped: float = NONE
    late: float = NONE
    jitter: Spread = NOTHING
    lateness: Spread = NOTHING
    take: Spread = NOTHING
    compute: Spread = NOTHING
    publish: Spread = NOTHING
    done: Spread = NOTHING
    budget: Spread = NOTHING
    age: Spread = NOTHING
    stale_s: float = NONE
    round_trip: Spread = NOTHING
    cpu: float = NONE
    host_cpu: float = NONE
    source_late: Spread = NOTHING
    source_gap_s: float = NONE


def figures(row: Row, trace: Trace) -> Figures:
    """Summarise a run."""
    period_ns = 1e9 / row.rate_hz
    at_deadlines, ticks, skipped = row.pacing == 'steady', len(trace.wake), trace.skipped.sum()
    return Figures(
        achieved=ticks / (trace.seconds * row.rate_hz),
        skipped=float(skipped / max(1, ticks + skipped)),
        late=float((trace.done > period_ns).mean()) if ticks else 1.0,
        jitter=spread(trace.jitter(row) * _US),
        lateness=spread(trace.lateness * _US) if at_deadlines else NOTHING,
        take=spread(trace.take * _US),
        compute=spread(trace.compute * _US),
        publish=spread(trace.publish * _US),
        done=spread(trace.done * _US) if at_deadlines else NOTHING,
        budget=spread(trace.budget * _US),
        age=spread(trace.age * _US) if row.node != 'echo' else NOTHING,
        stale_s=longest_stale(trace.wake, trace.age, STALE_PERIODS * period_ns),
        round_trip=spread(trace.round_trip * _US),
        cpu=trace.cpu,
        host_cpu=trace.host_cpu,
        source_late=spread(trace.source_late * _US),
        source_gap_s=1e-9 * float(trace.source_period.max(initial=0)),
    )


def lateness_alone(late_us: Any) -> Figures:
    """Summarise the lateness of a thread that does nothing but wake up."""
    return Figures(lateness=spread(late_us))


def spread(values: Any) -> Spread:
    """Percentiles of values."""
    if not len(values):
        return NOTHING
    p50, p99, p999 = np.percentile(values, (50.0, 99.0, 99.9)).tolist()
    return Spread(p50, p99, p999, float(values.max()))


def longest_stale(wake: Times, age: Times, limit_ns: float) -> float:
    """
    Find the longest window of ticks on states that are all too old.

    :param limit_ns: Age that is too old.
    :returns: From its first to its last tick, s; 0 when there is none.
    """
    stale = np.concatenate(([False], age > limit_ns, [False]))
    edges = np.flatnonzero(np.diff(stale.astype(np.int8)))
    begins, ends = edges[::2], edges[1::2] - 1
    return 1e-9 * float((wake[ends] - wake[begins]).max()) if len(begins) else 0.0


class Ratio(NamedTuple):
    """Median of the ratios of runs of the same round, with the smallest and the largest."""

    median: float
    low: float
    high: float


def ratio(mine: Mapping[int, float], theirs: Mapping[int, float]) -> tuple[Ratio, int]:
    """
    Compare two rows round by round.

    :param mine: A number of each round, :param theirs: the same of the row beside it.
    :returns: The ratio, and how many rounds had both.
    """
    pairs = [mine[turn] / theirs[turn] for turn in mine if theirs.get(turn, 0.0) > 0.0]
    if not pairs:
        return Ratio(NONE, NONE, NONE), 0
    return Ratio(statistics.median(pairs), min(pairs), max(pairs)), len(pairs)
