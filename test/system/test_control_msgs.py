"""
The action and what belongs to it with the messages of control_msgs, where these are installed.

ID_CONTROLLER_REQUIRE_CONTROL_MSGS=1 makes their absence a failure.
"""
from __future__ import annotations

import importlib.util
import os
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from goal_client import ABORTED, CANCELED, SUCCEEDED, at_rest
from goal_host import JOINTS, POSE, point
from nodes import NAME, Robot
from trajectory_msgs.msg import JointTrajectory

ABSENT = importlib.util.find_spec('control_msgs') is None
REQUIRED = bool(os.environ.get('ID_CONTROLLER_REQUIRE_CONTROL_MSGS'))
pytestmark = pytest.mark.skipif(ABSENT and not REQUIRED, reason='control_msgs is not installed')


class Client:
    """A client as MoveIt is one."""

    def __init__(self, robot: Robot) -> None:
        from control_msgs.action import FollowJointTrajectory
        from rclpy.action import ActionClient

        self.robot, self.kind = robot, FollowJointTrajectory
        self.feedback: list[Any] = []
        name = f'{NAME}/follow_joint_trajectory'
        self._client: Any = ActionClient(robot.node, FollowJointTrajectory, name)
        robot.wait(self._client.server_is_ready, 'the action server')

    def goal(self, share: float, seconds: float, **fields: Any) -> Any:
        """Make a goal to a share of the pose."""
        trajectory = JointTrajectory(joint_names=list(JOINTS), points=[point(share, seconds)])
        return self.kind.Goal(trajectory=trajectory, **fields)

    def send(self, goal: Any) -> Any:
        """Send a goal and return its handle."""
        future = self._client.send_goal_async(
            goal, feedback_callback=lambda told: self.feedback.append(told.feedback)
        )
        self.robot.wait(future.done, 'the answer to a goal')
        return future.result()

    def result(self, handle: Any) -> tuple[int, int, str]:
        """Wait for the end of a goal."""
        future = handle.get_result_async()
        self.robot.wait(future.done, 'the result of a goal')
        result = future.result().result
        return future.result().status, result.error_code, result.error_string

    def ended(self, goal: Any) -> tuple[int, int, str]:
        """Send a goal and wait for its end."""
        return self.result(self.send(goal))


@pytest.fixture(scope='module')
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    with Robot(tmp_path_factory.mktemp('control_msgs')) as run:
        run.wait_for_event('mode HOLD')
        yield Client(run)


def tolerance(name: str, position: float) -> Any:
    from control_msgs.msg import JointTolerance

    return JointTolerance(name=name, position=position)


