"""What a model cannot be built of, and how that is said."""
from __future__ import annotations

import numpy as np
import pytest

from id_controller.errors import ModelError
from id_controller.model.build import build_model
from id_controller.model.description import load_description
from id_controller.model.robots import robot_path

TEXT = load_description(robot_path('two_link'))
JOINTS = ('shoulder', 'elbow')


@pytest.mark.parametrize(
    ('joints', 'words'),
    [
        ((), ['got none']),
        (('shoulder', 'shoulder'), ["'shoulder'", '2 times']),
        (('sholder', 'elbow'), ["'sholder'", "did you mean 'shoulder'"]),
        (('tool',), ["'tool'", 'got type fixed']),
    ],
)
def test_joints_are_refused(joints: tuple[str, ...], words: list[str]) -> None:
    with pytest.raises(ModelError) as refusal:
        build_model(TEXT, joints)
    assert [word for word in words if word not in str(refusal.value)] == []


@pytest.mark.parametrize(
    ('options', 'words'),
    [
        ({'payload_frame': 'tool'}, ['payload.frame', "'tool'", "'tool0'"]),
        ({'wrench_frame': 'hand'}, ['wrench_frame', "'hand'", 'forearm']),
        ({'compensates': ('gravty',)}, ["'gravty'", "did you mean 'gravity'"]),
        ({'gravity': (0.0, 9.81)}, ['gravity', '3 finite']),
        ({'gravity': (0.0, 0.0, float('nan'))}, ['gravity', 'nan']),
        ({'armature': np.array([0.1])}, ['armature', '2 numbers']),
        ({'armature': np.array([0.1, -0.1])}, ['armature', '>= 0']),
    ],
)
def test_options_are_refused(options: dict[str, object], words: list[str]) -> None:
    with pytest.raises(ModelError) as refusal:
        build_model(TEXT, JOINTS, **options)  # type: ignore[arg-type]
    assert [word for word in words if word not in str(refusal.value)] == []


def test_b60_joint_without_mass_is_refused_when_strict() -> None:
    light = TEXT[: TEXT.index('<inertial>', TEXT.index('"forearm"', TEXT.index('"elbow"') + 90))]
    rest = TEXT[len(light):]
    text = light + rest[rest.index('</inertial>') + len('</inertial>'):]
    robot = build_model(text, JOINTS)
    assert robot.massless_links == ('forearm',)
    assert any("joint 'elbow': it moves no mass" in warning for warning in robot.warnings)
    with pytest.raises(ModelError, match="joint 'elbow'.*'forearm'"):
        build_model(text, JOINTS, strict=True)
    build_model(text, JOINTS, strict=True, armature=np.array([0.0, 0.1]))
