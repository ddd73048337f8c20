"""A controller that goes on where another one stopped, and one that is put to rest."""
from __future__ import annotations

import numpy as np
import pytest
from control_rig import MS, Session, Sums, pair

from id_controller.control.faults import Fault
from id_controller.state import Mode, Request

RATE_STEP = pair(1.0, 0.6) + 1e-12
TAU, Q = pair(20.0, -9.0), pair(0.5, 0.2)


def taken_over(**changes: object) -> Session:
    session = Session(**changes)
    session.controller.take_over(Q, TAU, Fault.CONTROL_LOST)
    return session


@pytest.mark.parametrize('on_fault', ['damping', 'hold', 'gravity'])
def test_a_good_state_is_acted_on_from_the_last_command_at_the_rate(on_fault: str) -> None:
    session = taken_over(on_fault=on_fault)
    last = TAU
    for _ in range(60):
        command = session.tick()
        assert (command.mode, command.fault) == (Mode.FAULT, Fault.CONTROL_LOST)
        assert command.publish
        assert (np.abs(command.tau - last) <= RATE_STEP).all()
        last = command.tau
    assert last == pytest.approx(session.gravity)
    # It keeps the arm where it is found, not where it was last seen.
    assert command.reference.q == pytest.approx(session.q)


@pytest.mark.parametrize('broken', ['stale', 'incomplete', 'nan'])
def test_without_a_state_the_gravity_of_the_last_one_decays(broken: str) -> None:
    session = taken_over(on_fault='damping')
    if broken == 'stale':
        session.age_ns = 80 * MS
    session.complete = broken != 'incomplete'
    if broken == 'nan':
        session.q = pair(np.nan, 0.0)
    carried = Sums.weight * np.cos(Q)
    assert session.tick(60).tau == pytest.approx(0.4 * carried)
    assert not session.tick(50).tau.any()


def test_it_leaves_by_the_exit_policy() -> None:
    session = taken_over()
    session.tick(60)
    assert session.controller.request(Request.EXIT) == ''
    assert session.tick().mode is Mode.EXITING
    assert session.tick(110).mode is Mode.EXITED


def test_a_deactivation_goes_by_the_exit_policy_and_ends_inactive() -> None:
    session = Session().activated().moving()
    session.v = pair(0.0, 0.0)
    assert session.controller.request(Request.DEACTIVATE) == ''
    assert session.tick(50).mode is Mode.EXITING
    command = session.tick(60)
    assert (command.mode, command.publish) == (Mode.INACTIVE, False)
    assert session.controller.request(Request.ACTIVATE) == ''
    assert session.tick(60).tau == pytest.approx(session.gravity)


def test_an_activation_may_begin_with_the_efforts_that_stand() -> None:
    session = Session()
    stands = pair(4.0, 1.5)
    assert session.controller.request(Request.ACTIVATE, stands) == ''
    first = session.tick()
    assert (first.mode, first.publish) == (Mode.HOLD, True)
    assert (np.abs(first.tau - stands) <= pair(1.0, 0.6) + 1e-12).all()
    assert session.tick(60).tau == pytest.approx(session.gravity)


def test_what_stands_is_what_was_told_last_while_it_waits() -> None:
    session = Session()
    session.complete = False
    for stands in (pair(4.0, 1.5), pair(2.0, -1.0)):
        assert session.controller.request(Request.ACTIVATE, stands) == ''
        assert session.tick(20).publish is False
    session.complete = True
    assert (np.abs(session.tick().tau - pair(2.0, -1.0)) <= pair(1.0, 0.6) + 1e-12).all()


def test_efforts_of_a_predecessor_are_forgotten_with_the_subscriber() -> None:
    session = Session()
    session.controller.request(Request.ACTIVATE, pair(4.0, 1.5))
    session.tick(5)
    session.matched = False
    session.tick(5)
    session.matched = True
    assert (np.abs(session.tick().tau) <= pair(1.0, 0.6) + 1e-12).all()
