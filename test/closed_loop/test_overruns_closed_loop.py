"""Lost ticks in the real loop with the real pacing and controller, in virtual time."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from control_rig import Sums, settings, trajectory
from loop_world import Sink, World

from id_controller.control.controller import Controller
from id_controller.control.faults import Fault
from id_controller.realtime.loop import run
from id_controller.realtime.messages import Message, NewRequest, NewTrajectory
from id_controller.realtime.pacing import SteadyPacing
from id_controller.realtime.rate_guard import RateGuard
from id_controller.state import JointState, Mode, Request

PERIOD_NS = 1_000_000
LONG = ([0.0, 20.0], [[0.0, 0.0], [1.0, 1.0]])


class SlowWorld(World):
    """
    A loop whose computation takes virtual time, on a robot that follows its reference.

    :param takes: Time that the computation of the tick of a number takes, ns.
    """

    def __init__(self, policy: str, takes: Callable[[int], int]) -> None:
        super().__init__()
        self.now_ns, self.takes, self.count = 0, takes, 0
        self.settings = settings(overrun_policy=policy)
        self.controller = Controller(Sums(), self.settings, 1e-3)
        self.controller.request(Request.ACTIVATE)
        self.q = np.zeros(2)
        self.guard = RateGuard(1e-3)
        self.guard.configure(self.settings)
        self.rows: list[tuple[Mode, int, float]] = []
        self.letters: dict[int, Message] = {}

    def sleep(self, seconds: float) -> None:
        self.now_ns += max(1, round(seconds * 1e9))

    def poll(self) -> Iterator[Message]:
        self.count += 1
        if self.count in self.letters:
            yield self.letters[self.count]

    def take(self, now_ns: int) -> JointState:
        return JointState(self.q, np.zeros(2), 0)

    def update(self, now_ns: int, state: JointState, matched: bool) -> Any:
        command = self.controller.update(now_ns, state, matched)
        self.now_ns += self.takes(self.count)
        self.q = command.reference.q.copy()
        return command

    def record(self, tick: Any, state: Any, command: Any, done: Any) -> None:
        self.rows.append((command.mode, command.fault, float(command.reference.q[0])))

    def request(self, request: Request, tau: Any = 0.0) -> str:
        return self.controller.request(request)

    def follow(self, trajectory: Any, number: int) -> str:
        return self.controller.follow(trajectory, number)

    def raise_fault(self, fault: Fault) -> None:
        self.controller.raise_fault(fault)

    def played(self, ticks: int) -> SlowWorld:
        pacing = SteadyPacing(1000, clock=lambda: self.now_ns, sleep=self.sleep)
        self.letters[ticks] = NewRequest(999, Request.EXIT)
        run(
            pacing, self, self, Sink(self), self, self, self.guard, period_s=1e-3,
            ramp_time_s=0.1, stop_wanted=lambda: False, report=self._fail,
        )
        return self

    def _fail(self, text: str) -> None:
        pytest.fail(text)


def goal(sequence: int) -> NewTrajectory:
    return NewTrajectory(sequence, trajectory(*LONG))


def slow_between(first: int, last: int, takes_ns: int) -> Callable[[int], int]:
    return lambda count: takes_ns if first <= count < last else 100_000


def test_b84_a_law_in_time_is_never_a_loss() -> None:
    world = SlowWorld('hold', lambda count: 990_000)
    world.letters[10] = goal(1)
    world.played(2000)
    assert {fault for _, fault, _ in world.rows} == {0}
    assert world.rows[1500][0] is Mode.TRACK


@pytest.mark.parametrize('takes_ns', [1_500_000, 3_000_000])
def test_a_slow_law_holds_the_arm_and_a_new_goal_moves_it_again(takes_ns: int) -> None:
    world = SlowWorld('hold', slow_between(500, 1000, takes_ns))
    world.letters.update({10: goal(1), 900: goal(2), 1500: goal(3), 4000: goal(4)})
    world.played(4500)
    modes = [mode for mode, _, _ in world.rows]
    assert modes[490] is Mode.TRACK
    held = modes.index(Mode.HOLD, 490)
    assert held < 700, 'it holds within the window'
    assert world.rows[held][1] == Fault.OVERRUN
    q = [position for _, _, position in world.rows]
    assert q[990] == q[held], 'the time of the trajectory stands still'
    assert q[3900] == q[held], 'and does not go on by itself'
    assert '% of the ticks were lost' in world.answers[2]
    assert '% of the ticks were lost' in world.answers[3], 'it is not over for a second'
    assert world.answers[4] == '' and modes[4400] is Mode.TRACK
    assert world.rows[3900][1] == Fault.NONE


def test_stop_is_a_fault_that_stays_until_a_reset_when_it_is_over() -> None:
    world = SlowWorld('stop', slow_between(500, 800, 2_000_000))
    world.letters.update({
        10: goal(1), 780: NewRequest(2, Request.RESET), 4000: NewRequest(3, Request.RESET),
        4100: goal(4),
    })
    world.played(4500)
    assert 'OVERRUN' in world.answers[2]
    assert (Mode.FAULT, int(Fault.OVERRUN)) == (world.rows[3990][0], world.rows[3990][1])
    assert world.answers[3] == world.answers[4] == ''
    assert world.rows[4400][0] is Mode.TRACK


def test_report_only_tells() -> None:
    world = SlowWorld('report', slow_between(500, 1000, 2_000_000))
    world.letters[10] = goal(1)
    world.played(1400)
    assert world.rows[990][:2] == (Mode.TRACK, int(Fault.OVERRUN))
    assert world.rows[490][1] == Fault.NONE


def test_a_stall_moves_the_reference_by_two_periods_at_most() -> None:
    world = SlowWorld('report', slow_between(500, 501, 400 * PERIOD_NS))
    world.letters[10] = goal(1)
    world.played(600)
    speed = 1.0 / 20.0
    steps = np.diff([position for _, _, position in world.rows[400:590]])
    assert steps.max() <= 2.0 * speed * 1e-3 + 1e-9
