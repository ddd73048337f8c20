"""What the host says about the timing, and how often."""
from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from id_controller.parameters.schema import Parameters
from id_controller.parameters.timing_groups import Overruns
from id_controller.realtime.layout import Layout
from id_controller.ros.timing_report import TimingReport, Verdict
from id_controller.state import Rows

ROW = Layout(n=1, terms=1, points_max=2).row


class Ticks:
    """A report, and ticks for it at a rate of which some share may be lost."""

    def __init__(self, **changes: Any) -> None:
        self.parameters = dataclasses.replace(Parameters(), **changes)
        self.said: list[tuple[str, str]] = []
        self.report = TimingReport(
            lambda: self.parameters, lambda line, severity: self.said.append((line, severity))
        )
        self._end_ns = 5_000_000_000

    def second(self, rate_hz: int = 1000, skipped: int = 0, compute_us: float = 50.0) -> Verdict:
        self.report.add(self._rows(rate_hz, skipped, compute_us))
        return self.report.look()

    def clock(self, step_ms: float, timed_out: int = 0) -> Verdict:
        """A second in which a clock moves in steps; some ticks come instead of it."""
        rows = self._rows(round(1000 / step_ms) + timed_out, 0, 50.0)
        rows['timed_out'][: timed_out] = 1
        at = np.maximum(0, np.arange(len(rows)) - timed_out)
        rows['now_ns'] = 7_000_000_000 + np.round(1e6 * step_ms * at)
        self.report.add(rows)
        return self.report.look()

    def _rows(self, rate_hz: int, skipped: int, compute_us: float) -> Rows:
        made = np.zeros(rate_hz, ROW)
        made['steady_ns'] = self._end_ns + np.arange(1, rate_hz + 1) * (1_000_000_000 // rate_hz)
        self._end_ns = int(made['steady_ns'][-1])
        made['compute_ns'], made['lateness_ns'] = 1000.0 * compute_us, 20_000
        made['compute_ns'][rate_hz // 2] = 700_000
        made['lateness_ns'][rate_hz // 3] = 4_500_000
        made['skipped'][: min(skipped, rate_hz)] = 1
        return made


@pytest.mark.parametrize(('rate_hz', 'severity'), [
    (1000, 'info'), (996, 'info'), (994, 'warning'), (989, 'error'), (1006, 'warning'),
    (1011, 'error'),
])
def test_b84_a_rate_is_wrong_when_it_is_too_low_or_too_high(rate_hz: int, severity: str) -> None:
    ticks = Ticks()
    ticks.second(rate_hz)
    found = ticks.second(rate_hz)
    assert found.severity == severity
    assert found.message.startswith(f'{rate_hz}.0 Hz achieved')
    assert ('rate off by' in found.message) is (severity != 'info')


@pytest.mark.parametrize(('compute_us', 'severity'), [
    (950.0, 'info'), (1100.0, 'warning'), (2100.0, 'error'),
])
def test_ticks_that_take_too_long_are_named(compute_us: float, severity: str) -> None:
    ticks = Ticks()
    found = ticks.second(compute_us=compute_us)
    assert found.severity == severity
    assert ('ticks take' in found.message) is (severity != 'info')


def test_with_another_pacing_the_rate_is_no_promise() -> None:
    ticks = Ticks(pacing='sim_time')
    assert [ticks.second(500, skipped=100).severity for _ in range(3)] == 3 * ['info']
    assert ticks.said == []


@pytest.mark.parametrize(('step_ms', 'slow'), [(0.5, False), (1.0, False), (2.0, False),
                                               (3.0, True), (10.0, True)])
def test_events_that_are_too_seldom_for_the_rate_are_told_once(step_ms: float, slow: bool) -> None:
    ticks = Ticks(pacing='state')
    found = [ticks.clock(step_ms, timed_out=30) for _ in range(3)]
    assert [each.severity for each in found] == 3 * ['warning' if slow else 'info']
    assert len(ticks.said) == (1 if slow else 0)
    if slow:
        assert f'every {step_ms:.2f} ms' in ticks.said[0][0]
        assert f'set update_rate to {1000 / step_ms:.0f}, which is 1000' in found[2].message


def test_b80_ten_seconds_of_overload_are_two_lines_at_most_and_count_every_tick() -> None:
    ticks = Ticks()
    ticks.second()
    for _ in range(10):
        ticks.second(900, skipped=100)
    assert [severity for _, severity in ticks.said] == ['warning']
    assert ticks.said[0][0] == '100 ticks dropped; latest wake-up 4.5 ms late'
    for _ in range(20):
        ticks.second()
    assert [line.split(' ticks')[0] for line, _ in ticks.said] == ['100', '900']
    assert ticks.report.values()['total_skipped'] == '1000'


def test_b80_no_line_where_none_is_wanted() -> None:
    ticks = Ticks(overruns=Overruns(print_warnings=False))
    for _ in range(20):
        ticks.second(900, skipped=100)
    assert ticks.said == []


def test_b87_one_slow_tick_in_a_thousand_shows() -> None:
    ticks = Ticks()
    ticks.second()
    values = ticks.report.values()
    assert float(values['compute_p50_us']) == pytest.approx(50.0)
    assert float(values['compute_p99_us']) == pytest.approx(50.0)
    assert float(values['compute_max_us']) == pytest.approx(700.0)
    assert float(values['total_lateness_max_us']) == pytest.approx(4500.0)
    names, numbers = ticks.report.numbers()
    found = dict(zip(names, numbers))
    assert found['lateness/max'] == pytest.approx(4500.0)
    assert found['lateness/p50'] == pytest.approx(20.0)
    assert 'lateness 20/' in ticks.report.summary() and '/4500' in ticks.report.summary()


def test_before_the_first_tick_there_is_nothing_to_say() -> None:
    ticks = Ticks()
    assert ticks.report.look() == ('info', '0.0 Hz achieved')
    assert ticks.report.summary().startswith('0 ticks')
