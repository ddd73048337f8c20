"""The measuring itself: every run of a plan, one after the other."""
from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from id_controller.benchmark import plan as plans
from id_controller.benchmark.bars import Results, bars
from id_controller.benchmark.plan import Plan, Planned
from id_controller.benchmark.results import Bar
from id_controller.benchmark.rows import Trace
from id_controller.benchmark.statistics import figures, lateness_alone
from id_controller.command_line.terminal import ended_by_sigterm, progress
from id_controller.errors import IdControllerError
from id_controller.realtime import cyclictest

PRIORITY = 50
LATENCY_ROUNDS, GROWTH_TICKS = 2, 1_000_000
TITLE_WIDTH = 40


@dataclass
class Measured:
    """
    What has come out so far.

    :param floor: Lateness that cyclictest found, us, by the name of its row; all runs.
    :param other_bars: Of what is measured after the rows.
    """

    results: Results = field(default_factory=dict)
    traces: dict[str, list[Trace]] = field(default_factory=dict)
    floor: dict[str, list[Any]] = field(default_factory=dict)
    other_bars: list[Bar] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)

    @property
    def bars(self) -> list[Bar]:
        """All bars."""
        return [*bars(self.results), *self.other_bars]


def measure(plan: Plan, measured: Measured) -> None:
    """
    Run everything that is planned; Ctrl-C ends it early.

    :param measured: Gets what comes out.
    """
    measured.results.update({run.row.name: {} for run in plan.runs})
    with ended_by_sigterm(), progress(plan.duration_s, TITLE_WIDTH) as bar:
        try:
            for run in plan.runs:
                bar.set_description(run.row.name)
                _attempt(run.row.name, partial(_row, run, measured), measured)
                bar.update(run.duration_s)
            for name in plan.others:
                _attempt(name, partial(_other, name, measured, bar), measured)
                bar.update(plans.OTHERS_S[name])
        except KeyboardInterrupt:
            measured.failures.append('interrupted: what was to come after that')


def _attempt(name: str, act: Callable[[], None], measured: Measured) -> None:
    try:
        act()
    except IdControllerError as error:
        measured.failures.append(f'{name}: {error}')


def _row(run: Planned, measured: Measured) -> None:
    row = run.row
    if row.node == plans.CYCLICTEST:
        late_us = cyclictest.measure(row.rate_hz, run.seconds, PRIORITY)
        measured.floor.setdefault(row.name, []).append(late_us)
        measured.results[row.name][run.turn] = lateness_alone(late_us)
        return
    from id_controller.benchmark.run_row import run_row

    with tempfile.TemporaryDirectory(prefix='id_controller_bench_') as folder:
        trace = run_row(row, run.seconds, Path(folder))
    measured.traces.setdefault(row.name, []).append(trace)
    measured.results[row.name][run.turn] = figures(row, trace)


def _other(name: str, measured: Measured, bar: Any) -> None:
    from id_controller.benchmark.growth import growth_bars
    from id_controller.benchmark.latency import latency_bars

    if name == plans.LATENCIES:
        measured.other_bars += latency_bars(LATENCY_ROUNDS, bar.set_description)
    else:
        measured.other_bars += growth_bars(GROWTH_TICKS, bar.set_description)
