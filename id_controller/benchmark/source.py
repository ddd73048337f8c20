"""
The source of states, which is also the measure of round trips.

One thread under SCHED_FIFO sends bytes at absolute deadlines and waits for commands in between.
It says when the window begins and ends: a second after the arm moves, and as long as is wanted.
"""
from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import rclpy
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.serialization import serialize_message
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray

from id_controller.benchmark.job import BEGIN, COMMANDS, END, MOVING, READY, STATES, Job, read_job
from id_controller.benchmark.stamps import Stamped
from id_controller.errors import SimulationError
from id_controller.realtime.process import StopSignals
from id_controller.realtime.scheduling import freeze_garbage
from id_controller.ros.waiting import MessageWait
from id_controller.state import NANOSECONDS

DESCRIPTION = 'a Python process under SCHED_FIFO 70, states as bytes, best effort'
PRIORITY = 70
SETTLE_S = 1.0


class Source:
    """
    Sends states and notes when commands come.

    :param node: A node that nobody spins.
    """

    def __init__(self, node: Node, job: Job) -> None:
        n, self._node = len(job.joints), node
        quality = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
        self._publisher = node.create_publisher(JointState, STATES, quality)
        message = JointState(name=list(job.joints), position=[0.3] * n, velocity=[0.0] * n)
        self._state = Stamped(bytes(serialize_message(message)))
        self._commands: Any = node.create_subscription(
            Float64MultiArray, COMMANDS, lambda message: None, 1, raw=True
        )
        self._wait = MessageWait(node, self._commands)
        self._sent = np.zeros((job.ticks_max, 2), np.int64)
        self._came = np.zeros(2 * job.ticks_max, np.int64)
        self.sends = self.comes = 0
        self._period_ns = NANOSECONDS // job.row.rate_hz
        self._start_ns = self._count = 0

    def step(self) -> None:
        """Wait for commands until the next deadline, then send a state."""
        deadline = self._next_deadline()
        while (left := deadline - time.monotonic_ns()) > 0:
            if self._wait(1e-9 * left):
                self._take()
        now = time.monotonic_ns()
        self._publisher.publish(self._state.sealed())
        self._sent[self.sends] = now, now - deadline
        self.sends += 1

    def _next_deadline(self) -> int:
        """Keep the phase, and leave out what is late by a period."""
        now = time.monotonic_ns()
        self._start_ns = self._start_ns or now
        self._count = max(self._count + 1, (now - self._start_ns) // self._period_ns)
        return self._start_ns + self._count * self._period_ns

    def _take(self) -> None:
        with self._commands.handle:
            while self._commands.handle.take_message(Float64MultiArray, True) is not None:
                self._came[self.comes] = time.monotonic_ns()
                self.comes += 1

    def require_alone(self) -> None:
        """
        See that nobody else sends states here, which the node would follow too.

        :raises SimulationError: when somebody does.
        """
        count, domain = self._node.count_publishers(STATES), self._node.context.get_domain_id()
        if count != 1:
            raise SimulationError(
                f'{STATES}: got {count} publishers on ROS domain {domain}, expected this one '
                'alone; somebody else uses that domain'
            )

    def save(self, path: Path, begin: int, end: int) -> None:
        """
        Write what was noted in a window.

        :param begin: Its begin and :param end: end, steady ns.
        """
        np.savez(
            path, sent=self._sent[: self.sends], came=self._came[: self.comes],
            window=np.array((begin, end)),
        )


class _Window:
    """
    When what is noted counts; the files in the folder of the run say how far it is.

    :param job: The run.
    """

    def __init__(self, job: Job) -> None:
        self._folder, self._length_ns = job.folder, round(job.seconds * NANOSECONDS)
        self._ready = self._begun = False
        self.begin = self.end = 0

    def open(self, answered: bool) -> bool:
        """
        Go on as far as it goes now, and say whether it has not ended yet.

        :param answered: Whether commands flow.
        """
        now = time.monotonic_ns()
        if answered and not self._ready:
            self._ready = True
            (self._folder / READY).touch()
        elif self._ready and not self.begin and (self._folder / MOVING).exists():
            self.begin = now + round(SETTLE_S * NANOSECONDS)
            self.end = self.begin + self._length_ns
        elif self.begin and not self._begun and now >= self.begin:
            self._begun = True
            (self._folder / BEGIN).touch()
        return not self.begin or now <= self.end


def main() -> int:
    """Send until the window has ended, and on until everybody else has."""
    stop, job = StopSignals(), read_job()
    context = rclpy.Context()
    rclpy.init(args=[], context=context, signal_handler_options=SignalHandlerOptions.NO)
    node = rclpy.create_node(
        'bench_source', context=context, enable_rosout=False, start_parameter_services=False
    )
    source, window = Source(node, job), _Window(job)
    freeze_garbage()
    while not stop() and window.open(answered=source.comes > 0):
        source.step()
    source.require_alone()
    source.save(job.folder / 'source.npz', window.begin, window.end)
    (job.folder / END).touch()
    while not stop():
        source.step()
    return 0


if __name__ == '__main__':
    sys.exit(main())
