"""A whole run: inject, let it recover, and judge what was heard."""
from __future__ import annotations

import json
import os
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
from id_controller.chaos.recovery import recover, replaced
from id_controller.chaos.rig import Rig
from id_controller.chaos.schedule import Injection
from id_controller.chaos.target import Target
from id_controller.chaos.trace import Violation, Window
from id_controller.errors import SimulationError
from id_controller.realtime.loop import HOST_SILENT_NS
from id_controller.state import NANOSECONDS

RECOVERY_S, START_S = 20.0, 30.0
LOSS_GAP_S, BUSY_LOSS_GAP_S = 0.1, 0.15
"""Longest silence from a loss to the take-over, and with more to run than there are CPUs."""
ENDLESS = float('inf')
_LOSSES = ('stop_control', 'kill_control')
_ENDS = ('kill_host', 'interrupt_host', 'terminate_host', 'deactivate', 'kill_in_exit')


@dataclass
class Outcome:
    """What came of a run."""

    windows: list[Window] = field(default_factory=list)
    injected: Counter[str] = field(default_factory=Counter)
    recoveries_s: list[float] = field(default_factory=list)
    violations: list[Violation] = field(default_factory=list)
    commands: int = 0
    unheard: int = 0
    stalled_s: float = 0.0
    states: str = ''


def torment(
    target: Target,
    schedule: list[Injection],
    folder: Path,
    seconds: float,
    check: Callable[[], None],
    done: Callable[[str, float], None],
) -> Outcome:
    """
    Run a schedule, as far as the time goes.

    :param check: Called again and again; raises to end the run, and what was found so far counts.
    :param done: Called with the kind of each injection and the time that it took, s.
    :raises SimulationError: when the robot does not come up.
    """
    outcome = Outcome()
    with Rig(target, folder, check) as rig:
        if not recover(rig, START_S):
            raise SimulationError(f'the robot does not come up: {rig.last_words("controller")}')
        end = time.monotonic() + seconds
        try:
            for one in schedule:
                if time.monotonic() > end:
                    break
                _step(rig, one, outcome, folder / 'injections.jsonl')
                done(one.kind, outcome.recoveries_s[-1] + one.seconds + one.pause_s)
        except (KeyboardInterrupt, SystemExit):
            pass
        leaving_ns = time.time_ns()
    outcome.windows.append(Window(leaving_ns, time.time_ns(), 'the end', ENDLESS))
    outcome.windows.append(Window(leaving_ns, time.time_ns(), 'the end', 0.0, zero=True))
    outcome.states = rig.last_words('mangler')
    _judge(outcome, target, rig.commands)
    return outcome


def _judge(outcome: Outcome, target: Target, commands: Path) -> None:
    trace = read_trace(commands, len(target.joints))
    outcome.commands = len(trace.tau)
    outcome.unheard = trace.unheard
    outcome.stalled_s = float(np.diff(trace.stalls).sum()) / NANOSECONDS
    outcome.violations += violations(trace, target.bounds, outcome.windows)


def _step(rig: Rig, one: Injection, outcome: Outcome, log: Path) -> None:
    """Inject one, bring the robot back, and log what followed."""
    rig.send(rig.target.somewhere(random.Random(one.seed)), 1.5)
    rig.spin(one.pause_s)
    begin_ns, heard, what = time.time_ns(), len(rig.said), f'{one.number} {one.kind}'
    outcome.injected[one.kind] += 1
    zero_ns = inject(rig, one)
    asked_s = time.monotonic()
    good_ns = recover(rig, RECOVERY_S)
    excuse_s = _excuse(one)
    if not good_ns:
        words = f'no recovery in {RECOVERY_S:g} s: mode {rig.mode or "unknown"}'
        outcome.violations.append(Violation(time.time_ns(), words, what))
        excuse_s, good_ns = ENDLESS, replaced(rig, START_S)
    outcome.recoveries_s.append(time.monotonic() - asked_s)
    outcome.windows.append(Window(begin_ns, good_ns, what, excuse_s))
    if zero_ns:
        outcome.windows.append(Window(begin_ns, zero_ns, what, 0.0, zero=True))
    with log.open('a', encoding='utf-8') as file:
        print(json.dumps({
            'number': one.number, 'kind': one.kind, 'at_s': begin_ns / NANOSECONDS,
            'recovered_after_s': (good_ns - begin_ns) / NANOSECONDS,
            'followed': [f'{(at_ns - begin_ns) / NANOSECONDS:.3f} {line}'
                         for at_ns, line in rig.said[heard:]],
        }), file=file)


def _excuse(one: Injection) -> float:
    """Longest silence that an injection may cause."""
    long_stop = one.kind == 'stop_host' and one.seconds * NANOSECONDS > HOST_SILENT_NS
    if long_stop or one.kind in _ENDS:
        return ENDLESS
    if one.kind in _LOSSES:
        busy = os.getloadavg()[0] > (os.cpu_count() or 1)
        return BUSY_LOSS_GAP_S if busy else LOSS_GAP_S
    return USUAL_GAP_S
