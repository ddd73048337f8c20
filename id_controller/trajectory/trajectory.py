"""
A fitted trajectory: arrays only, in a layout that two processes can share.

In memory a trajectory is a header of eight int64 (magic, version, m, n, start_ns, steps,
has_effort, reserved) and then float64: times (m,), q, v, a, effort (m, n) each, coefficients
(m - 1, 6, n).
"""
from __future__ import annotations

from dataclasses import dataclass
from mmap import mmap
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from id_controller.errors import MailboxError
from id_controller.state import Matrix, Vector

Buffer: TypeAlias = bytes | bytearray | memoryview | mmap
Cube = npt.NDArray[np.float64]

ORDER = 6
_MAGIC = 0x6A6F696E74_7472
_VERSION = 1
_HEADER = 8
_HEADER_BYTES = 8 * _HEADER


def slot_size(points_max: int, n: int) -> int:
    """
    Bytes that a trajectory may take.

    :param points_max: Most points that it may have.
    :param n: Number of joints.
    """
    return _HEADER_BYTES + 8 * sum(_counts(points_max, n))


def _counts(m: int, n: int) -> tuple[int, ...]:
    """Numbers in times, q, v, a, effort and coefficients."""
    return (m, m * n, m * n, m * n, m * n, (m - 1) * ORDER * n)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Trajectory:
    """
    A trajectory of m points and n joints, in controller joint order.

    Between two points it is a polynomial of up to fifth degree in the time since the first of
    the two. At a point, v is that of the polynomial that begins there, and a what the points
    carry, else 0: without accelerations they step at each point anyway.

    :param times: Times of the points from the start, shape (m,), s, strictly increasing.
    :param q: Positions at the points, shape (m, n).
    :param v: Velocities at the points, shape (m, n).
    :param a: Accelerations at the points, shape (m, n).
    :param effort: Efforts at the points, shape (m, n); linear in between.
    :param coefficients: Of the polynomials, lowest power first, shape (m - 1, 6, n).
    :param start_ns: Time of the start; 0: when a follower takes it.
    :param steps: Whether the reference steps from point to point instead.
    :param has_effort: Whether any effort is not 0.
    """

    times: Vector
    q: Matrix
    v: Matrix
    a: Matrix
    effort: Matrix
    coefficients: Cube
    start_ns: int = 0
    steps: bool = False
    has_effort: bool = False

    def __post_init__(self) -> None:
        for array in self._arrays():
            array.flags.writeable = False

    @property
    def m(self) -> int:
        """Number of points."""
        return len(self.times)

    @property
    def n(self) -> int:
        """Number of joints."""
        return int(self.q.shape[1])

    @property
    def entrance(self) -> Matrix:
        """q, v and a with which the first point is reached, shape (3, n)."""
        if self.m > 1:
            return np.stack((self.q[0], self.v[0], self.a[0]))
        rest = np.zeros(self.n)
        return np.stack((self.q[0], rest, rest))

    def write_to(self, buffer: Buffer) -> int:
        """
        Copy the trajectory into foreign memory.

        :returns: Number of bytes written.
        :raises MailboxError: when the memory is too small.
        """
        size = slot_size(self.m, self.n)
        capacity = memoryview(buffer).nbytes
        if capacity < size:
            raise MailboxError(
                f'trajectory of {self.m} points and {self.n} joints: got a slot of '
                f'{capacity} bytes, expected at least {size}'
            )
        header = np.frombuffer(buffer, np.int64, _HEADER)
        header[:] = (
            _MAGIC, _VERSION, self.m, self.n, self.start_ns, self.steps, self.has_effort, 0
        )
        for target, array in zip(_arrays(buffer, self.m, self.n), self._arrays(), strict=True):
            target[...] = array
        return size

    def _arrays(self) -> tuple[Cube, ...]:
        return self.times, self.q, self.v, self.a, self.effort, self.coefficients

    @classmethod
    def view(cls, buffer: Buffer, n: int | None = None) -> Trajectory:
        """
        Use a trajectory where it lies: its arrays are read-only views of the memory.

        :param n: Number of joints that it must have; None: any.
        :raises MailboxError: when the memory holds no trajectory that fits into it.
        """
        m, joints, start_ns, steps, has_effort = _read_header(buffer)
        if n is not None and joints != n:
            raise MailboxError(f'trajectory: got {joints} joints, expected {n}')
        times, q, v, a, effort, coefficients = _arrays(buffer, m, joints)
        return cls(
            times=times, q=q, v=v, a=a, effort=effort, coefficients=coefficients,
            start_ns=start_ns, steps=bool(steps), has_effort=bool(has_effort),
        )


def _read_header(buffer: Buffer) -> list[int]:
    """m, n, start_ns, steps and has_effort, checked against the size of the memory."""
    capacity = memoryview(buffer).nbytes
    if capacity < _HEADER_BYTES:
        raise MailboxError(f'trajectory: got {capacity} bytes, expected at least {_HEADER_BYTES}')
    magic, version, *facts = (int(word) for word in np.frombuffer(buffer, np.int64, 7))
    if (magic, version) != (_MAGIC, _VERSION):
        raise MailboxError(
            f'trajectory: got magic {magic:#x} version {version}, '
            f'expected {_MAGIC:#x} version {_VERSION}'
        )
    m, n = facts[:2]
    if m < 1 or n < 1 or slot_size(m, n) > capacity:
        raise MailboxError(
            f'trajectory: got {m} points of {n} joints, expected what fits into {capacity} bytes'
        )
    return facts


def _arrays(buffer: Buffer, m: int, n: int) -> list[Cube]:
    """Views of the float64 part of the memory."""
    shapes = ((m,), (m, n), (m, n), (m, n), (m, n), (m - 1, ORDER, n))
    numbers = np.frombuffer(buffer, np.float64, sum(_counts(m, n)), _HEADER_BYTES)
    views, start = [], 0
    for count, shape in zip(_counts(m, n), shapes, strict=True):
        views.append(numbers[start : start + count].reshape(shape))
        start += count
    return views
