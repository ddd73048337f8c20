"""What became of a trajectory, from the lines and references of a controller."""
from __future__ import annotations

import numpy as np
import pytest

from id_controller.command_line.send_progress import (
    DONE,
    FAILED,
    Outcome,
    Progress,
    overdue_s,
)
from id_controller.trajectory.turns import shortest

MS = 1_000_000
SENT = 5_000 * MS
TARGET = np.array([1.0, -2.0])
REST = np.zeros(2)


def progress(continuous: bool = False) -> Progress:
    return Progress(SENT, ('a', 'b'), TARGET, np.array([False, continuous]))


def accepted(continuous: bool = False) -> Progress:
    one = progress(continuous)
    one.hear(SENT + MS, 'trajectory accepted: 1 points, 2.000 s')
    one.hear(SENT + 20 * MS, 'mode TRACK')
    return one


def test_a_motion_is_done_when_it_holds_at_its_end() -> None:
    one = accepted()
    one.see(SENT + 1000 * MS, 0.5 * TARGET, TARGET)
    assert one.outcome is None
    one.hear(SENT + 2020 * MS, 'mode HOLD')
    one.see(SENT + 2030 * MS, TARGET, REST)
    assert one.outcome is None, 'a reference of before the hold says nothing'
    one.see(SENT + 2140 * MS, TARGET, REST)
    assert one.outcome == Outcome(code=DONE)
    assert one.answer == 'trajectory accepted: 1 points, 2.000 s'


def test_a_motion_that_ends_where_it_begins_is_not_done_at_once() -> None:
    one = accepted()
    for k in range(1, 20):
        one.see(SENT + 20 * k * MS, TARGET, REST)
    assert one.outcome is None
    assert one.at_target


def test_lines_of_before_are_no_answer() -> None:
    one = progress()
    one.hear(SENT, 'trajectory refused: of another one')
    one.hear(SENT - MS, 'mode FAULT OVER_SPEED: too fast')
    assert not one.answer
    assert one.outcome is None


def test_a_refusal_is_the_answer() -> None:
    one = progress()
    one.hear(SENT + MS, 'trajectory refused: the controller is in FAULT')
    assert one.answer == 'trajectory refused: the controller is in FAULT'
    assert one.outcome == Outcome(code=FAILED)


def test_a_refusal_of_a_later_one_does_not_matter() -> None:
    one = accepted()
    one.hear(SENT + 50 * MS, 'trajectory refused: point 0')
    assert one.outcome is None


@pytest.mark.parametrize(
    'line',
    [
        'mode FAULT OVER_SPEED: a joint moves faster than allowed',
        'mode HOLD OVERRUN: too many ticks were dropped',
        'mode SOFT_STOP',
        'mode WAITING for STATE_STALE: too old',
        'mode EXITING',
        '~/enable is off: soft stop',
        'empty trajectory: stop and hold',
        'control process 7 was killed by SIGKILL; ~/reset starts a new one',
        'leaving',
    ],
)
def test_what_ends_a_motion_is_the_reason(line: str) -> None:
    one = accepted()
    one.hear(SENT + 500 * MS, line)
    assert one.outcome == Outcome(code=FAILED, reason=line)


def test_another_trajectory_ends_it() -> None:
    one = accepted()
    one.hear(SENT + 500 * MS, 'trajectory accepted: 7 points, 9.000 s')
    assert one.outcome == Outcome(code=FAILED, reason='another trajectory took its place')


def test_a_hold_elsewhere_is_not_done() -> None:
    one = accepted()
    one.hear(SENT + 500 * MS, 'mode HOLD')
    one.see(SENT + 601 * MS, 0.5 * TARGET, REST)
    assert one.outcome == Outcome(code=FAILED, reason='the controller holds somewhere else')


def test_a_hold_of_the_motion_before_does_not_count() -> None:
    one = progress()
    one.hear(SENT + MS, 'trajectory accepted: 1 points, 2.000 s')
    one.hear(SENT + 20 * MS, 'mode HOLD')
    one.hear(SENT + 21 * MS, 'mode TRACK')
    one.see(SENT + 500 * MS, 0.5 * TARGET, REST)
    assert one.outcome is None


@pytest.mark.parametrize('line', ['17 ticks dropped', 'goal accepted', 'modest HOLD'])
def test_other_lines_do_not_matter(line: str) -> None:
    one = accepted()
    one.hear(SENT + 500 * MS, line)
    assert one.outcome is None


def test_whole_turns_do_not_count_where_a_joint_turns_without_end() -> None:
    one = accepted(continuous=True)
    one.hear(SENT + 500 * MS, 'mode HOLD')
    one.see(SENT + 700 * MS, TARGET + np.array([0.0, 4.0 * np.pi]), REST)
    assert one.outcome == Outcome(code=DONE)
    error = shortest(np.array([False, True]), np.array([6.3, 6.3]))
    assert error == pytest.approx([6.3, 6.3 - 2.0 * np.pi])


def test_what_moves_is_noticed() -> None:
    one = accepted()
    one.see(SENT, TARGET, REST)
    assert not one.moved
    one.see(SENT, TARGET + 1e-9, REST)
    assert one.moved


def test_overdue_is_what_neither_moves_nor_may_still_wait() -> None:
    assert overdue_s(now_s=20.0, begin_s=10.0, moved_s=11.0, duration_s=4.0) == 6.0
    assert overdue_s(now_s=20.0, begin_s=10.0, moved_s=19.5, duration_s=4.0) == 0.5
    assert overdue_s(now_s=20.0, begin_s=10.0, moved_s=10.0, duration_s=40.0) < 0.0
