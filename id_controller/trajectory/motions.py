"""
Named motions inside the limits of a robot, for demonstrations, tests and senders.

They start and end at rest at a start pose, and carry positions, velocities and accelerations.
"""
from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from id_controller.errors import TrajectoryError
from id_controller.state import Matrix, Vector
from id_controller.trajectory.points import JointPoints, Limits
from id_controller.trajectory.spline import QUINTIC_PEAK, QUINTIC_PEAK_ACCELERATION

# Farthest that a joint without position limits goes from its start, rad or m.
_WIDEST = 1.0
_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0


def sine(
    joints: tuple[str, ...],
    limits: Limits,
    start: Vector,
    *,
    fraction: float = 0.5,
    hz: float = 0.5,
    duration_s: float = 8.0,
    rate_hz: float = 100.0,
    acceleration: Vector | None = None,
    fade_s: float = 1.0,
) -> JointPoints:
    """
    Move all joints on sines about the start pose, each with an amplitude and a phase of its own.

    A window fades the motion in and out, with q, v and a continuous.

    :param limits: Limits of the joints.
    :param start: Start pose, shape (n,).
    :param fraction: Share of the limits that is used, above 0, up to 1.
    :param hz: Frequency, Hz.
    :param duration_s: Duration, s, with both fades.
    :param rate_hz: Points per second.
    :param acceleration: Acceleration limits, shape (n,); None: unlimited.
    :param fade_s: Duration of each fade, s.
    :raises TrajectoryError: when a parameter or the start pose is out of range.
    """
    _check_positive(fraction=fraction, hz=hz, duration_s=duration_s)
    _check_positive(rate_hz=rate_hz, fade_s=fade_s)
    if fraction > 1.0 or 2.0 * fade_s > duration_s:
        raise TrajectoryError(
            f'sine: got fraction {fraction:g} and two fades of {fade_s:g} s in {duration_s:g} s, '
            'expected a fraction up to 1 and fades that fit'
        )
    omega = 2.0 * math.pi * hz
    # Bounds of the derivatives of window times sine: the product rule with the peaks of each.
    first = omega + QUINTIC_PEAK / fade_s
    second = omega**2 + 2.0 * omega * QUINTIC_PEAK / fade_s + QUINTIC_PEAK_ACCELERATION / fade_s**2
    amplitude = np.minimum(_room(joints, limits, start), limits.velocity / first)
    if acceleration is not None:
        amplitude = np.minimum(amplitude, acceleration / second)
    index = np.arange(len(joints))
    amplitude = amplitude * fraction * (1.0 - 0.25 * np.mod(index * _GOLDEN, 1.0))
    phase = 2.0 * math.pi * np.mod(index * _GOLDEN, 1.0)
    times = np.linspace(0.0, duration_s, max(2, round(duration_s * rate_hz)) + 1)
    wave = _waves(times, omega, phase)
    q, v, a = amplitude * _product(_window(times, duration_s, fade_s)[:, :, np.newaxis], wave)
    return JointPoints(joints=joints, times=times, q=start + q, v=v, a=a)


def _waves(times: Vector, omega: float, phase: Vector) -> Matrix:
    """Sines with two derivatives, shape (3, m, n)."""
    angle = omega * times[:, np.newaxis] + phase
    return np.stack((np.sin(angle), omega * np.cos(angle), -(omega**2) * np.sin(angle)))


def _window(times: Vector, duration_s: float, fade_s: float) -> Matrix:
    """Quintic fade-in and fade-out with two derivatives, shape (3, m)."""
    sides = np.minimum(times, duration_s - times) / fade_s
    sign = np.where(times < 0.5 * duration_s, 1.0, -1.0)
    u = np.clip(sides, 0.0, 1.0)
    value = u**3 * (10.0 - 15.0 * u + 6.0 * u**2)
    slope = sign * 30.0 * u**2 * (1.0 - u) ** 2 / fade_s
    curve = 60.0 * u * (1.0 - u) * (1.0 - 2.0 * u) / fade_s**2
    return np.stack((value, slope, curve))


def _product(f: Matrix, g: Matrix) -> Matrix:
    """Product of two functions with two derivatives."""
    return np.stack((
        f[0] * g[0],
        f[1] * g[0] + f[0] * g[1],
        f[2] * g[0] + 2.0 * f[1] * g[1] + f[0] * g[2],
    ))


