"""What goes out under each fault, at a stop and at the end, in virtual time."""
from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from control_rig import MS, Session, pair, pid, trajectory

from id_controller.control.faults import FAULTS, Fault, FaultRow, Trust
from id_controller.state import Mode, Request

RATE_STEP = pair(1.0, 0.6) + 1e-12


def lose_tracking(session: Session) -> None:
    session.q = session.q + pair(0.25, 0.0)


def jump(session: Session) -> None:
    session.change(position_jump=0.15)
    session.q = session.q + pair(0.0, 0.2)


def overload(session: Session) -> None:
    """The load pulls at the limits until that is too long."""
    session.change(saturation_time_s=0.02, effort_limit=pair(0.4, 0.3))
    for _ in range(200):
        session.v = pair(0.0, 0.0)
        if session.tick().fault:
            return


# What a test does to a session that moves; one entry for each row of the table.
CAUSES: dict[Fault, Callable[[Session], object]] = {
    Fault.STATE_INCOMPLETE: lambda session: setattr(session, 'complete', False),
    Fault.STATE_STALE: lambda session: setattr(session, 'age_ns', 51 * MS),
    Fault.STATE_NON_FINITE: lambda session: setattr(session, 'q', pair(np.nan, 0.0)),
    Fault.VELOCITY_NON_FINITE: lambda session: setattr(session, 'v', pair(0.0, np.nan)),
    Fault.COMMAND_NON_FINITE: lambda session: setattr(session.model, 'poison', np.nan),
    Fault.POSITION_LIMIT: lambda session: setattr(session, 'q', pair(2.2, 0.0)),
    Fault.OVER_SPEED: lambda session: setattr(session, 'v', pair(0.0, 6.1)),
    Fault.TRACKING_ERROR: lose_tracking,
    Fault.SUBSCRIBER_LOST: lambda session: setattr(session, 'matched', False),
    Fault.HOST_SILENT: lambda session: session.controller.raise_fault(Fault.HOST_SILENT),
    Fault.CONTROL_LOST: lambda session: session.controller.raise_fault(Fault.CONTROL_LOST),
    Fault.OVERRUN: lambda session: session.controller.raise_fault(Fault.OVERRUN),
    Fault.STATE_JUMP: jump,
    Fault.SATURATION: overload,
    Fault.ROBOT_STOPPED: lambda session: session.controller.raise_fault(Fault.ROBOT_STOPPED),
    Fault.TIME_JUMP: lambda session: setattr(session, 'now_ns', session.now_ns - 10**9),
}


def failed(fault: Fault, **changes: object) -> Session:
    """Make a fault happen to an arm in motion; one tick has seen it."""
    session = Session(**changes).activated().moving()
    CAUSES[fault](session)
    return session


@pytest.mark.parametrize('row', FAULTS, ids=lambda row: row.fault.name)
def test_every_fault_is_acted_on_in_the_tick_that_sees_it(row: FaultRow) -> None:
    assert_acted_on(row)


def assert_acted_on(row: FaultRow, rows: tuple[FaultRow, ...] = FAULTS) -> None:
    session = failed(row.fault, rows=rows)
    command = session.tick()
    assert (command.mode, command.fault) == (Mode.FAULT, row.fault)
    assert command.publish
    # The reference goes out too, where an output echoes positions.
    assert np.isfinite([command.tau, *command.reference]).all()
    assert session.controller.trajectories == ()


@pytest.mark.parametrize('row', FAULTS, ids=lambda row: row.fault.name)
def test_no_fault_steps_the_effort_but_a_lost_subscriber(row: FaultRow) -> None:
    session = Session().activated().moving()
    last = session.tick().tau
    CAUSES[row.fault](session)
    if row.fault is Fault.SATURATION:  # whose cause takes its time
        last = session.tick().tau
    for _ in range(150):
        tau = session.tick().tau
        if row.fault is not Fault.SUBSCRIBER_LOST:
            assert (np.abs(tau - last) <= RATE_STEP).all()
        last = tau


@pytest.mark.parametrize(
    'row', [row for row in FAULTS if row.trust is Trust.NONE], ids=lambda row: row.fault.name
)
@pytest.mark.parametrize('on_fault', ['hold', 'gravity', 'damping', 'ramp_to_zero'])
def test_without_a_position_only_the_last_gravity_remains_and_decays(
    row: FaultRow, on_fault: str
) -> None:
    session = Session(on_fault=on_fault).activated().moving()
    gravity = session.gravity
    CAUSES[row.fault](session)
    for k in range(1, 101):
        command = session.tick()
        if k >= 10:
            assert command.tau == pytest.approx(gravity * (1.0 - k / 100.0), abs=0.11)
            assert not command.terms[1:].any()
        if row.fault is not Fault.STATE_NON_FINITE:
            session.q = session.q + pair(0.05, -0.05)
    assert session.tick().tau == pytest.approx([0.0, 0.0], abs=1e-12)


@pytest.mark.parametrize(
    ('on_fault', 'expected'),
    [
        ('hold', lambda s: s.gravity_at_fault - pair(40.0, 20.0) * s.moved - pair(4, 2) * s.v),
        ('gravity', lambda s: s.gravity),
        ('damping', lambda s: s.gravity - pair(4.0, 2.0) * s.v),
        ('zero', lambda s: pair(0.0, 0.0)),
    ],
)
def test_with_a_whole_state_on_fault_is_done(
    on_fault: str, expected: Callable[[Session], np.ndarray]
) -> None:
    session = failed(Fault.TRACKING_ERROR, on_fault=on_fault)
    session.tick()
    session.gravity_at_fault = session.gravity  # type: ignore[attr-defined]
    session.moved = pair(0.1, -0.1)  # type: ignore[attr-defined]
    session.q, session.v = session.q + pair(0.1, -0.1), pair(0.5, -0.25)
    assert session.tick(60).tau == pytest.approx(expected(session))


