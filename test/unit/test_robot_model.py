"""The robot model against sums on paper for the planar arm ``two_link``."""
from __future__ import annotations

from math import cos, pi, sin

import numpy as np
import pytest

from id_controller.errors import ModelError
from id_controller.model.build import build_model
from id_controller.model.description import load_description
from id_controller.model.robot import RobotModel
from id_controller.model.robots import robot_path
from id_controller.state import Vector

TEXT = load_description(robot_path('two_link'))
JOINTS = ('shoulder', 'elbow')
Q, V, A = np.array([0.4, -1.1]), np.array([0.7, -0.3]), np.array([2.0, -5.0])
G = 9.81


def model(**options: object) -> RobotModel:
    return build_model(TEXT, JOINTS, **options)  # type: ignore[arg-type]


def masses_on_paper(q: Vector) -> np.ndarray:
    """Lagrange: m1 = 2, c1 = 0.25, I1 = 0.05; l1 = 0.5; m2 = 1, c2 = 0.2, I2 = 0.02."""
    c = cos(q[1])
    return np.array([
        [0.05 + 2 * 0.0625 + 0.02 + (0.25 + 0.04 + 0.2 * c), 0.02 + 0.04 + 0.1 * c],
        [0.02 + 0.04 + 0.1 * c, 0.02 + 0.04],
    ])


def coriolis_on_paper(q: Vector, v: Vector) -> Vector:
    s = 0.1 * sin(q[1])
    return np.array([-s * (2 * v[0] * v[1] + v[1] ** 2), s * v[0] ** 2])


def gravity_on_paper(q: Vector, payload: float = 0.0) -> Vector:
    """Slope of the height of all masses; a positive angle moves the arm down."""
    both = q[0] + q[1]
    elbow = -G * (0.2 * cos(both) + payload * 0.4 * cos(both))
    return np.array([elbow - G * (2 * 0.25 + 0.5 + payload * 0.5) * cos(q[0]), elbow])


def test_inverse_dynamics() -> None:
    expected = masses_on_paper(Q) @ A + coriolis_on_paper(Q, V) + gravity_on_paper(Q)
    assert model().inverse_dynamics(Q, V, A) == pytest.approx(expected, abs=1e-12)


def test_writes_to_the_array_given() -> None:
    robot = model()
    for call in (
        lambda out: robot.inverse_dynamics(Q, V, A, out),
        lambda out: robot.gravity(Q, out),
        lambda out: robot.difference(Q, V, out),
    ):
        out = np.full(2, np.nan)
        assert call(out) is out
        assert out.tolist() == call(None).tolist()


def test_result_is_not_overwritten_by_the_next_call() -> None:
    robot = model()
    first = robot.inverse_dynamics(Q, V, A)
    kept = first.copy()
    robot.inverse_dynamics(Q, V, 2 * A)
    assert first.tolist() == kept.tolist()


def test_parts_of_the_equation() -> None:
    robot = model()
    assert robot.mass_matrix(Q) == pytest.approx(masses_on_paper(Q), abs=1e-12)
    assert robot.gravity(Q) == pytest.approx(gravity_on_paper(Q), abs=1e-12)
    expected = coriolis_on_paper(Q, V) + gravity_on_paper(Q)
    assert robot.bias(Q, V) == pytest.approx(expected, abs=1e-12)


def test_forward_dynamics() -> None:
    tau = np.array([3.0, -1.0])
    rest = tau - coriolis_on_paper(Q, V) - gravity_on_paper(Q)
    expected = np.linalg.solve(masses_on_paper(Q), rest)
    assert model().forward_dynamics(Q, V, tau) == pytest.approx(expected, abs=1e-10)


def test_b67_order_is_that_of_the_joints_asked_for() -> None:
    robot = build_model(TEXT, ('elbow', 'shoulder'), armature=np.array([0.1, 0.2]))
    expected = masses_on_paper(Q) @ A + coriolis_on_paper(Q, V) + gravity_on_paper(Q)
    expected += np.array([0.2, 0.1]) * A
    found = robot.inverse_dynamics(Q[::-1], V[::-1], A[::-1])
    assert found[::-1] == pytest.approx(expected, abs=1e-12)
    back = robot.forward_dynamics(Q[::-1], V[::-1], found)
    assert back[::-1] == pytest.approx(A, abs=1e-10)


def test_b62_armature_counts_once() -> None:
    rotor = np.array([0.3, 0.07])
    robot = model(armature=rotor)
    without = model().inverse_dynamics(Q, V, A)
    assert robot.inverse_dynamics(Q, V, A) == pytest.approx(without + rotor * A, abs=1e-12)
    assert robot.mass_matrix(Q) == pytest.approx(masses_on_paper(Q) + np.diag(rotor), abs=1e-12)
    assert robot.gravity(Q) == pytest.approx(gravity_on_paper(Q), abs=1e-12)


def test_views_with_gaps_are_read_right() -> None:
    robot = model()
    wide = np.array([Q, V, A, Q]).T.copy()
    found = robot.inverse_dynamics(wide[:, 0], wide[:, 1], wide[:, 2])
    assert found.tolist() == robot.inverse_dynamics(Q, V, A).tolist()


@pytest.mark.parametrize('bad', [np.nan, np.inf])
def test_non_finite_input_raises_nothing(bad: float) -> None:
    robot = model()
    assert not np.isfinite(robot.inverse_dynamics(np.array([0.1, bad]), V, A)).all()
    assert not np.isfinite(robot.inverse_dynamics(Q, V, np.array([bad, 0.1]))).all()


def test_b62_friction_is_no_part_of_the_model() -> None:
    plain = TEXT.replace('damping="0.3" friction="0.2"', 'damping="0" friction="0"')
    assert plain != TEXT
    robot = build_model(plain, JOINTS)
    assert robot.bias(Q, V).tolist() == model().bias(Q, V).tolist()


