"""``id_controller bench``: the controller beside what else there is, measured in one run."""
from __future__ import annotations

import json
import math
from pathlib import Path

from id_controller.benchmark.plan import CYCLICTEST, Plan, Wanted, make_plan
from id_controller.command_line.bench_plot import save_plot
from id_controller.command_line.bench_report import as_json, bar_table, budget_table, row_table
from id_controller.command_line.bench_session import Measured, measure
from id_controller.command_line.demo_plot import require_plotting
from id_controller.realtime import cyclictest

PASSED, MISSED = 0, 1


def run(wanted: Wanted, output: Path) -> int:
    """
    Measure, print the tables, and write JSON and picture.

    :returns: 0 when every bar was passed, 1 when one was missed or not measured.
    :raises IdControllerError: when nothing can be measured.
    """
    require_plotting()
    plan = make_plan(wanted)
    print(opening(plan), flush=True)
    output.mkdir(parents=True, exist_ok=True)
    measured = Measured()
    measure(plan, measured)
    return report(measured, output, wanted.quick)


def opening(plan: Plan) -> str:
    """Say what is to come: how long it takes, and whether there is a floor to compare with."""
    lines = [f'about {max(1, math.ceil(plan.duration_s / 60.0))} min, {len(plan.runs)} runs']
    if any(run.row.node == CYCLICTEST for run in plan.runs) and not cyclictest.installed():
        lines.append(
            f'cyclictest is not installed, so bars over it are not measured: '
            f'{cyclictest.HOW_TO_INSTALL}'
        )
    return '\n'.join(lines)


def report(measured: Measured, output: Path, quick: bool = False) -> int:
    """
    Print the tables and write the files.

    :param quick: Whether the windows were short.
    :returns: As ``run``.
    """
    bars = measured.bars
    for table in (row_table(measured.results), budget_table(measured.results), bar_table(bars)):
        if table:
            print(f'\n{table}')
    print()
    if quick:
        print('one round of short windows: take every verdict as a first look')
    for failure in measured.failures:
        print(f'not measured: {failure}')
    (output / 'bench.json').write_text(json.dumps(as_json(measured), indent=1, allow_nan=False))
    save_plot(measured.traces, measured.floor, output / 'bench.png')
    print(f'wrote {output / "bench.png"} and {output / "bench.json"}')
    missed = sum(not bar.passed for bar in bars)
    passed = bool(bars) and not missed and not measured.failures
    print('every bar passed' if passed else f'{missed} of {len(bars)} bars missed or not measured')
    return PASSED if passed else MISSED
