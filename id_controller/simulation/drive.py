"""
Who moves the plant: brakes before the first command, commands, and a fallback when they stop.

Pure and fed with time, so that tests own the clock.
"""
from __future__ import annotations

from enum import Enum

from id_controller.errors import SimulationError
from id_controller.simulation.plant import Plant
from id_controller.state import NANOSECONDS, Vector

LOSS_ACTIONS = ('damping', 'zero', 'brakes', 'hold_last')


class Phase(Enum):
    """What moves the plant."""

    IDLE = 'no command yet'
    DRIVEN = 'commands'
    LOST = 'commands lost'


class Drive:
    """
    Steps a plant under the commands that come, or do not come.

    :param plant: The plant.
    :param substeps: Physics steps of one state period.
    :param timeout_s: Time without a command that counts as loss, s.
    :param on_loss: One of ``LOSS_ACTIONS``.
    :param brakes: Whether brakes hold the plant until the first command.
    """

    def __init__(
        self, plant: Plant, substeps: int, *, timeout_s: float, on_loss: str, brakes: bool
    ) -> None:
        if on_loss not in LOSS_ACTIONS:
            raise SimulationError(
                f'on_command_loss: got {on_loss!r}, expected one of {", ".join(LOSS_ACTIONS)}'
            )
        self.plant = plant
        self.phase = Phase.IDLE
        self.losses = 0
        self.commands = 0
        self.last_ns = 0
        self._substeps = substeps
        self._timeout_ns = round(timeout_s * NANOSECONDS)
        self._on_loss = on_loss
        self._idle = 'brakes' if brakes else on_loss
        self._tau = plant.tau

    def command(self, now_ns: int, tau: Vector) -> bool:
        """
        Take a command.

        :param now_ns: Steady time of its arrival.
        :param tau: Efforts, shape (n,), finite; kept, not copied.
        :returns: Whether commands have begun, or returned after a loss.
        """
        self._tau = tau
        self.last_ns = now_ns
        self.commands += 1
        begun = self.phase is not Phase.DRIVEN
        self.phase = Phase.DRIVEN
        return begun

    def watch(self, now_ns: int) -> bool:
        """
        Notice that commands have stopped.

        :param now_ns: Steady time.
        :returns: Whether they were found lost just now.
        """
        if self.phase is Phase.DRIVEN and now_ns - self.last_ns > self._timeout_ns:
            self.phase = Phase.LOST
            self.losses += 1
            return True
        return False

    def advance(self, periods: int = 1) -> None:
        """
        Let simulated time pass.

        :param periods: State periods, more than one to make up for a late call.
        :raises SimulationError: when the simulation diverges.
        """
        steps = periods * self._substeps
        action = 'command'
        if self.phase is Phase.IDLE:
            action = self._idle
        elif self.phase is Phase.LOST:
            action = self._on_loss
        if action == 'brakes':
            self.plant.hold(steps)
        elif action == 'damping':
            self.plant.damp(steps)
        elif action == 'zero':
            self.plant.step(0.0 * self._tau, steps)
        else:
            self.plant.step(self._tau, steps)

    def restart(self, q: Vector) -> None:
        """
        Put the plant back to a pose, with brakes until the next command.

        :param q: Positions, shape (n,), rad or m.
        """
        self.plant.reset(q)
        self._tau = self.plant.tau
        self.phase = Phase.IDLE
