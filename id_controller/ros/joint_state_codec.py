"""
sensor_msgs/JointState from its bytes: numbers where they lie, names only when they are new.

A source sends the same names in every message. The bytes from the frame id to the last name are
compared with those of the last messages; only other ones are read name by name.
"""
from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

import numpy as np

from id_controller.ros.cdr import HEADER, CdrReader
from id_controller.state import Vector

NAMES_MAX = 1000
"""More names than that are no robot, and reading them would take a tick."""
_LAYOUTS_KEPT = 16
_BLOCK = HEADER + 8  # behind the stamp


class States(NamedTuple):
    """
    What a message says, valid as long as its bytes.

    :param names: Joints; the same object while the layout is the same.
    :param q: Positions, shape (n,); empty where there are none.
    :param v: Velocities, shape (n,); empty where there are none.
    """

    names: tuple[str, ...]
    q: Vector
    v: Vector
    stamp_ns: int


class _Layout:
    """
    A block of names as some source sends it, and where the numbers behind it begin.

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
        self.start = reader.offset
        self._number: Any = np.dtype(f'{reader.order}f8')

    def read(self, content: bytes) -> States:
        """
        Read a message that has this block.

        :raises MessageError: when its numbers cannot be read.
        """
        reader = CdrReader(content)
        stamp_ns = reader.time_ns('stamp')
        reader.offset = self.start
        q, v = reader.doubles('position'), reader.doubles('velocity')
        return States(
            self.names,
            np.frombuffer(content, self._number, q.size, q.start),
            np.frombuffer(content, self._number, v.size, v.start),
            stamp_ns,
        )


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
            if content.startswith(layout.block, _BLOCK) and content[:2] == layout.header:
                return layout.read(content)
        layout = _Layout(content)
        self._layouts.appendleft(layout)
        return layout.read(content)
