"""B97: a publisher whose offer does not suffice is an error line with the remedy."""
from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from std_msgs.msg import String
from trajectory_msgs.msg import JointTrajectory

from id_controller.parameters.flat import parameters_from_flat
from id_controller.ros.description import DescriptionSource
from id_controller.ros.inputs import Inputs

Line = tuple[str, str]


class Said(list[Line]):
    """In the place of events."""

    def say(self, line: str, severity: str = 'info') -> None:
        self.append((line, severity))


def heard(context: Any, make: Callable[[Any, Any], object], kind: Any, topic: str,
          qos: QoSProfile) -> list[Line]:
    """Make a subscriber and a publisher, and return what the first says."""
    node = rclpy.create_node('id_controller', context=context)
    said = Said()
    made = make(node, said)
    publisher = node.create_publisher(kind, topic, qos)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    end = time.monotonic() + 5.0
    while not said and time.monotonic() < end:
        executor.spin_once(timeout_sec=0.02)
    executor.shutdown(timeout_sec=0.5)
    assert made is not None and publisher is not None
    return said


def test_a_description_that_is_not_latched(context: Any) -> None:
    parameters = parameters_from_flat({'joints': ['a']})
    said = heard(
        context, lambda node, said: DescriptionSource(node, parameters, lambda: None, said.say),
        String, '/robot_description',
        QoSProfile(depth=1, durability=DurabilityPolicy.VOLATILE),
    )
    assert said == [(
        'robot_description: nothing is heard of a publisher because of its DURABILITY; '
        'publish it transient local, as robot_state_publisher does', 'error',
    )]


def test_a_trajectory_by_best_effort(context: Any) -> None:
    parameters = parameters_from_flat({'joints': ['a']})
    said = heard(
        context, lambda node, said: Inputs(node, said, parameters, lambda: None),
        JointTrajectory, '/id_controller/joint_trajectory',
        QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT),
    )
    assert len(said) == 1
    assert 'because of its RELIABILITY; publish it reliable' in said[0][0]
