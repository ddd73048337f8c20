"""
trajectory_msgs/JointTrajectory from its bytes, without a Python object for each point.

Points of one trajectory carry the same fields, so that they lie in memory at a constant stride.
Only the first may lie otherwise: where its numbers are depends on whether it begins at a multiple
of eight bytes, and all others begin where the numbers of the point before have left off. So two
points are read one by one; for the rest it is enough that all counts are where they must be.
"""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from id_controller.errors import MessageError, TrajectoryError
from id_controller.ros.cdr import CdrReader, Span
from id_controller.state import NANOSECONDS
from id_controller.trajectory.points import JointPoints, wrong_size

JOINTS_MAX = 1000
FIELDS = ('positions', 'velocities', 'accelerations', 'effort')


class _Point(NamedTuple):
    """Where a point lies: the counts and numbers of its fields, its time, and its end."""

    start: int
    counts: tuple[int, ...]
    fields: tuple[Span, ...]
    time: int
    end: int


class TrajectoryDecoder:
    """
    One message.

    :param content: Its bytes.
    :param points_max: Most points.
    :raises TrajectoryError: when it cannot be read or has too many points.
    """

    def __init__(self, content: bytes, points_max: int) -> None:
        self._content = content
        try:
            self._reader = CdrReader(content)
            self.stamp_ns = self._reader.time_ns('stamp')
            self._reader.string('frame id')
            self._joints = self._reader.names(JOINTS_MAX, 'joint names')
            self.count = self._reader.length('points')
            self._begin = self._reader.offset
        except MessageError as error:
            raise TrajectoryError(f'message: {error}') from None
        if self.count > points_max:
            raise TrajectoryError(f'points: got {self.count}, expected at most {points_max}')

    def points(self, start_ns: int) -> JointPoints:
        """
        Read the points.

        :param start_ns: Start on the clock of the controller; 0: now.
        :raises TrajectoryError: when they cannot be read or a field has the wrong size.
        """
        if not self.count:
            return JointPoints(
                joints=self._joints, times=np.empty(0), q=None, start_ns=start_ns
            )
        self._reader.offset = self._begin
        try:
            first = [self._point() for _ in range(min(self.count, 2))]
            self._check_sizes(first)
        except MessageError as error:
            raise TrajectoryError(f'message: {error}') from None
        return self._read(first, start_ns)

    def _point(self) -> _Point:
        """Move over one point."""
        reader = self._reader
        reader.align(4)
        start, counts, fields = reader.offset, [], []
        for name in FIELDS:
            reader.align(4)
            counts.append(reader.offset)
            fields.append(reader.doubles(name))
        reader.align(4)
        time = reader.skip(8, 'time from start')
        return _Point(start, tuple(counts), tuple(fields), time, reader.offset)

    def _check_sizes(self, first: list[_Point]) -> None:
        """
        Check that all points are there, and have a number for each joint in the same fields.

        :raises MessageError: when the message ends before they do.
        :raises TrajectoryError: when a field has the wrong size.
        """
        k = self._alike(first)
        other = one = first[0]
        if k < self.count:
            last = first[-1]
            self._reader.offset = last.start + (k + 1 - len(first)) * (last.end - last.start)
            other = self._point()
        n = len(self._joints)
        for name, here, there in zip(FIELDS, one.fields, other.fields):
            if here.size == there.size == n or not here.size + there.size:
                continue
            point, got = (k, there.size) if here.size == n else (0, here.size)
            raise wrong_size(point, name, got, self._joints)

    def _alike(self, first: list[_Point]) -> int:
        """Count the points before one that has other sizes or is not wholly there."""
        last = first[-1]
        room = (len(self._content) - last.start) // (last.end - last.start)
        m = min(self.count, room + len(first) - 1)
        same = np.ones(m, dtype=bool)
        for k, span in enumerate(first[0].fields):
            counts = self._gathered([point.counts[k] for point in first], first, m, 'u4', 1)
            same &= counts[:, 0] == span.size
        return m if same.all() else int(same.argmin())

    def _gathered(
        self, starts: list[int], first: list[_Point], m: int, kind: str, width: int
    ) -> Any:
        """
        Copy numbers of the points.

        :param starts: Where they begin in the first points.
        :param m: How many points.
        :returns: Shape (m, width).
        """
        dtype = np.dtype(f'{self._reader.order}{kind}')
        strides = (first[-1].end - first[-1].start, dtype.itemsize)
        found = np.empty((m, width), dtype.newbyteorder('='))
        for rows, start in zip((found[:1], found[1:]), starts):
            rows[:] = np.ndarray(rows.shape, dtype, self._content, start, strides)
        return found

    def _read(self, first: list[_Point], start_ns: int) -> JointPoints:
        m, n = self.count, len(self._joints)
        q, v, a, effort = (
            self._gathered([point.fields[k].start for point in first], first, m, 'f8', n)
            if first[0].fields[k].size else None
            for k in range(len(FIELDS))
        )
        seconds = self._gathered([point.time for point in first], first, m, 'i4', 1)
        parts = self._gathered([point.time + 4 for point in first], first, m, 'u4', 1)
        times = (seconds[:, 0].astype(np.int64) * NANOSECONDS + parts[:, 0]) / NANOSECONDS
        return JointPoints(
            joints=self._joints, times=times, q=q, v=v, a=a, effort=effort, start_ns=start_ns
        )
