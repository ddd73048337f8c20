"""Signals that ask to leave are raised where it is asked for, and only there."""
from __future__ import annotations

import os
import signal

import pytest

from id_controller.command_line.terminal import LeaveSignals


def test_nothing_came() -> None:
    with LeaveSignals() as signals:
        signals.check()


def test_ctrl_c_is_raised_once_at_the_check() -> None:
    with LeaveSignals() as signals:
        os.kill(os.getpid(), signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signals.check()
        signals.check()


@pytest.mark.parametrize('number', [signal.SIGTERM, signal.SIGHUP])
def test_other_signals_end_with_their_code(number: signal.Signals) -> None:
    with LeaveSignals() as signals:
        os.kill(os.getpid(), number)
        with pytest.raises(SystemExit) as ended:
            signals.check()
    assert ended.value.code == 128 + number


def test_what_was_ignored_stays_ignored_and_handlers_come_back() -> None:
    before = signal.getsignal(signal.SIGTERM)
    hang_up = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with LeaveSignals() as signals:
            os.kill(os.getpid(), signal.SIGHUP)
            signals.check()
        assert signal.getsignal(signal.SIGTERM) is before
    finally:
        signal.signal(signal.SIGHUP, hang_up)
