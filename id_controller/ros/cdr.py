"""
Serialized messages as DDS carries them: plain CDR, read within bounds and never past the end.

OMG DDSI-RTPS 2.5, sec. 10 (encapsulation), and CORBA 3.4 part 2, sec. 9.3 (CDR): a header of four
bytes says the byte order, numbers are aligned to their size counted from behind that header, and
sequences and strings begin with their length.
"""
from __future__ import annotations

import struct
from typing import NamedTuple

from id_controller.errors import MessageError
from id_controller.state import NANOSECONDS

HEADER = 4
_ORDERS = {b'\x00\x00': '>', b'\x00\x01': '<'}
_LENGTH = {order: struct.Struct(f'{order}I').unpack_from for order in '<>'}
_TIME = {order: struct.Struct(f'{order}iI').unpack_from for order in '<>'}


class Span(NamedTuple):
    """Where a sequence of numbers lies: the offset of the first, and how many."""

    start: int
    size: int


class CdrReader:
    """
    Reads a message from front to back.

    :param content: The message with its encapsulation header.
    :raises MessageError: when the header is not that of plain CDR.
    """

    def __init__(self, content: bytes) -> None:
        order = _ORDERS.get(content[:2])
        if order is None or len(content) < HEADER:
            raise MessageError(
                f'header: got {content[:HEADER]!r}, expected plain CDR (00 00 or 00 01)'
            )
        self.order = order
        self.offset = HEADER
        self._content, self._end = content, len(content)

    def align(self, size: int) -> None:
        """Move on to a multiple of ``size`` behind the header."""
        self.offset += -(self.offset - HEADER) % size

    def skip(self, size: int, what: str) -> int:
        """Move over ``size`` bytes and return where they began."""
        start = self.offset
        if size > self._end - start:
            raise MessageError(
                f'{what}: got {max(0, self._end - start)} bytes, expected {size} at byte {start}'
            )
        self.offset = start + size
        return start

    def length(self, what: str) -> int:
        """Read the length of a string or sequence."""
        self.align(4)
        found: int = _LENGTH[self.order](self._content, self.skip(4, what))[0]
        return found

    def time_ns(self, what: str) -> int:
        """Read a Time or Duration, ns."""
        self.align(4)
        seconds, nanoseconds = _TIME[self.order](self._content, self.skip(8, what))
        return int(seconds) * NANOSECONDS + int(nanoseconds)

    def doubles(self, what: str) -> Span:
        """Move over a sequence of float64 and say where it lies."""
        count = self.length(what)
        if count:
            self.align(8)
        return Span(self.skip(8 * count, what), count)

    def string(self, what: str) -> str:
        """Read a string."""
        length = self.length(what)
        start = self.skip(length, what)
        if length == 0:  # tolerated by Fast CDR; others count the ending zero
            return ''
        try:
            return self._content[start : start + length - 1].decode()
        except UnicodeDecodeError:
            raise MessageError(f'{what}: got bytes that are not UTF-8') from None

    def names(self, largest: int, what: str) -> tuple[str, ...]:
        """Read a sequence of at most ``largest`` strings."""
        count = self.length(what)
        if count > largest:
            raise MessageError(f'{what}: got {count}, expected at most {largest}')
        return tuple(self.string(what) for _ in range(count))
