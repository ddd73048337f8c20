"""Modes, requests and faults: who decides what a tick does."""
from __future__ import annotations

from enum import IntEnum

from id_controller.control.faults import FAULTS, Fault, FaultRow, Trust, first_fault
from id_controller.control.observation import Observation
from id_controller.state import FOLLOWING, IDLE, Mode, Request


class Action(IntEnum):
    """What the effort of a tick is made from."""

    SILENT = 0
    FOLLOW = 1
    HOLD = 2
    DAMPING = 3
    GRAVITY = 4
    RAMP = 5
    DECAY = 6
    ZERO = 7


_ON_FAULT = {
    'hold': Action.HOLD,
    'gravity': Action.GRAVITY,
    'damping': Action.DAMPING,
    'ramp_to_zero': Action.RAMP,
    'zero': Action.ZERO,
}
_ON_EXIT = {'ramp_to_zero': Action.RAMP, 'zero': Action.ZERO}

# What remains of a wanted action when only q, or nothing at all, is trusted.
_WITH_Q = {
    Action.HOLD: Action.GRAVITY,
    Action.DAMPING: Action.GRAVITY,
    Action.RAMP: Action.DECAY,
}
_BLIND = {
    Action.HOLD: Action.DECAY,
    Action.DAMPING: Action.DECAY,
    Action.GRAVITY: Action.DECAY,
    Action.RAMP: Action.DECAY,
}

_LATCHED = (Mode.FAULT, Mode.SOFT_STOP)

_LAST_COMMANDS = 3
"""Zero efforts are sent this often at the end, since any one of them may get lost."""


def trusted_action(wanted: Action, trust: Trust) -> Action:
    """Return what may be done of a wanted action, given what is trusted."""
    if trust is Trust.Q_V:
        return wanted
    return (_WITH_Q if trust is Trust.Q else _BLIND).get(wanted, wanted)


