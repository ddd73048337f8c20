"""
Whether gains are stable when sampled and delayed: what a gain means depends on the inertia.

A joint of inertia M under u = -Kp q - Kd v, held over the period T and late by a delay, is a
linear system in discrete time (Franklin, Powell, Workman, *Digital Control of Dynamic Systems*,
section 4.3). It is stable when all eigenvalues lie inside the unit circle. Without delay that is
Kp T / 2 < Kd < 2 M / T (Jury's criterion); each period of delay costs much of that.
"""
from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from id_controller.model.limits import JointLimits
from id_controller.model.robot import RobotModel
from id_controller.model.sampling import sampled_positions
from id_controller.state import Matrix, Vector

# A joint without a position gain rests anywhere: an eigenvalue of 1, give or take rounding.
STABLE_BELOW = 1.0 + 1e-6


@dataclass(frozen=True, kw_only=True, slots=True)
class Inertias:
    """
    What each joint feels, over sampled poses; shape (n,), kg m^2 or kg.

    :param free: Smallest 1 / (M^-1)_ii: the other joints are free to move. Decides stability.
    :param held: Smallest M_ii and :param held_most: largest: the other joints are held.
    :param poses: Where ``free`` is smallest: row i for joint i, shape (n, n).
    """

    free: Vector
    held: Vector
    held_most: Vector
    poses: Matrix


@dataclass(frozen=True, kw_only=True, slots=True)
class Stability:
    """
    Discrete stability of joint gains.

    :param damping_number: Kd T / M of each joint, shape (n,), with M the smallest ``free``.
    :param stiffness_number: Kp T^2 / M of each joint, shape (n,).
    :param radius: Largest eigenvalue of each joint on its own, shape (n,); stable below 1.
    :param whole_radius: Largest eigenvalue of all joints together, at the worst pose looked at.
    :param delay_margin_s: Delay, beside the one stated, at which the first joint turns unstable.
    """

    damping_number: Vector
    stiffness_number: Vector
    radius: Vector
    whole_radius: float
    delay_margin_s: Vector

    @property
    def stable(self) -> bool:
        """Whether no eigenvalue lies outside the unit circle."""
        return self.whole_radius < STABLE_BELOW and bool((self.radius < STABLE_BELOW).all())


def smallest_inertias(
    model: RobotModel, limits: JointLimits, samples: int = 200, seed: int = 0
) -> Inertias:
    """Search the range of a robot for the smallest inertia that each joint feels."""
    poses = sampled_positions(limits, samples, seed)
    masses = np.array([model.mass_matrix(pose) for pose in poses])
    held = np.diagonal(masses, axis1=1, axis2=2)
    free = 1.0 / np.diagonal(np.linalg.inv(masses), axis1=1, axis2=2)
    worst = free.argmin(axis=0)
    return Inertias(
        free=free.min(axis=0), held=held.min(axis=0), held_most=held.max(axis=0),
        poses=poses[worst],
    )


def gains_stability(
    model: RobotModel,
    inertias: Inertias,
    kp: Vector,
    kd: Vector,
    period_s: float,
    delay_s: float = 0.0,
) -> Stability:
    """
    Judge the gains of ``feedforward`` and ``gravity_pd``, which act on torque.

    :param kp: Proportional gains, shape (n,), N m/rad.
    :param kd: Derivative gains, shape (n,), N m s/rad.
    :param delay_s: From the measurement to the torque, all transport and computing.
    """
    single = [
        spectral_radius(p, d, m, period_s, delay_s) for p, d, m in zip(kp, kd, inertias.free)
    ]
    whole = [
        whole_radius(np.diag(kp), np.diag(kd), model.mass_matrix(pose), period_s, delay_s)
        for pose in inertias.poses
    ]
    return Stability(
        damping_number=kd * period_s / inertias.free,
        stiffness_number=kp * period_s**2 / inertias.free,
        radius=np.array(single),
        whole_radius=max(whole),
        delay_margin_s=np.array(
            [
                delay_margin(p, d, m, period_s, delay_s)
                for p, d, m in zip(kp, kd, inertias.free)
            ]
        ),
    )


def spectral_radius(
    kp: float, kd: float, inertia: float, period_s: float, delay_s: float
) -> float:
    """
    Largest eigenvalue of one joint; stable below 1.

    For ``computed_torque`` the gains act on acceleration: take an inertia of 1.
    """
    return whole_radius(
        np.array([[kp]]), np.array([[kd]]), np.array([[inertia]]), period_s, delay_s
    )


def whole_radius(
    kp: Matrix, kd: Matrix, mass: Matrix, period_s: float, delay_s: float
) -> float:
    """
    Largest eigenvalue of coupled joints under u = -Kp q - Kd v; stable below 1.

    Gravity, friction and Coriolis forces are left out. A free joint (no gain) sits at 1.

    :param kp: Proportional and :param kd: derivative gains, shape (n, n).
    :param mass: Mass matrix, shape (n, n).
    """
    n = len(mass)
    whole = math.floor(delay_s / period_s + 1e-9)
    # The torque of `whole + 1` periods ago acts for the first part of a period.
    part = max(delay_s - whole * period_s, 0.0)
    rest = period_s - part
    push = np.linalg.inv(mass)
    state = np.block([[np.eye(n), period_s * np.eye(n)], [np.zeros((n, n)), np.eye(n)]])
    older = np.vstack([(period_s**2 - rest**2) / 2.0 * push, part * push])
    newer = np.vstack([rest**2 / 2.0 * push, rest * push])
    gain = -np.hstack([kp, kd])
    size = 2 * n + n * (whole + 1)
    step = np.zeros((size, size))
    step[: 2 * n, : 2 * n] = state
    # After the state: the torques of 1, 2, ... periods ago.
    step[2 * n : 3 * n, : 2 * n] = gain
    step[3 * n :, 2 * n : -n] = np.eye(n * whole)
    step[: 2 * n, size - n :] += older
    if whole:
        step[: 2 * n, size - 2 * n : size - n] += newer
    else:
        step[: 2 * n, : 2 * n] += newer @ gain
    return float(np.abs(np.linalg.eigvals(step)).max())


def delay_margin(
    kp: float, kd: float, inertia: float, period_s: float, delay_s: float, most_s: float = 0.05
) -> float:
    """
    Further delay at which a joint turns unstable, to a tenth of a period.

    :param most_s: Where the search ends; this is returned when it is stable all along.
    :return: Seconds beside ``delay_s``; 0 when it is unstable already.
    """
    if spectral_radius(kp, kd, inertia, period_s, delay_s) >= STABLE_BELOW:
        return 0.0
    low, high = 0.0, most_s
    if spectral_radius(kp, kd, inertia, period_s, delay_s + high) < STABLE_BELOW:
        return most_s
    while high - low > 0.1 * period_s:
        middle = 0.5 * (low + high)
        if spectral_radius(kp, kd, inertia, period_s, delay_s + middle) < STABLE_BELOW:
            low = middle
        else:
            high = middle
    return low
