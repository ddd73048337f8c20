"""
What makes a plant unlike its description: friction, rotors, wrong masses, load, delay, noise.

Everything random comes from one seed, so that a run can be repeated.
"""
from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from id_controller.parameters.groups import Payload
from id_controller.state import NANOSECONDS, Vector

_MASSES, _NOISE = 1, 2


@dataclass(frozen=True, kw_only=True, slots=True)
class Realism:
    """
    How the plant departs from its description; the default is not at all.

    :param armature: Reflected rotor inertia by joint, kg m^2 or kg.
    :param viscous: Viscous friction by joint instead of that of the URDF, N m s/rad.
    :param coulomb: Coulomb friction by joint instead of that of the URDF, N m.
    :param mass_scale: Factor on the mass and inertia of every link.
    :param mass_error: Largest relative error of the mass of a link, drawn for each link.
    :param payloads: Bodies that the description does not know; those of no mass are no bodies.
    :param command_delay_s: Time from a command's arrival to its effect, s.
    :param velocity_noise: Standard deviation of measured velocities, rad/s or m/s.
    :param seed: Seed of everything drawn.
    """

    armature: Mapping[str, float] = field(default_factory=dict)
    viscous: Mapping[str, float] = field(default_factory=dict)
    coulomb: Mapping[str, float] = field(default_factory=dict)
    mass_scale: float = 1.0
    mass_error: float = 0.0
    payloads: tuple[Payload, ...] = ()
    command_delay_s: float = 0.0
    velocity_noise: float = 0.0
    seed: int = 0


def mass_factors(realism: Realism, links: Iterable[str]) -> dict[str, float]:
    """
    Draw the factor on the mass of each link.

    :param links: Names in the order of the URDF; the draw depends on it.
    """
    random = np.random.default_rng([realism.seed, _MASSES])
    error = realism.mass_error
    return {
        link: realism.mass_scale * (1.0 + float(random.uniform(-error, error))) for link in links
    }


class VelocityNoise:
    """White noise on measured velocities."""

    def __init__(self, realism: Realism) -> None:
        self._deviation = realism.velocity_noise
        self._random = np.random.default_rng([realism.seed, _NOISE])

    def measured(self, v: Vector) -> Vector:
        """
        Measure velocities.

        :param v: True velocities, shape (n,).
        """
        if self._deviation == 0.0:
            return v
        return v + self._deviation * self._random.standard_normal(v.size)


class CommandDelay:
    """
    Efforts that take effect some time after they arrive.

    :param delay_s: The delay, s.
    :param n: Number of joints.
    """

    def __init__(self, delay_s: float, n: int) -> None:
        self.delay_ns = round(delay_s * NANOSECONDS)
        self._coming: deque[tuple[int, Vector]] = deque()
        self._present = np.zeros(n)

    def put(self, now_ns: int, tau: Vector) -> None:
        """
        Let efforts arrive.

        :param tau: Efforts, shape (n,); copied.
        """
        self._coming.append((now_ns + self.delay_ns, tau.copy()))

    def at(self, now_ns: int) -> Vector:
        """Efforts that act at a time; times must not decrease."""
        while self._coming and self._coming[0][0] <= now_ns:
            self._present = self._coming.popleft()[1]
        return self._present

    def clear(self) -> None:
        """Forget what is on its way; nothing acts."""
        self._coming.clear()
        self._present = np.zeros(self._present.size)
