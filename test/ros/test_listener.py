"""The listener: what a controller said, wanted and measured, by the stamps of its own clock."""
from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import rclpy
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from id_controller.ros.description import LATCHED
from id_controller.ros.events import KEPT
from id_controller.ros.listener import Listener

NAME = '/left/id_controller'
JOINTS = ('a', 'b')


@pytest.fixture
def controller(context: Any) -> Iterator[Any]:
    node = rclpy.create_node('id_controller', namespace='/left', context=context)
    publish = {
        'events': node.create_publisher(String, '~/events', KEPT),
        'reference': node.create_publisher(JointState, '~/reference', 10),
        'states': node.create_publisher(JointState, 'joint_states', 10),
        'description': node.create_publisher(String, 'robot_description', LATCHED),
    }
    yield SimpleNamespace(**publish)
    node.destroy_node()


@pytest.fixture
def listener(context: Any, controller: Any) -> Iterator[Listener]:
    controller.events.publish(String(data='mode WAITING for STATE_STALE: too old'))
    controller.description.publish(String(data='<robot/>'))
    node = rclpy.create_node('listener', context=context)
    yield Listener(node, NAME)
    node.destroy_node()


def wait(listener: Listener, until: Callable[[], object], say: Callable[[], object]) -> None:
    """Say something again and again until it has come: streams may lose their beginning."""
    end = time.monotonic() + 10.0
    while not until():
        assert time.monotonic() < end
        say()
        time.sleep(0.01)
        listener.poll()


def nothing() -> None:
    """Wait for what was said already."""


def test_lines_of_before_are_kept_and_stamped_in_order(
    controller: Any, listener: Listener
) -> None:
    wait(listener, lambda: listener.mode == 'WAITING', nothing)
    wait(listener, lambda: listener.description == '<robot/>', nothing)
    controller.events.publish(String(data='trajectory accepted: 1 points, 2.000 s'))
    controller.events.publish(String(data='mode HOLD'))
    wait(listener, lambda: listener.mode == 'HOLD', nothing)
    lines = [heard.message for heard in listener.events]
    assert lines[-2:] == ['trajectory accepted: 1 points, 2.000 s', 'mode HOLD']
    stamps = [heard.sent_ns for heard in listener.events]
    assert stamps == sorted(stamps)
    assert stamps[0] > 0


def test_a_new_control_process_is_not_active(controller: Any, listener: Listener) -> None:
    controller.events.publish(String(data='control process 7 ticks at 1000 Hz, paced by steady'))
    wait(listener, lambda: listener.mode == 'INACTIVE', nothing)
    controller.events.publish(String(data='control process 7 was killed; ~/reset starts a new'))
    controller.events.publish(String(data='mode HOLD'))
    wait(listener, lambda: listener.mode == 'HOLD', nothing)


def test_the_reference_is_that_of_the_joints_asked_for(
    controller: Any, listener: Listener
) -> None:
    assert listener.wanted(JOINTS) is None
    message = JointState(name=JOINTS, position=[1.0, 2.0], velocity=[3.0, 4.0])
    wait(listener, lambda: listener.reference, lambda: controller.reference.publish(message))
    found = listener.wanted(JOINTS)
    assert found is not None
    assert found[0] == listener.reference.sent_ns
    assert (found[1].tolist(), found[2].tolist()) == ([1.0, 2.0], [3.0, 4.0])
    assert listener.wanted(('b', 'a')) is None


def test_states_are_collected_by_name(controller: Any, listener: Listener) -> None:
    def say() -> None:
        controller.states.publish(JointState(name=['b'], position=[2.0], velocity=[0.2]))
        controller.states.publish(JointState(name=['a', 'c'], position=[1.0, 9.0],
                                             velocity=[0.1, 0.9]))

    assert listener.measured(JOINTS) is None
    wait(listener, lambda: listener.measured(JOINTS), say)
    q, v = listener.measured(JOINTS)
    assert (q.tolist(), v.tolist()) == ([1.0, 2.0], [0.1, 0.2])
