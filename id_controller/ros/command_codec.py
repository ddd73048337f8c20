"""
Command messages as bytes: laid out once, then only their numbers change.

Each class has the message without its numbers laid out as plain CDR (see ``cdr``), arrays that lie
over the numbers, and ``sealed``, which copies what the publisher may keep.
"""
from __future__ import annotations

import struct
import sys
import time

import numpy as np

from id_controller.state import NANOSECONDS, Vector

_HEADER = b'\x00\x01\x00\x00' if sys.byteorder == 'little' else b'\x00\x00\x00\x00'
_U32 = struct.Struct('=I')
_STAMP = struct.Struct('=iI')


def _padded(content: bytearray, size: int) -> bytearray:
    """Fill up to a multiple of ``size`` behind the header."""
    return content + bytes(-(len(content) - len(_HEADER)) % size)


def _string(text: str) -> bytes:
    encoded = text.encode() + b'\x00'
    return _U32.pack(len(encoded)) + encoded


class ArrayBytes:
    """
    std_msgs/Float64MultiArray.

    :param count: Number of numbers.
    """

    def __init__(self, count: int) -> None:
        head = bytearray(_HEADER + _U32.pack(0) + _U32.pack(0) + _U32.pack(count))
        head = _padded(head, 8) if count else head
        self._content = head + bytes(8 * count)
        self.numbers: Vector = np.frombuffer(self._content, np.float64, count, len(head))

    def sealed(self) -> bytes:
        """Return the message."""
        return bytes(self._content)


class NumberBytes:
    """std_msgs/Float64."""

    def __init__(self) -> None:
        self._content = bytearray(_HEADER + bytes(8))
        self.numbers: Vector = np.frombuffer(self._content, np.float64, 1, len(_HEADER))

    def sealed(self) -> bytes:
        """Return the message."""
        return bytes(self._content)


class JointStateBytes:
    """
    sensor_msgs/JointState with efforts, and with positions where they are wanted.

    :param joints: Names.
    :param has_position: Whether it holds positions.
    """

    def __init__(self, joints: tuple[str, ...], has_position: bool) -> None:
        content = bytearray(_HEADER + bytes(_STAMP.size) + _string(''))
        content = _padded(content, 4) + _U32.pack(len(joints))
        for joint in joints:
            content = _padded(content, 4) + _string(joint)
        starts = []
        for count in (len(joints) if has_position else 0, 0, len(joints)):
            content = _padded(content, 4) + _U32.pack(count)
            content = _padded(content, 8) if count else content
            starts.append((len(content), count))
            content += bytes(8 * count)
        self._content = content
        (position, count), _, (effort, n) = starts
        self.position: Vector = np.frombuffer(content, np.float64, count, position)
        self.numbers: Vector = np.frombuffer(content, np.float64, n, effort)

    def sealed(self) -> bytes:
        """Stamp the message by the system clock and return it."""
        _STAMP.pack_into(self._content, len(_HEADER), *divmod(time.time_ns(), NANOSECONDS))
        return bytes(self._content)
