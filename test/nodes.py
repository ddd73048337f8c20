"""The real processes over DDS, as a user starts them, with a client that listens."""
from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import rclpy
from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import ChangeState
from rclpy.executors import SingleThreadedExecutor
from rclpy.serialization import deserialize_message
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray, String
from std_srvs.srv import Trigger
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from id_controller.model.robots import robot_config, robot_path
from id_controller.realtime.children import Children
from id_controller.ros.events import KEPT
from id_controller.ros.sender import Sender
from id_controller.ros.taking import drained

NAME = '/id_controller'
TIMEOUT_S = 20.0
TRANSITIONS = {
    'configure': Transition.TRANSITION_CONFIGURE,
    'activate': Transition.TRANSITION_ACTIVATE,
    'deactivate': Transition.TRANSITION_DEACTIVATE,
    'cleanup': Transition.TRANSITION_CLEANUP,
}


class Robot:
    """
    A simulator, a controller and a client: a context in which they live.

    :param logs: Folder for their output.
    :param host: Module of the controller's process.
    :param controller: Further ROS arguments of the controller, :param simulator: of the simulator.
    """

    def __init__(
        self,
        logs: Path,
        robot: str = 'arm7',
        controller: tuple[str, ...] = (),
        simulator: tuple[str, ...] = (),
        host: str = 'id_controller.ros.host_process',
    ) -> None:
        self._children = Children(logs)
        self._robot, self._logs, self._host = robot, logs, host
        self._arguments = {'controller': controller, 'simulator': simulator}
        self.events: list[str] = []
        self._raw_commands: list[bytes] = []
        self.state: dict[str, tuple[float, float]] = {}
        self._clients: dict[str, Any] = {}

    def __enter__(self) -> Robot:
        self._context = rclpy.Context()
        rclpy.init(
            args=[], context=self._context, signal_handler_options=SignalHandlerOptions.NO
        )
        self.node = rclpy.create_node('test_client', context=self._context)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(self.node)
        node = self.node
        node.create_subscription(String, f'{NAME}/events', self._on_event, KEPT)
        # Taken as bytes, by no executor: thousands of callbacks would starve what is tested.
        silent = rclpy.create_node('test_listener', context=self._context)
        self._commands = silent.create_subscription(
            Float64MultiArray, '/effort_controller/commands', print, 1000, raw=True
        )
        self._states = silent.create_subscription(JointState, '/joint_states', print, 5, raw=True)
        self.trajectories = node.create_publisher(JointTrajectory, f'{NAME}/joint_trajectory', 1)
        # Another node: one executor each.
        self._sender = Sender(rclpy.create_node('test_sender', context=self._context), NAME)
        self.start('simulator')
        self.start('controller')
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._children.stop()
        self._executor.shutdown(timeout_sec=0.5)
        self.node.destroy_node()
        self._context.try_shutdown()
        if kind is not None:
            for log in sorted(self._logs.glob('*.log')):
                print(f'--- {log.name}\n{log.read_text()[-3000:]}')

    def start(self, name: str) -> None:
        """Start the simulator or the controller."""
        module = {
            'simulator': 'id_controller.ros.simulator_node',
            'controller': self._host,
        }[name]
        arguments = [
            '--ros-args', '--params-file', str(robot_config(self._robot)),
            '-p', f'robot_description_file:={robot_path(self._robot)}',
        ]
        # A busy machine may starve us for a while; that is not what is tested.
        arguments += {
            'controller': [
                '-p', 'auto_activate:=true', '-p', 'state_timeout:=0.25',
                '-p', 'overruns.policy:=report', '-p', 'ramp_time:=0.2',
            ],
            'simulator': ['-p', 'plant_priority:=20'],
        }[name]
        self._children.start(name, module, [*arguments, *self._arguments[name]])

    def pid(self, name: str) -> int:
        """Process id of the simulator, the controller's host, or its control process."""
        if name != 'control':
            return self._children.pid(name)
        return next(
            int(line.split()[2]) for line in reversed(self.events)
            if line.startswith('control process') and 'ticks at' in line
        )

    def kill(self, name: str, number: signal.Signals = signal.SIGKILL) -> int:
        """Send a signal to one process alone and return its id."""
        pid = self.pid(name)
        os.kill(pid, number)
        return pid

    def wait(self, until: Callable[[], Any], what: str, timeout_s: float = TIMEOUT_S) -> None:
        """Listen until something holds; the test fails when it does not in time."""
        end = time.monotonic() + timeout_s
        while not until():
            assert time.monotonic() < end, f'{what}: not within {timeout_s} s; {self.events[-8:]}'
            self._listen_once()

    def wait_for_event(self, text: str, timeout_s: float = TIMEOUT_S) -> str:
        """Wait for a line that holds a text, and return it; older lines do not count again."""
        seen = self._seen
        self.wait(lambda: any(text in line for line in self.events[seen:]), text, timeout_s)
        index = next(k for k, line in enumerate(self.events) if k >= seen and text in line)
        self._seen = index + 1
        return self.events[index]

    _seen = 0

    def listen(self, seconds: float) -> None:
        """Listen for a time."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._listen_once()

    def _listen_once(self) -> None:
        self._executor.spin_once(timeout_sec=0.02)
        self._raw_commands += taken(self._commands)
        for raw in taken(self._states)[-1:]:
            message = deserialize_message(raw, JointState)
            for name, q, v in zip(message.name, message.position, message.velocity):
                self.state[name] = (q, v)

    @property
    def commands(self) -> list[np.ndarray]:
        """Every command so far."""
        return [
            np.array(deserialize_message(raw, Float64MultiArray).data)
            for raw in self._raw_commands
        ]

    def send(self, times: list[float], q: list[list[float]], joints: list[str]) -> None:
        """Publish a trajectory that is at rest at its last point."""
        matched = self.trajectories.get_subscription_count
        self.wait(lambda: matched() > 0, 'a trajectory subscriber')
        message = JointTrajectory(joint_names=joints)
        for instant, row in zip(times, q):
            point = JointTrajectoryPoint(positions=row)
            point.velocities = [0.0] * len(row)
            point.accelerations = [0.0] * len(row)
            point.time_from_start.sec = int(instant)
            point.time_from_start.nanosec = int(1e9 * (instant % 1.0))
            message.points.append(point)
        self.trajectories.publish(message)

    def call(self, service: str) -> tuple[bool, str]:
        """Call one of the Trigger services."""
        answer = self.ask(Trigger, f'{NAME}/{service}', Trigger.Request())
        return answer.success, answer.message

    def change(self, transition: str) -> bool:
        """Ask for a lifecycle transition."""
        request = ChangeState.Request()
        request.transition.id = TRANSITIONS[transition]
        return bool(self.ask(ChangeState, f'{NAME}/change_state', request).success)

    def ask(self, kind: Any, name: str, request: Any) -> Any:
        """Call any service and return its response."""
        if name not in self._clients:
            self._clients[name] = self.node.create_client(kind, name)
        client = self._clients[name]
        self.wait(client.service_is_ready, f'service {name}')
        future = client.call_async(request)
        self.wait(future.done, f'answer of {name}')
        return future.result()

    def set(self, **values: Any) -> None:
        """Set parameters of the controller; a refusal fails."""
        self._sender.set_parameters(values, TIMEOUT_S, lambda: None)

    def q(self, joints: list[str]) -> np.ndarray:
        """Measured positions."""
        return np.array([self.state[joint][0] for joint in joints])

    def v(self, joints: list[str]) -> np.ndarray:
        """Measured velocities."""
        return np.array([self.state[joint][1] for joint in joints])

    def exit_code(self, name: str, timeout_s: float = 5.0) -> int:
        """Wait for the end of a process that is ours, and return its exit code."""
        self.wait(lambda: self._children.code(name) is not None, f'end of {name}', timeout_s)
        code = self._children.code(name)
        assert code is not None
        return code

    def _on_event(self, message: Any) -> None:
        self.events.append(message.data)


def taken(subscription: Any) -> list[bytes]:
    return [content for content, _ in drained(subscription, raw=True)]


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not yet waited for does not."""
    with contextlib.suppress(OSError):
        stat = Path(f'/proc/{pid}/stat').read_text()
        return stat.rpartition(')')[2].split()[0] not in ('Z', 'X')
    return False
