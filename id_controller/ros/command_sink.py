"""Commands to a topic, in each of the forms that robots and simulators take."""
from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from rclpy.node import Node
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState as JointStateMessage
from std_msgs.msg import Float64, Float64MultiArray

from id_controller.errors import ParameterError
from id_controller.parameters.groups import Output
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
) -> CommandSink:
    """
    Create the publishers of an output.

    :param topics: Absolute names, as ``command_topics`` orders them.
    :param drive: Asked at each command when the fields are those of ``impedance``.
    :raises ParameterError: when the message of this type cannot hold the wanted fields.
    """
    check_fields(output)
    if output.type == 'joint_force':
        return _JointForceSink(node, topics)
    if output.type == 'joint_state':
        return _JointStateSink(node, topics[0], output.fields, joints)
    return _ForwardCommandSink(node, topics[0], output.fields, drive)


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
        self, node: Node, topic: str, fields: str, drive: Callable[[], Drive] | None
    ) -> None:
        self._publisher = node.create_publisher(Float64MultiArray, topic, RELIABLE)
        self._message = Float64MultiArray()
        self._echo = fields == 'effort_position'
        self._drive = drive if fields == 'impedance' else None

    def publish(self, tau: Vector, reference: Reference) -> None:
        self._message.data = array('d', self._content(tau, reference))
        self._publisher.publish(self._message)

    def _content(self, tau: Vector, reference: Reference) -> bytes:
        """Blocks tau; tau, q; or q, v, kp, kd, tau."""
        if self._drive is not None:
            kp, kd, feedback = self._drive()
            blocks = (reference.q, reference.v, kp, kd, tau - feedback)
            return b''.join(block.tobytes() for block in blocks)
        return tau.tobytes() + reference.q.tobytes() if self._echo else tau.tobytes()

    def subscribers(self) -> int:
        return int(self._publisher.get_subscription_count())


class _JointForceSink:
    """std_msgs/Float64 for each joint, as Gazebo's ApplyJointForce takes it through the bridge."""

    def __init__(self, node: Node, topics: tuple[str, ...]) -> None:
        self._publishers = [node.create_publisher(Float64, topic, RELIABLE) for topic in topics]
        self._message = Float64()

    def publish(self, tau: Vector, reference: Reference) -> None:
        for publisher, effort in zip(self._publishers, tau.tolist()):
            self._message.data = effort
            publisher.publish(self._message)

    def subscribers(self) -> int:
        return min(int(publisher.get_subscription_count()) for publisher in self._publishers)


class _JointStateSink:
    """sensor_msgs/JointState, as Isaac Sim and many drivers take it."""

    def __init__(self, node: Node, topic: str, fields: str, joints: tuple[str, ...]) -> None:
        self._publisher = node.create_publisher(JointStateMessage, topic, RELIABLE)
        self._message: Any = JointStateMessage(name=list(joints))
        self._echo = fields == 'effort_position'
        self._clock = node.get_clock()

    def publish(self, tau: Vector, reference: Reference) -> None:
        self._message.header.stamp = self._clock.now().to_msg()
        self._message.effort = array('d', tau.tobytes())
        if self._echo:
            self._message.position = array('d', reference.q.tobytes())
        self._publisher.publish(self._message)

    def subscribers(self) -> int:
        return int(self._publisher.get_subscription_count())
