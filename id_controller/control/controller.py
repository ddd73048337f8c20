"""The controller: one update from state to command, and what may be asked of it in between."""
from __future__ import annotations

import numpy as np

from id_controller.control.arming import check_settings, missing_gains
from id_controller.control.clock import TickClock
from id_controller.control.dynamics import Dynamics
from id_controller.control.efforts import Efforts
from id_controller.control.faults import FAULTS, Fault, FaultRow, Trust, fault_row
from id_controller.control.filters import LowPass
from id_controller.control.limits import Limiter
from id_controller.control.motion import Motion
from id_controller.control.observation import Observation
from id_controller.control.settings import Settings
from id_controller.control.supervisor import Action, Supervisor
from id_controller.errors import ParameterError
from id_controller.state import IDLE, Command, JointState, Matrix, Mode, Reference, Request, Vector
from id_controller.trajectory.trajectory import Trajectory


class Controller:
    """
    Inverse-dynamics control of one robot, without clock, thread or middleware of its own.

    ``update`` is the tick. Everything else is called between two ticks, by the same thread.

    :param model: Dynamics of the robot; its payload and gravity are set from the settings.
    :param settings: Live settings.
    :param period_s: Nominal period of the ticks.
    :param rows: The fault table.
    :raises ParameterError: when the settings cannot be used.
    """

    def __init__(
        self,
        model: Dynamics,
        settings: Settings,
        period_s: float,
        rows: tuple[FaultRow, ...] = FAULTS,
    ) -> None:
        n = model.n
        self._model, self._velocity_limit, self._error = model, np.zeros(n), np.zeros(n)
        self._clock, self._seen = TickClock(period_s), Observation(n, model.continuous)
        self._supervisor = Supervisor(rows)
        self._limiter, self._filter, self._raised = Limiter(n), LowPass(n), 0
        self._motion = Motion(model, self._velocity_limit, self._clock)
        self._efforts = Efforts(model, self._limiter.cut)
        check_settings(settings, model.joints)
        self._adopt(settings)

    @property
    def mode(self) -> Mode:
        """The present mode."""
        return self._supervisor.mode

    @property
    def fault(self) -> Fault:
        """The fault in force; in WAITING, what is waited for."""
        return self._supervisor.fault

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self._settings

    @property
    def terms(self) -> Matrix:
        """Every term of the last command before limits, shape (number of terms, n)."""
        return self._efforts.terms

    @property
    def trajectories(self) -> tuple[Trajectory, ...]:
        """The trajectories in use: their memory must stay as it is."""
        return self._motion.trajectories

    def update(self, now_ns: int, state: JointState, matched: bool = True) -> Command:
        """
        Compute the command of one tick.

        :param now_ns: Time, on the clock of the trajectories.
        :param state: Measured state; anything may be in it.
        :param matched: Whether somebody subscribes to the commands.
        :returns: The command; its arrays are valid until the next update.
        """
        clock, supervisor, settings = self._clock, self._supervisor, self._settings
        clock.advance(now_ns, state.age_ns, self._seen.timeout_ns, supervisor.ramping_out)
        reference = self._motion.reference(now_ns, begin=not supervisor.freeze)
        supervisor.moving(self._motion.moves)
        self._look(state, matched, reference)
        action = supervisor.step(self._seen, settings.on_fault, settings.on_exit)
        reference = self._settle(action, state, reference)
        tau = self._effort(action, reference, state)
        return Command(tau, supervisor.publishes, supervisor.mode, supervisor.fault, reference,
                       self._efforts.terms, self._motion.number, self._motion.left_ns)

    def apply(self, settings: Settings) -> None:
        """
        Swap all settings at once; the next tick uses them.

        A new control mode makes the measured position the reference.

        :raises ParameterError: when they cannot be used; nothing has changed then.
        :raises ModelError: when the payload cannot be used; nothing has changed then.
        """
        check_settings(settings, self._model.joints)
        if self.mode not in IDLE:
            missing = missing_gains(settings, self._model.joints)
            if missing:
                raise ParameterError(missing)
        switched = settings.control_mode != self._settings.control_mode
        self._adopt(settings)
        if switched:
            self._supervisor.rebase()
            self._motion.drop()

    def request(self, request: Request, tau: Vector | float = 0.0) -> str:
        """
        Ask for a change of mode.

        :param tau: Effort that stands when it is activated, shape (n,): that of a predecessor.
        :returns: Why it is refused; empty when it is granted.
        """
        missing = ''
        if request is Request.ACTIVATE and self.mode in IDLE:
            missing = missing_gains(self._settings, self._model.joints)
            self._clock.restart()
            self._raised = 0
        if request is Request.ACTIVATE and not self._supervisor.publishes:
            self._limiter.restart(tau)
        brakes = self._supervisor.slows(request) and self._motion.brake()
        refusal = missing or self._supervisor.request(request, brakes)
        if self._supervisor.freeze:
            self._motion.drop()
        return refusal

    def follow(self, trajectory: Trajectory, number: int = 1) -> str:
        """
        Follow a trajectory from the next tick, or from its start if that lies in the future.

        :param number: What commands call it.
        :returns: Why it is refused; empty when it is accepted.
        """
        if not self._supervisor.follows:
            return f'trajectory: the controller is in {self.mode.name}'
        if not self._efforts.law.follows:
            return f"trajectory: control_mode '{self._settings.control_mode}' follows none"
        if trajectory.n != self._model.n:
            return f'trajectory: got {trajectory.n} joints, expected {self._model.n}'
        self._motion.follow(trajectory, number)
        return ''

    def raise_fault(self, fault: Fault) -> None:
        """
        Raise a fault that only the outside can see; the next tick acts on it.

        :raises ParameterError: when the fault is one that the controller detects itself.
        """
        if fault is Fault.NONE or not fault_row(fault).external:
            raise ParameterError(f'fault {fault.name}: got it from outside, expected a detector')
        self._raised |= 1 << fault

    def take_over(self, q: Vector, tau: Vector, fault: Fault) -> None:
        """
        Go on, in a fault, where another controller has stopped.

        :param q: Last position that was trusted, :param tau: last command, shape (n,) each.
        :param fault: Why, one of the faults that are raised from outside.
        """
        self._clock.restart()
        self._supervisor.take_over()
        self._motion.rest(q)
        self._efforts.trust(q)
        self._limiter.restart(tau)
        self.raise_fault(fault)

    def set_wrench(self, wrench: Vector) -> str:
        """
        Make up for a wrench that acts on the robot at the wrench frame, until it is changed.

        :param wrench: Force and torque, shape (6,), N and N m.
        :returns: Why it is refused; empty when it is accepted.
        :raises ModelError: when the model has no wrench frame.
        """
        if not self._supervisor.follows:
            return f'external wrench: the controller is in {self.mode.name}'
        return self._efforts.resist(wrench)

    def _adopt(self, settings: Settings) -> None:
        self._model.set_payload(
            settings.payload_mass, settings.payload_com, settings.payload_inertia
        )
        self._model.set_gravity(settings.gravity)
        self._settings = settings
        self._velocity_limit[:] = settings.velocity_limit
        self._limiter.configure(settings.effort_limit, settings.max_effort_rate)
        self._filter.cutoff_hz = settings.velocity_cutoff_hz
        for part in (self._seen, self._efforts, self._motion):
            part.configure(settings)

    def _look(self, state: JointState, matched: bool, reference: Reference) -> None:
        seen = self._seen
        seen.look(state, matched, self._clock.jumped)
        seen.raised, self._raised = self._raised, 0
        if self._supervisor.freeze or not self._supervisor.publishes:
            reference = reference._replace(q=state.q)
        if seen.sane:
            self._model.difference(state.q, reference.q, out=self._error)
            seen.compare(self._error)

    def _settle(self, action: Action, state: JointState, reference: Reference) -> Reference:
        """Make the measured position the reference where it has to be."""
        supervisor, seen = self._supervisor, self._seen
        following = action is Action.HOLD or (
            action is Action.FOLLOW and self._efforts.law.follows
        )
        trusted = supervisor.trust is not Trust.NONE and seen.q_sane
        if supervisor.freeze or not (following and seen.matched):
            reference = self._motion.rest(state.q if trusted else reference.q)
            self._error.fill(0.0)
        if not supervisor.moves:
            self._motion.drop()
        if supervisor.clear:
            self._efforts.clear()
            seen.clear()
            self._filter.restart(state.v if seen.v_sane else reference.v)
        supervisor.freeze = supervisor.clear = False
        if trusted:
            self._efforts.trust(state.q)
        return reference

    def _effort(self, action: Action, reference: Reference, state: JointState) -> Vector:
        clock, efforts, seen, limiter = self._clock, self._efforts, self._seen, self._limiter
        silent = action is Action.SILENT or not seen.matched
        if silent and self.mode is not Mode.WAITING:
            limiter.restart()  # Whoever comes to listen again has stood at zero.
        v = self._filter.filtered(state.v, clock.dt_s) if seen.v_sane else reference.v
        if not efforts.compute(
            action, reference, state.q, v, self._error, clock.dt_s, clock.elapsed_s
        ):
            seen.command_finite = False
            self._supervisor.step(seen, self._settings.on_fault, self._settings.on_exit)
            reference = self._settle(Action.DECAY, state, reference)
            efforts.compute(Action.DECAY, reference, state.q, v, self._error, 0.0, 0.0)
        if not silent:
            limiter.limited(efforts.total, clock.dt_s)
            seen.limited(limiter.cut, clock.elapsed_s)
        if self._supervisor.mode is Mode.EXITING:
            self._supervisor.leaving(at_zero=not limiter.last.any())
        return limiter.last
