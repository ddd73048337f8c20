"""Each invariant finds what breaks it, and says nothing of what does not."""
from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from id_controller.chaos.invariants import violations
from id_controller.chaos.trace import Bounds, Trace, Window

MS = 1_000_000
S = 1000 * MS
BOUNDS = Bounds(np.array([10.0, 20.0]), np.array([200.0, 400.0]), 0.004)
# 200 N m/s over 1 ms and two periods of 4 ms.
STEP = 200.0 * 0.009


def trace(**changes: np.ndarray) -> Trace:
    """A quiet second of two joints at 1 kHz."""
    sent_ns = 100 * S + np.arange(1000) * MS
    given = Trace(
        at_ns=sent_ns, sent_ns=sent_ns, writer=np.ones(1000, np.uint64),
        tau=np.tile([1.0, -2.0], (1000, 1)),
    )
    return dataclasses.replace(given, **changes)


def changed(row: int, joint: int, value: float, rest: bool = False) -> Trace:
    tau = trace().tau.copy()
    tau[row : None if rest else row + 1, joint] = value
    return trace(tau=tau)


def found(given: Trace, *windows: Window) -> list[str]:
    return [one.what for one in violations(given, BOUNDS, windows)]


def window(begin_ms: int, end_ms: int, gap_s: float = 0.1, **more: bool) -> Window:
    begin, end = 100 * S + begin_ms * MS, 100 * S + end_ms * MS
    return Window(begin, end, f'from {begin_ms}', gap_s, **more)


def test_a_quiet_trace_breaks_nothing() -> None:
    assert found(trace()) == []


@pytest.mark.parametrize('bad', [np.nan, np.inf, -np.inf])
def test_what_is_not_finite(bad: float) -> None:
    lines = found(changed(500, 1, bad))
    assert any(line.startswith('not finite') for line in lines)


def test_the_effort_limits() -> None:
    ramp = np.linspace(0.0, 10.0, 1000)
    assert found(trace(tau=np.stack((ramp, -2.0 * ramp), axis=1))) == []
    over = found(trace(tau=np.stack((ramp, -2.01 * ramp), axis=1)))
    assert over and all(line.startswith('beyond the effort limits') for line in over)


@pytest.mark.parametrize(('step', 'fine'), [(0.99 * STEP, True), (1.01 * STEP, False)])
def test_a_step(step: float, fine: bool) -> None:
    lines = found(changed(500, 0, 1.0 + step, rest=True))
    assert (lines == []) is fine
    assert all(line.startswith('a step') for line in lines)


def test_a_step_from_one_writer_to_the_next_counts_too() -> None:
    given = changed(500, 0, 6.0, rest=True)
    writer = given.writer.copy()
    writer[500:] = 2
    assert found(dataclasses.replace(given, writer=writer)) != []


def test_silence_is_excused_by_what_goes_on() -> None:
    keep = np.ones(1000, dtype=bool)
    keep[300:500] = False
    sent_ns = trace().sent_ns[keep]
    given = Trace(at_ns=sent_ns, sent_ns=sent_ns, writer=trace().writer[keep],
                  tau=trace().tau[keep])
    (line,) = found(given)
    assert line == 'silent for 0.201 s, expected at most 0.1 s'
    assert found(given, window(290, 600, 0.25)) == []
    assert found(given, window(290, 600, 0.15)) != []
    assert found(given, window(600, 900, 9.0)) != [], 'what came later excuses nothing'


def test_what_an_end_leaves_behind() -> None:
    zero = changed(700, 0, 0.0, rest=True)
    tau = zero.tau.copy()
    tau[700:, 1] = 0.0
    ended = trace(tau=tau)
    end = window(600, 800, zero=True)
    assert found(ended, end) == []
    (line,) = found(changed(700, 0, 0.0, rest=True), end)
    assert line.startswith('left behind: ')
    assert found(trace(), window(600, 800)) == []


def test_a_violation_names_what_went_on() -> None:
    (one,) = violations(changed(500, 0, np.nan), BOUNDS, [window(100, 200), window(400, 600)])[:1]
    assert one.during == 'from 400'
    assert one.at_ns == 100 * S + 500 * MS
