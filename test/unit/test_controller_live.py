"""The controller as a whole, in virtual time: live changes, time, inputs from outside."""
from __future__ import annotations

import time

import numpy as np
import pytest
from control_rig import MS, Session, Sums, pair, pid, settings

from id_controller.control.controller import Controller
from id_controller.control.faults import Fault
from id_controller.control.laws import TERMS
from id_controller.errors import ParameterError
from id_controller.state import JointState, Mode, Request

RATE_STEP = pair(1.0, 0.6)
"""Largest change of the effort in one tick."""


def test_b44_a_gain_that_is_changed_counts_from_the_next_tick() -> None:
    session = Session(max_effort_rate=pair(1e6, 1e6)).activated()
    session.q = session.q + pair(0.1, 0.1)
    before = session.tick().tau
    session.change(gains=pid((40.0, 30.0), d=(4.0, 2.0)))
    assert session.tick().tau - before == pytest.approx([0.0, -1.0])
    assert session.controller.settings.gains.p.tolist() == [40.0, 30.0]


@pytest.mark.parametrize(
    'changes',
    [
        {'gains': pid((4000.0, 4000.0), d=(4.0, 2.0))},
        {'control_mode': 'computed_torque'},
        {'control_mode': 'gravity_pd'},
        {'control_mode': 'gravity'},
        {'payload_mass': 25.0},
        {'gravity': np.array([0.0, 0.0, 9.81])},
        {'effort_limit': pair(1.0, 0.5)},
    ],
    ids=lambda changes: next(iter(changes)),
)
def test_b55_no_live_change_steps_the_effort_beyond_the_rate(changes: dict[str, object]) -> None:
    session = Session().activated().moving()
    session.q = session.q + pair(0.1, -0.1)
    last = session.tick().tau
    session.change(**changes)
    for _ in range(30):
        tau = session.tick().tau
        assert (np.abs(tau - last) <= RATE_STEP + 1e-12).all()
        last = tau


def test_another_control_mode_makes_the_measured_position_the_reference() -> None:
    session = Session().activated().moving()
    session.q = session.q + pair(0.1, -0.1)
    session.tick()
    session.change(control_mode='computed_torque')
    command = session.tick()
    assert (command.mode, command.reference.q) == (Mode.HOLD, pytest.approx(session.q))
    assert session.controller.trajectories == ()


def test_a_change_of_gains_does_not_disturb_the_motion() -> None:
    session = Session().activated().moving()
    session.change(gains=pid((50.0, 30.0), d=(5.0, 3.0)))
    assert session.tick(10).mode is Mode.TRACK


def test_a_control_mode_without_gains_is_refused_before_anything_changes() -> None:
    session = Session(acceleration_gains=pid()).activated().moving()
    before = session.controller.settings
    with pytest.raises(ParameterError, match="'computed_torque': got no gain for shoulder, elbow"):
        session.change(control_mode='computed_torque', payload_mass=3.0)
    assert session.controller.settings is before
    assert session.model.payload == 0.0
    assert session.tick().mode is Mode.TRACK


def test_settings_that_are_no_numbers_are_refused_before_anything_changes() -> None:
    session = Session().activated()
    before = session.tick().tau
    with pytest.raises(ParameterError, match='payload_mass'):
        session.change(payload_mass=float('nan'))
    assert session.tick(30).tau == pytest.approx(before)
    with pytest.raises(ParameterError, match='gains.p of elbow'):
        Controller(Sums(), settings(gains=pid((1.0, np.nan))), 0.001)


def test_the_payload_and_the_gravity_of_the_settings_reach_the_model() -> None:
    session = Session(payload_mass=2.0, gravity=np.array([0.0, 0.0, -19.62])).activated()
    assert session.tick(60).tau == pytest.approx(2.0 * (session.gravity + 2.0 * np.cos(session.q)))
    session.change(payload_mass=0.0)
    assert session.tick(60).tau == pytest.approx(2.0 * session.gravity)


