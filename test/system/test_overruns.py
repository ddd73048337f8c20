"""Ticks that are really lost: both processes stopped, and both cores taken away."""
from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from diagnostic_msgs.msg import DiagnosticArray
from nodes import Robot
from sensor_msgs.msg import JointState

from id_controller.realtime.scheduling import can_be_scheduled

ARM7 = [f'joint{k}' for k in range(1, 8)]
GOAL = [0.3, 0.6, 0.3, 0.6, 0.3, 0.3, 0.3]
STALL_S = 0.06
# Above the control process, on every CPU at once, nine tenths of the time, for a while.
BURN = """
import os, sys, time
os.sched_setaffinity(0, [int(sys.argv[1])])
try:
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(70))
except OSError:
    pass
print('ready', flush=True)
begin = float(sys.stdin.readline())
time.sleep(max(0.0, begin - time.monotonic()))
end = begin + 0.5
while time.monotonic() < end:
    until = time.monotonic() + 0.018
    while time.monotonic() < until:
        pass
    time.sleep(0.002)
"""


def stall(run: Robot) -> None:
    """
    Stop host and control process together, as a stall of the whole machine does.

    The host first and on again last, since it kills a control process that alone stands still.
    """
    host, control = run.pid('controller'), run.pid('control')
    os.kill(host, signal.SIGSTOP)
    os.kill(control, signal.SIGSTOP)
    time.sleep(STALL_S)
    os.kill(control, signal.SIGCONT)
    os.kill(host, signal.SIGCONT)


def burn(run: Robot) -> None:
    """Take both cores away for half a second."""
    burners = [
        subprocess.Popen(
            [sys.executable, '-c', BURN, str(cpu)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True,
        )
        for cpu in sorted(os.sched_getaffinity(0))
    ]
    for burner in burners:
        assert burner.stdout.readline() == 'ready\n'
    begin = time.monotonic() + 0.1
    for burner in burners:
        burner.stdin.write(f'{begin}\n')
        burner.stdin.flush()
    for burner in burners:
        burner.communicate(timeout=20.0)


def moving(run: Robot) -> None:
    run.wait_for_event('mode HOLD')
    run.send([20.0], [GOAL], ARM7)
    run.wait_for_event('mode TRACK')
    run.listen(1.0)


def at_rest(run: Robot) -> None:
    """See that the arm stands where it is, by what the simulator says."""
    run.listen(1.0)
    before = run.q(ARM7)
    run.listen(0.5)
    assert np.abs(run.q(ARM7) - before).max() < 2e-3
    assert np.abs(run.v(ARM7)).max() < 0.02


@pytest.mark.parametrize('burden', [stall, burn], ids=['stall', 'busy'])
def test_hold_ends_the_motion_says_why_and_takes_a_new_goal(
    tmp_path: Path, burden: Callable[[Robot], None]
) -> None:
    if burden is burn and not can_be_scheduled(70):
        burden = stall  # nothing can take a core away from others then
    diagnostics: list[DiagnosticArray] = []
    timing: list[JointState] = []
    with Robot(tmp_path, controller=('-p', 'overruns.policy:=hold')) as run:
        run.node.create_subscription(DiagnosticArray, '/diagnostics', diagnostics.append, 10)
        run.node.create_subscription(JointState, '/id_controller/timing', timing.append, 10)
        moving(run)
        burden(run)
        run.wait_for_event('mode HOLD OVERRUN: too many ticks are lost')
        at_rest(run)
        assert np.abs(run.q(ARM7) - GOAL).max() > 0.05, 'it did not go on'
        run.wait(
            lambda: any('OVERRUN' in str(each.status) for each in diagnostics), 'diagnostics'
        )
        run.wait_for_event('mode HOLD')
        run.send([2.0], [[0.0] * 7], ARM7)
        run.wait_for_event('trajectory accepted')
        run.wait_for_event('mode TRACK')
        run.wait_for_event('mode HOLD')
        assert np.abs(run.q(ARM7)).max() < 0.05
        run.wait(lambda: len(timing) > 0, '~/timing')
        values = dict(zip(timing[-1].name, timing[-1].position))
        assert 0.0 < values['compute/p50'] <= values['compute/p99'] <= values['compute/max']
        assert not any('mode FAULT' in line for line in run.events)


def test_stop_is_a_fault_until_a_reset(tmp_path: Path) -> None:
    with Robot(tmp_path, controller=('-p', 'overruns.policy:=stop')) as run:
        moving(run)
        stall(run)
        run.wait_for_event('mode FAULT OVERRUN: too many ticks are lost')
        answers = []
        with contextlib.suppress(AssertionError):
            answers.append(run.call('reset'))
        at_rest(run)
        run.listen(1.5)
        assert run.call('reset') == (True, 'reset')
        assert all(success or 'OVERRUN' in why for success, why in answers)
        run.wait_for_event('mode HOLD')
        run.send([2.0], [[0.0] * 7], ARM7)
        run.wait_for_event('mode TRACK')
        run.wait_for_event('mode HOLD')


def test_b80_an_overload_says_few_lines_however_many_ticks_are_lost(tmp_path: Path) -> None:
    with Robot(tmp_path) as run:
        moving(run)
        for _ in range(30):
            stall(run)
            run.listen(0.1)
        run.listen(1.5)
        lines = [line for line in run.events if 'ticks dropped' in line]
        assert 1 <= len(lines) <= 2
        assert 'ms late' in lines[0]
        assert len(lines) + sum('OVERRUN' in line for line in run.events) <= 10
