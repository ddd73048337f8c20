"""The host process: ``id_controller_node``."""
from __future__ import annotations

import sys

from id_controller.realtime.process import StopSignals, name_process


def main() -> int:
    """Run the controller and return its exit code."""
    # Before the imports: they take most of the start, and some swallow a KeyboardInterrupt.
    stop = StopSignals()
    name_process('id_host')
    from id_controller.ros.host_loop import run

    return run(stop)


if __name__ == '__main__':
    sys.exit(main())
