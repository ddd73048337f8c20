"""From traces to figures, ratios, bars, tables and the picture; numbers worked out by hand."""
from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from id_controller.benchmark import plan
from id_controller.benchmark.bars import Results, bars
from id_controller.benchmark.plan import Wanted, make_plan
from id_controller.benchmark.results import Bar
from id_controller.benchmark.rows import RECORDED, Row, TickRecord, Trace
from id_controller.benchmark.statistics import figures, longest_stale, ratio, spread
from id_controller.command_line.bench import report
from id_controller.command_line.bench_report import as_json, bar_table, budget_table, row_table
from id_controller.command_line.bench_session import Measured
from id_controller.errors import ParameterError

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


def test_ratios_are_of_runs_in_the_same_round() -> None:
    mine, theirs = {0: 2.0, 1: 9.0, 2: 4.0, 4: 8.0}, {0: 1.0, 1: 3.0, 2: 4.0, 3: 5.0}
    assert ratio(mine, theirs) == ((2.0, 1.0, 3.0), 3)
    nothing, count = ratio({0: 1.0}, {0: 0.0})
    assert math.isnan(nothing.median) and count == 0


def test_a_record_keeps_what_fits(tmp_path: Path) -> None:
    record = TickRecord(2)
    for k in range(3):
        record.add(*(len(RECORDED) * [k]))
    record.save(tmp_path / 'ticks.npy')
    assert np.load(tmp_path / 'ticks.npy')[:, 0].tolist() == [0, 1]


def results(**changes: Trace) -> Results:
    """Every row of the plan, the same for all but what is changed."""
    rows = {run.row for run in make_plan(Wanted()).runs}
    return {
        row.name: dict.fromkeys(
            range(5), figures(row, changes.get(row.node, trace(row.rate_hz, seconds=1.0)))
        )
        for row in rows
    }


def missed(found: Results) -> set[str]:
    return {bar.what for bar in bars(found) if not bar.passed}


def test_a_bar_that_is_missed_is_missed_and_no_other() -> None:
    wild = trace(wake=np.arange(1000) * MS + (np.arange(1000) % 2) * 400_000, cpu=1.0)
    peers = {'naive': wild, 'echo': trace(round_trip=np.full(1000, 150_000))}
    good = missed(results(**peers))
    assert good == {f'deadline to command p50: {OURS.name}'}
    slow = missed(results(**peers, ours=trace(publish=np.full(1000, 400_000))))
    assert f'take + compute + publish p99: {OURS.name}' in slow - good
    old = missed(results(**peers, ours=trace(age=np.full(1000, 3 * MS))))
    assert f'state age p99: {OURS.name}' in old
    assert f'longest window of old states: {plan.JOINED.name}' in old


def test_the_worst_run_counts_for_a_window_of_old_states() -> None:
    found = results()
    age = np.where(np.arange(2000) < 40, 30 * MS, 0)
    found[plan.JOINED.name][2] = figures(plan.JOINED, trace(2000, age=age))
    assert f'longest window of old states: {plan.JOINED.name}' in missed(found)


def test_what_was_not_planned_has_no_bar_and_what_failed_misses_its_own() -> None:
    assert bars({}) == []
    assert bars({plan.ECHO.name: {0: figures(plan.ECHO, trace())}}) == []
    failed = bars({plan.OURS.name: {}, plan.NAIVE.name: {0: figures(plan.NAIVE, trace())}})
    assert {bar.verdict for bar in failed} == {'not measured'}
    assert not any(bar.passed for bar in failed if bar.limit is not None)


def test_a_number_without_a_bar_is_shown() -> None:
    bar = Bar(what='x', measured=5.0, limit=None, unit='')
    assert (bar.passed, bar.verdict) == (True, 'no bar')


def test_a_number_that_is_none_misses_its_bar() -> None:
    assert not Bar(what='x', measured=float('nan'), limit=1.0, unit='').passed
    assert not Bar(what='x', measured=float('nan'), limit=1.0, unit='', at_most=False).passed


def test_the_plans_are_as_long_as_they_promise() -> None:
    quick = make_plan(Wanted(quick=True))
    assert quick.duration_s < 110.0
    assert quick.others == ()
    whole = make_plan(Wanted())
    assert whole.duration_s < 25 * 60.0
    assert whole.others == (plan.LATENCIES, plan.GROWTH)
    rounds = [[run.row for run in whole.runs if run.turn == turn] for turn in range(5)]
    rounds = [[row for row in each if not row.late_joiner] for each in rounds]
    assert all(set(each) == set(rounds[0]) for each in rounds)
    assert rounds[0] != rounds[1], 'shuffled'


def test_a_plan_holds_what_is_wanted() -> None:
    naive = make_plan(Wanted(rows='naive', rounds=2, seconds=1.0))
    assert {run.row.node for run in naive.runs} == {'naive'}
    assert {run.turn for run in naive.runs} == {0, 1}
    assert {run.seconds for run in naive.runs} == {1.0}
    assert naive.others == ()
    assert make_plan(Wanted(rows='growth')).runs == ()
    assert len(make_plan(Wanted(rows='2000 Hz, 7 joints, late', late_joiners=30)).runs) == 30
    with pytest.raises(ParameterError, match='--rows: got .unknown., expected a part of one of'):
        make_plan(Wanted(rows='unknown'))


def test_the_report_says_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bar = Bar(what='rate', measured=98.0, limit=99.9, unit='%', at_most=False, note='1 run')
    measured = Measured(
        results={OURS.name: {0: figures(OURS, trace())}}, traces={OURS.name: [trace()]},
        other_bars=[bar], failures=['echo: no cyclictest'],
    )
    assert report(measured, tmp_path) == 1
    said = capsys.readouterr().out
    assert 'MISSED' in said and 'not measured: echo: no cyclictest' in said
    assert (tmp_path / 'bench.png').stat().st_size > 10_000
    stored = json.loads((tmp_path / 'bench.json').read_text())
    assert stored['rows'][OURS.name][0]['done']['p50'] == 140.0
    assert stored['bars'][-1]['verdict'] == 'MISSED'
    assert stored['machine'].startswith('Linux')


def test_nothing_measured_is_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report(Measured(), tmp_path) == 1
    assert 'every bar passed' not in capsys.readouterr().out
    json.loads((tmp_path / 'bench.json').read_text())


def test_tables_name_rows_and_units() -> None:
    found: Results = {OURS.name: {0: figures(OURS, trace())}}
    table = row_table(found)
    assert 'ours, 1000 Hz, 7 joints' in table and '100.00' in table
    assert 'states come from a Python process' in table
    assert '30 / 30' in budget_table(found)
    assert '<= 130 us' in bar_table(bars(found))
    json.dumps(as_json(Measured(results=found)), allow_nan=False)


def test_the_name_of_a_row_holds_all_that_differs() -> None:
    row = Row(node='ours', rate_hz=2000, joints=29, traffic=True, pacing='state',
              transport='shared_memory', late_joiner=True)
    assert row.name == 'ours, 2000 Hz, 29 joints, traffic, by state, shared memory, late joiner'
