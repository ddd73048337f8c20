"""A whole run: inject, let it recover, and judge what was heard."""
from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from id_controller.chaos.actions import inject
from id_controller.chaos.invariants import USUAL_GAP_S, violations
from id_controller.chaos.observer import read_trace
from id_controller.chaos.rig import JOINTS, LOST, START, Rig
from id_controller.chaos.schedule import Injection
from id_controller.chaos.trace import Bounds, Violation, Window
from id_controller.errors import SimulationError

RECOVERY_S, START_S = 20.0, 30.0
_LOSS_GAP_S = 0.25
"""Longest silence from a loss to the take-over, with a machine that is busy."""
_ENDLESS = float('inf')
_GAPS = {
    'stop_control': _LOSS_GAP_S, 'kill_control': _LOSS_GAP_S, 'stop_host': _ENDLESS,
    'kill_host': _ENDLESS, 'interrupt_host': _ENDLESS, 'terminate_host': _ENDLESS,
    'deactivate': _ENDLESS,
}
_GOOD = ('HOLD', 'TRACK')
_STILL_S, _ASK_S, _STAND_S = 0.25, 0.5, 3.0


@dataclass
class Outcome:
    """What came of a run."""

    windows: list[Window] = field(default_factory=list)
    injected: Counter[str] = field(default_factory=Counter)
    recoveries_s: list[float] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    commands: int = 0
    states: str = ''


def torment(
    schedule: list[Injection],
    folder: Path,
    seconds: float,
    bounds: Bounds,
    done: Callable[[str, float], None],
) -> Outcome:
    """
    Run a schedule, as far as the time goes.

    :param bounds: What the commands must keep.
    :param done: Called with the kind of each injection and the time that it took, s.
    :raises SimulationError: when the robot does not come up.
    """
    outcome = Outcome()
    with Rig(folder) as rig:
        if not recovered(rig, START_S):
            raise SimulationError(f'the robot does not come up: {rig.last_words("controller")}')
        end = time.monotonic() + seconds
        try:
            for one in schedule:
                if time.monotonic() > end or not _step(rig, one, outcome, done):
                    break
        except KeyboardInterrupt:
            pass  # what was found so far counts
    outcome.states = rig.last_words('mangler')
    trace = read_trace(rig.commands, len(JOINTS))
    outcome.commands = len(trace.tau)
    outcome.violations += violations(trace, bounds, outcome.windows)
    return outcome


def _step(
    rig: Rig, one: Injection, outcome: Outcome, done: Callable[[str, float], None]
) -> bool:
    """Inject one, and say whether the robot came back."""
    began = time.monotonic()
    draw = random.Random(one.seed)
    rig.send(START + np.array([draw.uniform(-0.4, 0.4) for _ in JOINTS]), 1.5)
    rig.spin(one.pause_s)
    begin_ns, injected = time.time_ns(), time.monotonic()
    zero_ns = inject(rig, one)
    outcome.injected[one.kind] += 1
    back = recovered(rig, RECOVERY_S)
    what, now_ns = f'{one.number} {one.kind}', time.time_ns()
    outcome.recoveries_s.append(time.monotonic() - injected - one.seconds)
    outcome.windows.append(
        Window(begin_ns, now_ns, what, _GAPS.get(one.kind, USUAL_GAP_S))
    )
    if zero_ns:
        outcome.windows.append(Window(begin_ns, zero_ns, what, _ENDLESS, zero=True))
    if not back:
        words = f'no recovery in {RECOVERY_S:g} s: mode {rig.mode}'
        outcome.violations.append(Violation(now_ns, words, what))
    done(one.kind, time.monotonic() - began)
    return back


def recovered(rig: Rig, timeout_s: float) -> bool:
    """Bring the robot back to where it holds or moves, as a person would; say whether it is."""
    began = asked = time.monotonic()
    good_since = 0.0
    while time.monotonic() - began < timeout_s:
        rig.restart_the_dead()
        now = time.monotonic()
        if rig.mode in _GOOD:
            good_since = good_since or now
            if now - good_since > _STILL_S:
                return True
        else:
            good_since = 0.0
            if now - asked > _ASK_S and (rig.mode in ('FAULT', 'SOFT_STOP', LOST)):
                asked = now
                if now - began > _STAND_S:
                    rig.call('stand')  # it may have come to lie where no reset is allowed
                rig.call('reset')
        rig.spin(0.02)
    return False
