"""A storm at the host: a hundred parameter sets a second, and five motions of 1000 points."""
from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import rclpy
from rcl_interfaces.srv import SetParameters
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.serialization import serialize_message
from rclpy.signals import SignalHandlerOptions
from trajectory_msgs.msg import JointTrajectory

from id_controller.benchmark.latency_robot import JOINTS, NAME, TIMEOUT_S
from id_controller.realtime.process import StopSignals
from id_controller.ros.sender import message_from_points
from id_controller.trajectory.points import JointPoints

SETS_HZ, MOTIONS_HZ, POINTS = 100.0, 5.0, 1000
AMPLITUDE, PAUSE_S, OPEN_MAX = 0.05, 0.001, 20


def main() -> int:
    """Send until told to stop, and say how much that was; the arguments are the positions."""
    stop = StopSignals()
    context = rclpy.Context()
    rclpy.init(args=[], context=context, signal_handler_options=SignalHandlerOptions.NO)
    storm = _Storm(rclpy.create_node('latency_storm', context=context, enable_rosout=False))
    storm.run(bytes(serialize_message(message_from_points(_motion(sys.argv[1:])))), stop)
    context.try_shutdown()
    return 0


class _Storm:
    """
    Sends, and takes the answers.

    :param node: A node that no other executor spins.
    """

    def __init__(self, node: Node) -> None:
        self._motions = node.create_publisher(JointTrajectory, f'{NAME}/joint_trajectory', 1)
        self._parameters: Any = node.create_client(SetParameters, f'{NAME}/set_parameters')
        self._executor = SingleThreadedExecutor(context=node.context)
        self._executor.add_node(node)
        self._open: list[Any] = []

    def run(self, content: bytes, stop: StopSignals) -> None:
        """Send parameters and the bytes of a motion at their rates."""
        self._parameters.wait_for_service(TIMEOUT_S)
        begin, sets, motions, elapsed = time.monotonic(), 0, 0, 0.0
        while not stop():
            elapsed = time.monotonic() - begin
            if elapsed * MOTIONS_HZ > motions:
                self._motions.publish(content)
                motions += 1
            if elapsed * SETS_HZ > sets and len(self._open) < OPEN_MAX:
                self._set(sets)
                sets += 1
            self._wait()
        while self._open and time.monotonic() - begin < elapsed + TIMEOUT_S:
            self._wait()  # the controller would wait 100 ms for us with each answer
        print(f'{sets / elapsed:.0f} sets/s, {motions / elapsed:.1f} motions/s', flush=True)

    def _set(self, count: int) -> None:
        parameter = Parameter(f'gains.{JOINTS[0]}.p', value=700.0 + count % 2)
        request = SetParameters.Request(parameters=[parameter.to_parameter_msg()])
        self._open.append(self._parameters.call_async(request))

    def _wait(self) -> None:
        self._executor.spin_once(timeout_sec=PAUSE_S)
        self._open = [future for future in self._open if not future.done()]


def _motion(words: Sequence[str]) -> JointPoints:
    """A motion to and fro from where the joints are, slow enough for any of them."""
    q, times = np.array(words, np.float64), np.linspace(0.0, 60.0, POINTS)
    sway = AMPLITUDE * (1.0 - np.cos(0.5 * times[:, np.newaxis]))
    return JointPoints(joints=JOINTS, times=times, q=q + sway)
