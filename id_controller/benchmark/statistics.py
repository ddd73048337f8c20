"""From the trace of a run to the numbers that are compared; times in us."""
from __future__ import annotations

import statistics
from typing import Any, NamedTuple

import numpy as np

from id_controller.benchmark.rows import Row, Times, Trace

_US = 1e-3


class Spread(NamedTuple):
    """Percentiles of one quantity, us; nan where there is none."""

    p50: float
    p99: float
    p999: float
    max: float


NOTHING = Spread(*4 * (float('nan'),))


class Figures(NamedTuple):
    """
    One run in numbers.

    :param achieved: Ticks over what the rate asks for.
    :param skipped: Share of ticks that were dropped, :param late: that were done later than T.
    :param jitter: Of the period, :param lateness: of the wake-up.
    :param done: From the deadline to the published command, :param budget: from the wake-up.
    :param age: Of the state at the tick, :param stale_s: longest window without a fresh one.
    :param cpu: Shares of one core, :param host_cpu: of the host beside it.
    """

    achieved: float
    skipped: float
    late: float
    jitter: Spread
    lateness: Spread
    take: Spread
    compute: Spread
    publish: Spread
    done: Spread
    budget: Spread
    age: Spread
    stale_s: float
    round_trip: Spread
    cpu: float
    host_cpu: float
    source_late: Spread


def figures(row: Row, trace: Trace) -> Figures:
    """Summarise a run."""
    period_ns = 1e9 / row.rate_hz
    budget = trace.take + trace.compute + trace.publish
    done = trace.lateness + budget
    ticks, skipped = len(trace.wake), int(trace.skipped.sum())
    return Figures(
        achieved=ticks / (trace.seconds * row.rate_hz),
        skipped=skipped / max(1, ticks + skipped),
        late=float((done > period_ns).mean()) if ticks else 1.0,
        jitter=spread(np.abs(np.diff(trace.wake) - period_ns) * _US),
        lateness=spread(trace.lateness * _US),
        take=spread(trace.take * _US),
        compute=spread(trace.compute * _US),
        publish=spread(trace.publish * _US),
        done=spread(done * _US),
        budget=spread(budget * _US),
        age=spread(trace.age * _US),
        stale_s=longest_stale(trace.wake, trace.age, 2.0 * period_ns),
        round_trip=spread(trace.round_trip * _US),
        cpu=trace.cpu,
        host_cpu=trace.host_cpu,
        source_late=spread(trace.source_late * _US),
    )


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


def ratio(mine: list[float], theirs: list[float]) -> Ratio:
    """
    Compare two rows round by round.

    :param mine: A number of each round, :param theirs: the same of the row beside it.
    """
    pairs = [a / b for a, b in zip(mine, theirs) if b > 0.0]
    if not pairs:
        return Ratio(*3 * (float('nan'),))
    return Ratio(statistics.median(pairs), min(pairs), max(pairs))
