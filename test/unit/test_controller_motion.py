"""How a motion is paced, ended and replaced, in virtual time."""
from __future__ import annotations

import numpy as np
import pytest
from control_rig import MS, PERIOD_S, Session, pair, trajectory

from id_controller.control.motion import PACE_TIME_S
from id_controller.state import Command, Mode, Request

BRAKING = {'deceleration': pair(2.0, 3.0)}


def tracked(session: Session, ticks: int) -> list[Command]:
    """Commands of ticks in which the robot is where the reference was."""
    found = []
    for _ in range(ticks):
        command = session.tick()
        session.q, session.v = command.reference.q, command.reference.v
        found.append(command)
    return found


def references(commands: list[Command], field: str) -> np.ndarray:
    return np.array([getattr(command.reference, field) for command in commands])


def assert_smooth(commands: list[Command], steepest: float) -> None:
    """Nothing steps: v follows q, and changes no faster than a bound."""
    q, v = references(commands, 'q'), references(commands, 'v')
    assert np.allclose(np.diff(q, axis=0) / PERIOD_S, 0.5 * (v[:-1] + v[1:]), atol=2e-2)
    assert abs(np.diff(v, axis=0)).max() <= steepest * PERIOD_S


@pytest.mark.parametrize('request_', [Request.HOLD, Request.STOP])
def test_b88_a_hold_or_a_stop_at_speed_decelerates_within_limits(request_: Request) -> None:
    session = Session(**BRAKING).activated().moving(to=(1.0, 0.4), seconds=1.5)
    before = tracked(session, 5)
    speed = abs(before[-1].reference.v)
    assert speed.min() > 0.5
    assert session.controller.request(request_) == ''
    after = tracked(session, 1200)
    assert_smooth(before + after, 3.5)
    assert not after[-1].reference.v.any()
    assert after[-1].reference.q == pytest.approx(after[-200].reference.q)
    assert after[-1].mode is (Mode.HOLD if request_ is Request.HOLD else Mode.SOFT_STOP)
    assert after[-1].tau == pytest.approx(session.gravity)
    assert {command.trajectory for command in after} == {0}


def test_a_stop_that_is_asked_for_again_and_again_still_ends() -> None:
    session = Session(**BRAKING).activated().moving(to=(1.0, 0.4), seconds=1.5)
    for _ in range(800):
        session.controller.request(Request.HOLD)
        command = tracked(session, 1)[0]
    assert command.mode is Mode.HOLD
    assert not command.reference.v.any()


def test_without_deceleration_the_measured_position_is_held_at_once() -> None:
    session = Session().activated().moving()
    session.controller.request(Request.HOLD)
    command = session.tick()
    assert command.reference.q.tolist() == session.q.tolist()
    assert not command.reference.v.any()


def test_a_fault_while_stopping_still_is_one() -> None:
    session = Session(**BRAKING).activated().moving()
    session.controller.request(Request.STOP)
    tracked(session, 20)
    session.age_ns = 200 * MS
    assert session.tick().mode is Mode.FAULT


def test_a_new_trajectory_during_a_stop_starts_from_the_reference() -> None:
    session = Session(**BRAKING).activated().moving(to=(1.0, 0.4), seconds=1.5)
    session.controller.request(Request.HOLD)
    before = tracked(session, 100)
    assert before[-1].reference.v.any()
    assert session.controller.follow(trajectory([1.0], [[0.2, 0.2]]), 7) == ''
    after = tracked(session, 1300)
    assert_smooth(before + after, 12.0)
    assert after[-1].reference.q == pytest.approx([0.2, 0.2])
    assert after[-1].trajectory == 7


