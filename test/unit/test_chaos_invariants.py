"""Each invariant finds what breaks it, and says nothing of what does not."""
from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from id_controller.chaos.invariants import violations
from id_controller.chaos.trace import Bounds, Trace, Window

MS = 1_000_000
S = 1000 * MS
BOUNDS = Bounds(np.array([10.0, 20.0]), np.array([200.0, 400.0]), 0.001, 0.004)
TICK = 200.0 * 0.002
HOST_TICK = 200.0 * 0.008


def trace(**changes: np.ndarray) -> Trace:
    """A quiet second of two joints at 1 kHz."""
    sent_ns = 100 * S + np.arange(1000) * MS
    given = Trace(
        at_ns=sent_ns, sent_ns=sent_ns, writer=np.ones(1000, np.uint64),
        number=np.arange(1000), tau=np.tile([1.0, -2.0], (1000, 1)),
        stalls=np.zeros((0, 2), np.int64),
    )
    return dataclasses.replace(given, **changes)


def only(given: Trace, keep: np.ndarray) -> Trace:
    names = ('at_ns', 'sent_ns', 'writer', 'number', 'tau')
    return dataclasses.replace(given, **{name: getattr(given, name)[keep] for name in names})


def changed(row: int, joint: int, value: float, rest: bool = False) -> Trace:
    tau = trace().tau.copy()
    tau[row : None if rest else row + 1, joint] = value
    return trace(tau=tau)


def taken_over(step: float, gap_ms: int = 0) -> Trace:
    """From row 500 on another process, each 4 ms, joint 0 higher by a step."""
    rows = np.arange(1000)
    given = trace(writer=np.where(rows < 500, 1, 2).astype(np.uint64))
    tau = given.tau.copy()
    tau[500:, 0] += step
    keep = (rows < 500) | ((rows >= 500 + gap_ms) & (rows % 4 == 0))
    return dataclasses.replace(
        only(dataclasses.replace(given, tau=tau), keep), number=np.arange(int(keep.sum()))
    )


def silent(begin: int, end: int, **changes: np.ndarray) -> Trace:
    rows = np.arange(1000)
    return only(trace(**changes), (rows < begin) | (rows >= end))


def found(given: Trace, *windows: Window) -> list[str]:
    return [one.what for one in violations(given, BOUNDS, windows)]


def window(begin_ms: int, end_ms: int, gap_s: float = 0.05, zero: bool = False) -> Window:
    begin, end = 100 * S + begin_ms * MS, 100 * S + end_ms * MS
    return Window(begin, end, f'from {begin_ms}', gap_s, zero)


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
    assert over and all(line.startswith('beyond effort limits') for line in over)


@pytest.mark.parametrize(('step', 'fine'), [(0.999 * TICK, True), (1.001 * TICK, False)])
def test_a_step_from_tick_to_tick(step: float, fine: bool) -> None:
    lines = found(changed(500, 0, 1.0 + step, rest=True))
    assert (lines == []) is fine
    assert all(line.startswith('a step beyond the rate limit from tick') for line in lines)


def test_a_late_tick_may_not_change_more_than_one_in_time() -> None:
    tau = changed(500, 0, 1.0 + 20.0 * TICK, rest=True).tau
    numbers = np.concatenate((np.arange(460), np.arange(460, 1000) - 40))
    late = silent(460, 500, tau=tau, number=numbers)
    (line,) = found(late)
    assert line.startswith('a step beyond the rate limit from tick to tick, 20.00 of it')


def test_ticks_that_were_not_heard_count() -> None:
    tau = changed(500, 0, 1.0 + 10.0 * TICK, rest=True).tau
    assert found(silent(480, 500, tau=tau)) == []
    assert silent(480, 500).unheard == 20


