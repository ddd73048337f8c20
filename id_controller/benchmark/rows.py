"""What can be run, and what came out of it."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

Times = npt.NDArray[np.int64]

NODES = {
    'cyclictest': 'cyclictest, which only wakes up',
    'ours': 'id_controller, bytes',
    'ours_messages': 'id_controller, message objects',
    'naive': 'timer + SingleThreadedExecutor',
    'events': 'timer + EventsExecutor',
    'echo': 'bare echo of bytes, no law',
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """
    One node under one load.

    :param node: One of ``NODES``.
    :param traffic: 10 parameter sets and 5 trajectories of 1000 points each second.
    :param pacing: ``steady``, or ``state``: a tick on each state.
    :param transport: ``udp`` or ``shared_memory``.
    :param late_joiner: Whether another participant joins in the middle and stays.
    """

    node: str
    rate_hz: int = 1000
    joints: int = 7
    traffic: bool = False
    pacing: str = 'steady'
    transport: str = 'udp'
    late_joiner: bool = False

    @property
    def name(self) -> str:
        """Name for tables and files, which holds all that differs from the plain row."""
        parts = [self.node, f'{self.rate_hz} Hz', f'{self.joints} joints']
        parts += ['traffic'] if self.traffic else []
        parts += ['by state'] if self.pacing == 'state' else []
        parts += ['shared memory'] if self.transport != 'udp' else []
        parts += ['late joiner'] if self.late_joiner else []
        return ', '.join(parts)


@dataclass(frozen=True, kw_only=True, slots=True)
class Trace:
    """
    A run, tick by tick, without its start: times in ns, one element for each tick.

    :param wake: Steady time at the begin of a tick.
    :param lateness: After the deadline; 0 where there is none.
    :param age: Of the state since it was received, as the node knows it.
    :param round_trip: From a state that was sent to the next command, as the source sees it.
    :param source_period: Between two states, :param source_late: and after their deadlines.
    :param late_replies: States that no command followed before the next one.
    :param seconds: Length of the window.
    :param cpu: Share of one core, of the process that ticks; :param host_cpu: of its host.
    """

    wake: Times
    lateness: Times
    take: Times
    compute: Times
    publish: Times
    age: Times
    skipped: Times
    round_trip: Times
    source_period: Times
    source_late: Times
    late_replies: int
    seconds: float
    cpu: float
    host_cpu: float = 0.0

    @property
    def budget(self) -> Times:
        """From the wake-up to the published command."""
        return self.take + self.compute + self.publish

    @property
    def done(self) -> Times:
        """From the deadline to the published command."""
        return self.lateness + self.budget

    def jitter(self, row: Row) -> Times:
        """Periods against that of the row."""
        periods: Times = np.diff(self.wake)
        return np.abs(periods - 1_000_000_000 // row.rate_hz)


TICK_FIELDS = ('wake', 'lateness', 'take', 'compute', 'publish', 'age', 'skipped')
"""Times that a node itself records of each tick, in this order."""
RECORDED = (*TICK_FIELDS, 'fault', 'tracks')
"""All that it records: also the fault in force, and whether a trajectory was followed."""


class TickRecord:
    """
    Ticks of a node, in memory that is there from the start.

    :param ticks: Most ticks.
    """

    def __init__(self, ticks: int) -> None:
        self._values = np.zeros((ticks, len(RECORDED)), np.int64)
        self._count = 0

    def add(self, *values: int) -> None:
        """Keep one tick; what is too much is dropped."""
        if self._count < len(self._values):
            self._values[self._count] = values
            self._count += 1

    def save(self, path: Path) -> None:
        """Write the ticks."""
        np.save(path, self._values[: self._count])
