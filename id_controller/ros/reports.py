"""What the host tells about the ticks: reference, terms and diagnostics, read from telemetry."""
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
from id_controller.realtime.telemetry import Rows
from id_controller.realtime.timing import Report, TimingMonitor
from id_controller.ros.control_link import ControlLink
from id_controller.state import Mode

Observer = Callable[[Rows], None]

_BAD = (Mode.FAULT,)
_CARE = (Mode.SOFT_STOP, Mode.WAITING, Mode.EXITING)


def ignore(rows: Rows) -> None:
    """Observe nothing."""


class Reports:
    """
    Publishers of ``~/reference``, ``~/terms`` and ``/diagnostics`` for one control process.

    :param node: The host node.
    :param link: Its control process.
    :param changed: Called with a line whenever the mode or the fault of the ticks changes.
    :param observe: Gets the rows of all ticks in order, each once.
    """

    def __init__(
        self,
        node: Node,
        link: ControlLink,
        joints: tuple[str, ...],
        rate_hz: int,
        changed: Callable[[str, bool], None],
        observe: Observer = ignore,
    ) -> None:
        self._node, self._changed, self._observe = node, changed, observe
        self._reference: Any = JointState(name=list(joints))
        names = [f'{joint}/{term}' for term in TERMS for joint in joints]
        self._terms: Any = JointState(name=names)
        self._publishers = {
            'reference': node.create_publisher(JointState, '~/reference', 10),
            'terms': node.create_publisher(JointState, '~/terms', 10),
            'diagnostics': node.create_publisher(DiagnosticArray, '/diagnostics', 10),
        }
        self._rate_hz = rate_hz
        self.attach(link)

    def attach(self, link: ControlLink) -> None:
        """Report on another control process from now on."""
        self._link = link
        self._timing = TimingMonitor(self._rate_hz)
        self._tick = -1
        self._seen = (Mode.INACTIVE, Fault.NONE)

    def close(self) -> None:
        """Take the publishers away."""
        for publisher in self._publishers.values():
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
            self._changed(f'mode {Mode(mode).name}{waits}{reason}', mode in _BAD)

    def publish_diagnostics(self) -> None:
        """Send the state of health."""
        message = DiagnosticArray()
        message.header.stamp = self._node.get_clock().now().to_msg()
        message.status = [self._state_status(), self._timing_status()]
        self._publishers['diagnostics'].publish(message)

    def _state_status(self) -> Any:
        mode, fault = self._seen
        level = DiagnosticStatus.OK
        if mode in _BAD or self._link.lost:
            level = DiagnosticStatus.ERROR
        elif mode in _CARE:
            level = DiagnosticStatus.WARN
        cause = self._link.lost or fault_cause(fault)
        return self._status('state', level, cause or mode.name, {'mode': mode.name,
                                                                 'fault': fault.name})

    def _timing_status(self) -> Any:
        window = self._timing.window()
        mode, fault = self._seen
        values = {'mode': mode.name, 'fault': fault.name, **timing_values(window)}
        return self._status(
            'timing', DiagnosticStatus.OK, f'{window.rate_hz:.1f} Hz achieved', values
        )

    def _status(self, name: str, level: bytes, message: str, values: dict[str, Any]) -> Any:
        return DiagnosticStatus(
            name=f'{self._node.get_name()}: {name}', hardware_id=self._node.get_name(),
            level=level, message=message,
            values=[KeyValue(key=key, value=str(value)) for key, value in values.items()],
        )

    def summary(self) -> str:
        """One line on the ticks since the start."""
        report = self._timing.since_start()
        parts = (f'{name} {value}' for name, value in timing_values(report).items())
        return f'{report.ticks} ticks: {", ".join(parts)}'


def timing_values(report: Report) -> dict[str, str]:
    """Timing as diagnostics name it."""
    q = report.quantiles
    values = {
        'achieved_rate_hz': f'{report.rate_hz:.2f}',
        'skipped': str(report.skipped),
        'overruns': str(report.overruns),
    }
    for key, quantity in (
        ('lateness', 'lateness'), ('take', 'take'), ('compute', 'compute'),
        ('publish', 'publish'), ('state_age', 'age'),
    ):
        values[f'{key}_p50_us'] = f'{q[quantity].p50:.1f}'
        values[f'{key}_p99_us'] = f'{q[quantity].p99:.1f}'
    return values
