"""Continuous, prismatic, mimic and locked joints, anywhere in the tree."""
from __future__ import annotations

import numpy as np
import pytest

from id_controller.errors import ModelError
from id_controller.model.build import build_model
from id_controller.model.description import load_description
from id_controller.model.robots import robot_path

ARM7 = load_description(robot_path('arm7'))
ARM7_JOINTS = tuple(f'joint{number}' for number in range(1, 8))


def body(name: str, mass: float, x: float) -> str:
    return (
        f'<link name="{name}"><inertial><origin xyz="{x} 0.02 0.03"/><mass value="{mass}"/>'
        '<inertia ixx="0.02" ixy="0.001" ixz="0" iyy="0.03" iyz="0.002" izz="0.04"/></inertial>'
        '</link>'
    )


def joint(name: str, kind: str, parent: str, child: str, axis: str, inside: str = '') -> str:
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="0.3 0 0.1" rpy="0.2 0.1 0"/><axis xyz="{axis}"/>'
        f'<limit lower="-3" upper="3" velocity="1" effort="9"/>{inside}</joint>'
    )


# A column with an arm and a gripper whose second finger follows the first; a head beside it.
# Joint and link share a name on purpose, and names are not in the order of the tree.
GRIPPER = (
    '<robot name="r"><link name="base"/>'
    + body('z_arm', 3.0, 0.1) + body('hand', 1.0, 0.05) + body('left', 0.4, 0.02)
    + body('right', 0.5, 0.03) + body('head', 0.7, 0.04)
    + joint('z_arm', 'revolute', 'base', 'z_arm', '0 1 0')
    + joint('b_wrist', 'continuous', 'z_arm', 'hand', '0 0 1')
    + joint('c_finger', 'prismatic', 'hand', 'left', '0 1 0')
    + joint('a_finger', 'revolute', 'hand', 'right', '1 0 0',
            '<mimic joint="c_finger" multiplier="-1.5" offset="0.25"/>')
    + joint('a_neck', 'revolute', 'base', 'head', '0 1 0')
    + '</robot>'
)
MOVING = ('c_finger', 'z_arm', 'b_wrist')
# The same robot with the follower as a joint like any other: the reference for the projection.
FREE = GRIPPER.replace('<mimic joint="c_finger" multiplier="-1.5" offset="0.25"/>', '')
FREE_MOVING = (*MOVING, 'a_finger')
RATIOS = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [-1.5, 0, 0]])
SHIFT = np.array([0.0, 0.0, 0.0, 0.25])

random = np.random.default_rng(7)
Q, V, A = random.uniform(-1.5, 1.5, (3, 3))


def test_b57_continuous_joint_in_the_middle_is_the_same_as_revolute() -> None:
    q, v, a = random.uniform(-2.5, 2.5, (3, 7))
    revolute = build_model(ARM7, ARM7_JOINTS)
    text = ARM7.replace('"joint3" type="revolute"', '"joint3" type="continuous"')
    continuous = build_model(text, ARM7_JOINTS)
    assert continuous.continuous.tolist() == [False, False, True, False, False, False, False]
    expected = revolute.inverse_dynamics(q, v, a)
    assert continuous.inverse_dynamics(q, v, a) == pytest.approx(expected, abs=1e-12)
    turned = q + 2 * np.pi * np.array([0, 0, 3, 0, 0, 0, 0])
    assert continuous.inverse_dynamics(turned, v, a) == pytest.approx(expected, abs=1e-12)
    assert continuous.gravity(turned) == pytest.approx(revolute.gravity(q), abs=1e-12)


def test_b59_follower_moves_by_its_rule() -> None:
    robot = build_model(GRIPPER, MOVING)
    free = build_model(FREE, FREE_MOVING)
    assert robot.mimic == ('a_finger',)
    q, v, a = RATIOS @ Q + SHIFT, RATIOS @ V, RATIOS @ A
    expected = RATIOS.T @ free.inverse_dynamics(q, v, a)
    tau = robot.inverse_dynamics(Q, V, A)
    assert tau == pytest.approx(expected, abs=1e-12)
    assert robot.gravity(Q) == pytest.approx(RATIOS.T @ free.gravity(q), abs=1e-12)
    mass = RATIOS.T @ free.mass_matrix(q) @ RATIOS
    assert robot.mass_matrix(Q) == pytest.approx(mass, abs=1e-12)
    assert robot.forward_dynamics(Q, V, tau) == pytest.approx(A, abs=1e-9)


