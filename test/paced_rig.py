"""A simulator that a test owns, and the real control loop on its states and its clock."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

import closed_loop_rig
import loop_world
import numpy as np
import pytest
from closed_loop_rig import rms

from id_controller.control.faults import Fault
from id_controller.realtime.loop import run
from id_controller.realtime.messages import NewRequest
from id_controller.realtime.pacing import EventPacing
from id_controller.realtime.rate_guard import RateGuard
from id_controller.state import NANOSECONDS, Command, JointState, Mode, Request

MS = 1_000_000
STEP_NS = round(closed_loop_rig.STEP_S * NANOSECONDS)


class Simulator(loop_world.World):
    """
    A plant that publishes states and a clock, and the control loop that listens to them.

    :param pacing: ``state`` or ``sim_time``.
    :param factor: Simulated time over steady time.
    :param steps_ms: Simulated times from one state to the next, again and again.
    """

    def __init__(
        self, pacing: str, factor: float = 1.0, steps_ms: tuple[float, ...] = (1.0,),
        **parameters: Any,
    ) -> None:
        super().__init__()
        self.arm = closed_loop_rig.World('arm7', **parameters)
        self.controller = self.arm.controller
        self.steady_ns = self.published_ns = 77 * NANOSECONDS
        self.time_ns = self.shown_ns = NANOSECONDS
        self.due_ns: float = float(self.steady_ns)
        self.factor, self.steps = factor, cycle([round(step * MS) for step in steps_ms])
        self.runs, self.clock_runs = True, True
        self.pacing = EventPacing(
            self.wait_for_event, lambda: self.shown_ns, steady=lambda: self.steady_ns,
            sleep=self.sleep, period_ns=self.arm.period_ns if pacing == 'sim_time' else 0,
        )
        self.plan: list[tuple[int, Callable[[], Any]]] = []
        self.times: list[tuple[int, int]] = []
        self.commands: list[Command] = []
        self.errors_q: list[Any] = []
        self.end_ns = 0

    # The plant.
    def sleep(self, seconds: float) -> None:
        self.steady_ns += round(seconds * NANOSECONDS)

    def wait_for_event(self, timeout_s: float) -> bool:
        limit = self.steady_ns + round(timeout_s * NANOSECONDS)
        if not self.runs:
            self.steady_ns, self.due_ns = limit, float(limit)
            return False
        came = False
        while self.due_ns <= (self.steady_ns if came else limit):  # of a flood, the last
            self.steady_ns, came = max(self.steady_ns, int(self.due_ns)), True
            self.advance()
        if not came:
            self.steady_ns = limit
        return came

    def advance(self) -> None:
        step_ns = next(self.steps)
        self.arm.period_ns = step_ns
        if self.arm.sent is None:
            self.arm.plant.hold(step_ns // STEP_NS)
        else:
            self.arm.plant.step(self.arm.sent, step_ns // STEP_NS)
        self.time_ns += step_ns
        self.due_ns += step_ns / self.factor
        self.published_ns = self.steady_ns
        if self.clock_runs:
            self.shown_ns = self.time_ns

    # The loop's parts.
    def take(self, now_ns: int) -> JointState:
        plant = self.arm.plant
        return JointState(plant.q.copy(), plant.v.copy(), now_ns - self.published_ns)

    def send(self, tau: Any, reference: Any) -> None:
        self.arm.sent = tau.copy()

    def update(self, now_ns: int, state: JointState, matched: bool) -> Command:
        self.times.append((now_ns, self.steady_ns))
        command = self.controller.update(now_ns, state, matched)
        self.errors_q.append(command.reference.q - state.q)
        self.commands.append(command._replace(
            tau=command.tau.copy(), reference=command.reference._replace(
                q=command.reference.q.copy())
        ))
        return command

    def request(self, request: Request, tau: Any = 0.0) -> str:
        return self.controller.request(request)

    def poll(self) -> Iterator[Any]:
        while self.plan and self.plan[0][0] <= self.steady_ns:
            self.plan.pop(0)[1]()
        if self.steady_ns > self.end_ns:
            yield NewRequest(1, Request.EXIT)

    def raise_fault(self, fault: Fault) -> None:
        self.controller.raise_fault(fault)

    def at(self, seconds: float, what: Callable[[], Any]) -> None:
        """Do something at a steady time from now."""
        self.plan.append((self.steady_ns + round(seconds * NANOSECONDS), what))

    def played(self, seconds: float) -> Simulator:
        """Run for a steady time and leave."""
        self.end_ns = self.steady_ns + round(seconds * NANOSECONDS)
        self.controller.request(Request.ACTIVATE)
        run(
            self.pacing, self, self, loop_world.Sink(self), self, self, RateGuard(1e-3, False),
            period_s=1e-3, ramp_time_s=0.5, stop_wanted=lambda: False, report=pytest.fail,
        )
        return self

    # What was seen.
    @property
    def modes(self) -> list[Mode]:
        return [command.mode for command in self.commands]

    def motion_error(self) -> float:
        """Root mean square of reference minus measured while in motion, rad."""
        moving = [e for e, m in zip(self.errors_q, self.modes) if m is Mode.TRACK]
        assert len(moving) > 100
        return rms(np.array(moving))

    def first(self, mode: Mode) -> int:
        """Number of the first tick in a mode."""
        return self.modes.index(mode)
