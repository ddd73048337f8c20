"""
What the host does with the command topic when its control process is gone.

The control process has been fenced before this begins: none of its threads can run any more, so
there is one writer.
A second controller object goes on from the last torque: it damps with gravity support while fresh
states arrive, lets the gravity torque decay without them, and ends with zeros.
"""
from __future__ import annotations

import dataclasses
import threading
import time

import numpy as np

from id_controller.control.configuration import Configuration, configured
from id_controller.control.controller import Controller
from id_controller.control.damping import bearable_damping
from id_controller.control.faults import Fault
from id_controller.control.settings import Settings
from id_controller.realtime.watch import LOOK_HZ
from id_controller.ros.command_sink import CommandSink
from id_controller.ros.state_source import JointStateSource
from id_controller.state import IDLE, Mode, Request, Rows, Vector

PERIOD_S = 1.0 / LOOK_HZ
_SILENT = (*IDLE, Mode.WAITING)


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
        # A model of its own: this runs in the watch's thread.
        own = configured(configuration.parameters, configuration.description)
        self._own = own
        self._wanted, self._bearable = np.full(own.model.n, np.nan), np.zeros(own.model.n)
        self._inertia = np.diag(own.model.mass_matrix(np.zeros(own.model.n))).copy()
        self._lock = threading.Lock()
        self._controller = Controller(own.model, self._slow(configuration.settings()), PERIOD_S)
        self._started = self._leaving = False
        self._last = np.zeros(own.model.n)

    @property
    def active(self) -> bool:
        """Whether the topic is ours."""
        return self._started and self._controller.mode not in IDLE

    def apply(self, settings: Settings) -> None:
        """Take over live settings, as the control process does."""
        with self._lock:
            self._controller.apply(self._slow(settings))

    def start(self, last: Rows) -> None:
        """
        Take over, when the control process has commanded until now.

        :param last: The last tick of the control process, shape (1,) or empty.
        """
        if not len(last) or Mode(int(last['mode'][0])) in _SILENT:
            return
        with self._lock:
            self._started = True
            tau, q = np.array(last['tau'][0]), np.array(last['q'][0])
            self._controller.take_over(q, tau, Fault.CONTROL_LOST)
            if self._leaving:
                self._controller.request(Request.EXIT)
        self.tick()

    def tick(self) -> None:
        """Send one command; called at each look of the watch while it is active."""
        now_ns = time.monotonic_ns()
        with self._lock:
            if not self._started:
                return
            command = self._controller.update(now_ns, self._source.take(now_ns), True)
            self._last = command.tau.copy()
            if command.publish:
                self._sink.publish(command.tau, command.reference)

    @property
    def last(self) -> Vector:
        """The last effort, shape (n,)."""
        return self._last

    def drop(self) -> None:
        """Send nothing more: another process commands."""
        with self._lock:
            self._started = False

    def leave(self) -> None:
        """Begin the exit policy; also of a take-over that has yet to start."""
        with self._lock:
            self._leaving = True
            self._controller.request(Request.EXIT)

    def leave_in(self, timeout_s: float, tick: bool) -> bool:
        """
        Run the exit policy and say whether it is through.

        :param tick: Whether nobody else ticks meanwhile.
        """
        self.leave()
        deadline = time.monotonic() + timeout_s
        while self.active and time.monotonic() < deadline:
            if tick:
                self.tick()
            time.sleep(PERIOD_S)
        return not self.active

    def _slow(self, settings: Settings) -> Settings:
        """Damp instead of whatever on_fault says, with gains that bear the host's slower pace."""
        gains, acceleration = settings.gains, settings.acceleration_gains
        d = np.where(gains.d > 0.0, gains.d, self._inertia * acceleration.d)
        if (d != self._wanted).any():  # it takes 2 ms, and most changes are of something else
            self._bearable = bearable_damping(self._own.model, self._own.limits, d, PERIOD_S)
            self._wanted = d
        gains = dataclasses.replace(gains, d=self._bearable)
        return dataclasses.replace(
            settings, gains=gains, on_fault='damping',
            control_mode='gravity_pd',
        )
