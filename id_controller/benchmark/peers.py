"""
What others write: the same law in an ordinary node, and the least that a node can do.

They get the same real-time set-up as our control process, before ``rclpy.init``, so that what is
compared is the way of waiting, taking and sending.
"""
from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.qos import QoSProfile, ReliabilityPolicy
from rclpy.serialization import serialize_message
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from trajectory_msgs.msg import JointTrajectory

from id_controller.benchmark.job import COMMANDS, NODE, STATES, Job, read_job
from id_controller.benchmark.rows import TickRecord
from id_controller.control.configuration import configured
from id_controller.control.controller import Controller
from id_controller.model.description import load_description
from id_controller.parameters.flat import parameters_from_flat
from id_controller.realtime.pacing import WAKE_UP_NS, SteadyPacing, Tick
from id_controller.realtime.process import StopSignals
from id_controller.realtime.scheduling import freeze_garbage, set_realtime
from id_controller.ros.messages import TrajectoryMessage
from id_controller.ros.waiting import MessageWait
from id_controller.state import JointState as State
from id_controller.state import Mode, Request
from id_controller.trajectory.spline import fit

PRIORITY = 50
_BEST_EFFORT = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)


class OrdinaryNode(Node):
    """
    A timer, callbacks and message objects.

    :param job: The run.
    """

    def __init__(self, job: Job, context: Any) -> None:
        super().__init__(NODE, context=context)
        p = parameters_from_flat(job.flat)
        configuration = configured(p, load_description(p.robot_description_file))
        self._controller = Controller(
            configuration.model, configuration.settings(), configuration.period_s
        )
        self._controller.request(Request.ACTIVATE)
        self._order = {joint: k for k, joint in enumerate(p.joints)}
        n = len(p.joints)
        self._q, self._v, self._received = np.zeros(n), np.zeros(n), 0
        self.record = TickRecord(job.ticks_max)
        self.declare_parameter(f'gains.{p.joints[0]}.p', 100.0)
        self.add_on_set_parameters_callback(self._on_parameters)
        self.create_subscription(JointState, STATES, self._on_state, _BEST_EFFORT)
        self.create_subscription(JointTrajectory, '~/joint_trajectory', self._on_trajectory, 10)
        self._publisher = self.create_publisher(Float64MultiArray, COMMANDS, 1)
        self._timer = self.create_timer(1.0 / job.row.rate_hz, self._tick)
        self._next_ns = 0

    def _on_parameters(self, parameters: list[Any]) -> Any:
        from rcl_interfaces.msg import SetParametersResult

        self._controller.apply(self._controller.settings)
        return SetParametersResult(successful=True)

    def _on_state(self, message: Any) -> None:
        for name, q, v in zip(message.name, message.position, message.velocity):
            self._q[self._order[name]], self._v[self._order[name]] = q, v
        self._received = time.monotonic_ns()

    def _on_trajectory(self, message: Any) -> None:
        self._controller.follow(fit(TrajectoryMessage(message).points(0)))

    def _tick(self) -> None:
        wake = time.monotonic_ns()
        if not self._received:
            return
        age = wake - self._received
        command = self._controller.update(wake, State(self._q, self._v, age), True)
        computed = time.monotonic_ns()
        if command.publish:
            self._publisher.publish(Float64MultiArray(data=command.tau.tolist()))
        published = time.monotonic_ns()
        lateness, skipped = self._after_deadline(wake)
        self.record.add(
            wake, lateness, 0, computed - wake, published - computed, age, skipped,
            command.fault, command.mode is Mode.TRACK,
        )

    def _after_deadline(self, wake: int) -> tuple[int, int]:
        """How late a tick began, by the timer's own deadlines, and how many it left out before."""
        period: int = self._timer.timer_period_ns
        left: Any = self._timer.time_until_next_call()
        before, self._next_ns = self._next_ns, time.monotonic_ns() + left
        skipped = round((self._next_ns - before) / period) - 1 if before else 0
        return max(0, wake - (self._next_ns - period)), skipped


def ordinary() -> int:
    """Run the node under the executor that the row names."""
    stop, job = StopSignals(), read_job()
    context = _context()
    node = OrdinaryNode(job, context)
    if job.row.node == 'events':
        import rclpy.experimental

        executor: Any = rclpy.experimental.EventsExecutor(context=context)  # type: ignore[attr-defined]
    else:
        executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    freeze_garbage()
    while not stop():  # `spin` of the EventsExecutor never ends in some releases
        executor.spin_once(timeout_sec=0.1)
    node.record.save(job.folder / 'ticks.npy')
    return 0


def echo() -> int:
    """Answer each state with the same bytes, at once or at the next deadline."""
    stop, job = StopSignals(), read_job()
    context = _context()
    node = rclpy.create_node(
        NODE, context=context, enable_rosout=False, start_parameter_services=False
    )
    states: Any = node.create_subscription(
        JointState, STATES, lambda message: None, _BEST_EFFORT, raw=True
    )
    publisher = node.create_publisher(Float64MultiArray, COMMANDS, 1)
    answer = bytes(serialize_message(Float64MultiArray(data=[0.0] * len(job.joints))))
    begin, record = _pacing(job, MessageWait(node, states)), TickRecord(job.ticks_max)
    freeze_garbage()
    while not stop():
        tick = begin()
        if not tick.timed_out:
            _answer(states, publisher, answer, tick, record)
    record.save(job.folder / 'ticks.npy')
    return 0


def _answer(states: Any, publisher: Any, answer: bytes, tick: Tick, record: TickRecord) -> None:
    with states.handle:
        states.handle.take_message(JointState, True)
    taken = time.monotonic_ns()
    publisher.publish(answer)
    published, wake = time.monotonic_ns(), tick.steady_ns
    record.add(
        wake, tick.lateness_ns, taken - wake, 0, published - taken, 0, tick.skipped, 0, True
    )


def _pacing(job: Job, wait: MessageWait) -> Callable[[], Tick]:
    """Wait for deadlines as our control process does, or for states and for nothing else."""
    if job.row.pacing == 'steady':
        return SteadyPacing(job.row.rate_hz, lead_ns=WAKE_UP_NS).wait

    def next_state() -> Tick:
        there = wait(0.1)
        now = time.monotonic_ns()
        return Tick(now, now, timed_out=not there)

    return next_state


def _context() -> Any:
    for warning in set_realtime(PRIORITY, lock_memory=True):
        print(warning, file=sys.stderr)
    context = rclpy.Context()
    rclpy.init(args=[], context=context, signal_handler_options=SignalHandlerOptions.NO)
    return context


def main() -> int:
    """Run the peer that the job names."""
    return echo() if read_job().row.node == 'echo' else ordinary()
