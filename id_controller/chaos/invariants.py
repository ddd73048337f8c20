"""
What must hold on the command topic, whatever happens.

A tick changes an effort by no more than its rate times two periods of the process that ticks,
however late it is, and otherwise by the rate times the time since the tick before. A command is
sent after its tick has looked at the clock and before the next tick does, so for two commands
of one process that were sent dt apart the change is at most rate times (dt + two periods): the
ticks after the next one lie between the two sendings. Nothing but rounding is added to that.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from id_controller.chaos.trace import Bounds, Trace, Violation, Window
from id_controller.state import NANOSECONDS, Matrix, Vector

USUAL_GAP_S = 0.05
"""Longest silence that nothing excuses."""
SPAN_NS = 10_000_000
"""Over which many small changes of one process are added up."""
_PERIODS = 2.0
_ROUNDING = 1e-9
_SHOWN = 5
_Bools = npt.NDArray[np.bool_]
_Rows = npt.NDArray[np.intp]


def violations(trace: Trace, bounds: Bounds, windows: Sequence[Window]) -> list[Violation]:
    """
    Return what was wrong, at most some of each kind.

    :param windows: What went on, in order of time.
    """
    found: list[Violation] = []
    for check in (_finite, _within, _ticked, _gradual, _handed_over, _heard, _ended):
        with np.errstate(invalid='ignore'):  # what is not finite is found by the first of them
            found += list(check(trace, bounds, windows))[:_SHOWN]
    return sorted(found)


def _during(at_ns: int, windows: Sequence[Window]) -> str:
    """Name the last injection that had begun."""
    begun = [window.what for window in windows if window.begin_ns <= at_ns]
    return begun[-1] if begun else 'nothing yet'


def _finite(trace: Trace, bounds: Bounds, windows: Sequence[Window]) -> Iterator[Violation]:
    wrong = np.flatnonzero(~np.isfinite(trace.tau).all(axis=1))
    yield from _each(wrong, trace, windows, 'not finite')


def _within(trace: Trace, bounds: Bounds, windows: Sequence[Window]) -> Iterator[Violation]:
    beyond = np.abs(trace.tau) > bounds.effort * (1.0 + _ROUNDING)
    yield from _each(np.flatnonzero(beyond.any(axis=1)), trace, windows, 'beyond effort limits')


def _ticked(trace: Trace, bounds: Bounds, windows: Sequence[Window]) -> Iterator[Violation]:
    """From one tick to the next: two periods, or what the ticks that were not heard add."""
    for rows, period_s in _writers(trace, bounds):
        ticks = np.maximum(np.diff(trace.number[rows]), 1)
        yield from _steps(
            trace, bounds, windows, rows[:-1], rows[1:], _PERIODS * period_s * ticks,
            'a step beyond the rate limit from tick to tick',
        )


def _gradual(trace: Trace, bounds: Bounds, windows: Sequence[Window]) -> Iterator[Violation]:
    """Over a span: no more than its time allows, and two periods."""
    for rows, period_s in _writers(trace, bounds):
        sent_ns = trace.sent_ns[rows]
        first = np.searchsorted(sent_ns, sent_ns - SPAN_NS)
        elapsed_s = (sent_ns - sent_ns[first]) / NANOSECONDS
        yield from _steps(
            trace, bounds, windows, rows[first], rows, elapsed_s + _PERIODS * period_s,
            f'a change beyond the rate limit in {1000 * SPAN_NS / NANOSECONDS:g} ms',
        )


def _handed_over(trace: Trace, bounds: Bounds, windows: Sequence[Window]) -> Iterator[Violation]:
    """From the command of one process to the next one, of another."""
    after = 1 + np.flatnonzero(np.diff(trace.writer) != 0)
    elapsed_s = (trace.sent_ns[after] - trace.sent_ns[after - 1]) / NANOSECONDS
    yield from _steps(
        trace, bounds, windows, after - 1, after, elapsed_s + _PERIODS * bounds.host_period_s,
        'a step beyond the rate limit from one process to another',
    )


def _heard(trace: Trace, bounds: Bounds, windows: Sequence[Window]) -> Iterator[Violation]:
    """
    No silence but what is excused; what an endless excuse does not cover counts in full.

    Time in which the machine let the observer not run either says nothing of the controller.
    """
    excuses = [one for one in windows if not one.zero]
    excuses += [Window(int(a), int(b), 'a stall', np.inf) for a, b in trace.stalls]
    gaps_ns = np.diff(trace.sent_ns)
    for row in np.flatnonzero(gaps_ns > USUAL_GAP_S * NANOSECONDS):
        begin_ns, end_ns = int(trace.sent_ns[row]), int(trace.sent_ns[row + 1])
        common = [one for one in excuses if one.begin_ns < end_ns and one.end_ns > begin_ns]
        allowed_s = max((one.longest_gap_s for one in common if np.isfinite(one.longest_gap_s)),
                        default=USUAL_GAP_S)
        covered = [(max(begin_ns, one.begin_ns), min(end_ns, one.end_ns))
                   for one in common if np.isinf(one.longest_gap_s)]
        silent_s = (end_ns - begin_ns - _union(covered)) / NANOSECONDS
        if silent_s > allowed_s:
            yield Violation(
                begin_ns, f'silent for {silent_s:.3f} s, expected at most {allowed_s:g} s',
                _during(end_ns, windows),
            )


def _union(spans: Sequence[tuple[int, int]]) -> int:
    """Time that spans cover together."""
    total, until = 0, 0
    for begin, end in sorted(spans):
        total += max(0, end - max(begin, until))
        until = max(until, end)
    return total


def _ended(trace: Trace, bounds: Bounds, windows: Sequence[Window]) -> Iterator[Violation]:
    """After an orderly end the last command is zero."""
    for window in windows:
        if not window.zero:
            continue
        inside = (trace.sent_ns >= window.begin_ns) & (trace.sent_ns <= window.end_ns)
        rows = np.flatnonzero(inside)
        if not len(rows):
            yield Violation(window.end_ns, 'an end without any command', window.what)
        elif trace.tau[rows[-1]].any():
            what = f'left behind: {_shown(trace.tau[rows[-1]])}'
            yield Violation(window.end_ns, what, window.what)


def _writers(trace: Trace, bounds: Bounds) -> Iterator[tuple[_Rows, float]]:
    """
    Tell apart who commands: the rows of each, as long as nobody else did, and its period.

    The pace tells the period. One that was heard too rarely to tell counts as the slower one,
    whose bounds are wider. What a writer sent before another one had its turn is no step.
    """
    between_s = np.sqrt(bounds.period_s * bounds.host_period_s)
    periods: dict[int, float] = {}
    for writer in np.unique(trace.writer):
        gaps_s = np.diff(trace.sent_ns[trace.writer == writer]) / NANOSECONDS
        fast = len(gaps_s) > 1 and float(np.median(gaps_s)) < between_s
        periods[int(writer)] = bounds.period_s if fast else bounds.host_period_s
    turns = 1 + np.flatnonzero(np.diff(trace.writer) != 0)
    for rows in np.split(np.arange(len(trace.writer)), turns):
        if len(rows):
            yield rows, periods[int(trace.writer[rows[0]])]


def _steps(
    trace: Trace,
    bounds: Bounds,
    windows: Sequence[Window],
    before: _Rows,
    after: _Rows,
    allowed_s: Vector,
    what: str,
) -> Iterator[Violation]:
    """Compare pairs of rows, which may differ by what the rate makes of a time."""
    change: Matrix = np.abs(trace.tau[after] - trace.tau[before])
    wrong = (change > bounds.rate * allowed_s[:, np.newaxis] + _ROUNDING).any(axis=1)
    for pair in np.flatnonzero(wrong):
        row, elapsed_s = after[pair], allowed_s[pair]
        share = float(np.max(change[pair] / (bounds.rate * elapsed_s)))
        yield from _each(
            row[np.newaxis], trace, windows,
            f'{what}, {share:.2f} of it from {_shown(trace.tau[before[pair]])}',
        )


def _each(
    rows: _Rows, trace: Trace, windows: Sequence[Window], what: str
) -> Iterator[Violation]:
    for row in rows:
        at_ns = int(trace.sent_ns[row])
        yield Violation(at_ns, f'{what}: {_shown(trace.tau[row])}', _during(at_ns, windows))


def _shown(tau: Vector) -> str:
    return np.array2string(tau, precision=3, max_line_width=200)
