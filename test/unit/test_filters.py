"""The velocity low pass against the exact response of a first-order lag."""
from __future__ import annotations

import math

import pytest
from control_rig import pair

from id_controller.control.filters import LowPass


def test_a_step_is_answered_exactly_whatever_the_ticks() -> None:
    low_pass = LowPass(2, 5.0)
    low_pass.restart(pair(0.0, 1.0))
    for dt_s in (0.001, 0.0004, 0.0106, 0.008):
        y = low_pass.filtered(pair(2.0, -1.0), dt_s)
    rest = math.exp(-2.0 * math.pi * 5.0 * 0.02)
    assert y == pytest.approx([2.0 * (1.0 - rest), -1.0 + 2.0 * rest])


def test_without_a_cutoff_the_signal_passes() -> None:
    assert LowPass(2).filtered(pair(2.0, -1.0), 0.001) == pytest.approx([2.0, -1.0])


def test_a_restart_begins_at_the_signal() -> None:
    low_pass = LowPass(2, 5.0)
    low_pass.restart(pair(3.0, -2.0))
    assert low_pass.filtered(pair(3.0, -2.0), 0.001) == pytest.approx([3.0, -2.0])


@pytest.mark.parametrize('dt_s', [0.0, -0.01])
def test_b40_without_time_the_output_stands(dt_s: float) -> None:
    low_pass = LowPass(2, 5.0)
    low_pass.restart(pair(3.0, -2.0))
    assert low_pass.filtered(pair(9.0, 9.0), dt_s) == pytest.approx([3.0, -2.0])
