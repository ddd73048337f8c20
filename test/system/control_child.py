"""
A control process without ROS: the real loop, mailbox, pacing and controller on a point mass.

It is started by ``spawn_control`` through the import path, as the real one is. Commands go to a
file, a line each: steady time in ns and effort.
"""
from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import numpy as np

from id_controller.control.controller import Controller
from id_controller.control.settings import settings_from_parameters
from id_controller.parameters.schema import Gains, Parameters
from id_controller.parameters.timing_groups import Overruns
from id_controller.realtime.loop import run
from id_controller.realtime.mailbox import Mailbox
from id_controller.realtime.pacing import SteadyPacing
from id_controller.realtime.process import StopSignals, arm_parent_death
from id_controller.realtime.rate_guard import RateGuard
from id_controller.realtime.scheduling import (
    end_runaways,
    freeze_garbage,
    is_realtime,
    reset_on_fork,
    set_realtime,
    settle_threads,
)
from id_controller.realtime.startup import read_startup
from id_controller.state import JointState, Reference, Request, Vector

GRAVITY_EFFORT = 5.0
RAMP_TIME_S = 0.2
SLOW_S = 0.005


class PointMass:
    """One joint of 1 kg that hangs in gravity; its law is slow while a file of a name is there."""

    joints, n, continuous = ('lift',), 1, np.zeros(1, bool)

    def __init__(self, slow_by: str = '') -> None:
        self._slow_by = slow_by

    def inverse_dynamics(
        self, q: Vector, v: Vector, a: Vector, out: Vector | None = None
    ) -> Vector:
        if self._slow_by and os.path.exists(self._slow_by):
            end = time.monotonic() + SLOW_S
            while time.monotonic() < end:
                pass
        return np.add(a, GRAVITY_EFFORT, out=out)

    def gravity(self, q: Vector, out: Vector | None = None) -> Vector:
        return self.inverse_dynamics(q, q, np.zeros(1), out)

    def difference(self, q_from: Vector, q_to: Vector, out: Vector | None = None) -> Vector:
        return np.subtract(q_to, q_from, out=out)

    def wrench_torque(self, q: Vector, wrench: Vector, out: Vector | None = None) -> Vector:
        return np.multiply(wrench[2:3], 1.0, out=out)

    def set_payload(self, mass: float, com: Vector, inertia: Vector) -> None:
        """Nothing hangs on a point."""

    def set_gravity(self, gravity: Vector) -> None:
        """It hangs as it hangs."""


class AtRest:
    """A source whose joint stands still, until a file appears that tells it to break or hang."""

    def __init__(self, breaks_by: str) -> None:
        self._breaks_by = breaks_by
        self._state = JointState(np.array([0.3]), np.zeros(1), 1_000_000)

    def take(self, now_ns: int) -> JointState:
        if self._breaks_by and os.path.exists(self._breaks_by):
            while Path(self._breaks_by).read_text(encoding='ascii') == 'hang':
                pass
            raise ZeroDivisionError('the source is broken')
        return self._state


class ToFile:
    """A sink that writes lines."""

    def __init__(self, path: str) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def publish(self, tau: Vector, reference: Reference) -> None:
        os.write(self._file, f'{time.monotonic_ns()} {tau[0]:.6f}\n'.encode())

    def matched(self) -> bool:
        return True


def controller(rate_hz: int, slow_by: str, policy: str) -> Controller:
    parameters = Parameters(
        joints=('lift',), gains={'lift': Gains(p=100.0, d=10.0)}, ramp_time=RAMP_TIME_S,
        overruns=Overruns(policy=policy),
    )
    one = np.ones(1)
    settings = settings_from_parameters(
        parameters, lower=-one, upper=one, velocity=one, effort=50.0 * one, damping=0.0 * one,
        friction=0.0 * one,
    )
    return Controller(PointMass(slow_by), settings, 1.0 / rate_hz)


def main(memory_fd: int, socket_fd: int, startup_fd: int, parent_pid: int) -> int:
    stop = StopSignals()
    if not arm_parent_death(parent_pid):
        return 3
    startup = read_startup(startup_fd)
    for warning in set_realtime(startup['priority'], lock_memory=False):
        print(warning, file=sys.stderr)
    mailbox = Mailbox.attach(memory_fd, socket_fd)
    controlled = controller(
        startup['rate_hz'], startup.get('slow_by', ''), startup.get('policy', 'report')
    )
    controlled.request(Request.ACTIVATE)
    guard = RateGuard(1.0 / startup['rate_hz'])
    if 'policy' in startup:
        guard.configure(controlled.settings)
    freeze_garbage()
    settle_threads(startup['priority'] - 1)
    reset_on_fork()
    end_runaways(0.2)
    mailbox.announce(is_realtime())
    return run(
        SteadyPacing(startup['rate_hz'], mailbox.beat), AtRest(startup.get('breaks_by', '')),
        controlled, ToFile(startup['commands']), mailbox, mailbox.telemetry, guard,
        period_s=1.0 / startup['rate_hz'], ramp_time_s=RAMP_TIME_S, stop_wanted=stop,
        report=lambda text: print(text, file=sys.stderr),
    )
