"""The picture of a benchmark: how often which time was taken."""
from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from id_controller.benchmark import plan
from id_controller.benchmark.rows import NODES, Row, Times, Trace
from id_controller.command_line.demo_plot import LINES, STYLE, require_plotting

_US = 1e-3
BINS = np.geomspace(1.0, 1e5, 90)
COLOURS = dict(zip(
    ('ours', 'naive', 'events', 'ours_messages', 'echo', 'cyclictest'), (*LINES[:5], LINES[7])
))


class Panel(NamedTuple):
    """
    One histogram.

    :param times: What of a trace is counted, ns.
    """

    title: str
    rows: tuple[Row, ...]
    times: Any


def _lateness(row: Row, trace: Trace) -> Times:
    return trace.lateness


def _jitter(row: Row, trace: Trace) -> Times:
    return trace.jitter(row)


_IDLE = (plan.NAIVE, plan.EVENTS, plan.MESSAGES, plan.OURS)
_BUSY = (plan.NAIVE_BUSY, plan.EVENTS_BUSY, plan.MESSAGES_BUSY, plan.OURS_BUSY)
PANELS = (
    Panel('wake-up after the deadline', (plan.FLOOR, *_IDLE), _lateness),
    Panel('wake-up after the deadline, with traffic', _BUSY, _lateness),
    Panel('deadline to published command', (plan.ECHO, *_IDLE), lambda row, trace: trace.done),
    Panel('period against 1 ms', _IDLE, _jitter),
    Panel('period against 1 ms, with traffic', _BUSY, _jitter),
    Panel('round trip of a state', (plan.ECHO_BY_STATE, plan.MESSAGES_BY_STATE, plan.BY_STATE),
          lambda row, trace: trace.round_trip),
)


def save_plot(traces: dict[str, list[Trace]], floor: dict[str, list[Any]], path: Path) -> None:
    """
    Draw histograms of all runs of each row, on logarithmic axes.

    :param floor: Lateness that cyclictest found, us, by the name of its row.
    :raises InstallationError: when matplotlib is not there.
    """
    pyplot = require_plotting()
    with pyplot.rc_context(STYLE):
        figure, axes = pyplot.subplots(2, 3, figsize=(16.0, 8.0), sharex=True, sharey=True,
                                       layout='constrained')
        for axis, panel in zip(axes.flat, PANELS):
            for row in panel.rows:
                values = [panel.times(row, trace) * _US for trace in traces.get(row.name, ())]
                _draw(axis, row, np.concatenate([*values, *floor.get(row.name, ()), ()]))
            axis.set(title=panel.title, xscale='log', yscale='log')
            if axis.get_legend_handles_labels()[0]:
                axis.legend(loc='upper right')
            else:
                axis.text(0.5, 0.5, 'not measured', transform=axis.transAxes, ha='center')
        for axis in axes[-1]:
            axis.set_xlabel('us; the first bin holds all below')
        for axis in axes[:, 0]:
            axis.set_ylabel('share of ticks')
        figure.savefig(path, dpi=110)
        pyplot.close(figure)


def _draw(axis: Any, row: Row, values: Any) -> None:
    if len(values):
        counts, _ = np.histogram(values.clip(BINS[0], BINS[-1]), BINS)
        axis.stairs(counts / len(values), BINS, color=COLOURS[row.node], label=NODES[row.node])
