"""From what a tick does to the effort that it asks for."""
from __future__ import annotations

import dataclasses

import numpy as np

from id_controller.control.dynamics import Dynamics
from id_controller.control.feedback import Pid
from id_controller.control.friction import Friction
from id_controller.control.laws import LAWS, TERMS, GravityPd, Law, Part
from id_controller.control.limits import SoftLimits, numbers_within
from id_controller.control.settings import Settings
from id_controller.control.supervisor import Action
from id_controller.state import Matrix, Reference, Vector

_FADING = (Action.RAMP, Action.DECAY)


class Efforts:
    """
    The terms of the effort, for each action.

    FOLLOW is the control law. HOLD is that too, but for the law that guides by hand, which cannot
    hold: there it is PD control with the same gains. DAMPING is the law around the measured
    position, which leaves gravity and damping; GRAVITY is that without the velocity; RAMP is
    DAMPING faded out. DECAY is the last gravity effort faded out and needs no state at all.

    :param model: Dynamics of the robot.
    :param cut: What the limiter took off at the last tick, shape (n,), for the anti-windup.
    """

    def __init__(self, model: Dynamics, cut: Vector) -> None:
        n = model.n
        self._model = model
        self.terms: Matrix = np.zeros((len(TERMS), n))
        self.total = np.zeros(n)
        self._ones = np.ones(len(TERMS))
        self._none = np.zeros(n)
        self._wrench = np.zeros(6)
        self._q_trusted = np.zeros(n)
        self._gravity = np.zeros(n)
        self._pids = (Pid(n, cut), Pid(n, cut))
        self._action = Action.SILENT
        self.fade = 1.0
        self.law: Law

    def configure(self, settings: Settings) -> None:
        """Compose the law of the settings; integrals stay."""
        kind = LAWS[settings.control_mode]
        torque, acceleration = self._pids
        gains = settings.gains
        if not kind.integrates:
            gains = dataclasses.replace(gains, i=self._none)
        torque.configure(gains)
        acceleration.configure(settings.acceleration_gains)
        pid = acceleration if kind.uses_acceleration_gains else torque
        self.terms.fill(0.0)
        self._settings = settings
        self._ramp_s = settings.ramp_time_s
        parts = self._parts(settings, kind)
        self.law = kind(self._model, self.terms, pid, parts)
        self._holding = (
            self.law if kind.follows else GravityPd(self._model, self.terms, pid, parts)
        )

    def resist(self, wrench: Vector) -> str:
        """
        Take over the external wrench.

        :param wrench: Force and torque, shape (6,), N and N m.
        :returns: Why it is refused; empty when it is accepted.
        :raises ModelError: when the model has no wrench frame.
        """
        if np.shape(wrench) != (6,) or not np.isfinite(wrench).all():
            return f'external wrench: got {wrench}, expected 6 finite numbers'
        self._model.wrench_torque(self._none, np.array(wrench, float))
        self._set_wrench(wrench)
        return ''

    def clear(self) -> None:
        """Start afresh: no integral, no wrench."""
        for pid in self._pids:
            pid.reset()
        if self._wrench.any():
            self._set_wrench(np.zeros(6))

    def trust(self, q: Vector) -> None:
        """Remember a position that can be trusted, shape (n,)."""
        self._q_trusted[:] = q

    def compute(
        self,
        action: Action,
        reference: Reference,
        q: Vector,
        v: Vector,
        error: Vector,
        dt_s: float,
        elapsed_s: float,
    ) -> bool:
        """
        Fill ``terms`` and ``total``.

        :param error: Wanted minus measured position, zero where the reference is measured.
        :param dt_s: Time since the last tick for the law, :param elapsed_s: for the fading.
        :returns: Whether the total is finite.
        """
        self._advance(action, elapsed_s)
        if action is Action.FOLLOW:
            self.law.compute(reference, q, v, error, dt_s)
        elif action is Action.DECAY:
            self.terms.fill(0.0)
            np.multiply(self._gravity, self.fade, out=self.terms[0])
        elif action is Action.SILENT or action is Action.ZERO:
            self.terms.fill(0.0)
        else:
            v = self._none if action is Action.GRAVITY else v
            law = self._holding if action is Action.HOLD else self.law
            law.compute(reference, q, v, error, dt_s)
            if action is Action.RAMP:
                np.multiply(self.terms, self.fade, out=self.terms)
        total = self._ones.dot(self.terms, out=self.total)
        return numbers_within(total)

    def _advance(self, action: Action, elapsed_s: float) -> None:
        if action in _FADING:
            step = elapsed_s / self._ramp_s if self._ramp_s > 0.0 else 1.0
            self.fade = max(0.0, self.fade - step)
        else:
            self.fade = 1.0
        if action is Action.DECAY and self._action is not Action.DECAY:
            self._model.gravity(self._q_trusted, out=self._gravity)
            if not numbers_within(self._gravity):
                self._gravity.fill(0.0)
        self._action = action

    def _set_wrench(self, wrench: Vector) -> None:
        composed = self._wrench.any()
        self._wrench[:] = wrench
        if self._wrench.any() != composed:
            self.configure(self._settings)

    def _parts(self, settings: Settings, kind: type[Law]) -> tuple[Part, ...]:
        """Compose the additional terms that are on."""
        parts: list[Part] = []
        if kind.adds_feedforward:
            friction = Friction(
                settings.viscous, settings.coulomb, settings.friction_velocity
            )
            if friction.present:
                parts.append(_friction_part(friction, self.terms[4]))
            parts.append(_effort_part(self.terms[5]))
        scale = settings.soft_scale
        soft = SoftLimits(
            settings.lower, settings.upper, settings.soft_margin,
            scale * settings.gains.p, scale * settings.gains.d,
        )
        if settings.soft_margin > 0.0 and soft.present:
            parts.append(_soft_part(soft, self.terms[6]))
        if self._wrench.any():
            parts.append(_wrench_part(self._model, self._wrench, self.terms[7]))
        return tuple(parts)


def _friction_part(friction: Friction, row: Vector) -> Part:
    return lambda reference, q, v: friction.torque(reference.v, row)


def _effort_part(row: Vector) -> Part:
    def part(reference: Reference, q: Vector, v: Vector) -> None:
        row[:] = reference.effort

    return part


def _soft_part(soft: SoftLimits, row: Vector) -> Part:
    return lambda reference, q, v: soft.torque(q, v, row)


def _wrench_part(model: Dynamics, wrench: Vector, row: Vector) -> Part:
    def part(reference: Reference, q: Vector, v: Vector) -> None:
        # The wrench acts on the robot: M a + h = tau + J^T w, so the command resists it.
        model.wrench_torque(q, wrench, out=row)
        np.negative(row, out=row)

    return part
