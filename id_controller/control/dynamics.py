"""What the control laws ask of a robot model; learned models plug in behind the same calls."""
from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from id_controller.state import Vector


class InverseDynamics(Protocol):
    """
    A map from a motion to the torque that makes it.

    RNEA is its first implementation (Featherstone, Rigid Body Dynamics Algorithms, ch. 5).
    """

    def __call__(self, q: Vector, v: Vector, a: Vector, out: Vector | None = None) -> Vector:
        """
        Compute the torque of a motion.

        :param q: Positions, :param v: velocities, :param a: accelerations, shape (n,) each.
        :param out: Where the torque goes, shape (n,), N m or N.
        """


class Dynamics(Protocol):
    """A robot as the control laws see it, in controller joint order."""

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints."""

    @property
    def n(self) -> int:
        """Number of joints."""

    @property
    def continuous(self) -> npt.NDArray[np.bool_]:
        """Which joints turn without end, shape (n,)."""

    def inverse_dynamics(
        self, q: Vector, v: Vector, a: Vector, out: Vector | None = None
    ) -> Vector:
        """Compute the torque of a motion, shape (n,)."""

    def gravity(self, q: Vector, out: Vector | None = None) -> Vector:
        """Compute the torque that holds the robot against gravity, shape (n,)."""

    def difference(self, q_from: Vector, q_to: Vector, out: Vector | None = None) -> Vector:
        """Compute the way from one position to another, shape (n,)."""

    def wrench_torque(self, q: Vector, wrench: Vector, out: Vector | None = None) -> Vector:
        """Compute ``J^T w`` of a wrench of force and torque, shape (6,)."""

    def set_payload(self, mass: float, com: Vector, inertia: Vector) -> None:
        """Change the payload."""

    def set_gravity(self, gravity: Vector) -> None:
        """Change the gravity vector in the base frame, shape (3,)."""