class Supervisor:
    """
    The mode of an active controller.

    FAULT and SOFT_STOP are latched: only a reset leaves them, and it never resumes a motion. What
    a fault takes out of trust stays out until then, so that a signal that comes and goes cannot
    make the arm do so too.

    :param rows: The fault table.
    """

    def __init__(self, rows: tuple[FaultRow, ...] = FAULTS) -> None:
        self._rows = rows
        self.mode = Mode.INACTIVE
        self.fault = Fault.NONE
        self.trust = Trust.Q_V
        self._armed = False
        self._zeros = 0
        self._end = Mode.EXITED
        self._persisting: FaultRow | None = None
        self.freeze = False
        """Whether the measured position must become the reference now."""
        self.clear = False
        """Whether integrator and filters must start afresh now."""

    @property
    def publishes(self) -> bool:
        """Whether commands go out: from HOLD on, until the exit is done."""
        return self._armed

    @property
    def follows(self) -> bool:
        """Whether a trajectory is followed, or would be."""
        return self.mode in FOLLOWING

    @property
    def moves(self) -> bool:
        """Whether a motion may go on; in a soft stop it decelerates."""
        return self.mode is Mode.HOLD or self.mode is Mode.TRACK or self.mode is Mode.SOFT_STOP

    def slows(self, request: Request) -> bool:
        """Whether a request asks a motion to end."""
        return self.mode is Mode.TRACK and request in (Request.HOLD, Request.STOP)

    @property
    def ramping_out(self) -> bool:
        """Whether efforts may be on their way to zero, which must not wait for a clock."""
        return self.mode is Mode.FAULT or self.mode is Mode.EXITING

    def request(self, request: Request, brakes: bool = False) -> str:
        """
        Take a request.

        :param brakes: Whether the reference decelerates by itself on a stop or a hold.
        :returns: Why it is refused; empty when it is granted.
        """
        if request is Request.ACTIVATE:
            return self._activate()
        if request is Request.EXIT:
            return self._exit(Mode.EXITED)
        if request is Request.DEACTIVATE:
            return self._exit(Mode.INACTIVE)
        if self.mode in IDLE or self.mode is Mode.EXITING:
            return f'{request.name}: the controller is {self.mode.name}'
        if request is Request.STOP:
            return self._stop(brakes)
        if request is Request.RESET:
            return self._reset()
        if not self.follows:
            return f'HOLD: the controller is in {self.mode.name}'
        self._enter(Mode.HOLD, clear=False, freeze=not brakes)
        return ''

    def moving(self, moves: bool) -> None:
        """Tell HOLD from TRACK."""
        if self.mode is Mode.HOLD or self.mode is Mode.TRACK:
            self.mode = Mode.TRACK if moves else Mode.HOLD

    def rebase(self) -> None:
        """Make the measured position the reference and start afresh, after a change of law."""
        moving = self.mode is Mode.TRACK
        self._enter(Mode.HOLD if moving else self.mode)

    def step(self, seen: Observation, on_fault: str, on_exit: str) -> Action:
        """Judge what a tick has seen, change the mode, and say what the tick does."""
        if self.mode in IDLE:
            return Action.SILENT
        found = None if seen.nominal else first_fault(self._rows, seen)
        if self.mode in _LATCHED:
            self._persisting = found and first_fault(self._rows, seen, persisting=True)
        if self.mode is Mode.WAITING:
            self._wait(found)
        elif found is not None and self._armed:
            self._fail(found)
        return self._action(on_fault, on_exit)

    def leaving(self, at_zero: bool) -> None:
        """Count the zeros that go out at the end of an exit."""
        self._zeros = self._zeros + 1 if at_zero else 0
        if self._zeros > _LAST_COMMANDS:
            self.exited()

    def exited(self) -> None:
        """End: the last command is out."""
        self.mode, self._armed = self._end, False

    def take_over(self) -> None:
        """Be armed at once: another controller has commanded until now."""
        self._armed = True
        self._enter(Mode.HOLD)

    def _enter(self, mode: Mode, clear: bool = True, freeze: bool = True) -> None:
        self.mode, self.clear = mode, self.clear or clear
        self.freeze = self.freeze or freeze

    def _activate(self) -> str:
        if self.mode in IDLE:
            self.fault, self.trust, self._persisting = Fault.NONE, Trust.Q_V, None
            self._zeros = 0
            self._enter(Mode.WAITING)
        elif self.mode is Mode.EXITING:
            return 'ACTIVATE: the controller is EXITING'
        return ''

    def _exit(self, end: Mode) -> str:
        self._end = end
        if not self._armed:
            self.exited()
        elif self.mode is not Mode.EXITING:
            self._enter(Mode.EXITING)
        return ''

    def _stop(self, brakes: bool) -> str:
        if self.mode is not Mode.FAULT:
            self.fault, self._persisting = Fault.NONE, None
            self._enter(Mode.SOFT_STOP, clear=not brakes, freeze=not brakes)
        return ''

    def _reset(self) -> str:
        if self.mode not in _LATCHED:
            return ''
        if self._armed and self._persisting is not None:
            return f'RESET: {self._persisting.fault.name}: {self._persisting.cause}'
        self.fault, self.trust = Fault.NONE, Trust.Q_V
        self._enter(Mode.HOLD if self._armed else Mode.WAITING)
        return ''

    def _wait(self, found: FaultRow | None) -> None:
        self.fault = Fault.NONE if found is None else found.fault
        if found is None:
            self._armed = True
            self._enter(Mode.HOLD)

    def _fail(self, found: FaultRow) -> None:
        if self.mode is Mode.EXITING or self.mode is Mode.FAULT:
            if self.fault is Fault.NONE or found.trust < self.trust:
                self.fault = found.fault
        else:
            self.fault, self._persisting = found.fault, found if found.persists else None
            self._enter(Mode.FAULT)
        self.trust = min(self.trust, found.trust)

    def _action(self, on_fault: str, on_exit: str) -> Action:
        mode = self.mode
        if mode is Mode.TRACK or mode is Mode.HOLD:
            return Action.FOLLOW
        if not self._armed:
            return Action.SILENT
        if mode is Mode.SOFT_STOP:
            return Action.HOLD
        wanted = _ON_FAULT[on_fault] if mode is Mode.FAULT else _ON_EXIT[on_exit]
        return trusted_action(wanted, self.trust)
