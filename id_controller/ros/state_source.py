"""
Joint states from a topic: drained each tick, merged by joint name, aged by steady receive time.

Arms, grippers and wheels often share ``joint_states``, and some robots publish their joints in
several messages; so every message is mapped by name and each joint has an age of its own.
"""
from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from rclpy.node import Node
from sensor_msgs.msg import JointState as JointStateMessage

from id_controller.control.limits import numbers_within
from id_controller.errors import MessageError
from id_controller.ros.joint_state_codec import JointStateDecoder, States
from id_controller.ros.messages import states_from_message
from id_controller.ros.taking import create_taker
from id_controller.state import NANOSECONDS, JointState, Vector

DEPTH = 5
_LAYOUTS_KEPT = 16
_NEVER = int(np.iinfo(np.int64).min // 2)
Indices = npt.NDArray[np.intp] | slice


class _Layout(NamedTuple):
    """
    Which of our joints a message has.

    :param theirs: Where they are in the message, :param ours: and in the state.
    :param whole: Whether they are all of ours.
    """

    theirs: Indices
    ours: Indices
    whole: bool


class JointStateSource:
    """
    The newest state of the controlled joints.

    :param node: A node that no executor spins; messages are taken by ``take``.
    :param topic: Absolute topic name.
    :param joints: Controlled joints, the order of everything returned.
    :param raw: Whether messages are taken as bytes.
    :param rejected: One number, which counts the messages that could not be used.
    """

    def __init__(
        self,
        node: Node,
        topic: str,
        joints: tuple[str, ...],
        raw: bool = True,
        rejected: list[int] | memoryview | None = None,
    ) -> None:
        self._taker = create_taker(node, JointStateMessage, topic, DEPTH, raw)
        self.subscription, self.warning = self._taker.subscription, self._taker.warning
        self._read = JointStateDecoder().decode if self._taker.raw else states_from_message
        self._index = {joint: i for i, joint in enumerate(joints)}
        self._layouts: dict[tuple[str, ...], _Layout | None] = {}
        n = len(joints)
        self._q, self._v = np.zeros(n), np.zeros(n)
        self._received = np.full(n, _NEVER, dtype=np.int64)
        self._stamps = np.zeros(n, dtype=np.int64)
        self._oldest_ns = _NEVER
        self.stamp_ns = self._drained_ns = 0
        self._rejected = [0] if rejected is None else rejected

    @property
    def rejected(self) -> int:
        """Messages that could not be used."""
        return int(self._rejected[0])

    def take(self, now_ns: int) -> JointState:
        """
        Drain the queue and return the merged state, valid until the next call.

        :param now_ns: Steady time.
        """
        self._drain(now_ns)
        oldest_ns = self._oldest_ns
        return JointState(self._q, self._v, now_ns - oldest_ns, oldest_ns > _NEVER)

    def take_stamp(self) -> int:
        """Drain the queue and return the stamp of the newest state in ns, 0 before the first."""
        self._drain(time.monotonic_ns())
        return self.stamp_ns

    def _drain(self, now_ns: int) -> None:
        offset_ns = now_ns - time.time_ns()
        for _ in range(DEPTH):
            taken = self._taker.take()
            if taken is None:
                break
            # The middleware stamps by the system clock; a step of that cannot lead out of the
            # time since the last look.
            received_ns = min(max(offset_ns + taken.received_ns, self._drained_ns), now_ns)
            try:
                self.merge(self._read(taken.content), received_ns)
            except MessageError:
                self._rejected[0] += 1
        self._drained_ns = now_ns

    def merge(self, states: States, now_ns: int) -> None:
        """
        Merge one message; one that cannot be used is counted and leaves no trace.

        :param states: What it says.
        :param now_ns: Steady time of its receipt.
        """
        names, q, v, stamp_ns = states
        layout = self._layout(names)
        if layout is None:
            return
        count = len(names)
        if len(q) != count or len(v) not in (0, count):
            self._rejected[0] += 1
            return
        theirs, ours, whole = layout
        q = q[theirs]
        v = v[theirs] if len(v) else self._difference(q, ours, stamp_ns, now_ns)
        if not (numbers_within(q) and numbers_within(v)):
            self._rejected[0] += 1
            return
        self._q[ours], self._v[ours] = q, v
        self._received[ours], self._stamps[ours] = now_ns, stamp_ns
        self._oldest_ns = now_ns if whole else int(self._received.min())
        self.stamp_ns = stamp_ns

    def _difference(self, q: Vector, ours: Indices, stamp_ns: int, now_ns: int) -> Any:
        """Velocity by difference, for drivers that send none; 0 until two messages are there."""
        by_stamp = stamp_ns - self._stamps[ours]
        elapsed = np.where(by_stamp > 0, by_stamp, now_ns - self._received[ours]) / NANOSECONDS
        known = (self._received[ours] > _NEVER) & (elapsed > 0.0)
        return np.where(known, (q - self._q[ours]) / np.where(known, elapsed, 1.0), 0.0)

    def _layout(self, names: tuple[str, ...]) -> _Layout | None:
        """Where our joints are in a message with these names; None: nowhere, or not once each."""
        if names not in self._layouts:
            if len(self._layouts) >= _LAYOUTS_KEPT:
                self._layouts.clear()
            pairs = [(i, self._index[name]) for i, name in enumerate(names) if name in self._index]
            theirs, ours = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
            unique = len(set(ours)) == len(ours) and pairs
            whole = len(ours) == len(self._index)
            self._layouts[names] = (
                _Layout(_indices(theirs), _indices(ours), whole) if unique else None
            )
        return self._layouts[names]


def _indices(numbers: list[int]) -> Indices:
    """Indices as a slice where they follow each other, which numpy takes faster."""
    first = numbers[0]
    if numbers == list(range(first, first + len(numbers))):
        return slice(first, first + len(numbers))
    return np.array(numbers, np.intp)
