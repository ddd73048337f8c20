"""Robots known by name, and the two that are ours."""
from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from id_controller.errors import ModelError
from id_controller.model import robots
from id_controller.model.build import build_model
from id_controller.model.description import load_description, parse_description
from id_controller.model.gravity_load import gravity_load
from id_controller.model.limits import joint_friction, joint_limits
from id_controller.model.robots import ROBOTS, default_joints, robot_config, robot_path


@pytest.mark.parametrize('name', ROBOTS)
def test_named_robot_can_be_controlled(name: str) -> None:
    text = load_description(robot_path(name))
    joints = default_joints(name)
    robot = build_model(text, joints, strict=True)
    limits = joint_limits(parse_description(text), joints)
    assert robot.warnings == limits.warnings == ()
    assert np.isfinite(limits.effort).all()
    assert np.isfinite(limits.velocity).all()
    assert (limits.effort > 0.0).all()


@pytest.mark.parametrize(
    ('name', 'count', 'continuous'),
    [('two_link', 2, 0), ('arm7', 7, 0), ('panda', 7, 0), ('ur5', 6, 0), ('kinova', 6, 3)],
)
def test_default_joints(name: str, count: int, continuous: int) -> None:
    joints = default_joints(name)
    robot = build_model(load_description(robot_path(name)), joints)
    assert len(joints) == count
    assert int(robot.continuous.sum()) == continuous


def test_fingers_of_the_panda_are_locked() -> None:
    robot = build_model(load_description(robot_path('panda')), default_joints('panda'))
    assert robot.locked == {'panda_finger_joint1': 0.0, 'panda_finger_joint2': 0.0}


def test_default_joints_of_a_description_are_all_that_lead() -> None:
    description = parse_description(load_description(robot_path('panda')))
    assert default_joints(description) == (*default_joints('panda'), 'panda_finger_joint1')


def test_arm7_is_a_plausible_arm() -> None:
    description = parse_description(load_description(robot_path('arm7')))
    joints = default_joints('arm7')
    assert joints == tuple(f'joint{number}' for number in range(1, 8))
    assert description.root == 'base_link'
    assert {f'link{number}' for number in range(8)} | {'tool0'} < {
        link.name for link in description.links
    }
    limits = joint_limits(description, joints)
    assert limits.effort.tolist() == [120.0, 120.0, 80.0, 80.0, 40.0, 20.0, 20.0]
    damping, friction = joint_friction(description, joints)
    assert (damping > 0.0).all()
    assert (friction > 0.0).all()
    load = gravity_load(build_model(description.text, joints), limits, np.zeros(7))
    # It can hold itself everywhere, with more than half of its strength to spare.
    assert (load.worst_share < 0.5).all()
    assert load.worst_share.max() > 0.2


def test_a_path_is_a_robot_too(tmp_path: Path) -> None:
    file = tmp_path / 'mine.urdf'
    with pytest.raises(ModelError, match=r'mine\.urdf: got no such file'):
        robot_path(str(file))
    file.write_text(load_description(robot_path('two_link')), encoding='utf-8')
    assert robot_path(str(file)) == file
    assert default_joints(str(file)) == ('shoulder', 'elbow')
    assert robot_config(str(file)) is None


def test_unknown_name_says_which_is_near() -> None:
    with pytest.raises(ModelError, match="'pandas'.*did you mean 'panda'"):
        robot_path('pandas')


def test_missing_package_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(robots, '_example_folders', lambda: iter([Path('/nowhere')]))
    with pytest.raises(ModelError, match="'ur5'.*pip install example-robot-data"):
        robot_path('ur5')
