"""A simulator in a thread and a peer of it, in one process, for tests."""
from __future__ import annotations

import threading
import time
from array import array
from collections.abc import Callable
from typing import Any

import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.parameter import Parameter
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from urdf_text import joint, limits, link, robot

from id_controller.ros.simulator_node import Simulator

PATIENCE_S = 20.0
# Two slides, of 2 kg and 5 kg, that do not couple, and a finger that nobody moves.
ROBOT = robot(
    link('base'), link('a', 2.0), link('b', 5.0), link('f', 0.1),
    joint('one', 'prismatic', 'base', 'a', '1 0 0', extra=limits(-3, 9, 2.0, 40.0)),
    joint('two', 'prismatic', 'base', 'b', '0 1 0', extra=limits(1, 9, 4.0, 60.0)),
    joint('finger', 'prismatic', 'base', 'f', '0 1 0'),
)
JOINTS = ['one', 'two']


def until(true: Callable[[], Any], what: str) -> Any:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        value = true()
        if value:
            return value
        time.sleep(0.002)
    raise AssertionError(f'not within {PATIENCE_S} s: {what}')


class Bench:
    """A simulator that runs in a thread, and a peer on the same context."""

    def __init__(self, **parameters: Any) -> None:
        self.context = Context()
        rclpy.init(context=self.context)
        given = {'joints': JOINTS, 'robot_description': ROBOT, **parameters}
        self.simulator = Simulator(
            self.context, [Parameter(name, value=value) for name, value in given.items()]
        )
        self.peer = rclpy.create_node('peer', context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.peer)
        self.states: list[JointState] = []
        self.peer.create_subscription(JointState, 'joint_states', self.states.append, 50)
        self.stopped = False
        self.thread = threading.Thread(target=self._run)
        self.thread.start()

    def _run(self) -> None:
        self.simulator.run(lambda: not self.stopped)

    def spin(self, true: Callable[[], Any], what: str) -> Any:
        def spun() -> Any:
            self.executor.spin_once(timeout_sec=0.01)
            return true()

        return until(spun, what)

    def matched(self, publisher: Any) -> Any:
        until(lambda: publisher.get_subscription_count() == 1, 'the simulator listens')
        return publisher

    def forward_command(self) -> Any:
        topic = 'effort_controller/commands'
        return self.matched(self.peer.create_publisher(Float64MultiArray, topic, 1))

    def call(self, kind: Any, name: str, request: Any) -> Any:
        client = self.peer.create_client(kind, f'id_controller_sim/{name}')
        until(client.service_is_ready, f'service {name}')
        future = client.call_async(request)
        return self.spin(lambda: future.done() and future.result(), f'answer of {name}')

    def take_states(self) -> int:
        """Take what has come and count the states in it."""
        self.states.clear()
        for _ in range(20):
            self.executor.spin_once(timeout_sec=0.01)
        return len(self.states)

    def newest(self) -> JointState:
        count = len(self.states)
        self.spin(lambda: len(self.states) > count, 'a state')
        return self.states[-1]

    def close(self) -> str:
        self.stopped = True
        self.thread.join(PATIENCE_S)
        assert not self.thread.is_alive()
        summary = self.simulator.close()
        self.executor.shutdown()
        self.peer.destroy_node()
        self.context.try_shutdown()
        return summary


def numbers(*values: float) -> Float64MultiArray:
    return Float64MultiArray(data=array('d', values))


def stamp_ns(state: JointState) -> int:
    return int(state.header.stamp.sec * 1_000_000_000 + state.header.stamp.nanosec)


def by_name(state: JointState, column: str) -> dict[str, float]:
    return dict(zip(state.name, getattr(state, column)))
