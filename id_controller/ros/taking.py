"""Messages of one subscription, taken when they are wanted and not when an executor says so."""
from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy

_DIRECT = 'take_message'
"""What we use of rclpy's private side; it is the same from Humble to Kilted."""


class Taken(NamedTuple):
    """
    One message.

    :param content: A message object, or the bytes of one.
    :param received_ns: System time at which the middleware received it.
    """

    content: Any
    received_ns: int


class Taker(Protocol):
    """Hands out what has come."""

    subscription: Any
    raw: bool
    """Whether messages come as bytes."""
    warning: str
    """What is not as it was asked for; empty: nothing."""

    def take(self) -> Taken | None:
        """Return the oldest message that was not taken yet, without waiting."""


def best_effort(depth: int) -> QoSProfile:
    """Return the quality of service for streams of which only the newest counts."""
    return QoSProfile(
        history=HistoryPolicy.KEEP_LAST, depth=depth, reliability=ReliabilityPolicy.BEST_EFFORT
    )


def drained(subscription: Any, raw: bool) -> Iterator[tuple[Any, dict[str, Any]]]:
    """
    Yield what has come to a subscription that nobody spins, without waiting.

    :param raw: Whether it was made for bytes.
    :returns: Messages, or their bytes, with what the middleware says of them.
    """
    with subscription.handle:
        while (found := subscription.handle.take_message(subscription.msg_type, raw)) is not None:
            yield found


def create_taker(node: Node, kind: Any, topic: str, depth: int, raw: bool) -> Taker:
    """
    Subscribe.

    :param node: A node that nobody spins.
    :param kind: Type of the message.
    :param depth: Length of the queue.
    :param raw: Whether bytes are wanted.
    """
    subscription = node.create_subscription(
        kind, topic, lambda message: None, best_effort(depth), raw=raw
    )
    try:
        taker = _DirectTaker(subscription, kind, raw)
        taker.take()
    except (AttributeError, TypeError):
        node.destroy_subscription(subscription)
        return _ExecutorTaker(node, kind, topic, depth)
    return taker


class _DirectTaker:
    """Asks the middleware: no executor, no wake-ups, no waiting."""

    warning = ''

    def __init__(self, subscription: Any, kind: Any, raw: bool) -> None:
        self.subscription, self.raw = subscription, raw
        self._handle, self._kind = subscription.handle, kind
        self._ask = getattr(subscription.handle, _DIRECT)

    def take(self) -> Taken | None:
        with self._handle:
            found = self._ask(self._kind, self.raw)
        return None if found is None else Taken(found[0], found[1]['received_timestamp'])


class _ExecutorTaker:
    """The way of any other node, for an rclpy that has changed inside."""

    raw = False
    warning = (
        'this rclpy offers no way to take messages without an executor: messages go through one, '
        'and ticks take longer; check that the version of rclpy is a released one'
    )

    def __init__(self, node: Node, kind: Any, topic: str, depth: int) -> None:
        self._taken: deque[Taken] = deque(maxlen=depth)
        self._depth = depth
        self.subscription = node.create_subscription(kind, topic, self._keep, best_effort(depth))
        self._clock = node.get_clock()
        self._executor = SingleThreadedExecutor(context=node.context)
        self._executor.add_node(node)

    def _keep(self, message: Any) -> None:
        self._taken.append(Taken(message, self._clock.now().nanoseconds))

    def take(self) -> Taken | None:
        if not self._taken:
            for _ in range(self._depth):
                self._executor.spin_once(timeout_sec=0.0)
        return self._taken.popleft() if self._taken else None
