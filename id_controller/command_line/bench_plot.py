"""The picture of a benchmark: how often which time was taken."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from id_controller.benchmark import plan
from id_controller.benchmark.rows import NODES, Row, Trace
from id_controller.command_line.demo_plot import LINES, STYLE, require_plotting

BINS = np.geomspace(1.0, 1e5, 90)
_PANELS = (
    ('jitter of the period, without traffic', (plan.OURS, plan.MESSAGES, plan.EVENTS, plan.NAIVE)),
    ('jitter of the period, with traffic', (plan.OURS_BUSY, plan.EVENTS_BUSY, plan.NAIVE_BUSY)),
    ('wake-up after the deadline', (plan.FLOOR, plan.OURS, plan.OURS_BUSY)),
    ('round trip of a state', (plan.ECHO, plan.BY_STATE, plan.MESSAGES_BY_STATE)),
)


def save_plot(traces: dict[str, Trace], floor: dict[str, Any], path: Path) -> None:
    """
    Draw histograms of the last run of each row, on logarithmic axes.

    :param floor: Lateness that cyclictest found, us, by the name of its row.
    :raises InstallationError: when matplotlib is not there.
    """
    pyplot = require_plotting()
    with pyplot.rc_context(STYLE):
        figure, axes = pyplot.subplots(2, 2, figsize=(12.0, 7.5), layout='constrained')
        for k, (axis, (title, rows)) in enumerate(zip(axes.flat, _PANELS)):
            for row, colour in zip(rows, LINES):
                if row.name in traces:
                    _draw(axis, row, _values(k, row, traces[row.name]), colour)
            axis.set(title=title, xlabel='us', ylabel='share of ticks', xscale='log', yscale='log')
            axis.legend()
        figure.savefig(path, dpi=110)
        pyplot.close(figure)


def _values(panel: int, row: Row, trace: Trace) -> Any:
    if panel < 2:
        return np.abs(np.diff(trace.wake) - 1e9 / row.rate_hz) * 1e-3
    return (trace.lateness if panel == 2 else trace.round_trip) * 1e-3


def _draw(axis: Any, row: Row, values: Any, colour: str) -> None:
    if len(values):
        counts, _ = np.histogram(values.clip(BINS[0], BINS[-1]), BINS)
        label = NODES.get(row.node, row.node) + (', traffic' if row.traffic else '')
        axis.stairs(counts / len(values), BINS, color=colour, label=label)
