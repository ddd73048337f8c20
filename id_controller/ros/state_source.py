"""
Joint states from a topic: drained each tick, merged by joint name, aged by steady receive time.

Arms, grippers and wheels often share ``joint_states``, and some robots publish their joints in
several messages; so every message is mapped by name and each joint has an age of its own.
"""
from __future__ import annotations

import time
from typing import Any

import numpy as np
import numpy.typing as npt
from rclpy.node import Node
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState as JointStateMessage

from id_controller.ros.messages import nanoseconds
from id_controller.state import NANOSECONDS, JointState

DEPTH = 5
_LAYOUTS_KEPT = 16
_NEVER = np.iinfo(np.int64).min // 2
Indices = npt.NDArray[np.intp]


class JointStateSource:
    """
    The newest state of the controlled joints.

    :param node: A node that no executor spins; messages are taken by ``take``.
    :param topic: Absolute topic name.
    :param joints: Controlled joints, the order of everything returned.
    """

    def __init__(self, node: Node, topic: str, joints: tuple[str, ...]) -> None:
        qos = QoSProfile(
            history=HistoryPolicy.KEEP_LAST, depth=DEPTH,
            reliability=ReliabilityPolicy.BEST_EFFORT,
        )
        self.subscription = node.create_subscription(
            JointStateMessage, topic, lambda message: None, qos
        )
        self._index = {joint: i for i, joint in enumerate(joints)}
        self._layouts: dict[tuple[str, ...], tuple[Indices, Indices] | None] = {}
        n = len(joints)
        self._q, self._v = np.zeros(n), np.zeros(n)
        self._received = np.full(n, _NEVER, dtype=np.int64)
        self._stamps = np.zeros(n, dtype=np.int64)
        self.stamp_ns = 0
        self._drained_ns = 0
        self.rejected = 0

    def take(self, now_ns: int) -> JointState:
        """
        Drain the queue and return the merged state, valid until the next call.

        :param now_ns: Steady time.
        """
        self._drain(now_ns)
        oldest = int(self._received.min())
        return JointState(self._q, self._v, now_ns - oldest, oldest > _NEVER)

    def take_stamp(self) -> int:
        """Drain the queue and return the stamp of the newest state in ns, 0 before the first."""
        self._drain(time.monotonic_ns())
        return self.stamp_ns

    def _drain(self, now_ns: int) -> None:
        handle = self.subscription.handle
        offset_ns = now_ns - time.time_ns()
        with handle:
            for _ in range(DEPTH):
                taken = handle.take_message(JointStateMessage, False)
                if taken is None:
                    break
                received_ns = offset_ns + taken[1]['received_timestamp']
                # The middleware stamps by the system clock; a step of that cannot lead out of
                # the time since the last look.
                self.merge(taken[0], min(max(received_ns, self._drained_ns), now_ns))
        self._drained_ns = now_ns

    def merge(self, message: Any, now_ns: int) -> None:
        """
        Merge one message; one that cannot be used is counted and leaves no trace.

        :param message: sensor_msgs/JointState.
        :param now_ns: Steady time of its receipt.
        """
        layout = self._layout(tuple(message.name))
        if layout is None:
            return
        theirs, ours = layout
        q = np.asarray(message.position)
        v = np.asarray(message.velocity)
        count = len(message.name)
        if len(q) != count or len(v) not in (0, count):
            self.rejected += 1
            return
        stamp = nanoseconds(message.header.stamp)
        q_new = q[theirs]
        v_new = v[theirs] if len(v) else self._difference(q_new, ours, stamp, now_ns)
        if not (np.isfinite(q_new).all() and np.isfinite(v_new).all()):
            self.rejected += 1
            return
        self._q[ours], self._v[ours] = q_new, v_new
        self._received[ours], self._stamps[ours] = now_ns, stamp
        self.stamp_ns = stamp

    def _difference(self, q: Any, ours: Indices, stamp: int, now_ns: int) -> Any:
        """Velocity by difference, for drivers that send none; 0 until two messages are there."""
        by_stamp = stamp - self._stamps[ours]
        elapsed = np.where(by_stamp > 0, by_stamp, now_ns - self._received[ours]) / NANOSECONDS
        known = (self._received[ours] > _NEVER) & (elapsed > 0.0)
        return np.where(known, (q - self._q[ours]) / np.where(known, elapsed, 1.0), 0.0)

    def _layout(self, names: tuple[str, ...]) -> tuple[Indices, Indices] | None:
        if names not in self._layouts:
            if len(self._layouts) >= _LAYOUTS_KEPT:
                self._layouts.clear()
            pairs = [(i, self._index[name]) for i, name in enumerate(names) if name in self._index]
            theirs, ours = zip(*pairs) if pairs else ((), ())
            unique = len(set(ours)) == len(ours) and pairs
            self._layouts[names] = (
                (np.array(theirs, np.intp), np.array(ours, np.intp)) if unique else None
            )
        return self._layouts[names]
