from __future__ import annotations

import math

import numpy as np
import pytest

from id_controller.errors import SimulationError
from id_controller.model.robots import robot_path
from id_controller.simulation.plant import Plant
from id_controller.simulation.start_pose import given_pose, start_pose

INF = math.inf


def test_zero_where_it_is_well_inside_else_the_middle() -> None:
    lower = np.array([-2.0, -3.0, 1.0, -0.0175, -INF, 0.5, -INF])
    upper = np.array([2.0, -0.1, 5.0, 3.75, INF, INF, -0.25])
    expected = [0.0, -1.55, 3.0, 1.86625, 0.0, 0.5, -0.25]
    assert start_pose(lower, upper) == pytest.approx(expected)


def test_a_given_pose_is_taken() -> None:
    pose = given_pose(('a', 'b'), (0.5, -0.25), np.array([-1.0, -INF]), np.array([1.0, INF]))
    assert pose.tolist() == [0.5, -0.25]


@pytest.mark.parametrize(('positions', 'message'), [
    ((0.5,), 'got 1 numbers, expected 2, one for each of a, b'),
    ((0.5, 2.5), 'b: got 2.5, expected 1 to 2'),
    ((math.nan, 1.5), 'a: got nan, expected -1 to 1'),
])
def test_a_pose_that_does_not_fit_is_refused(positions: tuple[float, ...], message: str) -> None:
    with pytest.raises(SimulationError) as caught:
        given_pose(('a', 'b'), positions, np.array([-1.0, 1.0]), np.array([1.0, 2.0]))
    assert message in str(caught.value)


@pytest.mark.parametrize('name', ['panda', 'ur5', 'kinova'])
def test_real_robots_start_inside_their_limits(name: str) -> None:
    plant = Plant(robot_path(name).read_text(encoding='utf-8'))
    inside = (plant.lower < plant.q) & (plant.q < plant.upper)
    assert inside.all()
