"""Waiting for messages of one subscription without an executor, and the clock they bring."""
from __future__ import annotations

from typing import Any

from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.node import Node
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy
from rosgraph_msgs.msg import Clock

from id_controller.ros.messages import nanoseconds


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
        qos = QoSProfile(
            history=HistoryPolicy.KEEP_LAST, depth=1, reliability=ReliabilityPolicy.BEST_EFFORT
        )
        self.subscription = node.create_subscription(Clock, '/clock', lambda message: None, qos)
        self._now_ns = 0

    def now_ns(self) -> int:
        """Newest simulated time in ns, 0 before the first."""
        handle = self.subscription.handle
        with handle:
            taken = handle.take_message(Clock, False)
        if taken is not None:
            self._now_ns = nanoseconds(taken[0].clock)
        return self._now_ns
