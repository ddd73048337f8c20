"""The bars, each from the rows that it speaks of."""
from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from typing import NamedTuple

from id_controller.benchmark import plan
from id_controller.benchmark.results import Bar
from id_controller.benchmark.rows import Row
from id_controller.benchmark.statistics import NONE, Figures, ratio

Results = dict[str, dict[int, Figures]]
"""By the name of a row and the number of a round; rows that are planned have an entry."""
Pick = Callable[[Figures], float]


class _Alone(NamedTuple):
    """
    A number of one row against its bar.

    :param pick: Gets the figures and the period in us.
    :param worst: Whether the worst run counts, and not the median of all.
    """

    what: str
    rows: tuple[Row, ...]
    pick: Callable[[Figures, float], float]
    limit: float | None
    unit: str
    at_most: bool = True
    worst: bool = False


class _Pair(NamedTuple):
    """A number of a row over that of the row beside it."""

    what: str
    mine: Row
    theirs: Row
    pick: Pick
    limit: float | None = None


_AT_1_KHZ = (plan.OURS, plan.OURS_BUSY)
_HARD = (plan.FAST, plan.FAST_BUSY, plan.BODY_BUSY)
_AGED = (*_AT_1_KHZ, *_HARD)
STALE_MS = 10.0
"""The least that counts as a window of old states: the machine itself may stand still for some ms,
and a blocked transport does so for hundreds."""

_ALONE = (
    _Alone('achieved rate', (plan.OURS_BUSY,), lambda f, _: 100.0 * f.achieved, 99.9, '%', False),
    _Alone('achieved rate', _HARD, lambda f, _: 100.0 * f.achieved, 99.5, '%', False),
    _Alone('ticks dropped', (plan.OURS_BUSY,), lambda f, _: 100.0 * f.skipped, 0.1, '%'),
    _Alone('done later than T', (plan.OURS_BUSY,), lambda f, _: 100.0 * f.late, 0.05, '%'),
    _Alone('state age p99', _AGED, lambda f, period: f.age.p99 / period, 2.0, 'T'),
    _Alone('longest window of old states', (*_AGED, plan.JOINED), lambda f, _: 1e3 * f.stale_s,
           STALE_MS, 'ms', worst=True),
    _Alone('longest window of old states', (plan.SHARED_JOINED,), lambda f, _: 1e3 * f.stale_s,
           None, 'ms', worst=True),
    _Alone('deadline to command p50', (plan.OURS,), lambda f, _: f.done.p50, 130.0, 'us'),
    _Alone('take + compute + publish p99', _AT_1_KHZ, lambda f, period: f.budget.p99 / period,
           0.4, 'T'),
)


def _jitter(f: Figures) -> float:
    return f.jitter.p99


def _cpu(f: Figures) -> float:
    return f.cpu


def _trip(f: Figures) -> float:
    return f.round_trip.p50


def _done(f: Figures) -> float:
    return f.done.p50


_PAIRS = (
    _Pair('wake-up lateness p99', plan.OURS, plan.FLOOR, lambda f: f.lateness.p99, 3.0),
    _Pair('wake-up lateness p99', plan.FAST, plan.FAST_FLOOR, lambda f: f.lateness.p99, 3.0),
    _Pair('jitter p99', plan.OURS, plan.NAIVE, _jitter, 0.15),
    _Pair('jitter p99', plan.OURS_BUSY, plan.NAIVE_BUSY, _jitter, 0.15),
    _Pair('jitter p99', plan.OURS, plan.EVENTS, _jitter),
    _Pair('jitter p99', plan.OURS_BUSY, plan.EVENTS_BUSY, _jitter),
    _Pair('CPU', plan.OURS, plan.NAIVE, _cpu, 0.35),
    _Pair('CPU', plan.OURS_BUSY, plan.NAIVE_BUSY, _cpu, 0.35),
    _Pair('CPU', plan.OURS, plan.EVENTS, _cpu),
    _Pair('CPU', plan.OURS_BUSY, plan.EVENTS_BUSY, _cpu),
    _Pair('CPU with our host', plan.OURS_BUSY, plan.NAIVE_BUSY, lambda f: f.cpu + f.host_cpu),
    _Pair('round trip p50', plan.BY_STATE, plan.ECHO_BY_STATE, _trip, 1.4),
    _Pair('round trip p50', plan.MESSAGES_BY_STATE, plan.ECHO_BY_STATE, _trip),
    _Pair('round trip p50', plan.BY_STATE, plan.SHARED_BY_STATE, _trip),
    _Pair('deadline to command p50', plan.OURS, plan.ECHO, _done),
    _Pair('deadline to command p50', plan.OURS, plan.MESSAGES, _done),
    _Pair('jitter p99', plan.SLOW, plan.NAIVE_SLOW, _jitter),
)


def bars(results: Results) -> list[Bar]:
    """Compare what was measured; bars whose rows were not planned are left out."""
    return [*_alone(results), *_ratios(results)]


def _alone(results: Results) -> Iterator[Bar]:
    for bar in _ALONE:
        for row in bar.rows:
            if row.name in results:
                runs = results[row.name].values()
                values = [bar.pick(figures, 1e6 / row.rate_hz) for figures in runs]
                middle = max if bar.worst else statistics.median
                yield Bar(
                    what=f'{bar.what}: {row.name}', measured=middle(values) if values else NONE,
                    limit=bar.limit, unit=bar.unit, at_most=bar.at_most,
                    note=_note(values, [figures.source_gap_s for figures in runs], bar.worst),
                )


def _note(values: list[float], gaps: list[float], worst: bool) -> str:
    if not values:
        return ''
    runs = 'run' if len(values) == 1 else 'runs'
    if worst:
        return f'worst of {len(values)} {runs}; the source paused {1e3 * max(gaps):.1f} ms'
    return f'{len(values)} {runs}, {min(values):.4g} to {max(values):.4g}'


def _ratios(results: Results) -> Iterator[Bar]:
    for bar in _PAIRS:
        if bar.mine.name in results and bar.theirs.name in results:
            mine, theirs = (
                {turn: bar.pick(figures) for turn, figures in results[row.name].items()}
                for row in (bar.mine, bar.theirs)
            )
            found, count = ratio(mine, theirs)
            yield Bar(
                what=f'{bar.what}: {bar.mine.name} / {_against(bar.mine, bar.theirs)}',
                measured=found.median, limit=bar.limit, unit='x',
                note=f'{count} pairs, {found.low:.2f} to {found.high:.2f}' if count else '',
            )


def _against(mine: Row, theirs: Row) -> str:
    """Name a row by what differs from the one that it stands beside."""
    shared = mine.name.split(', ')
    return ', '.join(word for word in theirs.name.split(', ') if word not in shared)
