"""The timing of the ticks in words and numbers, as the host reports it."""
from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from id_controller.parameters.schema import Parameters
from id_controller.realtime.timing import Quantiles, Report, TimingMonitor
from id_controller.state import NANOSECONDS, Rows

QUIET_LOOKS = 10
"""After a line on lost ticks so many looks, one each second, pass before the next."""
LONGEST_STEP = 2.2
"""Periods from tick to tick; the reference moves by two of them at most."""
_KEYS = {
    'period': 'period', 'lateness': 'lateness', 'take': 'take', 'compute': 'compute',
    'publish': 'publish', 'age': 'state_age', 'completion': 'completion',
}


class Threshold(Protocol):
    """From where on diagnostics warn or show an error."""

    @property
    def warn(self) -> float:
        """Upper bound of what is fine."""

    @property
    def error(self) -> float:
        """Upper bound of what is no error."""


class Verdict(NamedTuple):
    """
    What to think of the timing.

    :param severity: ``info``, ``warning`` or ``error``.
    """

    severity: str
    message: str


class TimingReport:
    """
    Takes every tick of one control process, and looks at the last of them once a second.

    :param parameters: Returns the parameters in force.
    :param say: Takes a line and its severity.
    """

    def __init__(
        self, parameters: Callable[[], Parameters], say: Callable[[str, str], None]
    ) -> None:
        self._parameters, self._say = parameters, say
        self._rate_hz = parameters().update_rate
        self._monitor = TimingMonitor(self._rate_hz)
        self._last = self._monitor.window()
        self._steady = parameters().pacing == 'steady'
        self._steps: list[int] = []
        self._slow = False
        self._told = 0
        self._quiet = 0

    def add(self, rows: Rows) -> None:
        """Take rows in order, each once."""
        self._monitor.add(rows)
        if not self._steady:
            steps = np.diff(rows['now_ns'][rows['timed_out'] == 0])
            self._steps += steps[steps > 0].tolist()

    def look(self) -> Verdict:
        """Look at the last ticks and judge them by the thresholds; to be called once a second."""
        report = self._last = self._monitor.window()
        self._tell(self._monitor.since_start())
        rate = f'{report.rate_hz:.1f} Hz achieved'
        if not self._steady:
            return self._by_event(rate)
        if report.ticks == 0:
            return Verdict('info', rate)
        worst, causes = 0, []
        for name, value, unit, threshold in self._compared(report):
            level = (value > threshold.warn) + (value > threshold.error)
            worst = max(worst, level)
            if level:
                causes.append(f'{name} {value:.1f} {unit}')
        return Verdict(('info', 'warning', 'error')[worst], ', '.join([rate, *causes]))

    def _by_event(self, rate: str) -> Verdict:
        """Judge events, which come as they come, unless they come too seldom for the rate."""
        step_ns = float(np.median(self._steps)) if self._steps else 0.0
        self._steps.clear()
        slow = step_ns * self._rate_hz > LONGEST_STEP * NANOSECONDS
        line = (
            f'a tick comes every {1e-6 * step_ns:.2f} ms of the clock of the ticks, so motions '
            f'take longer than planned: set update_rate to {NANOSECONDS / max(1.0, step_ns):.0f}, '
            f'which is {self._rate_hz}'
        )
        if slow and not self._slow:
            self._say(line, 'warning')
        self._slow = slow
        return Verdict('warning', f'{rate}, {line}') if slow else Verdict('info', rate)

    def _compared(self, report: Report) -> list[tuple[str, float, str, Threshold]]:
        thresholds = self._parameters().diagnostics.threshold.controllers
        rate, execution = thresholds.periodicity, thresholds.execution_time
        return [
            ('rate off by', abs(report.rate_hz - self._rate_hz), 'Hz', rate.mean_error),
            ('rate deviates by', report.rate_deviation_hz, 'Hz', rate.standard_deviation),
            ('ticks take', report.execution_us, 'us', execution.mean_error),
            ('and deviate by', report.execution_deviation_us, 'us', execution.standard_deviation),
        ]

    def _tell(self, report: Report) -> None:
        """Say that ticks were lost, seldom."""
        self._quiet = max(0, self._quiet - 1)
        lost = report.skipped - self._told
        if not lost or self._quiet or not self._parameters().overruns.print_warnings:
            return
        self._told, self._quiet = report.skipped, QUIET_LOOKS
        if self._steady:
            worst_ms = 1e-3 * self._last.quantiles['lateness'].max
            self._say(f'{lost} ticks dropped; latest wake-up {worst_ms:.1f} ms late', 'warning')

    def values(self) -> dict[str, str]:
        """Timing at the last look, as diagnostics name it."""
        report, total = self._last, self._monitor.since_start()
        values = {
            'achieved_rate_hz': f'{report.rate_hz:.2f}',
            'rate_deviation_hz': f'{report.rate_deviation_hz:.2f}',
            'execution_mean_us': f'{report.execution_us:.1f}',
            'execution_deviation_us': f'{report.execution_deviation_us:.1f}',
            'skipped': str(report.skipped),
            'overruns': str(report.overruns),
            'total_ticks': str(total.ticks),
            'total_skipped': str(total.skipped),
            'total_overruns': str(total.overruns),
        }
        for name, statistic, value in _named(report.quantiles):
            values[f'{name}_{statistic}_us'] = f'{value:.1f}'
        for name, statistic, value in _named(total.quantiles):
            if statistic in ('p999', 'max'):
                values[f'total_{name}_{statistic}_us'] = f'{value:.1f}'
        return values

    def numbers(self) -> tuple[list[str], list[float]]:
        """Timing at the last look for ``~/timing``: names and values; us, Hz or counts."""
        report = self._last
        rows = {
            f'{name}/{statistic}': value for name, statistic, value in _named(report.quantiles)
        }
        rows |= {
            'execution/mean': report.execution_us,
            'execution/deviation': report.execution_deviation_us,
            'rate/achieved': report.rate_hz,
            'rate/deviation': report.rate_deviation_hz,
            'ticks/skipped': float(report.skipped),
            'ticks/overruns': float(report.overruns),
        }
        return list(rows), list(rows.values())

    def summary(self) -> str:
        """One line on the ticks since the start."""
        report = self._monitor.since_start()
        shown = ('lateness', 'take', 'compute', 'publish', 'age')
        parts = [
            f'{_KEYS[name]} {q.p50:.0f}/{q.p99:.0f}/{q.p999:.0f}/{q.max:.0f}'
            for name, q in report.quantiles.items() if name in shown
        ]
        return (
            f'{report.ticks} ticks, {report.rate_hz:.2f} Hz, {report.skipped} skipped, '
            f'{report.overruns} overruns; us p50/p99/p99.9/max: {", ".join(parts)}'
        )


def _named(quantiles: dict[str, Quantiles]) -> list[tuple[str, str, float]]:
    return [
        (_KEYS[name], statistic, value)
        for name, q in quantiles.items() for statistic, value in q._asdict().items()
    ]
