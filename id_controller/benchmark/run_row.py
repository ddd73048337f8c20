"""Running one row: a source, a node, what else there is to be, and the trace of it all."""
from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from id_controller.benchmark.job import BEGIN, END, MOVING, READY, Job
from id_controller.benchmark.robot import bench_robot
from id_controller.benchmark.rows import RECORDED, TICK_FIELDS, Row, Times, Trace
from id_controller.benchmark.running import child_of, runs
from id_controller.control.faults import Fault
from id_controller.errors import SimulationError
from id_controller.realtime.children import Children
from id_controller.ros.environment import use_private_domain, use_udp_transport

START_TIMEOUT_S = 20.0
POLL_S = 0.02
PEERS = ('naive', 'events', 'echo')
_PROFILES = ('FASTDDS_DEFAULT_PROFILES_FILE', 'FASTRTPS_DEFAULT_PROFILES_FILE')
_SURROUNDINGS = (
    *_PROFILES, 'ROS_AUTOMATIC_DISCOVERY_RANGE', 'ROS_LOCALHOST_ONLY', 'ROS_DOMAIN_ID',
)


def run_row(row: Row, seconds: float, folder: Path) -> Trace:
    """
    Run a row on a private domain of its own and return its trace.

    :param seconds: Length of the window that counts.
    :param folder: Empty folder for what the processes write.
    :raises SimulationError: when a process ends early, nothing comes in time, or a tick of the
        window did not do the work that is measured.
    """
    job = Job(row=row, flat=_parameters(row, folder), seconds=seconds, folder=folder)
    try:
        with _transport(row.transport, folder), Children(folder) as children:
            run = _Run(job, children)
            run.start()
            cpu = run.wait_for_end()
        return read_trace(job, cpu)
    except SimulationError as error:
        raise SimulationError(f'{error}; the node says: {_complaint(folder)}') from error


def _complaint(folder: Path) -> str:
    """Return the last warning of the node, or its last line where there is none."""
    lines = (folder / 'node.log').read_text(errors='replace').splitlines()
    warnings = [line for line in lines if '[WARN]' in line or '[ERROR]' in line]
    return (warnings or lines or ['nothing'])[-1]


def _parameters(row: Row, folder: Path) -> dict[str, Any]:
    flat = bench_robot(row.joints, folder)
    flat.update({
        'update_rate': row.rate_hz, 'pacing': row.pacing, 'auto_activate': True,
        'raw_messages': row.node != 'ours_messages', 'state_timeout': 2.0,
        'overruns.policy': 'report', 'allow_partial_joints_goal': False,
    })
    content = {'/**': {'ros__parameters': flat}}
    (folder / 'parameters.yaml').write_text(yaml.safe_dump(content))
    return flat


@contextmanager
def _transport(name: str, folder: Path) -> Iterator[None]:
    """Set the surroundings that the processes of a row inherit, and then the old ones again."""
    before = {variable: os.environ.get(variable) for variable in _SURROUNDINGS}
    try:
        for variable in _PROFILES:
            os.environ.pop(variable, None)
        use_private_domain()
        if name == 'udp':
            use_udp_transport()
        else:
            # The middleware's own choice; a profile that says nothing keeps ours away.
            os.environ[_PROFILES[0]] = str(folder / 'nothing.xml')
            (folder / 'nothing.xml').write_text('<profiles xmlns="http://www.eprosima.com"/>')
        yield
    finally:
        for variable, value in before.items():
            if value is None:
                os.environ.pop(variable, None)
            else:
                os.environ[variable] = value


