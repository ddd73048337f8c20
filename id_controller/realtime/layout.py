"""
Where everything lies in the memory that the host and the control process share.

One file holds a header, four counters, the slots of the snapshots and the ring of ticks. All
sizes follow from five numbers, which the header carries, so that each side computes the same
layout and refuses a memory that is not one.
"""
from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from id_controller.control.settings_record import record_size
from id_controller.errors import MailboxError
from id_controller.trajectory.trajectory import slot_size

MAGIC = b'IDCTRLMB'
VERSION = 2
SETTINGS_SLOTS = 2
TRAJECTORY_SLOTS = 3
TICKS = 4096

_HEADER = struct.Struct('=8sIIIIIIQQ')
_LINE = 64
_PAGE = 4096

CONTROL_BEAT, HOST_BEAT, REALTIME, WRITTEN = 2 * _LINE, 3 * _LINE, 4 * _LINE, 5 * _LINE
"""
Byte offsets of the counters, a cache line each.

The line REALTIME holds whether the control process runs under SCHED_FIFO, the median and the 99th
percentile of its self-test, ns, and how many states it could not use.
"""

LEFT = 2**64 - 1
"""Tick counter of a control process that has run its exit policy."""

WHOLE_FIELDS = (
    'tick', 'now_ns', 'steady_ns', 'mode', 'fault', 'lateness_ns', 'take_ns', 'compute_ns',
    'publish_ns', 'age_ns', 'skipped', 'published', 'timed_out', 'trajectory', 'left_ns',
)
VECTOR_FIELDS = ('q', 'v', 'q_ref', 'v_ref', 'a_ref', 'tau')


def _rounded(size: int, to: int = _LINE) -> int:
    return -(-size // to) * to


@dataclass(frozen=True, kw_only=True, slots=True)
class Layout:
    """
    The layout for one robot.

    :param n: Number of joints.
    :param terms: Number of terms of the control law.
    :param points_max: Most points of a trajectory.
    :param ticks: Rows of the ring of ticks.
    :param nonce: Random number that tells this memory from any other.
    """

    n: int
    terms: int
    points_max: int
    ticks: int = TICKS
    nonce: int = 0

    @property
    def slots(self) -> tuple[tuple[int, int], ...]:
        """Offset and body size of every slot: settings first, then trajectories."""
        sizes = SETTINGS_SLOTS * (record_size(self.n),)
        sizes += TRAJECTORY_SLOTS * (slot_size(self.points_max, self.n),)
        found, offset = [], _PAGE
        for size in sizes:
            found.append((offset, size))
            offset += 2 * _LINE + _rounded(size)
        return tuple(found)

    @property
    def ring(self) -> int:
        """Offset of the ring of ticks."""
        offset, size = self.slots[-1]
        return _rounded(offset + 2 * _LINE + size, _PAGE)

    @property
    def row(self) -> npt.DTypeLike:
        """Structured type of one tick, padded to whole cache lines."""
        whole = [(name, np.int64) for name in WHOLE_FIELDS]
        vectors = [(name, np.float64, (self.n,)) for name in VECTOR_FIELDS]
        plain = np.dtype([*whole, *vectors, ('terms', np.float64, (self.terms, self.n))])
        names = plain.names or ()
        return np.dtype({
            'names': list(names),
            'formats': [plain[name] for name in names],
            'offsets': [plain.fields[name][1] for name in names] if plain.fields else [],
            'itemsize': _rounded(plain.itemsize),
        })

    @property
    def total(self) -> int:
        """Size of the whole memory in bytes."""
        return _rounded(self.ring + self.ticks * np.dtype(self.row).itemsize, _PAGE)

    def header(self) -> bytes:
        """Write the header."""
        return _HEADER.pack(
            MAGIC, VERSION, self.n, self.terms, self.points_max, self.ticks, 0, self.nonce,
            self.total,
        )


def layout_from_header(header: bytes, size: int) -> Layout:
    """
    Read a layout back and check that it is that of a memory of ``size`` bytes.

    :raises MailboxError: when the memory is not a mailbox of this version.
    """
    if len(header) < _HEADER.size or header[:8] != MAGIC:
        raise MailboxError(f'shared memory: got {header[:8]!r} at its start, expected {MAGIC!r}')
    _, version, n, terms, points_max, ticks, _, nonce, total = _HEADER.unpack_from(header)
    if version != VERSION:
        raise MailboxError(f'shared memory: got layout version {version}, expected {VERSION}')
    layout = Layout(n=n, terms=terms, points_max=points_max, ticks=ticks, nonce=nonce)
    if total != size or layout.total != size:
        raise MailboxError(
            f'shared memory: got {size} bytes with a header of {total}, expected {layout.total} '
            f'for {n} joints, {terms} terms, {points_max} points and {ticks} ticks'
        )
    return layout
