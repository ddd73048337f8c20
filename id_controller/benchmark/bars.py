"""The bars, each from the rows that it speaks of."""
from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator

from id_controller.benchmark import plan
from id_controller.benchmark.results import Bar
from id_controller.benchmark.rows import Row
from id_controller.benchmark.statistics import Figures, ratio

Results = dict[str, list[Figures]]
"""Figures of every row by its name, one for each round in which it was run."""
Pick = Callable[[Figures], float]

CPU_BAR, JITTER_BAR, LATENESS_BAR, ECHO_BAR = 0.35, 0.15, 3.0, 1.4
DONE_US = 130.0
BUDGET_SHARE = 0.4


def bars(results: Results) -> list[Bar]:
    """Compare what was measured; bars whose rows were not run are left out."""
    return [
        *_rates(results), *_states(results), *_ratios(results), *_times(results),
    ]


def _median(results: Results, row: Row, pick: Pick) -> tuple[float, str]:
    values = [pick(each) for each in results[row.name]]
    note = f'{len(values)} runs, {min(values):.4g} to {max(values):.4g}'
    return statistics.median(values), note


def _rates(results: Results) -> Iterator[Bar]:
    for row, share in (
        (plan.OURS_BUSY, 99.9), (plan.FAST, 99.5), (plan.FAST_BUSY, 99.5), (plan.BODY_BUSY, 99.5),
    ):
        if row.name in results:
            value, note = _median(results, row, lambda each: 100.0 * each.achieved)
            yield Bar(what=f'achieved rate: {row.name}', measured=value, limit=share, unit='%',
                      at_most=False, note=note)
    row = plan.OURS_BUSY
    if row.name in results:
        value, note = _median(results, row, lambda each: 100.0 * each.skipped)
        yield Bar(what=f'ticks dropped: {row.name}', measured=value, limit=0.1, unit='%',
                  note=note)
        value, note = _median(results, row, lambda each: 100.0 * each.late)
        yield Bar(what=f'done later than a period: {row.name}', measured=value, limit=0.05,
                  unit='%', note=note)


def _states(results: Results) -> Iterator[Bar]:
    for row in (plan.OURS, plan.OURS_BUSY, plan.FAST, plan.FAST_BUSY, plan.BODY_BUSY):
        if row.name in results:
            value, note = _median(results, row, lambda each: each.age.p99)
            yield Bar(what=f'age of the state, p99: {row.name}', measured=value,
                      limit=2e6 / row.rate_hz, unit='us', note=note)
    for row in (plan.JOINED, plan.SHARED_JOINED):
        if row.name in results and row.transport == 'udp':
            worst = max(each.stale_s for each in results[row.name])
            yield Bar(what=f'longest window of old states: {row.name}', measured=1e3 * worst,
                      limit=50.0, unit='ms', note=f'worst of {len(results[row.name])} runs')


_PAIRS: tuple[tuple[Row, Row, str, float, Pick], ...] = (
    (plan.OURS, plan.FLOOR, 'wake-up lateness p99 over cyclictest', LATENESS_BAR,
     lambda each: each.lateness.p99),
    (plan.OURS, plan.NAIVE, 'jitter p99 over timer + executor', JITTER_BAR,
     lambda each: each.jitter.p99),
    (plan.OURS_BUSY, plan.NAIVE_BUSY, 'jitter p99 over timer + executor, traffic', JITTER_BAR,
     lambda each: each.jitter.p99),
    (plan.OURS, plan.NAIVE, 'CPU over timer + executor', CPU_BAR, lambda each: each.cpu),
    (plan.OURS_BUSY, plan.NAIVE_BUSY, 'CPU over timer + executor, traffic', CPU_BAR,
     lambda each: each.cpu),
    (plan.BY_STATE, plan.ECHO, 'round trip p50 over a bare echo', ECHO_BAR,
     lambda each: each.round_trip.p50),
)


def _ratios(results: Results) -> Iterator[Bar]:
    for mine, theirs, what, limit, pick in _PAIRS:
        if mine.name in results and theirs.name in results:
            found = ratio(
                [pick(each) for each in results[mine.name]],
                [pick(each) for each in results[theirs.name]],
            )
            yield Bar(what=what, measured=found.median, limit=limit, unit='x',
                      note=f'{len(results[mine.name])} pairs, {found.low:.2f} to {found.high:.2f}')


def _times(results: Results) -> Iterator[Bar]:
    if plan.OURS.name not in results:
        return
    value, note = _median(results, plan.OURS, lambda each: each.done.p50)
    yield Bar(what='deadline to published command, p50', measured=value, limit=DONE_US, unit='us',
              note=note)
    period_us = 1e6 / plan.OURS.rate_hz
    value, note = _median(results, plan.OURS, lambda each: each.budget.p99 / period_us)
    yield Bar(what='take + compute + publish, p99', measured=value, limit=BUDGET_SHARE, unit='T',
              note=note)
