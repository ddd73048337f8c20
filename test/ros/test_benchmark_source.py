"""The state source of the benchmark: it refuses to share its topic."""
from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
import rclpy
from sensor_msgs.msg import JointState

from id_controller.benchmark.job import STATES, Job
from id_controller.benchmark.rows import Row
from id_controller.benchmark.source import Source
from id_controller.errors import SimulationError


def test_a_second_source_on_the_domain_is_found(context: Any, tmp_path: Path) -> None:
    node, other = (rclpy.create_node(name, context=context) for name in ('source', 'other'))
    row, flat = Row(node='echo', rate_hz=10), {'joints': ['a', 'b']}
    source = Source(node, Job(row=row, flat=flat, seconds=0.1, folder=tmp_path))
    source.require_alone()
    other.create_publisher(JointState, STATES, 1)
    end = time.monotonic() + 5.0
    while node.count_publishers(STATES) < 2 and time.monotonic() < end:
        time.sleep(0.01)
    with pytest.raises(SimulationError, match='got 2 publishers on ROS domain'):
        source.require_alone()
