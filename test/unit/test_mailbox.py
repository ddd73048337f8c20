"""The mailbox: what goes in comes out, and the ends see each other."""
from __future__ import annotations

import os

import numpy as np
import pytest
from mailbox_rig import record, trajectory, two_ends

from id_controller.errors import MailboxError
from id_controller.realtime.control_mailbox import MESSAGES_PER_TICK, ControlMailbox
from id_controller.realtime.host_mailbox import HostMailbox
from id_controller.realtime.mailbox import Mailbox
from id_controller.realtime.messages import NewRequest, NewSettings, NewTrajectory, NewWrench
from id_controller.state import Request


@pytest.fixture
def ends() -> tuple[HostMailbox, ControlMailbox]:
    return two_ends()


def test_a_trajectory_arrives_as_it_was(ends: tuple[HostMailbox, ControlMailbox]) -> None:
    host, control = ends
    sent = trajectory()
    number = host.send_trajectory(sent)
    (message,) = control.poll()
    assert isinstance(message, NewTrajectory)
    assert message.sequence == number
    assert message.trajectory.start_ns == 77
    for name in ('times', 'q', 'v', 'a', 'effort', 'coefficients'):
        np.testing.assert_array_equal(getattr(message.trajectory, name), getattr(sent, name))
    with pytest.raises(ValueError, match='read-only'):
        message.trajectory.q[0, 0] = 3.0


def test_settings_requests_and_wrenches_arrive_in_order(
    ends: tuple[HostMailbox, ControlMailbox],
) -> None:
    host, control = ends
    host.request(Request.STOP)
    host.send_settings(record())
    host.send_wrench((1.0, 2.0, 3.0, 4.0, 5.0, 6.0))
    stop, settings, wrench = control.poll()
    assert stop == NewRequest(1, Request.STOP)
    assert isinstance(settings, NewSettings)
    assert settings.settings.control_mode == 'feedforward'
    assert settings.settings.lower.shape == (2,)
    assert wrench == NewWrench(3, (1.0, 2.0, 3.0, 4.0, 5.0, 6.0))
    assert list(control.poll()) == []


def test_an_activation_carries_the_efforts_that_stand(
    ends: tuple[HostMailbox, ControlMailbox],
) -> None:
    host, control = ends
    host.request(Request.ACTIVATE, np.array([1.5, -2.5]))
    host.request(Request.ACTIVATE, np.zeros(1000))  # too many for a datagram
    assert list(control.poll()) == [
        NewRequest(1, Request.ACTIVATE, (1.5, -2.5)), NewRequest(2, Request.ACTIVATE),
    ]
    host.request(Request.ACTIVATE, np.array([1.0, 2.0, 3.0]))
    host.request(Request.ACTIVATE, np.array([1.0, np.nan]))
    assert list(control.poll()) == []
    refusals = [ack.refusal for ack in host.acks()]
    assert 'got 24 bytes, expected none or 2 numbers' in refusals[0]
    assert 'nan' in refusals[1]


def test_answers_come_back_with_their_reasons(ends: tuple[HostMailbox, ControlMailbox]) -> None:
    host, control = ends
    taken, refused = host.request(Request.RESET), host.send_settings(record())
    list(control.poll())
    control.accept(taken)
    control.refuse(refused, 'gravity_pd: all gains are zero')
    assert [tuple(ack) for ack in host.acks()] == [
        (taken, ''), (refused, 'gravity_pd: all gains are zero'),
    ]
    assert host.acks() == []


def test_a_slot_stays_while_anything_looks_into_it(
    ends: tuple[HostMailbox, ControlMailbox],
) -> None:
    host, control = ends
    host.send_trajectory(trajectory(1.0))
    (message,) = control.poll()
    kept = message.trajectory.q[-1]  # As a controller that holds at the last point.
    del message
    for first in (2.0, 3.0, 4.0, 5.0):
        host.send_trajectory(trajectory(first))
        (message,) = control.poll()
        assert message.trajectory.q[0, 0] == first
        del message
        list(control.poll())
    np.testing.assert_array_equal(kept, [7.0, 8.0])


