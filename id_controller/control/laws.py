"""
The control laws: from reference and state to the terms of the effort.

A law fills rows of the matrix of terms; what is off is not part of it. Every term that a law uses
is written at each call, all others stay zero, and the sum over the rows is the command before
limits.
"""
from __future__ import annotations

from collections.abc import Callable

import numpy as np

from id_controller.control.dynamics import Dynamics, InverseDynamics
from id_controller.control.feedback import Pid
from id_controller.state import Matrix, Reference, Vector

TERMS: tuple[str, ...] = (
    'inverse_dynamics',
    'proportional',
    'integral',
    'derivative',
    'friction',
    'trajectory_effort',
    'soft_limit',
    'external_wrench',
)

Part = Callable[[Reference, Vector, Vector], None]
"""An additional term: it gets the reference, q and v, and fills a row that it knows."""


class Law:
    """
    What the laws have in common.

    :param model: Dynamics of the robot.
    :param terms: Matrix of terms, shape (number of terms, n), zero; the law keeps views of it.
    :param pid: Feedback that is configured with the gains of this law.
    :param parts: Additional terms.
    """

    follows = True
    """Whether the law moves along a reference; otherwise the reference is the measured state."""
    uses_acceleration_gains = False
    integrates = True
    adds_feedforward = True
    """Whether friction and the effort of the trajectory belong to the law."""

    def __init__(
        self, model: Dynamics, terms: Matrix, pid: Pid, parts: tuple[Part, ...] = ()
    ) -> None:
        self._inverse_dynamics: InverseDynamics = model.inverse_dynamics
        self._gravity = model.gravity
        self._dynamic, self._p, self._i, self._d = terms[0], terms[1], terms[2], terms[3]
        self._pid, self._parts = pid, parts
        self._rate_error = np.zeros(model.n)

    def compute(
        self, reference: Reference, q: Vector, v: Vector, error: Vector, dt_s: float
    ) -> None:
        """
        Fill the terms.

        :param q: Measured positions, :param v: measured (filtered) velocities, shape (n,).
        :param error: Wanted minus measured positions, shape (n,).
        :param dt_s: Time since the last call.
        """
        np.subtract(reference.v, v, out=self._rate_error)
        self._law(reference, q, v, error, dt_s)
        for part in self._parts:
            part(reference, q, v)

    def _law(
        self, reference: Reference, q: Vector, v: Vector, error: Vector, dt_s: float
    ) -> None:
        raise NotImplementedError


class Feedforward(Law):
    """
    Inverse dynamics of the reference, and PID around it.

    ``tau = RNEA(q_ref, v_ref, a_ref) + Kp e + Ki int e dt + Kd (v_ref - v) + ...``; Lynch and
    Park, Modern Robotics, sec. 11.4 (feedforward plus feedback).
    """

    def _law(
        self, reference: Reference, q: Vector, v: Vector, error: Vector, dt_s: float
    ) -> None:
        self._inverse_dynamics(reference.q, reference.v, reference.a, out=self._dynamic)
        self._pid.compute(error, self._rate_error, dt_s, self._p, self._i, self._d)


class ComputedTorque(Law):
    """
    Inverse dynamics of the state, with the feedback as part of the acceleration.

    ``tau = RNEA(q, v, a_ref + kp e + ki int e dt + kd (v_ref - v)) + ...``; Modern Robotics,
    sec. 11.4.3; Siciliano et al., Robotics, sec. 8.5.2. The feedback is inside the term
    'inverse_dynamics', so the terms 'proportional', 'integral' and 'derivative' are zero.
    """

    uses_acceleration_gains = True

    def __init__(
        self, model: Dynamics, terms: Matrix, pid: Pid, parts: tuple[Part, ...] = ()
    ) -> None:
        super().__init__(model, terms, pid, parts)
        self._p, self._i, self._d = np.zeros((3, model.n))
        self._acceleration = np.zeros(model.n)

    def _law(
        self, reference: Reference, q: Vector, v: Vector, error: Vector, dt_s: float
    ) -> None:
        wanted = self._acceleration
        self._pid.compute(error, self._rate_error, dt_s, self._p, self._i, self._d)
        np.add(reference.a, self._p, out=wanted)
        np.add(wanted, self._i, out=wanted)
        np.add(wanted, self._d, out=wanted)
        self._inverse_dynamics(q, v, wanted, out=self._dynamic)


class GravityPd(Law):
    """
    PD control with gravity compensation: ``tau = g(q) + Kp e + Kd (v_ref - v)``.

    Siciliano et al., Robotics, sec. 8.5.1. It knows nothing of inertia and lags behind motions.
    """

    integrates = False
    adds_feedforward = False

    def _law(
        self, reference: Reference, q: Vector, v: Vector, error: Vector, dt_s: float
    ) -> None:
        self._gravity(q, out=self._dynamic)
        self._pid.compute(error, self._rate_error, dt_s, self._p, self._i, self._d)


class Gravity(Law):
    """Gravity compensation with damping, for guiding by hand: ``tau = g(q) - Kd v``."""

    follows = False
    integrates = False
    adds_feedforward = False

    def _law(
        self, reference: Reference, q: Vector, v: Vector, error: Vector, dt_s: float
    ) -> None:
        self._gravity(q, out=self._dynamic)
        self._pid.compute(error, self._rate_error, dt_s, self._p, self._i, self._d)


LAWS: dict[str, type[Law]] = {
    'feedforward': Feedforward,
    'computed_torque': ComputedTorque,
    'gravity_pd': GravityPd,
    'gravity': Gravity,
}
"""The laws by control_mode."""
