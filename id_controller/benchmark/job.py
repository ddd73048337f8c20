"""What the processes of one run need to know, as a file that each of them reads."""
from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from id_controller.benchmark.rows import Row

STATES, COMMANDS = '/joint_states', '/effort_controller/commands'
NODE = 'id_controller'
READY, MOVING, BEGIN, END = 'ready', 'moving', 'begin', 'end'
"""Files of a run that say: commands flow, a motion is sent, the window begins, it has ended."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Job:
    """
    One run.

    :param flat: Parameters of the controller.
    :param seconds: Length of the window that counts.
    :param folder: Where results go.
    """

    row: Row
    flat: dict[str, Any]
    seconds: float
    folder: Path

    def write(self) -> Path:
        """Write the file and return its path."""
        path = self.folder / 'job.json'
        content = {'row': asdict(self.row), 'flat': self.flat, 'seconds': self.seconds}
        path.write_text(json.dumps(content))
        return path

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints."""
        return tuple(self.flat['joints'])

    @property
    def ticks_max(self) -> int:
        """More ticks than a run can have."""
        return round(2.0 * (self.seconds + 30.0) * self.row.rate_hz)


def read_job() -> Job:
    """Read the file that the command line names."""
    path = Path(sys.argv[1])
    content = json.loads(path.read_text())
    return Job(
        row=Row(**content['row']), flat=content['flat'], seconds=content['seconds'],
        folder=path.parent,
    )
