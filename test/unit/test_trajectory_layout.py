"""A trajectory in memory that another process wrote."""
from __future__ import annotations

import struct

import numpy as np
import pytest

from id_controller.errors import MailboxError
from id_controller.trajectory.points import JointPoints
from id_controller.trajectory.spline import fit
from id_controller.trajectory.trajectory import Trajectory, slot_size

ARRAYS = ('times', 'q', 'v', 'a', 'effort', 'coefficients')


def trajectory(m: int = 4, n: int = 3, start_ns: int = 123, method: str = 'splines') -> Trajectory:
    draw = np.random.default_rng(m + n)
    q, v, effort = draw.normal(size=(3, m, n))
    return fit(JointPoints(
        joints=tuple('abcdefg'[:n]), times=np.arange(1.0, m + 1.0), q=q, v=v, effort=effort,
        start_ns=start_ns,
    ), method)


@pytest.mark.parametrize('m', [1, 2, 9])
@pytest.mark.parametrize('method', ['splines', 'none'])
def test_a_view_shows_what_was_written(m: int, method: str) -> None:
    given = trajectory(m, method=method)
    buffer = bytearray(slot_size(9, 3))
    assert given.write_to(buffer) == slot_size(m, 3)
    found = Trajectory.view(buffer, 3)
    for name in ARRAYS:
        assert np.array_equal(getattr(given, name), getattr(found, name))
    assert (found.m, found.n, found.start_ns) == (m, 3, 123)
    assert (found.steps, found.has_effort) == (method == 'none', True)


def test_a_view_copies_nothing_and_cannot_write() -> None:
    buffer = bytearray(slot_size(4, 3))
    trajectory().write_to(buffer)
    found = Trajectory.view(buffer)
    memory = np.frombuffer(buffer, np.uint8)
    for name in ARRAYS:
        array = getattr(found, name)
        assert np.shares_memory(array, memory)
        assert array.flags.aligned
        with pytest.raises(ValueError, match='read-only'):
            array[...] = 0.0


def test_the_size_of_a_slot() -> None:
    # 64 bytes of header; 2 times, 4 x 6 numbers at the points, 1 x 6 x 3 coefficients.
    assert slot_size(2, 3) == 64 + 8 * (2 + 24 + 18)


def test_a_slot_that_is_too_small() -> None:
    with pytest.raises(MailboxError, match='got a slot of 100 bytes, expected at least'):
        trajectory().write_to(bytearray(100))


@pytest.mark.parametrize(
    ('word', 'value', 'words'),
    [
        (0, 7, 'got magic 0x7'),
        (1, 2, 'version 2'),
        (2, 5, 'got 5 points of 3 joints'),
        (2, 0, 'got 0 points'),
        (2, -4, 'got -4 points'),
        (2, 2**62, 'points of 3 joints'),
        (3, 4, 'got 4 points of 4 joints'),
        (3, -3, 'of -3 joints'),
        (3, 2, 'got 2 joints, expected 3'),
    ],
)
def test_a_foreign_header_is_refused(word: int, value: int, words: str) -> None:
    buffer = bytearray(slot_size(4, 3))
    trajectory().write_to(buffer)
    struct.pack_into('q', buffer, 8 * word, value)
    with pytest.raises(MailboxError, match=words):
        Trajectory.view(buffer, 3)


def test_memory_without_a_trajectory_is_refused() -> None:
    with pytest.raises(MailboxError, match='got 63 bytes, expected at least 64'):
        Trajectory.view(bytearray(63))
    with pytest.raises(MailboxError, match='got magic 0x0'):
        Trajectory.view(bytearray(4096))