@pytest.mark.parametrize(('share', 'fine'), [(0.99, True), (1.3, False)])
def test_changes_that_add_up(share: float, fine: bool) -> None:
    """Each tick changes less than two periods allow, all together more than the time does."""
    ramp = np.zeros(1000)
    ramp[500:520] = share * 0.2 * np.arange(1, 21)
    ramp[520:] = ramp[519]
    lines = found(trace(tau=np.stack((ramp, np.zeros(1000)), axis=1)))
    assert (lines == []) is fine
    assert all(line.startswith('a change beyond the rate limit in 10 ms') for line in lines)


@pytest.mark.parametrize(('gap_ms', 'step', 'fine'), [
    (0, HOST_TICK, True), (0, HOST_TICK + 0.21, False),
    (20, HOST_TICK + 4.1, True), (20, HOST_TICK + 4.3, False),
])
def test_a_step_from_one_process_to_the_next(gap_ms: int, step: float, fine: bool) -> None:
    lines = found(taken_over(step, gap_ms))
    assert (lines == []) is fine
    assert all(line.startswith('a step beyond the rate limit from one') for line in lines)


@pytest.mark.parametrize(('step', 'fine'), [(0.99 * HOST_TICK, True), (1.2 * HOST_TICK, False)])
def test_the_host_has_a_period_of_its_own(step: float, fine: bool) -> None:
    given = taken_over(0.0)
    tau = given.tau.copy()
    tau[560:, 0] += step
    assert (found(dataclasses.replace(given, tau=tau)) == []) is fine


def test_silence_is_excused_by_what_goes_on() -> None:
    given = silent(300, 500)
    (line,) = found(given)
    assert line == 'silent for 0.201 s, expected at most 0.05 s'
    assert found(given, window(290, 600, 0.25)) == []
    assert found(given, window(290, 600, 0.15)) != []
    assert found(given, window(600, 900, 9.0)) != [], 'what came later excuses nothing'


def test_an_endless_excuse_covers_its_own_time_only() -> None:
    given, endless = silent(300, 500), float('inf')
    assert found(given, window(310, 480, endless)) == []
    (line,) = found(given, window(310, 430, endless))
    assert line == 'silent for 0.081 s, expected at most 0.05 s'


def test_a_machine_that_stands_still_excuses_silence() -> None:
    stalls = np.array([[300, 400], [350, 490]]) * MS + 100 * S
    assert found(silent(300, 500, stalls=stalls)) == []
    assert found(silent(300, 500, stalls=stalls[:1])) != []


def test_what_an_end_leaves_behind() -> None:
    tau = changed(700, 0, 0.0).tau.copy()
    down = np.linspace(1.0, 0.0, 100)[:, np.newaxis]
    tau[600:700] = down * tau[600:700]
    tau[700:] = 0.0
    ended, end = trace(tau=tau), window(600, 800, zero=True)
    assert found(ended, end) == []
    (line,) = found(trace(), end)
    assert line.startswith('left behind: ')
    assert found(trace(), window(600, 800)) == []


def test_an_end_without_a_command() -> None:
    assert found(silent(600, 640), window(605, 635, zero=True)) == ['an end without any command']


def test_a_violation_names_what_went_on() -> None:
    (one,) = violations(changed(500, 0, np.nan), BOUNDS, [window(100, 200), window(400, 600)])[:1]
    assert one.during == 'from 400'
    assert one.at_ns == 100 * S + 500 * MS


def test_a_process_that_has_a_second_turn_goes_on_from_the_other_one() -> None:
    rows = np.arange(1000)
    writer = np.where((rows >= 300) & (rows < 700), 2, 1).astype(np.uint64)
    tau = trace().tau.copy()
    tau[:, 0] = np.interp(rows, [0, 300, 700, 1000], [0.0, 0.0, 8.0, 8.0])
    number = np.where(writer == 1, np.cumsum(writer == 1), np.cumsum(writer == 2))
    given = dataclasses.replace(trace(), writer=writer, tau=tau, number=number)
    assert found(given) == []
