"""
A robot in MuJoCo with efforts in and joint states out.

Constraints are solved as MuJoCo does it: position limits, Coulomb friction and mimic joints are
stiff but soft. There are no shapes, hence no contacts.
"""
from __future__ import annotations

import math

import numpy as np

from id_controller.errors import SimulationError
from id_controller.simulation.engine import Engine
from id_controller.simulation.realism import CommandDelay, VelocityNoise
from id_controller.simulation.settings import PlantSettings
from id_controller.simulation.start_pose import start_pose
from id_controller.state import NANOSECONDS, Matrix, Vector

# Time constant of the damping that stands in for a joint without effort or velocity limit.
DAMPING_TIME_S = 0.05


class Plant:
    """
    The simulated robot.

    Vectors are in the order of ``joints``, shape (n,), and belong to the caller. ``names`` lists
    every movable joint of the URDF, standing and mimic ones too, as drivers report them.

    :param urdf_text: The robot.
    :raises SimulationError: when the robot cannot be simulated.
    :raises InstallationError: when MuJoCo cannot be used.
    """

    def __init__(self, urdf_text: str, settings: PlantSettings | None = None) -> None:
        self.settings = settings or PlantSettings()
        self._engine = Engine(urdf_text, self.settings)
        free = self._engine.roles.free
        self.joints = tuple(joint.name for joint in free)
        self.names = self._engine.roles.order
        self.n = len(free)
        self.lower = np.array([joint.lower for joint in free])
        self.upper = np.array([joint.upper for joint in free])
        self.effort_limit = np.array([joint.effort for joint in free])
        self.velocity_limit = np.array([joint.velocity for joint in free])
        self.warnings = self._engine.warnings
        self._steps = 0
        self._delay = CommandDelay(self.settings.realism.command_delay_s, self.n)
        self._noise = VelocityNoise(self.settings.realism)
        self._tau = np.zeros(self.n)
        self.reset()

    def reset(self, q: Vector | None = None) -> None:
        """
        Stand still at a pose; time runs on and commands on their way are lost.

        :param q: Positions, shape (n,), rad or m; ``None``: the start pose of the limits.
        """
        pose = start_pose(self.lower, self.upper) if q is None else q
        self._delay.clear()
        self._tau = np.zeros(self.n)
        self._engine.place(pose, np.zeros(self.n))

    @property
    def time_ns(self) -> int:
        """Simulated time, ns."""
        return round(self._steps * self.settings.step_s * NANOSECONDS)

    @property
    def q(self) -> Vector:
        """True positions, shape (n,), rad or m; continuous joints are not wrapped."""
        return self._engine.q

    @property
    def v(self) -> Vector:
        """True velocities, shape (n,), rad/s or m/s."""
        return self._engine.v

    @property
    def tau(self) -> Vector:
        """Efforts that acted in the last step, after delay and limits, shape (n,), N m or N."""
        return self._tau

    def measure(self) -> tuple[Vector, Vector, Vector]:
        """Measure position, velocity (with noise) and effort of all ``names``, shape (m,)."""
        return self._engine.measure(self._noise.measured(self.v), self._tau)

    def step(self, tau: Vector, steps: int = 1) -> None:
        """
        Let efforts act for some physics steps.

        :param tau: Efforts, shape (n,), N m or N; clamped at the limits of the URDF.
        :raises SimulationError: when they are not finite, or the simulation diverges.
        """
        if not math.isfinite(float(tau.sum())):
            raise SimulationError(f'efforts: got {tau.tolist()}, expected finite numbers')
        if self._delay.delay_ns == 0:
            self._advance(tau, steps)
            return
        self._delay.put(self.time_ns, tau)
        for _ in range(steps):
            self._advance(self._delay.at(self.time_ns), 1)

    def _advance(self, tau: Vector, steps: int) -> None:
        self._tau = np.minimum(np.maximum(tau, -self.effort_limit), self.effort_limit)
        self._steps += steps
        if not self._engine.advance(self._tau, steps):
            raise SimulationError(
                f'the simulation diverged at {self.time_ns / NANOSECONDS:.3f} s under efforts '
                f'{", ".join(f"{effort:.4g}" for effort in self._tau)}: check masses, armature, '
                f'gains and the physics step ({self.settings.step_s:g} s)'
            )

    def hold(self, steps: int = 1) -> None:
        """Let time pass with every joint held fast by ideal brakes."""
        self._steps += steps
        self._delay.clear()
        self._tau = np.zeros(self.n)
        if self.v.any():
            self._engine.place(self.q, np.zeros(self.n))

    def damp(self, steps: int = 1) -> None:
        """
        Let time pass with the joints moving against a viscous brake, as with shorted motors.

        Its strength takes the effort limit at the velocity limit; a joint without either is
        stopped with a time constant of ``DAMPING_TIME_S``.
        """
        self._engine.set_extra_damping(self._brake())
        try:
            self._advance(np.zeros(self.n), steps)
        finally:
            self._engine.set_extra_damping(np.zeros(self.n))

    def _brake(self) -> Vector:
        limited = np.isfinite(self.effort_limit) & np.isfinite(self.velocity_limit)
        brake = np.zeros(self.n)
        if not limited.all():
            brake = np.diag(self.mass_matrix(self.q)) / DAMPING_TIME_S
        np.divide(self.effort_limit, self.velocity_limit, out=brake, where=limited)
        return brake

    def inverse_dynamics(self, q: Vector, v: Vector, a: Vector) -> Vector:
        """
        Efforts that make a motion, without friction, limits and the state of the plant.

        :param q: Positions, :param v: velocities, :param a: accelerations, shape (n,).
        """
        return self._engine.inverse_dynamics(q, v, a)

    def mass_matrix(self, q: Vector) -> Matrix:
        """
        Joint-space inertia with armature, shape (n, n).

        :param q: Positions, shape (n,), rad or m.
        """
        return self._engine.mass_matrix(q)
