"""Damping in a slow loop: by hand for one joint, by simulation for real arms."""
from __future__ import annotations

import numpy as np
import pytest

from id_controller.command_line.chosen_robot import choose_robot
from id_controller.control.configuration import Configuration, configured
from id_controller.control.damping import bearable_damping
from id_controller.model.description import load_description
from id_controller.model.sampling import sampled_positions

PERIOD_S = 0.004


def configuration(name: str) -> Configuration:
    robot = choose_robot(name)
    return configured(robot.parameters, load_description(robot.file))


def test_little_damping_stays_as_it_is() -> None:
    arm = configuration('arm7')
    wanted = np.linspace(0.01, 0.2, 7)
    found = bearable_damping(arm.model, arm.limits, wanted, PERIOD_S)
    assert found == pytest.approx(wanted)


@pytest.mark.parametrize('name', ['arm7', 'two_link', 'panda', 'ur5', 'kinova'])
def test_a_late_and_slow_loop_still_comes_to_rest(name: str) -> None:
    arm = configuration(name)
    wanted = np.maximum(arm.settings().gains.d, 5.0)
    damping = bearable_damping(arm.model, arm.limits, wanted, PERIOD_S)
    assert (damping > 0.0).all() and (damping <= wanted).all()
    n = arm.model.n
    for q in sampled_positions(arm.limits, 20, seed=5):
        # The damper acts for a period on the velocity of the period before.
        act = PERIOD_S * np.linalg.inv(arm.model.mass_matrix(q)) * damping
        step = np.block([[np.eye(n), -act], [np.eye(n), np.zeros((n, n))]])
        assert np.abs(np.linalg.eigvals(step)).max() < 1.0, name


def test_too_much_damping_would_not() -> None:
    arm = configuration('arm7')
    wanted = np.full(7, 1e4)
    damping = bearable_damping(arm.model, arm.limits, wanted, PERIOD_S)
    assert (damping < 500.0).all()