def test_tilted_gravity_live() -> None:
    robot = model()
    robot.set_gravity(np.array([G, 0.0, 0.0]))
    # Gravity along x: what was cos of an angle is now its sine.
    both = Q[0] + Q[1]
    elbow = G * 0.2 * sin(both)
    expected = [elbow + G * (2 * 0.25 + 0.5) * sin(Q[0]), elbow]
    assert robot.gravity(Q) == pytest.approx(expected, abs=1e-12)


def test_payload_live() -> None:
    robot = model(payload_frame='tool0')
    robot.set_payload(3.0, np.zeros(3), np.zeros(6))
    assert robot.gravity(Q) == pytest.approx(gravity_on_paper(Q, payload=3.0), abs=1e-12)
    robot.set_payload(1.5, np.zeros(3), np.zeros(6))
    assert robot.gravity(Q) == pytest.approx(gravity_on_paper(Q, payload=1.5), abs=1e-12)
    robot.set_payload(0.0, np.zeros(3), np.zeros(6))
    assert robot.inverse_dynamics(Q, V, A).tolist() == model().inverse_dynamics(Q, V, A).tolist()


def test_payload_inertia_and_offset() -> None:
    robot = model(payload_frame='tool0')
    robot.set_payload(2.0, np.array([0.1, 0.0, 0.0]), np.array([0.1, 0, 0, 0.03, 0, 0.2]))
    # Elbow: the mass at 0.4 + 0.1 m and the moment about y.
    assert robot.mass_matrix(Q)[1, 1] == pytest.approx(0.06 + 2.0 * 0.25 + 0.03, abs=1e-12)


@pytest.mark.parametrize(
    ('mass', 'com'), [(-1.0, 0.0), (float('nan'), 0.0), (1.0, float('inf'))]
)
def test_unusable_payload_is_refused(mass: float, com: float) -> None:
    with pytest.raises(ModelError, match='payload'):
        model(payload_frame='tool0').set_payload(mass, np.array([com, 0, 0]), np.zeros(6))


def test_payload_without_a_frame_is_refused() -> None:
    robot = model()
    robot.set_payload(0.0, np.zeros(3), np.zeros(6))
    with pytest.raises(ModelError, match=r'2 kg, but payload\.frame is empty'):
        robot.set_payload(2.0, np.zeros(3), np.zeros(6))


def test_wrench_at_the_tool_in_axes_of_the_base() -> None:
    robot = model(wrench_frame='tool0')
    both = Q[0] + Q[1]
    # Moments about y: x force times height is lost, z force times the lever arm.
    lever = np.array([0.5 * cos(Q[0]) + 0.4 * cos(both), 0.4 * cos(both)])
    drop = np.array([0.5 * sin(Q[0]) + 0.4 * sin(both), 0.4 * sin(both)])
    wrench = np.array([7.0, 11.0, 3.0, 5.0, 2.0, 13.0])
    expected = -7.0 * drop - 3.0 * lever + 2.0
    assert robot.wrench_torque(Q, wrench) == pytest.approx(expected, abs=1e-12)


def test_wrench_without_a_frame_is_refused() -> None:
    with pytest.raises(ModelError, match='wrench_frame'):
        model().wrench_torque(Q, np.ones(6))


def test_b63_hardware_that_carries_the_robot() -> None:
    robot = model(compensates=('gravity',))
    assert robot.gravity(Q).tolist() == [0.0, 0.0]
    expected = masses_on_paper(Q) @ A + coriolis_on_paper(Q, V)
    assert robot.inverse_dynamics(Q, V, A) == pytest.approx(expected, abs=1e-12)
    robot.set_gravity(np.array([0.0, 0.0, -G]))
    assert robot.gravity(Q).tolist() == [0.0, 0.0]


def test_b63_hardware_that_compensates_coriolis() -> None:
    robot = model(compensates=('coriolis',))
    expected = masses_on_paper(Q) @ A + gravity_on_paper(Q)
    tau = robot.inverse_dynamics(Q, V, A)
    assert tau == pytest.approx(expected, abs=1e-12)
    assert robot.forward_dynamics(Q, V, tau) == pytest.approx(A, abs=1e-10)


def test_difference_does_not_wrap_a_revolute_joint() -> None:
    found = model().difference(np.array([-2.4, 0.0]), np.array([1.9, 2.0]))
    assert found == pytest.approx([4.3, 2.0])


def test_difference_of_continuous_joints_only() -> None:
    robot = build_model(TEXT.replace('"elbow" type="revolute"', '"elbow" type="continuous"'),
                        JOINTS)
    assert robot.continuous.tolist() == [False, True]
    for start, end, way in (
        (0.0, 1.0, 1.0), (3.0, -3.0, 2 * pi - 6.0), (-3.0, 3.0, 6.0 - 2 * pi),
        (0.0, pi, pi), (0.0, -pi, pi), (pi, 0.0, pi), (0.0, 7 * pi, pi), (1.0, 1.0, 0.0),
    ):
        found = robot.difference(np.array([start, start]), np.array([end, end]))
        assert found == pytest.approx([end - start, way], abs=1e-12)
    with np.errstate(invalid='ignore'):
        assert np.isnan(robot.difference(np.zeros(2), np.array([0.0, np.nan]))[1])
        assert np.isinf(robot.difference(np.zeros(2), np.array([0.0, np.inf]))[1])


def test_facts() -> None:
    robot = model()
    assert (robot.joints, robot.n, robot.mass) == (JOINTS, 2, 3.0)
    assert robot.facts.moving_mass == pytest.approx(3.0)
    assert robot.warnings == robot.mimic == robot.massless_links == ()
    assert robot.locked == {}
