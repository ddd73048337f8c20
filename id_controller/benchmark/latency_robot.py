"""A robot whose controller is asked, cheated, stopped and killed, by an exact observer."""
from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import rclpy
from rclpy.node import Node
from rclpy.serialization import serialize_message
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger

from id_controller.benchmark.latency_listener import Listener
from id_controller.benchmark.running import child_of
from id_controller.control.laws import TERMS
from id_controller.errors import SimulationError
from id_controller.model.robots import default_joints, robot_config, robot_path
from id_controller.realtime.children import Children
from id_controller.realtime.layout import Layout
from id_controller.realtime.scheduling import (
    set_realtime,
    settle_threads,
    use_ordinary_scheduling,
)
from id_controller.ros.sender import Sender
from id_controller.state import NANOSECONDS, Mode, Rows
from id_controller.trajectory.points import JointPoints

NAME, COMMANDS, STATES = '/id_controller', '/effort_controller/commands', '/joint_states'
ROBOT = 'arm7'
JOINTS = default_joints(ROBOT)
RATE_HZ, RAMP_S, STATE_TIMEOUT_S = 1000, 0.3, 0.1
PRIORITY = 60
"""Of the observer: above the controller, which it costs a few percent of one core."""
PLANT_PRIORITY = 20
START, NEAR = np.array([0.0, 0.0, 0.0, 1.2, 0.0, 0.0, 0.0]), 0.05
"""Where the plant stands at its start, rad, and what is still there."""
FAR = 3.5
"""A position beyond the limits of every joint, rad."""
TIMEOUT_S, SILENT_S = 30.0, 0.5
_ROW = np.dtype(Layout(n=len(JOINTS), terms=len(TERMS), points_max=1).row)


@contextmanager
def observer() -> Iterator[tuple[Node, Node]]:
    """Two nodes, for listening and for sending, in a real-time process."""
    set_realtime(PRIORITY, lock_memory=False)
    context = rclpy.Context()
    rclpy.init(args=[], context=context, signal_handler_options=SignalHandlerOptions.NO)
    try:
        nodes = [
            rclpy.create_node(f'latency_{role}', context=context, enable_rosout=False)
            for role in ('listener', 'sender')
        ]
        settle_threads(PRIORITY - 1)  # what we start from now on is ordinary
        yield nodes[0], nodes[1]
    finally:
        context.try_shutdown()
        use_ordinary_scheduling()


