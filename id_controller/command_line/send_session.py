"""The talk with a running controller: its facts, a trajectory to it, and what became of that."""
from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from id_controller.command_line.send_facts import Situation, at_rest
from id_controller.command_line.send_progress import (
    DONE,
    FAILED,
    FOLLOWING_MODES,
    Outcome,
    Progress,
    overdue_s,
)
from id_controller.command_line.terminal import LeaveSignals
from id_controller.control.configuration import configured
from id_controller.errors import InstallationError, TrajectoryError
from id_controller.model.description_file import load_description
from id_controller.parameters.fields import specs
from id_controller.parameters.flat import joints_from_flat, parameters_from_flat
from id_controller.parameters.schema import Parameters
from id_controller.state import Vector
from id_controller.trajectory.points import JointPoints

POLL_S = 0.01
SETTLE_S = 2.0
"""Longest time from the rest of the reference to that of the robot."""


@contextmanager
def connected(controller: str, timeout_s: float) -> Iterator[Connection]:
    """
    Speak to a controller, in a context of our own.

    :param controller: Full name of its node.
    :param timeout_s: Longest wait for anything.
    """
    # Only here: --help, and a dry run with --robot, need no ROS.
    import rclpy
    from rclpy.signals import SignalHandlerOptions

    from id_controller.ros.environment import find_log_folder, use_udp_transport

    use_udp_transport()
    find_log_folder()
    with LeaveSignals() as signals:
        context = rclpy.Context()
        rclpy.init(args=[], context=context, signal_handler_options=SignalHandlerOptions.NO)
        try:
            sender, listener = (
                rclpy.create_node(f'id_controller_{role}', context=context, enable_rosout=False)
                for role in ('send', 'send_listener')
            )
            yield Connection(sender, listener, controller, timeout_s, signals.check)
        finally:
            rclpy.shutdown(context=context)


