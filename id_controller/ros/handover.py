"""
From the host's take-over back to a control process, without letting go of the arm.

The host goes on commanding until the new process commands too, which begins with the host's last
effort; then the host falls silent at once. For a look of the watch, some 4 ms, both may send, and
what they send is nearly the same.
"""
from __future__ import annotations

from id_controller.control.settings import Settings
from id_controller.ros.control_link import ControlLink
from id_controller.state import FOLLOWING, Mode, Request, Vector


class Handover:
    """
    A lost control process whose take-over still carries the arm, and the process that follows it.

    :param old: The lost one, :param new: the one that was started.
    """

    def __init__(self, old: ControlLink, new: ControlLink) -> None:
        self._old, self.new = old, new

    @property
    def tau(self) -> Vector | None:
        """The effort that the arm is carried with; None: nobody carries it."""
        return self._old.takeover.last if self._old.takeover.active else None

    def apply(self, settings: Settings) -> None:
        """Take over live settings."""
        self._old.takeover.apply(settings)

    def poll(self) -> None:
        """Carry on, or let go once the new process commands; for the watch's thread."""
        new = self.new
        if new.mode in FOLLOWING or new.takeover.active:
            self._old.takeover.drop()
            return
        self._old.poll()
        # What it waits for may take its time, and it begins with what stands then.
        if new.mode is Mode.WAITING and not new.lost:
            new.ask(Request.ACTIVATE, self.tau)

    def leave_in(self, timeout_s: float, tick: bool) -> bool:
        """Run the exit policy of the take-over and say whether it is through."""
        return self._old.takeover.leave_in(timeout_s, tick)

    def close(self, timeout_s: float) -> None:
        """End the take-over by its exit policy where it still carries, and free what it used."""
        self._old.stop(timeout_s)
