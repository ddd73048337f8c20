"""The real processes on the clock of a simulator: slow, fast, late, paused, started again."""
from __future__ import annotations

import signal
import time
from pathlib import Path

import numpy as np
import pytest
from nodes import Robot
from std_srvs.srv import SetBool, Trigger

ARM7 = [f'joint{k}' for k in range(1, 8)]
SIMULATOR = '/id_controller_sim'
TARGET = [0.3, -0.4, 0.5, 0.9, -0.3, 0.4, 0.6]
SIM_TIME = ('-p', 'pacing:=sim_time', '-p', 'use_sim_time:=true')
BY_STATE = ('-p', 'pacing:=state')
CLOCK = ('-p', 'publish_clock:=true')
RATE = ('-p', 'update_rate:=500')
FLOATING = ('-p', 'gravity:=[0.0, 0.0, 0.0]')
STATES = ('-p', 'state_rate:=500')


def move(run: Robot) -> float:
    """Move to the target and return how long that took."""
    run.wait(lambda: len(run.state) >= len(ARM7), 'states')
    began = time.monotonic()
    run.send([1.5], [TARGET], ARM7)
    run.wait_for_event('mode TRACK')
    run.wait_for_event('mode HOLD')
    took = time.monotonic() - began
    run.listen(0.5)
    assert np.abs(run.q(ARM7) - TARGET).max() < 2e-3
    return took


def recovered(run: Robot) -> bool:
    """Reset, with the arm back at its start: it falls as soon as the simulator goes on."""
    run.ask(Trigger, f'{SIMULATOR}/reset', Trigger.Request())
    run.call('reset')
    run.listen(0.3)
    return [line for line in run.events if line.startswith('mode')][-1] == 'mode HOLD'


@pytest.mark.parametrize('pacing', [SIM_TIME, BY_STATE], ids=['sim_time', 'state'])
@pytest.mark.parametrize('factor', [0.5, 2.0])
def test_a_motion_takes_its_time_on_the_clock_of_the_simulator(
    tmp_path: Path, pacing: tuple[str, ...], factor: float
) -> None:
    speed = ('-p', f'real_time_factor:={factor}')
    with Robot(
        tmp_path, controller=(*pacing, *RATE), simulator=(*CLOCK, *STATES, *speed)
    ) as run:
        run.wait_for_event('mode HOLD')
        took = move(run)
        # A simulator that lags makes it longer, and nothing makes it shorter.
        assert took > 0.9 * 1.5 / factor
        assert not [line for line in run.events if 'mode FAULT' in line]


class ControllerFirst(Robot):
    """A controller that is there before its simulator."""

    late = False

    def start(self, name: str) -> None:
        if name != 'simulator' or self.late:
            super().start(name)


def test_b72_a_controller_waits_for_the_clock_and_then_goes(tmp_path: Path) -> None:
    with ControllerFirst(tmp_path, controller=SIM_TIME, simulator=CLOCK) as run:
        run.wait_for_event('mode WAITING')
        run.listen(0.5)
        assert run.commands == []
        run.late = True
        run.start('simulator')
        run.wait_for_event('mode HOLD')
        move(run)


def test_b74_a_host_that_is_busy_does_not_stop_the_clock(tmp_path: Path) -> None:
    with Robot(tmp_path, controller=SIM_TIME, simulator=CLOCK) as run:
        run.wait_for_event('mode HOLD')
        run.listen(0.2)
        run.kill('controller', signal.SIGSTOP)
        before = len(run.commands)
        run.listen(0.5)
        sent = len(run.commands) - before
        run.kill('controller', signal.SIGCONT)
        assert sent > 100
        move(run)


def test_a_simulator_that_pauses_is_a_fault_and_a_reset_goes_on(tmp_path: Path) -> None:
    with Robot(tmp_path, controller=SIM_TIME, simulator=CLOCK) as run:
        run.wait_for_event('mode HOLD')
        pause = f'{SIMULATOR}/pause'
        run.ask(SetBool, pause, SetBool.Request(data=True))
        run.wait_for_event('STATE_STALE')
        run.listen(1.0)
        assert not run.commands[-1].any(), 'efforts go to zero though the clock stands'
        assert not run.call('reset')[0]
        run.ask(SetBool, pause, SetBool.Request(data=False))
        run.wait(lambda: recovered(run), 'a reset')
        move(run)


def test_b70_a_simulator_that_starts_again_takes_the_clock_back(tmp_path: Path) -> None:
    with Robot(
        tmp_path, controller=(*SIM_TIME, *FLOATING), simulator=(*CLOCK, *FLOATING)
    ) as run:
        run.wait_for_event('mode HOLD')
        move(run)
        run.kill('simulator')
        run.wait_for_event('mode FAULT')
        run.start('simulator')
        run.wait(lambda: run.call('reset')[0], 'a reset that is granted')
        run.wait_for_event('mode HOLD')
        move(run)
