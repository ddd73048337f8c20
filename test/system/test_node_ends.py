"""Ends and odd orders: signals at any moment, transitions in any state, a host that sleeps."""
from __future__ import annotations

import contextlib
import signal
import time
from pathlib import Path

import numpy as np
import pytest
from nodes import Robot, alive


def children_of(host: int) -> list[str]:
    """Control processes of a host that still run: each got its id as an argument."""
    found = []
    for entry in Path('/proc').glob('[0-9]*'):
        with contextlib.suppress(OSError):
            text = (entry / 'cmdline').read_text(errors='replace')
            if 'control_process' in text and f', {host})' in text and alive(int(entry.name)):
                found.append(text)
    return found


def test_children_are_found(tmp_path: Path) -> None:
    with Robot(tmp_path) as run:
        run.wait_for_event('ticks at')
        assert len(children_of(run.pid('controller'))) == 1


@pytest.mark.parametrize('delay_s', [0.3, 0.6, 0.9])
@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_signal_at_any_moment_of_the_start_ends_everything(
    tmp_path: Path, number: signal.Signals, delay_s: float
) -> None:
    with Robot(tmp_path) as run:
        run.listen(delay_s)
        host = run.kill('controller', number)
        code = run.exit_code('controller', 6.0)
        # Before Python has set our handlers a signal ends the interpreter itself.
        assert code in (0, 1, 130, -number)
        assert not children_of(host)


def test_interrupt_while_waiting_for_a_robot_that_is_not_there(tmp_path: Path) -> None:
    with Robot(tmp_path) as run:
        run.kill('simulator')
        run.wait_for_event('mode WAITING')
        control = run.pid('control')
        began = time.monotonic()
        run.kill('controller', signal.SIGINT)
        assert run.exit_code('controller') == 0
        assert time.monotonic() - began < 1.5
        assert not alive(control)


def test_host_that_sleeps_for_seconds_loses_its_control_process_for_good(tmp_path: Path) -> None:
    with Robot(tmp_path) as run:
        run.wait_for_event('mode HOLD')
        run.listen(0.5)
        control, host = run.pid('control'), run.pid('controller')
        run.kill('controller', signal.SIGSTOP)
        run.wait(lambda: not alive(control) or not run.commands[-1].any(), 'the exit policy', 4.0)
        run.listen(1.0)
        count = len(run.commands)
        assert not run.commands[-1].any(), 'it left by its exit policy'
        run.listen(0.3)
        assert len(run.commands) == count
        run.kill('controller', signal.SIGCONT)
        run.wait_for_event('control process ended with code 3')
        assert run.call('reset')[0]
        run.wait_for_event('mode HOLD')
        assert alive(host)


def test_transitions_in_odd_orders(tmp_path: Path) -> None:
    with Robot(tmp_path) as run:
        run.wait_for_event('mode HOLD')
        assert not run.change('configure'), 'it is active'
        assert not run.change('cleanup'), 'it is active'
        run.kill('simulator')
        run.wait_for_event('mode FAULT')
        first = run.pid('control')
        assert run.change('deactivate'), 'a fault does not hold it'
        assert run.change('activate')
        run.wait_for_event('mode WAITING')
        assert run.change('deactivate')
        assert run.change('cleanup')
        assert not alive(first)
        assert run.change('configure')
        run.wait_for_event('ticks at')
        run.start('simulator')
        assert run.change('activate')
        run.wait_for_event('mode HOLD')
        assert run.pid('control') != first


def test_deactivation_and_cleanup_after_a_loss(tmp_path: Path) -> None:
    with Robot(tmp_path) as run:
        run.wait_for_event('mode HOLD')
        run.kill('control')
        run.wait_for_event('the host has the command topic')
        assert run.change('deactivate')
        run.listen(1.0)
        assert not run.commands[-1].any()
        assert not run.change('activate'), 'there is no control process'
        assert run.change('cleanup')
        assert run.change('configure')
        assert run.change('activate')
        run.wait_for_event('mode HOLD')
        run.listen(0.3)
    assert np.isfinite(np.concatenate(run.commands)).all()


def test_resets_in_a_row_start_one_control_process(tmp_path: Path) -> None:
    with Robot(tmp_path) as run:
        run.wait_for_event('mode HOLD')
        run.kill('control')
        run.wait_for_event('the host has the command topic')
        for _ in range(4):
            assert run.call('reset')[0]
        run.wait_for_event('mode HOLD')
        run.listen(1.5)
        started = [line for line in run.events if 'ticks at' in line]
        assert len(started) == 2
        assert len(children_of(run.pid('controller'))) == 1
