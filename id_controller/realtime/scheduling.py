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
from collections.abc import Sequence
from pathlib import Path

LONGEST_RUN_S = 0.5
"""A real-time thread that runs so long without a sleep has lost its way."""

_MCL_CURRENT, _MCL_FUTURE, _MCL_ONFAULT = 1, 2, 4
_libc = ctypes.CDLL(None, use_errno=True)


def set_realtime(priority: int, lock_memory: bool, affinity: Sequence[int] = ()) -> list[str]:
    """
    Set this process up for real time and return a warning for each part that is not granted.

    Call it before DDS starts, whose threads inherit the policy: a loop that alone is SCHED_FIFO
    keeps its period on stale states. SCHED_RESET_ON_FORK would keep them from inheriting, so
    that comes after them, by ``settle_threads``.

    :param priority: SCHED_FIFO priority; 0: ordinary scheduling.
    :param lock_memory: Whether pages that are used stay in memory.
    :param affinity: CPUs to run on; empty: any.
    """
    warnings: list[str] = []
    if affinity:
        warnings += _set_affinity(affinity)
    if priority > 0:
        warnings += _set_fifo(priority, os.SCHED_FIFO)
    if lock_memory and _libc.mlockall(_MCL_CURRENT | _MCL_FUTURE | _MCL_ONFAULT) != 0:
        warnings.append(
            f'memory is not locked: {os.strerror(ctypes.get_errno())}; set "memlock unlimited" in '
            '/etc/security/limits.conf, or run Docker with --ulimit memlock=-1'
        )
    return warnings


def settle_threads() -> None:
    """
    Put every other thread of this process just below the calling one, where that is SCHED_FIFO.

    Whatever this thread starts from now on runs under ordinary scheduling; what the others start
    inherits theirs. To be called once the threads of the middleware are there.
    """
    if not is_realtime():
        return
    priority = os.sched_getparam(0).sched_priority
    own = threading.get_native_id()
    for task in Path('/proc/self/task').iterdir():
        if int(task.name) != own:
            # A thread may end meanwhile.
            with contextlib.suppress(OSError):
                below = os.sched_param(max(1, priority - 1))
                os.sched_setscheduler(int(task.name), os.SCHED_FIFO, below)
    _set_fifo(priority, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK)


def end_runaways() -> None:
    """
    Let the kernel end this process when one of its real-time threads runs on without a sleep.

    A loop that hangs under SCHED_FIFO would keep others from its CPU. SIGXCPU ends the process,
    and who watches over it takes over. Time counts from the last sleep of each thread.
    """
    limit = int(1e6 * LONGEST_RUN_S)
    with contextlib.suppress(OSError, ValueError):  # a stricter limit stays
        resource.setrlimit(resource.RLIMIT_RTTIME, (limit, 2 * limit))


def prioritize_thread(priority: int) -> list[str]:
    """Put the calling thread under SCHED_FIFO and return a warning when that is not granted."""
    return _set_fifo(priority, os.SCHED_FIFO | os.SCHED_RESET_ON_FORK)


def prioritize_process(priority: int) -> list[str]:
    """
    Put every thread of this process under SCHED_FIFO; what they start inherits it.

    :returns: A warning when that is not granted.
    """
    warnings = _set_fifo(priority, os.SCHED_FIFO)
    for task in () if warnings else Path('/proc/self/task').iterdir():
        with contextlib.suppress(OSError):
            os.sched_setscheduler(int(task.name), os.SCHED_FIFO, os.sched_param(priority))
    return warnings


def is_realtime() -> bool:
    """Return whether this thread runs under SCHED_FIFO."""
    return os.sched_getscheduler(0) & ~os.SCHED_RESET_ON_FORK == os.SCHED_FIFO


def can_be_scheduled(priority: int) -> bool:
    """Try whether SCHED_FIFO is granted here, in a thread that ends at once."""
    refused: list[str] = []
    thread = threading.Thread(target=lambda: refused.extend(prioritize_thread(priority)))
    thread.start()
    thread.join()
    return not refused


def freeze_garbage() -> None:
    """Collect once, then never again; for after the warm-up of a loop that makes no cycles."""
    gc.collect()
    gc.freeze()
    gc.disable()


def _set_affinity(affinity: Sequence[int]) -> list[str]:
    try:
        os.sched_setaffinity(0, affinity)
    except OSError as error:
        there = sorted(os.sched_getaffinity(0))
        return [f'cpu_affinity {list(affinity)} is not set: {error.strerror}; there are {there}']
    return []


def _set_fifo(priority: int, policy: int) -> list[str]:
    try:
        os.sched_setscheduler(0, policy, os.sched_param(priority))
    except OSError as error:
        return [
            f'SCHED_FIFO {priority} is not set: {error.strerror}; set "rtprio 98" in '
            '/etc/security/limits.conf, or run Docker with --cap-add=SYS_NICE '
            '--ulimit rtprio=98; until then expect lost ticks (id_controller check --realtime)'
        ]
    return []
