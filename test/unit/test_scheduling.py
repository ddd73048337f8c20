"""What is asked of the scheduler, what comes of it, and what is said when it refuses."""
from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from id_controller.realtime import scheduling
from id_controller.realtime.scheduling import can_be_scheduled, is_realtime, set_realtime

REFUSED = PermissionError(1, 'Operation not permitted')
GRANTED = can_be_scheduled(98)
PRELUDE = """
import os, resource, threading, time
from id_controller.realtime.scheduling import (
    end_runaways, is_realtime, prioritize_thread, reset_on_fork, set_realtime, settle_threads
)

def start(function=lambda: time.sleep(60)):
    thread = threading.Thread(target=function, daemon=True)
    thread.start()
    return thread.native_id

def policy(thread):
    return os.sched_getscheduler(thread), os.sched_getparam(thread).sched_priority

def become_user_without_limits():
    resource.setrlimit(resource.RLIMIT_RTPRIO, (0, 0))
    resource.setrlimit(resource.RLIMIT_MEMLOCK, (0, 0))
    if os.geteuid() == 0:
        os.setgid(65534)
        os.setuid(65534)
"""


def child(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, '-c', PRELUDE + code], capture_output=True, text=True, timeout=60
    )


def run(code: str) -> str:
    done = child(code)
    assert done.returncode == 0, done.stderr
    return done.stdout


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


def test_a_user_without_limits_gets_two_warnings_and_goes_on() -> None:
    lines = run("""
become_user_without_limits()
print(*set_realtime(50, lock_memory=True), sep='\\n')
settle_threads(49)
reset_on_fork()
end_runaways(0.5)
other = start(lambda: (prioritize_thread(2), time.sleep(60)))
assert not is_realtime()
assert policy(other) == (os.SCHED_OTHER, 0)
""").splitlines()
    assert [line.split(' is not ')[0] for line in lines] == ['SCHED_FIFO 50', 'memory']


def test_every_thread_gets_the_policy_and_hands_it_on() -> None:
    run(f"""
before = start()
set_realtime(40, lock_memory=False)
after = start()
expected = (os.SCHED_FIFO, 40) if {GRANTED} else (os.SCHED_OTHER, 0)
assert [policy(each) for each in (0, before, after)] == 3 * [expected]
""")


def test_settled_threads_go_below_hand_that_on_and_later_ones_are_ordinary() -> None:
    run(f"""
wake, made = threading.Event(), []
def breed():
    wake.wait()
    made.append(start())
    time.sleep(60)
parent = start(breed)
set_realtime(40, lock_memory=False)
settle_threads(39)
reset_on_fork()
wake.set()
deadline = time.monotonic() + 10.0
while not made and time.monotonic() < deadline:
    time.sleep(0.001)
ordinary = (os.SCHED_OTHER, 0)
below = (os.SCHED_FIFO, 39) if {GRANTED} else ordinary
own = (os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, 40) if {GRANTED} else ordinary
assert [policy(0), policy(parent), policy(made[0])] == [own, below, below]
assert policy(start()) == ordinary
""")


def test_no_priority_below_the_lowest_is_asked_for() -> None:
    run(f"""
other = start()
set_realtime(1, lock_memory=False)
settle_threads(0)
assert policy(other) == ((os.SCHED_FIFO, 1) if {GRANTED} else (os.SCHED_OTHER, 0))
""")


def test_a_thread_goes_above_the_main_one_only_where_that_is_real_time() -> None:
    run(f"""
ordinary = (os.SCHED_OTHER, 0)
def risen(above):
    found = []
    def rise():
        prioritize_thread(above)
        found.append(policy(0))
    thread = threading.Thread(target=rise)
    thread.start()
    thread.join()
    return found[0]
assert risen(2) == ordinary
set_realtime(10, lock_memory=False)
settle_threads(11)
fifo = os.SCHED_FIFO | os.SCHED_RESET_ON_FORK
assert [risen(1), risen(2)] == ([(fifo, 11), (fifo, 12)] if {GRANTED} else 2 * [ordinary])
""")


def test_the_affinity_is_that_of_every_thread_and_a_missing_cpu_is_named() -> None:
    run("""
cpu = min(os.sched_getaffinity(0))
before = start()
(warning,) = set_realtime(0, lock_memory=False, affinity=(cpu, 1023))
assert '[1023]' in warning
assert os.sched_getaffinity(before) == os.sched_getaffinity(0) == {cpu}
""")


def test_memory_is_locked() -> None:
    run("""
warnings = set_realtime(0, lock_memory=True)
status = open('/proc/self/status').read().splitlines()
(locked,) = (int(line.split()[1]) for line in status if line.startswith('VmLck'))
assert (locked > 0) is (not warnings), (locked, warnings)
""")


def test_a_real_time_loop_that_never_sleeps_is_killed() -> None:
    ended = child("""
assert not set_realtime(1, lock_memory=False)
end_runaways(0.1)
while True:
    pass
""")
    # Without SCHED_FIFO there is nothing to end, and it ends by its own assertion.
    assert ended.returncode == (-signal.SIGKILL if GRANTED else 1)


def test_a_real_time_loop_that_sleeps_now_and_then_lives() -> None:
    run("""
set_realtime(1, lock_memory=False)
end_runaways(0.1)
used = time.thread_time()
while time.thread_time() - used < 0.3:
    turn = time.thread_time()
    while time.thread_time() - turn < 0.01:
        pass
    time.sleep(0.001)
""")


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
