"""
Whether anything grows: the real loop with the real endpoints, faster than real time.

One process is host, source and control process at once. Half of the ticks run without traffic,
half of them with trajectories and settings that go through the mailbox.
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
from id_controller.benchmark.traffic import motion
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
from id_controller.state import Mode, Request
from id_controller.trajectory.spline import fit

GROWTH_KB = 64.0
RATE_HZ = 1000
TRAJECTORY_EVERY, SETTINGS_EVERY, LOOK_EVERY = 2000, 1000, 1000
WARM_UP = 0.1
"""Share of each half after which memory counts: allocators settle in the first ticks."""
TIMEOUT_S = 900.0


def growth_bars(ticks: int, say: Callable[[str], None]) -> list[Bar]:
    """
    Measure in a process of its own, on a private domain.

    :param ticks: Ticks of both halves together.
    :param say: Takes a line on what is being done.
    :raises SimulationError: when that process fails.
    """
    say(f'growth over {ticks} ticks')
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
    note = f'{found["ticks"]} ticks, {found["ticks_per_s"]:.0f} per s'
    return [
        Bar(what='growth without traffic', measured=found['idle_kb'], limit=GROWTH_KB, unit='kB',
            note=note),
        Bar(what='growth with traffic, second half', measured=found['busy_kb'], limit=GROWTH_KB,
            unit='kB', note=f'{found["trajectories"]} trajectories, {found["settings"]} settings'),
        Bar(what='garbage at the end', measured=found['garbage'], limit=0.0, unit='objects'),
    ]


class Rush:
    """
    A pacing that never sleeps; it sends the states and the traffic, and looks at the memory.

    :param ticks: Ticks of both halves together.
    """

    def __init__(self, node: Node, host: Any, configuration: Configuration, ticks: int) -> None:
        p = configuration.parameters
        self._publisher = node.create_publisher(JointStateMessage, STATES, best_effort(1))
        n = len(p.joints)
        message = JointStateMessage(name=list(p.joints), position=[0.3] * n, velocity=[0.0] * n)
        self._state = Stamped(bytes(serialize_message(message)))
        self._host, self._ticks, self._count = host, ticks, 0
        self._trajectory = fit(motion(p.joints, 20.0))
        self._record = record_from_settings(configuration.settings())
        self.memory: list[tuple[int, int]] = []
        self.sent = {'trajectories': 0, 'settings': 0}
        self._begin_ns = time.monotonic_ns()

    def wait(self) -> Tick:
        """Send a state and begin the next tick."""
        self._count += 1
        if self._count % LOOK_EVERY == 0:
            self._host.acks()
            self.memory.append((self._count, resident_bytes()))
        if self._count > self._ticks // 2:
            self._send()
        if self._count == self._ticks:
            self._host.request(Request.EXIT)
        self._host.beat()
        self._publisher.publish(self._state.sealed())
        return Tick(time.monotonic_ns(), time.monotonic_ns())

    def _send(self) -> None:
        if self._count % TRAJECTORY_EVERY == 0:
            self._host.send_trajectory(self._trajectory)
            self.sent['trajectories'] += 1
        if self._count % SETTINGS_EVERY == 0:
            self._host.send_settings(self._record)
            self.sent['settings'] += 1

    def growth_kb(self, first: float, last: float) -> float:
        """Growth of the resident memory between two shares of all ticks."""
        counts, sizes = np.array(self.memory).T
        inside = (counts >= first * self._ticks) & (counts <= last * self._ticks)
        part = sizes[inside]
        # The median of the first and the last tenth, since pages come and go in between.
        tenth = max(1, len(part) // 10)
        return float(np.median(part[-tenth:]) - np.median(part[:tenth])) / 1024.0

    def found(self) -> dict[str, Any]:
        """Everything that was found; nothing of the run may be referred to any more."""
        seconds = 1e-9 * (time.monotonic_ns() - self._begin_ns)
        half = 0.5 * WARM_UP
        return {
            'ticks': self._count, 'ticks_per_s': self._count / seconds, **self.sent,
            'idle_kb': self.growth_kb(half, 0.5), 'busy_kb': self.growth_kb(0.75, 1.0),
        }


def resident_bytes() -> int:
    """Return how much memory this process holds."""
    pages = int(Path('/proc/self/statm').read_text().split()[1])
    return pages * os.sysconf('SC_PAGE_SIZE')


def measured(ticks: int, folder: Path) -> dict[str, Any]:
    """Run the loop in this process and return what was found."""
    p = parameters_from_flat({**bench_robot(7, folder), 'state_timeout': 5.0})
    configuration = configured(p, load_description(p.robot_description_file))
    context = rclpy.Context()
    rclpy.init(args=[], context=context, signal_handler_options=SignalHandlerOptions.NO)
    node = rclpy.create_node('growth', context=context, enable_rosout=False)
    host: Any = Mailbox.create(len(p.joints), len(TERMS), 1000)
    control: Any = Mailbox.attach(*(os.dup(fd) for fd in host.descriptors))
    host.handed_over()
    controller = Controller(configuration.model, configuration.settings(), 1.0 / RATE_HZ)
    controller.request(Request.ACTIVATE)
    rush = Rush(node, host, configuration, ticks)
    freeze_garbage()
    run(
        rush, JointStateSource(node, STATES, p.joints), controller, _sink(node, configuration),
        control, control.telemetry, RateGuard(1.0 / RATE_HZ, False), period_s=1.0 / RATE_HZ,
        ramp_time_s=p.ramp_time, stop_wanted=lambda: False, report=print,
    )
    found = {**rush.found(), 'mode': Mode(controller.mode).name}
    found['garbage'] = gc.collect()
    context.try_shutdown()
    return found


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
