"""The thread that watches over the control process, whatever the rest of the host is doing."""
from __future__ import annotations

import threading
from collections.abc import Callable

from id_controller.realtime.pacing import SteadyPacing
from id_controller.realtime.scheduling import prioritize_thread
from id_controller.realtime.watch import LOOK_HZ

ABOVE = 2
"""The main thread, in priority; and above the safety node, which may wait for an answer."""


class Watcher:
    """
    Calls a function every 4 ms, under SCHED_FIFO where that is granted.

    :param poll: What to call.
    :param failed: Gets the text of an exception in it.
    """

    def __init__(self, poll: Callable[[], None], failed: Callable[[str], None]) -> None:
        self._poll, self._failed = poll, failed
        self._running = True
        self._thread = threading.Thread(target=self._run, name='watch', daemon=True)
        self._thread.start()

    def _run(self) -> None:
        prioritize_thread(ABOVE)
        pacing = SteadyPacing(LOOK_HZ)
        while self._running:
            pacing.wait()
            try:
                self._poll()
            except Exception as error:  # noqa: BLE001  The watch must outlive any fault of a poll.
                self._failed(f'watch: {type(error).__name__}: {error}')

    def close(self) -> None:
        """End the thread."""
        self._running = False
        self._thread.join(timeout=1.0)
