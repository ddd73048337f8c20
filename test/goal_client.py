"""A client of the action server that ``goal_host`` runs."""
from __future__ import annotations

from typing import Any, NamedTuple

from action_msgs.msg import GoalStatus
from goal_host import JOINTS
from nodes import NAME, Robot
from rclpy.action import ActionClient
from test_msgs.action import Fibonacci

ABORTED, CANCELED = GoalStatus.STATUS_ABORTED, GoalStatus.STATUS_CANCELED
SUCCEEDED = GoalStatus.STATUS_SUCCEEDED


class Result(NamedTuple):
    """What a client gets."""

    status: int
    code: int
    text: str


class Client:
    """An action client on a running robot."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.feedback: list[int] = []
        self._client: Any = ActionClient(robot.node, Fibonacci, f'{NAME}/follow_joint_trajectory')
        robot.wait(self._client.server_is_ready, 'the action server')

    def send(self, number: int) -> Any:
        """Send a goal and return its handle."""
        future = self._client.send_goal_async(
            Fibonacci.Goal(order=number),
            feedback_callback=lambda told: self.feedback.append(told.feedback.sequence[0]),
        )
        self.robot.wait(future.done, 'the answer to a goal')
        return future.result()

    def result(self, handle: Any, timeout_s: float = 10.0) -> Result:
        """Wait for the result of a goal."""
        future = handle.get_result_async()
        self.robot.wait(future.done, 'the result of a goal', timeout_s)
        answer = future.result()
        code, *text = answer.result.sequence
        return Result(answer.status, code, bytes(text).decode())

    def ended(self, number: int) -> Result:
        """Send a goal and wait for its end."""
        return self.result(self.send(number))


def at_rest(robot: Robot) -> None:
    """Wait until nothing moves."""
    robot.wait(lambda: abs(robot.v(JOINTS)).max() < 5e-3, 'rest')
