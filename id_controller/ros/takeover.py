"""
What the host does with the command topic when its control process is gone.

The control process has been fenced before this begins: none of its threads can run any more, so
there is one writer.
A second controller object goes on from the last torque: it damps with gravity support while fresh
states arrive, lets the gravity torque decay without them, and ends with zeros.
"""
from __future__ import annotations

import dataclasses
import time

import numpy as np

from id_controller.control.configuration import Configuration, configured
from id_controller.control.controller import Controller
from id_controller.control.faults import Fault
from id_controller.control.settings import Settings
from id_controller.realtime.telemetry import Rows
from id_controller.ros.command_sink import CommandSink
from id_controller.ros.state_source import JointStateSource
from id_controller.state import Mode, Request

PERIOD_S = 0.004
_IDLE = (Mode.INACTIVE, Mode.EXITED)


class Takeover:
    """
    The safe command, paced by the host's watch.

    :param configuration: The robot.
    :param source: The host's own view of the state, taken only from here.
    :param sink: The host's own publisher.
    """

    def __init__(
        self, configuration: Configuration, source: JointStateSource, sink: CommandSink
    ) -> None:
        self._source, self._sink = source, sink
        settings = _slow(configuration.settings(), configuration.period_s)
        # A model of its own: this runs in the watch's thread.
        own = configured(configuration.parameters, configuration.description)
        self._controller = Controller(own.model, settings, PERIOD_S)
        self._started = False

    @property
    def active(self) -> bool:
        """Whether the topic is ours."""
        return self._started

    def start(self, last: Rows) -> None:
        """
        Take over.

        :param last: The last tick of the control process, shape (1,) or empty.
        """
        if not len(last) or not last['published'][0]:
            return
        self._started = True
        tau, q = np.array(last['tau'][0]), np.array(last['q'][0])
        self._controller.take_over(q, tau, Fault.CONTROL_LOST)
        self.tick()

    def tick(self) -> None:
        """Send one command; called every 4 ms while it is active."""
        now_ns = time.monotonic_ns()
        command = self._controller.update(now_ns, self._source.take(now_ns), True)
        if command.publish:
            self._sink.publish(command.tau, command.reference)

    def leave(self) -> None:
        """Begin the exit policy."""
        self._controller.request(Request.EXIT)

    @property
    def done(self) -> bool:
        """Whether the exit policy is through."""
        return not self._started or self._controller.mode in _IDLE


def _slow(settings: Settings, period_s: float) -> Settings:
    """Damp instead of whatever on_fault says, with gains that bear the host's slower pace."""
    ratio = min(1.0, period_s / PERIOD_S)
    gains = dataclasses.replace(settings.gains, d=ratio * settings.gains.d)
    return dataclasses.replace(
        settings, gains=gains, on_fault='damping', control_mode='gravity_pd'
    )
