"""The controller as a whole, in virtual time: activation, motion, requests."""
from __future__ import annotations

import numpy as np
import pytest
from control_rig import MS, Session, Sums, pair, pid, trajectory

from id_controller.control.faults import Fault
from id_controller.control.laws import TERMS
from id_controller.state import Mode, Request

RATE_STEP = pair(1.0, 0.6)
"""Largest change of the effort in one tick."""


def test_b36_nothing_is_published_before_the_first_complete_state() -> None:
    session = Session()
    session.complete = False
    session.controller.request(Request.ACTIVATE)
    for _ in range(5):
        command = session.tick()
        assert (command.publish, command.mode) == (False, Mode.WAITING)
        assert command.fault == Fault.STATE_INCOMPLETE
        assert not command.tau.any()
    session.complete = True
    command = session.tick()
    assert (command.publish, command.mode, command.fault) == (True, Mode.HOLD, Fault.NONE)


def test_inactive_publishes_nothing() -> None:
    command = Session().tick(3)
    assert (command.publish, command.mode) == (False, Mode.INACTIVE)


def test_activation_takes_the_measured_position_and_comes_up_at_the_rate() -> None:
    session = Session()
    session.controller.request(Request.ACTIVATE)
    last = pair(0.0, 0.0)
    for _ in range(10):
        command = session.tick()
        assert (np.abs(command.tau - last) <= RATE_STEP + 1e-12).all()
        last = command.tau
    assert command.reference.q == pytest.approx(session.q)
    assert not command.reference.v.any()
    assert session.tick(30).tau == pytest.approx(session.gravity)


def test_activation_without_gains_is_refused_with_the_joints() -> None:
    session = Session(gains=pid((5.0, 0.0)))
    assert 'no gain for elbow' in session.controller.request(Request.ACTIVATE)
    assert session.tick().mode is Mode.INACTIVE


def test_holding_pulls_back_to_the_position() -> None:
    session = Session().activated()
    session.q = session.q + pair(0.1, -0.05)
    held = session.model.weight * np.cos(session.q - pair(0.1, -0.05))
    assert session.tick(30).tau == pytest.approx(held + pair(-40.0 * 0.1, 20.0 * 0.05))


def test_b65_terms_sum_to_the_command_while_no_limit_strikes() -> None:
    session = Session(soft_margin=1.9, viscous=pair(0.5, 0.25)).activated()
    command = session.moving().tick()
    assert command.terms.sum(axis=0) == pytest.approx(command.tau)
    assert command.terms.shape == (len(TERMS), 2)


def test_b45_one_saturation_after_all_terms() -> None:
    session = Session(effort_limit=pair(5.0, 1.5)).activated()
    assert session.tick(30).tau == pytest.approx([5.0, 1.5])
    assert (session.tick().terms.sum(axis=0) > session.tick().tau).all()


def test_a_trajectory_is_followed_to_its_end_and_held_there() -> None:
    session = Session().activated()
    assert session.controller.follow(trajectory([0.5], [[0.5, 0.0]])) == ''
    modes = []
    for _ in range(520):
        command = session.tick()
        session.q, session.v = command.reference.q, command.reference.v
        modes.append(command.mode)
    assert modes[0] is Mode.TRACK
    assert modes.count(Mode.TRACK) == 500
    assert modes[-1] is Mode.HOLD
    assert command.reference.q == pytest.approx([0.5, 0.0])
    assert session.controller.trajectories == ()


def test_the_effort_of_the_last_point_stays() -> None:
    session = Session().activated()
    effort = [[0.0, 0.0], [3.0, -2.0]]
    session.controller.follow(trajectory([0.1, 0.2], [[0.3, -0.4], [0.3, -0.4]], effort=effort))
    assert session.tick(400).mode is Mode.HOLD
    assert session.tick().tau == pytest.approx(session.gravity + pair(3.0, -2.0))


def test_b10_a_start_in_the_future_is_waited_for() -> None:
    session = Session().activated()
    start_ns = session.now_ns + 100 * MS
    session.controller.follow(trajectory([0.2], [[0.4, -0.3]], start_ns=start_ns))
    command = session.tick(99)
    assert (command.mode, command.reference.q) == (Mode.HOLD, pytest.approx([0.3, -0.4]))
    assert len(session.controller.trajectories) == 1
    assert session.tick(2).mode is Mode.TRACK


