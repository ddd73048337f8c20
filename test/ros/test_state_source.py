"""Joint states from messages: by name, merged, aged by steady time, never poisoned."""
from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
import rclpy
from rclpy.qos import QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import JointState

from id_controller.ros.joint_state_codec import States
from id_controller.ros.messages import states_from_message
from id_controller.ros.state_source import JointStateSource
from id_controller.state import NANOSECONDS

JOINTS = ('a', 'b', 'c')


@pytest.fixture
def source(context: Any) -> JointStateSource:
    node = rclpy.create_node('source', context=context)
    return JointStateSource(node, '/joint_states', JOINTS)


def message(names: str, q: list[float], v: list[float] | None = None, stamp_ns: int = 0) -> Any:
    result = JointState(name=list(names), position=q)
    result.velocity = [10.0 * value for value in q] if v is None else v
    result.header.stamp.sec, result.header.stamp.nanosec = divmod(stamp_ns, NANOSECONDS)
    return result


def states(*args: Any, **kwargs: Any) -> States:
    return states_from_message(message(*args, **kwargs))


def test_b30_b32_joints_are_mapped_by_name_in_every_message(source: JointStateSource) -> None:
    source.merge(states('abc', [1.0, 2.0, 3.0]), 5)
    source.merge(states('xcbya', [9.0, 6.0, 5.0, 9.0, 4.0]), 7)
    state = source.take(8)
    assert state.q.tolist() == [4.0, 5.0, 6.0]
    assert state.v.tolist() == [40.0, 50.0, 60.0]
    assert state.complete and state.age_ns == 1


def test_b34_state_in_parts_is_as_old_as_its_oldest_part(source: JointStateSource) -> None:
    source.merge(states('a', [1.0]), 100)
    assert not source.take(110).complete
    source.merge(states('cb', [3.0, 2.0]), 150)
    state = source.take(160)
    assert state.complete and state.age_ns == 60
    assert state.q.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize('bad', [
    message('abc', [1.0, 2.0]),
    message('abc', []),
    message('abc', [1.0, 2.0, 3.0], [1.0]),
    message('abc', [1.0, float('nan'), 3.0]),
    message('abc', [1.0, 2.0, 3.0], [1.0, float('inf'), 3.0]),
])
def test_b31_b01_a_bad_message_leaves_no_trace(source: JointStateSource, bad: Any) -> None:
    source.merge(states('abc', [4.0, 5.0, 6.0]), 10)
    source.merge(states_from_message(bad), 20)
    state = source.take(30)
    assert state.q.tolist() == [4.0, 5.0, 6.0]
    assert state.age_ns == 20, 'what was refused does not count as received'
    assert source.rejected == 1


def test_b32_numbers_of_other_joints_do_not_matter(source: JointStateSource) -> None:
    source.merge(states('axbc', [1.0, float('nan'), 2.0, 3.0]), 10)
    assert source.take(10).q.tolist() == [1.0, 2.0, 3.0]


def test_a_joint_named_twice_is_no_state(source: JointStateSource) -> None:
    source.merge(states('aabc', [1.0, 2.0, 3.0, 4.0]), 10)
    assert not source.take(10).complete


def test_b31_missing_velocity_is_the_difference_of_positions(source: JointStateSource) -> None:
    source.merge(states('abc', [1.0, 2.0, 3.0], [], stamp_ns=1_000_000), 10)
    assert source.take(10).v.tolist() == [0.0, 0.0, 0.0]
    source.merge(states('abc', [1.5, 2.25, 2.0], [], stamp_ns=501_000_000), 12)
    np.testing.assert_allclose(source.take(12).v, [1.0, 0.5, -2.0])


def test_b31_without_stamps_the_difference_is_over_the_time_of_receipt(
    source: JointStateSource,
) -> None:
    source.merge(states('abc', [1.0, 2.0, 3.0], []), NANOSECONDS)
    source.merge(states('cb', [2.0, 2.25], []), NANOSECONDS + NANOSECONDS // 2)
    assert source.take(2 * NANOSECONDS).v.tolist() == [0.0, 0.5, -2.0]
    source.merge(states('abc', [9.0, 9.0, 9.0], []), NANOSECONDS + NANOSECONDS // 2)
    state = source.take(2 * NANOSECONDS)
    assert state.v.tolist() == [16.0, 0.0, 0.0], 'two at one time have no slope'


def test_what_is_repeated_or_comes_late_is_not_fresh(source: JointStateSource) -> None:
    source.merge(states('abc', [1.0, 2.0, 3.0], stamp_ns=5_000), 100)
    source.merge(states('abc', [1.0, 2.0, 3.0], stamp_ns=5_000), 200)
    source.merge(states('abc', [9.0, 9.0, 9.0], stamp_ns=4_000), 300)
    state = source.take(400)
    assert (state.age_ns, state.q.tolist()) == (300, [1.0, 2.0, 3.0])
    assert source.rejected == 0
    source.merge(states('abc', [1.5, 2.0, 3.0], stamp_ns=6_000), 500)
    assert source.take(500).age_ns == 0


def test_a_clock_that_was_set_back_counts_again(source: JointStateSource) -> None:
    source.merge(states('abc', [1.0, 2.0, 3.0], stamp_ns=9 * NANOSECONDS), 100)
    source.merge(states('abc', [4.0, 5.0, 6.0], stamp_ns=7 * NANOSECONDS), 200)
    assert source.take(200).q.tolist() == [4.0, 5.0, 6.0]


def test_joints_of_several_sources_have_stamps_of_their_own(source: JointStateSource) -> None:
    source.merge(states('ab', [1.0, 2.0], stamp_ns=9_000), 100)
    source.merge(states('c', [3.0], stamp_ns=8_000), 110)
    source.merge(states('c', [3.5], stamp_ns=8_500), 120)
    assert source.take(120).q.tolist() == [1.0, 2.0, 3.5]


def test_many_layouts_do_not_grow_memory(source: JointStateSource) -> None:
    for k in range(1000):
        extra = JointState(name=['a', 'b', 'c', f'wheel{k}'], position=[1.0, 2.0, 3.0, 4.0])
        source.merge(states_from_message(extra), 10)
    assert len(source._layouts) <= 16


@pytest.mark.parametrize(
    'reliability', [ReliabilityPolicy.RELIABLE, ReliabilityPolicy.BEST_EFFORT]
)
def test_b69_b97_age_is_by_receipt_for_either_publisher(context: Any, reliability: Any) -> None:
    node = rclpy.create_node('pair', context=context)
    source = JointStateSource(node, '/joint_states', JOINTS)
    publisher = node.create_publisher(
        JointState, '/joint_states', QoSProfile(depth=1, reliability=reliability)
    )
    hour_ahead = message('abc', [1.0, 2.0, 3.0], stamp_ns=time.time_ns() + 3600 * NANOSECONDS)
    end = time.monotonic() + 5.0
    while not source.take(time.monotonic_ns()).complete:
        assert time.monotonic() < end
        publisher.publish(hour_ahead)
        time.sleep(0.005)
    time.sleep(0.05)
    first = source.take(time.monotonic_ns())
    assert 0 <= first.age_ns < NANOSECONDS
    later = source.take(time.monotonic_ns() + NANOSECONDS)
    assert later.age_ns >= NANOSECONDS, 'it ages without messages, whatever their stamps say'