def test_b40_a_clock_that_stands_repeats_the_last_output() -> None:
    session = Session().activated()
    before = session.tick().tau
    session.q = session.q + pair(0.1, 0.1)
    assert session.tick(step_ns=0).tau == pytest.approx(before)
    assert session.tick(3, step_ns=-MS).tau == pytest.approx(before)
    assert session.tick(20).tau != pytest.approx(before)


def test_after_a_stall_the_reference_moves_on_by_two_periods() -> None:
    session = Session().activated().moving()
    before = session.tick().reference
    after = session.tick(step_ns=200 * MS).reference
    assert after.q - before.q == pytest.approx(before.v * 0.002, abs=1e-5)


def test_b39_activation_again_after_a_move_by_hand_starts_from_nothing() -> None:
    session = Session(gains=pid((40.0, 20.0), (400.0, 400.0), (4.0, 2.0))).activated()
    session.q = session.q + pair(0.1, -0.1)
    session.tick(200)
    session.controller.request(Request.EXIT)
    assert session.tick(200).mode is Mode.EXITED
    session.q = pair(-1.0, 1.2)
    session.now_ns += 10**12
    session.controller.request(Request.ACTIVATE)
    first = session.tick()
    assert (np.abs(first.tau) <= RATE_STEP + 1e-12).all()
    assert first.reference.q == pytest.approx(session.q)
    assert session.tick(60).tau == pytest.approx(session.gravity)


def test_the_velocity_is_filtered_for_the_law_but_not_for_the_checks() -> None:
    session = Session(velocity_cutoff_hz=10.0).activated()
    session.v = pair(1.0, 0.0)
    derivative = session.tick().terms[TERMS.index('derivative')]
    assert derivative[0] == pytest.approx(-4.0 * (1.0 - np.exp(-0.02 * np.pi)))
    session.v = pair(4.6, 0.0)
    assert session.tick().fault == Fault.OVER_SPEED


def test_a_wrench_is_made_up_for_until_a_stop() -> None:
    session = Session().activated()
    assert session.controller.set_wrench(np.array([1.0, -1.0, 0, 0, 0, 0])) == ''
    assert session.tick(30).tau == pytest.approx(session.gravity + pair(-2.0, 3.0))
    session.controller.request(Request.STOP)
    assert session.tick(30).tau == pytest.approx(session.gravity)
    assert 'SOFT_STOP' in session.controller.set_wrench(np.ones(6))


@pytest.mark.parametrize('wrench', [[1.0, 2.0], [np.nan, 0, 0, 0, 0, 0], [0, 0, 0, np.inf, 0, 0]])
def test_b01_a_wrench_that_is_no_wrench_is_refused(wrench: list[float]) -> None:
    session = Session().activated()
    assert 'expected 6 finite numbers' in session.controller.set_wrench(np.array(wrench))
    assert session.tick(5).tau == pytest.approx(session.gravity)


def test_only_outside_faults_can_be_raised_from_outside() -> None:
    session = Session().activated()
    for fault in (Fault.NONE, Fault.STATE_STALE):
        with pytest.raises(ParameterError, match=fault.name):
            session.controller.raise_fault(fault)
    assert session.tick().mode is Mode.HOLD


def test_an_update_is_quick() -> None:
    session = Session(viscous=pair(0.5, 0.25)).activated().moving()
    state = JointState(session.q, session.v, 0)
    update, best = session.controller.update, 1.0
    for _ in range(20):
        began = time.perf_counter()
        for k in range(50):
            update(session.now_ns + k * 1000, state)
        best = min(best, (time.perf_counter() - began) / 50)
    # A generous ceiling: it is 25 us on an ordinary machine.
    assert best < 0.0005


def test_b39_a_filtered_velocity_of_long_ago_does_not_act_after_activation() -> None:
    session = Session(velocity_cutoff_hz=0.05).activated()
    session.v = pair(2.0, -2.0)
    session.tick(2000)
    session.controller.request(Request.EXIT)
    session.v = pair(0.0, 0.0)
    assert session.tick(200).mode is Mode.EXITED
    session.controller.request(Request.ACTIVATE)
    assert not session.tick(5).terms[TERMS.index('derivative')].any()
