"""Two ends of a mailbox for tests, and one whose peer sends whatever a test wants."""
from __future__ import annotations

import os
import socket

import numpy as np

from id_controller.control.settings_record import record_size
from id_controller.realtime import memory
from id_controller.realtime.control_mailbox import ControlMailbox
from id_controller.realtime.host_mailbox import HostMailbox
from id_controller.realtime.layout import Layout
from id_controller.realtime.mailbox import Mailbox
from id_controller.realtime.messages import Datagram, datagram_bytes
from id_controller.realtime.slots import Slot
from id_controller.trajectory.trajectory import Trajectory

LAYOUT = Layout(n=2, terms=3, points_max=10, ticks=8, nonce=0xABCDEF)


def trajectory(first: float = 1.0, points: int = 4, n: int = 2) -> Trajectory:
    """Return a trajectory in which every number is a different one."""
    q = first + np.arange(float(points * n)).reshape(points, n)
    return Trajectory(
        times=np.arange(float(points)), q=q, v=10.0 * q, a=100.0 * q, effort=-q,
        coefficients=np.arange(float((points - 1) * 6 * n)).reshape(points - 1, 6, n),
        start_ns=77,
    )


def record(n: int = 2) -> bytes:
    """Return settings of zeros: a valid record, with the first choice everywhere."""
    return bytes(record_size(n))


def two_ends(n: int = 2, points_max: int = 10) -> tuple[HostMailbox, ControlMailbox]:
    """Return both ends of a mailbox in this process."""
    host = Mailbox.create(n=n, terms=3, points_max=points_max)
    control = Mailbox.attach(*(os.dup(descriptor) for descriptor in host.descriptors))
    host.handed_over()
    return host, control


class Rogue:
    """A peer with a bare socket, which sends any datagram and writes any slot."""

    def __init__(self, layout: Layout = LAYOUT) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._socket.setblocking(False)
        self.layout = layout
        descriptor = memory.created(layout)
        self.control = ControlMailbox(descriptor, theirs.detach())
        _, self.memory = memory.attached(descriptor)
        self.slots = [Slot(self.memory, offset, size) for offset, size in layout.slots]

    def send(self, datagram: Datagram, nonce: int | None = None) -> None:
        """Send a datagram, with a number of another mailbox if one is given."""
        self.send_bytes(datagram_bytes(self.layout.nonce if nonce is None else nonce, datagram))

    def send_bytes(self, content: bytes) -> None:
        """Send any bytes."""
        self._socket.send(content)

    def answers(self) -> list[bytes]:
        """Return the datagrams that came back."""
        found = []
        while True:
            try:
                found.append(self._socket.recv(512))
            except BlockingIOError:
                return found
