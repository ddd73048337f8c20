"""The injections themselves."""
from __future__ import annotations

import contextlib
import os
import random
import signal
import time

from lifecycle_msgs.msg import Transition

from id_controller.chaos.rig import RAMP_S, Rig
from id_controller.chaos.schedule import STATES, Injection
from id_controller.chaos.storms import STORMS, first_parameters
from id_controller.errors import SimulationError

STORM_HZ = 50
_ENDING_S = RAMP_S + 2.0
_LEAST_S = 0.3
"""Until what was done shows: the watch has looked, and said so."""
_SIGNALS = {'kill': signal.SIGKILL, 'interrupt': signal.SIGINT, 'terminate': signal.SIGTERM}


def inject(rig: Rig, one: Injection) -> int:
    """
    Do what an injection says, and undo what does not undo itself.

    :returns: System time at which zero must have been sent last; 0: at none.
    """
    verb, _, whom = one.kind.partition('_')
    whom = 'controller' if whom == 'host' else whom
    if one.kind in STATES:
        rig.mangle(one.kind, one.seed)
        rig.spin(one.seconds)
        rig.mangle('pass')
    elif one.kind in STORMS:
        _storm(rig, one)
    elif one.kind == 'deactivate':
        rig.change(Transition.TRANSITION_DEACTIVATE, _ENDING_S)
        return _rested(rig, one.seconds)
    elif one.kind == 'kill_in_exit':
        return _kill_in_exit(rig, one.seconds)
    elif verb == 'stop':
        _stop(rig, whom, one.seconds)
    else:
        return _end(rig, whom, _SIGNALS[verb])
    return 0


def _rested(rig: Rig, seconds: float) -> int:
    """Leave it inactive for a time, and activate it; when that was asked for."""
    rig.spin(seconds)
    ended_ns = time.time_ns()
    rig.change(Transition.TRANSITION_ACTIVATE, _ENDING_S)
    return ended_ns


def _kill_in_exit(rig: Rig, seconds: float) -> int:
    """Kill the control process while it takes its efforts to zero."""
    done = rig.asked(Transition.TRANSITION_DEACTIVATE)
    rig.spin(seconds)
    with contextlib.suppress(SimulationError, ProcessLookupError):
        rig.signal('control', signal.SIGKILL)
    rig.spin(_ENDING_S, done)
    return _rested(rig, _LEAST_S)


def _stop(rig: Rig, whom: str, seconds: float) -> None:
    """Freeze a process for a time; the host may have killed it meanwhile."""
    with contextlib.suppress(SimulationError, ProcessLookupError):
        pid = rig.pid(whom)  # a new one may have its place when it is to go on
        os.kill(pid, signal.SIGSTOP)
        rig.spin(seconds)
        os.kill(pid, signal.SIGCONT)


def _end(rig: Rig, whom: str, number: signal.Signals) -> int:
    """End a process, and wait for the last command where that is the host."""
    with contextlib.suppress(SimulationError, ProcessLookupError):
        rig.signal(whom, number)
    if whom != 'controller':
        rig.spin(_LEAST_S)
        return 0
    rig.spin(_ENDING_S, lambda: rig.ended('controller'))
    rig.spin(_ENDING_S - 1.0)  # the control process leaves by itself
    return time.time_ns()


def _storm(rig: Rig, one: Injection) -> None:
    draw, end = random.Random(one.seed), time.monotonic() + one.seconds
    while time.monotonic() < end:
        STORMS[one.kind](rig, draw)
        rig.spin(1.0 / STORM_HZ)
    if one.kind == 'parameters':
        first_parameters(rig)
