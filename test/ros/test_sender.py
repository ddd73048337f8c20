"""The sender: what it publishes, and what it says when nobody listens or takes it."""
from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import rclpy
from rcl_interfaces.msg import SetParametersResult
from rclpy.executors import SingleThreadedExecutor
from std_srvs.srv import Trigger
from trajectory_msgs.msg import JointTrajectory

from id_controller.errors import IdControllerError, InstallationError, ParameterError
from id_controller.ros.messages import TrajectoryMessage
from id_controller.ros.sender import Sender, message_from_points
from id_controller.trajectory.points import JointPoints

POINTS = JointPoints(
    joints=('b', 'a'),
    times=np.array([0.25, 1.999999999]),
    q=np.array([[1.0, 2.0], [3.0, 4.0]]),
    v=np.array([[0.1, 0.2], [0.0, 0.0]]),
    start_ns=5_000_000_007,
)


def test_points_survive_the_message() -> None:
    message = message_from_points(POINTS)
    assert (message.header.stamp.sec, message.header.stamp.nanosec) == (5, 7)
    back = TrajectoryMessage(message).points(POINTS.start_ns)
    assert back.joints == POINTS.joints
    np.testing.assert_array_equal(back.times, POINTS.times)
    np.testing.assert_array_equal(back.q, POINTS.q)
    np.testing.assert_array_equal(back.v, POINTS.v)
    assert back.a is None
    assert back.effort is None


def test_a_point_before_the_start_is_refused() -> None:
    early = JointPoints(joints=('a',), times=np.array([-0.5]), q=np.zeros((1, 1)))
    with pytest.raises(IdControllerError, match='point 0: got the time -0.5 s'):
        message_from_points(early)


class FakeController:
    """A node of the controller's name that takes trajectories and one of two modes."""

    def __init__(self, context: Any) -> None:
        self.taken: list[JointTrajectory] = []
        self.node = rclpy.create_node('id_controller', context=context)
        self.node.declare_parameter('control_mode', 'feedforward')
        self.node.add_on_set_parameters_callback(self._judge)
        self.node.create_subscription(
            JointTrajectory, '~/joint_trajectory', self.taken.append, 1
        )
        self.node.create_service(Trigger, '~/hold', self._hold)
        self._executor = SingleThreadedExecutor(context=context)
        self._executor.add_node(self.node)
        self._going = True
        self._thread = threading.Thread(target=self._spin)
        self._thread.start()

    def _spin(self) -> None:
        while self._going:
            self._executor.spin_once(timeout_sec=0.02)

    def _judge(self, parameters: list[Any]) -> SetParametersResult:
        good = parameters[0].value in ('feedforward', 'gravity_pd')
        return SetParametersResult(successful=good, reason='' if good else 'no such mode')

    def _hold(self, request: Any, response: Any) -> Any:
        response.success, response.message = False, 'HOLD: nothing to hold'
        return response

    def close(self) -> None:
        self._going = False
        self._thread.join()
        self._executor.shutdown()
        self.node.destroy_node()


@pytest.fixture
def controller(context: Any) -> Iterator[FakeController]:
    controller = FakeController(context)
    yield controller
    controller.close()


@pytest.fixture
def sender(context: Any) -> Iterator[Sender]:
    node = rclpy.create_node('sender', context=context)
    sender = Sender(node)
    yield sender
    sender.close()
    node.destroy_node()


def alive() -> None:
    """Nothing dies here."""


def test_a_trajectory_arrives_after_the_wait(controller: FakeController, sender: Sender) -> None:
    arrived = threading.Event()
    controller.node.create_subscription(
        JointTrajectory, '~/joint_trajectory', lambda message: arrived.set(), 1
    )
    sender.wait_for_controller(10.0, alive)
    sender.send(POINTS)
    assert arrived.wait(10.0)


def test_a_parameter_is_set(controller: FakeController, sender: Sender) -> None:
    sender.wait_for_controller(10.0, alive)
    sender.set_parameters({'control_mode': 'gravity_pd'}, 10.0, alive)
    assert controller.node.get_parameter('control_mode').value == 'gravity_pd'


def test_parameters_are_read(controller: FakeController, sender: Sender) -> None:
    names = ['control_mode', 'use_sim_time']
    found = sender.get_parameters(names, 10.0, alive)
    assert found == {'control_mode': 'feedforward', 'use_sim_time': False}


def test_a_parameter_that_is_not_there(controller: FakeController, sender: Sender) -> None:
    with pytest.raises(ParameterError, match='got no value for some of control_mode, magic'):
        sender.get_parameters(['control_mode', 'magic'], 10.0, alive)


def test_a_service_is_called_and_says_why(controller: FakeController, sender: Sender) -> None:
    for _ in range(2):
        assert sender.call('hold', 10.0, alive) == (False, 'HOLD: nothing to hold')


def test_a_service_that_is_not_there(sender: Sender) -> None:
    with pytest.raises(InstallationError, match=r'waited 0\.2 s for /id_controller to offer ~/st'):
        sender.call('stop', 0.2, alive)


def test_a_refusal_brings_the_reason(controller: FakeController, sender: Sender) -> None:
    sender.wait_for_controller(10.0, alive)
    with pytest.raises(ParameterError, match='no such mode'):
        sender.set_parameters({'control_mode': 'magic'}, 10.0, alive)
    assert controller.node.get_parameter('control_mode').value == 'feedforward'


def test_the_wait_ends_with_a_sentence(sender: Sender) -> None:
    with pytest.raises(InstallationError, match=r'waited 0\.2 s for /id_controller'):
        sender.wait_for_controller(0.2, alive)


def test_the_wait_ends_when_something_dies(sender: Sender) -> None:
    def dead() -> None:
        raise IdControllerError('the simulator ended')

    with pytest.raises(IdControllerError, match='the simulator ended'):
        sender.wait_for_controller(10.0, dead)
