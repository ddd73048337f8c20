"""Friction that the feedforward makes up for."""
from __future__ import annotations

import numpy as np

from id_controller.state import Vector


class Friction:
    """
    Viscous and smoothed Coulomb friction: ``viscous v + coulomb tanh(v / v_s)``.

    The smoothing keeps the torque continuous through standstill; see Siciliano et al., Robotics:
    Modelling, Planning and Control, sec. 7.2, and Andersson et al., Friction models for sliding
    dry, boundary and mixed lubricated contacts, Tribology International 40 (2007).

    :param viscous: Viscous friction, shape (n,), N m s/rad.
    :param coulomb: Coulomb friction, shape (n,), N m.
    :param velocity: Speed v_s at which the Coulomb part reaches tanh(1), rad/s.
    """

    def __init__(self, viscous: Vector, coulomb: Vector, velocity: float) -> None:
        self._viscous = viscous
        self._coulomb = coulomb
        self._per_velocity = np.full(len(viscous), 1.0 / velocity)
        self._scratch = np.zeros(len(viscous))

    @property
    def present(self) -> bool:
        """Whether there is any friction at all."""
        return bool(self._viscous.any() or self._coulomb.any())

    def torque(self, v: Vector, out: Vector) -> None:
        """
        Compute the torque that overcomes the friction.

        :param v: Velocities, :param out: torque, shape (n,) each.
        """
        np.multiply(v, self._per_velocity, out=self._scratch)
        np.tanh(self._scratch, out=self._scratch)
        np.multiply(self._scratch, self._coulomb, out=self._scratch)
        np.multiply(v, self._viscous, out=out)
        np.add(out, self._scratch, out=out)
