"""Messages without an executor: the private way of rclpy, and the way around it."""
from __future__ import annotations

import time
from typing import Any

import pytest
import rclpy
from rclpy.serialization import deserialize_message
from sensor_msgs.msg import JointState

from id_controller.ros import taking
from id_controller.ros.state_source import JointStateSource
from id_controller.ros.taking import Taken, Taker, best_effort, create_taker


def taken(context: Any, taker: Taker) -> Taken:
    """Publish until a message comes, and return the first."""
    other = rclpy.create_node('other', context=context)
    publisher = other.create_publisher(JointState, '/states', best_effort(1))
    end = time.monotonic() + 5.0
    while (found := taker.take()) is None:
        assert time.monotonic() < end
        publisher.publish(JointState(name=['a'], position=[1.5], velocity=[2.5]))
        time.sleep(0.01)
    return found


def test_b75_messages_are_taken_without_an_executor_by_a_way_that_rclpy_has(context: Any) -> None:
    node = rclpy.create_node('taker', context=context)
    taker = create_taker(node, JointState, '/states', depth=5, raw=True)
    assert not taker.warning and taker.raw
    before_ns = time.time_ns()
    content, received_ns = taken(context, taker)
    assert isinstance(content, bytes)
    assert deserialize_message(content, JointState).velocity[0] == 2.5
    assert before_ns <= received_ns <= time.time_ns()


@pytest.mark.parametrize('private', [
    pytest.param('no_such_method', id='gone'),
    pytest.param('get_topic_name', id='takes other arguments'),
])
def test_without_it_messages_go_through_an_executor_with_one_warning(
    context: Any, monkeypatch: pytest.MonkeyPatch, private: str
) -> None:
    monkeypatch.setattr(taking, '_DIRECT', private)
    node = rclpy.create_node('taker', context=context)
    taker = create_taker(node, JointState, '/states', depth=5, raw=True)
    assert 'without an executor' in taker.warning and not taker.raw
    assert list(taken(context, taker).content.position) == [1.5]
    source = JointStateSource(
        rclpy.create_node('source', context=context), '/states', ('a',), raw=True
    )
    assert source.warning
    other = rclpy.create_node('other2', context=context)
    publisher = other.create_publisher(JointState, '/states', best_effort(1))
    end = time.monotonic() + 5.0
    while not source.take(time.monotonic_ns()).complete:
        assert time.monotonic() < end
        publisher.publish(JointState(name=['a'], position=[3.5], velocity=[2.5]))
        time.sleep(0.01)
    assert source.take(time.monotonic_ns()).q.tolist() == [3.5]
