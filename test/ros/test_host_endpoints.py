"""The host's own endpoints, made as the parameters say."""
from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
import rclpy
from rclpy.executors import SingleThreadedExecutor
from rclpy.publisher import Publisher
from std_msgs.msg import Float64MultiArray

from id_controller.parameters.schema import Parameters
from id_controller.ros.host_endpoints import HostEndpoints
from id_controller.state import Reference

TAU = np.array([3.0, -4.0])


@pytest.mark.parametrize('raw', [True, False])
def test_a_take_over_sends_what_the_control_process_would(
    context: Any, monkeypatch: pytest.MonkeyPatch, raw: bool
) -> None:
    host = rclpy.create_node('host', context=context)
    ends = HostEndpoints(host, Parameters(joints=('a', 'b'), raw_messages=raw))
    got: list[Any] = []
    host.create_subscription(Float64MultiArray, ends.commands[0], got.append, 1)
    published: list[type] = []
    publish = Publisher.publish

    def seen(self: Any, message: Any) -> None:
        published.append(type(message))
        publish(self, message)

    monkeypatch.setattr(Publisher, 'publish', seen)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(host)
    end = time.monotonic() + 5.0
    while not got:
        assert time.monotonic() < end
        ends.sink.publish(TAU, Reference(TAU, TAU, TAU, TAU))
        executor.spin_once(timeout_sec=0.05)
    assert list(got[0].data) == TAU.tolist()
    assert set(published) == {bytes if raw else Float64MultiArray}
    ends.close()
