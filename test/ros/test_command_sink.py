"""Commands in each form, as a subscriber of that form sees them."""
from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
import rclpy
from rclpy.executors import SingleThreadedExecutor
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64, Float64MultiArray

from id_controller.errors import ParameterError
from id_controller.parameters.groups import Output
from id_controller.ros.command_sink import Drive, command_topics, create_sink
from id_controller.state import Reference

JOINTS = ('a', 'b')
TAU = np.array([3.0, -4.0])
REFERENCE = Reference(
    np.array([0.1, 0.2]), np.array([1.1, 1.2]), np.array([2.1, 2.2]), np.zeros(2)
)


def drive() -> Drive:
    return Drive(np.array([50.0, 60.0]), np.array([5.0, 6.0]), np.array([1.0, 0.5]))


@pytest.fixture(params=[True, False], ids=['bytes', 'objects'])
def raw(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


def sent(context: Any, output: Output, kind: Any, raw: bool) -> list[Any]:
    """Publish once and return what came on each topic."""
    node = rclpy.create_node('sink', context=context)
    topics = tuple('/' + topic for topic in command_topics(output, JOINTS))
    got: dict[str, Any] = {}
    for topic in topics:
        node.create_subscription(kind, topic, lambda m, topic=topic: got.update({topic: m}), 10)
    sink = create_sink(node, output, topics, JOINTS, drive, raw)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    end = time.monotonic() + 5.0
    while sink.subscribers() == 0 and time.monotonic() < end:
        time.sleep(0.01)
    sink.publish(TAU, REFERENCE)
    while len(got) < len(topics):
        assert time.monotonic() < end
        executor.spin_once(timeout_sec=0.05)
    return [got[topic] for topic in topics]


@pytest.mark.parametrize(('fields', 'expected'), [
    ('effort', [3.0, -4.0]),
    ('effort_position', [3.0, -4.0, 0.1, 0.2]),
    ('impedance', [0.1, 0.2, 1.1, 1.2, 50.0, 60.0, 5.0, 6.0, 2.0, -4.5]),
])
def test_b99_forward_command_holds_the_wanted_fields(
    context: Any, raw: bool, fields: str, expected: list[float]
) -> None:
    output = Output(type='forward_command', fields=fields)
    (message,) = sent(context, output, Float64MultiArray, raw)
    assert list(message.data) == expected


def test_joint_force_has_a_topic_for_each_joint(context: Any, raw: bool) -> None:
    output = Output(type='joint_force', controller='model')
    assert command_topics(output, JOINTS) == ('model/a/cmd_force', 'model/b/cmd_force')
    first, second = sent(context, output, Float64, raw)
    assert (first.data, second.data) == (3.0, -4.0)


def test_joint_state_names_its_joints(context: Any, raw: bool) -> None:
    output = Output(type='joint_state', fields='effort_position')
    (message,) = sent(context, output, JointState, raw)
    assert message.name == ['a', 'b']
    assert list(message.effort) == [3.0, -4.0] and list(message.position) == [0.1, 0.2]


def test_fields_that_do_not_fit_are_refused(context: Any) -> None:
    node = rclpy.create_node('sink', context=context)
    with pytest.raises(ParameterError, match='output.fields: got .impedance.*joint_force'):
        create_sink(node, Output(type='joint_force', fields='impedance'), ('/a', '/b'), JOINTS)
    with pytest.raises(ParameterError, match='output.topic'):
        command_topics(Output(type='joint_force', topic='one'), JOINTS)
