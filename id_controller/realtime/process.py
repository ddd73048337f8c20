"""Processes: how the control process is started, tied to its parent, told to stop, ended."""
from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import id_controller
from id_controller.errors import InstallationError

CONTROL_MAIN = 'id_controller.ros.control_process:main'

_PR_SET_PDEATHSIG, _PR_SET_NAME = 1, 15
_libc = ctypes.CDLL(None, use_errno=True)


def spawn_control(
    memory_fd: int,
    socket_fd: int,
    startup_fd: int,
    *,
    main: str = CONTROL_MAIN,
    environment: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """
    Start the control process, in a session of its own.

    It runs ``main(memory_fd, socket_fd, startup_fd, parent_pid)`` with our own import path. Call
    this from the main thread: the kernel ties the parent-death signal to the thread that forks.

    :param main: Function to run, as ``module:function``.
    :param environment: Environment of the process; None: ours.
    :raises InstallationError: when called from another thread.
    """
    if threading.current_thread() is not threading.main_thread():
        raise InstallationError(
            f'control process: started from thread {threading.current_thread().name!r}, '
            'expected the main thread'
        )
    descriptors = (memory_fd, socket_fd, startup_fd)
    return subprocess.Popen(
        [sys.executable, '-c', _program(main, (*descriptors, os.getpid()))],
        pass_fds=descriptors,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        env=None if environment is None else dict(environment),
    )


def _program(main: str, arguments: tuple[int, ...]) -> str:
    """
    Return the program of the control process.

    It sets the import path before it imports anything, and without the working directory, where
    a stray ``numpy.py`` may lie. (``-m`` would put that first, ``-P`` is not in Python 3.10.)
    """
    home = str(Path(id_controller.__file__).parents[1])
    path = [entry for entry in sys.path if entry not in ('', '.')]
    path += [] if home in path else [home]
    module, _, function = main.partition(':')
    return (
        f'import sys; sys.path[:] = {path!r}; '
        f'from {module} import {function} as main; sys.exit(main{arguments!r})'
    )


def arm_parent_death(expected_parent: int) -> bool:
    """
    Ask the kernel for SIGTERM when our parent dies, and return whether it is still alive.

    To be called by the control process itself: the request does not survive a fork, and a parent
    that died before it shows in the parent id.
    """
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    return os.getppid() == expected_parent


def name_process(name: str) -> None:
    """Set the name that ps and top show, at most 15 characters."""
    _libc.prctl(_PR_SET_NAME, name.encode()[:15], 0, 0, 0)


class StopSignals:
    """
    SIGTERM, SIGINT and SIGHUP as a flag that a loop looks at, instead of an exception.

    To be made in the main thread.
    """

    def __init__(self) -> None:
        self._seen = 0
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, self._note)

    def _note(self, number: int, _frame: object) -> None:
        self._seen = number

    def __call__(self) -> bool:
        """Return whether one of them has come."""
        return self._seen != 0


def end_by(timeout_s: float) -> None:
    """
    End this process with exit code 1 after a time, whatever its threads are doing.

    For the teardown: a middleware that hangs in it must not keep a process alive.
    """
    timer = threading.Timer(timeout_s, os._exit, (1,))
    timer.daemon = True
    timer.start()


def fence(process: subprocess.Popen[bytes], timeout_s: float = 1.0) -> bool:
    """
    End a process for certain, frozen or not, and return whether none of its threads can run.

    Only after this may another process publish in its place. Its memory may take the kernel tens
    of ms more to take apart; nobody needs to wait for that, and ``Popen.poll`` reaps it later.
    """
    process.kill()
    deadline = time.monotonic() + timeout_s
    while process.poll() is None and not is_exiting(process.pid):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.0005)
    return True


def is_exiting(pid: int) -> bool:
    """Return whether every thread is on its way out (PF_EXITING), never to run again."""
    tasks = list(Path(f'/proc/{pid}/task').glob('*/stat'))
    with contextlib.suppress(OSError):
        return all(int(stat.read_text().rpartition(')')[2].split()[6]) & 0x4 for stat in tasks)
    return False
