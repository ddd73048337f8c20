"""Whether a machine can compute a tick in time, measured before any tick counts."""
from __future__ import annotations

import dataclasses
import time

import numpy as np

from id_controller.control.configuration import Configuration
from id_controller.control.controller import Controller
from id_controller.control.settings import PidGains, Settings
from id_controller.errors import InstallationError
from id_controller.state import NANOSECONDS, JointState, Request, Vector
from id_controller.trajectory.points import JointPoints
from id_controller.trajectory.spline import fit
from id_controller.trajectory.trajectory import Trajectory

TICKS_WARM, TICKS = 200, 300
PAUSE_S = 3e-4
WARN_SHARE, REFUSED_SHARE = 0.4, 0.9


def measured(configuration: Configuration) -> tuple[int, int]:
    """
    Compute ticks with a controller that drives nothing, with pauses as between real ticks.

    It follows a trajectory by the law of the settings, and so brings code and memory of a tick
    into the caches too.

    :returns: Median and 99th percentile of those after the warm-up, ns.
    """
    model, rate_hz = configuration.model, configuration.parameters.update_rate
    settings = _armable(configuration.settings(), model.n)
    spare = Controller(model, settings, configuration.period_s)
    spare.request(Request.ACTIVATE)
    q = np.clip(np.zeros(model.n), settings.lower, settings.upper)
    state, taken = JointState(q, np.zeros(model.n), 0), []
    for tick in range(1, TICKS_WARM + TICKS + 1):
        if tick == 2:
            spare.follow(_at_rest(model.joints, q, TICKS_WARM + TICKS))
        if tick > TICKS_WARM:
            time.sleep(PAUSE_S)
        begin = time.monotonic_ns()
        spare.update(tick * NANOSECONDS // rate_hz, state, True)
        taken.append(time.monotonic_ns() - begin)
    p50, p99 = np.percentile(taken[TICKS_WARM:], (50.0, 99.0)).tolist()
    return round(p50), round(p99)


def _armable(settings: Settings, n: int) -> Settings:
    """Take settings with gains, without which no controller arms: they may be set later."""
    def armable(gains: PidGains) -> PidGains:
        return dataclasses.replace(gains, p=np.ones(n), d=np.ones(n))

    return dataclasses.replace(
        settings, gains=armable(settings.gains),
        acceleration_gains=armable(settings.acceleration_gains),
    )


def _at_rest(joints: tuple[str, ...], q: Vector, seconds: float) -> Trajectory:
    """Make a motion that is none, and costs as much as any."""
    rest = np.zeros((2, len(q)))
    points = JointPoints(
        joints=joints, times=np.array([0.0, seconds]), q=np.array([q, q]), v=rest, a=rest
    )
    return fit(points)


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
