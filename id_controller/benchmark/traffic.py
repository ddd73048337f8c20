"""What a busy system does to a controller: motions, parameters, and others that join."""
from __future__ import annotations

import time
from typing import Any

import numpy as np
import rclpy
from rclpy.node import Node
from rclpy.serialization import serialize_message
from rclpy.signals import SignalHandlerOptions
from trajectory_msgs.msg import JointTrajectory

from id_controller.benchmark.job import MOVING, NODE, Job, read_job
from id_controller.errors import IdControllerError
from id_controller.realtime.process import StopSignals
from id_controller.ros.sender import Sender, message_from_points
from id_controller.trajectory.points import JointPoints

POINTS = 1000
AMPLITUDE = 0.02
TRAJECTORIES_HZ, PARAMETERS_HZ = 5.0, 10.0
TIMEOUT_S = 20.0


def motion(joints: tuple[str, ...], seconds: float) -> JointPoints:
    """
    Move all joints to and fro about where the source says that they are.

    :param seconds: Length of the motion.
    """
    times = np.linspace(0.0, seconds, POINTS)
    omega = 2.0 * np.pi * round(0.5 * seconds) / seconds
    angle = omega * times[:, np.newaxis] * np.ones(len(joints))
    return JointPoints(
        joints=joints, times=times, q=0.3 + AMPLITUDE * (1.0 - np.cos(angle)),
        v=AMPLITUDE * omega * np.sin(angle), a=AMPLITUDE * omega**2 * np.cos(angle),
    )


class Traffic:
    """
    Sends at fixed rates.

    :param node: A node that no executor spins.
    """

    def __init__(self, node: Node, job: Job) -> None:
        length_s = job.seconds + 10.0
        self._job, self._sender = job, Sender(node, f'/{NODE}')
        self._content = bytes(serialize_message(message_from_points(motion(job.joints, length_s))))
        self._trajectories = node.create_publisher(
            JointTrajectory, f'/{NODE}/joint_trajectory', 1
        )

    def run(self, stop: StopSignals) -> None:
        """Send one motion, and go on sending where there is to be traffic."""
        self._sender.wait_for_controller(TIMEOUT_S, lambda: None)
        while not self._trajectories.get_subscription_count():
            time.sleep(0.01)
        self._trajectories.publish(self._content)
        (self._job.folder / MOVING).touch()
        begin, sets, sent = time.monotonic(), 0, 1
        while not stop():
            elapsed = time.monotonic() - begin
            if self._job.row.traffic and elapsed * PARAMETERS_HZ > sets:
                sets += 1
                self._set(sets)
            if self._job.row.traffic and elapsed * TRAJECTORIES_HZ > sent:
                sent += 1
                self._trajectories.publish(self._content)
            time.sleep(0.005)

    def _set(self, count: int) -> None:
        name = f'gains.{self._job.joints[0]}.p'
        try:
            self._sender.set_parameters({name: 100.0 + count % 2}, 1.0, lambda: None)
        except IdControllerError as error:
            print(f'{name}: {error}', flush=True)


def main() -> int:
    """Send until told to stop."""
    stop, job = StopSignals(), read_job()
    with_node(lambda node: Traffic(node, job).run(stop))
    return 0


def with_node(act: Any) -> None:
    """Do something with a node in a context of its own."""
    context = rclpy.Context()
    rclpy.init(args=[], context=context, signal_handler_options=SignalHandlerOptions.NO)
    try:
        act(rclpy.create_node('bench_traffic', context=context, enable_rosout=False))
    finally:
        context.try_shutdown()
