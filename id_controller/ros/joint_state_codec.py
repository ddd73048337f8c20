"""
sensor_msgs/JointState from its bytes: numbers where they lie, names only when they are new.

A source sends the same names in every message. The bytes from the frame id to the last name are
compared with those of the last messages; only other ones are read name by name. Numbers become
those of Python: in a tick that finds the caches cold a call of numpy takes longer than all of it.
"""
from __future__ import annotations

import struct
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from id_controller.errors import MessageError
from id_controller.ros.cdr import HEADER, CdrReader
from id_controller.state import NANOSECONDS

NAMES_MAX = 1000
"""More names than that are no robot, and reading them would take a tick."""
BLOCK_MAX = 65536
"""Most bytes of frame id and names, because they are kept."""
_LAYOUTS_KEPT = 16
_BLOCK = HEADER + 8  # behind the stamp


class States(NamedTuple):
    """
    What a message says.

    :param names: Joints; the same object while the layout is the same.
    :param q: Positions; empty where there are none.
    :param v: Velocities; empty where there are none.
    """

    names: tuple[str, ...]
    q: Sequence[float]
    v: Sequence[float]
    stamp_ns: int


class _Layout:
    """
    A block of names as some source sends it, and where the numbers behind it lie.

    A source sends as many numbers each time too; where they lie is found anew when it does not.

    :param content: A message that has it.
    :raises MessageError: when it cannot be read.
    """

    def __init__(self, content: bytes) -> None:
        reader = CdrReader(content)
        reader.time_ns('stamp')
        reader.string('frame id')
        self.names = reader.names(NAMES_MAX, 'names')
        self.header = content[:2]
        self.block = content[_BLOCK : reader.offset]
        if len(self.block) > BLOCK_MAX:
            raise MessageError(
                f'frame id and names: got {len(self.block)} bytes, expected at most {BLOCK_MAX}'
            )
        self._find_numbers(content)

    def _find_numbers(self, content: bytes) -> None:
        reader = CdrReader(content)
        form, end, sizes = f'{reader.order}{HEADER}xiI', _BLOCK, []
        reader.offset = _BLOCK + len(self.block)
        for what in ('position', 'velocity'):
            reader.align(4)
            count = reader.offset
            start, size = reader.doubles(what)
            if size > NAMES_MAX:
                raise MessageError(f'{what}: got {size} numbers, expected at most {NAMES_MAX}')
            form += f'{count - end}xI{start - count - 4}x{size}d'
            end = reader.offset
            sizes.append(size)
        self._unpack, self._end = struct.Struct(form).unpack_from, end
        self._sizes, self._between = tuple(sizes), 3 + sizes[0]

    def read(self, content: bytes) -> States:
        """
        Read a message that has this block.

        :raises MessageError: when its numbers cannot be read.
        """
        words = self._unpack(content) if len(content) >= self._end else None
        if words is None or (words[2], words[self._between]) != self._sizes:
            self._find_numbers(content)
            words = self._unpack(content)
        between = self._between
        stamp_ns = words[0] * NANOSECONDS + words[1]
        return States(self.names, words[3:between], words[between + 1 :], stamp_ns)


class JointStateDecoder:
    """Reads messages of one topic, which several sources may share."""

    def __init__(self) -> None:
        self._layouts: deque[_Layout] = deque(maxlen=_LAYOUTS_KEPT)

    def decode(self, content: bytes) -> States:
        """
        Read a message.

        :raises MessageError: when it is cut short, not plain CDR, or has names without end.
        """
        for layout in self._layouts:
            if content.startswith(layout.block, _BLOCK) and content.startswith(layout.header):
                return layout.read(content)
        layout = _Layout(content)
        self._layouts.appendleft(layout)
        return layout.read(content)
