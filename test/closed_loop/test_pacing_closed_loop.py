"""The real loop on a simulator's states and clock: slow, fast, odd, paused, set back."""
from __future__ import annotations

import numpy as np
import pytest
from paced_rig import MS, Simulator

from id_controller.control.faults import Fault
from id_controller.realtime.pacing import SHORTEST_NS
from id_controller.state import NANOSECONDS, Mode, Request

pytest.importorskip('mujoco')

TIMEOUT_NS = 50 * MS
RAMP_NS = 500 * MS


def in_motion(simulator: Simulator, at_s: float, hz: float = 0.5, seconds: float = 3.0) -> None:
    simulator.at(at_s, lambda: simulator.arm.start_sine(hz, seconds))


ODD = (0.5, 0.75, 1.0, 0.25, 0.75)


@pytest.mark.parametrize(('pacing', 'factor', 'steps_ms'), [
    ('state', 0.1, (1.0,)), ('state', 1.0, ODD), ('state', 3.0, (1.0,)),
    ('state', 0.5, (2.0, 0.25, 1.75, 0.5)),
    ('sim_time', 0.1, (1.0,)), ('sim_time', 1.0, ODD), ('sim_time', 3.0, (1.0,)),
    ('sim_time', 0.5, (0.25,)),
])
def test_the_arm_follows_a_simulator_of_any_speed_and_step(
    pacing: str, factor: float, steps_ms: tuple[float, ...]
) -> None:
    simulator = Simulator(pacing, factor, steps_ms)
    in_motion(simulator, 0.3 / factor)
    simulator.played(3.5 / factor)
    assert Mode.FAULT not in simulator.modes
    moving = [now for (now, _), m in zip(simulator.times, simulator.modes) if m is Mode.TRACK]
    assert moving[-1] - moving[0] == pytest.approx(3.0e9, rel=0.02), 'motions keep their time'
    assert simulator.motion_error() <= 0.3e-3


def test_states_that_come_faster_than_ticks_can_drive_a_bounded_number_of_them() -> None:
    simulator = Simulator('state', 10.0, update_rate=400)
    in_motion(simulator, 0.03)
    simulator.played(0.35)
    steady = [at for _, at in simulator.times]
    assert min(np.diff(steady)) >= SHORTEST_NS
    assert simulator.motion_error() <= 0.5e-3


def test_b40_each_state_twice_changes_nothing() -> None:
    once, twice = Simulator('state'), Simulator('state', steps_ms=(1.0, 0.0))
    for simulator in (once, twice):
        in_motion(simulator, 0.3)
    twice.factor = 0.5
    once.played(1.0)
    twice.played(2.0)
    for a, b in zip(twice.commands[1:1000:2], twice.commands[2:1000:2]):
        assert a.tau.any() or not b.tau.any(), 'never no effort where there was one'
    assert twice.motion_error() == pytest.approx(once.motion_error(), abs=0.05e-3)


@pytest.mark.parametrize('pacing', ['state', 'sim_time'])
def test_a_small_step_back_is_no_time_and_the_motion_goes_on(pacing: str) -> None:
    simulator = Simulator(pacing)
    in_motion(simulator, 0.3)

    def back() -> None:
        simulator.time_ns -= 20 * MS

    simulator.at(1.5, back)
    simulator.played(3.7)
    assert Mode.FAULT not in simulator.modes
    assert simulator.motion_error() <= 5e-3
    published = [c.tau for c, m in zip(simulator.commands, simulator.modes) if m is Mode.TRACK]
    assert all(tau.any() for tau in published)


@pytest.mark.parametrize('pacing', ['state', 'sim_time'])
def test_b70_a_clock_that_is_reset_stops_the_motion_and_a_reset_goes_on(pacing: str) -> None:
    simulator = Simulator(pacing)
    in_motion(simulator, 0.3)

    def back() -> None:
        simulator.time_ns = 5 * MS

    where = []
    simulator.at(1.5, back)
    simulator.at(1.52, lambda: where.append(simulator.arm.plant.q.copy()))
    simulator.at(2.5, lambda: simulator.request(Request.RESET))
    in_motion(simulator, 2.6, seconds=2.2)
    simulator.played(5.0)
    struck = simulator.first(Mode.FAULT)
    assert simulator.commands[struck].fault == Fault.TIME_JUMP
    assert simulator.commands[struck].tau.any(), 'the arm holds'
    again = simulator.modes.index(Mode.HOLD, struck)
    assert np.abs(simulator.commands[again].reference.q - where[0]).max() < 0.05
    assert Mode.FAULT not in simulator.modes[again:]
    assert Mode.TRACK in simulator.modes[again:]


@pytest.mark.parametrize('pacing', ['state', 'sim_time'])
def test_a_clock_that_jumps_ahead_moves_the_reference_by_two_periods(pacing: str) -> None:
    simulator = Simulator(pacing)
    in_motion(simulator, 0.3)

    def ahead() -> None:
        simulator.time_ns += 5 * NANOSECONDS

    simulator.at(1.5, ahead)
    simulator.played(3.7)
    assert Mode.FAULT not in simulator.modes
    steps = np.abs(np.diff([c.reference.q for c in simulator.commands], axis=0)).max(axis=1)
    jump = int(np.argmax(np.diff([now for now, _ in simulator.times])))
    assert steps[jump] <= 2.2 * steps[jump - 1]
    assert simulator.motion_error() <= 0.3e-3


@pytest.mark.parametrize('pacing', ['state', 'sim_time'])
@pytest.mark.parametrize('stops', ['everything', 'the clock'])
def test_a_clock_that_stands_is_a_fault_within_the_timeout_of_the_wall(
    pacing: str, stops: str
) -> None:
    """Also while fresh states come, and the efforts go to zero in steady time."""
    simulator = Simulator(pacing)
    in_motion(simulator, 0.3)

    def stop() -> None:
        if stops == 'everything':
            simulator.runs = False
        else:
            simulator.clock_runs = False
        began.append(simulator.steady_ns)

    began: list[int] = []
    simulator.at(1.0, stop)
    simulator.played(2.5)
    struck = simulator.first(Mode.FAULT)
    assert simulator.commands[struck].fault == Fault.STATE_STALE
    seen_ns = simulator.times[struck][1] - began[0]
    assert TIMEOUT_NS - 2 * MS <= seen_ns <= TIMEOUT_NS + 12 * MS
    end_ns = simulator.times[struck][1] + RAMP_NS + 20 * MS
    after = [c.tau for (_, at), c in zip(simulator.times, simulator.commands) if at > end_ns]
    assert simulator.commands[struck].tau.any() and len(after) > 50
    assert not np.any(after)
    assert simulator.arm.sent is not None and not simulator.arm.sent.any()


def test_a_coarse_clock_makes_one_tick_each_and_the_arm_holds() -> None:
    simulator = Simulator('sim_time', steps_ms=(10.0,), update_rate=100)
    in_motion(simulator, 0.5)
    simulator.played(3.7)
    assert Mode.FAULT not in simulator.modes
    steps = np.diff([now for now, _ in simulator.times[5:-60]])
    assert set(steps.tolist()) == {10 * MS}
    assert simulator.motion_error() <= 20e-3
