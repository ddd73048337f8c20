"""The fault table: every row is seen, only by its own detector, and leaves what it says."""
from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from control_rig import pair, settings

from id_controller.control.fault_table import fault_table_markdown
from id_controller.control.faults import (
    FAULTS,
    Fault,
    FaultRow,
    Trust,
    fault_cause,
    fault_row,
    first_fault,
)
from id_controller.control.observation import Observation, Row
from id_controller.state import JointState

MS = 1_000_000


def observed(
    q: tuple[float, float] = (0.3, -0.4),
    v: tuple[float, float] = (0.5, -1.0),
    error: tuple[float, float] = (0.1, -0.1),
    *,
    age_ns: int = MS,
    complete: bool = True,
    matched: bool = True,
    jumped: bool = False,
    **changes: object,
) -> Observation:
    seen = Observation(2)
    seen.configure(settings(**changes))
    seen.look(JointState(pair(*q), pair(*v), age_ns, complete), matched, jumped)
    if seen.sane:
        seen.compare(pair(*error))
    return seen


def jumped() -> Observation:
    seen = observed(position_jump=0.2)
    seen.look(JointState(pair(0.51, -0.4), pair(0.5, -1.0), MS), True, False)
    seen.compare(pair(0.1, -0.1))
    return seen


def saturated() -> Observation:
    seen = observed(saturation_time_s=0.5)
    for _ in range(501):
        seen.limited(pair(0.0, -0.1), 0.001)
    return seen


def command_not_finite() -> Observation:
    seen = observed()
    seen.command_finite = False
    return seen


def raised(fault: Fault) -> Observation:
    seen = observed()
    seen.raised = 1 << fault
    return seen


# One way to make each fault, and nothing but that one.
CAUSES: dict[Fault, Callable[[], Observation]] = {
    Fault.STATE_INCOMPLETE: lambda: observed(complete=False),
    Fault.STATE_STALE: lambda: observed(age_ns=50 * MS + 1),
    Fault.STATE_NON_FINITE: lambda: observed(q=(np.nan, 0.0)),
    Fault.VELOCITY_NON_FINITE: lambda: observed(v=(0.0, -np.inf)),
    Fault.COMMAND_NON_FINITE: command_not_finite,
    Fault.POSITION_LIMIT: lambda: observed(q=(0.0, 1.91)),
    Fault.OVER_SPEED: lambda: observed(v=(-4.6, 0.0)),
    Fault.TRACKING_ERROR: lambda: observed(error=(0.0, -0.31)),
    Fault.SUBSCRIBER_LOST: lambda: observed(matched=False),
    Fault.HOST_SILENT: lambda: raised(Fault.HOST_SILENT),
    Fault.CONTROL_LOST: lambda: raised(Fault.CONTROL_LOST),
    Fault.OVERRUN: lambda: raised(Fault.OVERRUN),
    Fault.STATE_JUMP: jumped,
    Fault.SATURATION: saturated,
    Fault.ROBOT_STOPPED: lambda: raised(Fault.ROBOT_STOPPED),
    Fault.TIME_JUMP: lambda: observed(jumped=True),
}


def test_the_table_has_every_fault_once_and_a_cause_for_each() -> None:
    assert sorted(row.fault for row in FAULTS) == sorted(set(Fault) - {Fault.NONE})
    assert set(CAUSES) == set(Fault) - {Fault.NONE}
    assert len({row.cause for row in FAULTS}) == len(FAULTS)


def test_a_good_tick_shows_no_fault() -> None:
    assert first_fault(FAULTS, observed()) is None
    assert observed().nominal


@pytest.mark.parametrize('row', FAULTS, ids=lambda row: row.fault.name)
def test_each_cause_is_seen_by_its_row_and_by_no_other(row: FaultRow) -> None:
    seen = CAUSES[row.fault]()
    assert first_fault(FAULTS, seen) is row
    assert not seen.nominal
    others = tuple(other for other in FAULTS if other is not row)
    assert first_fault(others, seen) is None


def test_rows_stand_in_order_of_trust_so_that_the_gravest_is_found_first() -> None:
    assert [row.trust for row in FAULTS] == sorted(row.trust for row in FAULTS)


def test_without_a_position_nothing_is_trusted() -> None:
    blind = {row.fault for row in FAULTS if row.trust is Trust.NONE}
    assert blind == {
        Fault.STATE_INCOMPLETE, Fault.STATE_STALE, Fault.STATE_NON_FINITE,
        Fault.COMMAND_NON_FINITE,
    }
    assert fault_row(Fault.VELOCITY_NON_FINITE).trust is Trust.Q


