"""
The services that must answer whatever the rest of the host is doing.

They live on a node of their own, spun by a thread of its own, so that neither a long trajectory
nor a slow parameter callback delays a stop.
"""
from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import QoSProfile
from std_msgs.msg import Bool
from std_srvs.srv import Trigger

from id_controller.realtime.scheduling import prioritize_thread
from id_controller.ros.taking import best_effort

ABOVE = 1
"""The main thread, in priority."""
Answer = tuple[bool, str]


class SafetyNode:
    """
    Serves ``~/stop``, ``~/hold``, ``~/reset`` and listens to ``~/enable`` for the host node.

    :param host: The host node, whose name and context are taken.
    :param stop: Called by ``~/stop``, :param hold: by ``~/hold``, :param reset: by ``~/reset``.
    :param enable: Called with each ``~/enable``.
    :param robot_mode_topic: Where the robot says whether it follows commands; empty: nowhere.
    :param robot_mode: Called with what it says.
    """

    def __init__(
        self,
        host: Node,
        *,
        stop: Callable[[], Answer],
        hold: Callable[[], Answer],
        reset: Callable[[], Answer],
        enable: Callable[[bool], None],
        robot_mode_topic: str = '',
        robot_mode: Callable[[bool], None] = lambda follows: None,
    ) -> None:
        self._node = rclpy.create_node(
            f'{host.get_name()}_safety', namespace=host.get_namespace(), context=host.context,
            use_global_arguments=False, enable_rosout=False, start_parameter_services=False,
        )
        for name, action in (('stop', stop), ('hold', hold), ('reset', reset)):
            self._node.create_service(
                Trigger, f'{host.get_fully_qualified_name()}/{name}', _handler(action)
            )
        self._listen(f'{host.get_fully_qualified_name()}/enable', QoSProfile(depth=1), enable)
        if robot_mode_topic:
            # Whatever the robot offers: reliable, or only the last one, or as it comes.
            topic = host.resolve_topic_name(robot_mode_topic)
            self._listen(topic, best_effort(1), robot_mode)
        # Waking the executor itself does not end its wait.
        self._end: Any = self._node.create_guard_condition(lambda: None)
        self._executor = SingleThreadedExecutor(context=host.context)
        self._executor.add_node(self._node)
        self._running = True
        self._thread = threading.Thread(target=self._spin, name='safety', daemon=True)
        self._thread.start()

    def _listen(self, topic: str, qos: QoSProfile, heard: Callable[[bool], None]) -> None:
        self._node.create_subscription(Bool, topic, lambda message: heard(message.data), qos)

    def _spin(self) -> None:
        prioritize_thread(ABOVE)
        while self._running:
            try:
                self._executor.spin_once(timeout_sec=0.1)
            except ExternalShutdownException:
                return

    def close(self) -> None:
        """End the thread and the node."""
        self._running = False
        self._end.trigger()
        self._thread.join(timeout=1.0)
        self._executor.shutdown(timeout_sec=0.5)
        self._node.destroy_node()


def _handler(action: Callable[[], Answer]) -> Callable[[Any, Any], Any]:
    def handle(request: Any, response: Any) -> Any:
        response.success, response.message = action()
        return response

    return handle
