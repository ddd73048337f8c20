"""What is asked of the operating system, and what is said when it refuses."""
from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from id_controller.realtime import process
from id_controller.realtime.process import StopSignals, fence, is_realtime, set_realtime

REFUSED = PermissionError(1, 'Operation not permitted')


def refuse(*_arguments: object) -> None:
    raise REFUSED


def test_nothing_asked_nothing_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, 'sched_setscheduler', refuse)
    monkeypatch.setattr(os, 'sched_setaffinity', refuse)
    assert set_realtime(0, lock_memory=False) == []


def test_each_part_that_is_refused_gives_one_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, 'sched_setscheduler', refuse)
    monkeypatch.setattr(os, 'sched_setaffinity', refuse)
    monkeypatch.setattr(process._libc, 'mlockall', lambda _flags: -1)
    affinity, fifo, memory = set_realtime(50, lock_memory=True, affinity=(3,))
    assert 'cpu_affinity [3] is not set' in affinity
    assert 'SCHED_FIFO 50 is not set' in fifo
    assert 'limits.conf' in fifo
    assert '--cap-add=SYS_NICE' in fifo
    assert 'memlock' in memory


def test_threads_inherit_the_policy_until_it_is_reset(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(
        os, 'sched_setscheduler', lambda _, policy, param: asked.append(
            (policy, param.sched_priority)
        )
    )
    set_realtime(50, lock_memory=False)
    monkeypatch.setattr(os, 'sched_getscheduler', lambda _: os.SCHED_FIFO)
    monkeypatch.setattr(os, 'sched_getparam', lambda _: os.sched_param(50))
    process.reset_on_fork()
    assert asked == [(os.SCHED_FIFO, 50), (os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, 50)]


@pytest.mark.parametrize(('policy', 'wanted'), [
    (os.SCHED_OTHER, False), (os.SCHED_FIFO, True), (os.SCHED_RR, False),
    (os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, True),
])
def test_what_counts_as_real_time(
    monkeypatch: pytest.MonkeyPatch, policy: int, wanted: bool
) -> None:
    monkeypatch.setattr(os, 'sched_getscheduler', lambda _: policy)
    assert is_realtime() is wanted


def test_b82_garbage_is_collected_once_and_never_again() -> None:
    code = (
        'import gc; from id_controller.realtime.process import freeze_garbage; freeze_garbage(); '
        'raise SystemExit(gc.isenabled() or gc.get_freeze_count() == 0)'
    )
    assert subprocess.run([sys.executable, '-c', code], timeout=60).returncode == 0


def test_stop_signals_are_a_flag() -> None:
    before = {each: signal.getsignal(each) for each in (2, 15, 1)}
    try:
        stop = StopSignals()
        assert not stop()
        os.kill(os.getpid(), signal.SIGTERM)
        assert stop()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_fencing_a_process_that_has_ended_is_no_error() -> None:
    ended = subprocess.Popen([sys.executable, '-c', 'pass'])
    ended.wait()
    assert fence(ended)
    assert ended.returncode == 0


def test_fencing_ends_what_ignores_every_signal() -> None:
    code = (
        'import signal, time; signal.signal(15, signal.SIG_IGN); signal.signal(2, signal.SIG_IGN);'
        ' print(flush=True); time.sleep(60)'
    )
    deaf = subprocess.Popen([sys.executable, '-c', code], stdout=subprocess.PIPE)
    deaf.stdout.readline()
    deaf.stdout.close()
    deaf.terminate()
    assert fence(deaf)
    assert deaf.wait(5.0) == -signal.SIGKILL
