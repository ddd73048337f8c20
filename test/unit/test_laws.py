"""The four laws: every term against sums on paper."""
from __future__ import annotations

import math

import numpy as np
import pytest
from control_rig import Sums, pair, pid, settings

from id_controller.control.efforts import Efforts
from id_controller.control.laws import LAWS, TERMS
from id_controller.control.supervisor import Action
from id_controller.model.build import build_model
from id_controller.model.robots import robot_path
from id_controller.parameters.schema import CONTROL_MODES
from id_controller.state import Matrix, Reference, Vector

Q, V = pair(0.3, -0.4), pair(0.5, -1.0)
REFERENCE = Reference(pair(0.4, -0.5), pair(0.25, 0.75), pair(2.0, -3.0), pair(1.25, -0.5))
ERROR = pair(0.1, -0.1)


def row(terms: Matrix, name: str) -> Vector:
    return terms[TERMS.index(name)]


def computed(
    mode: str, action: Action = Action.FOLLOW, model: object = None, **changes: object
) -> Efforts:
    model = model or Sums()
    efforts = Efforts(model, np.zeros(2))  # type: ignore[arg-type]
    efforts.configure(settings(control_mode=mode, **changes))
    reference, error = REFERENCE, ERROR
    if action is not Action.FOLLOW:
        reference, error = Reference(Q, np.zeros(2), np.zeros(2), np.zeros(2)), np.zeros(2)
    assert efforts.compute(action, reference, Q, V, error, 0.001, 0.001)
    return efforts


def test_there_is_a_law_for_every_control_mode() -> None:
    assert tuple(LAWS) == CONTROL_MODES


def test_feedforward_is_the_dynamics_of_the_reference_and_pid_around_it() -> None:
    terms = computed('feedforward', gains=pid((40.0, 20.0), (100.0, 300.0), (4.0, 2.0))).terms
    assert row(terms, 'inverse_dynamics') == pytest.approx([
        0.5 * 2.0 + 0.125 * 0.25 + 6.0 * math.cos(0.4),
        -0.25 * 3.0 + 0.375 * 0.75 + 2.0 * math.cos(0.5),
    ])
    assert row(terms, 'proportional') == pytest.approx([4.0, -2.0])
    assert row(terms, 'integral') == pytest.approx([0.01, -0.03])
    assert row(terms, 'derivative') == pytest.approx([4.0 * -0.25, 2.0 * 1.75])
    assert row(terms, 'trajectory_effort') == pytest.approx([1.25, -0.5])
    assert not row(terms, 'friction').any()


def test_computed_torque_has_the_feedback_inside_the_dynamics_of_the_state() -> None:
    gains = pid((100.0, 64.0), (10.0, 30.0), (20.0, 16.0))
    terms = computed('computed_torque', acceleration_gains=gains).terms
    wanted = [
        2.0 + 100.0 * 0.1 + 10.0 * 0.1 * 0.001 - 20.0 * 0.25,
        -3.0 - 64.0 * 0.1 - 30.0 * 0.1 * 0.001 + 16.0 * 1.75,
    ]
    assert row(terms, 'inverse_dynamics') == pytest.approx([
        0.5 * wanted[0] + 0.125 * 0.5 + 6.0 * math.cos(0.3),
        0.25 * wanted[1] - 0.375 * 1.0 + 2.0 * math.cos(0.4),
    ])
    assert not terms[1:4].any()
    assert row(terms, 'trajectory_effort') == pytest.approx([1.25, -0.5])


def test_gravity_pd_knows_neither_inertia_nor_friction_nor_integral() -> None:
    terms = computed(
        'gravity_pd', gains=pid((40.0, 20.0), (100.0, 300.0), (4.0, 2.0)),
        viscous=pair(1.0, 2.0), coulomb=pair(3.0, 4.0),
    ).terms
    assert row(terms, 'inverse_dynamics') == pytest.approx(
        [6.0 * math.cos(0.3), 2.0 * math.cos(0.4)]
    )
    assert row(terms, 'proportional') == pytest.approx([4.0, -2.0])
    assert row(terms, 'derivative') == pytest.approx([-1.0, 3.5])
    for name in ('integral', 'friction', 'trajectory_effort'):
        assert not row(terms, name).any(), name


def test_gravity_only_carries_and_damps() -> None:
    efforts = Efforts(Sums(), np.zeros(2))
    efforts.configure(settings(control_mode='gravity'))
    rest = Reference(Q, np.zeros(2), np.zeros(2), np.zeros(2))
    efforts.compute(Action.FOLLOW, rest, Q, V, np.zeros(2), 0.001, 0.001)
    assert row(efforts.terms, 'derivative') == pytest.approx([-2.0, 2.0])
    assert efforts.total == pytest.approx([6.0 * math.cos(0.3) - 2.0, 2.0 * math.cos(0.4) + 2.0])
    assert not efforts.law.follows


