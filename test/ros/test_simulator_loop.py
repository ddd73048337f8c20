from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from simulator_bench import JOINTS, ROBOT

from id_controller.parameters.flat import from_flat
from id_controller.realtime.pacing import Tick
from id_controller.ros import simulator_loop
from id_controller.simulation.drive import Drive
from id_controller.simulation.parameters import SimulatorParameters
from id_controller.simulation.plant import Plant

MS = 1_000_000


class LatePacing:
    """Every wake-up is late by some periods."""

    skipped = 0

    def __init__(self, rate_hz: int) -> None:
        pass

    def wait(self) -> Tick:
        return Tick(0, 0, 0, self.skipped)


class Commands:
    """A command with every call, and none waiting."""

    topics = ('commands',)
    rejected = 0
    refusal = ''

    def take(self, q: Any, v: Any) -> Any:
        return np.array([2.0, 5.0])

    def await_command(self, timeout_s: float, q: Any, v: Any) -> Any:
        return np.array([2.0, 5.0])

    def drain(self) -> int:
        return 2


def report() -> Any:
    return SimpleNamespace(
        states=0, missed=0, slipped=0, resent=0, stray=0, paused_ns=0, begin=lambda: None
    )


@pytest.mark.parametrize(('lockstep', 'skipped', 'periods', 'slipped'), [
    # One state for each wake-up; in real time the physics makes up for at most 50 periods.
    (False, 0, 1, 0), (False, 5, 6, 0), (False, 80, 51, 30), (True, 5, 1, 5),
])
def test_a_late_plant_makes_up_for_lost_time_except_in_lockstep(
    monkeypatch: pytest.MonkeyPatch, lockstep: bool, skipped: int, periods: int, slipped: int
) -> None:
    monkeypatch.setattr(simulator_loop, 'SteadyPacing', LatePacing)
    monkeypatch.setattr(LatePacing, 'skipped', skipped)
    parameters = from_flat(
        SimulatorParameters, {'joints': JOINTS, 'lockstep': lockstep}, tuple(JOINTS)
    )
    drive = Drive(
        Plant(ROBOT, parameters.plant_settings()), 4, timeout_s=0.1, on_loss='zero', brakes=True
    )
    counts, published = report(), []
    states: Any = SimpleNamespace(publish=lambda: published.append(drive.plant.time_ns))
    commands: Any = Commands()
    loop = simulator_loop.SimulatorLoop(
        parameters, drive, commands, states, counts, lambda: None, lambda line, warning: None
    )
    once = iter([True, False])
    loop.run(lambda: next(once))
    assert published == [periods * MS]
    assert drive.plant.v == pytest.approx([1e-3 * periods, 1e-3 * periods])
    assert (counts.missed, counts.slipped, counts.states) == (skipped, slipped, 1)
    assert counts.stray == (2 if lockstep else 0)
