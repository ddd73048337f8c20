"""What is read from the ticks and commands of a latency trial."""
from __future__ import annotations

import numpy as np
import pytest

from id_controller.benchmark.latency_listener import Heard
from id_controller.benchmark.latency_robot import RAMP_S
from id_controller.benchmark.latency_trials import arrival, ramped, ticks_to
from id_controller.control.faults import Fault
from id_controller.realtime.layout import Layout
from id_controller.state import Mode

MS = 1_000_000


def heard(efforts: list[float], every_ns: int = MS) -> list[Heard]:
    return [
        Heard(k * every_ns, 0, b'', np.array([effort, 0.5 * effort]))
        for k, effort in enumerate(efforts)
    ]


def test_a_ramp_is_gradual_as_long_as_it_should_be_and_ends_at_zero() -> None:
    length = round(RAMP_S * 1000)
    down = np.linspace(10.0, 0.0, length + 5).tolist()
    assert ramped(heard([*down, 0.0, 0.0]), began_ns=0)
    assert not ramped(heard([*down, 0.0, 0.1]), began_ns=0), 'not the last'
    assert not ramped(heard(down[:-1]), began_ns=0), 'no zero'
    assert not ramped(heard([10.0] * length + [0.0] * 20), began_ns=0), 'a step'
    assert not ramped(heard(down[::3] + [0.0]), began_ns=0), 'too early'
    assert not ramped([], began_ns=0)


def test_the_command_of_a_tick_is_found_by_its_efforts() -> None:
    rows = np.zeros(2, Layout(n=2, terms=1, points_max=1).row)
    rows['tau'] = [[3.0, 1.5], [4.0, 2.0]]
    assert arrival(heard([1.0, 2.0, 3.0, 4.0]), rows) == 2 * MS
    assert np.isnan(arrival(heard([1.0, 2.0]), rows))
    assert np.isnan(arrival(heard([1.0, 2.0]), rows[:0]))


def test_ticks_from_a_cause_to_the_safe_command() -> None:
    rows = np.zeros(3, Layout(n=2, terms=1, points_max=1).row)
    rows['steady_ns'] = [5 * MS, 6 * MS, 7 * MS]
    rows['take_ns'], rows['compute_ns'], rows['publish_ns'] = 20_000, 30_000, 50_000
    rows['published'], rows['mode'] = 1, Mode.FAULT
    rows['fault'] = [Fault.NONE, Fault.STATE_STALE, Fault.STATE_STALE]
    causes = np.array([5 * MS - 400_000, 6 * MS])
    assert ticks_to(rows, Fault.STATE_STALE, causes) == pytest.approx(1.5)
    assert np.isnan(ticks_to(rows, Fault.OVER_SPEED, causes))
    assert np.isnan(ticks_to(rows, Fault.STATE_STALE, causes[:0]))
    rows['published'] = 0
    assert np.isnan(ticks_to(rows, Fault.STATE_STALE, causes))
