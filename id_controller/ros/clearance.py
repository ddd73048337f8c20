"""What must be there before an arm is armed: the deadman, and a robot that follows commands."""
from __future__ import annotations

import time
from collections.abc import Callable

from id_controller.parameters.schema import Parameters
from id_controller.ros.control_link import ControlLink
from id_controller.ros.events import Events
from id_controller.state import FOLLOWING, NANOSECONDS, Mode, Request


class Clearance:
    """
    Listens to ``~/enable`` and to what the robot says of itself, and stops where they forbid.

    :param parameters: Returns the parameters in force, :param link: the control process.
    :param events: The host's way to say something.
    """

    def __init__(
        self,
        parameters: Callable[[], Parameters],
        link: Callable[[], ControlLink],
        events: Events,
    ) -> None:
        self._parameters, self._link, self._events = parameters, link, events
        self._enabled_ns = 0
        self._disabled = self._robot_stopped = False

    @property
    def refusal(self) -> str:
        """What forbids to arm; empty: nothing."""
        if self._disabled:
            return '~/enable is off'
        topic = self._parameters().robot_mode_topic
        return f'the robot follows no commands ({topic})' if self._robot_stopped else ''

    def restart(self) -> None:
        """Count the time to the next ``~/enable`` from now on."""
        self._enabled_ns = time.monotonic_ns()

    def poll(self) -> None:
        """See whether ``~/enable`` has been missing for too long; called often."""
        timeout_ns = int(self._parameters().enable_timeout * NANOSECONDS)
        if timeout_ns and time.monotonic_ns() - self._enabled_ns > timeout_ns:
            self.enable(False)

    def enable(self, enabled: bool) -> None:
        """Take an ``~/enable``."""
        link = self._link()
        self._disabled = not enabled
        if enabled:
            self.restart()
        elif link.mode in FOLLOWING and not link.lost:
            link.ask(Request.STOP)
            self._events.say('~/enable is off: soft stop', 'warning')

    def robot_mode(self, follows: bool) -> None:
        """Take a protective stop for what it is: nothing that we command has an effect."""
        link = self._link()
        news, self._robot_stopped = self._robot_stopped is follows, not follows
        if not follows and not link.lost and link.mode in (*FOLLOWING, Mode.SOFT_STOP):
            link.ask(Request.ROBOT_STOPPED)
        if news and follows:
            self._events.say('the robot follows commands; ~/reset arms')
        elif news:
            self._events.say(self.refusal, 'warning')