def test_ramp_to_zero_damps_and_carries_ever_less() -> None:
    session = failed(Fault.TRACKING_ERROR, on_fault='ramp_to_zero')
    session.v = pair(0.5, -0.25)
    damped = session.gravity - pair(4.0, 2.0) * session.v
    assert session.tick(60).tau == pytest.approx(damped * 0.4)
    assert not session.tick(41).tau.any()


def test_without_a_velocity_gravity_alone_is_carried() -> None:
    session = failed(Fault.VELOCITY_NON_FINITE)
    session.tick()
    session.q = session.q + pair(0.1, -0.1)
    assert session.tick(60).tau == pytest.approx(session.gravity)


def test_a_signal_that_comes_back_does_not_bring_the_effort_back() -> None:
    session = failed(Fault.STATE_STALE)
    session.tick(120)
    session.age_ns, session.v = 0, pair(0.0, 0.0)
    assert not session.tick(50).tau.any()
    assert session.controller.request(Request.RESET) == ''
    first = session.tick()
    assert (first.mode, (np.abs(first.tau) <= RATE_STEP).all()) == (Mode.HOLD, True)
    assert session.tick(60).tau == pytest.approx(session.gravity)


def test_trust_that_is_lost_during_a_hold_ends_the_hold() -> None:
    session = failed(Fault.TRACKING_ERROR)
    session.tick(60)
    session.age_ns = 51 * MS
    command = session.tick(120)
    assert (command.fault, command.tau.any()) == (Fault.STATE_STALE, False)


def test_a_reset_takes_over_without_a_step_and_without_the_old_motion() -> None:
    session = failed(Fault.TRACKING_ERROR)
    before = session.tick(60).tau
    assert session.controller.request(Request.RESET) == ''
    command = session.tick()
    assert (command.mode, command.fault) == (Mode.HOLD, Fault.NONE)
    assert command.tau == pytest.approx(before)
    assert session.tick(700).reference.q == pytest.approx(session.q)


@pytest.mark.parametrize('row', [row for row in FAULTS if row.persists and not row.external],
                         ids=lambda row: row.fault.name)
def test_a_reset_is_refused_while_the_cause_persists(row: FaultRow) -> None:
    session = failed(row.fault)
    session.tick(5)
    expected = f'RESET: {row.fault.name}: {row.cause}'
    assert session.controller.request(Request.RESET) == expected
    assert session.tick(5).mode is Mode.FAULT


def test_b54_far_outside_its_limits_the_fault_strikes_once_and_holds() -> None:
    session = Session().activated()
    session.q = pair(12.0, 0.0)
    commands = [session.tick() for _ in range(50)]
    assert {command.fault for command in commands} == {Fault.POSITION_LIMIT}
    assert np.isfinite([command.tau for command in commands]).all()


def test_a_lost_subscriber_needs_a_reset_and_the_effort_begins_at_zero() -> None:
    session = failed(Fault.SUBSCRIBER_LOST)
    assert not session.tick(10).tau.any()
    session.q, session.v = session.q + pair(0.3, 0.3), pair(0.0, 0.0)
    session.tick(10)
    assert 'nobody subscribes' in session.controller.request(Request.RESET)
    session.matched = True
    first = session.tick()
    assert (np.abs(first.tau) <= RATE_STEP).all()
    assert first.mode is Mode.FAULT
    assert session.controller.request(Request.RESET) == ''
    last = first.tau
    for _ in range(60):
        command = session.tick()
        assert (np.abs(command.tau - last) <= RATE_STEP).all()
        last = command.tau
    assert (command.mode, command.tau) == (Mode.HOLD, pytest.approx(session.gravity))


def test_b01_poison_in_the_model_or_the_state_leaves_no_trace() -> None:
    session = Session(velocity_cutoff_hz=20.0, gains=pid((40., 20.), (5., 5.), (4., 2.)))
    clean_q = session.activated().q
    for poison in (np.nan, np.inf):
        session.model.poison = poison
        assert np.isfinite(session.tick(3).tau).all()
        session.model.poison = 0.0
        session.q, session.v = pair(poison, poison), pair(poison, 0.0)
        assert np.isfinite(session.tick(3).tau).all()
        session.q, session.v = clean_q, pair(0.0, 0.0)
        session.tick()
        assert session.controller.request(Request.RESET) == ''
        assert session.tick(80).tau == pytest.approx(session.gravity)
    assert session.controller.follow(trajectory([0.1], [[0.31, -0.39]])) == ''
    assert session.tick(5).mode is Mode.TRACK


def test_without_its_row_a_bad_command_still_does_not_get_out() -> None:
    rows = tuple(row for row in FAULTS if row.fault is not Fault.COMMAND_NON_FINITE)
    session = Session(rows=rows).activated()
    session.model.poison = np.nan
    assert session.tick(5).tau == pytest.approx(session.gravity)


@pytest.mark.parametrize('row', FAULTS, ids=lambda row: row.fault.name)
def test_without_its_guard_the_test_of_a_fault_fails(row: FaultRow) -> None:
    """The proof that the tests above hold the guards: each fails when its row is taken away."""
    with pytest.raises(AssertionError):
        assert_acted_on(row, tuple(other for other in FAULTS if other is not row))
