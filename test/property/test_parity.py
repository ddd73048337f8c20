"""
The efforts of the model against those of MuJoCo, joints matched by name.

MuJoCo reads the same inertials by its own parser and has its own algorithm; damping, friction,
limits and couplings are taken out, because they are no part of rigid-body dynamics.
"""
from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from id_controller.model.build import build_model
from id_controller.model.description import load_description
from id_controller.model.robots import default_joints, robot_path

mujoco = pytest.importorskip('mujoco')

STATES = 200


def plant(text: str, joints: tuple[str, ...]) -> Any:
    """Compile a URDF without geometry; what is not controlled is welded at 0."""
    root = ElementTree.fromstring(text)
    for part in list(root):
        if part.tag not in ('link', 'joint'):
            root.remove(part)
        for tag in ('visual', 'collision', 'dynamics', 'mimic', 'safety_controller'):
            for inner in part.findall(tag):
                part.remove(inner)
        if part.tag == 'joint' and part.get('name') not in joints:
            part.set('type', 'fixed')
    spec = mujoco.MjSpec.from_string(ElementTree.tostring(root, encoding='unicode'))
    model = spec.compile()
    off = mujoco.mjtDisableBit
    model.opt.disableflags |= off.mjDSBL_CONSTRAINT | off.mjDSBL_LIMIT | off.mjDSBL_CONTACT
    return model


@pytest.mark.parametrize('name', ['two_link', 'arm7', 'panda', 'ur5', 'kinova'])
@pytest.mark.parametrize('reverse', [False, True])
def test_inverse_dynamics_agrees_with_mujoco(name: str, reverse: bool) -> None:
    text = load_description(robot_path(name))
    joints = default_joints(name)[:: -1 if reverse else 1]
    rotor = np.linspace(0.02, 0.2, len(joints))
    robot = build_model(text, joints, armature=rotor)
    other = plant(text, joints)
    data = mujoco.MjData(other)
    at = np.array([other.joint(joint).dofadr[0] for joint in joints])
    places = np.array([other.joint(joint).qposadr[0] for joint in joints])
    assert (other.nv, other.nq) == (robot.n, robot.n)
    other.dof_armature[at] = rotor
    states = np.random.default_rng(11).uniform(-3.0, 3.0, (STATES, 3, robot.n))
    worst = largest = 0.0
    for q, v, a in states:
        data.qpos[places], data.qvel[at], data.qacc[at] = q, v, a
        mujoco.mj_inverse(other, data)
        tau = robot.inverse_dynamics(q, v, a)
        worst = max(worst, float(np.abs(tau - data.qfrc_inverse[at]).max()))
        largest = max(largest, float(np.abs(tau).max()))
    assert largest > 3.0
    assert worst <= 1e-9


@pytest.mark.parametrize('name', ['arm7', 'kinova'])
def test_b62_damping_of_the_urdf_is_beside_the_model(name: str) -> None:
    text = load_description(robot_path(name))
    joints = default_joints(name)
    robot = build_model(text, joints)
    other = plant(text, joints)
    data = mujoco.MjData(other)
    at = np.array([other.joint(joint).dofadr[0] for joint in joints])
    damping = np.linspace(0.3, 0.9, len(joints))
    other.dof_damping[at] = damping[:, None] if other.dof_damping.ndim == 2 else damping
    q, v, a = np.random.default_rng(5).uniform(-2.0, 2.0, (3, robot.n))
    data.qpos[at], data.qvel[at], data.qacc[at] = q, v, a
    mujoco.mj_inverse(other, data)
    extra = data.qfrc_inverse[at] - robot.inverse_dynamics(q, v, a)
    assert extra == pytest.approx(damping * v, abs=1e-10)
