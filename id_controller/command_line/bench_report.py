"""The tables of a benchmark."""
from __future__ import annotations

import dataclasses
import os
import platform
import statistics
from collections.abc import Callable
from typing import Any

from id_controller.benchmark.bars import Results
from id_controller.benchmark.results import Bar
from id_controller.benchmark.source import DESCRIPTION
from id_controller.benchmark.statistics import Figures, Spread
from id_controller.command_line.text_table import number, text_table
from id_controller.realtime.scheduling import can_be_scheduled

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


def row_table(results: Results) -> str:
    """A line for each row: medians over the rounds, times in us."""
    rows = []
    for name, runs in sorted(results.items()):
        cells = [
            number(statistics.median(pick(each) for each in runs), digits)
            for _, pick, digits in _COLUMNS
        ]
        rows.append([name, str(len(runs)), *cells])
    header = ['us, medians over the runs', 'runs', *(title for title, _, _ in _COLUMNS)]
    late = [each.source_late.p99 for runs in results.values() for each in runs]
    late = [value for value in late if value == value]
    source = f'{number(statistics.median(late), 0)} us late at p99' if late else 'not measured'
    return (
        f'{text_table(header, rows)}\n\n  states come from {DESCRIPTION}: {source}; '
        f'{machine()}'
    )


def machine() -> str:
    """One line on where this was measured."""
    fifo = 'granted' if can_be_scheduled(1) else 'refused'
    return f'Linux {platform.release()}, {os.cpu_count()} CPUs, SCHED_FIFO {fifo}'


def bar_table(bars: list[Bar]) -> str:
    """A line for each bar."""
    rows = [
        [
            bar.what, f'{bar.measured:.4g} {bar.unit}',
            f'{"<=" if bar.at_most else ">="} {bar.limit:g} {bar.unit}',
            'passed' if bar.passed else 'MISSED', bar.note,
        ]
        for bar in bars
    ]
    return text_table(('bar', 'measured', 'expected', '', 'how'), rows)


def as_json(results: Results, bars: list[Bar], failures: list[str]) -> dict[str, Any]:
    """Everything, for other programs."""
    return {
        'machine': machine(),
        'source': DESCRIPTION,
        'rows': {name: [_plain(each) for each in runs] for name, runs in results.items()},
        'bars': [{**dataclasses.asdict(bar), 'passed': bar.passed} for bar in bars],
        'not_measured': failures,
    }


def _plain(figures: Figures) -> dict[str, Any]:
    return {
        name: value._asdict() if isinstance(value, Spread) else value
        for name, value in figures._asdict().items()
    }
