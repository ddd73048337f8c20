"""What the simulator tells of itself, so that a slow plant is not blamed on the controller."""
from __future__ import annotations

import time
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from rclpy.node import Node

from id_controller.simulation.drive import Drive, Phase
from id_controller.state import NANOSECONDS

# Below this share of the wanted speed the plant is slow, and says so.
SLOW = 0.98


class SimulatorReport:
    """
    Counts, and reports once a second.

    :param node: Node that publishes ``/diagnostics``.
    :param wanted_factor: Wanted real-time factor; 0 where commands lead.
    """

    def __init__(self, node: Node, drive: Drive, wanted_factor: float) -> None:
        self._node, self._drive, self._wanted = node, drive, wanted_factor
        self._publisher = node.create_publisher(DiagnosticArray, '/diagnostics', 10)
        self.states = 0
        self.missed = 0
        self.slipped = 0
        self.resent = 0
        self.stray = 0
        self.paused_ns = 0
        self.begin()

    def begin(self) -> None:
        """Count time from now on."""
        self._start = self._last = self._now()

    def _now(self) -> tuple[int, int, int]:
        return time.monotonic_ns() - self.paused_ns, self._drive.plant.time_ns, self.states

    def _since(self, then: tuple[int, int, int]) -> tuple[float, float, float]:
        """Wall seconds, real-time factor and states per second since then."""
        wall, simulated, states = (a - b for a, b in zip(self._now(), then))
        wall_s = max(1, wall) / NANOSECONDS
        return wall_s, simulated / NANOSECONDS / wall_s, states / wall_s

    def publish(self, phase: str, rejected: int) -> None:
        """
        Publish one status over the time since the last.

        :param phase: What moves the plant.
        :param rejected: Commands refused so far.
        """
        _, factor, rate = self._since(self._last)
        self._last = self._now()
        level, text = DiagnosticStatus.OK, phase
        if self._drive.phase is Phase.LOST:
            level = DiagnosticStatus.WARN
        elif phase != 'paused' and factor < SLOW * self._wanted:
            level, text = DiagnosticStatus.WARN, f'slow: real-time factor {factor:.3f}'
        status = DiagnosticStatus(
            level=level, name=f'{self._node.get_name()}: plant', message=text,
            hardware_id='simulation',
        )
        status.values = [KeyValue(key=key, value=value) for key, value in (
            ('state rate [Hz]', f'{rate:.1f}'),
            ('real-time factor', f'{factor:.4f}'),
            *((key, str(value)) for key, value in self._counts(rejected).items()),
        )]
        message: Any = DiagnosticArray(status=[status])
        message.header.stamp = self._node.get_clock().now().to_msg()
        self._publisher.publish(message)

    def _counts(self, rejected: int) -> dict[str, int]:
        return {
            'states': self.states,
            'state periods missed': self.missed,
            'state periods slipped': self.slipped,
            'states resent': self.resent,
            'commands': self._drive.commands,
            'commands rejected': rejected,
            'commands stray': self.stray,
            'losses of commands': self._drive.losses,
        }

    def summary(self, rejected: int) -> str:
        """
        Sum the whole run up in one line.

        :param rejected: Commands refused.
        """
        wall_s, factor, rate = self._since(self._start)
        counts = ', '.join(f'{key} {value}' for key, value in self._counts(rejected).items())
        return (
            f'simulated {wall_s * factor:.3f} s in {wall_s:.3f} s (real-time factor '
            f'{factor:.4f}, {rate:.1f} states/s); {counts}'
        )
