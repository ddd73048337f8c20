"""The host's watch over its control process."""
from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Protocol

from id_controller.realtime.layout import LEFT
from id_controller.realtime.process import is_exiting
from id_controller.state import NANOSECONDS

LOOK_HZ = 250
LOOK_NS = NANOSECONDS // LOOK_HZ
LEAST_NS = 3_500_000
LOOKS = 3
LOOKS_ORDINARY = 30


class Verdict(Enum):
    """What a look at the control process shows."""

    STARTING = 'starting'
    ALIVE = 'alive'
    FROZEN = 'frozen'
    KILLED = 'killed'
    DEAD = 'dead'


class Watched(Protocol):
    """A process that can be asked whether it has ended, such as ``subprocess.Popen``."""

    @property
    def pid(self) -> int:
        """Process id."""

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""


class Beating(Protocol):
    """The host's mailbox."""

    @property
    def control_beat(self) -> int:
        """Tick counter of the control process."""

    @property
    def control_is_realtime(self) -> bool:
        """Whether the control process runs under SCHED_FIFO."""

    def beat(self) -> None:
        """Tell the control process that the host is alive."""


class Watch:
    """
    Looks at the tick counter of a control process, to be polled every 4 ms.

    The alarm is three of our own looks in a row, each about 4 ms after the last, that see the
    counter unchanged. Time by itself is no alarm: a stall of the whole machine stops both
    processes, and the looks with it. Without SCHED_FIFO ordinary preemption takes longer than
    that, and the alarm is 30 looks.

    A process that was killed is dead at the first of these looks: the kernel tells that no thread
    of it will run again tens of ms before it has an exit code, for which its memory must be gone.

    :param process: The control process.
    :param mailbox: Our end of its mailbox.
    :param is_exiting: Whether no thread of a process will run again.
    """

    def __init__(
        self,
        process: Watched,
        mailbox: Beating,
        is_exiting: Callable[[int], bool] = is_exiting,
    ) -> None:
        self._process, self._mailbox, self._is_exiting = process, mailbox, is_exiting
        self._beat = 0
        self._unchanged = 0
        self._looked_ns: int | None = None

    def poll(self, now_ns: int) -> Verdict:
        """
        Move our own heartbeat and look once.

        :param now_ns: Steady time.
        """
        self._mailbox.beat()
        if self._process.poll() is not None:
            return Verdict.DEAD
        beat = self._mailbox.control_beat
        if beat == 0:
            return Verdict.STARTING
        if beat == LEFT:  # it takes its time to end, but commands nothing any more
            return Verdict.ALIVE
        if beat != self._beat:
            self._beat, self._unchanged, self._looked_ns = beat, 0, now_ns
        elif self._looked_ns is None or now_ns - self._looked_ns >= LEAST_NS:
            self._unchanged += 1
            self._looked_ns = now_ns
            if self._is_exiting(self._process.pid):
                return Verdict.KILLED
        return Verdict.FROZEN if self._unchanged >= self._limit() else Verdict.ALIVE

    def _limit(self) -> int:
        return LOOKS if self._mailbox.control_is_realtime else LOOKS_ORDINARY
