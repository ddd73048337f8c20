"""
Joint states from a topic: drained each tick, merged by joint name, aged by steady receive time.

Arms, grippers and wheels often share ``joint_states``, and some robots publish their joints in
several messages; so every message is mapped by name and each joint has an age of its own.
"""
from __future__ import annotations

import math
import struct
import time
from collections.abc import Callable, Sequence
from functools import partial
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from rclpy.node import Node
from sensor_msgs.msg import JointState as JointStateMessage

from id_controller.errors import MessageError
from id_controller.ros.joint_state_codec import JointStateDecoder, States
from id_controller.ros.messages import states_from_message
from id_controller.ros.taking import create_taker
from id_controller.state import NANOSECONDS, JointState

DEPTH = 5
_LAYOUTS_KEPT = 16
_NEVER = -(2**62)
_CLOCK_BACK_NS = NANOSECONDS
"""A stamp that lies further back comes from a clock that was set back."""


class _Layout(NamedTuple):
    """
    Which of our joints a message has.

    :param joints: Their indices in the state, ascending.
    :param pick: Takes their numbers out of those of the message, in the order of the state.
    """

    joints: tuple[int, ...]
    pick: Callable[[Sequence[float]], Sequence[float]]


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
        self._names: tuple[str, ...] = ()
        self._layout: _Layout | None = None
        n = len(joints)
        numbers = np.zeros((2, n))
        self._q, self._v = numbers
        self._write = partial(struct.Struct(f'={2 * n}d').pack_into, numbers.data, 0)
        self._received, self._stamps = [_NEVER] * n, [0] * n
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

        :param now_ns: Steady time; what was drained after it is not drained again.
        """
        if now_ns > self._drained_ns:
            self._drain(now_ns)
        oldest_ns = self._oldest_ns
        return JointState(self._q, self._v, max(0, now_ns - oldest_ns), oldest_ns > _NEVER)

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

        Nor does one that is no newer than what is there, by its stamp: a driver that repeats its
        last measurement for ever sends nothing that is fresh. Where there are no stamps each
        message counts as new.

        :param states: What it says.
        :param now_ns: Steady time of its receipt.
        """
        names, q, v, stamp_ns = states
        if names is not self._names:  # it is, as long as one source sends
            self._names, self._layout = names, self._found(names)
        if self._layout is None:
            return
        joints, pick = self._layout
        if stamp_ns and -_CLOCK_BACK_NS < stamp_ns - self._stamps[joints[0]] <= 0:
            return
        n = len(names)
        if len(q) != n or len(v) not in (0, n):
            self._rejected[0] += 1
            return
        q = pick(q)
        v = pick(v) if v else self._difference(q, joints, stamp_ns, now_ns)
        # The norm of all is a number only where each of them is one.
        if not math.isfinite(math.hypot(*q, *v)):
            self._rejected[0] += 1
            return
        self._keep(joints, q, v, stamp_ns, now_ns)

    def _keep(
        self,
        joints: tuple[int, ...],
        q: Sequence[float],
        v: Sequence[float],
        stamp_ns: int,
        now_ns: int,
    ) -> None:
        n = len(self._received)
        if len(joints) == n:
            self._write(*q, *v)
            self._received, self._stamps = [now_ns] * n, [stamp_ns] * n
        else:
            for i, position, velocity in zip(joints, q, v):
                self._q[i], self._v[i] = position, velocity
                self._received[i], self._stamps[i] = now_ns, stamp_ns
        self._oldest_ns = min(self._received)
        self.stamp_ns = stamp_ns

    def _difference(
        self, q: Sequence[float], joints: tuple[int, ...], stamp_ns: int, now_ns: int
    ) -> list[float]:
        """Velocity by difference, for drivers that send none; 0 until two messages are there."""
        v = []
        for i, position in zip(joints, q):
            elapsed_ns = stamp_ns - self._stamps[i]
            if elapsed_ns <= 0:
                elapsed_ns = now_ns - self._received[i]
            known = self._received[i] > _NEVER and elapsed_ns > 0
            way = position - self._q.item(i)
            v.append(way / (elapsed_ns / NANOSECONDS) if known else 0.0)
        return v

    def _found(self, names: tuple[str, ...]) -> _Layout | None:
        """Where our joints are in a message with these names; None: nowhere, or not once each."""
        if names not in self._layouts:
            if len(self._layouts) >= _LAYOUTS_KEPT:
                self._layouts.clear()
            pairs = sorted(
                (self._index[name], i) for i, name in enumerate(names) if name in self._index
            )
            joints, places = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
            unique = joints and len(set(joints)) == len(joints)
            self._layouts[names] = _Layout(tuple(joints), _picker(places)) if unique else None
        return self._layouts[names]


def _picker(places: list[int]) -> Callable[[Sequence[float]], Sequence[float]]:
    """Make what takes the numbers at some places out of a sequence, as one of its own."""
    first = places[0]
    if places == list(range(first, first + len(places))):
        return itemgetter(slice(first, first + len(places)))
    return itemgetter(*places)
