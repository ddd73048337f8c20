"""B20: whatever happens, and in which order, every accepted goal gets exactly one end."""
from __future__ import annotations

from goal_rig import Goalkeeper
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from id_controller.control.goal import Outcome
from id_controller.state import Request

TARGETS = st.tuples(st.floats(0.1, 0.6), st.floats(-0.6, 0.1))


class GoalMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.keeper = Goalkeeper()
        self.cancelled: set[int] = set()

    @rule(to=TARGETS, seconds=st.floats(0.1, 1.0), delay_s=st.sampled_from([0.0, 0.0, 0.3]))
    def accept_or_preempt(self, to: tuple[float, float], seconds: float, delay_s: float) -> None:
        self.keeper.send(list(to), seconds, delay_s=delay_s)

    @rule(to=TARGETS)
    def override_by_topic(self, to: tuple[float, float]) -> None:
        self.keeper.send_on_topic(list(to))

    @rule()
    def cancel(self) -> None:
        goal = self.keeper.goals.active
        if goal is not None and self.keeper.goals.cancel(goal.number):
            self.cancelled.add(goal.number)
            self.keeper.session.controller.request(Request.HOLD)

    @rule(request=st.sampled_from(list(Request)))
    def ask(self, request: Request) -> None:
        self.keeper.session.controller.request(request)

    @rule(age_ms=st.sampled_from([0, 0, 300]))
    def age(self, age_ms: int) -> None:
        self.keeper.session.age_ns = 1_000_000 * age_ms

    @rule(follows=st.booleans())
    def stall(self, follows: bool) -> None:
        self.keeper.follows = follows

    @rule(scaling=st.sampled_from([0.0, 0.5, 1.0]))
    def scale(self, scaling: float) -> None:
        self.keeper.session.change(speed_scaling=scaling)

    @rule()
    def lose_the_control_process(self) -> None:
        self.keeper.goals.drop('control process lost')
        self.keeper.session.controller.request(Request.EXIT)
        self.keeper.run(300)

    @rule()
    def arm_again(self) -> None:
        session = self.keeper.session
        session.age_ns = 0
        session.controller.request(Request.ACTIVATE)
        session.controller.request(Request.RESET)
        self.keeper.run(5)

    @rule(ticks=st.integers(1, 120))
    def tick(self, ticks: int) -> None:
        self.keeper.run(ticks)

    @invariant()
    def nothing_ended_twice(self) -> None:
        active = self.keeper.goals.active
        for number, ends in self.keeper.ends.items():
            alive = active is not None and active.number == number
            assert len(ends) == (0 if alive else 1), (number, ends)

    @invariant()
    def success_and_cancel_are_what_they_say(self) -> None:
        for number, ends in self.keeper.ends.items():
            if ends and ends[0].outcome is Outcome.CANCELED:
                assert number in self.cancelled

    def teardown(self) -> None:
        """Left alone, the last goal ends too, by itself."""
        keeper = self.keeper
        keeper.follows = False
        keeper.run(6000 if keeper.goals.active else 1)
        assert keeper.goals.active is None
        assert all(len(ends) == 1 for ends in keeper.ends.values())


GoalMachine.TestCase.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
TestGoals = GoalMachine.TestCase
