"""What a demo run leaves behind: plain arrays, one record for each control mode."""
from __future__ import annotations

from dataclasses import dataclass

from id_controller.state import Matrix, Vector


@dataclass(frozen=True, kw_only=True, slots=True)
class ControllerTiming:
    """What the controller says of its own ticks; nan where it has not said."""

    achieved_rate_hz: float
    lateness_p50_us: float
    lateness_p99_us: float
    compute_p50_us: float
    compute_p99_us: float
    state_age_p99_us: float
    skipped: float
    overruns: float


@dataclass(frozen=True, kw_only=True, slots=True)
class PlantTiming:
    """What the simulator says of itself; nan where it has not said."""

    achieved_rate_hz: float
    real_time_factor: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Phase:
    """
    One motion under one control mode.

    :param times: Time of each sample since the motion began, shape (m,), s.
    :param q_ref: Wanted and :param q: measured positions, shape (m, n), rad or m.
    :param tau: Command of each sample, shape (m, n), N m or N.
    :param terms: Terms of the law by name, shape (m, n) each, summing to tau before limits.
    :param periods_ms: Time between successive commands, as sent, shape (k,), ms.
    :param peak_tau: Largest absolute command of each joint over all commands, shape (n,).
    :param fault: Fault that the controller reported, empty when there was none.
    """

    control_mode: str
    times: Vector
    q_ref: Matrix
    q: Matrix
    tau: Matrix
    terms: dict[str, Matrix]
    periods_ms: Vector
    peak_tau: Vector
    controller: ControllerTiming
    plant: PlantTiming
    fault: str = ''


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """
    A whole demo.

    :param units: Unit of each joint, ``rad`` or ``m``.
    :param effort_limit: Effort limits, shape (n,), infinite where there is none.
    :param rate_hz: Wanted control rate.
    """

    robot: str
    joints: tuple[str, ...]
    units: tuple[str, ...]
    effort_limit: Vector
    rate_hz: float
    phases: tuple[Phase, ...]
