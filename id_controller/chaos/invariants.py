"""
What must hold on the command topic, whatever happens.

A tick changes an effort by at most rate times two periods, however late it is. So between two
commands that were sent dt apart there may be rate times (dt + two periods), and not more.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from id_controller.chaos.trace import Bounds, Trace, Violation, Window
from id_controller.state import NANOSECONDS

USUAL_GAP_S = 0.1
"""Longest silence that nothing excuses: ten times what a machine with SCHED_FIFO loses."""
_SLACK = 1e-6
_SHOWN = 5
_Bools = npt.NDArray[np.bool_]


def violations(trace: Trace, bounds: Bounds, windows: Sequence[Window]) -> list[Violation]:
    """Return what was wrong, at most some of each kind."""
    found: list[Violation] = []
    for check in (_finite, _within, _smooth, _heard, _ended):
        found += list(check(trace, bounds, windows))[:_SHOWN]
    return sorted(found)


def _during(at_ns: int, windows: Sequence[Window]) -> str:
    """Name the last injection that had begun."""
    begun = [window.what for window in windows if window.begin_ns <= at_ns]
    return begun[-1] if begun else 'nothing yet'


def _each(
    wrong: _Bools, trace: Trace, windows: Sequence[Window], what: str
) -> Iterator[Violation]:
    for row in np.flatnonzero(wrong):
        at_ns = int(trace.sent_ns[row])
        values = np.array2string(trace.tau[row], precision=3, max_line_width=200)
        yield Violation(at_ns, f'{what}: {values}', _during(at_ns, windows))


def _finite(
    trace: Trace, bounds: Bounds, windows: Sequence[Window]
) -> Iterator[Violation]:
    wrong = np.asarray(~np.isfinite(trace.tau).all(axis=1))
    yield from _each(wrong, trace, windows, 'not finite')


def _within(
    trace: Trace, bounds: Bounds, windows: Sequence[Window]
) -> Iterator[Violation]:
    wrong = np.asarray((np.abs(trace.tau) > bounds.effort * (1.0 + _SLACK)).any(axis=1))
    yield from _each(wrong, trace, windows, 'beyond the effort limits')


def _smooth(
    trace: Trace, bounds: Bounds, windows: Sequence[Window]
) -> Iterator[Violation]:
    """Compare each command with the one before it, of whatever writer."""
    elapsed_s = np.diff(trace.sent_ns) / NANOSECONDS
    allowed = bounds.rate * (elapsed_s + 2.0 * bounds.period_s)[:, np.newaxis]
    wrong = np.zeros(len(trace.tau), dtype=bool)
    wrong[1:] = (np.abs(np.diff(trace.tau, axis=0)) > allowed * (1.0 + _SLACK)).any(axis=1)
    for window in windows:
        if window.breaks:
            wrong &= ~((trace.sent_ns >= window.begin_ns) & (trace.sent_ns <= window.end_ns))
    yield from _each(wrong, trace, windows, 'a step beyond the rate limit')


def _heard(
    trace: Trace, bounds: Bounds, windows: Sequence[Window]
) -> Iterator[Violation]:
    gaps_s = np.diff(trace.sent_ns) / NANOSECONDS
    for row in np.flatnonzero(gaps_s > USUAL_GAP_S):
        begin_ns, end_ns = int(trace.sent_ns[row]), int(trace.sent_ns[row + 1])
        excuse = max(
            (one.longest_gap_s for one in windows
             if one.begin_ns < end_ns and one.end_ns > begin_ns), default=USUAL_GAP_S,
        )
        if gaps_s[row] > excuse:
            yield Violation(
                begin_ns, f'silent for {gaps_s[row]:.3f} s, expected at most {excuse:g} s',
                _during(end_ns, windows),
            )


def _ended(
    trace: Trace, bounds: Bounds, windows: Sequence[Window]
) -> Iterator[Violation]:
    """After an orderly end the last command is zero."""
    for window in windows:
        if not window.zero:
            continue
        inside = (trace.sent_ns >= window.begin_ns) & (trace.sent_ns <= window.end_ns)
        rows = np.flatnonzero(inside)
        if len(rows) and trace.tau[rows[-1]].any():
            values = np.array2string(trace.tau[rows[-1]], precision=3, max_line_width=200)
            yield Violation(window.end_ns, f'left behind: {values}', window.what)
