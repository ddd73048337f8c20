"""Every way out: what is sent last, and that it ends."""
from __future__ import annotations

import numpy as np
import pytest
from control_rig import MS, Session, Sums, pair

from id_controller.state import Command, Mode, Request

RATE_STEP = pair(1.0, 0.6) + 1e-12


def left(session: Session, ticks: int = 1000, step_ns: int = MS) -> list[Command]:
    """Ask to exit and collect the commands up to the last one that is published."""
    assert session.controller.request(Request.EXIT) == ''
    commands: list[Command] = []
    for _ in range(ticks):
        command = session.tick(step_ns=step_ns)
        if not command.publish:
            assert command.mode is Mode.EXITED
            return commands
        assert command.mode is Mode.EXITING
        commands.append(command)
    raise AssertionError('the exit does not end')


def test_ramp_to_zero_takes_its_time_and_ends_in_zeros() -> None:
    commands = left(Session().activated().moving())
    assert len(commands) == pytest.approx(103, abs=2)
    assert all(not command.tau.any() for command in commands[-3:])
    # It carries and damps all the way, so a moving arm is braked and not let go.
    halfway = commands[49]
    carried = Sums.weight * np.cos(halfway.reference.q)
    assert halfway.terms[0] == pytest.approx(0.5 * carried)
    assert halfway.terms[3].all()


def test_zero_is_reached_at_the_rate() -> None:
    session = Session(on_exit='zero').activated()
    last = session.tick().tau
    commands = left(session)
    for command in commands:
        assert (np.abs(command.tau - last) <= RATE_STEP).all()
        last = command.tau
    assert len(commands) < 12
    assert all(not command.tau.any() for command in commands[-3:])


@pytest.mark.parametrize('broken', ['stale', 'nan', 'stopped', 'fault', 'unmatched'])
@pytest.mark.parametrize('on_exit', ['ramp_to_zero', 'zero'])
def test_an_exit_ends_whatever_is_broken(broken: str, on_exit: str) -> None:
    session = Session(on_exit=on_exit).activated().moving()
    if broken == 'stale':
        session.age_ns = 80 * MS
    if broken == 'nan':
        session.q = pair(np.nan, np.nan)
    if broken == 'stopped':
        session.controller.request(Request.STOP)
    if broken == 'fault':
        session.v = pair(9.0, 9.0)
        session.tick(30)
    if broken == 'unmatched':
        session.matched = False
    commands = left(session)
    assert np.isfinite([command.tau for command in commands]).all()
    assert all(not command.tau.any() for command in commands[-3:])


def test_an_exit_with_a_clock_that_stands_ends_too() -> None:
    assert len(left(Session().activated(), step_ns=0)) == pytest.approx(103, abs=2)


def test_a_ramp_with_a_clock_that_stands_goes_by_the_age_of_the_state() -> None:
    session = Session().activated()
    session.controller.request(Request.EXIT)
    session.tick(step_ns=0)
    for _ in range(12):
        session.age_ns += 10 * MS
        session.tick(step_ns=0)
    assert session.tick(20, step_ns=0).mode is Mode.EXITED


def test_a_decay_that_runs_is_not_started_again_by_an_exit() -> None:
    session = Session().activated()
    gravity = session.gravity
    session.age_ns = 80 * MS
    assert session.tick(60).tau == pytest.approx(0.4 * gravity)
    session.controller.request(Request.EXIT)
    assert session.tick(20).tau == pytest.approx(0.2 * gravity)


def test_b36_an_exit_before_anything_was_sent_sends_nothing() -> None:
    session = Session()
    session.complete = False
    session.controller.request(Request.ACTIVATE)
    session.tick(3)
    assert left(session) == []


def test_a_ramp_time_of_zero_goes_as_fast_as_the_rate_allows() -> None:
    session = Session(ramp_time_s=0.0).activated()
    assert len(left(session)) < 12


def test_zeros_are_sent_at_every_end_even_if_there_was_nothing_else() -> None:
    session = Session(gravity=np.zeros(3))
    for _ in range(2):
        session.activated()
        commands = left(session)
        assert len(commands) == 3
        assert not np.any([command.tau for command in commands])
