"""Host and control process as real processes, without ROS: each one's end and what follows."""
from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from control_pair import (
    RAMP_TIME_S,
    Pair,
    check_exit_ramp,
    effort_of,
    efforts_in,
    has_ended,
    host_process,
    is_stopped,
    started_pairs,
    wait_until,
)

from id_controller.realtime.loop import Ending
from id_controller.realtime.process import fence
from id_controller.realtime.watch import LOOKS, LOOKS_ORDINARY, Verdict
from id_controller.state import Mode, Request


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Pair]]:
    yield from started_pairs(tmp_path, monkeypatch)


def test_it_runs_and_leaves_by_the_exit_policy_when_asked(pair: Callable[..., Pair]) -> None:
    both = pair()
    both.wait_for_mode(Mode.HOLD)
    both.wait_for_full_effort()
    number = both.host.request(Request.EXIT)
    assert both.process.wait(RAMP_TIME_S + 1.0) == Ending.DONE
    assert (number, '') in [tuple(ack) for ack in both.host.acks()]
    check_exit_ramp(both.efforts())
    rows = both.host.telemetry.since(-1)
    assert np.all(np.diff(rows['tick']) == 1)
    assert int(rows['mode'][-1]) in (Mode.EXITING, Mode.EXITED)


@pytest.mark.parametrize('number', [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_b92_a_signal_means_the_exit_policy(
    pair: Callable[..., Pair], number: signal.Signals
) -> None:
    both = pair()
    both.wait_for_mode(Mode.HOLD)
    both.wait_for_full_effort()
    both.process.send_signal(number)
    assert both.process.wait(RAMP_TIME_S + 1.0) == Ending.DONE
    check_exit_ramp(both.efforts())
    wait_until(lambda: both.verdicts[-1] is Verdict.DEAD, 1.0, 'the watch sees it')


def test_b90_an_error_in_a_tick_takes_the_effort_to_zero(
    pair: Callable[..., Pair], tmp_path: Path
) -> None:
    both = pair(breaks_by=str(tmp_path / 'break'))
    both.wait_for_mode(Mode.HOLD)
    both.wait_for_full_effort()
    (tmp_path / 'break').touch()
    assert both.process.wait(RAMP_TIME_S + 1.5) == Ending.FAILED
    check_exit_ramp(both.efforts())


@pytest.mark.parametrize('priority', [0, 40])
def test_a_frozen_control_process_is_seen_and_fenced(
    pair: Callable[..., Pair], priority: int
) -> None:
    both = pair(priority=priority)
    both.wait_for_mode(Mode.HOLD)
    if priority == 0:
        assert not both.host.control_is_realtime
    wait_until(lambda: both.verdicts[-1] is Verdict.ALIVE, 5.0, 'the first look')
    both.process.send_signal(signal.SIGSTOP)
    wait_until(lambda: is_stopped(both.process.pid), 5.0, 'the stop')
    looks = len(both.verdicts)
    wait_until(lambda: both.verdicts[-1] is Verdict.FROZEN, 5.0, 'the alarm')
    limit = LOOKS if both.host.control_is_realtime else LOOKS_ORDINARY
    assert len(both.verdicts) - looks <= limit + 1
    last = both.commands.read_bytes()
    assert fence(both.process)
    assert both.process.wait(5.0) == -signal.SIGKILL
    assert both.commands.read_bytes() == last


def test_a_control_process_that_hangs_in_real_time_is_ended_by_the_kernel(
    pair: Callable[..., Pair], tmp_path: Path
) -> None:
    both = pair(priority=40, breaks_by=str(tmp_path / 'break'))
    both.wait_for_mode(Mode.HOLD)
    if not both.host.control_is_realtime:
        return  # then the machine shares its CPU, and there is the watch
    (tmp_path / 'order').write_text('hang', encoding='ascii')
    (tmp_path / 'order').rename(tmp_path / 'break')
    # The test's watch looks but fences nobody.
    assert both.process.wait(10.0) == -signal.SIGKILL
    wait_until(lambda: both.verdicts[-1] is Verdict.DEAD, 5.0, 'the watch sees it')


@pytest.mark.parametrize('number', [signal.SIGKILL, signal.SIGSEGV])
def test_a_killed_control_process_is_seen(
    pair: Callable[..., Pair], number: signal.Signals
) -> None:
    both = pair()
    both.wait_for_mode(Mode.HOLD)
    both.process.send_signal(number)
    wait_until(lambda: both.verdicts[-1] is Verdict.DEAD, 5.0, 'the watch sees it')
    assert both.process.returncode == -number


def test_a_host_that_closes_its_end_is_left(pair: Callable[..., Pair]) -> None:
    both = pair()
    both.wait_for_mode(Mode.HOLD)
    both.wait_for_full_effort()
    both.host.close()
    assert both.process.wait(RAMP_TIME_S + 1.0) == Ending.HOST_LOST
    check_exit_ramp(both.efforts())


def test_a_silent_host_is_a_fault_and_is_left(pair: Callable[..., Pair]) -> None:
    both = pair()
    both.wait_for_mode(Mode.HOLD)
    both.wait_for_full_effort()
    both.ended.set()
    both.watcher.join()
    silent = time.monotonic()
    assert both.process.wait(10.0) == Ending.HOST_LOST
    assert time.monotonic() - silent > 1.0
    check_exit_ramp(both.efforts())


@pytest.mark.parametrize('rate_hz', [20, 1000])
def test_no_rate_raises_a_false_alarm(pair: Callable[..., Pair], rate_hz: int) -> None:
    both = pair(rate_hz=rate_hz, priority=40)
    both.wait_for_mode(Mode.HOLD)
    wait_until(lambda: both.verdicts[-1] is Verdict.ALIVE, 5.0, 'the first look')
    looks = len(both.verdicts)
    wait_until(lambda: len(both.verdicts) > looks + 100, 10.0, 'looks')
    assert set(both.verdicts[looks:]) == {Verdict.ALIVE}


@pytest.mark.parametrize('looks', [0, 5, 30])
def test_b90_a_host_killed_at_the_start_takes_the_control_process_along(
    tmp_path: Path, looks: int
) -> None:
    with host_process(tmp_path) as host:
        control = os.pidfd_open(int(host.stdout.readline()))
        for _ in range(looks):
            host.stdout.readline()
        host.kill()
        assert has_ended(control, RAMP_TIME_S + 3.0), 'the control process lives on'
    os.close(control)
    assert effort_of(tmp_path) == 0.0


def test_b90_a_killed_host_takes_the_control_process_along(tmp_path: Path) -> None:
    with host_process(tmp_path) as host:
        control = os.pidfd_open(int(host.stdout.readline()))
        while host.stdout.readline() != b'ALIVE\n':
            assert host.poll() is None
        # The effort comes up under its rate limit.
        wait_until(lambda: effort_of(tmp_path) == 5.0, 5.0, 'full effort')
        host.kill()
        assert has_ended(control, RAMP_TIME_S + 1.0), 'the control process lives on'
    os.close(control)
    check_exit_ramp(efforts_in(tmp_path / 'commands'))
