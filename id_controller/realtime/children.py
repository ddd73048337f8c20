"""Child processes that never outlive their parent and whose last words are kept."""
from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO

import id_controller
from id_controller.errors import SimulationError

# Not `-m`, which would put the working directory first in the import path.
_BOOT = (
    'import sys; sys.path[:] = {path!r}; sys.argv[0] = {name!r}; '
    'from id_controller.realtime.process import arm_parent_death; '
    'from id_controller.realtime.scheduling import set_realtime; '
    'sys.exit("the parent is gone") if not arm_parent_death({parent}) else None; '
    # Not the policy of a parent that measures: a busy child would keep everybody from its core.
    'import os; os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0)); '
    'print(*set_realtime({priority}, False), sep="\\n", end=""); '
    'from {module} import main; sys.exit(main())'
)
GRACE_S = 5.0


class Children:
    """
    A family of processes: a context in which they live.

    :param logs: Folder that gets the output of each, as ``<name>.log``.
    """

    def __init__(self, logs: Path) -> None:
        self._logs = logs
        self._children: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Children:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def start(
        self, name: str, module: str, arguments: Sequence[str], *, priority: int = 0
    ) -> None:
        """
        Start ``main()`` of a module as a process of its own, in a session of its own.

        A session keeps Ctrl-C at the terminal to the parent, who then ends the family in order.

        :param priority: SCHED_FIFO priority where the machine grants it; 0: ordinary.
        """
        boot = _BOOT.format(
            path=_import_path(), name=name, parent=os.getpid(), module=module, priority=priority
        )
        log: IO[bytes]
        with (self._logs / f'{name}.log').open('wb') as log:
            self._children[name] = subprocess.Popen(
                [sys.executable, '-c', boot, *arguments],
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                # Several processes on few cores: threads inside numpy would get in each other's
                # way.
                env={**os.environ, 'OMP_NUM_THREADS': '1'}, start_new_session=True,
            )

    def check(self) -> None:
        """
        See that all are alive.

        :raises SimulationError: naming one that ended, with its last words.
        """
        for name, child in self._children.items():
            code = child.poll()
            if code is not None:
                raise SimulationError(
                    f'{name} ended with code {code}: {self.last_words(name)} '
                    f'(see {self._logs / name}.log)'
                )

    def pid(self, name: str) -> int:
        """Return the process id of a child."""
        return self._children[name].pid

    def code(self, name: str) -> int | None:
        """Return the exit code of a child, None while it runs."""
        return self._children[name].poll()

    def last_words(self, name: str) -> str:
        """Return the last line that a process wrote."""
        text = (self._logs / f'{name}.log').read_text(encoding='utf-8', errors='replace')
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        return lines[-1] if lines else 'it said nothing'

    def stop(self) -> None:
        """End all, the last started first: asked, then made to."""
        for child in reversed(list(self._children.values())):
            _signal(child, signal.SIGINT)
            end = time.monotonic() + GRACE_S
            while child.poll() is None and time.monotonic() < end:
                time.sleep(0.01)
            _signal(child, signal.SIGKILL)
            child.wait()
        self._children.clear()


def _import_path() -> list[str]:
    """Our own import path without the working directory, where a stray numpy.py may lie."""
    home = str(Path(id_controller.__file__).parents[1])
    path = [entry for entry in sys.path if entry not in ('', '.', home)]
    return [*path, home]


def _signal(child: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Reach a child and what it started in its session, if it is still there."""
    if child.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, number)
