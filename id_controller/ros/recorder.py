"""
Writes down what is said on the topics, as cheaply as a process can that shares a machine with it.

Messages are taken as bytes, many at a time, and decoded when the recording is over: a callback
for each of 2000 messages a second would take the processor from what is being measured.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray, String

from id_controller.ros.messages import nanoseconds
from id_controller.ros.taking import drained
from id_controller.state import Matrix

Stamps = npt.NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, slots=True)
class Series:
    """
    One quantity over time.

    :param stamps: ns since the epoch, shape (m,).
    :param values: One row a sample, shape (m, columns).
    """

    stamps: Stamps
    values: Matrix


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """
    One status of a diagnostics message.

    :param sent_ns: When it was sent, ns since the epoch.
    """

    sent_ns: int
    name: str
    values: dict[str, str]


class Recorder:
    """
    Records one controller and its robot.

    :param node: A node that no executor spins.
    :param controller: Full name of the controller's node.
    :param command_topic: Where the controller sends Float64MultiArray commands.
    """

    def __init__(self, node: Node, controller: str, command_topic: str) -> None:
        fast = QoSProfile(depth=1000, reliability=ReliabilityPolicy.BEST_EFFORT)
        sure = QoSProfile(depth=1000)
        self._subscriptions = {
            topic: node.create_subscription(kind, topic, _never, qos, raw=True)
            for topic, kind, qos in (
                ('/joint_states', JointState, fast),
                (f'{controller}/reference', JointState, fast),
                (f'{controller}/terms', JointState, fast),
                (f'{controller}/events', String, sure),
                (command_topic, Float64MultiArray, sure),
                ('/diagnostics', DiagnosticArray, sure),
            )
        }
        self._controller = controller
        self._command_topic = command_topic
        self._taken: dict[str, list[tuple[bytes, int]]] = {
            topic: [] for topic in self._subscriptions
        }
        self._decoded: dict[str, list[Any]] = {topic: [] for topic in self._subscriptions}

    def poll(self) -> None:
        """Take what has come; call it at least five times a second."""
        for topic, subscription in self._subscriptions.items():
            taken = self._taken[topic]
            for content, info in drained(subscription, raw=True):
                taken.append((content, info['source_timestamp']))

    @property
    def commands_heard(self) -> int:
        """Number of commands so far."""
        return len(self._taken[self._command_topic])

    def commands(self, n: int) -> Series:
        """Efforts in the order of the controller's joints, stamped when they were sent."""
        rows = [message.data for message in self._messages(self._command_topic)]
        stamps = [stamp for _, stamp in self._taken[self._command_topic]]
        return _series(stamps, rows, n)

    def positions(self, joints: tuple[str, ...]) -> Series:
        """Measured positions."""
        return self._joint_series('/joint_states', joints, 'position')

    def reference(self, joints: tuple[str, ...], field: str) -> Series:
        """
        What the controller wants.

        :param field: ``position``, ``velocity`` or ``effort`` (the command).
        """
        return self._joint_series(f'{self._controller}/reference', joints, field)

    def terms(self, names: tuple[str, ...]) -> Series:
        """Terms of the law, by their names ``joint/term``."""
        return self._joint_series(f'{self._controller}/terms', names, 'effort')

    def term_names(self) -> tuple[str, ...]:
        """Names of the terms as last heard, empty before that."""
        messages = self._messages(f'{self._controller}/terms')
        return tuple(messages[-1].name) if messages else ()

    def events(self) -> list[str]:
        """Lines that the controller said."""
        return [message.data for message in self._messages(f'{self._controller}/events')]

    def reports(self) -> list[Report]:
        """Diagnostics of anyone."""
        found = []
        messages = self._messages('/diagnostics')
        for message, (_, stamp) in zip(messages, self._taken['/diagnostics']):
            for status in message.status:
                values = {pair.key: pair.value for pair in status.values}
                found.append(Report(sent_ns=stamp, name=status.name, values=values))
        return found

    def _messages(self, topic: str) -> list[Any]:
        """Decode what was not decoded yet."""
        known, kind = self._decoded[topic], self._subscriptions[topic].msg_type
        taken = self._taken[topic]
        known += [deserialize_message(raw, kind) for raw, _ in taken[len(known) :]]
        return known

    def _joint_series(self, topic: str, names: tuple[str, ...], field: str) -> Series:
        """Read one field of joint states by name; messages without all names are passed over."""
        columns: dict[tuple[str, ...], list[int]] = {}
        stamps, rows = [], []
        for message in self._messages(topic):
            order = tuple(message.name)
            if order not in columns:
                known = set(names) <= set(order)
                columns[order] = [order.index(name) for name in names] if known else []
            values = getattr(message, field)
            if columns[order] and len(values) == len(order):
                rows.append([values[column] for column in columns[order]])
                stamps.append(nanoseconds(message.header.stamp))
        return _series(stamps, rows, len(names))


def _series(stamps: Sequence[int], rows: Sequence[Sequence[float]], columns: int) -> Series:
    return Series(
        stamps=np.array(stamps, dtype=np.int64),
        values=np.array(rows, dtype=np.float64).reshape(len(rows), columns),
    )


def _never(message: Any) -> None:
    """Subscriptions must have a callback; no executor ever calls this one."""
