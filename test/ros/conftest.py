"""A context of its own for each test that needs ROS in this process."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import rclpy
from rclpy.signals import SignalHandlerOptions


@pytest.fixture
def context() -> Iterator[Any]:
    own = rclpy.Context()
    rclpy.init(args=[], context=own, signal_handler_options=SignalHandlerOptions.NO)
    yield own
    own.try_shutdown()
