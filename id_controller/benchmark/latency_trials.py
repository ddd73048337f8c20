"""One trial of each latency: act, listen, and find the command that answers."""
from __future__ import annotations

import itertools
import os
import signal
import time
from collections.abc import Callable

import numpy as np

from id_controller.benchmark.latency_listener import Heard
from id_controller.benchmark.latency_robot import (
    FAR,
    RAMP_S,
    RATE_HZ,
    STATE_TIMEOUT_S,
    Robot,
)
from id_controller.benchmark.running import runs
from id_controller.control.faults import Fault
from id_controller.errors import SimulationError
from id_controller.state import NANOSECONDS, Mode, Rows

MOVE_S, LOSS_S, STOP_S, LIE_S, EXIT_S, START_S = 0.5, 0.4, 0.25, 0.05, 12.0, 60.0
STORM_S = 10.0
_SETTLE_S = 0.2
_TRIES = 10
_MS = 1e-6
_STEP = 0.3
"""Share of the effort that a ramp may lose from one command to the next on a busy machine."""
_SIGNALS = itertools.cycle((signal.SIGINT, signal.SIGTERM))


def start(robot: Robot) -> float:
    """Start the controller; s until its first command, which comes when it is active."""
    began_ns, heard = robot.commands.after(robot.start_controller, START_S, over=bool)
    if not heard:
        raise SimulationError(f'the controller sent no command within {START_S:g} s')
    robot.wait_for(Mode.HOLD, began_ns)
    robot.wait_for_services()
    return (heard[0].at_ns - began_ns) / NANOSECONDS


def stop(robot: Robot) -> float:
    """Call ``~/stop`` during a motion; ms until the first command that stops."""
    robot.move()
    time.sleep(MOVE_S)
    began_ns, heard = robot.commands.after(robot.ask_to_stop, STOP_S)
    rows = _settled(robot, began_ns)
    answer = arrival(heard, rows[(rows['mode'] == Mode.SOFT_STOP) & (rows['published'] == 1)])
    robot.reset()
    return (answer - began_ns) * _MS


def lie(robot: Robot) -> float:
    """Send a state out of the limits; ticks from its receipt to the safe command."""
    for _ in range(_TRIES):
        rows = _fault(robot, robot.lie)
        seen = rows[(rows['q'] > FAR - 0.1).all(axis=1)]
        if len(seen):  # else a true state of the plant was still under way, and came last
            return ticks_to(rows, Fault.POSITION_LIMIT, seen['steady_ns'] - seen['age_ns'])
    return float('nan')


def silence(robot: Robot) -> float:
    """Stop the states; ticks from the moment at which one is too old to the safe command."""
    rows = _fault(robot, robot.freeze_plant)
    old = rows[rows['age_ns'] > STATE_TIMEOUT_S * NANOSECONDS]
    too_old = old['steady_ns'] - old['age_ns'] + round(STATE_TIMEOUT_S * NANOSECONDS)
    return ticks_to(rows, Fault.STATE_STALE, too_old)


def _fault(robot: Robot, cause: Callable[[], None]) -> Rows:
    began_ns, _ = robot.commands.after(cause, STATE_TIMEOUT_S + LIE_S)
    robot.thaw_plant()
    rows = _settled(robot, began_ns)
    robot.reset()
    return rows


def ticks_to(rows: Rows, fault: Fault, causes_ns: np.ndarray) -> float:
    """Periods from the first cause to the end of the first tick that answers it."""
    safe = rows[(rows['fault'] == fault) & (rows['mode'] == Mode.FAULT) & (rows['published'] == 1)]
    if not len(safe) or not len(causes_ns):
        return float('nan')
    parts = ('steady_ns', 'take_ns', 'compute_ns', 'publish_ns')
    published_ns = sum(int(safe[name][0]) for name in parts)
    return (published_ns - int(causes_ns[0])) * RATE_HZ / NANOSECONDS


def killed(robot: Robot) -> float:
    """Kill the control process during a motion; ms until the host's first command."""
    return _lost(robot, signal.SIGKILL)


def frozen(robot: Robot) -> float:
    """Stop the control process during a motion; ms until the host's first command."""
    return _lost(robot, signal.SIGSTOP)


def _lost(robot: Robot, number: signal.Signals) -> float:
    robot.move()
    time.sleep(MOVE_S)
    pid, before = robot.control_pid(), robot.writer()
    began_ns, heard = robot.commands.after(lambda: os.kill(pid, number), LOSS_S)
    others = [one.at_ns for one in heard if one.writer != before]
    robot.reset()
    return (others[0] - began_ns) * _MS if others else float('nan')


def storm(robot: Robot) -> float:
    """Let parameters and long motions rain on the host; % of the ticks that are skipped."""
    rows = robot.storm(STORM_S)
    skipped = int(rows['skipped'].sum())
    return 100.0 * skipped / (len(rows) + skipped) if len(rows) else float('nan')


def leave(robot: Robot) -> float:
    """
    Ask the host to leave, by SIGINT and SIGTERM in turn; s beyond the ramp until both are gone.

    :returns: Not a number when the exit was not as it should be: code 0, a ramp, zero at the end.
    """
    robot.move()
    time.sleep(MOVE_S)
    control, number = robot.control_pid(), next(_SIGNALS)

    def gone(heard: list[Heard]) -> bool:
        return robot.exit_code() is not None and not runs(control)

    began_ns, heard = robot.commands.after(lambda: robot.signal(number), EXIT_S, over=gone)
    took_s = (time.monotonic_ns() - began_ns) / NANOSECONDS
    ok = gone(heard) and robot.exit_code() == 0 and ramped(heard, began_ns)
    return took_s - RAMP_S if ok else float('nan')


def ramped(heard: list[Heard], began_ns: int) -> bool:
    """Whether the efforts went to zero step by step and in the time of the ramp, to stay there."""
    size = np.array([np.abs(one.tau).max() for one in heard])
    if not len(size) or size[-1] != 0.0:
        return False
    first_ns = next(one.at_ns for one in heard if not one.tau.any())
    gradual = bool(np.abs(np.diff(size)).max() < _STEP * size[0])
    return gradual and first_ns - began_ns > RAMP_S * NANOSECONDS


def _settled(robot: Robot, since_ns: int) -> Rows:
    """Ticks since a time, once the host has read them."""
    time.sleep(_SETTLE_S)
    return robot.rows(since_ns)


def arrival(heard: list[Heard], rows: Rows) -> float:
    """Time at which the command of the first row arrived; every command is unlike the others."""
    for one in heard:
        if len(rows) and np.array_equal(one.tau, rows['tau'][0]):
            return one.at_ns
    return float('nan')
