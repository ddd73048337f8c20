"""Modes: who may go where, what is latched, and what remains of an action without trust."""
from __future__ import annotations

import pytest
from control_rig import pair, settings

from id_controller.control.faults import Fault
from id_controller.control.observation import Observation
from id_controller.control.supervisor import Action, Supervisor
from id_controller.state import JointState, Mode, Request

MS = 1_000_000


def seen(
    *, age_ns: int = MS, complete: bool = True, matched: bool = True, q: float = 0.0,
    v: float = 0.0,
) -> Observation:
    observation = Observation(2)
    observation.configure(settings())
    state = JointState(pair(q, 0.0), pair(v, 0.0), age_ns, complete)
    observation.look(state, matched, False)
    if observation.sane:
        observation.compare(pair(0.0, 0.0))
    return observation


GOOD = seen()
FAST = seen(v=9.0)
STALE = seen(age_ns=99 * MS)


def step(
    supervisor: Supervisor, observation: Observation, on_fault: str = 'hold',
    on_exit: str = 'ramp_to_zero',
) -> Action:
    supervisor.freeze = supervisor.clear = False
    return supervisor.step(observation, on_fault, on_exit)


def holding() -> Supervisor:
    supervisor = Supervisor()
    assert supervisor.request(Request.ACTIVATE) == ''
    assert step(supervisor, GOOD) is Action.FOLLOW
    assert supervisor.mode is Mode.HOLD
    return supervisor


def failed(observation: Observation = FAST) -> Supervisor:
    supervisor = holding()
    step(supervisor, observation)
    assert supervisor.mode is Mode.FAULT
    return supervisor


def stopped() -> Supervisor:
    supervisor = holding()
    assert supervisor.request(Request.STOP) == ''
    step(supervisor, GOOD)
    return supervisor


def test_inactive_is_silent_whatever_is_seen() -> None:
    supervisor = Supervisor()
    assert step(supervisor, GOOD) is Action.SILENT
    assert step(supervisor, STALE) is Action.SILENT
    assert (supervisor.mode, supervisor.publishes) == (Mode.INACTIVE, False)


@pytest.mark.parametrize(
    ('observation', 'cause'),
    [
        (seen(complete=False), Fault.STATE_INCOMPLETE),
        (STALE, Fault.STATE_STALE),
        (seen(q=float('nan')), Fault.STATE_NON_FINITE),
        (seen(v=float('inf')), Fault.VELOCITY_NON_FINITE),
        (seen(q=2.2), Fault.POSITION_LIMIT),
        (FAST, Fault.OVER_SPEED),
        (seen(matched=False), Fault.SUBSCRIBER_LOST),
    ],
)
def test_b36_waiting_publishes_nothing_and_says_what_it_waits_for(
    observation: Observation, cause: Fault
) -> None:
    supervisor = Supervisor()
    supervisor.request(Request.ACTIVATE)
    for _ in range(3):
        assert step(supervisor, observation) is Action.SILENT
        assert (supervisor.mode, supervisor.fault) == (Mode.WAITING, cause)
        assert not supervisor.publishes
    step(supervisor, GOOD)
    assert (supervisor.mode, supervisor.fault) == (Mode.HOLD, Fault.NONE)
    assert supervisor.publishes
    assert (supervisor.freeze, supervisor.clear) == (True, True)


def test_hold_and_track_follow_the_motion() -> None:
    supervisor = holding()
    supervisor.moving(True)
    assert (supervisor.mode, step(supervisor, GOOD)) == (Mode.TRACK, Action.FOLLOW)
    supervisor.moving(False)
    assert supervisor.mode is Mode.HOLD


def test_motion_says_nothing_in_any_other_mode() -> None:
    for supervisor in (Supervisor(), stopped(), failed()):
        mode = supervisor.mode
        supervisor.moving(True)
        assert supervisor.mode is mode


def test_a_hold_request_freezes_but_keeps_the_integral() -> None:
    supervisor = holding()
    supervisor.moving(True)
    step(supervisor, GOOD)
    assert supervisor.request(Request.HOLD) == ''
    assert (supervisor.mode, supervisor.freeze, supervisor.clear) == (Mode.HOLD, True, False)


def test_a_stop_is_latched_and_holds() -> None:
    supervisor = stopped()
    for _ in range(3):
        assert step(supervisor, GOOD) is Action.HOLD
    assert supervisor.request(Request.HOLD) == 'HOLD: the controller is in SOFT_STOP'
    assert supervisor.request(Request.RESET) == ''
    assert (supervisor.mode, supervisor.freeze, supervisor.clear) == (Mode.HOLD, True, True)