def test_a_replacement_goes_on_from_the_reference_without_a_step() -> None:
    session = Session().activated().moving()
    before = session.tick().reference
    session.controller.follow(trajectory([1.0], [[0.0, -0.2]]))
    after = session.tick().reference
    assert after.q - before.q == pytest.approx(before.v * 0.001, abs=1e-5)
    assert after.v == pytest.approx(before.v, abs=2e-3)


@pytest.mark.parametrize('prepare', ['inactive', 'waiting', 'stopped', 'fault', 'exiting'])
def test_b38_a_trajectory_out_of_turn_is_refused_and_not_kept(prepare: str) -> None:
    session = Session()
    if prepare != 'inactive':
        session.matched = prepare != 'waiting'
        session.controller.request(Request.ACTIVATE)
        session.tick(3)
    if prepare == 'stopped':
        session.controller.request(Request.STOP)
    if prepare == 'exiting':
        session.controller.request(Request.EXIT)
    if prepare == 'fault':
        session.v = pair(9.0, 0.0)
        session.tick()
        session.v = pair(0.0, 0.0)
    refusal = session.controller.follow(trajectory([0.5], [[0.5, 0.0]]))
    assert refusal.startswith('trajectory: the controller is in ')
    assert session.controller.trajectories == ()
    session.matched = True
    assert session.tick(5).mode is not Mode.TRACK


def test_a_trajectory_of_another_robot_is_refused() -> None:
    session = Session().activated()
    refusal = session.controller.follow(trajectory([0.5], [[0.5, 0.0, 0.1]]))
    assert refusal == 'trajectory: got 3 joints, expected 2'


def test_guiding_by_hand_follows_nothing_and_the_reference_goes_along() -> None:
    session = Session(control_mode='gravity').activated()
    assert 'follows none' in session.controller.follow(trajectory([0.5], [[0.5, 0.0]]))
    session.q, session.v = pair(1.0, 0.7), pair(0.2, -0.1)
    command = session.tick(40)
    assert command.reference.q == pytest.approx(session.q)
    assert command.tau == pytest.approx(session.gravity - pair(4.0, 2.0) * session.v)


def test_a_stop_while_guiding_by_hand_holds_where_the_arm_is() -> None:
    session = Session(control_mode='gravity').activated()
    session.controller.request(Request.STOP)
    session.tick(3)
    frozen = session.q
    session.q = frozen + pair(0.05, 0.1)
    expected = session.gravity - pair(40.0, 20.0) * pair(0.05, 0.1)
    assert session.tick(40).tau == pytest.approx(expected)


@pytest.mark.parametrize('asked', [Request.HOLD, Request.STOP])
def test_b88_a_stop_in_motion_holds_where_the_arm_is_measured(asked: Request) -> None:
    session = Session().activated().moving()
    session.q = session.q + pair(0.02, 0.01)
    assert session.controller.request(asked) == ''
    command = session.tick()
    assert command.mode is (Mode.HOLD if asked is Request.HOLD else Mode.SOFT_STOP)
    assert command.reference.q == pytest.approx(session.q)
    assert not command.reference.v.any()
    session.tick(500)
    assert session.controller.trajectories == ()
    assert session.tick().reference.q == pytest.approx(session.q)


def test_a_hold_and_a_new_trajectory_between_two_ticks_both_count() -> None:
    session = Session().activated().moving()
    session.controller.request(Request.HOLD)
    assert session.controller.follow(trajectory([1.0], [[0.0, 0.0]])) == ''
    session.tick(2)
    assert session.controller.mode is Mode.TRACK
    assert session.controller.trajectories[0].q[-1].tolist() == [0.0, 0.0]


def test_a_soft_stop_is_latched_and_a_reset_does_not_resume_the_motion() -> None:
    session = Session().activated().moving()
    session.controller.request(Request.STOP)
    assert session.tick(50).mode is Mode.SOFT_STOP
    here = session.q
    assert session.controller.request(Request.RESET) == ''
    command = session.tick(800)
    assert (command.mode, command.reference.q) == (Mode.HOLD, pytest.approx(here))


def test_continuous_joints_hold_the_short_way_round() -> None:
    session = Session(model=Sums(continuous=(True, False)), lower=pair(-np.inf, -1.5),
                      upper=pair(np.inf, 1.8))
    session.q = pair(3.1, 0.0)
    session.activated()
    session.q = pair(-3.1, 0.0)
    proportional = session.tick().terms[TERMS.index('proportional')]
    assert proportional == pytest.approx([-40.0 * (2.0 * np.pi - 6.2), 0.0])