class _Run:
    """The processes of a row, and the CPU time that they take in the window."""

    def __init__(self, job: Job, children: Children) -> None:
        self._job, self._children = job, children
        self._file = str(job.write())

    def start(self) -> None:
        """Start the source and the node, and see commands flow."""
        self._start('source', 'source', priority=70)
        self._start('node', 'peers' if self._job.row.node in PEERS else 'our_node')
        self._wait_for(READY, START_TIMEOUT_S)
        if self._job.row.node == 'echo':
            (self._job.folder / MOVING).touch()
        else:
            self._start('traffic', 'traffic')
        self._wait_for(BEGIN, START_TIMEOUT_S)

    def wait_for_end(self) -> tuple[float, float]:
        """Wait for the end of the window; CPU time of the ticking process and of its host, s."""
        node = self._children.pid('node')
        ticking = node if self._job.row.node in PEERS else child_of(node)
        pids = (ticking, node)
        before = [cpu_time(pid) for pid in pids]
        if self._job.row.late_joiner:
            self._wait_for(END, 0.3 * self._job.seconds, needed=False)
            self._start('late_joiner', 'late_joiner')
        self._wait_for(END, self._job.seconds + START_TIMEOUT_S)
        if not runs(ticking):
            raise SimulationError('the process that ticks ended in the window')
        ticks, host = (cpu_time(pid) - at for pid, at in zip(pids, before))
        return ticks, host if ticking != node else 0.0

    def _start(self, name: str, module: str, priority: int = 0) -> None:
        self._children.start(
            name, f'id_controller.benchmark.{module}', [self._file], priority=priority
        )

    def _wait_for(self, file: str, timeout_s: float, needed: bool = True) -> None:
        end = time.monotonic() + timeout_s
        while not (self._job.folder / file).exists():
            self._children.check()
            if time.monotonic() > end:
                if not needed:
                    return
                raise SimulationError(f'waited {timeout_s:g} s for the file {file!r}')
            time.sleep(POLL_S)


def cpu_time(pid: int) -> float:
    """CPU time that a process has taken, s."""
    fields = Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


def read_trace(job: Job, cpu: tuple[float, float]) -> Trace:
    """
    Read what the source and the node wrote.

    :param cpu: CPU time in the window, s: of the process that ticks, and of its host.
    :raises SimulationError: when a tick of the window did not do the work that is measured.
    """
    source = np.load(job.folder / 'source.npz')
    begin, end = source['window'].tolist()
    ticks = np.load(job.folder / 'ticks.npy')
    ticks = ticks[(ticks[:, 0] >= begin) & (ticks[:, 0] < end)]
    _require_work(ticks)
    sent = source['sent']
    inside = (sent[:, 0] >= begin) & (sent[:, 0] < end)
    round_trip, late = _round_trips(sent[inside, 0], source['came'])
    seconds = 1e-9 * (end - begin)
    return Trace(
        **{name: ticks[:, k] for k, name in enumerate(TICK_FIELDS)},
        round_trip=round_trip if job.row.pacing == 'state' else round_trip[:0],
        late_replies=late,
        source_period=np.diff(sent[inside, 0]), source_late=sent[inside, 1],
        seconds=seconds, cpu=cpu[0] / seconds, host_cpu=cpu[1] / seconds,
    )


def _require_work(ticks: Times) -> None:
    """See that every tick followed a trajectory: one that holds or has a fault has less to do."""
    fault, tracks = (ticks[:, RECORDED.index(name)] for name in ('fault', 'tracks'))
    idle = np.flatnonzero((fault != 0) | (tracks == 0))
    if len(idle) or not len(ticks):
        first = Fault(int(fault[idle[0]])).name if len(idle) else 'no tick at all'
        raise SimulationError(
            f'got {len(ticks) - len(idle)} of {len(ticks)} ticks on the trajectory without a '
            f'fault, expected all of them (first: {first})'
        )


def _round_trips(sent: Times, came: Times) -> tuple[Times, int]:
    """From each state to the first command before the next state, and how many had none."""
    following = np.searchsorted(came, sent[:-1])
    there = following < len(came)
    answer = came[np.minimum(following, len(came) - 1)] if len(came) else sent[:-1]
    in_time = there & (answer < sent[1:])
    return (answer - sent[:-1])[in_time], int((~in_time).sum())
