from __future__ import annotations

import math

import numpy as np
import pytest
from urdf_text import PENDULUM, SLIDES, joint, limits, link, robot

from id_controller.errors import SimulationError
from id_controller.simulation.plant import Plant
from id_controller.simulation.realism import Realism
from id_controller.simulation.settings import PlantSettings

G = 9.81


def test_locked_joints_stand_where_they_are_told() -> None:
    text = robot(
        link('base'), link('upper', 1.0, 0.25), link('lower', 3.0, 0.4),
        joint('shoulder', 'revolute', 'base', 'upper'),
        joint('elbow', 'revolute', 'upper', 'lower', xyz='0.5 0 0'),
    )
    plant = Plant(text, PlantSettings(joints=('shoulder',), locked={'elbow': math.pi / 2}))
    q, zero = 0.3, np.zeros(1)
    lower = 0.5 * math.cos(q) + 0.4 * math.cos(q + math.pi / 2)
    expected = G * (1.0 * 0.25 * math.cos(q) + 3.0 * lower)
    assert plant.inverse_dynamics(np.array([q]), zero, zero)[0] == pytest.approx(expected)
    assert plant.names == ('shoulder', 'elbow')
    assert plant.measure()[0][1] == math.pi / 2


@pytest.mark.parametrize('value', [0.2, -0.35])
def test_a_locked_slide_stands_off(value: float) -> None:
    text = robot(
        link('base'), link('arm', 1.0, 0.25), link('tool', 3.0),
        joint('hinge', 'revolute', 'base', 'arm'),
        joint('slide', 'prismatic', 'arm', 'tool', '1 0 0', xyz='0.5 0 0'),
    )
    plant = Plant(text, PlantSettings(locked={'slide': value}))
    zero = np.zeros(1)
    expected = G * (0.25 + 3.0 * (0.5 + value))
    assert plant.inverse_dynamics(zero, zero, zero)[0] == pytest.approx(expected)


def mimics(multiplier: float, offset: float) -> str:
    mimic = f'<mimic joint="lead" multiplier="{multiplier}" offset="{offset}"/>'
    return robot(
        link('base'), link('a', 2.0), link('b', 3.0),
        joint('follow', 'prismatic', 'base', 'b', '1 0 0', extra=limits(-9, 9) + mimic),
        joint('lead', 'prismatic', 'base', 'a', '0 1 0'),
    )


def test_a_mimic_joint_follows_and_its_inertia_is_felt() -> None:
    plant = Plant(mimics(-2.0, 0.1))
    assert plant.joints == ('lead',)
    assert plant.mass_matrix(np.zeros(1))[0, 0] == pytest.approx(2.0 + 4.0 * 3.0)
    plant.step(np.array([7.0]), 400)
    q, v, _ = plant.measure()
    assert plant.v[0] == pytest.approx(0.5 * 0.1, rel=1e-3)
    assert q[0] == pytest.approx(-2.0 * q[1] + 0.1, abs=1e-5)
    assert v[0] == pytest.approx(-2.0 * v[1], rel=1e-3)


def test_a_mimic_of_a_locked_joint_stands() -> None:
    text = mimics(-2.0, 0.1).replace('</robot>', '') + link('c', 1.0) + joint(
        'other', 'prismatic', 'base', 'c', '0 0 1'
    ) + '</robot>'
    plant = Plant(text, PlantSettings(joints=('other',), locked={'lead': 0.3}))
    assert dict(zip(plant.names, plant.measure()[0]))['follow'] == pytest.approx(-0.5)


