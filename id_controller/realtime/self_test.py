"""Whether a machine can compute a tick in time, measured before any tick counts."""
from __future__ import annotations

import time

import numpy as np

from id_controller.control.configuration import Configuration
from id_controller.control.controller import Controller
from id_controller.errors import InstallationError
from id_controller.state import NANOSECONDS, JointState

TICKS = 200
PAUSE_S = 2e-4
WARN_SHARE, REFUSED_SHARE = 0.4, 0.9


def measured(configuration: Configuration) -> tuple[int, int]:
    """
    Compute ticks with a controller that drives nothing, with pauses as between real ticks.

    It also brings code and memory of a tick into the caches.

    :returns: Median and 99th percentile of the second half, ns.
    """
    p, n = configuration.parameters, configuration.model.n
    spare = Controller(configuration.model, configuration.settings(), configuration.period_s)
    state = JointState(np.zeros(n), np.zeros(n), 0)
    taken = []
    for tick in range(1, TICKS + 1):
        if tick > TICKS // 2:
            time.sleep(PAUSE_S)
        begin = time.monotonic_ns()
        spare.update(tick * NANOSECONDS // p.update_rate, state, False)
        taken.append(time.monotonic_ns() - begin)
    p50, p99 = np.percentile(taken[TICKS // 2 :], (50.0, 99.0)).tolist()
    return round(p50), round(p99)


def judged(p50_ns: int, p99_ns: int, rate_hz: int) -> str:
    """
    Judge what was measured.

    :returns: A warning, or an empty text.
    :raises InstallationError: when the rate cannot be met.
    """
    period_us = 1e6 / rate_hz
    p50_us, p99_us = 1e-3 * p50_ns, 1e-3 * p99_ns
    got = (
        f'self-test: the computation of a tick takes {p50_us:.0f} us (p99 {p99_us:.0f} us) of '
        f'{period_us:.0f} us at update_rate {rate_hz} Hz'
    )
    if p50_us > REFUSED_SHARE * period_us:
        within = int(WARN_SHARE * 1e6 / p50_us)
        raise InstallationError(f'{got}; expected update_rate of at most {max(1, within)} Hz')
    return f'{got}; expect lost ticks' if p99_us > WARN_SHARE * period_us else ''
