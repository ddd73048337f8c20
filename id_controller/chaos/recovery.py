"""How a person would bring the robot back."""
from __future__ import annotations

import contextlib
import signal
import time

from lifecycle_msgs.msg import Transition

from id_controller.chaos.rig import LOST, Rig
from id_controller.errors import SimulationError
from id_controller.state import FOLLOWING

_GOOD = tuple(mode.name for mode in FOLLOWING)
_RESET = ('FAULT', 'SOFT_STOP', LOST)
_STILL_S, _ASK_S, _STAND_S, _ACTIVATE_S = 0.25, 0.5, 3.0, 1.0


def recover(rig: Rig, timeout_s: float) -> int:
    """
    Bring the robot back to where it holds or moves.

    :returns: System time at which it was so, which then lasted; 0: not in time.
    """
    began = asked = time.monotonic()
    good_since, good_ns = 0.0, 0
    while time.monotonic() - began < timeout_s:
        rig.restart_the_dead()
        now = time.monotonic()
        if rig.mode in _GOOD:
            if not good_since:
                good_since, good_ns = now, time.time_ns()
            if now - good_since > _STILL_S:
                return good_ns
        else:
            good_since = 0.0
            if now - asked > _ASK_S:
                asked = now
                _ask(rig, now - began)
        rig.spin(0.02)
    return 0


def _ask(rig: Rig, passed_s: float) -> None:
    """Ask for what the mode needs."""
    if rig.mode in _RESET:
        if passed_s > _STAND_S:
            rig.call('stand')  # it may have come to lie where no reset is allowed
        rig.call('reset')
    if passed_s > _ACTIVATE_S and rig.mode in ('INACTIVE', LOST):
        rig.asked(Transition.TRANSITION_ACTIVATE)


def replaced(rig: Rig, timeout_s: float) -> int:
    """
    Start everything anew, after a recovery that did not succeed.

    :returns: System time at which it holds.
    :raises SimulationError: when that does not help either.
    """
    for name in ('control', 'controller', 'simulator'):
        with contextlib.suppress(SimulationError, ProcessLookupError):
            rig.signal(name, signal.SIGKILL)
    rig.spin(1.0)
    good_ns = recover(rig, timeout_s)
    if not good_ns:
        raise SimulationError(
            f'the robot does not come up again after a recovery that failed: '
            f'{rig.last_words("controller")}'
        )
    return good_ns