def test_b59_armature_of_a_leader_counts_once() -> None:
    rotor = np.array([0.2, 0.3, 0.4])
    with_rotor = build_model(GRIPPER, MOVING, armature=rotor).inverse_dynamics(Q, V, A)
    without = build_model(GRIPPER, MOVING).inverse_dynamics(Q, V, A)
    assert with_rotor - without == pytest.approx(rotor * A, abs=1e-12)


def test_b59_wrench_on_a_follower_reaches_its_leader() -> None:
    robot = build_model(GRIPPER, MOVING, wrench_frame='right')
    free = build_model(FREE, FREE_MOVING, wrench_frame='right')
    wrench = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    expected = RATIOS.T @ free.wrench_torque(RATIOS @ Q + SHIFT, wrench)
    out = np.empty(3)
    assert robot.wrench_torque(Q, wrench, out) is out
    assert out == pytest.approx(expected, abs=1e-12)


def test_b59_follower_cannot_be_controlled() -> None:
    with pytest.raises(ModelError, match="'a_finger'.*'c_finger' \\(mimic\\).*control 'c_finger'"):
        build_model(GRIPPER, ('z_arm', 'a_finger'))


def test_the_rest_is_locked_where_told() -> None:
    robot = build_model(
        GRIPPER, ('z_arm',), locked={'c_finger': 0.2, 'b_wrist': 4.0}, payload_frame='hand'
    )
    # The follower stands by its rule: -1.5 * 0.2 + 0.25.
    assert robot.locked == pytest.approx(
        {'b_wrist': 4.0, 'c_finger': 0.2, 'a_finger': -0.05, 'a_neck': 0.0}
    )
    free = build_model(FREE, (*FREE_MOVING, 'a_neck'))
    q = np.array([0.2, 0.6, 4.0, -0.05, 0.0])
    v = np.array([0.0, 0.8, 0.0, 0.0, 0.0])
    a = np.array([0.0, -2.0, 0.0, 0.0, 0.0])
    tau = robot.inverse_dynamics(q[1:2], v[1:2], a[1:2])
    assert tau == pytest.approx(free.inverse_dynamics(q, v, a)[1:2], abs=1e-12)


def test_locked_outside_its_limits_is_said() -> None:
    robot = build_model(GRIPPER, ('z_arm',), locked={'a_neck': 3.5, 'b_wrist': 50.0})
    assert [text for text in robot.warnings if 'locked at' in text] == [
        "joint 'a_neck': it is locked at 3.5, outside its limits -3 to 3 (locked_joints, "
        'locked_positions)'
    ]


@pytest.mark.parametrize(
    ('locked', 'words'),
    [
        ({'a_nek': 0.0}, ["'a_nek'", "did you mean 'a_neck'"]),
        ({'z_arm': 0.0}, ["'z_arm'", 'controlled']),
        ({'a_finger': 0.0}, ["'a_finger'", "'c_finger'"]),
        ({'a_neck': float('nan')}, ["'a_neck'", 'nan']),
    ],
)
def test_locking_is_refused(locked: dict[str, float], words: list[str]) -> None:
    with pytest.raises(ModelError) as refusal:
        build_model(GRIPPER, ('z_arm',), locked=locked)
    assert [word for word in words if word not in str(refusal.value)] == []


@pytest.mark.parametrize('kind', ['floating', 'planar'])
def test_joint_of_several_freedoms_is_locked_and_not_controlled(kind: str) -> None:
    text = GRIPPER.replace('"a_neck" type="revolute"', f'"a_neck" type="{kind}"')
    expected = build_model(GRIPPER, MOVING).inverse_dynamics(Q, V, A)
    assert build_model(text, MOVING).inverse_dynamics(Q, V, A).tolist() == expected.tolist()
    with pytest.raises(ModelError, match=f"'a_neck': got type {kind}"):
        build_model(text, (*MOVING, 'a_neck'))
    with pytest.raises(ModelError, match=f"'a_neck': got type {kind}"):
        build_model(text, MOVING, locked={'a_neck': 0.0})


def test_mass_of_the_base_is_counted_but_does_not_move() -> None:
    robot = build_model(ARM7, ARM7_JOINTS)
    assert robot.mass == pytest.approx(18.85)
    assert robot.facts.moving_mass == pytest.approx(18.85 - 3.2)
    assert robot.warnings == ()
