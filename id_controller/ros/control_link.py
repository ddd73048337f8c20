"""
The host's hold on one control process: start it, talk to it, watch it, take over from it.

One control process per link; a reset after a loss makes a new link. Sending is safe from any
thread, ``start`` is for the main thread, ``poll`` for the watch's thread.
"""
from __future__ import annotations

import contextlib
import os
import subprocess
import threading
import time
from typing import Any

from id_controller.control.configuration import Configuration
from id_controller.control.laws import TERMS
from id_controller.control.settings_record import record_from_settings
from id_controller.errors import InstallationError, MailboxError
from id_controller.realtime.mailbox import Mailbox
from id_controller.realtime.process import fence, spawn_control
from id_controller.realtime.startup import write_startup
from id_controller.realtime.watch import LOOK_HZ, Verdict, Watch
from id_controller.ros.takeover import Takeover
from id_controller.state import Mode, Request, Rows, Vector
from id_controller.trajectory.trajectory import Trajectory

START_TIMEOUT_S = 15.0
ANSWERS_KEPT = 100
_GONE = (Verdict.DEAD, Verdict.FROZEN, Verdict.KILLED)
_HOW = {Verdict.FROZEN: 'froze and was killed', Verdict.KILLED: 'was killed'}


class ControlLink:
    """
    A control process and the mailbox to it.

    :param configuration: The robot.
    :param startup: What the process needs beside it: names of topics and of its node.
    :param takeover: What takes the command topic when the process is lost.
    """

    def __init__(
        self, configuration: Configuration, startup: dict[str, Any], takeover: Takeover
    ) -> None:
        self._configuration, self._startup = configuration, startup
        self.takeover = takeover
        n, points = configuration.model.n, configuration.parameters.trajectory_points_max
        self._mailbox = Mailbox.create(n, len(TERMS), points)
        self._process: subprocess.Popen[bytes] | None = None
        self._watch: Watch | None = None
        self._lock = threading.Lock()
        self._answers: dict[int, str] = {}
        self.lost = ''
        """How the process was lost; empty while it is not."""

    def start(self) -> None:
        """
        Start the process and wait until its loop runs.

        :raises InstallationError: when it does not.
        """
        startup_fd = write_startup(self._startup)
        self._process = spawn_control(*self._mailbox.descriptors, startup_fd)
        self._mailbox.handed_over()
        os.close(startup_fd)
        self._watch = Watch(self._process, self._mailbox)
        deadline = time.monotonic() + START_TIMEOUT_S
        while self._mailbox.control_beat == 0:
            self._mailbox.beat()
            code = self._process.poll()
            if code is not None or time.monotonic() > deadline:
                fence(self._process)
                how = f'ended with code {code}' if code is not None else 'did not get ready'
                raise InstallationError(f'control process {how}; its own lines say why')
            time.sleep(0.005)

    @property
    def telemetry(self) -> Any:
        """Reader of the ticks."""
        return self._mailbox.telemetry

    @property
    def rejected(self) -> int:
        """States that the process could not use."""
        return self._mailbox.rejected

    @property
    def self_test_ns(self) -> tuple[int, int]:
        """Median and 99th percentile of what a tick's computation takes, once it has started."""
        return self._mailbox.self_test_ns

    @property
    def pid(self) -> int:
        """Process id of the control process."""
        return self._process.pid if self._process else 0

    def latest(self) -> Rows:
        """Return the newest tick, shape (1,), or shape (0,) when there is none."""
        rows: Rows = self._mailbox.telemetry.latest()
        return rows

    @property
    def mode(self) -> Mode:
        """Mode at the newest tick."""
        rows = self.latest()
        return Mode(int(rows['mode'][0])) if len(rows) else Mode.INACTIVE

    def poll(self) -> bool:
        """
        Move our heartbeat, look at the process, and take over when it is gone.

        :returns: Whether the process has just been lost.
        """
        if self._process is None or self._watch is None:
            return False
        if self.lost:
            if self.takeover.active:
                self.takeover.tick()
            return False
        self._collect()
        verdict = self._watch.poll(time.monotonic_ns())
        if verdict not in _GONE:
            return False
        self._take_over(verdict, self._process)
        return True

    def _take_over(self, verdict: Verdict, process: subprocess.Popen[bytes]) -> None:
        gone = fence(process)
        last = self.latest()
        code = process.returncode
        how = _HOW.get(verdict, f'ended with code {code}')
        self.lost = f'control process {how}' if gone else 'control process cannot be killed'
        # One that left by itself has run its exit policy: zero stands, and stays.
        if gone and (verdict in _HOW or (code is not None and code < 0)):
            self.takeover.start(last)

    def answer(self, sequence: int, timeout_s: float = 0.5) -> str:
        """
        Wait for the answer to what was sent.

        :param sequence: The number that sending returned.
        :returns: Why it was refused; empty when it was taken.
        """
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            self._collect()
            with self._lock:
                if sequence in self._answers:
                    return self._answers.pop(sequence)
            time.sleep(0.0005)
        return 'the control process did not answer'

    def _collect(self) -> None:
        with self._lock:
            for ack in self._mailbox.acks():
                self._answers[ack.sequence] = ack.refusal
            while len(self._answers) > ANSWERS_KEPT:
                self._answers.pop(min(self._answers))

    def send_settings(self, configuration: Configuration) -> int:
        """Send new live settings."""
        return self._mailbox.send_settings(record_from_settings(configuration.settings()))

    def send_trajectory(self, trajectory: Trajectory) -> int:
        """Send a fitted trajectory."""
        return self._mailbox.send_trajectory(trajectory)

    def send_wrench(self, wrench: tuple[float, ...]) -> int:
        """Send an external wrench: force in N, torque in N m."""
        return self._mailbox.send_wrench(wrench)

    def request(self, request: Request) -> str:
        """Ask for a mode and return why it is refused; empty when it is granted."""
        if self.lost:
            return f'{request.name}: {self.lost}'
        try:
            return self.answer(self._mailbox.request(request))
        except MailboxError as error:
            return str(error)

    def ask(self, request: Request, tau: Vector | None = None) -> int:
        """
        Ask for a mode without waiting; return the number of the answer, 0 when it failed.

        :param tau: Efforts that stand already, for an activation.
        """
        with contextlib.suppress(MailboxError):  # a lost process is the watch's affair
            return self._mailbox.request(request, tau)
        return 0

    def wait_for(self, modes: tuple[Mode, ...], timeout_s: float) -> bool:
        """Wait until the mode is one of some, or the process is gone; say whether it is."""
        deadline = time.monotonic() + timeout_s
        while time.monotonic() < deadline:
            if self.mode in modes:
                return True
            if self._process is None or self._process.poll() is not None:
                return False
            time.sleep(0.005)
        return False

    def wait_for_loss(self, timeout_s: float = 0.3) -> None:
        """Wait until the watch has seen that the process is gone, if it is."""
        deadline = time.monotonic() + timeout_s
        while not self.lost and time.monotonic() < deadline:
            time.sleep(0.005)

    def stop(self, timeout_s: float) -> None:
        """
        Let the process run its exit policy and end; nobody else may poll any more.

        One that dies or freezes meanwhile is fenced and its exit policy run from here.
        """
        if self._process is None:
            return
        if not self.lost:
            self._process.terminate()
        deadline = time.monotonic() + timeout_s
        while not self.lost and time.monotonic() < deadline:
            self.poll()
            time.sleep(1.0 / LOOK_HZ)
        if not self.lost:
            self._take_over(Verdict.FROZEN, self._process)
        self.takeover.leave_in(timeout_s, tick=True)
        fence(self._process)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1.0)
        self._mailbox.close()
