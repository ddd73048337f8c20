"""Every node of the benchmark runs, and its trace holds together; how fast is not judged here."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from id_controller.benchmark.growth import growth_bars
from id_controller.benchmark.rows import TICK_FIELDS, Row
from id_controller.benchmark.run_row import run_row

ROWS = (
    Row(node='ours', rate_hz=500, traffic=True),
    Row(node='ours_messages', rate_hz=500, pacing='state'),
    Row(node='naive', rate_hz=250, traffic=True),
    Row(node='events', rate_hz=250),
    Row(node='echo', rate_hz=500, pacing='state'),
    Row(node='ours', rate_hz=500, joints=29, transport='shared_memory', late_joiner=True),
)


@pytest.mark.parametrize('row', ROWS, ids=lambda row: row.name)
def test_a_row_gives_a_trace_that_holds_together(row: Row, tmp_path: Path) -> None:
    trace = run_row(row, 1.0, tmp_path)
    ticks = [getattr(trace, name) for name in TICK_FIELDS]
    assert {len(values) for values in ticks} == {len(trace.wake)}
    assert len(trace.wake) > 0.2 * row.rate_hz
    assert (np.diff(trace.wake) > 0).all()
    assert (trace.publish > 0).all() and (trace.take >= 0).all()
    assert len(trace.source_period) > 0.5 * row.rate_hz
    if row.pacing == 'state':
        assert 0.0 < np.median(trace.round_trip) < 1e9 / row.rate_hz
    assert trace.cpu > 0.0
    assert (trace.host_cpu > 0.0) == row.node.startswith('ours')


def test_a_short_run_of_the_real_loop_does_not_grow() -> None:
    # An object kept for each tick, or for each message of the traffic, would show.
    found = growth_bars(30_000, print)
    assert len(found) == 5
    assert [bar for bar in found if not bar.passed] == []
