"""A participant that joins and stays, as a person who looks at topics does."""
from __future__ import annotations

import time

from rclpy.node import Node

from id_controller.benchmark.traffic import with_node
from id_controller.realtime.process import StopSignals


def main() -> int:
    """Stay until told to leave."""
    stop = StopSignals()

    def stay(node: Node) -> None:
        while not stop():
            time.sleep(0.05)

    with_node(stay)
    return 0
