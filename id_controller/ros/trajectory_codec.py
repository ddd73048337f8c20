"""
trajectory_msgs/JointTrajectory from its bytes, without a Python object for each point.

Points of one trajectory carry the same fields, so that they lie in memory at a constant stride,
but for alignment: a point that begins at a multiple of eight bytes may leave the next one at a
multiple of four, and that one lies otherwise. So there are three regular rows of points: the
first, every other one from the second, and every other one from the third.
"""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from id_controller.errors import MessageError, TrajectoryError
from id_controller.ros.cdr import CdrReader, Span
from id_controller.state import NANOSECONDS, Matrix
from id_controller.trajectory.points import JointPoints, points_from_rows

JOINTS_MAX = 1000
FIELDS = ('positions', 'velocities', 'accelerations', 'effort')
_PROBED = 3


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
        count = min(self.count, _PROBED)
        try:
            first = [self._point() for _ in range(count)]
            if count == _PROBED and self._alike(first):
                return self._at_once(first, start_ns)
            first += [self._point() for _ in range(self.count - count)]
        except MessageError as error:
            raise TrajectoryError(f'message: {error}') from None
        return self._one_by_one(first, start_ns)

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

    def _alike(self, first: list[_Point]) -> bool:
        """Whether all points carry the same fields with a number for each joint."""
        counts, *others = [[span.size for span in point.fields] for point in first]
        if not set(counts) <= {0, len(self._joints)} or others != [counts, counts]:
            return False
        last = first[1 + self.count % 2]
        repeats = (self.count - 2) // 2 - self.count % 2
        if last.end + repeats * self._stride(first) > len(self._content):
            return False
        return all(
            (self._gathered([point.counts[k] for point in first], first, 'u4', 1) == count).all()
            for k, count in enumerate(counts)
        )

    def _stride(self, first: list[_Point]) -> int:
        return first[2].end - first[1].start

    def _gathered(self, starts: list[int], first: list[_Point], kind: str, width: int) -> Any:
        """
        Copy numbers of all points.

        :param starts: Where they begin in the first three points.
        :returns: Shape (points, width).
        """
        m, stride = self.count, self._stride(first)
        dtype = np.dtype(f'{self._reader.order}{kind}')
        found = np.empty((m, width), dtype.newbyteorder('='))
        rows = (slice(0, 1), slice(1, None, 2), slice(2, None, 2))
        for row, start in zip(rows, starts, strict=True):
            shape = found[row].shape
            found[row] = np.ndarray(shape, dtype, self._content, start, (stride, dtype.itemsize))
        return found

    def _at_once(self, first: list[_Point], start_ns: int) -> JointPoints:
        n = len(self._joints)
        fields: list[Matrix | None] = [
            self._gathered([point.fields[k].start for point in first], first, 'f8', n)
            if first[0].fields[k].size else None
            for k in range(len(FIELDS))
        ]
        seconds = self._gathered([point.time for point in first], first, 'i4', 1)
        parts = self._gathered([point.time + 4 for point in first], first, 'u4', 1)
        q, v, a, effort = fields
        return JointPoints(
            joints=self._joints, times=_seconds(seconds[:, 0], parts[:, 0]),
            q=q, v=v, a=a, effort=effort, start_ns=start_ns,
        )

    def _one_by_one(self, points: list[_Point], start_ns: int) -> JointPoints:
        order, content = self._reader.order, self._content
        q, v, a, effort = (
            [np.frombuffer(content, f'{order}f8', *reversed(point.fields[k])) for point in points]
            for k in range(len(FIELDS))
        )
        starts = [point.time for point in points]
        words = [np.frombuffer(content, f'{order}i4', 2, start) for start in starts]
        pairs = np.array(words, np.int64).reshape(-1, 2)
        return points_from_rows(
            self._joints, _seconds(pairs[:, 0], pairs[:, 1] % 2**32), q, v=v, a=a,
            effort=effort, start_ns=start_ns,
        )


def _seconds(seconds: Any, nanoseconds: Any) -> Any:
    return (seconds.astype(np.int64) * NANOSECONDS + nanoseconds) / NANOSECONDS