def quintic_tour(
    joints: tuple[str, ...],
    limits: Limits,
    start: Vector,
    *,
    stops: int = 4,
    fraction: float = 0.5,
    acceleration: Vector | None = None,
    shortest_s: float = 0.5,
) -> JointPoints:
    """
    Visit poses around the start pose and come back, at rest in each.

    :param limits: Limits of the joints.
    :param start: Start pose, shape (n,).
    :param stops: Number of poses beside the start pose.
    :param fraction: Share of the limits that is used, above 0, up to 1.
    :param acceleration: Acceleration limits, shape (n,); None: unlimited.
    :param shortest_s: Shortest time between two poses, s.
    :raises TrajectoryError: when a parameter or the start pose is out of range.
    """
    _check_positive(stops=stops, fraction=fraction, shortest_s=shortest_s)
    if fraction > 1.0:
        raise TrajectoryError(f'quintic_tour: got fraction {fraction:g}, expected up to 1')
    index = np.arange(len(joints)) * math.sqrt(2.0)
    phase = np.arange(1, stops + 1)[:, np.newaxis] * _GOLDEN + index
    room = _room(joints, limits, start) * fraction
    q = np.vstack((start, start + room * np.sin(2.0 * math.pi * phase), start))
    return _from_rest_to_rest(joints, q, fraction * limits.velocity, acceleration, shortest_s)


def sweep(
    joints: tuple[str, ...],
    limits: Limits,
    start: Vector,
    *,
    fraction: float = 0.5,
    acceleration: Vector | None = None,
    shortest_s: float = 0.5,
) -> JointPoints:
    """
    Move one joint after the other to its low end, its high end and back; the others rest.

    :param limits: Limits of the joints.
    :param start: Start pose, shape (n,).
    :param fraction: Share of the limits that is used, above 0, up to 1: the ends are that share
        of the way from the start pose to the position limits.
    :param acceleration: Acceleration limits, shape (n,); None: unlimited.
    :param shortest_s: Shortest time between two poses, s.
    :raises TrajectoryError: when a parameter or the start pose is out of range.
    """
    _check_positive(fraction=fraction, shortest_s=shortest_s)
    if fraction > 1.0:
        raise TrajectoryError(f'sweep: got fraction {fraction:g}, expected up to 1')
    moves = _room(joints, limits, start) > 0.0
    low = start - fraction * np.minimum(start - limits.lower, _WIDEST)
    high = start + fraction * np.minimum(limits.upper - start, _WIDEST)
    poses = [start]
    for joint in np.flatnonzero(moves):
        for end in (low, high, start):
            poses.append(start.copy())
            poses[-1][joint] = end[joint]
    q = np.array(poses)
    return _from_rest_to_rest(joints, q, fraction * limits.velocity, acceleration, shortest_s)


def _from_rest_to_rest(
    joints: tuple[str, ...], q: Matrix, velocity: Vector, acceleration: Vector | None,
    shortest_s: float,
) -> JointPoints:
    """
    Give each way between two poses the time that a quintic needs at the limits.

    :param q: The poses, shape (m, n).
    """
    ways = np.abs(np.diff(q, axis=0))
    legs = QUINTIC_PEAK * _quotient(ways, velocity)
    if acceleration is not None:
        legs = np.maximum(legs, np.sqrt(QUINTIC_PEAK_ACCELERATION * _quotient(ways, acceleration)))
    times = np.concatenate(([0.0], np.cumsum(np.maximum(legs.max(axis=1), shortest_s))))
    rest = np.zeros_like(q)
    return JointPoints(joints=joints, times=times, q=q, v=rest, a=rest.copy())


def _quotient(ways: Matrix, limit: Vector) -> Matrix:
    """Divide; where the limit is 0 there is no way to go, and no time is needed."""
    return np.divide(ways, limit, out=np.zeros_like(ways), where=limit > 0.0)


def _room(joints: tuple[str, ...], limits: Limits, start: Vector) -> Vector:
    """How far each joint can go either way from the start pose."""
    room = np.minimum(np.minimum(start - limits.lower, limits.upper - start), _WIDEST)
    for joint, space, at in zip(joints, room, start, strict=True):
        if not space >= 0.0:
            raise TrajectoryError(
                f'start pose, joint {joint!r}: got {at:.6g}, expected a position inside the limits'
            )
    return np.where(limits.velocity > 0.0, room, 0.0)


def _check_positive(**values: float) -> None:
    for name, value in values.items():
        if not (value > 0.0 and math.isfinite(value)):
            raise TrajectoryError(f'motion, {name}: got {value}, expected a number above 0')


MOTIONS: dict[str, Callable[..., JointPoints]] = {
    'sine': sine, 'quintic_tour': quintic_tour, 'sweep': sweep,
}
