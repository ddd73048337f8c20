"""From what was recorded on the topics to the arrays of a phase."""
from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping

import numpy as np

from id_controller.command_line.demo_data import ControllerTiming, Phase, PlantTiming
from id_controller.ros.recorder import Recorder, Report, Series
from id_controller.state import NANOSECONDS, Vector

CONTROLLER_STATUS = 'id_controller: timing'
PLANT_STATUS = 'id_controller_sim: plant'


def phase_from_recording(
    recorder: Recorder,
    joints: tuple[str, ...],
    control_mode: str,
    window_ns: tuple[int, int],
) -> Phase:
    """
    Cut the part of a recording in which one motion ran.

    Reference and command are compared with the position *at the same instant*, which is found
    between the two measured ones next to it.

    :param window_ns: Begin and end of the motion, ns since the epoch.
    """
    wanted = _cut(recorder.reference(joints, 'position'), window_ns)
    measured = recorder.positions(joints)
    inside = _between(wanted.stamps, measured.stamps)
    stamps = wanted.stamps[inside]
    commands = _cut(recorder.commands(len(joints)), window_ns)
    reports = [r for r in recorder.reports() if window_ns[0] <= r.sent_ns <= window_ns[1]]
    return Phase(
        control_mode=control_mode,
        times=(stamps - window_ns[0]) / NANOSECONDS,
        q_ref=wanted.values[inside],
        q=at(stamps, measured),
        tau=at(stamps, recorder.reference(joints, 'effort')),
        terms=_terms(recorder, joints, stamps),
        periods_ms=np.diff(commands.stamps) / 1e6,
        peak_tau=np.abs(commands.values).max(axis=0, initial=0.0),
        controller=controller_timing(reports),
        plant=plant_timing(reports),
        fault=reported_fault(reports),
    )


def at(stamps: np.ndarray, series: Series) -> np.ndarray:
    """
    Interpolate a series.

    :param stamps: Instants, ns, shape (m,).
    :return: Values at the instants, shape (m, columns).
    """
    if not len(series.stamps):
        return np.full((len(stamps), series.values.shape[1]), np.nan)
    order = np.argsort(series.stamps, kind='stable')
    # Differences first: ns since the epoch have more digits than a float64.
    origin = series.stamps[order[0]]
    there = (series.stamps[order] - origin).astype(np.float64)
    here = (stamps - origin).astype(np.float64)
    columns = [np.interp(here, there, column) for column in series.values[order].T]
    return np.array(columns).T.reshape(len(stamps), series.values.shape[1])


def _cut(series: Series, window_ns: tuple[int, int]) -> Series:
    inside = _between(series.stamps, np.array(window_ns))
    return Series(stamps=series.stamps[inside], values=series.values[inside])


def _between(stamps: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Mark the stamps that lie within the span of others."""
    if not len(others):
        return np.zeros(len(stamps), dtype=bool)
    return np.asarray((stamps >= others.min()) & (stamps <= others.max()))


def _terms(
    recorder: Recorder, joints: tuple[str, ...], stamps: np.ndarray
) -> dict[str, np.ndarray]:
    names = recorder.term_names()
    values = at(stamps, recorder.terms(names))
    found = {}
    for term in dict.fromkeys(name.partition('/')[2] for name in names):
        columns = [names.index(f'{joint}/{term}') for joint in joints]
        found[term] = values[:, columns]
    return found


def controller_timing(reports: Iterable[Report]) -> ControllerTiming:
    """Take what the controller said last in a span of time: it reports on its last 10 s."""
    said = [report.values for report in reports if report.name == CONTROLLER_STATUS]
    names = [field.name for field in dataclasses.fields(ControllerTiming)]
    return ControllerTiming(**{name: _last(_numbers(said, name)) for name in names})


def plant_timing(reports: Iterable[Report]) -> PlantTiming:
    """Take the mean of what the simulator said in a span of time: it reports on each second."""
    said = [report.values for report in reports if report.name == PLANT_STATUS]
    return PlantTiming(
        achieved_rate_hz=_mean(_numbers(said, 'state rate [Hz]')),
        real_time_factor=_mean(_numbers(said, 'real-time factor')),
    )


def _numbers(said: Iterable[Mapping[str, str]], key: str) -> Vector:
    found = []
    for values in said:
        try:
            found.append(float(values.get(key, 'nan')))
        except ValueError:
            continue
    numbers = np.array(found, dtype=np.float64)
    return numbers[np.isfinite(numbers)]


def _mean(numbers: Vector) -> float:
    return float(numbers.mean()) if len(numbers) else math.nan


def _last(numbers: Vector) -> float:
    return float(numbers[-1]) if len(numbers) else math.nan


def reported_fault(reports: Iterable[Report]) -> str:
    """
    Name of the first fault that the controller latched, empty when there was none.

    While it waits to begin it names what it waits for in the same place; that is no fault.
    """
    for report in reports:
        values = report.values if report.name == CONTROLLER_STATUS else {}
        if values.get('mode') in ('FAULT', 'SOFT_STOP'):
            return values.get('fault', values['mode'])
    return ''
