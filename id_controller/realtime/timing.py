"""
Statistics of the ticks, made in the host from telemetry rows and never in the tick.

Times in microseconds. Percentiles over a window are exact; those since the start come from a
histogram with logarithmic bins, 2 % wide.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from id_controller.state import NANOSECONDS, Rows, Vector

QUANTITIES = ('period', 'lateness', 'take', 'compute', 'publish', 'age', 'completion')
_EXECUTION = slice(QUANTITIES.index('take'), QUANTITIES.index('publish') + 1)
_PERCENTILES = (50.0, 99.0, 99.9)
_BLOCKS_PER_S = 10
"""The rate is taken over a tenth of a second; from tick to tick it would deviate by the jitter."""
_RATIO = 1.02
_BINS = 1200


class Quantiles(NamedTuple):
    """Of one quantity, in us."""

    p50: float
    p99: float
    p999: float
    max: float


NO_QUANTILES = Quantiles(0.0, 0.0, 0.0, 0.0)


class Histogram:
    """Counts of positive values since the start, in bins 2 % wide from 0.01 us upwards."""

    def __init__(self) -> None:
        self._counts = np.zeros(_BINS, np.int64)
        self._edges = 0.01 * _RATIO ** np.arange(_BINS)
        self._max = 0.0

    def add(self, values: Vector) -> None:
        """Count values, in us."""
        if values.size == 0:
            return
        bins = np.searchsorted(self._edges, values).clip(0, _BINS - 1)
        self._counts += np.bincount(bins, minlength=_BINS)
        self._max = max(self._max, float(values.max()))

    def quantiles(self) -> Quantiles:
        """Return the quantiles, each the upper edge of its bin."""
        total = int(self._counts.sum())
        if total == 0:
            return NO_QUANTILES
        sums = np.cumsum(self._counts)
        ranks = np.ceil(np.array(_PERCENTILES) / 100.0 * total)
        values = self._edges[np.searchsorted(sums, ranks).clip(0, _BINS - 1)]
        p50, p99, p999 = np.minimum(values, self._max).tolist()
        return Quantiles(p50, p99, p999, self._max)


class Report(NamedTuple):
    """
    What the ticks were like.

    :param ticks: Ticks that ran and :param skipped: ticks that were dropped.
    :param overruns: Ticks that were done later than a period after their deadline.
    :param rate_hz: Achieved rate.
    :param quantiles: Of each quantity.
    :param rate_deviation_hz: Standard deviation of the rate from one tenth of a second to another.
    :param execution_us: Mean time from wake-up to published command.
    :param execution_deviation_us: Its standard deviation.
    """

    ticks: int
    skipped: int
    overruns: int
    rate_hz: float
    quantiles: dict[str, Quantiles]
    rate_deviation_hz: float = 0.0
    execution_us: float = 0.0
    execution_deviation_us: float = 0.0


class _Window:
    """The last values of every quantity, with the times that belong to them."""

    def __init__(self, size: int) -> None:
        self._values = np.zeros((size, len(QUANTITIES) + 2))
        self._next = self._count = 0

    def add(self, values: Vector) -> None:
        values = values[-len(self._values):]
        indices = (self._next + np.arange(len(values))) % len(self._values)
        self._values[indices] = values
        self._next = (self._next + len(values)) % len(self._values)
        self._count = min(self._count + len(values), len(self._values))

    @property
    def values(self) -> Vector:
        return self._values[: self._count]


_NO_STATE_US = 3600e6


class TimingMonitor:
    """
    Takes telemetry rows and says what the timing was over a window and since the start.

    :param rate_hz: The rate that was asked for.
    :param window: Ticks in the window.
    """

    def __init__(self, rate_hz: int, window: int = 10_000) -> None:
        self._period_us = 1e6 / rate_hz
        self._block = max(1, rate_hz // _BLOCKS_PER_S)
        self._window = _Window(window)
        self._histograms = [Histogram() for _ in QUANTITIES]
        self._totals = np.zeros(3, np.int64)
        self._span_ns = 0
        self._last_ns = 0

    def add(self, rows: Rows) -> None:
        """Take rows in order, each once."""
        if len(rows) == 0:
            return
        steady = rows['steady_ns']
        period = np.diff(steady, prepend=self._last_ns or steady[0]) * 1e-3
        parts = [rows[f'{name}_ns'] * 1e-3 for name in QUANTITIES[1:6]]
        # Before the first state there is none that could have an age.
        parts[4][parts[4] > _NO_STATE_US] = 0.0
        completion = sum(parts[:4], np.zeros(len(rows)))
        skipped, late = rows['skipped'], completion > self._period_us
        columns = [period, *parts, completion, skipped.astype(float), late.astype(float)]
        for histogram, values in zip(self._histograms, columns, strict=False):
            # A period is counted from the second tick on.
            histogram.add(values[values > 0.0] if histogram is self._histograms[0] else values)
        self._window.add(np.column_stack(columns))
        self._totals += (len(rows), int(skipped.sum()), int(late.sum()))
        self._span_ns += int(steady[-1] - (self._last_ns or steady[0]))
        self._last_ns = int(steady[-1])

    def since_start(self) -> Report:
        """Return the report over all rows."""
        ticks, skipped, overruns = self._totals.tolist()
        rate = (ticks - 1) * NANOSECONDS / self._span_ns if self._span_ns else 0.0
        quantiles = [histogram.quantiles() for histogram in self._histograms]
        return Report(
            ticks, skipped, overruns, rate, dict(zip(QUANTITIES, quantiles, strict=True))
        )

    def window(self) -> Report:
        """Return the report over the last rows."""
        values = self._window.values
        period = values[:, 0][values[:, 0] > 0.0]
        rate = 1e6 / float(period.mean()) if period.size else 0.0
        quantiles = {
            name: _exact(values[:, column]) for column, name in enumerate(QUANTITIES)
        }
        skipped, overruns = values[:, -2:].sum(axis=0).tolist() if len(values) else (0, 0)
        execution = values[:, _EXECUTION].sum(axis=1)
        return Report(
            len(values), int(skipped), int(overruns), rate, quantiles,
            self._deviation(period),
            float(execution.mean()) if execution.size else 0.0,
            float(execution.std()) if execution.size else 0.0,
        )

    def _deviation(self, period: Vector) -> float:
        """Standard deviation of the rate over blocks of ticks, Hz."""
        blocks = period[: len(period) // self._block * self._block].reshape(-1, self._block)
        return float((1e6 * self._block / blocks.sum(axis=1)).std()) if blocks.size else 0.0


def _exact(values: Vector) -> Quantiles:
    if values.size == 0:
        return NO_QUANTILES
    p50, p99, p999 = np.percentile(values, _PERCENTILES).tolist()
    return Quantiles(p50, p99, p999, float(values.max()))
