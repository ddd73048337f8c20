"""
Limits between the points: what a polynomial does on its way is bounded, not sampled.

In Bernstein form a polynomial lies within the hull of its coefficients (Farin, Curves and
Surfaces for CAGD, 5th ed., ch. 4 and 5). Where the hull is within the limits so is the
polynomial; where not, halving narrows the hull until it is, or until a value on the curve is
outside.
"""
from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from id_controller.errors import TrajectoryError
from id_controller.state import Matrix, Vector
from id_controller.trajectory.trajectory import Cube

SLACK = 1e-6
# Each halving brings hull and curve closer by a factor of four.
_HALVINGS = 20
_QUANTITIES = ('position', 'velocity', 'acceleration')


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Bounds:
    """
    What a motion may do, shape (n,) each; infinite where unlimited.

    :param lower: Lower and :param upper: upper bounds of the positions.
    :param velocity: Largest velocity, :param acceleration: largest acceleration, either way.
    """

    lower: Vector
    upper: Vector
    velocity: Vector
    acceleration: Vector

    def of(self, quantity: int) -> tuple[Vector, Vector]:
        """Return lower and upper bounds, with slack, of the quantity of that derivative."""
        if quantity == 0:
            return self.lower - SLACK, self.upper + SLACK
        limit = (self.velocity if quantity == 1 else self.acceleration) * (1.0 + SLACK)
        return -limit, limit


def check_polynomials(
    coefficients: Cube,
    durations: Vector,
    bounds: Bounds,
    joints: tuple[str, ...],
    where: tuple[str, ...] | None = None,
) -> None:
    """
    Check polynomials from their start to their end.

    :param coefficients: Lowest power first, shape (k, 6, n).
    :param durations: How long each holds, shape (k,), s.
    :param where: What to call each; None: by the points that it joins.
    :raises TrajectoryError: naming the first piece and joint that leaves the bounds.
    """
    power = coefficients
    for quantity, name in enumerate(_QUANTITIES):
        lower, upper = bounds.of(quantity)
        if quantity:
            power = power[:, 1:] * np.arange(1.0, power.shape[1])[:, np.newaxis]
        found = _first_outside(power, durations, lower, upper)
        if found is None:
            continue
        k, joint = found
        place = where[k] if where else f'between points {k} and {k + 1}'
        got = _farthest(power[k, :, joint], durations[k], lower[joint], upper[joint])
        raise TrajectoryError(
            f'{place}, joint {joints[joint]!r}, {name}: got {got:.6g}, '
            f'expected {lower[joint]:.5g} to {upper[joint]:.5g} (limit)'
        )


def _first_outside(
    power: Cube, durations: Vector, lower: Vector, upper: Vector
) -> tuple[int, int] | None:
    """First polynomial and joint that leaves the bounds, if one does."""
    if np.isinf(lower).all() and np.isinf(upper).all():
        return None
    degree = power.shape[1] - 1
    scaled = power * durations[:, np.newaxis, np.newaxis] ** np.arange(degree + 1)[:, np.newaxis]
    hull = _to_bernstein(degree) @ scaled
    outside = (hull.min(axis=1) < lower) | (hull.max(axis=1) > upper)
    piece, joint = np.nonzero(outside)
    curves = hull[piece, :, joint]
    left, right = _halves(degree)
    for _ in range(_HALVINGS):
        if not len(curves):
            return None
        low, high = lower[joint, np.newaxis], upper[joint, np.newaxis]
        ends = curves[:, [0, -1]]
        wrong = ((ends < low) | (ends > high)).any(axis=1)
        if wrong.any():
            first = int(np.argmin(np.where(wrong, piece, np.iinfo(np.int64).max)))
            return int(piece[first]), int(joint[first])
        open_ = ((curves < low) | (curves > high)).any(axis=1)
        curves = np.concatenate((curves[open_] @ left.T, curves[open_] @ right.T))
        piece, joint = np.tile(piece[open_], 2), np.tile(joint[open_], 2)
    return None


def _to_bernstein(degree: int) -> Matrix:
    """From coefficients of powers of u in [0, 1] to those of the Bernstein basis."""
    return np.array([
        [comb(j, i) / comb(degree, i) if i <= j else 0.0 for i in range(degree + 1)]
        for j in range(degree + 1)
    ])


def _halves(degree: int) -> tuple[Matrix, Matrix]:
    """De Casteljau at one half: to the coefficients of the first and of the second half."""
    left = np.array([
        [comb(j, i) / 2.0**j if i <= j else 0.0 for i in range(degree + 1)]
        for j in range(degree + 1)
    ])
    return left, left[::-1, ::-1]


def _farthest(power: Vector, duration: float, lower: float, upper: float) -> float:
    """Value that lies farthest outside, for people."""
    times = np.linspace(0.0, duration, 1001)
    values = np.vander(times, len(power), increasing=True) @ power
    excess = np.maximum(lower - values, values - upper)
    return float(values[int(np.argmax(excess))])
