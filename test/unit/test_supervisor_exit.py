"""The way out, as the supervisor sees it."""
from __future__ import annotations

import pytest
from control_rig import pair, settings

from id_controller.control.faults import Fault, Trust
from id_controller.control.observation import Observation
from id_controller.control.supervisor import Action, Supervisor
from id_controller.state import JointState, Mode, Request


def seen(age_ns: int = 0) -> Observation:
    observation = Observation(2)
    observation.configure(settings())
    observation.look(JointState(pair(0.0, 0.0), pair(0.0, 0.0), age_ns), True, False)
    return observation


GOOD, STALE = seen(), seen(99_000_000)


def step(supervisor: Supervisor, observation: Observation, on_exit: str = 'zero') -> Action:
    return supervisor.step(observation, 'hold', on_exit)


def active(first: Observation = GOOD) -> Supervisor:
    supervisor = Supervisor()
    supervisor.request(Request.ACTIVATE)
    step(supervisor, first)
    return supervisor


def in_mode(mode: Mode) -> Supervisor:
    supervisor = active()
    if mode is Mode.SOFT_STOP:
        supervisor.request(Request.STOP)
    elif mode is Mode.FAULT:
        observation = seen()
        observation.matched = False
        step(supervisor, observation)
    assert supervisor.mode is mode
    return supervisor


def test_before_anything_was_sent_an_exit_is_immediate() -> None:
    for supervisor in (Supervisor(), active(STALE)):
        assert supervisor.request(Request.EXIT) == ''
        assert (supervisor.mode, supervisor.publishes) == (Mode.EXITED, False)
        assert step(supervisor, GOOD) is Action.SILENT


@pytest.mark.parametrize('mode', [Mode.HOLD, Mode.FAULT, Mode.SOFT_STOP])
@pytest.mark.parametrize(
    ('on_exit', 'action'), [('ramp_to_zero', Action.RAMP), ('zero', Action.ZERO)]
)
def test_an_exit_goes_by_its_policy_from_every_mode(
    mode: Mode, on_exit: str, action: Action
) -> None:
    supervisor = in_mode(mode)
    assert supervisor.request(Request.EXIT) == ''
    assert step(supervisor, GOOD, on_exit) is action
    assert (supervisor.mode, supervisor.publishes) == (Mode.EXITING, True)
    for request in (Request.HOLD, Request.STOP, Request.RESET, Request.ACTIVATE):
        assert supervisor.request(request) == f'{request.name}: the controller is EXITING'
    assert supervisor.request(Request.EXIT) == ''


def test_an_exit_goes_on_blind_when_the_state_is_lost() -> None:
    supervisor = active()
    supervisor.request(Request.EXIT)
    assert step(supervisor, GOOD, 'ramp_to_zero') is Action.RAMP
    assert step(supervisor, STALE, 'ramp_to_zero') is Action.DECAY
    assert (supervisor.mode, supervisor.fault) == (Mode.EXITING, Fault.STATE_STALE)


def test_after_an_exit_it_can_be_activated_again() -> None:
    supervisor = active()
    step(supervisor, STALE)
    supervisor.request(Request.EXIT)
    supervisor.exited()
    assert supervisor.request(Request.ACTIVATE) == ''
    assert (supervisor.mode, supervisor.fault, supervisor.trust) == (
        Mode.WAITING, Fault.NONE, Trust.Q_V
    )
    assert not supervisor.publishes
