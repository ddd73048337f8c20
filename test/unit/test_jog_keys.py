"""Keys of the jog: which joint they choose, how far they move it, and when they do not."""
from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from id_controller.command_line.jog_keys import HELP, Action, Jog, keys_of

LIMITS = SimpleNamespace(
    lower=np.array([-1.0, -2.0, -np.inf]), upper=np.array([1.0, 0.5, np.inf]),
    velocity=np.array([2.0, 1.0, 0.0]), effort=np.array([9.0, 8.0, 7.0]),
)


def jog(*q: float, step: float = 0.05) -> Jog:
    return Jog(('a', 'b', 'c'), LIMITS, np.array(q or (0.1, 0.2, 0.3)), step)


@pytest.mark.parametrize(
    ('text', 'keys', 'rest'),
    [
        ('', [], ''),
        ('1\x1b[A\x1bOBq', ['1', 'up', 'down', 'q'], ''),
        ('\x1b[1;5A+', ['', '+'], ''),
        ('\x1b\x1b[A', ['', 'up'], ''),
        ('\x1bx', ['', 'x'], ''),
        ('q\x1b', ['q'], '\x1b'),
        ('\x1b[', [], '\x1b['),
        ('\x1b[1;', [], '\x1b[1;'),
    ],
)
def test_what_a_terminal_sends_is_split_into_keys(text: str, keys: list[str], rest: str) -> None:
    assert keys_of(text) == (keys, rest)


@pytest.mark.parametrize(
    ('key', 'way'), [('up', 0.05), ('+', 0.05), ('down', -0.05), ('-', -0.05)]
)
def test_a_step_moves_the_chosen_joint_alone(key: str, way: float) -> None:
    one = jog()
    assert one.press('2') is Action.SHOW
    assert one.press(key) is Action.MOVE
    assert np.allclose(one.target, [0.1, 0.2 + way, 0.3])


def test_steps_add_up_and_end_at_the_limit() -> None:
    one = jog(0.88, 0.2, 0.3)
    assert [one.press('up') for _ in range(4)] == [Action.MOVE] * 3 + [Action.SHOW]
    assert one.target[0] == 1.0
    assert one.note == 'a is at its limit'
    assert one.press('down') is Action.MOVE
    assert one.target[0] == pytest.approx(0.95)


def test_a_joint_outside_its_limits_may_only_come_back() -> None:
    one = jog(1.2, 0.2, 0.3)
    assert one.press('up') is Action.SHOW
    assert one.press('down') is Action.MOVE
    assert one.target[0] == pytest.approx(1.15)


def test_a_joint_that_is_not_there_is_not_chosen() -> None:
    one = jog()
    one.press('3')
    assert one.press('4') is Action.SHOW
    assert one.chosen == 2
    assert 'no 4th' in one.note


def test_the_step_can_be_set_within_bounds() -> None:
    one = jog()
    for _ in range(9):
        one.press(']')
    assert one.step == 0.5
    for _ in range(20):
        one.press('[')
    assert one.step == 0.001


def test_other_keys() -> None:
    one = jog()
    assert one.press(' ') is Action.HOLD
    assert one.press('?') is Action.SHOW
    assert one.note == HELP
    assert {one.press(key) for key in ('q', 'Q', '\x04')} == {Action.LEAVE}
    assert {one.press(key) for key in ('', 'x', '0', '\n', 'ä')} == {Action.NOTHING}
    assert one.target.tolist() == [0.1, 0.2, 0.3]


def test_a_step_takes_its_time() -> None:
    one = jog()
    q_now = one.target
    one.press('up')
    points = one.points(q_now)
    assert points.joints == ('a', 'b', 'c')
    assert points.q is not None
    assert points.q.tolist() == [one.target.tolist()]
    # 0.05 rad from rest to rest at 0.3 of 2 rad/s would take 0.156 s.
    assert points.times.tolist() == [0.3]
    one.press('2')
    for _ in range(4):
        one.press('up')
    assert one.points(q_now).times[0] == pytest.approx(1.875 * 0.2 / 0.3)


def test_the_point_is_not_the_target_itself() -> None:
    one = jog()
    points = one.points(one.target)
    one.press('up')
    assert points.q is not None
    assert points.q.tolist() == [[0.1, 0.2, 0.3]]


def test_after_a_hold_it_goes_on_from_there() -> None:
    one = jog()
    one.press('up')
    one.rest_at(np.array([0.5, 0.4, 0.3]))
    one.press('up')
    assert one.target.tolist() == pytest.approx([0.55, 0.4, 0.3])


def test_the_status_line() -> None:
    one = jog()
    one.press('2')
    one.press('down')
    assert one.line('rad', np.array([0.1, 0.21, 0.3])) == (
        '2 b: +0.210 to +0.150 rad, step 0.05'
    )
