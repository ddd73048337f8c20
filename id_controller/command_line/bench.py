"""``id_controller bench``: the controller beside what else there is, measured in one run."""
from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from id_controller.benchmark import plan as plans
from id_controller.benchmark.bars import Results, bars
from id_controller.benchmark.plan import Plan, Planned
from id_controller.benchmark.results import Bar
from id_controller.benchmark.rows import Row, Trace
from id_controller.benchmark.statistics import figures
from id_controller.command_line.bench_plot import save_plot
from id_controller.command_line.bench_report import as_json, bar_table, row_table
from id_controller.command_line.demo_plot import require_plotting
from id_controller.errors import IdControllerError, InstallationError
from id_controller.realtime import cyclictest

PASSED, MISSED = 0, 1
PRIORITY = 50
LATENCY_ROUNDS, GROWTH_TICKS = 2, 1_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class BenchOptions:
    """
    What was asked for on the command line.

    :param seconds: Length of every window; None: as planned.
    :param rows: Only rows with this text in their name.
    """

    quick: bool
    rounds: int
    seconds: float | None
    rows: str
    late_joiners: int
    output: Path


@dataclass
class Measured:
    """What has come out so far."""

    results: Results = field(default_factory=dict)
    traces: dict[str, Trace] = field(default_factory=dict)
    floor: dict[str, Any] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    bars: list[Bar] = field(default_factory=list)


def run(options: BenchOptions) -> int:
    """
    Measure, print the tables, and write JSON and picture.

    :returns: 0 when every bar was passed, 1 when one was missed or not measured.
    :raises IdControllerError: when nothing can be measured.
    """
    require_plotting()
    plan = plans.quick_plan() if options.quick else plans.full_plan(
        options.rounds, options.seconds, options.late_joiners, options.rows
    )
    print(f'about {plan.duration_s / 60.0:.0f} min; {cyclictest_line()}', flush=True)
    measured = Measured()
    try:
        measure(plan, measured)
    except KeyboardInterrupt:
        measured.failures.append('interrupted: what was measured until then')
    measured.bars = [*bars(measured.results), *measured.bars]
    return report(measured, options.output)


def cyclictest_line() -> str:
    """Say whether the floor can be measured, and how it could."""
    if cyclictest.installed():
        return 'cyclictest is the floor'
    return f'no cyclictest, so no floor: {cyclictest.HOW_TO_INSTALL}'


def report(measured: Measured, output: Path) -> int:
    """Print the tables and write the files."""
    output.mkdir(parents=True, exist_ok=True)
    print(f'\n{row_table(measured.results)}\n\n{bar_table(measured.bars)}\n')
    for failure in measured.failures:
        print(f'not measured: {failure}')
    (output / 'bench.json').write_text(
        json.dumps(as_json(measured.results, measured.bars, measured.failures), indent=1)
    )
    save_plot(measured.traces, measured.floor, output / 'bench.png')
    print(f'wrote {output / "bench.png"} and {output / "bench.json"}')
    passed = all(bar.passed for bar in measured.bars) and not measured.failures
    print('every bar passed' if passed else 'some bars were missed or not measured')
    return PASSED if passed else MISSED


def measure(plan: Plan, measured: Measured) -> None:
    """Run everything that is planned."""
    runs = [run for each in (*plan.rounds, plan.single) for run in each]
    with _progress(plan.duration_s) as bar:
        for planned in runs:
            bar.set_description(planned.row.name[:34])
            try:
                _measure_one(planned, measured)
            except IdControllerError as error:
                measured.failures.append(f'{planned.row.name}: {error}')
            bar.update(planned.duration_s)
    if plan.with_growth:
        _measure_others(measured)


def _measure_one(planned: Planned, measured: Measured) -> None:
    from id_controller.benchmark.run_row import run_row

    row = planned.row
    if row.node == plans.CYCLICTEST:
        late_us = cyclictest.measure(row.rate_hz, planned.seconds, PRIORITY)
        measured.floor[row.name] = late_us
        trace = _floor_trace(row, late_us, planned.seconds)
    else:
        with tempfile.TemporaryDirectory(prefix='id_controller_bench_') as folder:
            trace = run_row(row, planned.seconds, Path(folder))
    measured.traces[row.name] = trace
    measured.results.setdefault(row.name, []).append(figures(row, trace))


def _floor_trace(row: Row, late_us: Any, seconds: float) -> Trace:
    """Lateness alone: cyclictest does nothing else."""
    late = (1e3 * late_us).astype(np.int64)
    none, nothing = np.zeros(len(late), np.int64), np.zeros(0, np.int64)
    wake = np.arange(len(late)) * (1_000_000_000 // row.rate_hz)
    return Trace(
        wake=wake, lateness=late, take=none, compute=none, publish=none, age=none, skipped=none,
        round_trip=nothing, source_period=nothing, source_late=nothing, late_replies=0,
        seconds=seconds, cpu=0.0,
    )


def _measure_others(measured: Measured) -> None:
    from id_controller.benchmark.growth import growth_bars
    from id_controller.benchmark.latency import latency_bars

    others: dict[str, Callable[[], list[Bar]]] = {
        'latencies': lambda: latency_bars(LATENCY_ROUNDS, _say),
        'growth': lambda: growth_bars(GROWTH_TICKS, _say),
    }
    for what, get in others.items():
        try:
            measured.bars += get()
        except IdControllerError as error:
            measured.failures.append(f'{what}: {error}')


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _progress(seconds: float) -> Any:
    try:
        from tqdm import tqdm
    except ImportError as error:
        raise InstallationError(
            'tqdm is not installed, which shows the progress: pip install tqdm'
        ) from error
    form = '{desc:>34} {percentage:3.0f}% |{bar}| {n:.0f} of {total:.0f} s'
    return tqdm(total=seconds, bar_format=form, ncols=90, disable=None)
