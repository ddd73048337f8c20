"""B22, B23: tolerances by parameter and by goal."""
from __future__ import annotations

import math

import numpy as np
import pytest
from goal_rig import JOINTS, TOLERANCES

from id_controller.control.tolerances import (
    JointTolerance,
    Tolerances,
    tolerances_from_parameters,
    tolerances_of_goal,
)
from id_controller.errors import JointNamesError, TrajectoryError
from id_controller.parameters.flat import parameters_from_flat


def of_goal(**wanted: object) -> Tolerances:
    return tolerances_of_goal(TOLERANCES, JOINTS, **wanted)


def test_b22_zero_keeps_the_default_and_minus_one_takes_it_away() -> None:
    found = of_goal(
        path=[JointTolerance('elbow', 0.0, 0.7), JointTolerance('shoulder', -1.0)],
        goal=[JointTolerance('shoulder', 0.004, -1.0, -1.0)],
    )
    assert found.path.tolist() == [math.inf, 0.15]
    assert found.path_velocity.tolist() == [math.inf, 0.7]
    assert found.goal.tolist() == [0.004, 0.03]
    assert found.goal_velocity.tolist() == [math.inf, 0.06]
    assert TOLERANCES.path.tolist() == [0.1, 0.15]


@pytest.mark.parametrize(('given', 'expected'), [(0.0, 0.5), (-1.0, math.inf), (0.25, 0.25)])
def test_b22_goal_time(given: float, expected: float) -> None:
    assert of_goal(goal_time_s=given).goal_time_s == expected


@pytest.mark.parametrize('bad', [-0.5, -2.0, math.nan, math.inf, -math.inf])
def test_b22_any_other_number_is_refused(bad: float) -> None:
    for field in ('position', 'velocity'):
        for what in ('path', 'goal'):
            words = f"{what}_tolerance, joint 'elbow', {field}: got .*expected 0 "
            with pytest.raises(TrajectoryError, match=words):
                of_goal(**{what: [JointTolerance('elbow', **{field: bad})]})
    with pytest.raises(TrajectoryError, match='goal_time_tolerance: got'):
        of_goal(goal_time_s=bad)


def test_b22_what_cannot_be_checked_is_refused_and_not_ignored() -> None:
    with pytest.raises(TrajectoryError, match='acceleration: got 0.5.*no acceleration is meas'):
        of_goal(path=[JointTolerance('elbow', acceleration=0.5)])


def test_b22_names() -> None:
    with pytest.raises(JointNamesError, match="joint 'wrist': unknown, expected one of shoulder"):
        of_goal(path=[JointTolerance('wrist')])
    with pytest.raises(JointNamesError, match="joint 'elbow': named again"):
        of_goal(goal=[JointTolerance('elbow'), JointTolerance('elbow')])


def test_b21_there_is_always_a_timeout() -> None:
    found = tolerances_from_parameters(parameters_from_flat({
        'joints': ['a', 'b'], 'constraints.goal_time': 0, 'constraints.a.goal': 0.3,
        'constraints.b.goal': 0, 'constraints.b.trajectory': 0.4, 'constraints.a.trajectory': 0,
        'constraints.stopped_velocity_tolerance': 0.07,
    }))
    assert found.goal_time_s == math.inf
    assert found.timeout_s == 30.0
    assert found.goal.tolist() == [0.3, math.inf]
    assert found.path.tolist() == [math.inf, 0.4]
    assert found.goal_velocity.tolist() == [0.07, 0.07]
    assert np.isinf(found.path_velocity).all()
