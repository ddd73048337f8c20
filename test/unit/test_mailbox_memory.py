"""The shared memory and the start-up file: layouts, sizes and seals."""
from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest
from mailbox_rig import LAYOUT

from id_controller.errors import MailboxError
from id_controller.realtime import memory
from id_controller.realtime.layout import layout_from_header
from id_controller.realtime.mailbox import Mailbox
from id_controller.realtime.startup import read_startup, write_startup


@pytest.mark.parametrize(('change', 'match'), [
    (lambda header: b'OTHERBOX' + header[8:], 'at its start'),
    (lambda header: header[:8] + b'\x09' + header[9:], 'layout version 9, expected 2'),
    (lambda header: header[:12] + b'\x03' + header[13:], 'for 3 joints'),
    (lambda header: header[:20], 'at its start'),
])
def test_foreign_memory_is_refused(change: object, match: str) -> None:
    with pytest.raises(MailboxError, match=match):
        layout_from_header(change(LAYOUT.header()), LAYOUT.total)


def test_memory_of_another_size_is_refused() -> None:
    with pytest.raises(MailboxError, match=f'got {LAYOUT.total + 1} bytes'):
        layout_from_header(LAYOUT.header(), LAYOUT.total + 1)
    assert layout_from_header(LAYOUT.header(), LAYOUT.total) == LAYOUT


def test_descriptors_that_are_none_are_refused() -> None:
    reading, writing = os.pipe()
    with pytest.raises(MailboxError, match='shared memory'):
        Mailbox.attach(reading, writing)
    descriptor = memory.created(LAYOUT)
    with pytest.raises(MailboxError, match='mailbox: socket'):
        Mailbox.attach(descriptor, reading)


def test_the_memory_cannot_be_cut() -> None:
    descriptor = memory.created(LAYOUT)
    with pytest.raises(PermissionError):
        os.ftruncate(descriptor, 4096)


def test_slots_and_rows_do_not_overlap() -> None:
    layout = replace(LAYOUT, n=7, terms=8, points_max=1000)
    ends = [(offset, offset + 128 + -(-size // 64) * 64) for offset, size in layout.slots]
    assert ends[0][0] == 4096
    assert all(end <= start for (_, end), (start, _) in zip(ends, ends[1:], strict=False))
    assert ends[-1][1] <= layout.ring
    assert all(offset % 64 == 0 for offset, _ in layout.slots)
    assert layout.ring + layout.ticks * np.dtype(layout.row).itemsize <= layout.total


def test_startup_file_comes_back_and_cannot_be_changed() -> None:
    descriptor = write_startup({'joints': ['a', 'b'], 'rate': 1000, 'limits': [1.5, float('inf')]})
    assert read_startup(descriptor)['limits'] == [1.5, float('inf')]
    assert read_startup(descriptor)['joints'] == ['a', 'b']
    with pytest.raises(PermissionError):
        os.pwrite(descriptor, b'x', 0)


def test_startup_file_that_is_none_is_refused() -> None:
    with pytest.raises(MailboxError, match='start-up file'):
        write_startup({'array': np.zeros(2)})
    for content in (b'no json', b'[1]', b'{"version": 99, "content": {}}'):
        with pytest.raises(MailboxError, match='start-up file'):
            read_startup(memory.sealed_file('test', content))
