"""What the host tells about the ticks: reference, terms and health, read from telemetry."""
from __future__ import annotations

import time
from array import array
from collections.abc import Callable
from typing import Any

import numpy as np
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.duration import Duration
from rclpy.node import Node
from sensor_msgs.msg import JointState

from id_controller.control.faults import Fault, fault_cause
from id_controller.control.laws import TERMS
from id_controller.parameters.schema import Parameters
from id_controller.ros.control_link import ControlLink
from id_controller.ros.timing_report import TimingReport
from id_controller.state import Mode, Rows

Observer = Callable[[Rows], None]

_LEVELS = {
    'info': DiagnosticStatus.OK,
    'warning': DiagnosticStatus.WARN,
    'error': DiagnosticStatus.ERROR,
}
_BAD = (Mode.FAULT,)
_CARE = (Mode.SOFT_STOP, Mode.WAITING, Mode.EXITING)


def ignore(rows: Rows) -> None:
    """Observe nothing."""


class Reports:
    """
    Publishers of ``~/reference``, ``~/terms``, ``~/timing`` and ``/diagnostics``.

    :param node: The host node.
    :param link: Its control process.
    :param parameters: Returns the parameters in force.
    :param say: Takes a line, and its severity, for whatever changes.
    :param observe: Gets the rows of all ticks in order, each once.
    """

    def __init__(
        self,
        node: Node,
        link: ControlLink,
        parameters: Callable[[], Parameters],
        say: Callable[[str, str], None],
        observe: Observer = ignore,
    ) -> None:
        self._node, self._say, self._observe = node, say, observe
        self._parameters, joints = parameters, parameters().joints
        self._reference: Any = JointState(name=list(joints))
        names = [f'{joint}/{term}' for term in TERMS for joint in joints]
        self._terms: Any = JointState(name=names)
        self._publishers = {
            'reference': node.create_publisher(JointState, '~/reference', 10),
            'terms': node.create_publisher(JointState, '~/terms', 10),
            'diagnostics': node.create_publisher(DiagnosticArray, '/diagnostics', 10),
        }
        self._timing_topic = node.create_publisher(JointState, '~/timing', 10)
        self.attach(link)

    def attach(self, link: ControlLink) -> None:
        """Report on another control process from now on."""
        self._link = link
        self._timing = TimingReport(self._parameters, self._say)
        self._tick = -1
        self._seen = (Mode.INACTIVE, Fault.NONE)

    def close(self) -> None:
        """Take the publishers away."""
        for publisher in (*self._publishers.values(), self._timing_topic):
            self._node.destroy_publisher(publisher)

    def publish_states(self) -> None:
        """Send the newest reference and terms to whoever listens; look at every tick."""
        rows = self._link.telemetry.since(self._tick)
        if not len(rows):
            return
        self._tick = int(rows['tick'][-1])
        self._timing.add(rows)
        self._observe(rows)
        self._look(rows)
        stamp = self._stamp(int(rows['steady_ns'][-1]))
        for name, fill in (('reference', self._fill_reference), ('terms', self._fill_terms)):
            publisher = self._publishers[name]
            if publisher.get_subscription_count() > 0:
                message = fill(rows[-1:])
                message.header.stamp = stamp
                publisher.publish(message)

    def _stamp(self, steady_ns: int) -> Any:
        """Time of a tick on the node's clock: telemetry is read some ms after it."""
        clock: Any = self._node.get_clock()
        late_ns = 0 if clock.ros_time_is_active else time.monotonic_ns() - steady_ns
        return (clock.now() - Duration(nanoseconds=late_ns)).to_msg()

    def _fill_reference(self, row: Rows) -> Any:
        message = self._reference
        for field, name in (('position', 'q_ref'), ('velocity', 'v_ref'), ('effort', 'tau')):
            setattr(message, field, array('d', row[name][0].tobytes()))
        return message

    def _fill_terms(self, row: Rows) -> Any:
        self._terms.effort = array('d', row['terms'][0].tobytes())
        return self._terms

    def _look(self, rows: Rows) -> None:
        """Say each change of mode or fault, once."""
        codes = np.stack((rows['mode'], rows['fault']), axis=1)
        changes = np.flatnonzero((np.diff(codes, axis=0, prepend=[self._seen]) != 0).any(axis=1))
        for mode, fault in codes[changes].tolist():
            self._seen = (Mode(mode), Fault(fault))
            reason = f' {Fault(fault).name}: {fault_cause(fault)}' if fault else ''
            waits = ' for' if fault and mode == Mode.WAITING else ''
            severity = 'error' if mode in _BAD else 'warning' if fault and not waits else 'info'
            self._say(f'mode {Mode(mode).name}{waits}{reason}', severity)

    def publish_diagnostics(self) -> None:
        """Send the state of health."""
        message = DiagnosticArray()
        message.header.stamp = self._node.get_clock().now().to_msg()
        message.status = [self._state_status(), self._timing_status()]
        self._publishers['diagnostics'].publish(message)
        if self._timing_topic.get_subscription_count() > 0:
            names, values = self._timing.numbers()
            timing = JointState(name=names, position=values)
            timing.header.stamp = message.header.stamp
            self._timing_topic.publish(timing)

    def _state_status(self) -> Any:
        mode, fault = self._seen
        level = DiagnosticStatus.OK
        if mode in _BAD or self._link.lost:
            level = DiagnosticStatus.ERROR
        elif mode in _CARE or fault:
            level = DiagnosticStatus.WARN
        message, rejected = self._link.lost or fault_cause(fault) or mode.name, self._link.rejected
        if rejected:
            message += f'; {rejected} states could not be used'
        values = {'mode': mode.name, 'fault': fault.name, 'rejected_states': rejected}
        return self._status('state', level, message, values)

    def _timing_status(self) -> Any:
        mode, fault = self._seen
        verdict = self._timing.look()
        values = {'mode': mode.name, 'fault': fault.name, **self._timing.values()}
        return self._status('timing', _LEVELS[verdict.severity], verdict.message, values)

    def _status(self, name: str, level: bytes, message: str, values: dict[str, Any]) -> Any:
        return DiagnosticStatus(
            name=f'{self._node.get_name()}: {name}', hardware_id=self._node.get_name(),
            level=level, message=message,
            values=[KeyValue(key=key, value=str(value)) for key, value in values.items()],
        )

    def summary(self) -> str:
        """One line on the ticks since the start."""
        return self._timing.summary()