@pytest.mark.parametrize('mode', ['feedforward', 'computed_torque'])
def test_friction_is_that_of_the_wanted_velocity(mode: str) -> None:
    terms = computed(
        mode, viscous=pair(2.0, 4.0), coulomb=pair(1.0, 3.0), friction_velocity=0.5
    ).terms
    assert row(terms, 'friction') == pytest.approx(
        [2.0 * 0.25 + math.tanh(0.5), 4.0 * 0.75 + 3.0 * math.tanh(1.5)]
    )


@pytest.mark.parametrize('mode', CONTROL_MODES)
def test_b65_the_terms_sum_to_the_total(mode: str) -> None:
    efforts = computed(
        mode, soft_margin=1.9, upper=pair(0.01, 1.8), viscous=pair(2.0, 4.0),
        coulomb=pair(1.0, 3.0),
    )
    assert row(efforts.terms, 'soft_limit').any()
    assert efforts.total == pytest.approx(efforts.terms.sum(axis=0))


@pytest.mark.parametrize('mode', CONTROL_MODES)
def test_a_wrench_is_resisted_until_it_ends(mode: str) -> None:
    efforts = computed(mode)
    for wrench, expected in (([5.0, -7.0], [-10.0, 21.0]), ([1.0, 2.0], [-2.0, -6.0]),
                             ([0.0, 0.0], [0.0, 0.0])):
        assert efforts.resist(np.array([*wrench, 0.0, 0.0, 0.0, 0.0])) == ''
        efforts.compute(Action.FOLLOW, REFERENCE, Q, V, ERROR, 0.001, 0.001)
        assert row(efforts.terms, 'external_wrench') == pytest.approx(expected)


def test_damping_of_each_law_is_gravity_and_damping_alone() -> None:
    carried = pair(6.0 * math.cos(0.3), 2.0 * math.cos(0.4))
    torque_damped = carried - pair(4.0, 2.0) * V
    for mode in ('feedforward', 'gravity_pd', 'gravity'):
        assert computed(mode, Action.DAMPING).total == pytest.approx(torque_damped), mode
    through_inertia = carried + pair(0.5, 0.25) * -pair(20.0, 16.0) * V + pair(0.125, 0.375) * V
    assert computed('computed_torque', Action.DAMPING).total == pytest.approx(through_inertia)


@pytest.mark.parametrize('mode', CONTROL_MODES)
def test_gravity_action_uses_no_velocity(mode: str) -> None:
    carried = [6.0 * math.cos(0.3), 2.0 * math.cos(0.4)]
    assert computed(mode, Action.GRAVITY).total == pytest.approx(carried)


@pytest.mark.parametrize('action', [Action.SILENT, Action.ZERO])
def test_silence_and_zero_are_zero(action: Action) -> None:
    assert not computed('feedforward', action).terms.any()


def test_the_law_for_guiding_by_hand_holds_with_its_gains_when_it_must() -> None:
    efforts = Efforts(Sums(), np.zeros(2))
    efforts.configure(settings(control_mode='gravity'))
    efforts.compute(Action.HOLD, REFERENCE, Q, pair(0.0, 0.0), ERROR, 0.001, 0.001)
    assert row(efforts.terms, 'proportional') == pytest.approx([4.0, -2.0])


def test_gravity_of_the_planar_arm_is_the_sum_on_paper() -> None:
    model = build_model(robot_path('two_link').read_text(), ['shoulder', 'elbow'])
    efforts = computed('gravity_pd', model=model, gains=pid((0.0, 0.0)))
    # A positive angle turns down, so the arm is carried by negative efforts.
    elbow = -9.81 * 1.0 * 0.2 * math.cos(0.3 - 0.4)
    shoulder = elbow - 9.81 * (2.0 * 0.25 + 1.0 * 0.5) * math.cos(0.3)
    assert efforts.total == pytest.approx([shoulder, elbow])


def test_feedforward_of_the_planar_arm_is_the_sum_on_paper() -> None:
    model = build_model(
        robot_path('two_link').read_text(), ['shoulder', 'elbow'], gravity=(0.0, 0.0, 0.0)
    )
    efforts = computed('feedforward', model=model, gains=pid((0.0, 0.0)))
    # Modern Robotics, sec. 8.1.1 (2R arm), with uniform links.
    cos, sin = math.cos(-0.5), math.sin(-0.5)
    coupling = 0.5 * 0.2 * 1.0
    m11 = 0.05 + 2.0 * 0.25**2 + 0.02 + 1.0 * (0.5**2 + 0.2**2) + 2.0 * coupling * cos
    m12 = 0.02 + 1.0 * 0.2**2 + coupling * cos
    m22 = 0.02 + 1.0 * 0.2**2
    shoulder = m11 * 2.0 - m12 * 3.0 - coupling * sin * (2.0 * 0.25 * 0.75 + 0.75**2)
    elbow = m12 * 2.0 - m22 * 3.0 + coupling * sin * 0.25**2
    assert row(efforts.terms, 'inverse_dynamics') == pytest.approx([shoulder, elbow])
