"""What is asked of the operating system, and what is said when it refuses."""
from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from id_controller.realtime import scheduling
from id_controller.realtime.process import StopSignals, fence
from id_controller.realtime.scheduling import can_be_scheduled, is_realtime, set_realtime

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
    monkeypatch.setattr(scheduling._libc, 'mlockall', lambda _flags: -1)
    affinity, fifo, memory = set_realtime(50, lock_memory=True, affinity=(3,))
    assert 'cpu_affinity [3] is not set' in affinity
    assert 'SCHED_FIFO 50 is not set' in fifo
    assert 'limits.conf' in fifo
    assert '--cap-add=SYS_NICE' in fifo
    assert 'memlock' in memory


THREADS = """
import os, threading, time
from id_controller.realtime.scheduling import set_realtime, settle_threads

def policies():
    threads = [each for each in threading.enumerate() if each is not threading.main_thread()]
    return [(os.sched_getscheduler(each.native_id) & ~os.SCHED_RESET_ON_FORK,
             os.sched_getparam(each.native_id).sched_priority) for each in threads]

def start():
    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()

start()
refused = set_realtime(40, lock_memory=False)
start()
settle_threads()
fifo = (os.SCHED_FIFO, 39)
assert refused or policies() == [fifo, fifo], policies()
assert refused or os.sched_getparam(0).sched_priority == 40
start()
assert policies()[-1] == (os.SCHED_OTHER, 0)
"""


def test_every_thread_that_is_there_is_settled_below_and_later_ones_are_ordinary() -> None:
    assert subprocess.run([sys.executable, '-c', THREADS], timeout=60).returncode == 0


RUNAWAY = """
from id_controller.realtime.scheduling import end_runaways, set_realtime
assert not set_realtime(1, lock_memory=False)
end_runaways()
while True:
    pass
"""


def test_a_real_time_loop_that_never_sleeps_is_ended() -> None:
    ended = subprocess.run([sys.executable, '-c', RUNAWAY], timeout=60)
    # Without SCHED_FIFO there is nothing to end, and it ends by its own assertion.
    expected = (-signal.SIGXCPU, -signal.SIGKILL) if can_be_scheduled(1) else (1,)
    assert ended.returncode in expected


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
        'import gc; from id_controller.realtime import scheduling; scheduling.freeze_garbage(); '
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
