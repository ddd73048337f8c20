"""
How long it takes from a cause to the safe command: stop, fault, loss of a process, start, exit.

The real node drives the simulator. An observer under SCHED_FIFO above both notes the steady time
just before it acts and that of every command, and reads every tick from telemetry.
"""
from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from id_controller.benchmark import latency_trials as trials
from id_controller.benchmark.burden import Burden
from id_controller.benchmark.latency_robot import Robot, observer
from id_controller.benchmark.results import Bar
from id_controller.realtime.scheduling import can_be_scheduled
from id_controller.ros.environment import use_private_domain, use_udp_transport

IDLE = 'idle'
LIMIT_MS, LIMIT_ORDINARY_MS = 20.0, 150.0
LIMIT_TICKS, LIMIT_START_S, LIMIT_EXIT_S, LIMIT_SKIPPED = 2.0, 2.5, 1.0, 0.1


@dataclass(frozen=True, kw_only=True, slots=True)
class _Latency:
    """
    One latency.

    :param trial: Measures it once, :param times: so often in the life of a controller.
    :param idle: Whether the bar is for an idle machine only: the rest is up to the machine.
    :param found: What was measured; not a number: there was no answer.
    """

    what: str
    trial: Callable[[Robot], float]
    limit: float
    unit: str
    times: int = 1
    idle: bool = False
    found: list[float] = field(default_factory=list)

    def bar(self, where: str) -> Bar:
        """Judge the worst trial; an answer that is missing is the worst."""
        note = f'worst of {len(self.found)}, median {np.median(self.found):.3g} {self.unit}'
        return Bar(
            what=f'{self.what}, {where}', measured=float(np.max(self.found)), limit=self.limit,
            unit=self.unit, note=note,
        )


def latency_bars(rounds: int, report_progress: Callable[[str], None]) -> list[Bar]:
    """
    Measure all latencies, on an idle machine and with every core busy.

    :param rounds: Lives of a controller in each of the two.
    :param report_progress: Gets a line now and then.
    """
    use_private_domain()
    use_udp_transport()
    bars: list[Bar] = []
    with tempfile.TemporaryDirectory(prefix='id_controller_latency_') as name:
        folder = Path(name)
        for where in (IDLE, 'every core busy'):
            busy = Burden(folder) if where != IDLE else contextlib.nullcontext()
            with observer() as nodes, Robot(folder, *nodes) as robot, busy:
                latencies = _latencies()
                for count in range(rounds):
                    report_progress(f'latencies, {where}, {count + 1} of {rounds}')
                    _live(robot, latencies)
            bars += [one.bar(where) for one in latencies if not (one.idle and where != IDLE)]
            bars.append(_alarms(robot.false_alarms, where))
    return bars


def _latencies() -> list[_Latency]:
    """All of them, in the order of a life."""
    ms = LIMIT_MS if can_be_scheduled(50) else LIMIT_ORDINARY_MS
    return [
        _Latency(what='start to first command', trial=trials.start, limit=LIMIT_START_S, unit='s',
                 idle=True),
        _Latency(what='ticks skipped, 100 sets/s and 5 motions/s of 1000 points',
                 trial=trials.storm, limit=LIMIT_SKIPPED, unit='%'),
        _Latency(what='~/stop to command', trial=trials.stop, limit=ms, unit='ms', times=4),
        _Latency(what='state out of limits to safe command', trial=trials.lie, times=4,
                 limit=LIMIT_TICKS, unit='ticks'),
        _Latency(what='state too old to safe command', trial=trials.silence, times=2,
                 limit=LIMIT_TICKS, unit='ticks'),
        _Latency(what='killed control process to safe command', trial=trials.killed, times=2,
                 limit=ms, unit='ms'),
        _Latency(what='frozen control process to safe command', trial=trials.frozen, times=2,
                 limit=ms, unit='ms'),
        _Latency(what='SIGINT or SIGTERM to exit, beyond the ramp', trial=trials.leave,
                 limit=LIMIT_EXIT_S, unit='s'),
    ]


def _alarms(count: int, where: str) -> Bar:
    what = f'healthy control processes that were taken for frozen, {where}'
    return Bar(what=what, measured=float(count), limit=0.0, unit='processes')


def _live(robot: Robot, latencies: list[_Latency]) -> None:
    for latency in latencies:
        latency.found.extend(latency.trial(robot) for _ in range(latency.times))
