"""What a demo run amounts to: tracking, torque, timing, and whether it was good."""
from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from id_controller.command_line.demo_data import Phase, Run
from id_controller.command_line.text_table import number, text_table
from id_controller.state import Vector

RMS_BAR = 0.010
RATE_BAR = 0.99
FACTOR_BAR = 0.98


@dataclass(frozen=True, kw_only=True, slots=True)
class Tracking:
    """
    Tracking error of one phase, rad or m.

    :param rms: Of each joint, shape (n,), :param largest: likewise.
    :param overall: Root mean square over all joints and samples.
    """

    rms: Vector
    largest: Vector
    overall: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Verdict:
    """
    Whether a run was good.

    :param failure: One sentence, empty when tracking and torque were good.
    :param warnings: One sentence each; a poor rate is a warning.
    """

    failure: str
    warnings: tuple[str, ...]


def tracking(phase: Phase) -> Tracking:
    """Tracking error of a phase; nan where nothing was recorded."""
    if not len(phase.times):
        none = np.full(len(phase.peak_tau), math.nan)
        return Tracking(rms=none, largest=none, overall=math.nan)
    squares = (phase.q_ref - phase.q) ** 2
    return Tracking(
        rms=np.sqrt(squares.mean(axis=0)),
        largest=np.sqrt(squares.max(axis=0)),
        overall=math.sqrt(float(squares.mean())),
    )


def torque_share(run: Run, phase: Phase) -> Vector:
    """Peak command over the effort limit, shape (n,); 0 where there is no limit to reach."""
    share = np.where(phase.peak_tau > 0.0, math.inf, 0.0)
    np.divide(phase.peak_tau, run.effort_limit, out=share, where=run.effort_limit > 0.0)
    return share


def verdict(run: Run) -> Verdict:
    """Judge a run."""
    failures = [reason for phase in run.phases for reason in _failures(run, phase)]
    warnings = [reason for phase in run.phases for reason in _rate_warnings(run, phase)]
    return Verdict(failure=failures[0] if failures else '', warnings=tuple(warnings))


def _failures(run: Run, phase: Phase) -> list[str]:
    mode, found = phase.control_mode, []
    if phase.fault:
        found.append(f'{mode}: the controller reported {phase.fault}')
    if len(phase.times) < 2:
        why = 'controller.log beside the report says why'
        return [*found, f'{mode}: no motion was recorded; {why}']
    samples = (phase.q_ref, phase.q, phase.tau, phase.peak_tau)
    if not all(np.isfinite(values).all() for values in samples):
        return [*found, f'{mode}: the recording has numbers that are not finite']
    share = torque_share(run, phase)
    joint = int(share.argmax())
    if share[joint] > 1.0 + 1e-6:
        found.append(
            f'{mode}: {run.joints[joint]} was sent {phase.peak_tau[joint]:.2f}, over its effort '
            f'limit of {run.effort_limit[joint]:.2f}'
        )
    overall = tracking(phase).overall
    if mode == 'feedforward' and overall > RMS_BAR:
        found.append(
            f'{mode}: the tracking error is {1e3 * overall:.1f} mrad RMS, expected at most '
            f'{1e3 * RMS_BAR:.0f}'
        )
    return found


def _rate_warnings(run: Run, phase: Phase) -> list[str]:
    found, rate = [], phase.controller.achieved_rate_hz
    if len(phase.times) < 2:
        return []
    if not rate >= RATE_BAR * run.rate_hz:
        found.append(
            f'{phase.control_mode}: the controller reached {number(rate, 0)} of '
            f'{run.rate_hz:.0f} Hz; is the machine busy?'
        )
    if not phase.plant.real_time_factor >= FACTOR_BAR:
        found.append(
            f'{phase.control_mode}: the plant ran at {number(phase.plant.real_time_factor)} of '
            f'real time, which is no fault of the controller'
        )
    return found


def tracking_table(run: Run) -> str:
    """Table of tracking error and peak torque, joint by joint."""
    results = [(phase, tracking(phase), torque_share(run, phase)) for phase in run.phases]
    header = ['joint']
    for phase in run.phases:
        header += [f'{phase.control_mode} RMS', 'max', 'peak torque']
    rows = []
    for k, joint in enumerate(run.joints):
        row = [f'{joint} [m{run.units[k]}]']
        for _, error, share in results:
            row += [number(1e3 * error.rms[k]), number(1e3 * error.largest[k])]
            row.append(f'{100.0 * share[k]:.0f} %')
        rows.append(row)
    row = ['all joints']
    for _, error, share in results:
        row += [number(1e3 * error.overall), number(1e3 * error.largest.max())]
        row.append(f'{100.0 * share.max():.0f} %')
    return text_table(header, [*rows, row])


def timing_table(run: Run) -> str:
    """Table of the rates of controller and plant."""
    lines = {
        f'control rate [Hz], wanted {run.rate_hz:.0f}': ('controller', 'achieved_rate_hz', 1),
        'wake-up lateness p50 [us]': ('controller', 'lateness_p50_us', 0),
        'wake-up lateness p99 [us]': ('controller', 'lateness_p99_us', 0),
        'computation p50 [us]': ('controller', 'compute_p50_us', 0),
        'computation p99 [us]': ('controller', 'compute_p99_us', 0),
        'state age p99 [us]': ('controller', 'state_age_p99_us', 0),
        'skipped ticks': ('controller', 'skipped', 0),
        'plant: state rate [Hz]': ('plant', 'achieved_rate_hz', 1),
        'plant: real-time factor': ('plant', 'real_time_factor', 3),
    }
    rows = [
        [label, *(number(getattr(getattr(phase, part), name), digits) for phase in run.phases)]
        for label, (part, name, digits) in lines.items()
    ]
    return text_table(['timing', *(phase.control_mode for phase in run.phases)], rows)


def as_json(run: Run) -> dict[str, Any]:
    """Figures of a run for a JSON file; what is not finite becomes null."""
    result = verdict(run)
    facts = {
        'robot': run.robot,
        'rate_hz': run.rate_hz,
        'failure': result.failure,
        'warnings': list(result.warnings),
        'joints': list(run.joints),
        'effort_limit': run.effort_limit.tolist(),
        'phases': [_phase_facts(run, phase) for phase in run.phases],
    }
    cleaned: dict[str, Any] = _finite(facts)
    return cleaned


def _phase_facts(run: Run, phase: Phase) -> dict[str, Any]:
    error = tracking(phase)
    return {
        'control_mode': phase.control_mode,
        'duration_s': float(phase.times[-1] - phase.times[0]) if len(phase.times) else 0.0,
        'samples': len(phase.times),
        'rms_error': error.rms.tolist(),
        'max_error': error.largest.tolist(),
        'rms_error_all_joints': error.overall,
        'peak_torque': phase.peak_tau.tolist(),
        'peak_torque_over_limit': torque_share(run, phase).tolist(),
        'controller': dataclasses.asdict(phase.controller),
        'plant': dataclasses.asdict(phase.plant),
        'fault': phase.fault,
    }


def _finite(value: Any) -> Any:
    """JSON has no word for what is not finite."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
