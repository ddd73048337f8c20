"""What the two processes tell each other, and the datagrams that carry it."""
from __future__ import annotations

import struct
from enum import IntEnum
from typing import NamedTuple

from id_controller.control.settings import Settings
from id_controller.errors import MailboxError
from id_controller.state import Request
from id_controller.trajectory.trajectory import Trajectory

HEAD = struct.Struct('=QQIIQ')
WRENCH = struct.Struct('=6d')
DATAGRAM_MAX = 512
EFFORTS_MAX = (DATAGRAM_MAX - HEAD.size) // 8
"""More efforts than that cannot be handed over."""


class Kind(IntEnum):
    """What a datagram says; the first four go down, the others up."""

    SETTINGS = 1
    TRAJECTORY = 2
    REQUEST = 3
    WRENCH = 4
    TAKEN = 5
    REFUSED = 6
    RELEASED = 7


class Datagram(NamedTuple):
    """
    One datagram.

    :param sequence: Number of the datagram, rising by one in each direction.
    :param slot: Slot of the snapshot, or the code of the request.
    :param number: Number of the snapshot, or the sequence that is answered.
    """

    sequence: int
    kind: Kind
    slot: int
    number: int
    payload: bytes


class NewSettings(NamedTuple):
    """Settings to apply, all at once."""

    sequence: int
    settings: Settings


class NewTrajectory(NamedTuple):
    """A trajectory to follow; it lies in the shared memory and is sampled there."""

    sequence: int
    trajectory: Trajectory


class NewRequest(NamedTuple):
    """A request to the supervisor; an activation may carry the efforts that stand already."""

    sequence: int
    request: Request
    tau: tuple[float, ...] = ()


class NewWrench(NamedTuple):
    """An external wrench: force in N, torque in N m."""

    sequence: int
    wrench: tuple[float, ...]


Message = NewSettings | NewTrajectory | NewRequest | NewWrench


class Ack(NamedTuple):
    """
    The answer to what was sent under ``sequence``.

    :param refusal: Why it was refused; empty when it was taken.
    """

    sequence: int
    refusal: str


def datagram_bytes(nonce: int, datagram: Datagram) -> bytes:
    """Write a datagram."""
    head = HEAD.pack(nonce, datagram.sequence, datagram.kind, datagram.slot, datagram.number)
    return head + datagram.payload[: DATAGRAM_MAX - HEAD.size]


def datagram_from_bytes(nonce: int, content: memoryview) -> Datagram:
    """
    Read a datagram.

    :raises MailboxError: when it is foreign or of no known kind.
    """
    if len(content) < HEAD.size:
        raise MailboxError(f'datagram: got {len(content)} bytes, expected at least {HEAD.size}')
    theirs, sequence, kind, slot, number = HEAD.unpack_from(content)
    if theirs != nonce:
        raise MailboxError(f'datagram: foreign: got mailbox {theirs:#x}, expected {nonce:#x}')
    try:
        known = Kind(kind)
    except ValueError:
        raise MailboxError(f'datagram {sequence}: unknown kind {kind}') from None
    return Datagram(sequence, known, slot, number, bytes(content[HEAD.size :]))
