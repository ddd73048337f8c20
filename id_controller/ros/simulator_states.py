"""States of the simulated robot to ``joint_states``, and simulated time to ``/clock``."""
from __future__ import annotations

from array import array
from typing import Any

import numpy as np
from rclpy.node import Node
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import JointState as JointStateMessage

from id_controller.simulation.parameters import SimulatorParameters
from id_controller.simulation.plant import Plant
from id_controller.state import NANOSECONDS

# Reliable, because it serves every subscriber, those that ask for best effort too.
STATES = QoSProfile(
    history=HistoryPolicy.KEEP_LAST, depth=10, reliability=ReliabilityPolicy.RELIABLE
)


class StatePublisher:
    """
    Publishes what a driver would.

    Stamps are simulated time in lockstep and with ``publish_clock``, else the time of the node.

    :param node: Node on which to publish.
    :param plant: The robot; every movable joint is reported, standing ones too.
    """

    def __init__(self, node: Node, plant: Plant, parameters: SimulatorParameters) -> None:
        self._plant = plant
        self._publisher = node.create_publisher(JointStateMessage, 'joint_states', STATES)
        self._message: Any = JointStateMessage(name=list(plant.names))
        self._shuffle = parameters.shuffle
        self._random = np.random.default_rng(parameters.seed)
        self._simulated = parameters.lockstep or parameters.publish_clock
        self._clock = node.get_clock()
        self._times: Any = None
        if parameters.publish_clock:
            self._times = node.create_publisher(Clock, '/clock', STATES)
        self._time: Any = Clock()
        self._time_period_ns = NANOSECONDS // min(parameters.clock_rate, parameters.state_rate)
        self._time_due_ns = 0

    def publish(self) -> None:
        """Publish the present state, then, when it is due, the time."""
        now_ns = self._plant.time_ns
        stamp_ns = now_ns if self._simulated else self._clock.now().nanoseconds
        message = self._message
        _set_stamp(message.header.stamp, stamp_ns)
        columns = self._plant.measure()
        if self._shuffle:
            order = self._random.permutation(len(self._plant.names))
            message.name = [self._plant.names[i] for i in order]
            columns = (columns[0][order], columns[1][order], columns[2][order])
        message.position, message.velocity, message.effort = (
            array('d', column.tobytes()) for column in columns
        )
        self._publisher.publish(message)
        if self._times is not None and now_ns >= self._time_due_ns:
            self._time_due_ns = now_ns - now_ns % self._time_period_ns + self._time_period_ns
            _set_stamp(self._time.clock, now_ns)
            self._times.publish(self._time)

    def again(self) -> None:
        """Publish the last state once more, with the same stamp and the same noise."""
        self._publisher.publish(self._message)
        if self._times is not None:
            self._times.publish(self._time)


def _set_stamp(stamp: Any, time_ns: int) -> None:
    stamp.sec, stamp.nanosec = divmod(time_ns, NANOSECONDS)
