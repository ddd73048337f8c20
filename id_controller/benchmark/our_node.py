"""The controller itself, as ``id_controller_node`` runs it, with a note of each tick."""
from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from id_controller.benchmark.job import read_job
from id_controller.benchmark.rows import RECORDED
from id_controller.realtime.process import StopSignals
from id_controller.state import Mode, Rows


class Observer:
    """Keeps the whole numbers of the rows that it is given."""

    def __init__(self) -> None:
        self._parts: list[np.ndarray] = []

    def __call__(self, rows: Rows) -> None:
        """Keep rows."""
        columns = [
            rows[name] for name in (
                'steady_ns', 'lateness_ns', 'take_ns', 'compute_ns', 'publish_ns', 'age_ns',
                'skipped', 'fault',
            )
        ]
        columns.append((rows['mode'] == Mode.TRACK).astype(np.int64))
        self._parts.append(np.column_stack(columns))

    def save(self, path: Path) -> None:
        """Write the ticks."""
        none = np.zeros((0, len(RECORDED)), np.int64)
        np.save(path, np.concatenate((none, *self._parts)))


def main() -> int:
    """Run the controller and return its exit code."""
    stop = StopSignals()
    from id_controller.ros.host_loop import run

    job, observer = read_job(), Observer()
    sys.argv[1:] = ['--ros-args', '--params-file', str(job.folder / 'parameters.yaml')]
    code = run(stop, observer)
    observer.save(job.folder / 'ticks.npy')
    return code
