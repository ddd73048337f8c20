"""Statistics of ticks, against numbers made by hand."""
from __future__ import annotations

import numpy as np
import pytest

from id_controller.realtime.layout import Layout
from id_controller.realtime.timing import Histogram, TimingMonitor
from id_controller.state import Rows

ROW = Layout(n=1, terms=1, points_max=2).row


def rows(count: int, period_us: float = 1000.0, start_us: float = 5e6) -> Rows:
    made = np.zeros(count, ROW)
    made['steady_ns'] = 1000 * (start_us + period_us * np.arange(count))
    made['lateness_ns'], made['take_ns'], made['age_ns'] = 10_000, 20_000, 400_000
    made['compute_ns'], made['publish_ns'] = 80_000, 30_000
    return made


def test_the_parts_of_a_tick_and_their_sum() -> None:
    monitor = TimingMonitor(1000)
    monitor.add(rows(1000))
    found = {name: each.p50 for name, each in monitor.window().quantiles.items()}
    wanted = {
        'period': 1000.0, 'lateness': 10.0, 'take': 20.0, 'compute': 80.0, 'publish': 30.0,
        'age': 400.0, 'completion': 140.0,
    }
    assert found == pytest.approx(wanted)
    since = {name: each.p50 for name, each in monitor.since_start().quantiles.items()}
    assert since == pytest.approx(wanted, rel=0.021)


@pytest.mark.parametrize('rate_hz', [900.0, 1100.0])
def test_b84_the_rate_is_what_ran_fast_or_slow(rate_hz: float) -> None:
    monitor = TimingMonitor(1000, window=100)
    monitor.add(rows(501, 1e6 / rate_hz))
    assert monitor.window().rate_hz == pytest.approx(rate_hz, rel=1e-3)
    assert monitor.since_start().rate_hz == pytest.approx(rate_hz, rel=1e-3)


def test_the_rate_deviates_where_ticks_are_lost_and_not_where_they_jitter() -> None:
    jitter = np.where(np.arange(1001) % 2, 30_000, 0)
    steady, lossy = TimingMonitor(1000), TimingMonitor(1000)
    made = rows(1001)
    made['steady_ns'] += jitter
    steady.add(made)
    assert steady.window().rate_deviation_hz < 0.5
    # Half of the tenths of a second have 100 ticks in 0.1 s, the other half in 0.11 s.
    made = rows(1001)
    slow = (np.arange(1001) - 1) // 100 % 2 == 1
    made['steady_ns'] += np.cumsum(np.where(slow, 100_000, 0))
    lossy.add(made)
    assert lossy.window().rate_deviation_hz == pytest.approx((1000.0 - 1000.0 / 1.1) / 2, rel=0.01)


def test_the_time_that_ticks_take_has_a_mean_and_a_deviation() -> None:
    monitor, made = TimingMonitor(1000), rows(100)
    made['compute_ns'][::2] += 60_000
    monitor.add(made)
    assert monitor.window().execution_us == pytest.approx(20.0 + 80.0 + 30.0 + 30.0)
    assert monitor.window().execution_deviation_us == pytest.approx(30.0)


def test_skipped_and_overrun_ticks_are_counted() -> None:
    monitor = TimingMonitor(1000, window=50)
    made = rows(100)
    made['skipped'][[3, 97]] = 2, 5
    made['compute_ns'][[7, 8, 98]] = 990_000
    monitor.add(made)
    window, since = monitor.window(), monitor.since_start()
    assert (since.ticks, since.skipped, since.overruns) == (100, 7, 3)
    assert (window.ticks, window.skipped, window.overruns) == (50, 5, 1)


def test_parts_make_the_same_whole() -> None:
    made = rows(700)
    made['compute_ns'] = 1000 * np.random.default_rng(3).permutation(700)
    at_once, in_parts = TimingMonitor(1000, 256), TimingMonitor(1000, 256)
    at_once.add(made)
    for start in range(0, 700, 33):
        in_parts.add(made[start : start + 33])
    in_parts.add(made[:0])
    assert at_once.since_start() == in_parts.since_start()
    assert at_once.window().quantiles['compute'] == in_parts.window().quantiles['compute']


def test_percentiles_since_the_start_are_close_and_never_too_low() -> None:
    values = np.random.default_rng(5).lognormal(3.0, 1.0, 20_000)
    histogram = Histogram()
    for part in np.split(values, 8):
        histogram.add(part)
    found = histogram.quantiles()
    for value, percent in zip(found[:3], (50.0, 99.0, 99.9), strict=True):
        exact = float(np.percentile(values, percent, method='inverted_cdf'))
        assert exact <= value <= 1.021 * exact
    assert found.max == values.max()


def test_no_rows_give_no_numbers() -> None:
    monitor = TimingMonitor(1000)
    for report in (monitor.window(), monitor.since_start()):
        assert (report.ticks, report.rate_hz) == (0, 0.0)
        assert all(each.max == 0.0 for each in report.quantiles.values())