@pytest.mark.parametrize('bad', [np.nan, np.inf, -np.inf, 1e200])
@pytest.mark.parametrize('joint', [0, 1])
def test_b01_nothing_that_is_no_number_passes_as_a_state(bad: float, joint: int) -> None:
    values = [0.1, 0.2]
    values[joint] = bad
    q = observed(q=(values[0], values[1]))
    v = observed(v=(values[0], values[1]))
    assert (q.q_sane, q.v_sane) == (False, True)
    assert (v.q_sane, v.v_sane) == (True, False)


@pytest.mark.parametrize(
    ('seen', 'row', 'inside'),
    [
        (observed(q=(2.099, -1.599)), Row.POSITION, True),
        (observed(q=(2.101, 0.0)), Row.POSITION, False),
        (observed(q=(0.0, -1.601)), Row.POSITION, False),
        (observed(v=(4.499, -5.999)), Row.VELOCITY, True),
        (observed(v=(0.0, 6.001)), Row.VELOCITY, False),
        (observed(error=(0.199, -0.299)), Row.ERROR, True),
        (observed(error=(-0.201, 0.0)), Row.ERROR, False),
    ],
)
def test_bounds_are_those_of_the_settings(seen: Observation, row: Row, inside: bool) -> None:
    assert seen.outside(row) is not inside


def test_how_far_a_joint_is_outside_can_be_read() -> None:
    seen = observed(q=(2.6, -1.0))
    assert seen.outside_joints(Row.POSITION) == pytest.approx([0.5, 0.0])


def test_a_tolerance_of_zero_switches_its_check_off() -> None:
    seen = observed(
        v=(1e6, 0.0), error=(9.0, 0.0), over_speed_factor=0.0, tracking_tolerance=pair(0.0, 0.3)
    )
    assert first_fault(FAULTS, seen) is None


def test_b52_joints_without_limits_are_never_outside() -> None:
    free = pair(np.inf, np.inf)
    seen = observed(q=(1e6, -1e6), v=(1e5, -1e5), lower=-free, upper=free, velocity_limit=free)
    assert first_fault(FAULTS, seen) is None


@pytest.mark.parametrize(('step', 'seen_as_one'), [
    ((0.19, 0.0), False), ((0.21, 0.0), True), ((0.0, -0.21), True),
    ((0.0, 2.0 * np.pi), False), ((0.0, 0.19 - 2.0 * np.pi), False),
    ((0.0, 0.3 - 2.0 * np.pi), True), ((2.0 * np.pi, 0.0), True),
])
def test_b70_a_jump_is_measured_from_state_to_state_and_turns_of_continuous_joints_are_none(
    step: tuple[float, float], seen_as_one: bool
) -> None:
    seen = Observation(2, np.array([False, True]))
    seen.configure(settings(position_jump=0.2, lower=pair(-9, -9), upper=pair(9, 9)))
    start = pair(0.3, -0.4)
    for q in (start, start + step):
        seen.look(JointState(q, pair(0.0, 0.0), MS), True, False)
        seen.compare(pair(0.0, 0.0))
    assert seen.jumped is seen_as_one
    assert (first_fault(FAULTS, seen) is not None) is seen_as_one


def test_b36_the_first_state_and_the_first_after_none_are_no_jump() -> None:
    seen = Observation(2)
    seen.configure(settings(position_jump=0.2))
    far = JointState(pair(1.5, -1.2), pair(0.0, 0.0), MS)
    for state in (JointState(pair(0, 0), pair(0, 0), MS, False), far, far,
                  far._replace(q=pair(np.nan, 0.0)), far._replace(q=pair(0.0, 0.0))):
        seen.look(state, True, False)
        if seen.sane:
            seen.compare(pair(0.0, 0.0))
            assert not seen.jumped


def test_saturation_that_ends_is_forgotten() -> None:
    seen = observed(saturation_time_s=0.5)
    for _ in range(20):
        for _ in range(400):
            seen.limited(pair(0.1, 0.0), 0.001)
        seen.limited(pair(0.0, 0.0), 0.001)
    assert not seen.saturated
    seen = saturated()
    seen.clear()
    assert not seen.saturated


def test_a_reset_takes_some_causes_away() -> None:
    for fault in (Fault.TRACKING_ERROR, Fault.COMMAND_NON_FINITE, Fault.TIME_JUMP):
        assert first_fault(FAULTS, CAUSES[fault](), persisting=True) is None, fault
    for fault in (Fault.STATE_STALE, Fault.POSITION_LIMIT, Fault.SUBSCRIBER_LOST):
        found = first_fault(FAULTS, CAUSES[fault](), persisting=True)
        assert found is not None and found.fault is fault


def test_the_table_can_be_read() -> None:
    table = fault_table_markdown()
    assert len(table.splitlines()) == 2 + len(FAULTS)
    for row in FAULTS:
        assert f'| {int(row.fault)} | {row.fault.name} | {row.cause} |' in table
        assert fault_cause(int(row.fault)) == row.cause
    assert fault_cause(0) == ''
    assert fault_cause(99) == 'unknown fault 99'
