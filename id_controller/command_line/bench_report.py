"""The tables of a benchmark."""
from __future__ import annotations

import dataclasses
import math
import os
import platform
import statistics
from collections.abc import Callable, Collection, Iterable
from typing import Any

from id_controller.benchmark import plan
from id_controller.benchmark.bars import Results
from id_controller.benchmark.results import Bar
from id_controller.benchmark.rows import Row
from id_controller.benchmark.source import DESCRIPTION
from id_controller.benchmark.statistics import Figures, Spread
from id_controller.command_line.bench_session import PRIORITY, Measured
from id_controller.command_line.text_table import number, text_table
from id_controller.realtime.machine import facts

_COLUMNS: tuple[tuple[str, Callable[[Figures], float], int], ...] = (
    ('rate %', lambda each: 100.0 * each.achieved, 2),
    ('dropped %', lambda each: 100.0 * each.skipped, 3),
    ('jitter p50', lambda each: each.jitter.p50, 0),
    ('p99', lambda each: each.jitter.p99, 0),
    ('p99.9', lambda each: each.jitter.p999, 0),
    ('late p50', lambda each: each.lateness.p50, 0),
    ('p99', lambda each: each.lateness.p99, 0),
    ('take', lambda each: each.take.p50, 0),
    ('compute', lambda each: each.compute.p50, 0),
    ('publish', lambda each: each.publish.p50, 0),
    ('done', lambda each: each.done.p50, 0),
    ('age p99', lambda each: each.age.p99, 0),
    ('trip p50', lambda each: each.round_trip.p50, 0),
    ('p99', lambda each: each.round_trip.p99, 0),
    ('CPU %', lambda each: 100.0 * each.cpu, 0),
    ('host %', lambda each: 100.0 * each.host_cpu, 0),
)
_STAGES = ('take', 'compute', 'publish', 'budget')
_BUDGETS = (plan.OURS, plan.OURS_BUSY, plan.FAST, plan.FAST_BUSY, plan.BODY_BUSY)


def row_table(results: Results) -> str:
    """A line for each row: medians over the rounds, times in us."""
    rows = [
        [name, str(len(runs)), *(number(_median(map(pick, runs.values())), digits)
                                 for _, pick, digits in _COLUMNS)]
        for name, runs in sorted(results.items(), key=_by_load)
    ]
    if not rows:
        return ''
    header = ['us, medians over the runs', 'runs', *(title for title, _, _ in _COLUMNS)]
    return f'{text_table(header, rows)}\n\n  {source(results)}\n  {machine()}'


def _by_load(item: tuple[str, Any]) -> tuple[str, str]:
    """Sort so that nodes under the same load stand together."""
    node, _, load = item[0].partition(', ')
    return load, node


def budget_table(results: Results) -> str:
    """Where the time of a tick goes: a line for each row, p50 and p99 of each stage."""
    rows = [
        _budget(row, results[row.name].values()) for row in _BUDGETS if results.get(row.name)
    ]
    header = ('stages of a tick, us, p50 / p99', 'take', 'compute', 'publish', 'all', 'p99 / T')
    return text_table(header, rows) if rows else ''


def _budget(row: Row, runs: Collection[Figures]) -> list[str]:
    cells = []
    for stage in _STAGES:
        p50, p99 = (_median(getattr(each, stage)[k] for each in runs) for k in (0, 1))
        cells.append(f'{number(p50, 0)} / {number(p99, 0)}')
    share = _median(each.budget.p99 for each in runs) * row.rate_hz * 1e-6
    return [row.name, *cells, number(share)]


def _median(values: Iterable[float]) -> float:
    known = [value for value in values if not math.isnan(value)]
    return statistics.median(known) if known else math.nan


def source(results: Results) -> str:
    """One line on where the states came from, and how well."""
    runs = [figures for each in results.values() for figures in each.values()]
    p50, p99 = (_median(each.source_late[k] for each in runs) for k in (0, 1))
    gap = max((each.source_gap_s for each in runs if each.source_gap_s > 0.0), default=math.nan)
    return (
        f'states come from {DESCRIPTION}; sent {number(p50, 0)} us after the deadline at p50, '
        f'{number(p99, 0)} at p99, longest pause {number(1e3 * gap, 1)} ms'
    )


def machine() -> str:
    """One line on where this was measured."""
    known = {fact.name: fact.value for fact in facts(PRIORITY)}
    kind = '' if 'hypervisor' not in known or known['hypervisor'] == 'none seen' else ', virtual'
    return (
        f'Linux {known["kernel"]}, {os.cpu_count()} CPUs{kind}; SCHED_FIFO {known["SCHED_FIFO"]}; '
        f'Python {platform.python_version()}'
    )


def bar_table(bars: list[Bar]) -> str:
    """A line for each bar."""
    rows = [
        [bar.what, f'{number(bar.measured, 3)} {bar.unit}', _expected(bar), bar.verdict, bar.note]
        for bar in bars
    ]
    return text_table(('bar', 'measured', 'expected', '', 'how'), rows) if rows else ''


def _expected(bar: Bar) -> str:
    if bar.limit is None:
        return ''
    return f'{"<=" if bar.at_most else ">="} {bar.limit:g} {bar.unit}'


def as_json(measured: Measured) -> dict[str, Any]:
    """Everything, for other programs; what is not a number is null."""
    content: dict[str, Any] = _plain({
        'machine': machine(),
        'source': source(measured.results),
        'rows': {
            name: [{'round': turn, **figures._asdict()} for turn, figures in runs.items()]
            for name, runs in measured.results.items()
        },
        'bars': [
            {**dataclasses.asdict(bar), 'verdict': bar.verdict} for bar in measured.bars
        ],
        'not_measured': measured.failures,
    })
    return content


def _plain(value: Any) -> Any:
    if isinstance(value, Spread):
        return _plain(value._asdict())
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
