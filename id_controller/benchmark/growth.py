"""
Whether anything grows: the real loop with the real endpoints, faster than real time.

One process is host, source and control process at once. First ticks run without traffic, then with
trajectories and settings that go through the mailbox.
"""
from __future__ import annotations

import gc
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import rclpy
from rclpy.node import Node
from rclpy.serialization import serialize_message
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import JointState as JointStateMessage

from id_controller.benchmark.job import COMMANDS, STATES
from id_controller.benchmark.results import Bar
from id_controller.benchmark.robot import bench_robot
from id_controller.benchmark.stamps import Stamped
from id_controller.benchmark.traffic import POINTS, motion
from id_controller.control.configuration import Configuration, configured
from id_controller.control.controller import Controller
from id_controller.control.laws import TERMS
from id_controller.control.settings_record import record_from_settings
from id_controller.errors import SimulationError
from id_controller.model.description import load_description
from id_controller.parameters.flat import parameters_from_flat
from id_controller.realtime.children import Children
from id_controller.realtime.loop import run
from id_controller.realtime.mailbox import Mailbox
from id_controller.realtime.pacing import Tick
from id_controller.realtime.rate_guard import RateGuard
from id_controller.realtime.scheduling import freeze_garbage
from id_controller.ros.command_sink import create_sink
from id_controller.ros.environment import use_private_domain, use_udp_transport
from id_controller.ros.state_source import JointStateSource
from id_controller.ros.taking import best_effort
from id_controller.state import NANOSECONDS, Mode, Request
from id_controller.trajectory.spline import fit

GROWTH_KB, OBJECTS = 64.0, 100.0
RATE_HZ = 1000
TRAJECTORY_EVERY, SETTINGS_EVERY, LOOK_EVERY = 200, 100, 1000
"""Ticks; at the rate of the loop the traffic of the other rows."""
WARM_UP = 0.1
"""Share of a run after which memory counts: allocators settle in the first ticks."""
TIMEOUT_S = 900.0


def growth_bars(ticks: int, say: Callable[[str], None]) -> list[Bar]:
    """
    Measure in a process of its own, on a private domain.

    :param ticks: Ticks without traffic; half as many with traffic follow.
    :param say: Takes a line on what is being done.
    :raises SimulationError: when that process fails.
    """
    say(f'growth over {ticks} ticks, and {ticks // 2} with traffic')
    with tempfile.TemporaryDirectory(prefix='id_controller_growth_') as name:
        folder = Path(name)
        with Children(folder) as children:
            children.start('growth', 'id_controller.benchmark.growth', [str(ticks), name])
            end = time.monotonic() + TIMEOUT_S
            while children.code('growth') is None and time.monotonic() < end:
                time.sleep(0.1)
            if children.code('growth') != 0:
                raise SimulationError(f'growth: {children.last_words("growth")}')
        found = json.loads((folder / 'growth.json').read_text())
    return _bars(found)


def _bars(found: dict[str, Any]) -> list[Bar]:
    idle, busy = found['idle'], found['busy']
    traffic = f'{found["trajectories"]} trajectories, {found["settings"]} settings'
    return [
        Bar(what='growth without traffic', measured=idle['kb'], limit=GROWTH_KB, unit='kB',
            note=f'{found["ticks"]} ticks in all, {found["ticks_per_s"]:.0f} per s'),
        Bar(what='growth with traffic, second half', measured=busy['kb'], limit=GROWTH_KB,
            unit='kB', note=traffic),
        Bar(what='objects kept without traffic', measured=idle['objects'], limit=OBJECTS,
            unit='objects', note='blocks of memory that Python has given out'),
        Bar(what='objects kept with traffic, second half', measured=busy['objects'],
            limit=OBJECTS, unit='objects', note=traffic),
        Bar(what='garbage at the end', measured=found['garbage'], limit=0.0, unit='objects'),
    ]


