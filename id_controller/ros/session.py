"""From configure to cleanup: a control process, the watch over it, and the services on it."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rclpy.node import Node

from id_controller.control.configuration import Configuration
from id_controller.errors import IdControllerError
from id_controller.parameters.schema import Parameters
from id_controller.realtime.self_test import judged
from id_controller.ros.clearance import Clearance
from id_controller.ros.control_link import ControlLink
from id_controller.ros.events import Events
from id_controller.ros.handover import Handover
from id_controller.ros.host_endpoints import HostEndpoints
from id_controller.ros.reports import Observer, Reports, ignore
from id_controller.ros.safety_node import Answer, SafetyNode
from id_controller.ros.takeover import Takeover
from id_controller.ros.watcher import Watcher
from id_controller.state import IDLE, Mode, Request

_NOT_THROUGH = 'the exit is not through'


class Session:
    """
    One configured controller.

    :param node: The host node.
    :param events: Its way to say something.
    :param configuration: The robot.
    :param flat_parameters: Values of all parameters now.
    :param is_active: Whether the lifecycle state of the host is active.
    :param observe: Gets the rows of all ticks in order, each once.
    :raises IdControllerError: when the control process does not start.
    """

    def __init__(
        self,
        node: Node,
        events: Events,
        configuration: Configuration,
        flat_parameters: Callable[[], dict[str, Any]],
        is_active: Callable[[], bool],
        observe: Observer = ignore,
    ) -> None:
        self._node, self._events, self.configuration = node, events, configuration
        self._flat_parameters, self._is_active = flat_parameters, is_active
        for warning in configuration.warnings:
            events.say(warning, 'warning')
        self._endpoints = HostEndpoints(node, configuration.parameters)
        self._arming = self._restart = self._told = self._stopped = False
        self._others = self._asked = 0
        self._clearance = Clearance(self._parameters, lambda: self.link, events)
        self._handover: Handover | None = None
        self.link = self._first_link()
        self.reports = Reports(node, self.link, self._parameters, events.say, observe)
        self._safety = self._safety_node()
        self._watcher = Watcher(self._poll, lambda line: events.say(line, 'error'))

    def _parameters(self) -> Parameters:
        return self.configuration.parameters

    def _safety_node(self) -> SafetyNode:
        return SafetyNode(
            self._node, stop=self._stop, hold=self._hold, reset=self._reset,
            enable=self._clearance.enable, robot_mode=self._clearance.robot_mode,
            robot_mode_topic=self._parameters().robot_mode_topic,
        )

    def _first_link(self) -> ControlLink:
        try:
            return self._started_link()
        except IdControllerError:
            self._endpoints.close()
            raise

    def _started_link(self) -> ControlLink:
        p, ends = self.configuration.parameters, self._endpoints
        startup: dict[str, Any] = {
            'description': self.configuration.description,
            'parameters': self._flat_parameters(),
            'node': ends.control_name,
            'namespace': self._node.get_namespace(),
            'joint_states': ends.states,
            'commands': list(ends.commands),
        }
        takeover = Takeover(self.configuration, ends.source, ends.sink)
        link = ControlLink(self.configuration, startup, takeover)
        link.start()
        try:
            warning = judged(*link.self_test_ns, p.update_rate)
        except IdControllerError:
            link.stop(p.ramp_time + 1.0)
            raise
        if warning:
            self._events.say(warning, 'warning')
        self._events.say(
            f'control process {link.pid} ticks at {p.update_rate} Hz, paced by {p.pacing}; '
            f'commands to {", ".join(ends.commands)}'
        )
        return link

    def activate(self) -> str:
        """Arm as soon as our own publisher has a subscriber; return why not, or an empty text."""
        if self.link.lost:
            return f'{self.link.lost}; ~/reset starts a new one'
        self._clearance.restart()
        self._arming, self._stopped = True, False
        if self._endpoints.sink.subscribers() == 0:
            self._events.say(f'waiting for a subscriber of {self._endpoints.commands[0]}')
        return ''

    def deactivate(self) -> str:
        """
        Run the exit policy and wait for its end; the ticks go on in the other process.

        :returns: What went wrong, or an empty text.
        """
        self._arming = False
        timeout_s = self.configuration.parameters.ramp_time + 1.0
        refusal, done = '', False
        if not self.link.lost:
            refusal = self.link.request(Request.DEACTIVATE)
            done = not refusal and self.link.wait_for(IDLE, timeout_s)
        if not done:  # the process may have ended meanwhile, which the watch sees a little later
            self.link.wait_for_loss()
        if self._handover is not None and not self._handover.leave_in(timeout_s, tick=False):
            return _NOT_THROUGH
        if not done and self.link.lost:
            return '' if self.link.takeover.leave_in(timeout_s, tick=False) else _NOT_THROUGH
        return refusal or ('' if done else _NOT_THROUGH)

    def apply(self, parameters: Parameters) -> None:
        """Hand new live parameters down."""
        try:
            self.configuration = self.configuration.with_parameters(parameters)
            for carrier in (self.link.takeover, self._handover):
                if carrier is not None:
                    carrier.apply(self.configuration.settings())
            refusal = self.link.answer(self.link.send_settings(self.configuration))
        except IdControllerError as error:
            refusal = str(error)
        if refusal:
            self._events.say(f'parameters are not in force: {refusal}', 'error')

    def serve_main_thread(self) -> None:
        """Start a new control process when a reset has asked for one; let go of an old one."""
        if self._handover is not None and self._handover.tau is None:
            self._end_handover()
        wanted, self._restart, old = self._restart, False, self.link
        # A reset that came while the last one was under way has what it asked for.
        if not wanted or not old.lost:
            return
        try:
            new = self._started_link()
        except Exception as error:  # noqa: BLE001  The take-over must go on, whatever this was.
            self._events.say(f'reset: {type(error).__name__}: {error}', 'error')
            return
        self._hand_over(old, new)
        self.reports.attach(new)
        self._arming = self._is_active() and not self._stopped

    def _hand_over(self, old: ControlLink, new: ControlLink) -> None:
        """Let whoever carries the arm do so until the new process does."""
        if self._handover is None:
            self._handover = Handover(old, new)
        else:  # the old one was lost before it commanded anything
            self._handover.new = new
            old.stop(0.0)
        self.link = new

    def _end_handover(self) -> None:
        handover, self._handover = self._handover, None
        if handover is not None:
            handover.close(self.configuration.parameters.ramp_time + 1.0)

    def look_around(self) -> None:
        """Send diagnostics and look for a second controller; called once a second."""
        self.reports.publish_diagnostics()
        asked, self._asked = self._asked, 0
        if asked and not self.link.lost:
            refusal = self.link.answer(asked, 0.05)
            if refusal:
                self._events.say(refusal, 'error')
        others, before = self._endpoints.others(), self._others
        self._others = others
        # Seen twice: a node that has just come has no name for a moment, not even ours.
        if others and before and not self._told:
            topic = self._endpoints.commands[0]
            self._events.say(
                f'{topic}: {others} more publishers; only one may command a robot', 'error'
            )
        self._told = bool(others and before)

    def close(self) -> None:
        """End everything, the control process by its exit policy."""
        self._watcher.close()
        self._safety.close()
        self._end_handover()
        self.link.stop(self.configuration.parameters.ramp_time + 1.0)
        self.reports.publish_states()
        self._events.say(self.reports.summary())
        self.reports.close()
        self._endpoints.close()

    def _poll(self) -> None:
        """Watch; runs in the watch's thread every 4 ms."""
        if self._handover is not None:
            self._handover.poll()
        if self.link.poll():
            ours = 'the host has the command topic; ' if self.link.takeover.active else ''
            self._events.say(f'{self.link.lost}; {ours}~/reset starts a new one', 'error')
        if self._arming and self._endpoints.sink.subscribers() > 0 and not self._clearance.refusal:
            self._arming = False
            tau = self._handover.tau if self._handover is not None else None
            self._asked = self.link.ask(Request.ACTIVATE, tau)
        self._clearance.poll()

    def _stop(self) -> Answer:
        """Also calls off a start that is under way; a lost process is already stopped for."""
        self._stopped, self._restart, self._arming = True, False, False
        if self.link.lost:
            return True, f'{self.link.lost}; nothing follows a motion'
        if self.link.mode in (*IDLE, Mode.WAITING):
            self.link.ask(Request.STOP)
            return True, 'nothing moves; ~/reset arms'
        return _answer(self.link.request(Request.STOP), 'stopped')

    def _hold(self) -> Answer:
        return _answer(self.link.request(Request.HOLD), 'holds')

    def _reset(self) -> Answer:
        """Never waits for a new process: a stop must get through meanwhile."""
        if self._clearance.refusal:
            return False, f'RESET: {self._clearance.refusal}'
        self._stopped = False
        if self.link.lost:
            self._restart = True
            return True, 'a new control process starts'
        if self.link.mode in IDLE and self._is_active():
            self._arming = True
            return True, 'arms again'
        return _answer(self.link.request(Request.RESET), 'reset')


def _answer(refusal: str, done: str) -> Answer:
    return not refusal, refusal or done