class Connection:
    """
    One controller.

    :param sender_node: Node for the sender; :param listener_node: node that nothing spins.
    :param controller: Full name of its node.
    :param timeout_s: Longest wait for anything.
    :param leave: Called again and again; raises to leave.
    """

    def __init__(
        self, sender_node: Any, listener_node: Any, controller: str, timeout_s: float,
        leave: Callable[[], None],
    ) -> None:
        from id_controller.ros.listener import Listener
        from id_controller.ros.sender import Sender

        self._controller, self._timeout_s, self._leave = controller, timeout_s, leave
        self._sender = Sender(sender_node, controller)
        self.listener = Listener(listener_node, controller)

    def call(self, service: str) -> tuple[bool, str]:
        """Call ``stop``, ``hold`` or ``reset``; whether it was done, and what is said."""
        return self._sender.call(service, self._timeout_s, self.poll)

    def situation(self) -> Situation:
        """
        Ask the controller what it controls, and where the reference is.

        :raises InstallationError: when there is no such controller, or it does not answer.
        """
        self._sender.wait_for_controller(self._timeout_s, self.poll)
        flat = self._get(['joints'])
        names = [spec.name for spec in specs(Parameters, joints_from_flat(flat))]
        parameters = parameters_from_flat(self._get(names))
        configuration = configured(parameters, self._description(parameters))
        _, q, v = self._reference(parameters.joints)
        return Situation(configuration=configuration, reference=at_rest(q, v))

    def _get(self, names: list[str]) -> dict[str, Any]:
        return self._sender.get_parameters(names, self._timeout_s, self.poll)

    def _description(self, parameters: Parameters) -> str:
        """From where the controller has it; its file may lie on another machine."""
        if parameters.robot_description:
            return parameters.robot_description
        file = parameters.robot_description_file
        if file and Path(file).expanduser().is_file():
            return load_description(file)
        found = f', nor a file {file}' if file else ''
        self.wait(
            lambda: bool(self.listener.description),
            f'got no URDF on the topic robot_description beside {self._controller}{found}; run '
            'this on the machine of the controller, or publish the description',
        )
        return self.listener.description

    def _reference(self, joints: tuple[str, ...]) -> tuple[int, Vector, Vector]:
        self.wait(
            lambda: self.listener.wanted(joints) is not None,
            f'got no {self._controller}/reference of {", ".join(joints)}; is the controller '
            'configured?',
        )
        found = self.listener.wanted(joints)
        if found is None:
            raise InstallationError(f'{self._controller}/reference: lost while reading')
        return found

    def check_ready(self) -> None:
        """
        See that the controller takes trajectories now.

        :raises TrajectoryError: when it does not.
        """
        # The kept lines come one by one: what they say together counts.
        end = time.monotonic() + 0.5
        while self.listener.mode not in FOLLOWING_MODES and time.monotonic() < end:
            self.pause()
        mode = self.listener.mode
        if mode and mode not in FOLLOWING_MODES:
            raise TrajectoryError(
                f'the controller is in {mode}, expected HOLD or TRACK; activate its lifecycle '
                'node, or where it is active give "id_controller send reset"'
            )

    def send(self, points: JointPoints) -> None:
        """Publish a trajectory."""
        self._sender.send(points)

    def newest_ns(self) -> int:
        """Stamp of the newest message of the controller, by its own clock."""
        self.poll()
        stamps = [heard.sent_ns for heard in self.listener.events]
        if self.listener.reference is not None:
            stamps.append(self.listener.reference.sent_ns)
        return max(stamps, default=0)

    def deliver(self, points: JointPoints, progress: Progress) -> Outcome | None:
        """
        Send a trajectory and wait for the answer.

        :returns: None when it was accepted; else why not, or that no answer came.
        """
        self.send(points)
        end = time.monotonic() + self._timeout_s
        while not self._look(progress).answer:
            if time.monotonic() > end:
                reason = f'{self._controller} said nothing to it within {self._timeout_s:g} s'
                return Outcome(code=FAILED, reason=reason)
            self.pause()
        return progress.outcome

    def follow(self, progress: Progress, duration_s: float) -> Outcome:
        """
        Wait for the end of a trajectory that was accepted.

        :param duration_s: How long it takes at full speed.
        """
        begin = moved = time.monotonic()
        while progress.outcome is None:
            self.pause()
            now = time.monotonic()
            if self._look(progress).moved:
                moved = now
            if not self._sender.matched():
                return Outcome(code=FAILED, reason=f'{self._controller} is gone')
            if overdue_s(now, begin, moved, duration_s) > self._timeout_s:
                return Outcome(code=DONE) if progress.at_target else self._stuck()
        return progress.outcome

    def _stuck(self) -> Outcome:
        return Outcome(code=FAILED, reason=(
            f'nothing moved for {self._timeout_s:g} s, and the reference is not at the last point'
        ))

    def _look(self, progress: Progress) -> Progress:
        """Tell the progress what has come since."""
        for stamp_ns, line in self.listener.events[self._told:]:
            progress.hear(stamp_ns, line)
        self._told = len(self.listener.events)
        reference = self.listener.wanted(progress.joints)
        if reference is not None:
            progress.see(*reference)
        return progress

    _told = 0

    def settled(self, joints: tuple[str, ...], slow: float) -> Vector | None:
        """
        Wait until the robot stands, and return where.

        :param slow: Speed that counts as standing.
        :returns: Positions; None when nothing is heard of some joint.
        """
        end = time.monotonic() + SETTLE_S
        found = None
        while time.monotonic() < end:
            self.pause()
            found = self.listener.measured(joints)
            if found is not None and (np.abs(found[1]) <= slow).all():
                break
        return None if found is None else found[0]

    def pause(self) -> None:
        """Let a moment pass and take what came."""
        time.sleep(POLL_S)
        self.poll()

    def poll(self) -> None:
        """Take what came, and leave if a signal asks for it."""
        self._leave()
        self.listener.poll()

    def wait(self, until: Callable[[], bool], otherwise: str) -> None:
        """
        Wait for something.

        :param otherwise: What to say when it does not come.
        :raises InstallationError: when the time is up.
        """
        end = time.monotonic() + self._timeout_s
        while not until():
            if time.monotonic() > end:
                raise InstallationError(f'waited {self._timeout_s:g} s: {otherwise}')
            self.pause()
