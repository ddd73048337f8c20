"""The host's end of the mailbox: snapshots down, answers and ticks up."""
from __future__ import annotations

import os
import secrets
import socket
import threading
from collections import deque
from collections.abc import Callable

from id_controller.errors import MailboxError
from id_controller.realtime.endpoint import Endpoint
from id_controller.realtime.layout import (
    CONTROL_BEAT,
    HOST_BEAT,
    REALTIME,
    SETTINGS_SLOTS,
    Layout,
)
from id_controller.realtime.memory import attached, created
from id_controller.realtime.messages import EFFORTS_MAX, WRENCH, Ack, Datagram, Kind
from id_controller.realtime.slots import Slot
from id_controller.realtime.telemetry import TelemetryReader
from id_controller.state import Request, Vector
from id_controller.trajectory.trajectory import Trajectory


class HostMailbox:
    """
    One mailbox for one control process; a new process gets a new one. Any thread may call.

    A slot belongs to the host until the datagram that names it is sent, and to the control
    process until that gives it back.

    :param layout: Sizes of the memory.
    """

    def __init__(self, layout: Layout) -> None:
        here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._memory_fd, self._socket_fd = created(layout), there.detach()
        _, memory = attached(self._memory_fd)
        self.layout = layout
        self._slots = [Slot(memory, offset, size) for offset, size in layout.slots]
        self._free = set(range(len(self._slots)))
        self._control_beat = memory[CONTROL_BEAT : CONTROL_BEAT + 8].cast('Q')
        self._host_beat = memory[HOST_BEAT : HOST_BEAT + 8].cast('Q')
        self._realtime = memory[REALTIME : REALTIME + 32].cast('Q')
        self.telemetry = TelemetryReader(memory, layout)
        self._endpoint = Endpoint(here, layout.nonce)
        self._lock = threading.Lock()
        self._answers: deque[Ack] = deque(maxlen=1000)
        self._snapshots = 0

    @property
    def descriptors(self) -> tuple[int, int]:
        """Memory and socket of the control process, to be handed down to it."""
        return self._memory_fd, self._socket_fd

    def handed_over(self) -> None:
        """Close our copies of what the control process has got, or its end is never seen."""
        for descriptor in (self._memory_fd, self._socket_fd):
            if descriptor >= 0:
                os.close(descriptor)
        self._memory_fd = self._socket_fd = -1

    def send_settings(self, record: bytes) -> int:
        """
        Send a settings record and return the number that its answer will carry.

        :raises MailboxError: when it has the wrong size or the control process takes none.
        """
        slot = self._taken_slot(0, SETTINGS_SLOTS, len(record), 'settings')

        def fill(body: memoryview) -> None:
            body[:] = record

        return self._send_snapshot(Kind.SETTINGS, slot, fill)

    def send_trajectory(self, trajectory: Trajectory) -> int:
        """
        Send a trajectory and return the number that its answer will carry.

        :raises MailboxError: when every slot is still in use.
        :raises TrajectoryError: when it has too many points or joints.
        """
        slot = self._taken_slot(SETTINGS_SLOTS, len(self._slots), 0, 'trajectory')
        return self._send_snapshot(Kind.TRAJECTORY, slot, trajectory.write_to)

    def request(self, request: Request, tau: Vector | None = None) -> int:
        """
        Send a request to the supervisor and return the number that its answer will carry.

        :param tau: Efforts that stand already, shape (n,), for an activation.
        """
        efforts = b'' if tau is None or len(tau) > EFFORTS_MAX else tau.tobytes()
        return self._send(Kind.REQUEST, slot=int(request), payload=efforts)

    def send_wrench(self, wrench: tuple[float, ...]) -> int:
        """Send an external wrench: force in N, torque in N m."""
        return self._send(Kind.WRENCH, payload=WRENCH.pack(*wrench))

    def acks(self) -> list[Ack]:
        """Return the answers that have come since the last call."""
        with self._lock:
            self._collect()
            answers = list(self._answers)
            self._answers.clear()
        return answers

    def beat(self) -> None:
        """Tell the control process that the host is alive; one thread calls this."""
        self._host_beat[0] = self._host_beat[0] + 1

    @property
    def control_beat(self) -> int:
        """Tick counter of the control process; 0 until its loop runs."""
        return self._control_beat[0]

    @property
    def control_is_realtime(self) -> bool:
        """Whether the control process says that it runs under SCHED_FIFO."""
        return bool(self._realtime[0])

    @property
    def rejected(self) -> int:
        """States that the control process could not use."""
        return self._realtime[3]

    @property
    def self_test_ns(self) -> tuple[int, int]:
        """Median and 99th percentile of what the control process computes in a tick."""
        return self._realtime[1], self._realtime[2]

    @property
    def control_gone(self) -> bool:
        """Whether the control process has closed its end, as seen at the last exchange."""
        return self._endpoint.peer_gone

    def close(self) -> None:
        """Close both descriptors and the socket."""
        self.handed_over()
        self._endpoint.close()

    def _taken_slot(self, first: int, end: int, size: int, what: str) -> int:
        with self._lock:
            self._collect()
            free = sorted(self._free & set(range(first, end)))
            if not free:
                raise MailboxError(
                    f'{what}: all {end - first} slots are still with the control process; '
                    'send again once it has given one back'
                )
            expected = self.layout.slots[free[0]][1]
            if size not in (0, expected):
                raise MailboxError(f'{what}: got {size} bytes, expected {expected}')
            self._free.discard(free[0])
        return free[0]

    def _send_snapshot(self, kind: Kind, slot: int, fill: Callable[[memoryview], object]) -> int:
        # The copy is made outside the lock, so that a stop never waits for a long trajectory.
        with self._lock:
            self._snapshots += 1
            number = self._snapshots
        try:
            self._slots[slot].write(number, fill)
            return self._send(kind, slot, number)
        except Exception:
            with self._lock:
                self._free.add(slot)
            raise

    def _send(self, kind: Kind, slot: int = 0, number: int = 0, payload: bytes = b'') -> int:
        with self._lock:
            try:
                sequence = self._endpoint.send(kind, slot, number, payload)
            except BlockingIOError:
                raise MailboxError(
                    f'{kind.name.lower()}: the control process does not take its mail'
                ) from None
            if self._endpoint.peer_gone:
                raise MailboxError(f'{kind.name.lower()}: the control process is gone')
            return sequence

    def _collect(self) -> None:
        while (datagram := self._endpoint.receive()) is not None:
            self._take(datagram)

    def _take(self, datagram: Datagram) -> None:
        if datagram.kind is Kind.RELEASED:
            self._free.add(datagram.slot)
        elif datagram.kind is Kind.TAKEN:
            self._answers.append(Ack(datagram.number, ''))
        elif datagram.kind is Kind.REFUSED:
            self._answers.append(Ack(datagram.number, datagram.payload.decode(errors='replace')))


def new_layout(n: int, terms: int, points_max: int) -> Layout:
    """Return a layout with a number of its own."""
    return Layout(n=n, terms=terms, points_max=points_max, nonce=secrets.randbits(64))