class Memory:
    """
    How much memory this process holds, over the ticks, in memory that is there from the start.

    :param ticks: All ticks that will be looked at.
    """

    def __init__(self, ticks: int) -> None:
        self._seen = np.zeros((ticks // LOOK_EVERY + 1, 3))
        self._count = 0

    def look(self, tick: int) -> None:
        """Look now, after a tick of a number."""
        if self._count < len(self._seen):
            self._seen[self._count] = tick, anonymous_kb(), sys.getallocatedblocks()
            self._count += 1

    def growth(self, first: float, last: float) -> dict[str, float]:
        """Growth between two ticks, in kB and in objects."""
        seen = self._seen[: self._count]
        part = seen[(seen[:, 0] >= first) & (seen[:, 0] <= last), 1:]
        # The median of the first and the last tenth, since pages come and go in between.
        tenth = max(1, len(part) // 10)
        kb, objects = np.median(part[-tenth:], axis=0) - np.median(part[:tenth], axis=0)
        return {'kb': float(kb), 'objects': float(objects)}


class Rush:
    """
    A pacing that never sleeps; it sends the states and the traffic, and looks at the memory.

    Time goes as it would at the rate of the loop, so that motions end and begin as they would.

    :param ticks: Ticks without traffic; half as many with traffic follow.
    """

    def __init__(self, node: Node, host: Any, configuration: Configuration, ticks: int) -> None:
        p = configuration.parameters
        self._publisher = node.create_publisher(JointStateMessage, STATES, best_effort(1))
        n = len(p.joints)
        message = JointStateMessage(name=list(p.joints), position=[0.3] * n, velocity=[0.0] * n)
        self._state = Stamped(bytes(serialize_message(message)))
        self._host, self._idle, self._all, self._count = host, ticks, ticks + ticks // 2, 0
        self._trajectory = fit(motion(p.joints, 20.0))
        self._record = record_from_settings(configuration.settings())
        self.memory = Memory(self._all)
        self.sent = {'trajectories': 0, 'settings': 0}
        self.refused: list[str] = []
        self._begin_ns = time.monotonic_ns()

    def wait(self) -> Tick:
        """Send a state and begin the next tick."""
        self._count += 1
        if self._count % LOOK_EVERY == 0:
            self.memory.look(self._count)
        if self._idle < self._count < self._all:
            self._send()
        if self._count == self._all:
            self._host.request(Request.EXIT)
        self._host.beat()
        self._publisher.publish(self._state.sealed())
        now_ns = self._begin_ns + self._count * (NANOSECONDS // RATE_HZ)
        return Tick(now_ns, time.monotonic_ns())

    def _send(self) -> None:
        if self._count % SETTINGS_EVERY == 0:
            refused = [ack.refusal for ack in self._host.acks() if ack.refusal]
            self.refused = self.refused or refused
            self._host.send_settings(self._record)
            self.sent['settings'] += 1
        if self._count % TRAJECTORY_EVERY == 0:
            self._host.send_trajectory(self._trajectory)
            self.sent['trajectories'] += 1

    def found(self) -> dict[str, Any]:
        """Everything that was found."""
        seconds = 1e-9 * (time.monotonic_ns() - self._begin_ns)
        busy = self._all - self._idle
        return {
            'ticks': self._count, 'ticks_per_s': self._count / seconds, **self.sent,
            'idle': self.memory.growth(WARM_UP * self._idle, self._idle),
            'busy': self.memory.growth(self._all - busy / 2, self._all),
        }


def anonymous_kb() -> int:
    """
    Return how much memory this process holds that is no part of a file.

    Pages of libraries come when code in them first runs, and are none of our growth.
    """
    text = Path('/proc/self/smaps_rollup').read_text()
    line = next(line for line in text.splitlines() if line.startswith('Anonymous:'))
    return int(line.split()[1])


def measured(ticks: int, folder: Path) -> dict[str, Any]:
    """
    Run the loop in this process and return what was found.

    :raises SimulationError: when the controller did not take what was sent to it.
    """
    p = parameters_from_flat({**bench_robot(7, folder), 'state_timeout': 5.0})
    configuration = configured(p, load_description(p.robot_description_file))
    context = rclpy.Context()
    rclpy.init(args=[], context=context, signal_handler_options=SignalHandlerOptions.NO)
    node = rclpy.create_node('growth', context=context, enable_rosout=False)
    host: Any = Mailbox.create(len(p.joints), len(TERMS), POINTS)
    control: Any = Mailbox.attach(*(os.dup(fd) for fd in host.descriptors))
    host.handed_over()
    controller = Controller(configuration.model, configuration.settings(), 1.0 / RATE_HZ)
    controller.request(Request.ACTIVATE)
    rush = Rush(node, host, configuration, ticks)
    source, sink = JointStateSource(node, STATES, p.joints), _sink(node, configuration)
    freeze_garbage()
    run(
        rush, source, controller, sink, control, control.telemetry,
        RateGuard(1.0 / RATE_HZ, False), period_s=1.0 / RATE_HZ, ramp_time_s=p.ramp_time,
        stop_wanted=lambda: False, report=print,
    )
    garbage = gc.collect()
    if rush.refused or controller.mode is not Mode.EXITED:
        raise SimulationError(
            f'growth: got mode {controller.mode.name}, expected EXITED; {rush.refused}'
        )
    context.try_shutdown()
    return {**rush.found(), 'garbage': garbage}


def _sink(node: Node, configuration: Configuration) -> Any:
    """Commands go out, whether somebody listens or not."""
    p = configuration.parameters
    sink: Any = create_sink(node, p.output, (COMMANDS,), p.joints)
    sink.matched = lambda: True
    return sink


def main() -> int:
    """Measure and write what was found."""
    ticks, folder = int(sys.argv[1]), Path(sys.argv[2])
    use_private_domain()
    use_udp_transport()
    found = measured(ticks, folder)
    (folder / 'growth.json').write_text(json.dumps(found))
    print(found)
    return 0
