"""The process that hears every command and writes it down; it knows nothing of the controller."""
from __future__ import annotations

import hashlib
import struct
import sys
import time
from pathlib import Path
from typing import IO, Any

import numpy as np
import rclpy
from rclpy.signals import SignalHandlerOptions
from std_msgs.msg import Float64MultiArray

from id_controller.chaos.trace import Trace
from id_controller.realtime.process import StopSignals
from id_controller.ros.taking import best_effort, drained
from id_controller.ros.waiting import MessageWait

DEPTH = 2000
_COUNT = slice(12, 16)
"""Where the number of efforts stands: behind the header and two empty fields of the layout."""
_HEAD = struct.Struct('=qqQq')
_NO_NUMBER = struct.pack('=d', float('nan'))
_WAIT_S, _FLUSH_NS = 0.005, 200_000_000
_STALL_NS, _STALL, _STALLS = 20_000_000, struct.Struct('=qq'), '.stalls'


def main() -> int:
    """Write commands to a file until told to leave; arguments: file, topic, number of joints."""
    stop = StopSignals()
    rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
    node = rclpy.create_node('chaos_observer', enable_rosout=False, start_parameter_services=False)
    commands: Any = node.create_subscription(
        Float64MultiArray, sys.argv[2], lambda message: None, best_effort(DEPTH), raw=True
    )
    wait = MessageWait(node, commands)
    path = Path(sys.argv[1])
    with path.open('wb') as file, path.with_suffix(_STALLS).open('wb') as stalls:
        seen_ns = time.time_ns()
        while not stop():
            wait(_WAIT_S)
            now_ns = time.time_ns()
            if now_ns - seen_ns > _STALL_NS:
                stalls.write(_STALL.pack(seen_ns, now_ns))
            _note(commands, file, int(sys.argv[3]))
            if now_ns // _FLUSH_NS > seen_ns // _FLUSH_NS:
                file.flush()
                stalls.flush()
            seen_ns = now_ns
    rclpy.try_shutdown()
    return 0


def _note(commands: Any, file: IO[bytes], n: int) -> None:
    """Write down all that has come; what has another size as what is no number."""
    for content, info in drained(commands, raw=True):
        writer = hashlib.blake2b(bytes(info['publisher_gid']['data']), digest_size=8).digest()
        file.write(_HEAD.pack(
            time.monotonic_ns(), info['source_timestamp'], int.from_bytes(writer, 'little'),
            info.get('publication_sequence_number') or 0,
        ))
        # The efforts are all that is left, whatever stands before them.
        fits = int.from_bytes(content[_COUNT], sys.byteorder) == n
        file.write(content[-8 * n :] if fits else _NO_NUMBER * n)


def read_trace(path: Path, n: int) -> Trace:
    """
    Read what an observer wrote; a last line that is not whole is left out.

    :param n: Number of joints.
    """
    row = np.dtype([('at', np.int64), ('sent', np.int64), ('writer', np.uint64),
                    ('number', np.int64), ('tau', np.float64, (n,))])
    content = path.read_bytes()
    rows = np.frombuffer(content[: len(content) // row.itemsize * row.itemsize], row)
    rows = rows[np.argsort(rows['sent'], kind='stable')]
    return Trace(
        at_ns=rows['at'], sent_ns=rows['sent'], writer=rows['writer'], number=rows['number'],
        tau=rows['tau'],
        stalls=np.fromfile(path.with_suffix(_STALLS), np.int64).reshape(-1, 2),
    )


if __name__ == '__main__':
    sys.exit(main())
