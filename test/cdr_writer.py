"""An independent writer of serialized messages, in either byte order."""
from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any


class CdrWriter:
    """
    Writes plain CDR by the book: numbers are aligned to their size behind the header.

    :param order: ``<`` or ``>``.
    """

    def __init__(self, order: str) -> None:
        self.order = order
        self.content = bytearray({'<': b'\x00\x01', '>': b'\x00\x00'}[order] + b'\x00\x00')

    def number(self, kind: str, value: float) -> CdrWriter:
        size = struct.calcsize(f'={kind}')
        while (len(self.content) - 4) % size:
            self.content += b'\x00'
        self.content += struct.pack(f'{self.order}{kind}', value)
        return self

    def string(self, text: str) -> CdrWriter:
        encoded = text.encode() + b'\x00'
        self.number('I', len(encoded)).content += encoded
        return self

    def strings(self, texts: Sequence[str]) -> CdrWriter:
        self.number('I', len(texts))
        for text in texts:
            self.string(text)
        return self

    def doubles(self, values: Sequence[float]) -> CdrWriter:
        self.number('I', len(values))
        for value in values:
            self.number('d', value)
        return self

    def header(self, message: Any) -> CdrWriter:
        stamp = message.header.stamp
        return self.number('i', stamp.sec).number('I', stamp.nanosec).string(
            message.header.frame_id
        )


def joint_state_bytes(message: Any, order: str) -> bytes:
    """Write a sensor_msgs/JointState."""
    writer = CdrWriter(order).header(message).strings(message.name)
    for field in (message.position, message.velocity, message.effort):
        writer.doubles(field)
    return bytes(writer.content)


def trajectory_bytes(message: Any, order: str) -> bytes:
    """Write a trajectory_msgs/JointTrajectory."""
    writer = CdrWriter(order).header(message).strings(message.joint_names)
    writer.number('I', len(message.points))
    for point in message.points:
        for field in (point.positions, point.velocities, point.accelerations, point.effort):
            writer.doubles(field)
        duration = point.time_from_start
        writer.number('i', duration.sec).number('I', duration.nanosec)
    return bytes(writer.content)
