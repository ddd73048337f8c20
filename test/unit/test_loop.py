"""The loop: who is called when."""
from __future__ import annotations

import pytest
from loop_world import MS, Stops, World, leave_after

from id_controller.realtime.loop import Ending
from id_controller.realtime.messages import NewRequest, NewSettings, NewTrajectory, NewWrench
from id_controller.realtime.pacing import Tick
from id_controller.state import Mode, Request


@pytest.fixture
def world() -> World:
    return World()


def test_a_tick_takes_updates_publishes_and_only_then_reads_its_mail(world: World) -> None:
    leave_after(world, 1)
    world.run()
    assert world.calls[:7] == ['wait', 'take', 'update', 'publish', 'record', 'beat', 'poll']
    tick, command, done = world.recorded[0]
    assert tick == Tick(MS, MS)
    assert command.tau[0] == world.sent[0][0] == 5.0
    assert 0 < done.taken_ns <= done.computed_ns <= done.published_ns
    assert done.published


def test_it_runs_until_the_controller_has_left(world: World) -> None:
    leave_after(world, 4)
    assert world.run() is Ending.DONE
    assert world.requests == [Request.EXIT]
    assert world.calls.count('update') == 4 + 3
    assert [command.mode for _, command, _ in world.recorded][-1] is Mode.EXITED
    assert world.sent[-1] == (1.0, -1.0)


def test_every_message_is_obeyed_and_answered(world: World) -> None:
    world.mail = [[
        NewSettings(1, Stops(0.1)), NewSettings(2, Stops(-1.0)),  # type: ignore[arg-type]
        NewTrajectory(3, object()), NewWrench(4, (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)),
        NewRequest(5, Request.RESET), NewRequest(6, Request.STOP),
    ]]
    leave_after(world, 1)
    world.run()
    assert world.answers == {
        1: '', 2: 'ramp_time: got -1', 3: '', 4: '', 5: 'RESET: still too far', 6: '', 99: '',
    }
    assert world.wrench.tolist() == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    assert world.requests == [Request.RESET, Request.STOP, Request.EXIT]


def test_nothing_is_sent_while_the_controller_sends_nothing(world: World) -> None:
    world.publish, world.mode = False, Mode.WAITING
    leave_after(world, 5)
    world.run()
    assert world.sent == []
    assert not any(done.published for _, _, done in world.recorded)


@pytest.mark.parametrize(('mode', 'sent'), [
    (Mode.HOLD, 0), (Mode.TRACK, 0), (Mode.FAULT, 1), (Mode.SOFT_STOP, 1),
])
def test_a_time_out_tick_sends_only_what_runs_out(world: World, mode: Mode, sent: int) -> None:
    world.mode = mode
    world.ticks[:1] = [Tick(MS, MS, timed_out=True, silent_ns=MS)]
    leave_after(world, 1)
    world.run()
    assert world.sent.count((5.0, -5.0)) == sent
    assert len(world.recorded) == 4


def test_silence_of_the_clock_counts_as_age_of_the_state(world: World) -> None:
    world.ticks[:2] = [
        Tick(MS, 90 * MS, timed_out=True, silent_ns=89 * MS),
        Tick(MS, 91 * MS, timed_out=True, silent_ns=MS),
    ]
    leave_after(world, 2)
    world.run()
    assert [state.age_ns for state in world.states[:3]] == [89 * MS, 2 * MS, 2 * MS]


def test_b72_nobody_is_matched_before_the_clock_runs(world: World) -> None:
    world.ticks[:2] = [Tick(0, MS), Tick(5, 2 * MS)]
    leave_after(world, 2)
    world.run()
    assert world.matches[:2] == [False, True]
