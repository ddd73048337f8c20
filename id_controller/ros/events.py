"""One line for whatever happens, on ``~/events`` and in the log; from any thread."""
from __future__ import annotations

from collections import deque

from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import String

DEPTH = 100
KEPT = QoSProfile(depth=DEPTH, durability=DurabilityPolicy.TRANSIENT_LOCAL)
"""Whoever comes late and asks for them gets the last lines too: they say what is waited for."""


class Events:
    """
    Lines are said at once by any thread and sent by the node's own.

    :param node: The host node.
    """

    def __init__(self, node: Node) -> None:
        self._publisher = node.create_publisher(String, '~/events', KEPT)
        self._logger = node.get_logger()
        self._waiting: deque[tuple[str, str]] = deque(maxlen=DEPTH)

    def say(self, line: str, severity: str = 'info') -> None:
        """
        Say a line.

        :param severity: ``info``, ``warning`` or ``error``.
        """
        self._waiting.append((severity, line))

    def send(self) -> None:
        """Publish and log what was said; for the node's own thread."""
        while self._waiting:
            severity, line = self._waiting.popleft()
            # A log call remembers its severity by its line in the source.
            if severity == 'error':
                self._logger.error(line)
            elif severity == 'warning':
                self._logger.warning(line)
            else:
                self._logger.info(line)
            self._publisher.publish(String(data=line))
