"""Waiting for messages of one subscription without an executor, and the clock they bring."""
from __future__ import annotations

import contextlib
from typing import Any

from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.node import Node
from rosgraph_msgs.msg import Clock

from id_controller.errors import MessageError
from id_controller.ros.cdr import CdrReader
from id_controller.ros.messages import nanoseconds
from id_controller.ros.taking import create_taker


class MessageWait:
    """
    Waits on one subscription of a node that no executor spins.

    :param node: The node.
    :param subscription: One of its subscriptions.
    """

    def __init__(self, node: Node, subscription: Any) -> None:
        context: Any = node.context.handle
        self._context = context
        self._subscription = subscription
        self._set = _rclpy.WaitSet(1, 0, 0, 0, 0, 0, context)

    def __call__(self, timeout_s: float) -> bool:
        """Wait for a message, up to a time in s, and say whether there is one to take."""
        with self._context, self._subscription.handle:
            self._set.clear_entities()
            index = self._set.add_subscription(self._subscription.handle)
            self._set.wait(int(timeout_s * 1e9))
            return bool(self._set.is_ready('subscription', index))


class ClockSource:
    """
    The time of ``/clock``, taken when it is asked for.

    :param node: A node that no executor spins.
    """

    def __init__(self, node: Node) -> None:
        self._taker = create_taker(node, Clock, '/clock', depth=1, raw=True)
        self.subscription = self._taker.subscription
        self._now_ns = 0

    def now_ns(self) -> int:
        """Newest simulated time in ns, 0 before the first."""
        taken = self._taker.take()
        if taken is not None:
            with contextlib.suppress(MessageError):
                self._now_ns = self._read(taken.content)
        return self._now_ns

    def _read(self, content: Any) -> int:
        if self._taker.raw:
            return CdrReader(content).time_ns('clock')
        return nanoseconds(content.clock)
