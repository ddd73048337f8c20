"""Work that keeps every core busy, as a neighbour of the controller does."""
from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType

from id_controller.realtime.children import Children
from id_controller.realtime.process import StopSignals

PER_CORE = 2


class Burden:
    """
    Two busy processes for each core, under ordinary scheduling: a context in which they run.

    :param logs: Folder for their output.
    """

    def __init__(self, logs: Path) -> None:
        self._children = Children(logs)

    def __enter__(self) -> Burden:
        for k in range(PER_CORE * len(os.sched_getaffinity(0))):
            self._children.start(f'burden_{k}', __name__, [])
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._children.stop()


def main() -> int:
    """Compute until told to stop."""
    stop = StopSignals()
    while not stop():
        pass
    return 0
