"""Commands to a topic, in each of the forms that robots and simulators take."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
from rclpy.node import Node
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64, Float64MultiArray

from id_controller.errors import ParameterError
from id_controller.parameters.groups import Output
from id_controller.ros.command_codec import ArrayBytes, JointStateBytes, NumberBytes
from id_controller.ros.command_messages import ArrayMessage, JointStateMessage, NumberMessage
from id_controller.state import Reference, Vector

RELIABLE = QoSProfile(
    history=HistoryPolicy.KEEP_LAST, depth=1, reliability=ReliabilityPolicy.RELIABLE
)
_TOPICS = {
    'forward_command': '{controller}/commands',
    'joint_force': '{controller}/{joint}/cmd_force',
    'joint_state': '{controller}/commands',
}


class CommandSink(Protocol):
    """Where commands go."""

    def publish(self, tau: Vector, reference: Reference) -> None:
        """Send one command."""

    def subscribers(self) -> int:
        """Count the subscribers of the topic that has the fewest."""


class Drive(NamedTuple):
    """
    What a drive with a PD of its own is to do, shape (n,) each.

    :param kp: Its gains; 0 where no feedback is allowed.
    :param feedback: The part of the command that its PD makes, left out of the torque.
    """

    kp: Vector
    kd: Vector
    feedback: Vector


def command_topics(output: Output, joints: tuple[str, ...]) -> tuple[str, ...]:
    """Relative names of the command topics, one, or one for each joint."""
    pattern = output.topic or _TOPICS[output.type]
    if output.type != 'joint_force':
        return (pattern.format(controller=output.controller, joint=''),)
    if '{joint}' not in pattern:
        raise ParameterError(f'output.topic: got {pattern!r}, expected {{joint}} in it')
    return tuple(pattern.format(controller=output.controller, joint=joint) for joint in joints)


def create_sink(
    node: Node,
    output: Output,
    topics: tuple[str, ...],
    joints: tuple[str, ...],
    drive: Callable[[], Drive] | None = None,
    raw: bool = True,
) -> CommandSink:
    """
    Create the publishers of an output.

    :param topics: Absolute names, as ``command_topics`` orders them.
    :param drive: Asked at each command when the fields are those of ``impedance``.
    :param raw: Whether messages are written as bytes.
    :raises ParameterError: when the message of this type cannot hold the wanted fields.
    """
    check_fields(output)
    if output.type == 'joint_force':
        number = NumberBytes if raw else NumberMessage
        return _JointForceSink(node, topics, [number() for _ in topics])
    if output.type == 'joint_state':
        states = JointStateBytes if raw else JointStateMessage
        return _JointStateSink(node, topics[0], states(joints, output.fields == 'effort_position'))
    array = ArrayBytes if raw else ArrayMessage
    blocks = {'effort': 1, 'effort_position': 2, 'impedance': 5}[output.fields]
    return _ForwardCommandSink(node, topics[0], array(blocks * len(joints)), blocks, drive)


def check_fields(output: Output) -> None:
    """
    Check that a message type can hold the wanted fields.

    :raises ParameterError: when it cannot.
    """
    possible = {
        'forward_command': ('effort', 'effort_position', 'impedance'),
        'joint_force': ('effort',),
        'joint_state': ('effort', 'effort_position'),
    }[output.type]
    if output.fields not in possible:
        raise ParameterError(
            f'output.fields: got {output.fields!r}, expected one of {", ".join(possible)} '
            f'with output.type {output.type}'
        )


class _ForwardCommandSink:
    """std_msgs/Float64MultiArray, as forward_command_controller takes it."""

    def __init__(
        self, node: Node, topic: str, form: Any, blocks: int, drive: Callable[[], Drive] | None
    ) -> None:
        self._publisher = node.create_publisher(Float64MultiArray, topic, RELIABLE)
        self._form, self._drive = form, drive
        self._blocks = form.numbers.reshape(blocks, -1)

    def publish(self, tau: Vector, reference: Reference) -> None:
        self._fill(tau, reference)
        self._publisher.publish(self._form.sealed())

    def _fill(self, tau: Vector, reference: Reference) -> None:
        """Blocks tau; tau, q; or q, v, kp, kd, tau."""
        blocks = self._blocks
        if len(blocks) == 5 and self._drive is not None:
            kp, kd, feedback = self._drive()
            blocks[0], blocks[1], blocks[2], blocks[3] = reference.q, reference.v, kp, kd
            np.subtract(tau, feedback, out=blocks[4])
            return
        blocks[0] = tau
        if len(blocks) == 2:
            blocks[1] = reference.q

    def subscribers(self) -> int:
        return int(self._publisher.get_subscription_count())


class _JointForceSink:
    """std_msgs/Float64 for each joint, as Gazebo's ApplyJointForce takes it through the bridge."""

    def __init__(self, node: Node, topics: tuple[str, ...], forms: list[Any]) -> None:
        self._publishers = [node.create_publisher(Float64, topic, RELIABLE) for topic in topics]
        self._forms = forms

    def publish(self, tau: Vector, reference: Reference) -> None:
        for publisher, form, effort in zip(self._publishers, self._forms, tau.tolist()):
            form.numbers[0] = effort
            publisher.publish(form.sealed())

    def subscribers(self) -> int:
        return min(int(publisher.get_subscription_count()) for publisher in self._publishers)


class _JointStateSink:
    """sensor_msgs/JointState, as Isaac Sim and many drivers take it."""

    def __init__(self, node: Node, topic: str, form: Any) -> None:
        self._publisher = node.create_publisher(JointState, topic, RELIABLE)
        self._form = form

    def publish(self, tau: Vector, reference: Reference) -> None:
        self._form.numbers[:] = tau
        if len(self._form.position):
            self._form.position[:] = reference.q
        self._publisher.publish(self._form.sealed())

    def subscribers(self) -> int:
        return int(self._publisher.get_subscription_count())
