"""Hostile bytes are refused: no other exception escapes, and nothing is read past the end."""
from __future__ import annotations

import random
from typing import Any

import pytest
from cdr_writer import joint_state_bytes, trajectory_bytes
from rclpy.serialization import serialize_message
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from id_controller.errors import MessageError, TrajectoryError
from id_controller.ros.joint_state_codec import BLOCK_MAX, NAMES_MAX, JointStateDecoder
from id_controller.ros.trajectory_codec import TrajectoryDecoder

FUZZED = 100_000


def trajectory(m: int) -> Any:
    message = JointTrajectory(joint_names=['a', 'bc'])
    for k in range(m):
        message.points.append(JointTrajectoryPoint(positions=[1.0, 2.0], velocities=[3.0, 4.0]))
        message.points[-1].time_from_start.sec = k
    return message


def read_trajectory(content: bytes) -> Any:
    return TrajectoryDecoder(content, 100).points(0)


def seeds() -> list[tuple[Any, bytes]]:
    state = JointState(name=['a', 'bc', 'def'], position=[1.0, 2.0, 3.0], velocity=[4.0] * 3)
    little = bytes(serialize_message(state))

    def read_state(content: bytes) -> Any:
        return JointStateDecoder().decode(content)

    def read_known_state(content: bytes) -> Any:
        decoder = JointStateDecoder()
        decoder.decode(little)
        return decoder.decode(content)

    return [
        (read_state, joint_state_bytes(state, '>')),
        (read_known_state, little),
        (read_trajectory, bytes(serialize_message(trajectory(6)))),
        (read_trajectory, trajectory_bytes(trajectory(7), '>')),
    ]


SEEDS = seeds()


def mutated(random_: random.Random, content: bytes) -> bytes:
    """Change, cut, lengthen or replace a message; counts become large as often as not."""
    changed = bytearray(content)
    for _ in range(random_.randint(1, 4)):
        at = random_.randrange(len(changed))
        way = random_.randrange(5)
        if way == 0:
            changed[at] = random_.randrange(256)
        elif way == 1:
            changed[at : at + 4] = random_.choice((b'\xff' * 4, b'\x00' * 4, b'\x40\x00\x00\x00'))
        elif way == 2 and at > 0:
            del changed[at:]
        elif way == 3:
            changed[at:at] = random_.randbytes(random_.randint(1, 9))
        else:
            changed[4:] = random_.randbytes(len(changed))
    return bytes(changed)


def test_hostile_bytes_give_values_or_a_refusal() -> None:
    random_ = random.Random(7)
    refused = read = 0
    for count in range(FUZZED):
        decode, content = SEEDS[count % len(SEEDS)]
        try:
            decode(mutated(random_, content))
            read += 1
        except (MessageError, TrajectoryError):
            refused += 1
    assert refused > FUZZED // 8 and read > FUZZED // 20


@pytest.mark.parametrize('cut', range(0, 60, 3))
def test_a_message_that_is_cut_short_is_refused(cut: int) -> None:
    for decode, content in SEEDS:
        with pytest.raises((MessageError, TrajectoryError)):
            decode(content[: min(cut, len(content) - 40)])


@pytest.mark.parametrize('m', range(1, 9))
@pytest.mark.parametrize('order', '<>')
def test_trajectories_of_every_length_are_refused_at_every_cut(m: int, order: str) -> None:
    content = trajectory_bytes(trajectory(m), order)
    for cut in range(len(content)):
        with pytest.raises(TrajectoryError):
            read_trajectory(content[:cut])
    assert len(read_trajectory(content).times) == m


def test_counts_are_bounded_before_anything_is_allocated() -> None:
    many = joint_state_bytes(JointState(), '<')
    huge = many[:20] + (2**31).to_bytes(4, 'little') + many[24:]
    with pytest.raises(MessageError, match=f'names: got {2**31}, expected at most {NAMES_MAX}'):
        JointStateDecoder().decode(huge)
    content = trajectory_bytes(JointTrajectory(), '<')
    endless = content[:-4] + (10**7).to_bytes(4, 'little')
    with pytest.raises(TrajectoryError, match='points: got 10000000, expected at most 100'):
        TrajectoryDecoder(endless, 100)
    with pytest.raises(TrajectoryError, match='positions: got .* bytes, expected'):
        TrajectoryDecoder(endless, 10**8).points(0)
    wide = joint_state_bytes(JointState(name=['a' * BLOCK_MAX]), '<')
    with pytest.raises(MessageError, match=f'expected at most {BLOCK_MAX}'):
        JointStateDecoder().decode(wide)
    long = joint_state_bytes(JointState(position=[0.0] * (NAMES_MAX + 1)), '<')
    with pytest.raises(MessageError, match=f'position: got {NAMES_MAX + 1} numbers'):
        JointStateDecoder().decode(long)
    with pytest.raises(MessageError, match='expected plain CDR'):
        JointStateDecoder().decode(b'\x00\x07' + many[2:])


def test_the_header_is_checked_though_the_names_are_known() -> None:
    content = joint_state_bytes(JointState(name=['a'], position=[1.0]), '<')
    decoder = JointStateDecoder()
    assert decoder.decode(content).q == (1.0,)
    with pytest.raises(MessageError, match='expected plain CDR'):
        decoder.decode(b'\x00\x07' + content[2:])
