"""The main loop of the host, and an exit that leaves nothing behind."""
from __future__ import annotations

import sys
import time

import rclpy
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.lifecycle import TransitionCallbackReturn

from id_controller.errors import IdControllerError
from id_controller.realtime.process import StopSignals, end_by
from id_controller.realtime.scheduling import end_runaways, set_realtime, settle_threads
from id_controller.ros.arguments import start_ros
from id_controller.ros.environment import use_udp_transport
from id_controller.ros.host_node import HostNode
from id_controller.ros.reports import Observer, ignore

REFUSED = 2
PRIORITY = 10
BELOW_CONTROL = 4
"""Room for the host's own quick threads below the middleware of the control process."""
SWITCH_INTERVAL_S = 0.0005
LONGEST_RUN_S = 5.0
"""A host that computes so long in one go has hung; the control process needs less to start."""
RESULT_S = 0.1
"""In which the result of a goal that was aborted at the end gets to its client."""
TEARDOWN_S = 4.0
"""What we wait for takes at most 3 s beside the exit ramp; the middleware has the rest."""


def run(stop: StopSignals, observe: Observer = ignore) -> int:
    """
    Run the controller until it is told to stop, and return the exit code.

    :param stop: Whether a signal asks to leave.
    :param observe: Gets the rows of all ticks in order, each once.
    """
    try:
        transport = use_udp_transport()
        start_ros(sys.argv)
        return _run(stop, transport, observe)
    except IdControllerError as error:
        print(f'id_controller: {error}', file=sys.stderr)
        return REFUSED
    finally:
        rclpy.try_shutdown()


def _run(stop: StopSignals, transport: str, observe: Observer) -> int:
    host = HostNode(observe=observe)
    host.events.say(transport)
    _prioritize(host.start_parameters.thread_priority)
    if not host.description.text:
        host.events.say(
            f'waiting for a URDF on {host.description.origin}; or give robot_description_file'
        )
    executor = SingleThreadedExecutor()
    executor.add_node(host)
    auto = _Automatic(host)
    try:
        while not stop():
            executor.spin_once(timeout_sec=0.02)
            host.serve_main_thread()
            auto.step()
        host.events.say('leaving')
        return 0
    except ExternalShutdownException:
        return 0
    finally:
        _leave(host, executor)


def _leave(host: HostNode, executor: SingleThreadedExecutor) -> None:
    end_by(host.start_parameters.ramp_time + TEARDOWN_S)
    if host.abort_goal('the controller is leaving'):
        _spin_for(executor, RESULT_S)
    host.end_session()
    host.close_interface()
    host.events.send()
    executor.shutdown(timeout_sec=0.5)
    host.destroy_node()


def _spin_for(executor: SingleThreadedExecutor, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        executor.spin_once(timeout_sec=0.01)


def _prioritize(thread_priority: int) -> None:
    """
    Let services and the watch answer on a busy machine too; far below the control process.

    The main thread does the bulk of the work, so those of the middleware go before it. The
    control process inherits the priority of the main thread for its start, and then asks for its
    own; what is not granted it says, for it asks for more.
    """
    # Our threads wait for each other's Python: the default of 5 ms is more than a watch may lose.
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    if thread_priority > 0:
        priority = max(1, min(PRIORITY, thread_priority - BELOW_CONTROL))
        set_realtime(priority, lock_memory=False)
        settle_threads(priority + 1)
        end_runaways(LONGEST_RUN_S)


class _Automatic:
    """
    Configures and activates the node by itself, where parameters ask for it.

    :param host: The host node.
    """

    def __init__(self, host: HostNode) -> None:
        self._host = host
        self._tried = ''
        self._configure = host.start_parameters.auto_configure

    def step(self) -> None:
        """
        Go on as far as it goes now.

        :raises IdControllerError: when the description that was given cannot be used.
        """
        description = self._host.description
        if not self._configure or not description.text or description.text == self._tried:
            return
        self._tried = description.text
        if self._host.trigger_configure() is not TransitionCallbackReturn.SUCCESS:
            if description.given:
                raise IdControllerError(self._host.failure)
            return
        self._configure = False
        if self._host.start_parameters.auto_activate:
            self._host.trigger_activate()
            if self._host.failure:
                raise IdControllerError(self._host.failure)
