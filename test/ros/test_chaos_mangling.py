"""What the mangler does to states."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import JointState

from id_controller.chaos.mangling import Mangler
from id_controller.chaos.schedule import STATES

MS = 1_000_000


def message(k: int = 0) -> bytes:
    state = JointState(name=['a', 'b', 'c'], position=[1.0 + k, 2.0, 3.0])
    state.velocity, state.effort = [0.1, 0.2, 0.3], [4.0, 5.0, 6.0]
    state.header.stamp.nanosec = 1000 + k
    return bytes(serialize_message(state))


def mangled(kind: str, count: int = 200) -> list[Any]:
    mangler = Mangler()
    mangler.begin(kind, 7)
    out = []
    for k in range(count):
        out += mangler.through(message(k), k * MS)
    return [deserialize_message(content, JointState) for content in out]


def test_every_kind_of_harm_exists_and_ends() -> None:
    mangler = Mangler()
    for kind in STATES:
        assert hasattr(mangler, f'_{kind}'), kind
    mangler.begin('drop', 1)
    mangler.begin('pass', 0)
    assert mangler.through(message(), 0) == [message()]


def test_states_are_lost_late_disordered_and_doubled() -> None:
    assert 40 < len(mangled('drop')) < 120
    late = [state.header.stamp.nanosec for state in mangled('late')]
    assert late != sorted(late)
    assert 150 < len(late) < 200
    disordered = [state.header.stamp.nanosec for state in mangled('reorder')]
    assert disordered != sorted(disordered)
    assert set(disordered) > set(range(1000, 1190))
    assert 300 < len(mangled('repeat')) < 500


def test_numbers_are_spoilt() -> None:
    noise = np.array([state.position[1] for state in mangled('noise')])
    assert 0.01 < noise.std() < 0.03
    spoilt = [[*state.position, *state.velocity] for state in mangled('not_a_number')]
    assert all(not np.isfinite(row).all() or min(row) < -1e299 for row in spoilt)
    jumped = {round(state.position[1], 3) for state in mangled('jump')}
    assert jumped == {2.0, 2.6}


def test_layouts_and_stamps_are_spoilt() -> None:
    for state in mangled('shuffle'):
        assert dict(zip(state.name, state.velocity)) == {'a': 0.1, 'b': 0.2, 'c': 0.3}
    assert {tuple(state.name) for state in mangled('shuffle')} > {('a', 'b', 'c')}
    assert all(len(state.velocity) == 0 for state in mangled('no_velocity'))
    assert {state.header.stamp.nanosec for state in mangled('freeze_stamp')} == {1000}


@pytest.mark.parametrize('seed', [1, 2])
def test_messages_are_cut(seed: int) -> None:
    mangler = Mangler()
    mangler.begin('cut', seed)
    (content,) = mangler.through(message(), 0)
    assert message().startswith(content)
    assert len(content) < len(message())
