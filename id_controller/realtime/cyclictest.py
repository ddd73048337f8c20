"""cyclictest of rt-tests: how late this machine wakes a thread that does nothing else."""
from __future__ import annotations

import re
import shutil
import subprocess

import numpy as np

from id_controller.errors import InstallationError
from id_controller.realtime.timing import Histogram, Quantiles
from id_controller.state import Vector

HOW_TO_INSTALL = 'sudo apt install rt-tests'
LONGEST_US = 20_000
_BIN = re.compile(r'^(\d{6,})\s+(\d+)$', re.MULTILINE)
_MAX = re.compile(r'^# Max Latencies:\s*(\d+)', re.MULTILINE)


def installed() -> bool:
    """Return whether cyclictest is there."""
    return shutil.which('cyclictest') is not None


def measure(rate_hz: int, seconds: float, priority: int) -> Vector:
    """
    Run cyclictest with one thread at a rate.

    :param priority: SCHED_FIFO priority, at least 1; cyclictest does not run without.
    :returns: Lateness of every wake-up in no order, us.
    :raises InstallationError: when it is not installed or fails.
    """
    if not installed():
        raise InstallationError(f'cyclictest is not installed: {HOW_TO_INSTALL}')
    command = [
        'cyclictest', '--quiet', '--mlockall', f'--priority={priority}',
        f'--interval={round(1e6 / rate_hz)}', f'--loops={max(1, round(seconds * rate_hz))}',
        f'--histogram={LONGEST_US}',
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 30.0)
    if done.returncode != 0:
        said = ' '.join(done.stderr.split())
        raise InstallationError(f'cyclictest: {said or f"exit code {done.returncode}"}')
    return lateness_from(done.stdout)


def lateness_from(text: str) -> Vector:
    """
    Read the histogram that cyclictest prints.

    :returns: Lateness of every wake-up, us; what lies beyond the histogram counts as its maximum.
    :raises InstallationError: when there is none.
    """
    bins = np.array(_BIN.findall(text), dtype=np.int64).reshape(-1, 2)
    if not bins[:, 1].any():
        raise InstallationError('cyclictest printed no histogram')
    found = np.repeat(bins[:, 0], bins[:, 1]).astype(float)
    worst = _MAX.search(text)
    beyond = float(worst.group(1)) if worst else 0.0
    return np.append(found, beyond) if beyond > found[-1] else found


def quantiles(lateness_us: Vector) -> Quantiles:
    """Summarise what was measured, us."""
    histogram = Histogram()
    histogram.add(lateness_us)
    return histogram.quantiles()