class Robot:
    """
    A simulator and a controller: a context in which they live.

    :param logs: Folder for their output.
    :param listening: Node that nobody spins, :param sending: and one that nobody else spins.
    """

    def __init__(self, logs: Path, listening: Node, sending: Node) -> None:
        self._children = Children(logs)
        self._logs, self._rows = logs, logs / 'rows.bin'
        self.false_alarms = 0
        """How often the host had killed a healthy control process."""
        self.commands = Listener(listening, COMMANDS)
        self._states = sending.create_publisher(JointState, STATES, 10)
        self._sender = Sender(sending, NAME)
        self._stop: Any = sending.create_client(Trigger, f'{NAME}/stop')
        self._stand: Any = sending.create_client(Trigger, '/id_controller_sim/reset')
        self._reset: Any = sending.create_client(Trigger, f'{NAME}/reset')

    def __enter__(self) -> Robot:
        self._start('simulator', 'id_controller.ros.simulator_node', (
            '-p', f'plant_priority:={PLANT_PRIORITY}', '-p', 'on_command_loss:=brakes',
        ), PLANT_PRIORITY)
        return self

    def __exit__(self, *_: object) -> None:
        self._children.stop()
        self._sender.close()

    def start_controller(self) -> None:
        """Start the controller, without waiting for it."""
        self._rows.unlink(missing_ok=True)
        self._start('controller', 'id_controller.benchmark.latency_node', (
            '-p', 'auto_activate:=true', '-p', f'ramp_time:={RAMP_S}',
            '-p', f'state_timeout:={STATE_TIMEOUT_S}',
        ), 0, str(self._rows))

    def _start(
        self, name: str, module: str, more: tuple[str, ...], priority: int, *first: str
    ) -> None:
        arguments = [
            *first, '--ros-args', '--params-file', str(robot_config(ROBOT)),
            '-p', f'robot_description_file:={robot_path(ROBOT)}', *more,
        ]
        self._children.start(name, module, arguments, priority=priority)

    def rows(self, since_ns: int = 0) -> Rows:
        """Return the ticks since a steady time."""
        content = self._rows.read_bytes() if self._rows.exists() else b''
        rows = np.frombuffer(content[: len(content) // _ROW.itemsize * _ROW.itemsize], _ROW)
        return rows[rows['steady_ns'] > since_ns]

    def wait_for(self, mode: Mode, since_ns: int) -> None:
        """
        Wait until a tick after a steady time was in a mode.

        :raises SimulationError: when none is, or a process ends.
        """
        def there() -> bool:
            return bool((self.rows(since_ns)['mode'] == mode).any())

        self.wait(there, f'mode {mode.name}')

    def wait(self, until: Callable[[], bool], what: str) -> None:
        """
        Wait.

        :raises SimulationError: when it does not come, or a process ends.
        """
        end = time.monotonic() + TIMEOUT_S
        while not until():
            self._children.check()
            if time.monotonic() > end:
                said = self._children.last_words('controller')
                raise SimulationError(f'{what}: not within {TIMEOUT_S:g} s; it says: {said}')
            time.sleep(0.01)

    def move(self) -> None:
        """Begin a slow motion that takes a minute, once the controller takes one."""
        self._sender.wait_for_controller(TIMEOUT_S, self._children.check)
        began_ns = time.monotonic_ns()

        def moves() -> bool:
            if not len(self.rows(time.monotonic_ns() - round(SILENT_S * NANOSECONDS))):
                self.false_alarms += 1
                self.reset()
            self._sender.send(self._motion())
            time.sleep(0.2)
            return bool((self.rows(began_ns)['mode'][-1:] == Mode.TRACK).any())

        self.wait(moves, 'mode TRACK')

    def _motion(self) -> JointPoints:
        q = self.rows()['q'][-1]
        goal = q + np.where(q < START, 0.5, -0.5)
        return JointPoints(joints=JOINTS, times=np.array([0.2, 60.0]), q=np.vstack((q, goal)))

    def wait_for_services(self) -> None:
        """Wait until the services answer."""
        for client in (self._stop, self._reset, self._stand):
            self.wait(client.service_is_ready, f'service {client.srv_name}')

    def ask_to_stop(self) -> None:
        """Call ``~/stop`` without waiting for the answer."""
        self._stop.call_async(Trigger.Request())

    def reset(self) -> None:
        """Call ``~/reset`` until the controller holds."""
        now_ns = time.monotonic_ns()
        def holds() -> bool:
            self._reset.call_async(Trigger.Request())
            time.sleep(0.2)
            return bool((self.rows(now_ns)['mode'][-1:] == Mode.HOLD).any())

        self.wait(holds, 'mode HOLD after ~/reset')

    def lie(self) -> None:
        """Stop the plant and say in its place that the joints are far away."""
        message = JointState(name=list(JOINTS), velocity=[0.0] * len(JOINTS))
        message.position = [FAR] * len(JOINTS)
        content = bytes(serialize_message(message))
        self.freeze_plant()
        self._states.publish(content)

    def freeze_plant(self) -> None:
        """Stop the plant, which then sends no state."""
        os.kill(self._children.pid('simulator'), signal.SIGSTOP)

    def storm(self, seconds: float) -> Rows:
        """Let parameters and long motions rain on the host, and return the ticks meanwhile."""
        with Children(self._logs) as others:
            q = map(str, self.rows()['q'][-1])
            others.start('storm', 'id_controller.benchmark.latency_storm', list(q))
            time.sleep(1.0)  # until it has come up
            began_ns = time.monotonic_ns()
            time.sleep(seconds)
            rows = self.rows(began_ns)
        return rows

    def thaw_plant(self) -> None:
        """Let the plant go on, from its start: it has fallen while no state came."""
        os.kill(self._children.pid('simulator'), signal.SIGCONT)
        now_ns = time.monotonic_ns()
        self._stand.call_async(Trigger.Request())
        self.wait(lambda: self._stood(now_ns), 'the plant at its start')

    def _stood(self, since_ns: int) -> bool:
        away = np.abs(self.rows(since_ns)['q'] - START).max(axis=1, initial=0.0)
        return bool((away < NEAR).any())

    def writer(self) -> bytes:
        """
        Listen for a moment: who commands.

        :raises SimulationError: when nobody does.
        """
        heard = self.commands.after(lambda: None, TIMEOUT_S, over=bool)[1]
        if not heard:
            raise SimulationError(f'{COMMANDS}: no command within {TIMEOUT_S:g} s')
        return heard[-1].writer

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the controller's host."""
        os.kill(self._children.pid('controller'), number)

    def exit_code(self) -> int | None:
        """Return the exit code of the controller's host, None while it runs."""
        return self._children.code('controller')

    def control_pid(self) -> int:
        """Process id of the control process."""
        return child_of(self._children.pid('controller'))
