"""What one controller says and where it and its robot are, taken when it is wanted."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from id_controller.ros.description import LATCHED
from id_controller.ros.events import KEPT
from id_controller.ros.taking import drained
from id_controller.state import Vector

_FAST = QoSProfile(depth=100, reliability=ReliabilityPolicy.BEST_EFFORT)


class Heard(NamedTuple):
    """
    A message.

    :param sent_ns: When it was sent, on the clock of who sent it, ns since the epoch.
    """

    sent_ns: int
    message: Any


class Listener:
    """
    Listens to a controller.

    :param node: A node that no executor spins.
    :param controller: Full name of the controller's node.
    """

    def __init__(self, node: Node, controller: str) -> None:
        space = controller.rpartition('/')[0]
        self._events = node.create_subscription(String, f'{controller}/events', _never, KEPT)
        self._references = node.create_subscription(
            JointState, f'{controller}/reference', _never, _FAST
        )
        self._states = node.create_subscription(JointState, f'{space}/joint_states', _never, _FAST)
        self._descriptions = node.create_subscription(
            String, f'{space}/robot_description', _never, LATCHED
        )
        self.mode = ''
        """The newest mode that was said; empty: none yet."""
        self.reference: Heard | None = None
        self.description = ''
        self._measured: dict[str, tuple[float, float]] = {}
        self.events: list[Heard] = []
        """Every line so far, the kept ones of before included."""

    def poll(self) -> None:
        """Take what has come; call it at least ten times a second."""
        for heard in _taken(self._events):
            line = heard.message.data
            self.events.append(Heard(heard.sent_ns, line))
            if line.startswith('mode '):
                self.mode = line.split()[1]
            elif line.startswith('control process') and 'ticks at' in line:
                # A new one, which says nothing of the mode that it begins in.
                self.mode = 'INACTIVE'
        for heard in _taken(self._references):
            self.reference = heard
        for heard in _taken(self._states):
            state = heard.message
            for name, q, v in zip(state.name, state.position, state.velocity):
                self._measured[name] = (q, v)
        for heard in _taken(self._descriptions):
            self.description = heard.message.data

    def wanted(self, joints: Sequence[str]) -> tuple[int, Vector, Vector] | None:
        """
        Return stamp, positions and velocities of the newest reference.

        :returns: None while there is none of these joints.
        """
        if self.reference is None:
            return None
        message = self.reference.message
        if tuple(message.name) != tuple(joints):
            return None
        return self.reference.sent_ns, np.array(message.position), np.array(message.velocity)

    def measured(self, joints: Sequence[str]) -> tuple[Vector, Vector] | None:
        """
        Return measured positions and velocities.

        :returns: None while there is a joint of which nothing was heard.
        """
        if not set(joints) <= set(self._measured):
            return None
        q, v = np.array([self._measured[joint] for joint in joints]).T
        return q, v


def _taken(subscription: Any) -> Iterator[Heard]:
    for message, info in drained(subscription, raw=False):
        yield Heard(info['source_timestamp'], message)


def _never(message: Any) -> None:
    """Subscriptions must have a callback; no executor ever calls this one."""
