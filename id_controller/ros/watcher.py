"""The thread that watches over the control process, whatever the rest of the host is doing."""
from __future__ import annotations

import threading
import time
from collections.abc import Callable

from id_controller.realtime.scheduling import prioritize_thread

PERIOD_S = 0.004
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
        while self._running:
            try:
                self._poll()
            except Exception as error:  # noqa: BLE001  The watch must outlive any fault of a poll.
                self._failed(f'watch: {type(error).__name__}: {error}')
            time.sleep(PERIOD_S)

    def close(self) -> None:
        """End the thread."""
        self._running = False
        self._thread.join(timeout=1.0)
