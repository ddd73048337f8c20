"""The control process's end of the mailbox; nothing here waits or raises in the tick."""
from __future__ import annotations

import math
import socket
import struct
import weakref
from collections import deque
from collections.abc import Iterator

from id_controller.control.settings_record import settings_from_record
from id_controller.errors import IdControllerError, MailboxError
from id_controller.realtime.endpoint import Endpoint
from id_controller.realtime.layout import (
    CONTROL_BEAT,
    HOST_BEAT,
    LEFT,
    REALTIME,
    SETTINGS_SLOTS,
    Layout,
)
from id_controller.realtime.memory import attached
from id_controller.realtime.messages import (
    WRENCH,
    Datagram,
    Kind,
    Message,
    NewRequest,
    NewSettings,
    NewTrajectory,
    NewWrench,
)
from id_controller.realtime.slots import Bytes, Slot
from id_controller.realtime.telemetry import TelemetryWriter
from id_controller.state import Request
from id_controller.trajectory.trajectory import Trajectory

MESSAGES_PER_TICK = 8
_STEP_MAX_NS = 20_000_000


class ControlMailbox:
    """
    What the loop drains once a tick.

    A trajectory is sampled where it lies. Its slot goes back to the host when nothing looks into
    it any more. That is asked of the memory's own view, which lives as long as any array over
    it, so no reference that somebody kept can see the slot change.

    ``rejected`` is a counter, in the memory too, of states that could not be used.

    :param memory_fd: Descriptor of the shared memory.
    :param socket_fd: Descriptor of our end of the socket pair, which we own from here on.
    :raises MailboxError: when they are not those of a mailbox.
    """

    def __init__(self, memory_fd: int, socket_fd: int) -> None:
        self.layout, memory = attached(memory_fd)
        self._slots = [Slot(memory, offset, size) for offset, size in self.layout.slots]
        self._beat = memory[CONTROL_BEAT : CONTROL_BEAT + 8].cast('Q')
        self._host_beat = memory[HOST_BEAT : HOST_BEAT + 8].cast('Q')
        self._realtime = memory[REALTIME : REALTIME + 24].cast('Q')
        self.rejected = memory[REALTIME + 24 : REALTIME + 32].cast('Q')
        self.telemetry = TelemetryWriter(memory, self.layout)
        self._endpoint = _endpoint(socket_fd, self.layout)
        self._held: list[tuple[int, weakref.ref[Bytes]]] = []
        self._unsent: deque[tuple[Kind, int, int, bytes]] = deque()
        self._host_count = 0
        self._looked_ns = 0
        self._silent_ns = 0

    def announce(self, realtime: bool, p50_ns: int = 0, p99_ns: int = 0) -> None:
        """
        Tell the host what this process is like, before its first beat.

        :param realtime: Whether we run under SCHED_FIFO; it watches us more strictly then.
        :param p50_ns: Time that the computation of a tick takes, its median.
        :param p99_ns: Its 99th percentile.
        """
        self._realtime[1], self._realtime[2] = p50_ns, p99_ns
        self._realtime[0] = int(realtime)

    def beat(self) -> None:
        """Count one turn of the loop; the host sees a frozen process by it."""
        self._beat[0] += 1

    def leave(self) -> None:
        """Tell the host that zero was sent last and that no tick comes any more."""
        self._beat[0] = LEFT

    def host_age(self, now_ns: int) -> int:
        """
        Return for how long the host has not moved its counter, steady ns.

        Only time in which we ran ourselves counts, at most 20 ms between two calls, because a
        stall of the whole machine stops both processes and is nobody's silence.
        """
        count = self._host_beat[0]
        if count != self._host_count:
            self._host_count = count
            self._silent_ns = 0
        elif self._looked_ns:
            self._silent_ns += min(now_ns - self._looked_ns, _STEP_MAX_NS)
        self._looked_ns = now_ns
        return self._silent_ns

    @property
    def host_gone(self) -> bool:
        """Whether the host has closed its end, as seen at the last exchange."""
        return self._endpoint.peer_gone

    def poll(self) -> Iterator[Message]:
        """
        Yield what has come, at most a few messages, newest last.

        What is torn, foreign, repeated or out of order is answered with a refusal and dropped.
        The caller answers each message with ``accept`` or ``refuse``.
        """
        if self._unsent:
            self._flush()
        if self._held:
            self._give_back()
        for _ in range(MESSAGES_PER_TICK):
            try:
                datagram = self._endpoint.receive()
            except MailboxError as error:
                self.refuse(0, str(error))
                continue
            if datagram is None:
                return
            message = self._opened(datagram)
            if message is not None:
                yield message

    def accept(self, sequence: int) -> None:
        """Tell the host that a message was taken."""
        self._send(Kind.TAKEN, 0, sequence, b'')

    def refuse(self, sequence: int, reason: str) -> None:
        """Tell the host why a message was refused."""
        self._send(Kind.REFUSED, 0, sequence, reason.encode())

    def close(self) -> None:
        """Close our end; the host sees it at once."""
        self._endpoint.close()

    def _opened(self, datagram: Datagram) -> Message | None:
        try:
            if datagram.kind is Kind.SETTINGS:
                return self._settings(datagram)
            if datagram.kind is Kind.TRAJECTORY:
                return self._trajectory(datagram)
            if datagram.kind is Kind.REQUEST:
                return self._request(datagram)
            if datagram.kind is Kind.WRENCH and len(datagram.payload) == WRENCH.size:
                return NewWrench(datagram.sequence, WRENCH.unpack(datagram.payload))
            raise MailboxError(f'datagram {datagram.sequence}: {datagram.kind!r} is not for us')
        except (IdControllerError, ValueError, IndexError) as error:
            self.refuse(datagram.sequence, str(error))
            return None

    def _request(self, datagram: Datagram) -> NewRequest:
        payload = datagram.payload
        if len(payload) not in (0, 8 * self.layout.n):
            raise MailboxError(
                f'efforts: got {len(payload)} bytes, expected none or {self.layout.n} numbers'
            )
        tau = struct.unpack(f'={len(payload) // 8}d', payload)
        if not all(map(math.isfinite, tau)):
            raise MailboxError(f'efforts: got {tau}, expected finite numbers')
        return NewRequest(datagram.sequence, Request(datagram.slot), tau)

    def _settings(self, datagram: Datagram) -> NewSettings:
        slot = self._slot(datagram, 0, SETTINGS_SLOTS)
        try:
            record = slot.read(datagram.number).tobytes()
        finally:
            self._send(Kind.RELEASED, datagram.slot, 0, b'')
        return NewSettings(datagram.sequence, settings_from_record(record, self.layout.n))

    def _trajectory(self, datagram: Datagram) -> NewTrajectory:
        slot = self._slot(datagram, SETTINGS_SLOTS, len(self._slots))
        try:
            body = slot.read(datagram.number)
            trajectory = Trajectory.view(body.data, self.layout.n)
        except (IdControllerError, ValueError):
            self._send(Kind.RELEASED, datagram.slot, 0, b'')
            raise
        self._held.append((datagram.slot, weakref.ref(body)))
        return NewTrajectory(datagram.sequence, trajectory)

    def _slot(self, datagram: Datagram, first: int, end: int) -> Slot:
        held = {slot for slot, _ in self._held}
        if not first <= datagram.slot < end or datagram.slot in held:
            raise MailboxError(
                f'datagram {datagram.sequence}: {datagram.kind.name.lower()} in slot '
                f'{datagram.slot}, expected a free one of {first} to {end - 1}'
            )
        return self._slots[datagram.slot]

    def _give_back(self) -> None:
        for held in tuple(self._held):
            slot, body = held
            if body() is None:
                self._held.remove(held)
                self._send(Kind.RELEASED, slot, 0, b'')

    def _send(self, kind: Kind, slot: int, number: int, payload: bytes) -> None:
        self._unsent.append((kind, slot, number, payload))
        self._flush()

    def _flush(self) -> None:
        try:
            while self._unsent:
                self._endpoint.send(*self._unsent[0])
                self._unsent.popleft()
        except BlockingIOError:
            return


def _endpoint(socket_fd: int, layout: Layout) -> Endpoint:
    try:
        return Endpoint(socket.socket(fileno=socket_fd), layout.nonce)
    except OSError as error:
        raise MailboxError(f'mailbox: socket {socket_fd}: {error}') from error
