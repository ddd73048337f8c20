"""What is accepted as a trajectory and what is refused: limits, names, some joints only."""
from __future__ import annotations

import numpy as np
from trajectory_rig import JOINTS, Q_NOW, Limits, accept, matrix, points, refuse

from id_controller.trajectory.validation import validated


def test_b29_a_limited_joint_is_never_wrapped() -> None:
    ten = points(times=np.array([30.0, 60.0]), q=matrix([0.4, 0.5, 0.6], [0.4, 10.0, 0.6]))
    refuse(ten, r"point 1, joint 'elbow', position: got 10, expected -2.1 to 2.1")
    accept(ten, continuous=np.array([False, True, False]))


def test_a_joint_outside_its_limits_may_come_back_but_not_go_further() -> None:
    outside = np.array([2.05, 0.2, 0.3])
    back = {'times': np.array([0.0, 2.0]), 'v': None, 'a': None, 'effort': None}
    accept(points(q=matrix([2.05, 0.2, 0.3], [1.5, 0.2, 0.3]), **back), q_now=outside)
    refuse(points(q=matrix([2.05, 0.2, 0.3], [2.06, 0.2, 0.3]), **back),
           r"point 1, joint 'shoulder', position: got 2.06", q_now=outside)
    accept(points(q=matrix([-2.05, 0.2, 0.3], [-1.5, 0.2, 0.3]), **back),
           q_now=np.array([-2.05, 0.2, 0.3]))


def test_velocity_and_effort_limits_at_the_points() -> None:
    refuse(points(v=matrix([0.1, -1.2, 0.1], [0.0, 0.0, 0.0])),
           r"point 0, joint 'elbow', velocity: got -1.2, expected at most 1.1 either way")
    refuse(points(effort=matrix([1.0, 1.0, 1.0], [1.0, 1.0, -11.0])),
           r"point 1, joint 'wrist', effort: got -11, expected at most 10 either way")


def test_absent_limits_do_not_limit() -> None:
    nothing = np.full(3, np.inf)
    free = Limits(-nothing, nothing, nothing, nothing)
    far = points(q=matrix([40.0, 50.0, 60.0], [70.0, 80.0, 90.0]), effort=np.full((2, 3), 1e4))
    assert validated(far, JOINTS, free, q_now=Q_NOW).q is not None


def test_names() -> None:
    refuse(points(joints=('shoulder', 'elbw', 'wrist')),
           r"joint name 1: got unknown 'elbw' \(nearest: 'elbow'\), expected shoulder, elbow, w")
    refuse(points(joints=('wrist', 'elbow', 'wrist')), r"joint name 2: got 'wrist' again")
    refuse(points(joints=()), 'joint names: got none')


def test_partial_points_hold_the_other_joints() -> None:
    some = points(
        joints=('wrist', 'shoulder'), q=matrix([0.6, 0.4], [0.9, 0.7]),
        v=matrix([0.13, 0.11], [0.0, 0.0]), a=None, effort=matrix([7.0, 5.0], [9.5, 8.0]),
    )
    refuse(some, r'joint names: elbow missing.*allow_partial_joints_goal')
    found = accept(some, partial=True)
    assert found.q is not None
    assert found.v is not None
    assert found.effort is not None
    assert found.q.tolist() == [[0.4, 0.2, 0.6], [0.7, 0.2, 0.9]]
    assert found.v.tolist() == [[0.11, 0.0, 0.13], [0.0, 0.0, 0.0]]
    assert found.effort.tolist() == [[5.0, 0.0, 7.0], [8.0, 0.0, 9.5]]
    assert found.a is None


def test_partial_points_hold_a_joint_that_stands_outside_its_limits() -> None:
    some = points(joints=JOINTS[:2], **{
        name: getattr(points(), name)[:, :2] for name in ('q', 'v', 'a', 'effort')
    })
    found = accept(some, partial=True, q_now=np.array([0.1, 0.2, 2.3]))
    assert found.q is not None
    assert found.q[:, 2].tolist() == [2.3, 2.3]


def test_too_many_points() -> None:
    refuse(points(), r'got 2 points, expected at most 1 \(trajectory_points_max\)', points_max=1)


def test_present_positions_of_another_robot() -> None:
    refuse(points(), r'present positions: got shape \(2,\), expected \(3,\)', q_now=np.zeros(2))