def test_no_mass_is_guessed_from_shapes_and_no_mesh_is_read() -> None:
    shapes = (
        '<collision><geometry><box size="1 1 1"/></geometry></collision>'
        '<visual><geometry><mesh filename="package://nowhere/arm.dae"/></geometry></visual>'
    )
    text = robot(
        link('base', extra=shapes), link('arm', 2.0, 0.3, 0.05, shapes), link('tip', extra=shapes),
        joint('hinge', 'revolute', 'base', 'arm'),
        joint('tip', 'fixed', 'arm', 'tip', xyz='1 0 0', extra=''),
    )
    zero = np.zeros(1)
    got = Plant(text).inverse_dynamics(zero, zero, zero)
    assert got[0] == pytest.approx(2.0 * G * 0.3, abs=1e-11)


def test_a_massless_link_between_two_joints_moves() -> None:
    text = robot(
        link('base'), link('cross'), link('arm', 2.0, 0.3, 0.05),
        joint('pan', 'revolute', 'base', 'cross', '0 0 1'),
        joint('tilt', 'revolute', 'cross', 'arm'),
    )
    zero = np.zeros(2)
    got = Plant(text).inverse_dynamics(zero, zero, np.array([3.0, 0.0]))
    assert got == pytest.approx([3.0 * (0.05 + 0.18), 2.0 * G * 0.3], abs=1e-11)


def test_a_joint_that_moves_no_mass_is_refused_unless_its_rotor_is_known() -> None:
    text = robot(
        link('base'), link('arm', 2.0, 0.3), link('tip'),
        joint('hinge', 'revolute', 'base', 'arm'), joint('twist', 'revolute', 'arm', 'tip'),
    )
    with pytest.raises(SimulationError, match='joint twist: got .* expected a link with mass'):
        Plant(text)
    plant = Plant(text, PlantSettings(realism=Realism(armature={'twist': 0.2})))
    assert plant.mass_matrix(np.zeros(2))[1, 1] == pytest.approx(0.2)


def test_an_impossible_inertia_is_repaired_with_a_warning() -> None:
    good = 'ixx="0.05" iyy="0.05" izz="0.05"'
    plant = Plant(PENDULUM.replace(good, 'ixx="0.9" iyy="0.05" izz="0.05"'))
    assert len(plant.warnings) == 1
    assert 'inertia' in plant.warnings[0]
    assert Plant(PENDULUM).warnings == []


REFUSED = {
    'not valid XML': ('<robot', {}),
    'got <cat>, expected <robot>': ('<cat/>', {}),
    "joint fly: got type 'floating', expected fixed, revolute": (
        SLIDES.replace('type="prismatic"', 'type="floating"', 1).replace('"up"', '"fly"'), {}
    ),
    "no movable joint 'alnog'; the nearest is along": (SLIDES, {'joints': ('alnog',)}),
    "locked_joints: the robot has no movable joint 'upp'": (SLIDES, {'locked': {'upp': 0.0}}),
    'joints: up named more than once': (SLIDES, {'joints': ('up', 'up')}),
    'up: got both in joints and in locked_joints': (
        SLIDES, {'joints': ('up',), 'locked': {'up': 0.1}}
    ),
    'follow mimics lead and has no motion': (mimics(1.0, 0.0), {'joints': ('follow',)}),
    "joint follow: got mimic of 'gone'": (
        mimics(1.0, 0.0).replace('mimic joint="lead"', 'mimic joint="gone"'), {}
    ),
    'got no joint that can move': (SLIDES, {'locked': {'up': 0.0, 'along': 0.0}}),
    "<limit lower>: got 'x', expected a number": (SLIDES.replace('"-9"', '"x"', 1), {}),
    'joint up: got limits 19 to 9': (SLIDES.replace('"-9"', '"19"', 1), {}),
    "integrator: got 'euler', expected one of implicitfast": (SLIDES, {'integrator': 'euler'}),
    'physics step: got 0 s': (SLIDES, {'step_s': 0.0}),
}


@pytest.mark.parametrize('message', REFUSED)
def test_refusals_say_what_is_wrong(message: str) -> None:
    text, settings = REFUSED[message]
    with pytest.raises(SimulationError) as caught:
        Plant(text, PlantSettings(**settings))  # type: ignore[arg-type]
    assert message in str(caught.value)
