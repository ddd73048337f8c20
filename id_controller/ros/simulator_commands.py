"""
Commands for the simulated robot, from each form that the controller sends.

Messages are taken straight from the middleware by the step loop; no executor wakes up for them.
"""
from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rclpy.callback_groups import CallbackGroup
from rclpy.node import Node
from sensor_msgs.msg import JointState as JointStateMessage
from std_msgs.msg import Float64, Float64MultiArray

from id_controller.parameters.groups import Output
from id_controller.ros.command_sink import RELIABLE, check_fields, command_topics
from id_controller.ros.waiting import MessageWait
from id_controller.state import NANOSECONDS, Vector

Decode = Callable[[list[Any]], 'Vector | str']
# Blocks of n numbers in a message, by output.fields.
_BLOCKS = {'effort': 1, 'effort_position': 2, 'impedance': 5}


class UntouchedGroup(CallbackGroup):
    """Callbacks that no executor may run: their owner takes the messages itself."""

    def can_execute(self, entity: Any) -> bool:
        """Keep executors from waiting for it."""
        return False

    def beginning_execution(self, entity: Any) -> bool:
        """Keep executors from running it."""
        return False

    def ending_execution(self, entity: Any) -> None:
        """Nothing was begun."""


class CommandReader:
    """
    The newest command for all joints.

    :param node: Node on which to subscribe.
    :param output: The form of the commands, as the controller's ``output`` parameters say it.
    :param joints: Joints in the order of the commands.
    :raises ParameterError: when the form is not possible.
    """

    def __init__(self, node: Node, output: Output, joints: tuple[str, ...]) -> None:
        check_fields(output)
        self._type, self._decode = _forms(output, joints)
        group = UntouchedGroup()
        self.topics = command_topics(output, joints)
        self._subscriptions = [
            node.create_subscription(
                self._type, topic, lambda message: None, RELIABLE, callback_group=group
            )
            for topic in self.topics
        ]
        self._handles = [subscription.handle for subscription in self._subscriptions]
        self._new: list[Any] = [None] * len(self._handles)
        self._impedance = output.fields == 'impedance'
        self._n = len(joints)
        self._waits = [MessageWait(node, one) for one in self._subscriptions]
        self.rejected = 0
        self.refusal = ''

    def take(self, q: Vector, v: Vector) -> Vector | None:
        """
        Take the newest command, complete for all joints.

        :param q: Positions, :param v: velocities on which a drive's own PD acts, shape (n,).
        :returns: Efforts, shape (n,), always finite; ``None`` when nothing new is there.
        """
        for i, handle in enumerate(self._handles):
            with handle:
                taken = handle.take_message(self._type, False)
            if taken is not None:
                self._new[i] = taken[0]
        if None in self._new:
            return None
        decoded = self._decode(self._new)
        self._new = [None] * len(self._handles)
        if not isinstance(decoded, str) and not np.isfinite(decoded).all():
            decoded = f'got {decoded.tolist()}, expected finite numbers'
        if isinstance(decoded, str):
            self.rejected += 1
            self.refusal = decoded
            return None
        return self._efforts(decoded, q, v)

    def _efforts(self, numbers: Vector, q: Vector, v: Vector) -> Vector:
        if not self._impedance:
            return numbers[:self._n]
        q_ref, v_ref, kp, kd, tau = numbers.reshape(5, self._n)
        efforts: Vector = tau + kp * (q_ref - q) + kd * (v_ref - v)
        return efforts

    def await_command(self, timeout_s: float, q: Vector, v: Vector) -> Vector | None:
        """
        Wait for the next command.

        :param timeout_s: Longest wall time to wait, s.
        """
        deadline = time.monotonic_ns() + round(timeout_s * NANOSECONDS)
        efforts = self.take(q, v)
        while efforts is None:
            left = deadline - time.monotonic_ns()
            if left <= 0:
                return None
            # All topics are needed, so it does not matter which of the missing ones wakes us.
            self._waits[self._new.index(None)](left / NANOSECONDS)
            efforts = self.take(q, v)
        return efforts

    def drain(self) -> int:
        """
        Throw away what has come, so that what comes next answers the next state.

        :returns: How many messages that were.
        """
        count = sum(message is not None for message in self._new)
        self._new = [None] * len(self._handles)
        for handle in self._handles:
            with handle:
                while handle.take_message(self._type, True) is not None:
                    count += 1
        return count


def _forms(output: Output, joints: tuple[str, ...]) -> tuple[Any, Decode]:
    """Type of the messages, and what makes numbers, or a refusal, of one for each topic."""
    if output.type == 'joint_force':
        return Float64, lambda messages: np.array([message.data for message in messages])
    if output.type == 'joint_state':
        return JointStateMessage, _by_name(joints)
    return Float64MultiArray, _by_order(_BLOCKS[output.fields] * len(joints), output.fields)


def _by_order(size: int, fields: str) -> Decode:
    def decode(messages: list[Any]) -> Vector | str:
        data = messages[0].data
        if len(data) != size:
            return f'got {len(data)} numbers, expected {size} ({fields} of each joint)'
        return np.array(data, dtype=np.float64)

    return decode


def _by_name(joints: tuple[str, ...]) -> Decode:
    places: dict[tuple[str, ...], list[int] | str] = {}

    def decode(messages: list[Any]) -> Vector | str:
        names = tuple(messages[0].name)
        if names not in places:
            # One order is kept: a sender that changes it each time must not fill the memory.
            places.clear()
            missing = [joint for joint in joints if names.count(joint) != 1]
            places[names] = [names.index(joint) for joint in joints] if not missing else (
                f'got joints {", ".join(names)}, expected {", ".join(missing)} once each'
            )
        place, effort = places[names], messages[0].effort
        if isinstance(place, str):
            return place
        if len(effort) != len(names):
            return f'got {len(effort)} efforts, expected {len(names)}, one for each name'
        return np.array(effort, dtype=np.float64)[place]

    return decode
