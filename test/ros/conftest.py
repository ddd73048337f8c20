"""What tests with ROS in this process share: a context, or a simulator, of their own."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import rclpy
from rclpy.signals import SignalHandlerOptions
from simulator_bench import Bench


@pytest.fixture
def context() -> Iterator[Any]:
    own = rclpy.Context()
    rclpy.init(args=[], context=own, signal_handler_options=SignalHandlerOptions.NO)
    yield own
    own.try_shutdown()


@pytest.fixture
def bench() -> Iterator[Callable[..., Bench]]:
    benches: list[Bench] = []

    def make(**parameters: Any) -> Bench:
        benches.append(Bench(**parameters))
        return benches[-1]

    yield make
    for one in benches:
        one.close()
