"""
The user's side of the controller: send a trajectory, change a parameter, call a service.

A ``Sender`` spins its own executor only while it waits, so it costs nothing in between.
"""
from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from builtin_interfaces.msg import Duration
from rcl_interfaces.srv import GetParameters, SetParametersAtomically
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.parameter import Parameter, parameter_value_to_python
from std_srvs.srv import Trigger
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from id_controller.errors import IdControllerError, InstallationError, ParameterError
from id_controller.state import NANOSECONDS
from id_controller.trajectory.points import JointPoints


class Sender:
    """
    Speaks to one controller.

    :param node: A node that no other executor spins.
    :param controller: Full name of the controller's node.
    """

    def __init__(self, node: Node, controller: str = '/id_controller') -> None:
        self._node = node
        self._controller = controller
        self._trajectories = node.create_publisher(
            JointTrajectory, f'{controller}/joint_trajectory', 1
        )
        self._parameters: Any = node.create_client(
            SetParametersAtomically, f'{controller}/set_parameters_atomically'
        )
        self._clients: dict[str, Any] = {}
        self._executor = SingleThreadedExecutor(context=node.context)
        self._executor.add_node(node)

    def wait_for_controller(self, timeout_s: float, alive: Callable[[], None]) -> None:
        """
        Wait until the controller takes trajectories and parameters.

        :param alive: Called again and again; raises to end the wait.
        :raises InstallationError: when the time is up.
        """
        self._wait(self.matched, timeout_s, alive, 'to subscribe to trajectories')

    def matched(self) -> bool:
        """Whether the controller takes trajectories and parameters."""
        subscribed = self._trajectories.get_subscription_count() > 0
        return subscribed and self._parameters.service_is_ready()

    def send(self, points: JointPoints) -> None:
        """Publish a trajectory."""
        self._trajectories.publish(message_from_points(points))

    def set_parameters(
        self, values: dict[str, Any], timeout_s: float, alive: Callable[[], None]
    ) -> None:
        """
        Set parameters of the running controller, all or none.

        :raises ParameterError: with the controller's reason when it refuses.
        """
        parameters = [Parameter(name, value=value) for name, value in values.items()]
        request = SetParametersAtomically.Request(
            parameters=[parameter.to_parameter_msg() for parameter in parameters]
        )
        future = self._parameters.call_async(request)
        self._wait(future.done, timeout_s, alive, f'to set {", ".join(values)}')
        result = future.result().result
        if not result.successful:
            raise ParameterError(f'{self._controller} refused {values}: {result.reason}')

    def get_parameters(
        self, names: Sequence[str], timeout_s: float, alive: Callable[[], None]
    ) -> dict[str, Any]:
        """
        Read parameters of the running controller.

        :raises InstallationError: when the time is up.
        :raises ParameterError: when it does not have all of them.
        """
        request = GetParameters.Request(names=list(names))
        answer = self._ask(GetParameters, 'get_parameters', request, timeout_s, alive)
        values = [parameter_value_to_python(value) for value in answer.values]
        # rclpy answers with nothing at all when it does not know one of the names.
        if len(values) != len(names) or any(value is None for value in values):
            raise ParameterError(
                f'{self._controller}: got no value for some of {", ".join(names)}, expected one '
                'for each; is it a controller of this version?'
            )
        return dict(zip(names, values))

    def call(
        self, service: str, timeout_s: float, alive: Callable[[], None]
    ) -> tuple[bool, str]:
        """
        Call ``stop``, ``hold`` or ``reset``.

        :returns: Whether it was done, and what the controller says.
        :raises InstallationError: when the time is up.
        """
        answer = self._ask(Trigger, service, Trigger.Request(), timeout_s, alive)
        return bool(answer.success), str(answer.message)

    def _ask(
        self, kind: Any, service: str, request: Any, timeout_s: float, alive: Callable[[], None]
    ) -> Any:
        if service not in self._clients:
            self._clients[service] = self._node.create_client(
                kind, f'{self._controller}/{service}'
            )
        client = self._clients[service]
        self._wait(client.service_is_ready, timeout_s, alive, f'to offer ~/{service}')
        future = client.call_async(request)
        self._wait(future.done, timeout_s, alive, f'to answer ~/{service}')
        return future.result()

    def _wait(
        self,
        done: Callable[[], bool],
        timeout_s: float,
        alive: Callable[[], None],
        what: str,
    ) -> None:
        end = time.monotonic() + timeout_s
        while not done():
            alive()
            if time.monotonic() > end:
                raise InstallationError(
                    f'waited {timeout_s:g} s for {self._controller} {what}; is it running '
                    'on this ROS domain?'
                )
            self._executor.spin_once(timeout_sec=0.02)

    def close(self) -> None:
        """Let go of the executor; the node stays its owner's."""
        self._executor.remove_node(self._node)
        self._executor.shutdown(timeout_sec=0.0)


def message_from_points(points: JointPoints) -> JointTrajectory:
    """
    Write joint points as a message, in the order in which they name the joints.

    :raises IdControllerError: when a point lies before the start.
    """
    message = JointTrajectory(joint_names=list(points.joints))
    message.header.stamp.sec, message.header.stamp.nanosec = divmod(points.start_ns, NANOSECONDS)
    for k, instant in enumerate(points.times):
        if instant < 0.0:
            raise IdControllerError(f'point {k}: got the time {instant:g} s, expected at least 0')
        sec, nanosec = divmod(round(instant * NANOSECONDS), NANOSECONDS)
        point = JointTrajectoryPoint(time_from_start=Duration(sec=sec, nanosec=nanosec))
        for field, values in (
            ('positions', points.q),
            ('velocities', points.v),
            ('accelerations', points.a),
            ('effort', points.effort),
        ):
            if values is not None:
                setattr(point, field, values[k].tolist())
        message.points.append(point)
    return message
