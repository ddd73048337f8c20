"""What the loop needs from others: a state source, a command sink and a controller."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from id_controller.control.faults import Fault
from id_controller.control.settings import Settings
from id_controller.realtime.messages import Message
from id_controller.realtime.pacing import Tick
from id_controller.realtime.telemetry import Done
from id_controller.state import Command, JointState, Reference, Request, Vector
from id_controller.trajectory.trajectory import Trajectory


class Source(Protocol):
    """Where states come from."""

    def take(self, now_ns: int) -> JointState:
        """
        Return the newest state without waiting.

        :param now_ns: Steady time, from which ages count.
        """


class Sink(Protocol):
    """Where commands go."""

    def publish(self, tau: Vector, reference: Reference) -> None:
        """Send a command."""

    def matched(self) -> bool:
        """Return whether somebody listens."""


class Controlled(Protocol):
    """The controller, as the loop sees it."""

    def update(self, now_ns: int, state: JointState, matched: bool) -> Command:
        """Decide the command of one tick."""

    def apply(self, settings: Settings) -> None:
        """Swap the settings in, or refuse them as a whole."""

    def follow(self, trajectory: Trajectory, number: int) -> str:
        """Follow a trajectory, called by a number, or return why not."""

    def request(self, request: Request, tau: Vector | float = 0.0) -> str:
        """Ask for a change of mode; return why it is refused."""

    def set_wrench(self, wrench: Vector) -> str:
        """Set the external wrench, or return why not."""

    def raise_fault(self, fault: Fault) -> None:
        """Latch a fault that was seen outside the controller."""


class Recorder(Protocol):
    """Takes every tick."""

    def record(self, tick: Tick, state: JointState, command: Command, done: Done) -> None:
        """Write one tick."""


class ControlEnd(Protocol):
    """The control process's end of the mailbox."""

    @property
    def host_gone(self) -> bool:
        """Whether the host has closed its end."""

    def poll(self) -> Iterator[Message]:
        """Yield what has come."""

    def accept(self, sequence: int) -> None:
        """Tell the host that a message was taken."""

    def refuse(self, sequence: int, reason: str) -> None:
        """Tell the host why a message was refused."""

    def beat(self) -> None:
        """Count one turn of the loop."""

    def host_age(self, now_ns: int) -> int:
        """Return for how long the host has been silent, steady ns."""