def test_half_the_speed_takes_twice_the_time_on_the_same_path() -> None:
    session = Session(speed_scaling=0.5).activated()
    whole = Session().activated()
    for each in (session, whole):
        assert each.controller.follow(trajectory([1.0], [[0.8, 0.2]]), 3) == ''
    slow, fast = tracked(session, 2200), tracked(whole, 1100)
    assert np.allclose(references(slow, 'q')[1:2000:2], references(fast, 'q')[:1000], atol=5e-3)
    for field, share in (('v', 0.5), ('a', 0.25)):
        most = references(fast, field).max()
        assert references(slow, field).max() == pytest.approx(share * most, rel=1e-3)
    assert [command.mode for command in (slow[1990], slow[2010])] == [Mode.TRACK, Mode.HOLD]
    assert slow[1000].left_ns == pytest.approx(500 * MS, abs=3 * MS)
    assert slow[-1].left_ns == 0


def test_a_change_of_speed_is_ramped_and_a_pause_keeps_the_way() -> None:
    session = Session().activated()
    session.controller.follow(trajectory([1.0], [[0.8, 0.2]]))
    found = tracked(session, 300)
    session.change(speed_scaling=0.0)
    found += tracked(session, 800)
    paused = found[-1].reference
    assert not paused.v.any()
    assert found[-1].mode is Mode.TRACK
    session.change(speed_scaling=1.0)
    found += tracked(session, 1500)
    assert_smooth(found, 1.1 / PACE_TIME_S + 6.0)
    assert found[-1].reference.q == pytest.approx([0.8, 0.2])
    assert found[-1].mode is Mode.HOLD


def test_a_stop_does_not_wait_for_the_pace() -> None:
    session = Session(speed_scaling=0.25, **BRAKING).activated()
    session.controller.follow(trajectory([1.0], [[0.9, 0.5]]))
    before = tracked(session, 1800)
    session.controller.request(Request.HOLD)
    after = tracked(session, 500)
    assert_smooth(before + after, 6.0)
    assert after[300].mode is Mode.HOLD


def test_b10_a_stamp_in_the_future_is_real_time_whatever_the_pace() -> None:
    session = Session(speed_scaling=0.5).activated()
    session.controller.follow(trajectory([2.0], [[0.8, 0.2]]), 1)
    first = tracked(session, 500)
    start_ns = session.now_ns + 400 * MS
    session.controller.follow(trajectory([1.0], [[-0.2, -0.5]], start_ns=start_ns), 2)
    second = tracked(session, 4000)
    assert second[0].trajectory == 2
    assert_smooth(first + second, 8.0)
    q = references(second, 'q')[:, 0]
    turned = int(np.argmax(q))
    assert 400 < turned < 1200
    assert q[-1] == pytest.approx(-0.2)


def test_cmd_timeout_drops_the_effort_of_the_last_point() -> None:
    for timeout_s, left in ((0.0, 5.0), (0.2, 0.0)):
        session = Session(cmd_timeout_s=timeout_s).activated()
        session.controller.follow(trajectory([0.1], [[0.3, -0.4]], effort=[[5.0, 2.0]]))
        assert tracked(session, 150)[-1].reference.effort.tolist() == [5.0, 2.0]
        found = tracked(session, 400)[-1]
        assert found.reference.effort[0] == left
        assert found.reference.q.tolist() == [0.3, -0.4]


def test_the_number_of_a_trajectory_stays_until_it_is_dropped() -> None:
    session = Session().activated()
    assert session.tick().trajectory == 0
    session.controller.follow(trajectory([0.2], [[0.35, -0.35]]), 12)
    found = tracked(session, 400)
    assert {command.trajectory for command in found} == {12}
    assert [found[k].left_ns > 0 for k in (0, 150, 220)] == [True, True, False]
    session.controller.follow(
        trajectory([0.2], [[0.3, -0.4]], start_ns=session.now_ns + 300 * MS), 13
    )
    waiting = session.tick()
    assert (waiting.trajectory, waiting.mode) == (13, Mode.HOLD)
    assert waiting.left_ns == pytest.approx(500 * MS, abs=2 * MS)
    session.controller.request(Request.HOLD)
    assert session.tick().trajectory == 0
