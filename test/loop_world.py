"""Every part that a control loop has, with a note of each call."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from id_controller.control.faults import Fault
from id_controller.errors import ParameterError
from id_controller.realtime.loop import Ending, run
from id_controller.realtime.messages import Message, NewRequest
from id_controller.realtime.pacing import Tick
from id_controller.realtime.rate_guard import RateGuard
from id_controller.realtime.telemetry import Done
from id_controller.state import Command, JointState, Mode, Reference, Request, Vector

MS = 1_000_000
PAIR = np.zeros(2)
REFERENCE = Reference(PAIR, PAIR, PAIR, PAIR)


class World:
    """Every part that a loop has, with a note of each call."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.ticks = [Tick(k * MS, k * MS) for k in range(1, 200)]
        self.mail: list[list[Message]] = []
        self.answers: dict[int, str] = {}
        self.states: list[JointState] = []
        self.sent: list[tuple[float, ...]] = []
        self.recorded: list[tuple[Tick, Command, Done]] = []
        self.requests: list[Request] = []
        self.faults: list[Fault] = []
        self.matches: list[bool] = []
        self.mode, self.tau, self.publish = Mode.HOLD, 5.0, True
        self.exit_in, self.leaving = 3, False
        self.host_gone, self.silent_ns, self.stop = False, 0, False
        self.broken: set[str] = set()
        self.guard = RateGuard(0.001)

    def _note(self, name: str) -> None:
        self.calls.append(name)
        if name in self.broken:
            raise ZeroDivisionError(name)

    # Pacing.
    def wait(self) -> Tick:
        self._note('wait')
        return self.ticks.pop(0)

    # Mailbox.
    def poll(self) -> Iterator[Message]:
        self._note('poll')
        yield from (self.mail.pop(0) if self.mail else ())

    def accept(self, sequence: int) -> None:
        self.answers[sequence] = ''

    def refuse(self, sequence: int, reason: str) -> None:
        self.answers[sequence] = reason

    def beat(self) -> None:
        self._note('beat')

    def host_age(self, now_ns: int) -> int:
        return self.silent_ns

    # Source and sink.
    def take(self, now_ns: int) -> JointState:
        self._note('take')
        return JointState(PAIR, PAIR, 2 * MS)

    def send(self, tau: Vector, reference: Reference) -> None:
        self._note('publish')
        self.sent.append(tuple(tau))

    def matched(self) -> bool:
        return True

    # Telemetry.
    def record(self, tick: Tick, state: JointState, command: Command, done: Done) -> None:
        self._note('record')
        self.recorded.append((tick, command, done))

    # Controller.
    def update(self, now_ns: int, state: JointState, matched: bool) -> Command:
        self._note('update')
        self.states.append(state)
        self.matches.append(matched)
        if self.leaving:
            self.exit_in -= 1
            self.mode, self.tau = Mode.EXITING, 1.0
            if self.exit_in == 0:
                self.mode, self.publish = Mode.EXITED, False
        tau = np.array([self.tau, -self.tau])
        return Command(tau, self.publish, self.mode, 0, REFERENCE, np.zeros((1, 2)))

    def request(self, request: Request, tau: Any = 0.0) -> str:
        self.requests.append(request)
        self.leaving |= request is Request.EXIT
        return 'RESET: still too far' if request is Request.RESET else ''

    def apply(self, settings: Any) -> None:
        self._note('apply')
        if settings.ramp_time_s < 0.0:
            raise ParameterError('ramp_time: got -1')

    def follow(self, trajectory: Any, number: int) -> str:
        self._note('follow')
        return ''

    def set_wrench(self, wrench: Vector) -> str:
        self.wrench = wrench
        return ''

    def raise_fault(self, fault: Fault) -> None:
        self.faults.append(fault)

    def run(self) -> Ending:
        self.errors: list[str] = []
        return run(
            self, self, self, Sink(self), self, self, self.guard,
            period_s=0.001, ramp_time_s=0.05, stop_wanted=lambda: self.stop,
            report=self.errors.append,
        )


class Sink:
    """The sink's ``publish`` beside the flag of that name."""

    def __init__(self, world: World) -> None:
        self.publish, self.matched = world.send, world.matched


class Stops:
    """Settings with nothing but a ramp time and what the guard wants."""

    overrun_window_s, overrun_min_rate, overrun_max_consecutive = 0.5, 0.9, 25
    overrun_max_age_s, overrun_recovery_s = 0.025, 1.0

    def __init__(self, ramp_time_s: float, policy: str = 'hold') -> None:
        self.ramp_time_s, self.overrun_policy = ramp_time_s, policy


def leave_after(world: World, ticks: int) -> None:
    # Mail is read at the end of a tick.
    world.mail += [[] for _ in range(ticks - 1)] + [[NewRequest(99, Request.EXIT)]]
