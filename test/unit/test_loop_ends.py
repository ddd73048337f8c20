"""The loop: how it ends, and what it leaves behind."""
from __future__ import annotations

import pytest
from loop_world import MS, Stops, World, leave_after

from id_controller.control.faults import Fault
from id_controller.realtime import loop
from id_controller.realtime.loop import Ending
from id_controller.realtime.messages import NewSettings
from id_controller.realtime.pacing import Tick
from id_controller.state import Command, JointState, Request


@pytest.fixture
def world() -> World:
    return World()


@pytest.mark.parametrize(('name', 'value', 'ending', 'faults'), [
    ('stop', True, Ending.DONE, []),
    ('host_gone', True, Ending.HOST_LOST, []),
    ('silent_ns', 1000 * MS, None, []),
    ('silent_ns', 1001 * MS, Ending.HOST_LOST, [Fault.HOST_SILENT]),
])
def test_what_makes_it_leave_by_the_exit_policy(
    world: World, name: str, value: object, ending: Ending | None, faults: list[Fault]
) -> None:
    setattr(world, name, value)
    if ending is None:
        leave_after(world, 9)
    assert world.run() is (ending or Ending.DONE)
    assert world.faults == faults
    assert world.requests == [Request.EXIT]
    # Seen at the end of the first tick, or asked for at that of the ninth; three more leave.
    assert world.calls.count('update') == (1 + 3 if ending is not None else 9 + 3)


def test_an_exit_that_takes_too_long_ends_with_zeros(world: World) -> None:
    world.exit_in, world.stop = 10_000, True
    world.ticks = [Tick(MS, k * MS) for k in range(1, 2000)]
    assert world.run() is Ending.DONE
    assert world.calls.count('update') == pytest.approx(50 + 1000 * loop.GRACE_S, abs=3)
    assert world.sent[-3:] == [(0.0, 0.0)] * 3


def test_settings_change_the_time_for_the_exit(world: World) -> None:
    world.mail = [[NewSettings(1, Stops(0.2))]]  # type: ignore[arg-type]
    leave_after(world, 1)
    world.exit_in = 10_000
    world.ticks = [Tick(MS, k * MS) for k in range(1, 2000)]
    world.run()
    assert world.calls.count('update') == pytest.approx(200 + 1000 * loop.GRACE_S, abs=3)


@pytest.mark.parametrize('part', ['wait', 'poll', 'take', 'record'])
def test_an_error_in_a_tick_runs_the_exit_without_a_state(world: World, part: str) -> None:
    good = world.wait

    def wait() -> Tick:
        if len(world.recorded) == 5:
            world.broken.add(part)
        return good()

    world.wait = wait  # type: ignore[method-assign]
    assert world.run() is Ending.FAILED
    assert f'ZeroDivisionError: {part}' in world.errors[0]
    assert len(world.errors) == 1
    assert world.requests == [Request.EXIT]
    blind = [state for state in world.states if not state.complete]
    assert [state.age_ns for state in blind] == [MS, 2 * MS, 3 * MS]
    assert world.sent[-3:] == [(0.0, 0.0)] * 3
    assert world.sent[-4] == (1.0, -1.0)
    # Each of these commands is a heartbeat too, or the host would fence us meanwhile.
    blind_calls = 2 * ['update', 'publish', 'beat'] + ['update'] + 3 * ['publish', 'beat']
    assert world.calls[-len(blind_calls):] == blind_calls


def test_an_error_in_the_controller_ends_with_zeros(world: World) -> None:
    good = world.update

    def update(now_ns: int, state: JointState, matched: bool) -> Command:
        if len(world.recorded) == 5:
            raise ZeroDivisionError('law')
        return good(now_ns, state, matched)

    world.update = update  # type: ignore[method-assign]
    assert world.run() is Ending.FAILED
    assert len(world.errors) == 2
    assert world.sent[5:] == [(0.0, 0.0)] * 3


def test_an_error_of_the_sink_ends_all_the_same(world: World) -> None:
    leave_after(world, 50)
    world.broken.add('publish')
    assert world.run() is Ending.FAILED
    assert world.sent == []


def test_an_error_before_anything_was_sent_sends_nothing(world: World) -> None:
    world.broken.add('take')
    assert world.run() is Ending.FAILED
    assert world.sent == []
