"""The controller as ``id_controller_node`` runs it, with every tick written to a file."""
from __future__ import annotations

import sys
from pathlib import Path

from id_controller.realtime.process import StopSignals, name_process
from id_controller.state import Rows


def main() -> int:
    """Run the controller; the first argument is the file."""
    stop = StopSignals()
    name_process('id_host')
    path = Path(sys.argv.pop(1))
    from id_controller.ros.host_loop import run

    with path.open('ab', buffering=0) as file:
        def keep(rows: Rows) -> None:
            file.write(rows.tobytes())

        return run(stop, keep)
