"""One end of the socket pair: datagrams in order, each from the right peer, each once."""
from __future__ import annotations

import select
import socket

from id_controller.errors import MailboxError
from id_controller.realtime.messages import (
    DATAGRAM_MAX,
    Datagram,
    Kind,
    datagram_bytes,
    datagram_from_bytes,
)


class Endpoint:
    """
    Sends and receives without ever waiting.

    :param connection: A connected SOCK_SEQPACKET socket.
    :param nonce: Number of the mailbox.
    """

    def __init__(self, connection: socket.socket, nonce: int) -> None:
        connection.setblocking(False)
        self._connection = connection
        waiting = select.poll()
        waiting.register(connection, select.POLLIN)
        self._waiting = waiting.poll
        self._nonce = nonce
        self._buffer = bytearray(DATAGRAM_MAX)
        self._content = memoryview(self._buffer)
        self._sent = 0
        self._received = 0
        self.peer_gone = False

    def send(self, kind: Kind, slot: int = 0, number: int = 0, payload: bytes = b'') -> int:
        """
        Send a datagram and return its sequence number.

        :raises BlockingIOError: when the peer has left too many unread.
        """
        datagram = Datagram(self._sent + 1, kind, slot, number, payload)
        try:
            self._connection.send(datagram_bytes(self._nonce, datagram))
        except (BrokenPipeError, ConnectionResetError):
            self.peer_gone = True
        self._sent += 1
        return self._sent

    def receive(self) -> Datagram | None:
        """
        Return the next datagram, or None when there is none.

        :raises MailboxError: when it is foreign, repeated or out of order.
        """
        # Asked first: mostly there is nothing, and an exception costs as much as a syscall.
        if not self._waiting(0):
            return None
        try:
            size = self._connection.recv_into(self._buffer)
        except BlockingIOError:
            return None
        except ConnectionResetError:
            size = 0
        if size == 0:
            self.peer_gone = True
            return None
        datagram = datagram_from_bytes(self._nonce, self._content[:size])
        if datagram.sequence <= self._received:
            raise MailboxError(
                f'datagram {datagram.sequence}: repeated or out of order, expected more than '
                f'{self._received}'
            )
        self._received = datagram.sequence
        return datagram

    def close(self) -> None:
        """Close the socket; the peer sees the end of the stream."""
        self._connection.close()
