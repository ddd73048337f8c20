"""Hears every command, and notes when: the measure of the latencies."""
from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from rclpy.node import Node
from std_msgs.msg import Float64MultiArray

from id_controller.ros.taking import best_effort, drained
from id_controller.ros.waiting import MessageWait
from id_controller.state import Vector

DEPTH = 1000
WAIT_S = 0.005


class Heard(NamedTuple):
    """
    One command.

    :param at_ns: Steady time at which it was taken.
    :param sent_ns: System time at which it was sent.
    :param writer: Which publisher sent it.
    :param tau: Efforts.
    """

    at_ns: int
    sent_ns: int
    writer: bytes
    tau: Vector


class Listener:
    """
    Takes commands as bytes, in the calling thread and without an executor.

    :param node: A node that nobody spins.
    """

    def __init__(self, node: Node, topic: str) -> None:
        self._subscription: Any = node.create_subscription(
            Float64MultiArray, topic, lambda message: None, best_effort(DEPTH), raw=True
        )
        self._wait = MessageWait(node, self._subscription)

    def after(
        self,
        act: Callable[[], Any],
        seconds: float,
        over: Callable[[list[Heard]], bool] = lambda heard: False,
    ) -> tuple[int, list[Heard]]:
        """
        Act, and listen for a time.

        :param over: Ends it early, asked again and again with what was heard so far.
        :returns: Steady time just before the act, and the commands since then.
        """
        self._taken()
        heard: list[Heard] = []
        began_ns = time.monotonic_ns()
        act()
        while time.monotonic_ns() - began_ns < 1e9 * seconds and not over(heard):
            if self._wait(WAIT_S):
                heard += self._taken()
        return began_ns, heard

    def _taken(self) -> list[Heard]:
        found = []
        for content, info in drained(self._subscription, raw=True):
            # The sequence of numbers is all that ends the message.
            count = int.from_bytes(content[12:16], 'little')
            tau = np.frombuffer(content, np.float64, count, len(content) - 8 * count)
            writer = info['publisher_gid']['data']
            found.append(Heard(time.monotonic_ns(), info['source_timestamp'], writer, tau))
        return found
