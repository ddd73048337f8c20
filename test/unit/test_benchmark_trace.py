"""From what source and node wrote to a trace: numbers by hand, and runs that do not count."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from id_controller.benchmark.job import Job
from id_controller.benchmark.rows import RECORDED, Row, Trace
from id_controller.benchmark.run_row import read_trace
from id_controller.control.faults import Fault
from id_controller.errors import SimulationError

BEGIN, END = 1000, 1400
SENT = [[900, 1], [1000, 2], [1100, 3], [1200, 4], [1300, 5], [1400, 6]]


def written(
    folder: Path, came: list[int], fault: int = 0, tracks: int = 1, pacing: str = 'state'
) -> Trace:
    """A run of ticks at 950, 1050 ... 1450, of which the one at 1250 is as given."""
    ticks = np.zeros((6, len(RECORDED)), np.int64)
    ticks[:, 0] = np.arange(950, 1500, 100)
    ticks[:, RECORDED.index('take')] = np.arange(6)
    ticks[:, RECORDED.index('tracks')] = 1
    ticks[3, RECORDED.index('fault')] = fault
    ticks[3, RECORDED.index('tracks')] = tracks
    np.save(folder / 'ticks.npy', ticks)
    np.savez(folder / 'source.npz', sent=np.array(SENT), came=np.array(came, np.int64),
             window=np.array((BEGIN, END)))
    job = Job(row=Row(node='ours', pacing=pacing), flat={}, seconds=0.0, folder=folder)
    return read_trace(job, (1e-7, 4e-8))


def test_only_the_window_counts(tmp_path: Path) -> None:
    trace = written(tmp_path, [])
    assert trace.wake.tolist() == [1050, 1150, 1250, 1350]
    assert trace.take.tolist() == [1, 2, 3, 4]
    assert trace.source_late.tolist() == [2, 3, 4, 5]
    assert trace.source_period.tolist() == [100, 100, 100]
    assert trace.seconds == pytest.approx(400e-9)
    assert (trace.cpu, trace.host_cpu) == (pytest.approx(0.25), pytest.approx(0.1))


def test_a_round_trip_ends_with_the_first_command_before_the_next_state(tmp_path: Path) -> None:
    # The states at 1000, 1100 and 1200 are judged; the second has no command of its own.
    trace = written(tmp_path, [950, 1040, 1060, 1230, 1310])
    assert trace.round_trip.tolist() == [40, 30]
    assert trace.late_replies == 1


@pytest.mark.parametrize('came', [[], [10, 20]])
def test_without_commands_every_reply_is_late(tmp_path: Path, came: list[int]) -> None:
    trace = written(tmp_path, came)
    assert (len(trace.round_trip), trace.late_replies) == (0, 3)


def test_at_a_pace_of_its_own_a_node_has_no_round_trips(tmp_path: Path) -> None:
    assert len(written(tmp_path, [1040], pacing='steady').round_trip) == 0


def test_a_tick_with_a_fault_or_without_a_trajectory_fails_the_run(tmp_path: Path) -> None:
    with pytest.raises(SimulationError, match=r'got 3 of 4 ticks .*first: OVER_SPEED'):
        written(tmp_path, [], fault=Fault.OVER_SPEED)
    with pytest.raises(SimulationError, match=r'got 3 of 4 ticks .*first: NONE'):
        written(tmp_path, [], tracks=0)


def test_a_window_without_ticks_fails_the_run(tmp_path: Path) -> None:
    written(tmp_path, [])
    ticks = np.load(tmp_path / 'ticks.npy')
    np.save(tmp_path / 'ticks.npy', ticks[:1])
    job = Job(row=Row(node='ours'), flat={}, seconds=0.0, folder=tmp_path)
    with pytest.raises(SimulationError, match='no tick at all'):
        read_trace(job, (0.0, 0.0))
