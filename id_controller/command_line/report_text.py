"""The figures of a recording."""
from __future__ import annotations

import numpy as np

from id_controller.command_line.text_table import number, text_table
from id_controller.control.faults import Fault
from id_controller.realtime.black_box import Recording
from id_controller.state import NANOSECONDS, Mode, Rows, Vector

_CHANGES_SHOWN = 8
_TIMES = ('lateness_ns', 'take_ns', 'compute_ns', 'publish_ns', 'age_ns')


def report_text(recording: Recording) -> str:
    """Write what happened, how the joints did, and how the ticks came."""
    facts, rows = recording.facts, recording.rows
    head = [
        f'{facts.robot}: {facts.fault} at {facts.written}',
        f'  {facts.cause}',
        f'  {len(rows)} ticks, {number(_span_s(rows))} s; '
        f'description sha256 {facts.description_sha256[:12]}',
    ]
    if not len(rows):
        return '\n'.join([*head, '  nothing was recorded'])
    parts = ['\n'.join(head), _modes(recording), _joints(recording), _timing(rows)]
    return '\n\n'.join(parts)


def fault_index(rows: Rows) -> int:
    """Return the first tick of the last fault; the last tick where there is none."""
    bad = rows['mode'] == Mode.FAULT
    begins = np.flatnonzero(bad & ~np.concatenate(([False], bad[:-1])))
    return int(begins[-1]) if len(begins) else len(rows) - 1


def seconds(rows: Rows) -> Vector:
    """Return the time of each tick from the fault, s."""
    at = rows['steady_ns'][fault_index(rows)]
    return np.asarray((rows['steady_ns'] - at) / NANOSECONDS)


def _span_s(rows: Rows) -> float:
    return float(rows['steady_ns'][-1] - rows['steady_ns'][0]) / NANOSECONDS if len(rows) else 0.0


def _modes(recording: Recording) -> str:
    rows = recording.rows
    codes = np.stack((rows['mode'], rows['fault']), axis=1)
    changed = np.concatenate(([True], (np.diff(codes, axis=0) != 0).any(axis=1)))
    times = seconds(rows)
    lines = [
        (f'{times[k]:+.3f}', Mode(int(codes[k, 0])).name, _fault_name(int(codes[k, 1])))
        for k in np.flatnonzero(changed)[-_CHANGES_SHOWN:]
    ]
    return text_table(('time [s]', 'mode', 'fault'), lines)


def _fault_name(code: int) -> str:
    return '' if not code else Fault(code).name if code in set(Fault) else str(code)


def _joints(recording: Recording) -> str:
    facts, rows = recording.facts, recording.rows
    error = np.abs(rows['q_ref'] - rows['q'])
    share = np.abs(rows['tau']) / np.array(facts.effort_limit)
    at, times = fault_index(rows), seconds(rows)
    lines = []
    for k, joint in enumerate(facts.joints):
        worst = int(error[:, k].argmax())
        lines.append((
            joint, number(1e3 * error[worst, k]), f'{times[worst]:+.3f}',
            number(1e3 * error[at, k]), number(rows['v'][at, k], 3), number(rows['tau'][at, k]),
            f'{100.0 * share[:, k].max():.0f} %',
        ))
    header = ('joint', 'worst error [m]', 'at [s]', 'at fault', 'v', 'tau', 'most of limit')
    return text_table(header, lines)


def _timing(rows: Rows) -> str:
    lines = []
    for name in _TIMES:
        us = rows[name] / 1e3
        p50, p99 = np.percentile(us, (50, 99))
        lines.append((name[:-3], number(p50, 0), number(p99, 0), number(us.max(), 0)))
    skipped = int(rows['skipped'].sum())
    return text_table(('us', 'p50', 'p99', 'max'), lines) + f'\n  {skipped} ticks skipped'
