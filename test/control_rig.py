"""A robot made of simple sums, settings and virtual time for tests of the control part."""
from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from id_controller.control.controller import Controller
from id_controller.control.faults import FAULTS, FaultRow
from id_controller.control.settings import PidGains, Settings
from id_controller.state import Command, JointState, Mode, Request, Vector
from id_controller.trajectory.points import JointPoints
from id_controller.trajectory.spline import fit
from id_controller.trajectory.trajectory import Trajectory

MS = 1_000_000
PERIOD_S = 0.001
START_NS = 5_000_000_000


class Sums:
    """
    Two joints whose dynamics are sums on paper; another number for each joint.

    tau = inertia a + drag v + weight cos(q); a wrench (fx, fy, ...) acts as (2 fx, 3 fy).
    """

    inertia = np.array([0.5, 0.25])
    drag = np.array([0.125, 0.375])
    weight = np.array([6.0, 2.0])
    joints = ('shoulder', 'elbow')
    n = 2

    def __init__(self, continuous: tuple[bool, bool] = (False, False)) -> None:
        self.continuous: npt.NDArray[np.bool_] = np.array(continuous)
        self.payload = 0.0
        self.down = 1.0
        self.poison = 0.0

    def inverse_dynamics(
        self, q: Vector, v: Vector, a: Vector, out: Vector | None = None
    ) -> Vector:
        return np.add(self.inertia * a + self.drag * v, self.gravity(q) + self.poison, out=out)

    def gravity(self, q: Vector, out: Vector | None = None) -> Vector:
        weight = (self.weight + self.payload) * self.down
        return np.multiply(weight, np.cos(q), out=out)

    def difference(self, q_from: Vector, q_to: Vector, out: Vector | None = None) -> Vector:
        way = np.subtract(q_to, q_from, out=out)
        turned = np.arctan2(np.sin(way), np.cos(way))
        np.copyto(way, turned, where=self.continuous)
        return way

    def wrench_torque(self, q: Vector, wrench: Vector, out: Vector | None = None) -> Vector:
        return np.multiply(np.array([2.0, 3.0]), wrench[:2], out=out)

    def set_payload(self, mass: float, com: Vector, inertia: Vector) -> None:
        self.payload = mass

    def set_gravity(self, gravity: Vector) -> None:
        self.down = -gravity[2] / 9.81


def pair(first: float, second: float) -> Vector:
    return np.array([first, second])


def pid(
    p: tuple[float, ...] = (0.0, 0.0),
    i: tuple[float, ...] = (0.0, 0.0),
    d: tuple[float, ...] = (0.0, 0.0),
    **clamps: float,
) -> PidGains:
    """Gains; clamps are the same for every joint and infinite when not given."""
    ones = np.ones(len(p))
    bounds = {'i_min': -np.inf, 'i_max': np.inf, 'u_min': -np.inf, 'u_max': np.inf, **clamps}
    return PidGains(
        p=np.array(p), i=np.array(i), d=np.array(d),
        **{name: value * ones for name, value in bounds.items()},
    )


SETTINGS = Settings(
    control_mode='feedforward',
    gains=pid(p=(40.0, 20.0), d=(4.0, 2.0)),
    acceleration_gains=pid(p=(100.0, 64.0), d=(20.0, 16.0)),
    effort_limit=pair(50.0, 30.0),
    max_effort_rate=pair(1000.0, 600.0),
    velocity_limit=pair(3.0, 4.0),
    deceleration=np.zeros(2),
    lower=pair(-2.0, -1.5),
    upper=pair(2.0, 1.8),
    viscous=np.zeros(2),
    coulomb=np.zeros(2),
    friction_velocity=0.02,
    velocity_cutoff_hz=0.0,
    soft_margin=0.0,
    soft_scale=1.0,
    tracking_tolerance=pair(0.2, 0.3),
    position_limit_tolerance=0.1,
    over_speed_factor=1.5,
    position_jump=0.0,
    saturation_time_s=0.0,
    state_timeout_s=0.05,
    ramp_time_s=0.1,
    speed_scaling=1.0,
    cmd_timeout_s=0.0,
    gravity=np.array([0.0, 0.0, -9.81]),
    payload_mass=0.0,
    payload_com=np.zeros(3),
    payload_inertia=np.zeros(6),
    on_fault='hold',
    on_exit='ramp_to_zero',
    overrun_policy='hold',
    overrun_window_s=0.5,
    overrun_min_rate=0.9,
    overrun_max_consecutive=25.0,
    overrun_max_age_s=0.025,
    overrun_recovery_s=1.0,
)


def settings(**changes: Any) -> Settings:
    return dataclasses.replace(SETTINGS, **changes)


def trajectory(
    times: list[float], q: list[list[float]], *, start_ns: int = 0,
    effort: list[list[float]] | None = None,
) -> Trajectory:
    """Fit points that the robot passes at rest."""
    rest = np.zeros((len(times), len(q[0])))
    return fit(JointPoints(
        joints=tuple('abcdefg'[: len(q[0])]), times=np.array(times), q=np.array(q), v=rest,
        a=rest, effort=None if effort is None else np.array(effort), start_ns=start_ns,
    ))


class Session:
    """
    A controller in virtual time, with a state that the test writes.

    :param changes: Settings that differ from ``SETTINGS``.
    """

    def __init__(
        self, *, rows: tuple[FaultRow, ...] = FAULTS, model: Any = None, **changes: Any
    ) -> None:
        self.model = model or Sums()
        self.settings = settings(**changes)
        self.controller = Controller(self.model, self.settings, PERIOD_S, rows)
        self.now_ns = START_NS
        self.q, self.v = pair(0.3, -0.4), pair(0.0, 0.0)
        self.age_ns, self.complete, self.matched = 0, True, True

    def tick(self, count: int = 1, step_ns: int = MS) -> Command:
        """Run ticks; the command is a copy that stays."""
        for _ in range(count):
            self.now_ns += step_ns
            state = JointState(self.q, self.v, self.age_ns, self.complete)
            command = self.controller.update(self.now_ns, state, self.matched)
        reference = type(command.reference)(*(part.copy() for part in command.reference))
        return command._replace(
            tau=command.tau.copy(), terms=command.terms.copy(), reference=reference
        )

    def activated(self, ticks: int = 60) -> Session:
        """Activate and let the efforts come up."""
        assert self.controller.request(Request.ACTIVATE) == ''
        assert self.tick(ticks).mode is Mode.HOLD
        return self

    def moving(self, to: tuple[float, float] = (0.5, 0.0), seconds: float = 1.0) -> Session:
        """Follow a motion for a while; the state is the reference, as if tracked ideally."""
        assert self.controller.follow(trajectory([seconds], [list(to)])) == ''
        for _ in range(round(0.4 * seconds / PERIOD_S)):
            reference = self.tick().reference
            self.q, self.v = reference.q, reference.v
        assert self.controller.mode is Mode.TRACK
        return self

    def change(self, **changes: Any) -> None:
        """Apply live settings."""
        self.settings = dataclasses.replace(self.settings, **changes)
        self.controller.apply(self.settings)

    @property
    def gravity(self) -> Vector:
        """Gravity effort at the measured position."""
        return self.model.weight * np.cos(self.q)
