"""Limits between the points, against extrema that are known or found by roots."""
from __future__ import annotations

import numpy as np
import pytest

from id_controller.errors import TrajectoryError
from id_controller.state import Vector
from id_controller.trajectory.between import Bounds, check_polynomials

FREE = np.full(2, np.inf)


def bounds(**changes: Vector) -> Bounds:
    return Bounds(**{
        'lower': -FREE, 'upper': FREE, 'velocity': FREE, 'acceleration': FREE, **changes
    })


def extrema(power: Vector, duration: float, derivative: int) -> tuple[float, float]:
    """Lowest and highest value on the way, by the roots of the derivative."""
    curve = np.polynomial.Polynomial(power).deriv(derivative)
    turns = curve.deriv().roots()
    at = [turn.real for turn in turns if abs(turn.imag) < 1e-9 and 0.0 < turn.real < duration]
    values = curve(np.array([0.0, duration, *at]))
    return float(values.min()), float(values.max())


def test_a_cubic_that_turns_between_its_points() -> None:
    # 27/4 s^2 (1 - s) over 1 s: 0 at both ends, 1 at s = 2/3; v = 2.25 at s = 1/3.
    bump = np.array([0.0, 0.0, 6.75, -6.75, 0.0, 0.0])
    coefficients = np.stack((np.zeros(6), bump), axis=1)[np.newaxis]
    one = np.ones(1)
    check_polynomials(coefficients, one, bounds(upper=np.array([0.0, 1.0])), ('a', 'b'))
    with pytest.raises(TrajectoryError, match=(
        r"between points 0 and 1, joint 'b', position: got 0.999999, expected -inf to 0.99 "
    )):
        check_polynomials(coefficients, one, bounds(upper=np.array([0.0, 0.99])), ('a', 'b'))
    check_polynomials(coefficients, one, bounds(velocity=np.array([0.1, 6.75])), ('a', 'b'))
    with pytest.raises(TrajectoryError, match=r"'b', velocity: got -6.75"):
        check_polynomials(coefficients, one, bounds(velocity=np.array([0.1, 6.7])), ('a', 'b'))
    with pytest.raises(TrajectoryError, match=r"'b', acceleration: got -27, expected -26.5"):
        check_polynomials(coefficients, one, bounds(acceleration=np.full(2, 26.5)), ('a', 'b'))


def test_the_first_piece_that_is_wrong_is_named() -> None:
    line = np.zeros((5, 6, 2))
    line[3, 1, 0] = line[4, 1, 1] = 2.0
    with pytest.raises(TrajectoryError, match=r"points 3 and 4, joint 'a', velocity: got 2"):
        check_polynomials(line, np.ones(5), bounds(velocity=np.ones(2)), ('a', 'b'))
    with pytest.raises(TrajectoryError, match=r"far off, joint 'a'"):
        check_polynomials(
            line[3:4], np.ones(1), bounds(velocity=np.ones(2)), ('a', 'b'), ('far off',)
        )


@pytest.mark.parametrize('derivative', [0, 1, 2])
def test_verdicts_agree_with_roots(derivative: int) -> None:
    draw = np.random.default_rng(derivative)
    name = ('upper', 'velocity', 'acceleration')[derivative]
    for _ in range(200):
        power, duration = draw.normal(size=6), float(draw.uniform(0.1, 3.0))
        low, high = extrema(power, duration, derivative)
        largest = high if derivative == 0 else max(-low, high)
        for factor, fine in ((1.0 + 1e-4, True), (1.0 - 1e-4, False)):
            limit = largest + (factor - 1.0) * (abs(largest) + 1e-3)
            given = bounds(**{name: np.array([limit, np.inf])})
            coefficients = np.stack((power, np.zeros(6)), axis=1)[np.newaxis]
            try:
                check_polynomials(coefficients, np.array([duration]), given, ('a', 'b'))
            except TrajectoryError:
                assert not fine, (power, duration)
            else:
                assert fine, (power, duration)
