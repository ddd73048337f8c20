"""Command messages as objects, with the same face as those of ``command_codec``."""
from __future__ import annotations

import time
from array import array
from typing import Any

import numpy as np
from sensor_msgs.msg import JointState
from std_msgs.msg import Float64, Float64MultiArray

from id_controller.state import NANOSECONDS


class ArrayMessage:
    """
    std_msgs/Float64MultiArray.

    :param count: Number of numbers.
    """

    def __init__(self, count: int) -> None:
        self._message: Any = Float64MultiArray()
        self.numbers = np.zeros(count)

    def sealed(self) -> Any:
        """Return the message."""
        self._message.data = array('d', self.numbers.tobytes())
        return self._message


class NumberMessage:
    """std_msgs/Float64."""

    def __init__(self) -> None:
        self._message: Any = Float64()
        self.numbers = np.zeros(1)

    def sealed(self) -> Any:
        """Return the message."""
        self._message.data = self.numbers.item()
        return self._message


class JointStateMessage:
    """
    sensor_msgs/JointState with efforts, and with positions where they are wanted.

    :param joints: Names.
    :param has_position: Whether it holds positions.
    """

    def __init__(self, joints: tuple[str, ...], has_position: bool) -> None:
        self._message: Any = JointState(name=list(joints))
        self.position = np.zeros(len(joints) if has_position else 0)
        self.numbers = np.zeros(len(joints))

    def sealed(self) -> Any:
        """Stamp the message by the system clock and return it."""
        stamp = self._message.header.stamp
        stamp.sec, stamp.nanosec = divmod(time.time_ns(), NANOSECONDS)
        self._message.position = array('d', self.position.tobytes())
        self._message.effort = array('d', self.numbers.tobytes())
        return self._message
