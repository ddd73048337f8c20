"""The mailbox: what is torn, foreign, repeated, reordered or without sense does not come in."""
from __future__ import annotations

import numpy as np
import pytest
from mailbox_rig import LAYOUT, Rogue, record, trajectory

from id_controller.control.settings_record import record_size
from id_controller.realtime.layout import HOST_BEAT
from id_controller.realtime.messages import Datagram, Kind, NewRequest
from id_controller.state import Request


@pytest.fixture
def rogue() -> Rogue:
    return Rogue()


def test_torn_snapshot_is_refused(rogue: Rogue) -> None:
    def fill(body: memoryview) -> None:
        body[: len(record())] = record()
        raise InterruptedError

    with pytest.raises(InterruptedError):
        rogue.slots[0].write(5, fill)
    rogue.send(Datagram(1, Kind.SETTINGS, 0, 5, b''))
    assert list(rogue.control.poll()) == []
    refusal, released = sorted(rogue.answers(), key=len, reverse=True)
    assert b'torn snapshot: got 5 in front and 0 behind, expected 5' in refusal


def test_snapshot_that_was_replaced_is_refused(rogue: Rogue) -> None:
    rogue.slots[2].write(5, trajectory().write_to)
    rogue.slots[2].write(6, trajectory().write_to)
    rogue.send(Datagram(1, Kind.TRAJECTORY, 2, 5, b''))
    assert list(rogue.control.poll()) == []
    assert any(b'another snapshot' in answer for answer in rogue.answers())


def test_foreign_datagram_is_refused_and_does_not_count(rogue: Rogue) -> None:
    rogue.send(Datagram(9, Kind.REQUEST, Request.EXIT, 0, b''), nonce=LAYOUT.nonce + 1)
    rogue.send(Datagram(1, Kind.REQUEST, Request.STOP, 0, b''))
    assert list(rogue.control.poll()) == [NewRequest(1, Request.STOP)]
    assert any(b'foreign: got mailbox 0xabcdf0, expected 0xabcdef' in x for x in rogue.answers())


@pytest.mark.parametrize('sequences', [(1, 1), (2, 1), (3, 3), (7, 6)])
def test_repeated_and_reordered_datagrams_are_refused(
    rogue: Rogue, sequences: tuple[int, int]
) -> None:
    for sequence in sequences:
        rogue.send(Datagram(sequence, Kind.REQUEST, Request.HOLD, 0, b''))
    assert [message.sequence for message in rogue.control.poll()] == [sequences[0]]
    assert any(b'repeated or out of order' in answer for answer in rogue.answers())


@pytest.mark.parametrize('datagram', [
    Datagram(1, Kind.SETTINGS, 2, 1, b''),       # A trajectory slot.
    Datagram(1, Kind.TRAJECTORY, 1, 1, b''),     # A settings slot.
    Datagram(1, Kind.TRAJECTORY, 99, 1, b''),
    Datagram(1, Kind.REQUEST, 99, 0, b''),
    Datagram(1, Kind.WRENCH, 0, 0, bytes(40)),
    Datagram(1, Kind.TAKEN, 0, 0, b''),
    Datagram(1, 99, 0, 0, b''),  # type: ignore[arg-type]
])
def test_datagrams_without_sense_are_refused(rogue: Rogue, datagram: Datagram) -> None:
    rogue.send(datagram)
    assert list(rogue.control.poll()) == []
    assert len(rogue.answers()) == 1


def test_a_slot_in_use_cannot_be_named_again(rogue: Rogue) -> None:
    rogue.slots[2].write(1, trajectory().write_to)
    rogue.send(Datagram(1, Kind.TRAJECTORY, 2, 1, b''))
    (message,) = rogue.control.poll()
    rogue.send(Datagram(2, Kind.TRAJECTORY, 2, 1, b''))
    assert list(rogue.control.poll()) == []
    assert message.trajectory.q[0, 0] == 1.0


def test_settings_with_a_choice_that_does_not_exist_are_refused(rogue: Rogue) -> None:
    numbers = np.zeros(record_size(2) // 8)
    numbers[0] = 40.0

    def fill(body: memoryview) -> None:
        body[:] = numbers.tobytes()

    rogue.slots[0].write(1, fill)
    rogue.send(Datagram(1, Kind.SETTINGS, 0, 1, b''))
    assert list(rogue.control.poll()) == []


def test_the_host_counter_lies_where_the_layout_says(rogue: Rogue) -> None:
    rogue.control.host_age(1)
    rogue.memory[HOST_BEAT : HOST_BEAT + 8].cast('Q')[0] = 3
    assert rogue.control.host_age(5_000_000) == 0
