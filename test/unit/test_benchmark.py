"""From traces to figures, ratios, bars, tables and the picture; numbers worked out by hand."""
from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from id_controller.benchmark import plan
from id_controller.benchmark.bars import bars
from id_controller.benchmark.plan import full_plan, quick_plan
from id_controller.benchmark.results import Bar
from id_controller.benchmark.rows import RECORDED, Row, TickRecord, Trace
from id_controller.benchmark.statistics import Figures, figures, longest_stale, ratio, spread
from id_controller.command_line.bench import Measured, report
from id_controller.command_line.bench_report import as_json, bar_table, row_table

MS = 1_000_000
OURS = plan.OURS


def trace(ticks: int = 1000, **changes: object) -> Trace:
    """A run at 1 kHz in which every tick took 30 + 40 + 50 us, 20 us after its deadline."""
    ones = np.ones(ticks, np.int64)
    values = {
        'wake': np.arange(ticks) * MS, 'lateness': 20_000 * ones, 'take': 30_000 * ones,
        'compute': 40_000 * ones, 'publish': 50_000 * ones, 'age': 500_000 * ones,
        'skipped': 0 * ones, 'round_trip': 200_000 * ones, 'source_period': MS * ones,
        'source_late': 10_000 * ones, 'late_replies': 0, 'seconds': 1e-3 * ticks, 'cpu': 0.25,
    }
    return Trace(**{**values, **changes})  # type: ignore[arg-type]


def test_figures_of_a_run() -> None:
    found = figures(OURS, trace())
    assert (found.achieved, found.skipped, found.late) == (1.0, 0.0, 0.0)
    assert (found.done.p50, found.budget.p99) == (140.0, 120.0)
    assert (found.jitter.max, found.age.p99, found.round_trip.p50) == (0.0, 500.0, 200.0)
    assert (found.cpu, found.stale_s) == (0.25, 0.0)


def test_dropped_and_late_ticks_are_counted() -> None:
    skipped = np.zeros(900, np.int64)
    skipped[[10, 20]] = (30, 70)
    late = np.full(900, 40_000)
    late[:9] = 2 * MS
    found = figures(OURS, trace(900, skipped=skipped, compute=late, seconds=1.0))
    assert found.achieved == 0.9
    assert found.skipped == 0.1
    assert found.late == 0.01


def test_the_longest_window_of_old_states() -> None:
    wake = np.arange(10) * MS
    age = np.array([0, 9, 9, 0, 9, 9, 9, 9, 0, 9]) * MS
    assert longest_stale(wake, age, 2.0 * MS) == pytest.approx(0.003)
    assert longest_stale(wake, 0 * age, 2.0 * MS) == 0.0
    assert longest_stale(wake, age + 5 * MS, 2.0 * MS) == pytest.approx(0.009)


def test_percentiles_and_ratios() -> None:
    found = spread(np.arange(1001.0))
    assert (found.p50, found.p99, found.max) == (500.0, 990.0, 1000.0)
    assert math.isnan(spread(np.zeros(0)).p50)
    assert ratio([2.0, 9.0, 4.0], [1.0, 3.0, 4.0]) == (2.0, 1.0, 3.0)
    assert math.isnan(ratio([1.0], [0.0]).median)


def test_a_record_keeps_what_fits(tmp_path: Path) -> None:
    record = TickRecord(2)
    for k in range(3):
        record.add(*(len(RECORDED) * [k]))
    record.save(tmp_path / 'ticks.npy')
    assert np.load(tmp_path / 'ticks.npy')[:, 0].tolist() == [0, 1]


def results(**changes: Trace) -> dict[str, list[Figures]]:
    """Every row of the plan that has a bar, the same for all but what is changed."""
    rows = {run.row for each in full_plan(1, None, 1).rounds for run in each} | {plan.JOINED}
    named = {plan.ECHO: changes.get('echo', trace()), plan.NAIVE: changes.get('naive', trace()),
             plan.NAIVE_BUSY: changes.get('naive', trace())}
    return {row.name: [figures(row, named.get(row, changes.get('ours', trace())))] * 5
            for row in rows}