def test_a_goal_succeeds_with_feedback(client: Client) -> None:
    assert client.ended(client.goal(0.8, 1.5)) == (SUCCEEDED, 0, 'goal reached')
    told = client.feedback[len(client.feedback) // 2]
    assert told.joint_names == list(JOINTS)
    assert np.allclose(
        np.array(told.desired.positions) - told.actual.positions, told.error.positions
    )
    assert len(told.desired.accelerations) == len(JOINTS)


def test_refusals_have_their_codes(client: Client) -> None:
    unknown, old, several, invalid = (client.goal(0.5, 2.0) for _ in range(4))
    unknown.trajectory.joint_names[0] = 'wheel'
    old.trajectory.header.stamp.sec = 1
    several.multi_dof_trajectory.joint_names = ['base']
    invalid.goal_time_tolerance.sec = -7
    for goal, code in ((unknown, -2), (old, -3), (several, -1), (invalid, -1)):
        status, found, text = client.ended(goal)
        assert (status, found) == (ABORTED, code), text
        assert text
    assert not client.send(client.kind.Goal()).accepted


def test_a_path_tolerance_in_the_goal_aborts(client: Client) -> None:
    client.ended(client.goal(0.2, 2.0))
    goal = client.goal(1.0, 1.5, path_tolerance=[tolerance('joint4', 1e-6)])
    status, code, text = client.ended(goal)
    assert (status, code) == (ABORTED, -4)
    assert "joint 'joint4'" in text
    at_rest(client.robot)


def test_a_goal_tolerance_in_the_goal_aborts_in_its_time(client: Client) -> None:
    goal = client.goal(0.5, 1.0, goal_tolerance=[tolerance('joint4', 1e-9)])
    goal.goal_time_tolerance.nanosec = 200_000_000
    assert client.ended(goal)[:2] == (ABORTED, -5)


def test_a_cancelled_goal_stops(client: Client) -> None:
    client.ended(client.goal(0.0, 2.0))
    handle = client.send(client.goal(1.0, 2.0))
    client.robot.wait(lambda: abs(client.robot.v(JOINTS)[3]) > 0.4, 'speed')
    handle.cancel_goal_async()
    assert client.result(handle)[0] == CANCELED
    at_rest(client.robot)
    assert client.ended(client.goal(0.5, 1.5))[0] == SUCCEEDED


def test_fifty_preemptions_have_fifty_results(client: Client) -> None:
    handles = [client.send(client.goal(0.5 + 0.004 * k, 1.0)) for k in range(51)]
    found = [client.result(handle)[0] for handle in handles]
    assert found == [ABORTED] * 50 + [SUCCEEDED]


def test_controller_state_tells_what_the_controller_does(client: Client) -> None:
    from control_msgs.msg import JointTrajectoryControllerState

    found: list[Any] = []
    client.robot.node.create_subscription(
        JointTrajectoryControllerState, f'{NAME}/controller_state', found.append, 1
    )
    client.robot.wait(lambda: found, 'a state')
    state = found[-1]
    assert state.joint_names == list(JOINTS)
    assert list(state.feedback.positions) == pytest.approx(client.robot.q(JOINTS), abs=0.02)
    assert list(state.error.positions) == pytest.approx(
        np.array(state.reference.positions) - state.feedback.positions
    )
    assert np.abs(state.output.effort).max() > 1.0
    assert state.speed_scaling_factor == 1.0


def test_query_state_foresees_the_reference(client: Client) -> None:
    from control_msgs.srv import QueryTrajectoryState

    robot = client.robot
    client.ended(client.goal(0.0, 2.0))
    # The first question waits until the service is found.
    robot.ask(QueryTrajectoryState, f'{NAME}/query_state', QueryTrajectoryState.Request())
    handle = client.send(client.goal(1.0, 2.0))
    began = time.time_ns()
    ahead = []
    for seconds in (0.0, 1.0, 5.0):
        request = QueryTrajectoryState.Request()
        request.time.sec, request.time.nanosec = divmod(
            began + round((1.0 + seconds) * 1e9), 10**9
        )
        ahead.append(robot.ask(QueryTrajectoryState, f'{NAME}/query_state', request))
    assert all(answer.success for answer in ahead)
    assert ahead[0].name == list(JOINTS)
    share = np.array([answer.position[3] for answer in ahead]) / POSE[3]
    assert share == pytest.approx([0.5, 1.0, 1.0], abs=0.03)
    assert ahead[0].velocity[3] == pytest.approx(1.875 * POSE[3] / 2.0, rel=0.03)
    past = QueryTrajectoryState.Request()
    past.time.sec = 1
    answer = robot.ask(QueryTrajectoryState, f'{NAME}/query_state', past)
    assert not answer.success
    assert 's ago' in answer.message
    client.result(handle)


def test_speed_scaling_from_its_topic(client: Client) -> None:
    from control_msgs.msg import SpeedScalingFactor

    robot = client.robot
    scaling = robot.node.create_publisher(SpeedScalingFactor, f'{NAME}/speed_scaling_input', 1)
    robot.wait(lambda: scaling.get_subscription_count() > 0, 'a subscriber of the scaling')
    client.ended(client.goal(0.0, 2.0))
    scaling.publish(SpeedScalingFactor(factor=0.5))
    robot.listen(0.3)
    began = time.monotonic()
    assert client.ended(client.goal(0.6, 1.0))[0] == SUCCEEDED
    assert time.monotonic() - began > 1.8
    scaling.publish(SpeedScalingFactor(factor=1.5))
    assert 'speed_scaling: got 1.5' in robot.wait_for_event('speed_scaling_input refused')
    scaling.publish(SpeedScalingFactor(factor=1.0))
    robot.listen(0.3)
