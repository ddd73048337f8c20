"""The robot description: from a parameter, a file, or the topic, whichever is given first."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile
from std_msgs.msg import String

from id_controller.model.description_file import load_description
from id_controller.parameters.schema import Parameters
from id_controller.ros.mismatch import mismatch

LATCHED = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)


class DescriptionSource:
    """
    Knows the description as soon as there is one.

    :param node: Node whose ``robot_description`` topic is listened to.
    :param parameters: Where a text or a file may be given.
    :param changed: Called when the topic brings another text than the one in hand.
    :param say: Takes a line and its severity.
    :raises ModelError: when the file cannot be read.
    """

    def __init__(
        self,
        node: Node,
        parameters: Parameters,
        changed: Callable[[], None],
        say: Callable[[str, str], None],
    ) -> None:
        self.text = parameters.robot_description
        self.origin = 'parameter robot_description'
        self._changed = changed
        if not self.text and parameters.robot_description_file:
            self.text = load_description(parameters.robot_description_file)
            self.origin = parameters.robot_description_file
        self.given = bool(self.text)
        if not self.given:
            self.origin = f'topic {node.resolve_topic_name("robot_description")}'
            node.create_subscription(
                String, 'robot_description', self._receive, LATCHED, event_callbacks=mismatch(
                    'robot_description', say,
                    'publish it transient local, as robot_state_publisher does',
                ),
            )

    def _receive(self, message: Any) -> None:
        if message.data != self.text:
            self.text = message.data
            self._changed()