def verdicts(found: dict[str, list[Figures]]) -> dict[str, bool]:
    return {bar.what: bar.passed for bar in bars(found)}


def test_a_bar_that_is_missed_is_missed_and_no_other() -> None:
    wild = trace(wake=np.arange(1000) * MS + (np.arange(1000) % 2) * 400_000, cpu=1.0)
    good = verdicts(results(naive=wild, echo=trace(round_trip=np.full(1000, 150_000))))
    missed = {what for what, passed in good.items() if not passed}
    # 140 us are more than 130, a run of 1000 ticks is half of one at 2 kHz, and so on.
    assert missed == {
        'deadline to published command, p50', f'achieved rate: {plan.FAST.name}',
        f'achieved rate: {plan.FAST_BUSY.name}',
    }
    slow = trace(publish=np.full(1000, 400_000))
    assert not verdicts(results(ours=slow))['take + compute + publish, p99']
    old = trace(age=np.full(1000, 3 * MS))
    assert not verdicts(results(ours=old))[f'age of the state, p99: {plan.OURS.name}']
    assert not verdicts(results(ours=old))[f'longest window of old states: {plan.JOINED.name}']


def test_what_was_not_run_has_no_bar() -> None:
    assert bars({}) == []
    only = bars({plan.ECHO.name: [figures(plan.ECHO, trace())]})
    assert only == []


def test_a_number_that_is_none_misses_its_bar() -> None:
    assert not Bar(what='x', measured=float('nan'), limit=1.0, unit='').passed
    assert not Bar(what='x', measured=float('nan'), limit=1.0, unit='', at_most=False).passed


def test_the_plans_are_as_long_as_they_promise() -> None:
    assert quick_plan().duration_s < 110.0
    whole = full_plan(5, None, 3)
    assert whole.duration_s < 22 * 60.0, 'growth and latencies take 3 min more'
    assert len(whole.rounds) == 5
    names = [{run.row.name for run in each} for each in whole.rounds]
    assert all(each == names[0] for each in names)
    assert len({tuple(run.row.name for run in each) for each in whole.rounds}) > 1, 'shuffled'
    assert not full_plan(5, None, 3, 'naive').with_growth
    assert {run.row.node for run in full_plan(1, None, 1, 'naive').rounds[0]} == {'naive'}


def test_the_report_says_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measured = Measured(
        results={OURS.name: [figures(OURS, trace())]}, traces={OURS.name: trace()},
        bars=[Bar(what='rate', measured=98.0, limit=99.9, unit='%', at_most=False, note='1 run')],
        failures=['echo: no cyclictest'],
    )
    assert report(measured, tmp_path) == 1
    said = capsys.readouterr().out
    assert 'MISSED' in said and 'not measured: echo: no cyclictest' in said
    assert (tmp_path / 'bench.png').stat().st_size > 10_000
    stored = json.loads((tmp_path / 'bench.json').read_text())
    assert stored['rows'][OURS.name][0]['done']['p50'] == 140.0
    assert stored['bars'][0]['passed'] is False
    assert stored['machine'].startswith('Linux')


def test_tables_name_rows_and_units() -> None:
    found = {OURS.name: [figures(OURS, trace())]}
    table = row_table(found)
    assert 'ours, 1000 Hz, 7 joints' in table and '100.00' in table
    assert 'states come from a Python process' in table
    assert '<= 130 us' in bar_table(bars(found))
    json.dumps(as_json(found, bars(found), []))


def test_the_name_of_a_row_holds_all_that_differs() -> None:
    row = Row(node='ours', rate_hz=2000, joints=29, traffic=True, pacing='state',
              transport='shared_memory', late_joiner=True)
    assert row.name == 'ours, 2000 Hz, 29 joints, traffic, by state, shared memory, late joiner'
