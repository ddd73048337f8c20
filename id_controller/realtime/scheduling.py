"""
What a process asks of the scheduler and of the memory, so that its ticks come in time.

What a machine does not grant degrades with one warning that says how to get it.
"""
from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import resource
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

LIMITS_FILE = '/etc/security/limits.conf'
_CHECK = 'id_controller check --realtime says what else is missing'
_MCL_CURRENT, _MCL_FUTURE, _MCL_ONFAULT = 1, 2, 4
_libc = ctypes.CDLL(None, use_errno=True)


def set_realtime(priority: int, lock_memory: bool, affinity: Sequence[int] = ()) -> list[str]:
    """
    Set up every thread of this process and return a warning for each part that is not granted.

    Threads and processes that these start later inherit it. Every thread, for a loop that alone
    is SCHED_FIFO keeps its period on stale states: those of the middleware, which receive them,
    wait for whatever else the machine does.

    :param priority: SCHED_FIFO priority; 0: ordinary scheduling.
    :param lock_memory: Whether pages that are used stay in memory.
    :param affinity: CPUs to run on; empty: any.
    """
    warnings: list[str] = []
    if affinity:
        warnings += _set_affinity(affinity)
    if priority > 0:
        warnings += _set_fifo(priority)
    if lock_memory:
        warnings += _lock_memory()
    return warnings


def settle_threads(others: int) -> None:
    """
    Give every thread but this one a priority of its own, where this one is SCHED_FIFO.

    :param others: Their SCHED_FIFO priority, which what they start inherits; below 1 means 1.
    """
    if not is_realtime():
        return
    own, priority = threading.get_native_id(), os.sched_param(max(1, others))

    def settle(thread: int) -> None:
        if thread != own:
            os.sched_setscheduler(thread, os.SCHED_FIFO, priority)

    for_each_thread(settle)


def reset_on_fork() -> None:
    """
    Let whatever this thread starts from now on run under ordinary scheduling.

    It acts on threads as on processes, so it comes after those of the middleware are there.
    """
    if is_realtime():
        os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, os.sched_getparam(0))


def use_ordinary_scheduling() -> None:
    """Take every thread of this process back to where processes start."""
    ordinary = os.sched_param(0)
    for_each_thread(lambda thread: os.sched_setscheduler(thread, os.SCHED_OTHER, ordinary))


def use_ordinary_thread() -> None:
    """Take this thread alone back to where threads start: what it does can wait."""
    os.sched_setscheduler(threading.get_native_id(), os.SCHED_OTHER, os.sched_param(0))


def prioritize_thread(above: int) -> None:
    """
    Put the calling thread above the main one, where that is SCHED_FIFO.

    :param above: By how much.
    """
    main = os.getpid()
    if is_realtime(main):
        priority = os.sched_param(os.sched_getparam(main).sched_priority + above)
        with contextlib.suppress(OSError):  # a limit in between: it stays at what it has
            os.sched_setscheduler(0, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK, priority)


def end_runaways(longest_s: float) -> None:
    """
    Let the kernel kill this process when one of its real-time threads never sleeps.

    Under SCHED_FIFO a loop that hangs keeps its CPU from everything below, perhaps from the one
    process that could end it. What counts is CPU time since the last sleep of each thread, in
    clock ticks, so a loop that waits once a period never comes near, however loaded it is.
    Soft and hard limit are the same: that is SIGKILL, which the process that watches over this
    one answers at once, where SIGXCPU might write a core first.
    """
    time.sleep(1e-3)  # what went before does not count
    limit_us = int(1e6 * longest_s)
    with contextlib.suppress(OSError, ValueError):  # a stricter limit stays
        resource.setrlimit(resource.RLIMIT_RTTIME, (limit_us, limit_us))


def is_realtime(thread: int = 0) -> bool:
    """Return whether a thread runs under SCHED_FIFO; 0: the calling one."""
    return os.sched_getscheduler(thread) & ~os.SCHED_RESET_ON_FORK == os.SCHED_FIFO


def can_be_scheduled(priority: int) -> bool:
    """Try whether SCHED_FIFO is granted here, in a thread that ends at once."""
    refused: list[OSError] = []

    def ask() -> None:
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))
        except OSError as error:
            refused.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    thread.join()
    return not refused


def freeze_garbage() -> None:
    """Collect once, then never again; for after the warm-up of a loop that makes no cycles."""
    gc.collect()
    gc.freeze()
    gc.disable()


def for_each_thread(act: Callable[[int], None]) -> None:
    """Act on every thread of this process, also on those that the others start meanwhile."""
    done: set[int] = set()
    while new := {int(task.name) for task in Path('/proc/self/task').iterdir()} - done:
        for thread in new:
            with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
                act(thread)
        done |= new


def _set_affinity(affinity: Sequence[int]) -> list[str]:
    there = sorted(os.sched_getaffinity(0))
    try:
        for_each_thread(lambda thread: os.sched_setaffinity(thread, affinity))
    except OSError as error:
        return [f'cpu_affinity {list(affinity)} is not set: {error.strerror}; there are {there}']
    # The kernel passes over CPUs that do not exist.
    missing = sorted(set(affinity) - os.sched_getaffinity(0))
    return [f'cpu_affinity: there is no CPU {missing}; there are {there}'] if missing else []


def _set_fifo(priority: int) -> list[str]:
    parameters = os.sched_param(priority)
    try:
        for_each_thread(
            lambda thread: os.sched_setscheduler(thread, os.SCHED_FIFO, parameters)
        )
    except OSError as error:
        return [
            f'SCHED_FIFO {priority} is not set: {error.strerror}; add "<user> - rtprio 98" to '
            f'{LIMITS_FILE} and log in again, or run Docker with --cap-add=SYS_NICE '
            f'--ulimit rtprio=98; until then expect lost ticks ({_CHECK})'
        ]
    return []


def _lock_memory() -> list[str]:
    # Each page when it is first used: without that, the stacks of all threads would be filled.
    if _libc.mlockall(_MCL_CURRENT | _MCL_FUTURE | _MCL_ONFAULT) == 0:
        return []
    return [
        f'memory is not locked: {os.strerror(ctypes.get_errno())}; add "<user> - memlock '
        f'unlimited" to {LIMITS_FILE} and log in again, or run Docker with --ulimit memlock=-1 '
        f'({_CHECK})'
    ]
