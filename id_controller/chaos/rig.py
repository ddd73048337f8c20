"""The processes that are tormented, and a client that talks to them."""
from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import rclpy
from lifecycle_msgs.srv import ChangeState
from rcl_interfaces.srv import SetParametersAtomically
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.signals import SignalHandlerOptions
from std_msgs.msg import String
from std_srvs.srv import Trigger
from trajectory_msgs.msg import JointTrajectory

from id_controller.benchmark.running import child_of
from id_controller.chaos.mangler import ORDERS
from id_controller.chaos.target import Target
from id_controller.errors import SimulationError
from id_controller.realtime.children import Children
from id_controller.ros.events import KEPT
from id_controller.ros.sender import message_from_points
from id_controller.state import NANOSECONDS, Vector
from id_controller.trajectory.points import JointPoints

NAME = '/id_controller'
RAMP_S, LOST = 0.2, 'LOST'
_PLANT_PRIORITY = 20
_WITH_ROS = {
    'simulator': ('id_controller.ros.simulator_node', (
        '-p', f'plant_priority:={_PLANT_PRIORITY}', '-p', 'on_command_loss:=brakes',
        '-r', 'joint_states:=joint_states_raw',
    )),
    'controller': ('id_controller.ros.host_process', (
        '-p', f'ramp_time:={RAMP_S}', '-p', 'state_timeout:=0.1',
    )),
}


class Rig:
    """
    Observer, simulator, mangler and controller: a context in which they live.

    :param folder: Folder for what they write.
    :param check: Called again and again; raises to end what is under way.
    """

    def __init__(self, target: Target, folder: Path, check: Callable[[], None]) -> None:
        self.target, self._folder, self._check = target, folder, check
        self._children = Children(folder)
        self._context = rclpy.Context()
        self.mode = ''
        self.said: list[tuple[int, str]] = []
        """Events of the controller with the system times at which they came."""

    def __enter__(self) -> Rig:
        rclpy.init(
            args=[], context=self._context, signal_handler_options=SignalHandlerOptions.NO
        )
        node = self._node = rclpy.create_node('chaos', context=self._context)
        self._executor = SingleThreadedExecutor(context=self._context)
        self._executor.add_node(node)
        self._speak(node)
        for name in ('observer', 'mangler'):
            arguments = (
                [str(self.commands), self.target.topic, str(len(self.target.joints))]
                if name == 'observer' else []
            )
            self._children.start(
                name, f'id_controller.chaos.{name}', arguments, priority=_PLANT_PRIORITY
            )
        for name in _WITH_ROS:
            self.start(name)
        return self

    def _speak(self, node: Node) -> None:
        node.create_subscription(String, f'{NAME}/events', self._on_event, KEPT)
        self._orders = node.create_publisher(String, ORDERS, 10)
        self.trajectories = node.create_publisher(
            JointTrajectory, f'{NAME}/joint_trajectory', 10
        )
        self._clients: dict[str, Any] = {
            name: node.create_client(Trigger, f'{NAME}/{name}')
            for name in ('stop', 'reset', 'hold')
        }
        self._clients['stand'] = node.create_client(Trigger, '/id_controller_sim/reset')
        self._parameters: Any = node.create_client(
            SetParametersAtomically, f'{NAME}/set_parameters_atomically'
        )
        self._states: Any = node.create_client(ChangeState, f'{NAME}/change_state')

    def __exit__(self, *_: object) -> None:
        self._children.stop()
        self._executor.shutdown(timeout_sec=0.5)
        self._context.try_shutdown()

    @property
    def commands(self) -> Path:
        """The file of the observer."""
        return self._folder / 'commands.bin'

    def start(self, name: str) -> None:
        """Start the simulator or the controller."""
        module, more = _WITH_ROS[name]
        file = self.target.simulator_file
        if name == 'controller':
            self.mode, file = '', self.target.controller_file
            more = (
                *more, '-p', f'black_box.folder:={self._folder / "black_box"}',
                '-p', f'payload.frame:={self.target.tip}',
            )
        arguments = ['--ros-args', '--params-file', str(file), *more]
        priority = _PLANT_PRIORITY if name == 'simulator' else 0
        self._children.start(name, module, arguments, priority=priority)

    def restart_the_dead(self) -> None:
        """
        Start what has ended.

        :raises SimulationError: when one of ours that nobody touches has.
        """
        for name in _WITH_ROS:
            if self._children.code(name) is not None:
                self.start(name)
        for name in ('observer', 'mangler'):
            if self._children.code(name) is not None:
                raise SimulationError(f'{name} ended: {self._children.last_words(name)}')

    def _on_event(self, message: Any) -> None:
        line = message.data
        self.said.append((time.time_ns(), line))
        if line.startswith('mode EXITING') and self.mode == LOST:
            return  # the last that its ticks said; the loss was seen before that was read
        if line.startswith('mode '):
            self.mode = line.split()[1]
        elif '~/reset starts a new one' in line:
            self.mode = LOST

    def spin(self, seconds: float, until: Callable[[], bool] = lambda: False) -> bool:
        """Listen for a time, or until something holds; say whether it does."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if until():
                return True
            self._check()
            self._executor.spin_once(timeout_sec=0.01)
        return until()

    def mangle(self, kind: str, seed: int = 0) -> None:
        """Tell the mangler what to do."""
        self._orders.publish(String(data=f'{kind} {seed}'))

    def call(self, name: str) -> None:
        """Call a service without waiting: ``stop``, ``reset``, ``hold`` or ``stand``."""
        if self._clients[name].service_is_ready():
            self._clients[name].call_async(Trigger.Request())

    def set(self, parameters: list[Any]) -> None:
        """Set parameters without waiting."""
        if self._parameters.service_is_ready():
            request = SetParametersAtomically.Request(
                parameters=[one.to_parameter_msg() for one in parameters]
            )
            self._parameters.call_async(request)

    def asked(self, transition: int) -> Callable[[], bool]:
        """Ask for a lifecycle transition; return what tells whether it was answered."""
        request = ChangeState.Request()
        request.transition.id = transition
        done: Callable[[], bool] = self._states.call_async(request).done
        return done

    def change(self, transition: int, timeout_s: float) -> None:
        """Ask for a lifecycle transition and wait for the answer."""
        self.spin(timeout_s, self.asked(transition))

    def send(self, q: Vector, seconds: float, in_s: float = 0.0) -> None:
        """
        Send a motion of one point.

        :param in_s: When it begins, from now on; 0: at once.
        """
        start_ns = time.time_ns() + round(in_s * NANOSECONDS) if in_s else 0
        points = JointPoints(
            joints=self.target.joints, times=np.array([seconds]), q=q[np.newaxis],
            start_ns=start_ns,
        )
        self.trajectories.publish(message_from_points(points))

    def pid(self, name: str) -> int:
        """Process id of the simulator, the controller's host, or its control process."""
        if name == 'control':
            return child_of(self._children.pid('controller'))
        return self._children.pid(name)

    def signal(self, name: str, number: signal.Signals) -> None:
        """Send a signal to one process alone."""
        os.kill(self.pid(name), number)

    def ended(self, name: str) -> bool:
        """Whether a process has ended."""
        return self._children.code(name) is not None

    def last_words(self, name: str) -> str:
        """Return what a process said last."""
        return self._children.last_words(name)
