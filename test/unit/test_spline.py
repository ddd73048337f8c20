"""Splines against hand-computed numbers and an independent solution."""
from __future__ import annotations

import numpy as np
import pytest

from id_controller.errors import TrajectoryError
from id_controller.trajectory.points import JointPoints
from id_controller.trajectory.spline import (
    QUINTIC_PEAK,
    QUINTIC_PEAK_ACCELERATION,
    Evaluator,
    cubic,
    fit,
    quintic,
    sampled,
)

TIMES = np.array([1.0, 3.0, 3.5])
Q = np.array([[1.0, -4.0], [2.0, -2.0], [2.5, 3.0]])
V = np.array([[0.5, 0.25], [-1.0, 2.0], [0.0, 0.0]])
A = np.array([[3.0, -2.0], [0.5, 1.5], [-1.0, 4.0]])


def points(**fields: np.ndarray) -> JointPoints:
    return JointPoints(joints=('a', 'b'), times=TIMES, q=Q, **fields)


def test_positions_only_are_joined_by_lines() -> None:
    trajectory = fit(points())
    q, v, a = sampled(trajectory, np.array([1.0, 2.0, 3.25]))
    assert q.tolist() == [[1.0, -4.0], [1.5, -3.0], [2.25, 0.5]]
    assert v.tolist() == [[0.5, 1.0], [0.5, 1.0], [1.0, 10.0]]
    assert not a.any()
    assert trajectory.v.tolist() == [[0.5, 1.0], [1.0, 10.0], [0.0, 0.0]]


def test_a_cubic_has_the_textbook_coefficients() -> None:
    # q(s) = 1 + 2 s + 3 s^2 + 4 s^3 over 2 s: q = 49, v = 2 + 12 + 48 = 62 at the end.
    found = cubic(2.0, np.array([[1.0], [2.0]]), np.array([[49.0], [62.0]]))
    assert np.allclose(found[:, 0], [1.0, 2.0, 3.0, 4.0, 0.0, 0.0], atol=1e-12)


def test_a_quintic_has_the_textbook_coefficients() -> None:
    # q(s) = 1 + 2 s + 3 s^2 + 4 s^3 + 5 s^4 + 6 s^5 over 2 s: q = 321, v = 702, a = 1254.
    start, end = np.array([[1.0], [2.0], [6.0]]), np.array([[321.0], [702.0], [1254.0]])
    found = quintic(2.0, start, end)
    assert np.allclose(found[:, 0], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], atol=1e-10)


def conditions(h: float, orders: int) -> np.ndarray:
    """Rows that give the first derivatives of a polynomial at 0 and at h."""
    size = 2 * orders
    rows = []
    for s in (0.0, h):
        for order in range(orders):
            row = [
                np.prod(np.arange(k - order + 1, k + 1)) * s ** (k - order) if k >= order else 0.0
                for k in range(size)
            ]
            rows.append(row)
    return np.array(rows, dtype=np.float64)


@pytest.mark.parametrize(('fields', 'orders'), [((V,), 2), ((V, A), 3)])
def test_segments_agree_with_a_linear_solver(fields: tuple[np.ndarray, ...], orders: int) -> None:
    trajectory = fit(points(**dict(zip('va', fields))))
    given = np.stack((Q, *fields))
    for k, h in enumerate(np.diff(TIMES)):
        for joint in range(2):
            wanted = np.concatenate((given[:, k, joint], given[:, k + 1, joint]))
            expected = np.linalg.solve(conditions(h, orders), wanted)
            found = trajectory.coefficients[k, :, joint]
            assert np.allclose(found[: 2 * orders], expected, rtol=1e-10, atol=1e-10)
            assert not found[2 * orders :].any()


def test_v_and_a_at_the_points_are_given_or_follow() -> None:
    full = fit(points(v=V, a=A))
    assert np.allclose(full.v, V)
    assert np.allclose(full.a, A)
    half = fit(points(v=V))
    # First joint, first segment: slope 0.5, so a = 2 (3 * 0.5 - 2 * 0.5 + 1) / 2 = 1.5.
    assert not half.a.any()  # it steps at every point; the way to the first one ends without
    assert half.a[-1].tolist() == [0.0, 0.0]


def test_peaks_of_a_quintic_from_rest_to_rest() -> None:
    line = JointPoints(
        joints=('a',), times=np.array([0.0, 1.0]), q=np.array([[0.0], [1.0]]),
        v=np.zeros((2, 1)), a=np.zeros((2, 1)),
    )
    _, v, a = sampled(fit(line), np.linspace(0.0, 1.0, 100001))
    assert v.max() == pytest.approx(QUINTIC_PEAK, abs=1e-9)
    assert a.max() == pytest.approx(QUINTIC_PEAK_ACCELERATION, abs=1e-8)


def test_method_none_keeps_the_points_and_steps() -> None:
    trajectory = fit(points(v=V), 'none')
    assert trajectory.steps
    q, v, a = sampled(trajectory, np.array([0.0, 1.0, 2.999, 3.0, 9.0]))
    assert q[:, 0].tolist() == [1.0, 1.0, 1.0, 2.0, 2.5]
    assert v[:, 1].tolist() == [0.25, 0.25, 0.25, 2.0, 0.0]
    assert not a.any()


def test_one_point() -> None:
    one = JointPoints(joints=('a', 'b'), times=np.array([2.0]), q=Q[:1])
    trajectory = fit(one)
    assert trajectory.coefficients.shape == (0, 6, 2)
    assert sampled(trajectory, np.array([0.0, 5.0]))[0].tolist() == [[1.0, -4.0], [1.0, -4.0]]


def test_b11_outside_the_points_the_nearest_end_holds() -> None:
    q, _, _ = sampled(fit(points(v=V, a=A)), np.array([0.9, 3.6]))
    assert np.allclose(q, Q[[0, -1]])


def test_effort_is_noticed() -> None:
    effort = np.array([[1.0, 0.0], [2.0, 0.0], [3.0, 0.0]])
    assert fit(points(effort=effort)).has_effort
    assert not fit(points(effort=np.zeros((3, 2)))).has_effort
    assert not fit(points()).has_effort


def test_what_cannot_be_fitted() -> None:
    with pytest.raises(TrajectoryError, match="got 'spline', expected one of splines, c2, none"):
        fit(points(), 'spline')
    with pytest.raises(TrajectoryError, match='without positions'):
        fit(JointPoints(joints=('a', 'b'), times=TIMES, q=None, v=V))


def test_an_evaluator_agrees_with_horner() -> None:
    coefficients = np.array([
        [1.0, 6.0], [2.0, -5.0], [3.0, 4.0], [4.0, -3.0], [5.0, 2.0], [6.0, -1.0]
    ])
    out = np.zeros((3, 2))
    Evaluator().evaluate(0.7, coefficients, out)
    for joint in range(2):
        polynomial = np.polynomial.Polynomial(coefficients[:, joint])
        expected = [polynomial.deriv(order)(0.7) if order else polynomial(0.7)
                    for order in range(3)]
        assert np.allclose(out[:, joint], expected, rtol=1e-13)


def test_arrays_of_a_trajectory_are_read_only() -> None:
    trajectory = fit(points(v=V))
    with pytest.raises(ValueError, match='read-only'):
        trajectory.coefficients[0, 0, 0] = 1.0
    with pytest.raises(ValueError, match='read-only'):
        trajectory.v[0, 0] = 1.0