def test_all_slots_in_use_is_refused_until_one_comes_back(
    ends: tuple[HostMailbox, ControlMailbox],
) -> None:
    host, control = ends
    for first in (1.0, 2.0, 3.0):
        host.send_trajectory(trajectory(first))
    with pytest.raises(MailboxError, match='all 3 slots are still with the control process'):
        host.send_trajectory(trajectory(4.0))
    assert [message.trajectory.q[0, 0] for message in control.poll()] == [1.0, 2.0, 3.0]
    list(control.poll())
    host.send_trajectory(trajectory(5.0))
    (message,) = control.poll()
    assert message.trajectory.q[0, 0] == 5.0


def test_settings_slots_come_back_at_once(ends: tuple[HostMailbox, ControlMailbox]) -> None:
    host, control = ends
    for _ in range(5):
        host.send_settings(record())
        assert len(list(control.poll())) == 1


@pytest.mark.parametrize(('send', 'match'), [
    (lambda host: host.send_settings(bytes(8)), 'settings: got 8 bytes, expected'),
    (lambda host: host.send_trajectory(trajectory(points=11)), 'expected at least'),
])
def test_what_does_not_fit_is_refused_and_keeps_no_slot(
    ends: tuple[HostMailbox, ControlMailbox], send: object, match: str
) -> None:
    host, control = ends
    for _ in range(4):
        with pytest.raises(MailboxError, match=match):
            send(host)
    host.send_settings(record())
    host.send_trajectory(trajectory())
    assert len(list(control.poll())) == 2


def test_a_trajectory_of_another_robot_is_refused(
    ends: tuple[HostMailbox, ControlMailbox],
) -> None:
    host, control = ends
    number = host.send_trajectory(trajectory(points=2, n=3))
    assert list(control.poll()) == []
    ((sequence, refusal),) = host.acks()
    assert sequence == number
    assert 'got 3 joints, expected 2' in refusal


def test_a_poll_takes_few_messages_and_loses_none(
    ends: tuple[HostMailbox, ControlMailbox],
) -> None:
    host, control = ends
    for _ in range(MESSAGES_PER_TICK + 3):
        host.request(Request.HOLD)
    assert len(list(control.poll())) == MESSAGES_PER_TICK
    assert len(list(control.poll())) == 3


def test_mail_that_is_not_taken_is_refused_without_waiting(
    ends: tuple[HostMailbox, ControlMailbox],
) -> None:
    host, control = ends
    with pytest.raises(MailboxError, match='does not take its mail'):
        for _ in range(100_000):
            host.request(Request.HOLD)
    assert len(list(control.poll())) == MESSAGES_PER_TICK
    host.request(Request.STOP)


def test_answers_wait_for_a_host_that_does_not_read(
    ends: tuple[HostMailbox, ControlMailbox],
) -> None:
    host, control = ends
    count = 2000
    for _ in range(count):
        control.accept(1)
    got = 0
    while got < count:
        more = len(host.acks())
        assert more > 0
        got += more
        list(control.poll())
    assert got == count


def test_each_end_sees_the_other_one_go(ends: tuple[HostMailbox, ControlMailbox]) -> None:
    host, control = ends
    assert not control.host_gone
    host.close()
    list(control.poll())
    assert control.host_gone

    host = Mailbox.create(n=2, terms=3, points_max=10)
    control = Mailbox.attach(*(os.dup(descriptor) for descriptor in host.descriptors))
    host.handed_over()
    control.close()
    host.acks()
    assert host.control_gone
    with pytest.raises(MailboxError, match='request: the control process is gone'):
        host.request(Request.STOP)


def test_beats_reach_the_other_side(ends: tuple[HostMailbox, ControlMailbox]) -> None:
    host, control = ends
    assert host.control_beat == 0
    control.beat()
    control.beat()
    assert host.control_beat == 2
    assert not host.control_is_realtime
    control.announce(realtime=True, p50_ns=11, p99_ns=13)
    control.rejected[0] += 3
    assert (host.self_test_ns, host.rejected) == ((11, 13), 3)
    assert host.control_is_realtime


def test_host_age_grows_until_the_host_beats(ends: tuple[HostMailbox, ControlMailbox]) -> None:
    host, control = ends
    host.beat()
    ages = [control.host_age(now) for now in (1_000_000, 3_000_000, 7_000_000)]
    assert ages == [0, 2_000_000, 6_000_000]
    host.beat()
    assert control.host_age(9_000_000) == 0


def test_host_age_does_not_count_a_stall_of_the_whole_machine(
    ends: tuple[HostMailbox, ControlMailbox],
) -> None:
    _, control = ends
    control.host_age(1_000_000)
    assert control.host_age(60_000_000_000) == 20_000_000
