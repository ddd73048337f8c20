"""Threads of the running controller: what each of them got."""
from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import pytest
from nodes import Robot

from id_controller.realtime.scheduling import can_be_scheduled

GRANTED = can_be_scheduled(50)
FIFO, RESET = os.SCHED_FIFO, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK


class Threads(NamedTuple):
    """Policy and priority of the main thread, and of all others."""

    main: tuple[int, int]
    others: list[tuple[int, int]]


def threads_of(pid: int) -> Threads:
    found = {
        int(task.name): (
            os.sched_getscheduler(int(task.name)), os.sched_getparam(int(task.name)).sched_priority
        )
        for task in Path(f'/proc/{pid}/task').iterdir()
    }
    main = found.pop(pid)
    return Threads(main, sorted(found.values()))


def longest_run_us(pid: int) -> str:
    limits = Path(f'/proc/{pid}/limits').read_text(encoding='ascii').splitlines()
    (line,) = (line for line in limits if line.startswith('Max realtime timeout'))
    return line.split()[3]


def busy(run: Robot) -> None:
    """Use what may start threads late: services, parameters, trajectories, a second of ticks."""
    run.wait_for_event('mode HOLD')
    joints = [f'joint{k}' for k in range(1, 8)]
    run.wait(lambda: all(joint in run.state for joint in joints), 'a state')
    run.set(state_timeout=0.3)
    run.send([0.2], [run.q(joints).tolist()], joints)
    run.wait_for_event('trajectory ')  # refused where the machine loses ticks
    assert run.call('hold')[0]
    run.listen(1.0)


@pytest.mark.parametrize(('thread_priority', 'host'), [(50, 10), (12, 8), (2, 1)])
def test_each_thread_has_its_place(tmp_path: Path, thread_priority: int, host: int) -> None:
    arguments = ('-p', f'thread_priority:={thread_priority}')
    with Robot(tmp_path, controller=arguments) as run:
        busy(run)
        pids = [run.pid('controller'), run.pid('control')]
        of_host, of_control = (threads_of(pid) for pid in pids)
        limits = [longest_run_us(pid) for pid in pids]
    if not GRANTED:
        assert {*of_host.others, *of_control.others} == {(os.SCHED_OTHER, 0)}
        return
    assert of_control.main == (RESET, thread_priority)
    assert set(of_control.others) == {(FIFO, thread_priority - 1)}
    assert of_host.main == (FIFO, host)
    middleware, own = (FIFO, host + 1), [(RESET, host + 1), (RESET, host + 2)]
    assert [each for each in of_host.others if each != middleware] == own
    assert limits == ['5000000', '500000']


def test_priority_zero_is_ordinary_scheduling_for_both(tmp_path: Path) -> None:
    with Robot(tmp_path, controller=('-p', 'thread_priority:=0')) as run:
        busy(run)
        for name in ('controller', 'control'):
            of_process = threads_of(run.pid(name))
            assert {of_process.main, *of_process.others} == {(os.SCHED_OTHER, 0)}


def test_the_control_process_speaks_over_the_transport_that_is_printed(tmp_path: Path) -> None:
    with Robot(tmp_path) as run:
        run.wait_for_event('mode HOLD')
        pid = run.pid('control')
        environ = Path(f'/proc/{pid}/environ').read_bytes().decode().split('\0')
        mapped = Path(f'/proc/{pid}/maps').read_text(encoding='utf-8')
        printed = (tmp_path / 'controller.log').read_text(encoding='utf-8')
    (profile,) = (
        value for name, _, value in (each.partition('=') for each in environ)
        if name in ('FASTDDS_DEFAULT_PROFILES_FILE', 'FASTRTPS_DEFAULT_PROFILES_FILE')
    )
    (line,) = (each for each in printed.splitlines() if 'transport: ' in each)
    assert profile in line
    # Its segments and ports would lie there.
    assert '/dev/shm/fast' not in mapped
