"""The process between the simulator's joint states and the controller's."""
from __future__ import annotations

import sys
import time
from typing import Any

import rclpy
from rclpy.qos import QoSProfile
from rclpy.signals import SignalHandlerOptions
from sensor_msgs.msg import JointState
from std_msgs.msg import String

from id_controller.chaos.mangling import Mangler
from id_controller.realtime.process import StopSignals
from id_controller.ros.taking import best_effort, drained
from id_controller.ros.waiting import MessageWait

RAW, ORDERS = '/joint_states_raw', '/chaos/mangle'
DEPTH = 50
_WAIT_S = 0.002


def main() -> int:
    """Pass states on until told to leave; print how many at the end."""
    stop = StopSignals()
    rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
    node = rclpy.create_node('chaos_mangler', enable_rosout=False, start_parameter_services=False)
    states: Any = node.create_subscription(
        JointState, RAW, lambda message: None, best_effort(DEPTH), raw=True
    )
    orders: Any = node.create_subscription(
        String, ORDERS, lambda message: None, QoSProfile(depth=10)
    )
    out = node.create_publisher(JointState, '/joint_states', 10)
    wait, mangler, count = MessageWait(node, states), Mangler(), 0
    while not stop():
        wait(_WAIT_S)
        for order, _ in drained(orders, raw=False):
            kind, seed = order.data.split()
            mangler.begin(kind, int(seed))
        for content, _ in drained(states, raw=True):
            for message in mangler.through(bytes(content), time.monotonic_ns()):
                out.publish(message)
                count += 1
    print(f'{count} states passed on')
    rclpy.try_shutdown()
    return 0


if __name__ == '__main__':
    sys.exit(main())
