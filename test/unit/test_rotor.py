"""Rotor inertias with a Pinocchio that does not count them."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from id_controller.model import build
from id_controller.model.build import build_model
from id_controller.model.description import load_description
from id_controller.model.robots import robot_path
from id_controller.state import Vector

TEXT = load_description(robot_path('two_link'))
JOINTS = ('elbow', 'shoulder')
Q, V, A = np.array([0.4, -1.1]), np.array([0.7, -0.3]), np.array([2.0, -5.0])


class Ignoring:
    """An old Pinocchio: it knows rotor inertias but uses them nowhere."""

    def __init__(self, library: object) -> None:
        self._library = library

    def __getattr__(self, name: str) -> object:
        call = getattr(self._library, name)
        return self._without(call) if name in ('rnea', 'crba') else call

    @staticmethod
    def _without(call: Callable[..., Vector]) -> Callable[..., Vector]:
        def wrapped(model: Any, *others: Any) -> Vector:
            kept, model.armature = model.armature.copy(), np.zeros(model.nv)
            result = call(model, *others)
            model.armature = kept
            return result

        return wrapped


def test_b62_armature_that_pinocchio_ignores_is_added(monkeypatch: pytest.MonkeyPatch) -> None:
    rotor = np.array([0.3, 0.07])
    expected = build_model(TEXT, JOINTS, armature=rotor)
    old = Ignoring(build.load_pinocchio())
    monkeypatch.setattr(build, 'load_pinocchio', lambda: old)
    robot = build_model(TEXT, JOINTS, armature=rotor)
    tau = robot.inverse_dynamics(Q, V, A)
    assert tau == pytest.approx(expected.inverse_dynamics(Q, V, A), abs=1e-12)
    assert robot.mass_matrix(Q) == pytest.approx(expected.mass_matrix(Q), abs=1e-12)
    assert robot.forward_dynamics(Q, V, tau) == pytest.approx(A, abs=1e-10)
