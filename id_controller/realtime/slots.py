"""One slot of the shared memory: a snapshot between two copies of its number."""
from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from id_controller.errors import MailboxError

_LINE = 64
Bytes = npt.NDArray[np.uint8]


class Slot:
    """
    Room for one snapshot.

    The number in front is written before the body and the number behind after it, so a snapshot
    that was cut short shows two different numbers.

    :param memory: Bytes of the shared memory.
    :param offset: Where the slot starts, a multiple of 64.
    :param size: Size of the body in bytes.
    """

    def __init__(self, memory: memoryview, offset: int, size: int) -> None:
        self._memory = memory
        self._body = (offset + _LINE, offset + _LINE + size)
        behind = offset + _LINE + -(-size // _LINE) * _LINE
        self._front = memory[offset : offset + 8].cast('Q')
        self._behind = memory[behind : behind + 8].cast('Q')

    def write(self, number: int, fill: Callable[[memoryview], object]) -> None:
        """Write a snapshot; ``fill`` writes the body."""
        self._front[0] = number
        with self._memory[slice(*self._body)] as body:
            fill(body)
        self._behind[0] = number

    def read(self, number: int) -> Bytes:
        """
        Return the body of a snapshot as a fresh read-only view, alive while anything looks in.

        :raises MailboxError: when the slot holds another snapshot or a torn one.
        """
        front, behind = self._front[0], self._behind[0]
        if front != number or behind != number:
            kind = 'a torn' if front != behind else 'another'
            raise MailboxError(
                f'slot holds {kind} snapshot: got {front} in front and {behind} behind, '
                f'expected {number}'
            )
        start, end = self._body
        body = np.ndarray((end - start,), np.uint8, self._memory, start)
        body.flags.writeable = False
        return body
