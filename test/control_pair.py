"""Host and control process as real processes, without ROS."""
from __future__ import annotations

import contextlib
import io
import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from id_controller.realtime.host_mailbox import HostMailbox
from id_controller.realtime.mailbox import Mailbox
from id_controller.realtime.process import fence, spawn_control
from id_controller.realtime.startup import write_startup
from id_controller.realtime.watch import Verdict, Watch
from id_controller.state import Mode

CHILDREN = Path(__file__).parent / 'system'
RAMP_TIME_S = 0.2


def wait_until(condition: Callable[[], bool], timeout_s: float, what: str) -> None:
    limit = time.monotonic() + timeout_s
    while not condition():
        if time.monotonic() > limit:
            pytest.fail(f'{what}: not within {timeout_s} s')
        time.sleep(0.001)


def is_stopped(pid: int) -> bool:
    return Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[0] == 'T'


def has_ended(pidfd: int, timeout_s: float) -> bool:
    return bool(select.select([pidfd], [], [], timeout_s)[0])


def efforts_in(path: Path) -> np.ndarray:
    whole = path.read_text().rpartition('\n')[0]
    found = np.loadtxt(io.StringIO(whole), ndmin=2)
    found[:, 0] *= 1e-9
    return found


class Pair:
    """This process as the host of a control process."""

    def __init__(
        self, folder: Path, environment: dict[str, str] | None = None, **startup: Any
    ) -> None:
        self.commands = folder / 'commands'
        self.host: HostMailbox = Mailbox.create(n=1, terms=8, points_max=10)
        content = {'priority': 0, 'rate_hz': 500, 'commands': str(self.commands), **startup}
        descriptor = write_startup(content)
        self.process = spawn_control(
            *self.host.descriptors, descriptor, main='control_child:main', environment=environment
        )
        os.close(descriptor)
        self.host.handed_over()
        self.watch = Watch(self.process, self.host)
        self.ended = threading.Event()
        self.verdicts: list[Verdict] = []
        self.watcher = threading.Thread(target=self.look, daemon=True)
        self.watcher.start()

    def look(self) -> None:
        while not self.ended.wait(0.004):
            self.verdicts.append(self.watch.poll(time.monotonic_ns()))
            if self.verdicts[-1] is Verdict.DEAD:
                return

    def wait_for_mode(self, mode: Mode) -> None:
        def there() -> bool:
            if self.process.poll() is not None:
                pytest.fail(f'the control process ended with {self.process.returncode}')
            rows = self.host.telemetry.latest()
            return len(rows) > 0 and int(rows['mode'][0]) == mode

        wait_until(there, 20.0, mode.name)

    def wait_for_full_effort(self) -> None:
        wait_until(lambda: effort_of(self.commands.parent) == 5.0, 5.0, 'full effort')

    def efforts(self) -> np.ndarray:
        """Times in s and efforts of all commands, shape (commands, 2)."""
        return efforts_in(self.commands)

    def close(self) -> None:
        self.ended.set()
        self.watcher.join()
        fence(self.process)
        self.process.wait(5.0)
        self.host.close()


def started_pairs(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Pair]]:
    """Give a function that starts pairs; afterwards end them and see that nothing is left."""
    monkeypatch.syspath_prepend(str(CHILDREN))
    pairs: list[Pair] = []

    def start(**startup: Any) -> Pair:
        pairs.append(Pair(folder, **startup))
        return pairs[-1]

    yield start
    for each in pairs:
        each.close()
        with pytest.raises(ProcessLookupError):
            os.kill(each.process.pid, 0)


@contextlib.contextmanager
def host_process(folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    startup = {'priority': 0, 'rate_hz': 500, 'commands': str(folder / 'commands')}
    host = subprocess.Popen(
        [sys.executable, str(CHILDREN / 'host_child.py'), json.dumps(startup)],
        stdout=subprocess.PIPE, env={**os.environ, 'PYTHONPATH': os.pathsep.join(sys.path)},
    )
    try:
        yield host
    finally:
        host.kill()
        host.wait()
        host.stdout.close()


def effort_of(folder: Path) -> float:
    """Effort of the last whole line."""
    path = folder / 'commands'
    lines = path.read_bytes().split(b'\n') if path.exists() else []
    return float(lines[-2].split()[1]) if len(lines) > 1 else 0.0


def check_exit_ramp(efforts: np.ndarray) -> None:
    """Check that the gravity effort went to zero over the ramp, in small steps, and stayed."""
    tau = efforts[:, 1]
    assert tau.max() == 5.0
    assert tau[-3:].tolist() == [0.0, 0.0, 0.0]
    last_full = np.flatnonzero(tau > 4.9)[-1]
    first_zero = np.flatnonzero(tau[last_full:] == 0.0)[0] + last_full
    assert 0.5 * RAMP_TIME_S < efforts[first_zero, 0] - efforts[last_full, 0] < 3.0 * RAMP_TIME_S
    assert np.all(np.diff(tau[last_full:]) <= 1e-9)
