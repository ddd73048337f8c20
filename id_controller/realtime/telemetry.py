"""
The ring of ticks: the control process writes one row each tick, the host reads behind it.

The number of written rows is stored after a row; the reader stays one row behind it and drops
what the writer may have overtaken meanwhile.
"""
from __future__ import annotations

import struct
from typing import NamedTuple

import numpy as np

from id_controller.realtime.layout import VECTOR_FIELDS, WHOLE_FIELDS, WRITTEN, Layout
from id_controller.realtime.pacing import Tick
from id_controller.state import Command, JointState, Rows

_WHOLE = struct.Struct(f'={len(WHOLE_FIELDS)}q')


class Done(NamedTuple):
    """Steady times at which the parts of a tick were done, and whether a command went out."""

    taken_ns: int
    computed_ns: int
    published_ns: int
    published: bool


class TelemetryWriter:
    """
    Writes rows; few stores, because it runs in every tick.

    :param memory: Bytes of the shared memory.
    :param layout: Its layout.
    """

    def __init__(self, memory: memoryview, layout: Layout) -> None:
        row = np.dtype(layout.row)
        self._ring = memory[layout.ring : layout.ring + layout.ticks * row.itemsize]
        self._written = memory[WRITTEN : WRITTEN + 8].cast('Q')
        self._size, self._ticks = row.itemsize, layout.ticks
        numbers = (len(VECTOR_FIELDS) + layout.terms) * layout.n
        start = _WHOLE.size
        self._numbers = np.ndarray(
            (layout.ticks, numbers), np.float64, self._ring, start, (row.itemsize, 8)
        )
        self._count = 0

    def record(self, tick: Tick, state: JointState, command: Command, done: Done) -> None:
        """
        Write one tick.

        :param done: When its parts were done.
        """
        index = self._count % self._ticks
        q_ref, v_ref, a_ref, _ = command.reference
        parts = (state.q, state.v, q_ref, v_ref, a_ref, command.tau, command.terms.ravel())
        np.concatenate(parts, out=self._numbers[index])
        _WHOLE.pack_into(
            self._ring, index * self._size, self._count, tick.now_ns, tick.steady_ns, command.mode,
            command.fault, tick.lateness_ns, done.taken_ns - tick.steady_ns,
            done.computed_ns - done.taken_ns, done.published_ns - done.computed_ns, state.age_ns,
            tick.skipped, done.published, tick.timed_out, command.trajectory, command.left_ns,
        )
        self._count += 1
        self._written[0] = self._count


class TelemetryReader:
    """
    Reads rows; what it returns are copies.

    :param memory: Bytes of the shared memory.
    :param layout: Its layout.
    """

    def __init__(self, memory: memoryview, layout: Layout) -> None:
        self._ring = np.frombuffer(memory, layout.row, layout.ticks, layout.ring)
        self._written = memory[WRITTEN : WRITTEN + 8].cast('Q')
        self._ticks = layout.ticks

    @property
    def written(self) -> int:
        """Number of rows written so far."""
        return self._written[0]

    def latest(self) -> Rows:
        """Return the newest row that is surely whole, shape (1,), or shape (0,) without one."""
        return self.since(self.written - 3)[-1:]

    def since(self, tick: int) -> Rows:
        """
        Return the rows after ``tick`` in order; pass the last ``tick`` that was got.

        The newest row is left for the next call, and rows that the writer has overtaken are
        missing, which shows in the field ``tick``.
        """
        end = self.written - 1
        first = max(tick + 1, end - self._ticks + 2, 0)
        if first >= end:
            return self._ring[:0].copy()
        rows = self._ring.take(np.arange(first, end) % self._ticks)
        # The row under the writer's pen, and all before it, may be new ones by now.
        overtaken = self.written - self._ticks + 1
        whole = (rows['tick'] >= overtaken) & (rows['tick'] == np.arange(first, end))
        kept: Rows = rows[whole]
        return kept
