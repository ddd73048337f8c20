"""Bytes say the same as message objects."""
from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from cdr_writer import joint_state_bytes, trajectory_bytes
from hypothesis import given, settings
from hypothesis import strategies as st
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64, Float64MultiArray
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from id_controller.errors import TrajectoryError
from id_controller.ros.command_codec import ArrayBytes, JointStateBytes, NumberBytes
from id_controller.ros.joint_state_codec import JointStateDecoder
from id_controller.ros.messages import TrajectoryMessage, states_from_message
from id_controller.ros.trajectory_codec import TrajectoryDecoder

POINTS_MAX = 10000
NUMBERS = st.floats(width=64, allow_nan=True)
TEXTS = st.text(st.characters(exclude_characters='\x00', exclude_categories=['Cs']), max_size=9)
STAMPS = st.tuples(st.integers(-(2**31), 2**31 - 1), st.integers(0, 2**32 - 1))


def stamped(message: Any, stamp: tuple[int, int], frame: str) -> Any:
    message.header.stamp.sec, message.header.stamp.nanosec = stamp
    message.header.frame_id = frame
    return message


@st.composite
def joint_states(draw: st.DrawFn) -> Any:
    n = draw(st.integers(0, 9))
    message = JointState(name=draw(st.lists(TEXTS, min_size=n, max_size=n)))
    for field in ('position', 'velocity', 'effort'):
        size = draw(st.sampled_from((n, n, n, 0, 1, n + 1)))
        setattr(message, field, draw(st.lists(NUMBERS, min_size=size, max_size=size)))
    return stamped(message, draw(STAMPS), draw(TEXTS))


@st.composite
def trajectories(draw: st.DrawFn) -> Any:
    n, m = draw(st.integers(0, 5)), draw(st.integers(0, 12))
    sizes = [draw(st.sampled_from((n, n, 0))) for _ in range(4)]
    odd = draw(st.integers(-12, 12))  # a point that is not like the others, if there is one
    message = JointTrajectory(joint_names=draw(st.lists(TEXTS, min_size=n, max_size=n)))
    random_ = random.Random(draw(st.integers(0, 2**32)))
    for k in range(m):
        rows = [
            [random_.uniform(-9.0, 9.0) for _ in range(size + (k == odd))] for size in sizes
        ]
        point = JointTrajectoryPoint(
            positions=rows[0], velocities=rows[1], accelerations=rows[2], effort=rows[3]
        )
        # Negative and huge times too: the codec judges nothing.
        point.time_from_start.sec = random_.randint(-(2**31), 2**31 - 1)
        point.time_from_start.nanosec = random_.randint(0, 2**32 - 1)
        message.points.append(point)
    return stamped(message, draw(STAMPS), draw(TEXTS))


def result(read: Any, *arguments: Any) -> Any:
    """What a read gives: arrays as bytes, so that nan equals nan, or the refusal."""
    try:
        return [
            field.astype('<f8').tobytes() if isinstance(field, np.ndarray) else field
            for field in read(*arguments)
        ]
    except TrajectoryError as error:
        return str(error)


def read_states(read: Any, content: Any) -> Any:
    names, q, v, stamp_ns = read(content)
    assert type(names) is type(q) is type(v) is tuple
    return names, np.array(q), np.array(v), stamp_ns


def read_fields(incoming: Any) -> tuple[Any, ...]:
    points = incoming.points(5)
    return (
        points.joints, points.times, points.q, points.v, points.a, points.effort, points.start_ns
    )


@settings(max_examples=1500)
@given(joint_states())
def test_joint_states_are_read_alike(message: Any) -> None:
    decoder = JointStateDecoder()
    expected = result(read_states, states_from_message, message)
    contents = [bytes(serialize_message(message))]
    contents += [joint_state_bytes(message, order) for order in '<>']
    for content in contents * 2:  # at the second time the layout is known
        assert result(read_states, decoder.decode, content) == expected


@settings(max_examples=300)
@given(st.lists(joint_states(), min_size=1, max_size=4), st.lists(st.sampled_from('<>')))
def test_one_source_may_change_what_it_sends(messages: list[Any], orders: list[str]) -> None:
    decoder = JointStateDecoder()
    for k, order in enumerate(orders):
        message = messages[k % len(messages)]
        message.name = messages[0].name  # the block is known from the second message on
        message.header.frame_id = messages[0].header.frame_id
        expected = result(read_states, states_from_message, message)
        assert result(read_states, decoder.decode, joint_state_bytes(message, order)) == expected


@settings(max_examples=1500)
@given(trajectories())
def test_trajectories_are_read_alike(message: Any) -> None:
    expected = result(read_fields, TrajectoryMessage(message))
    contents = [bytes(serialize_message(message))]
    contents += [trajectory_bytes(message, order) for order in '<>']
    for content in contents:
        decoder = TrajectoryDecoder(content, POINTS_MAX)
        assert decoder.count == len(message.points)
        assert decoder.stamp_ns == TrajectoryMessage(message).stamp_ns
        assert result(read_fields, decoder) == expected


@pytest.mark.parametrize('n', [1, 6, 7, 29])
@pytest.mark.parametrize('fields', ['q', 'qv', 'qva', 'qvae'])
def test_long_trajectories_of_every_alignment(n: int, fields: str) -> None:
    for frame in ('', 'abcd'):
        message = JointTrajectory(joint_names=[f'joint{k}' for k in range(n)])
        message.header.frame_id = frame
        for k in range(1000):
            point = JointTrajectoryPoint(positions=[k + 0.1 * i for i in range(n)])
            point.velocities = [2.0 * k] * (n if 'v' in fields else 0)
            point.accelerations = [3.0 * k] * (n if 'a' in fields else 0)
            point.effort = [4.0 * k] * (n if 'e' in fields else 0)
            point.time_from_start.nanosec = k
            message.points.append(point)
        decoder = TrajectoryDecoder(bytes(serialize_message(message)), POINTS_MAX)
        fields = result(read_fields, decoder)
        assert len(fields[2]) == 8 * 1000 * n
        assert fields == result(read_fields, TrajectoryMessage(message))


@settings(max_examples=300)
@given(st.lists(NUMBERS, max_size=40), st.data())
def test_b86_commands_are_written_as_the_middleware_reads_them(
    numbers: list[float], data: st.DataObject
) -> None:
    row = np.array(numbers)
    array = ArrayBytes(len(numbers))
    array.numbers[:] = row
    assert np.array_equal(
        deserialize_message(array.sealed(), Float64MultiArray).data, row, equal_nan=True
    )
    number = NumberBytes()
    number.numbers[0] = 2.5
    assert deserialize_message(number.sealed(), Float64).data == 2.5
    names = tuple(data.draw(st.lists(TEXTS, min_size=len(numbers), max_size=len(numbers))))
    has_position = data.draw(st.booleans())
    states = JointStateBytes(names, has_position)
    states.numbers[:] = row
    states.position[:] = 3.0
    message = deserialize_message(states.sealed(), JointState)
    assert tuple(message.name) == names and not message.velocity
    assert np.array_equal(message.effort, row, equal_nan=True)
    assert list(message.position) == [3.0] * (len(names) if has_position else 0)
    assert message.header.stamp.sec > 0
