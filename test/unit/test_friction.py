"""Friction feedforward: sums on paper."""
from __future__ import annotations

import math

import numpy as np
import pytest
from control_rig import pair

from id_controller.control.friction import Friction


def torque(friction: Friction, first: float, second: float) -> list[float]:
    out = np.full(2, 99.0)
    friction.torque(pair(first, second), out)
    return [float(value) for value in out]


def test_viscous_and_coulomb_add() -> None:
    friction = Friction(pair(0.3, 0.7), pair(1.5, 2.5), 0.02)
    assert torque(friction, 1.0, -2.0) == pytest.approx([1.8, -3.9])


def test_the_coulomb_part_is_smooth_through_standstill() -> None:
    friction = Friction(pair(0.0, 0.0), pair(1.5, 2.5), 0.02)
    assert torque(friction, 0.0, 0.02) == pytest.approx([0.0, 2.5 * math.tanh(1.0)])
    assert torque(friction, 0.0004, -0.0004) == pytest.approx([0.03, -0.05], rel=1e-3)


def test_no_friction_is_absent() -> None:
    assert not Friction(pair(0.0, 0.0), pair(0.0, 0.0), 0.02).present
    assert Friction(pair(0.0, 0.1), pair(0.0, 0.0), 0.02).present
    assert Friction(pair(0.0, 0.0), pair(0.1, 0.0), 0.02).present