def test_a_stop_while_waiting_keeps_the_controller_from_arming() -> None:
    supervisor = Supervisor()
    supervisor.request(Request.ACTIVATE)
    step(supervisor, STALE)
    assert supervisor.request(Request.STOP) == ''
    for _ in range(3):
        assert step(supervisor, GOOD) is Action.SILENT
    assert (supervisor.mode, supervisor.publishes) == (Mode.SOFT_STOP, False)
    assert supervisor.request(Request.RESET) == ''
    assert supervisor.mode is Mode.WAITING


def test_a_fault_is_latched_after_its_cause_is_gone() -> None:
    supervisor = failed()
    for _ in range(3):
        assert step(supervisor, GOOD) is Action.HOLD
    assert (supervisor.mode, supervisor.fault) == (Mode.FAULT, Fault.OVER_SPEED)
    for request in (Request.HOLD, Request.ACTIVATE, Request.STOP):
        supervisor.request(request)
        assert supervisor.mode is Mode.FAULT, request


def test_a_reset_is_refused_while_the_cause_persists() -> None:
    supervisor = failed()
    expected = 'RESET: OVER_SPEED: a joint moves faster than its velocity limit allows'
    assert supervisor.request(Request.RESET) == expected
    step(supervisor, FAST)
    assert supervisor.request(Request.RESET) == expected
    assert supervisor.mode is Mode.FAULT
    step(supervisor, GOOD)
    assert supervisor.request(Request.RESET) == ''
    assert (supervisor.mode, supervisor.fault) == (Mode.HOLD, Fault.NONE)


def test_a_reset_is_refused_for_another_cause_that_came_meanwhile() -> None:
    supervisor = failed()
    step(supervisor, STALE)
    refusal = supervisor.request(Request.RESET)
    assert refusal.startswith('RESET: STATE_STALE: the joint state is too old')


def test_a_reset_from_a_stop_is_refused_while_there_is_a_cause_for_a_fault() -> None:
    supervisor = stopped()
    step(supervisor, STALE)
    assert supervisor.mode is Mode.FAULT
    assert supervisor.request(Request.RESET).startswith('RESET: STATE_STALE')


def test_a_fault_strikes_during_a_soft_stop() -> None:
    supervisor = stopped()
    step(supervisor, FAST)
    assert (supervisor.mode, supervisor.fault) == (Mode.FAULT, Fault.OVER_SPEED)


def test_trust_that_is_lost_stays_lost_until_a_reset() -> None:
    supervisor = failed()
    assert step(supervisor, STALE) is Action.DECAY
    assert supervisor.fault is Fault.STATE_STALE
    assert step(supervisor, GOOD) is Action.DECAY
    assert step(supervisor, FAST) is Action.DECAY
    assert supervisor.fault is Fault.STATE_STALE
    step(supervisor, GOOD)
    assert supervisor.request(Request.RESET) == ''
    assert step(supervisor, GOOD) is Action.FOLLOW


@pytest.mark.parametrize(
    ('on_fault', 'full', 'only_q', 'blind'),
    [
        ('hold', Action.HOLD, Action.GRAVITY, Action.DECAY),
        ('gravity', Action.GRAVITY, Action.GRAVITY, Action.DECAY),
        ('damping', Action.DAMPING, Action.GRAVITY, Action.DECAY),
        ('ramp_to_zero', Action.RAMP, Action.DECAY, Action.DECAY),
        ('zero', Action.ZERO, Action.ZERO, Action.ZERO),
    ],
)
def test_on_fault_is_done_as_far_as_the_signals_allow(
    on_fault: str, full: Action, only_q: Action, blind: Action
) -> None:
    for observation, action in (
        (FAST, full), (seen(v=float('nan')), only_q), (STALE, blind),
    ):
        assert step(holding(), observation, on_fault) is action


@pytest.mark.parametrize('request_', [Request.HOLD, Request.STOP, Request.RESET])
def test_an_inactive_controller_refuses_by_saying_so(request_: Request) -> None:
    expected = f'{request_.name}: the controller is INACTIVE'
    assert Supervisor().request(request_) == expected


def test_a_reset_without_need_changes_nothing() -> None:
    supervisor = holding()
    supervisor.moving(True)
    step(supervisor, GOOD)
    assert supervisor.request(Request.RESET) == ''
    assert (supervisor.mode, supervisor.freeze) == (Mode.TRACK, False)
