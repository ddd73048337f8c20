"""Goals of a controller that ends: their results still get to the client."""
from __future__ import annotations

import importlib.util
import signal
from pathlib import Path

import pytest
from goal_client import ABORTED, Client
from goal_host import JOINTS, order
from nodes import Robot


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_b95_a_goal_is_aborted_before_the_controller_leaves(
    tmp_path: Path, number: signal.Signals
) -> None:
    with Robot(tmp_path, host='goal_host') as run:
        run.wait_for_event('mode HOLD')
        client = Client(run)
        handle = client.send(order(1.0, 3.0))
        future = handle.get_result_async()
        run.wait(lambda: abs(run.v(JOINTS)[3]) > 0.1, 'speed')
        run.kill('controller', number)
        run.wait(future.done, 'the result of the goal')
        assert future.result().status == ABORTED
        assert run.exit_code('controller') == 0


def test_a_lost_control_process_ends_the_goal(tmp_path: Path) -> None:
    with Robot(tmp_path, host='goal_host') as run:
        run.wait_for_event('mode HOLD')
        client = Client(run)
        handle = client.send(order(0.5, 3.0))
        run.kill('control')
        found = client.result(handle)
        assert found.status == ABORTED
        assert 'control process' in found.text


@pytest.mark.skipif(importlib.util.find_spec('control_msgs') is not None, reason='it is there')
def test_without_control_msgs_one_line_says_what_is_missing(tmp_path: Path) -> None:
    with Robot(tmp_path) as run:
        run.wait_for_event('mode HOLD')
        said = [line for line in run.events if 'control_msgs' in line]
        assert len(said) == 1
        assert 'no ~/follow_joint_trajectory' in said[0]
        assert 'ros-<distribution>-control-msgs' in said[0]
