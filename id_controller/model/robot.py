"""The rigid-body dynamics of one robot, in controller joint order."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from id_controller.errors import ModelError
from id_controller.model.coordinates import Coordinates
from id_controller.model.facts import RobotFacts
from id_controller.state import Matrix, Vector

_TURN = 2.0 * math.pi


class RobotModel:
    """
    Equations of motion: tau = M(q) a + h(q, v), with h = C(q, v) v + g(q).

    RNEA, CRBA and ABA as in Featherstone, *Rigid Body Dynamics Algorithms* (2008), by Pinocchio.
    The robot is described as commands see it: what the hardware compensates itself is not in h.
    Friction is not part of it. Made by ``build_model``; not for two threads at a time.
    """

    def __init__(
        self,
        library: Any,
        model: Any,
        coordinates: Coordinates,
        facts: RobotFacts,
        *,
        rotor: Vector,
        gravity: Vector,
        frames: tuple[int, int],
        compensates: tuple[str, ...],
    ) -> None:
        """
        Take the parts as ``build_model`` made them.

        :param rotor: Rotor inertias that ``model`` does not have, shape (n,).
        :param frames: Numbers of the payload and the wrench frame, -1 for none.
        """
        self.facts, self.joints, self.n = facts, facts.joints, len(facts.joints)
        self.continuous = facts.continuous
        self._turning = [int(i) for i in np.flatnonzero(facts.continuous)]
        self._pin, self._model, self._data = library, model, model.createData()
        self._rnea, self._coordinates = library.rnea, coordinates
        self._rotor = rotor if rotor.any() else None
        self._payload_frame, self._wrench_frame = frames
        self._weightless = 'gravity' in compensates
        self._v_none = np.zeros(self.n) if 'coriolis' in compensates else None
        self._direct = not (facts.mimic or rotor.any() or 'coriolis' in compensates)
        self._payload_base = _inertia_at(model, self._payload_frame)
        self._scratch: Vector = np.zeros(self.n)
        self.set_gravity(gravity)

    @property
    def mass(self) -> float:
        """Sum of all link masses of the description, kg, without payload."""
        return self.facts.mass

    @property
    def locked(self) -> dict[str, float]:
        """Joints that do not move, with their positions."""
        return self.facts.locked

    @property
    def mimic(self) -> tuple[str, ...]:
        """Followers, which move with a controlled joint."""
        return self.facts.mimic

    @property
    def massless_links(self) -> tuple[str, ...]:
        """Links that have a shape or move, but no inertial."""
        return self.facts.massless_links

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a person should know before power is on."""
        return self.facts.warnings

    def inverse_dynamics(
        self, q: Vector, v: Vector, a: Vector, out: Vector | None = None
    ) -> Vector:
        """
        Compute the effort that gives an acceleration: tau = M(q) a + h(q, v).

        :param q: Positions, shape (n,), rad or m.
        :param v: Velocities, shape (n,).
        :param a: Accelerations, shape (n,).
        :param out: Where to write; a new array when None.
        :return: Efforts, shape (n,), N m or N; rotor inertias included.
        """
        at = self._coordinates
        if self._v_none is not None:
            v = self._v_none
        tau_pin = self._rnea(self._model, self._data, *at.motion(q, v, a))
        tau = at.efforts(tau_pin, out)
        if self._rotor is not None:
            np.add(tau, np.multiply(self._rotor, a, out=self._scratch), out=tau)
        return tau

    def gravity(self, q: Vector, out: Vector | None = None) -> Vector:
        """
        Compute the effort that holds the robot still: g(q).

        :param q: Positions, shape (n,).
        :return: Efforts, shape (n,).
        """
        at = self._coordinates
        tau_pin = self._pin.computeGeneralizedGravity(self._model, self._data, at.positions(q))
        return at.efforts(tau_pin, out)

    def bias(self, q: Vector, v: Vector) -> Vector:
        """
        Compute the effort of motion without acceleration: h(q, v).

        :param q: Positions and :param v: velocities, shape (n,).
        """
        at = self._coordinates
        v = v if self._v_none is None else self._v_none
        return at.efforts(
            self._pin.nonLinearEffects(
                self._model, self._data, at.positions(q), at.rates(v)
            )
        )

    def mass_matrix(self, q: Vector) -> Matrix:
        """
        Compute M(q), shape (n, n), symmetric, rotor inertias included.

        :param q: Positions, shape (n,).
        """
        half = self._pin.crba(self._model, self._data, self._coordinates.positions(q))
        whole = np.triu(half) + np.triu(half, 1).T
        mass: Matrix = self._coordinates.ratios.T @ whole @ self._coordinates.ratios
        if self._rotor is not None:
            mass[np.diag_indices(self.n)] += self._rotor
        return mass

    def forward_dynamics(self, q: Vector, v: Vector, tau: Vector) -> Vector:
        """
        Compute the acceleration that an effort gives: M(q)^-1 (tau - h(q, v)).

        :param q: Positions, :param v: velocities and :param tau: efforts, shape (n,).
        """
        if not self._direct:
            rest = tau - self.bias(q, v)
            return np.linalg.solve(self.mass_matrix(q), rest).astype(np.float64, copy=False)
        at = self._coordinates
        # Without followers E is a permutation, and serves efforts and accelerations alike.
        return at.efforts(
            self._pin.aba(
                self._model, self._data, at.positions(q), at.rates(v), at.rates(tau)
            )
        )

    def difference(self, q_from: Vector, q_to: Vector, out: Vector | None = None) -> Vector:
        """
        Compute the way from one position to another, shape (n,).

        The short way round, in (-pi, pi], for continuous joints only.
        """
        way: Vector = np.subtract(q_to, q_from, out=out)
        # A few numbers: plain floats are quicker than array calls.
        for joint in self._turning:
            angle = way.item(joint)
            if not -math.pi < angle <= math.pi and math.isfinite(angle):
                way[joint] = angle - _TURN * math.ceil((angle - math.pi) / _TURN)
        return way

    def wrench_torque(self, q: Vector, wrench: Vector, out: Vector | None = None) -> Vector:
        """
        Compute the effort J(q)^T w of a wrench on the wrench frame.

        The robot then moves by M a + h = tau + J^T w; a command that resists takes its negative.

        :param wrench: Force (N) and torque (N m) on the robot at the origin of the frame, in the
            axes of the base, shape (6,).
        :raises ModelError: when the model has no wrench frame.
        """
        if self._wrench_frame < 0:
            raise ModelError('external wrench: the model was built without a wrench_frame')
        at = self._coordinates
        jacobian = self._pin.computeFrameJacobian(
            self._model, self._data, at.positions(q), self._wrench_frame,
            self._pin.ReferenceFrame.LOCAL_WORLD_ALIGNED,
        )
        return at.efforts(np.dot(wrench, jacobian), out)

    def set_gravity(self, gravity: Vector) -> None:
        """Set the gravity vector in the base frame, shape (3,), m/s^2; effective at once."""
        self._model.gravity.linear = np.zeros(3) if self._weightless else np.array(gravity, float)

    def set_payload(self, mass: float, com: Vector, inertia: Vector) -> None:
        """
        Set the body on the payload frame; effective at once, replaces the one before.

        :param mass: kg, 0 for none.
        :param com: Centre of mass in the frame, shape (3,), m.
        :param inertia: ixx, ixy, ixz, iyy, iyz, izz about the centre of mass, shape (6,).
        :raises ModelError: when the model has no payload frame, or the numbers are unusable.
        """
        if self._payload_frame < 0:
            if mass:
                raise ModelError(f'payload: got {mass:g} kg, but payload.frame is empty')
            return
        if not (np.isfinite(mass) and mass >= 0.0 and np.isfinite([*com, *inertia]).all()):
            raise ModelError(f'payload: got {mass:g} kg at {com}, inertia {inertia}, expected '
                             'finite numbers and a mass >= 0')
        xx, xy, xz, yy, yz, zz = inertia
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        frame = self._model.frames[self._payload_frame]
        try:
            inertia_of = self._pin.Inertia(float(mass), np.array(com, float), tensor)
        except (RuntimeError, ValueError):
            raise ModelError(
                f'payload: got inertia {list(inertia)}, expected that of a body (not negative)'
            ) from None
        body = frame.placement.act(inertia_of)
        self._model.inertias[parent_joint(frame)] = self._payload_base + body


def parent_joint(frame: Any) -> int:
    """Number of the joint that moves a frame, in any version of Pinocchio."""
    return int(frame.parentJoint if hasattr(frame, 'parentJoint') else frame.parent)


def _inertia_at(model: Any, frame: int) -> Any:
    return model.inertias[parent_joint(model.frames[frame])].copy() if frame >= 0 else None
