"""A message with a header as bytes, of which only the stamp changes."""
from __future__ import annotations

import struct
import time

from id_controller.ros.cdr import HEADER
from id_controller.state import NANOSECONDS

_STAMP = struct.Struct('=iI')


class Stamped:
    """
    A message whose first field is a std_msgs/Header, in the byte order of this machine.

    :param content: Its bytes.
    """

    def __init__(self, content: bytes) -> None:
        self._content = bytearray(content)

    def sealed(self) -> bytes:
        """Stamp it by the system clock and return it."""
        _STAMP.pack_into(self._content, HEADER, *divmod(time.time_ns(), NANOSECONDS))
        return bytes(self._content)
