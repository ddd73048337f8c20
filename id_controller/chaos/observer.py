"""The process that hears every command and writes it down; it knows nothing of the controller."""
from __future__ import annotations

import hashlib
import struct
import sys
from pathlib import Path

import numpy as np
import rclpy
from rclpy.signals import SignalHandlerOptions

from id_controller.benchmark.latency_listener import Heard, Listener
from id_controller.chaos.trace import Trace
from id_controller.realtime.process import StopSignals

COMMANDS = '/effort_controller/commands'
_HEAD = struct.Struct('=qqQ')
_WINDOW_S = 0.1


def main() -> int:
    """Write commands to the file that is named until told to leave."""
    stop = StopSignals()
    rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
    node = rclpy.create_node('chaos_observer', enable_rosout=False, start_parameter_services=False)
    listener = Listener(node, COMMANDS)
    with Path(sys.argv[1]).open('wb') as file:
        while not stop():
            for one in listener.after(lambda: None, _WINDOW_S)[1]:
                file.write(_record(one))
            file.flush()
    rclpy.try_shutdown()
    return 0


def _record(one: Heard) -> bytes:
    writer = hashlib.blake2b(bytes(one.writer), digest_size=8).digest()
    head = _HEAD.pack(one.at_ns, one.sent_ns, int.from_bytes(writer, 'little'))
    return head + one.tau.tobytes()


def read_trace(path: Path, n: int) -> Trace:
    """
    Read what an observer wrote; a last line that is not whole is left out.

    :param n: Number of joints.
    """
    row = np.dtype([('at', np.int64), ('sent', np.int64), ('writer', np.uint64),
                    ('tau', np.float64, (n,))])
    content = path.read_bytes()
    rows = np.frombuffer(content[: len(content) // row.itemsize * row.itemsize], row)
    rows = rows[np.argsort(rows['sent'], kind='stable')]
    return Trace(at_ns=rows['at'], sent_ns=rows['sent'], writer=rows['writer'], tau=rows['tau'])


if __name__ == '__main__':
    sys.exit(main())
