"""
The fault table: what can be wrong, how it is seen, and what it leaves to act on.

One table is the code, the docs page (``fault_table_markdown``) and the list of what the tests must
cover. A new fault is one member of ``Fault``, one row here, and where it needs a measurement of
its own, one field of ``Observation``.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from id_controller.control.observation import Observation, Row


class Fault(IntEnum):
    """What is wrong; the numbers are part of telemetry and never change their meaning."""

    NONE = 0
    STATE_INCOMPLETE = 1
    STATE_STALE = 2
    STATE_NON_FINITE = 3
    VELOCITY_NON_FINITE = 4
    COMMAND_NON_FINITE = 5
    POSITION_LIMIT = 6
    OVER_SPEED = 7
    TRACKING_ERROR = 8
    SUBSCRIBER_LOST = 9
    HOST_SILENT = 10
    TIME_JUMP = 11
    CONTROL_LOST = 12
    OVERRUN = 13
    STATE_JUMP = 14
    SATURATION = 15
    ROBOT_STOPPED = 16


class Trust(IntEnum):
    """Which signals of the state may still be acted on; without q nothing but a decay is."""

    NONE = 0
    Q = 1
    Q_V = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class FaultRow:
    """
    One row of the table.

    :param cause: Text for a person.
    :param detect: Tells from an observation whether the cause is there.
    :param trust: What the fault leaves trusted.
    :param threshold: Parameter that sets when it strikes; empty: none.
    :param external: Raised from outside by ``Controller.raise_fault``.
    :param persists: Whether a reset is refused while ``detect`` still sees the cause; otherwise
        the reset itself takes the cause away.
    :param clears: How it clears, for the docs.
    """

    fault: Fault
    cause: str
    detect: Callable[[Observation], bool]
    trust: Trust
    threshold: str = ''
    external: bool = False
    persists: bool = True
    clears: str = 'a reset, once the cause is gone'


def _raised(fault: Fault) -> Callable[[Observation], bool]:
    return lambda seen: bool(seen.raised >> fault & 1)


_BY_RESET = 'a reset, which makes the measured position the reference'

FAULTS: tuple[FaultRow, ...] = (
    FaultRow(
        fault=Fault.STATE_INCOMPLETE,
        cause='some joint has never been received',
        detect=lambda seen: not seen.complete,
        trust=Trust.NONE,
    ),
    FaultRow(
        fault=Fault.STATE_STALE,
        cause='the joint state is too old, its stamp stands still, or the clock of the ticks does',
        detect=lambda seen: seen.age_ns > seen.timeout_ns,
        trust=Trust.NONE,
        threshold='state_timeout',
    ),
    FaultRow(
        fault=Fault.STATE_NON_FINITE,
        cause='a measured position is not a number or beyond reason',
        detect=lambda seen: not seen.q_sane,
        trust=Trust.NONE,
    ),
    FaultRow(
        fault=Fault.COMMAND_NON_FINITE,
        cause='the control law gave an effort that is not finite',
        detect=lambda seen: not seen.command_finite,
        trust=Trust.NONE,
        persists=False,
        clears='a reset; it strikes again if the law still gives none',
    ),
    FaultRow(
        fault=Fault.VELOCITY_NON_FINITE,
        cause='a measured velocity is not a number or beyond reason',
        detect=lambda seen: not seen.v_sane,
        trust=Trust.Q,
    ),
    FaultRow(
        fault=Fault.STATE_JUMP,
        cause='a measured position has jumped: a reset of the robot, or two publishers of a joint',
        detect=lambda seen: seen.jumped,
        trust=Trust.Q_V,
        threshold='constraints.position_jump',
        persists=False,
        clears=_BY_RESET,
    ),
    FaultRow(
        fault=Fault.POSITION_LIMIT,
        cause='a joint lies outside its position limits',
        detect=lambda seen: seen.outside(Row.POSITION),
        trust=Trust.Q_V,
        threshold='constraints.position_limit_tolerance',
    ),
    FaultRow(
        fault=Fault.OVER_SPEED,
        cause='a joint moves faster than its velocity limit allows',
        detect=lambda seen: seen.outside(Row.VELOCITY),
        trust=Trust.Q_V,
        threshold='constraints.over_speed_factor',
    ),
    FaultRow(
        fault=Fault.TRACKING_ERROR,
        cause='a joint is too far from its reference',
        detect=lambda seen: seen.outside(Row.ERROR),
        trust=Trust.Q_V,
        threshold='constraints.<joint>.trajectory',
        persists=False,
        clears=_BY_RESET,
    ),
    FaultRow(
        fault=Fault.SATURATION,
        cause='an effort has been at its limit for too long',
        detect=lambda seen: seen.saturated,
        trust=Trust.Q_V,
        threshold='constraints.saturation_time',
        persists=False,
        clears='a reset; it strikes again if the load stays too high',
    ),
    FaultRow(
        fault=Fault.SUBSCRIBER_LOST,
        cause='nobody subscribes to the commands',
        detect=lambda seen: not seen.matched,
        trust=Trust.Q_V,
        clears='a reset, once a subscriber is there; efforts begin at zero with it',
    ),
    FaultRow(
        fault=Fault.ROBOT_STOPPED,
        cause='the robot says that it follows no commands: protective stop, brakes, program',
        detect=_raised(Fault.ROBOT_STOPPED),
        trust=Trust.Q_V,
        threshold='robot_mode_topic',
        external=True,
        clears='a reset, once the robot says that it follows commands',
    ),
    FaultRow(
        fault=Fault.HOST_SILENT,
        cause='the host process is silent',
        detect=_raised(Fault.HOST_SILENT),
        trust=Trust.Q_V,
        external=True,
        clears='a reset, which a silent host cannot send',
    ),
    FaultRow(
        fault=Fault.CONTROL_LOST,
        cause='the control process is lost and the host has taken over',
        detect=_raised(Fault.CONTROL_LOST),
        trust=Trust.Q_V,
        external=True,
        clears='a reset, which starts a new control process',
    ),
    FaultRow(
        fault=Fault.OVERRUN,
        cause='too many ticks are lost, or come on states that are too old',
        detect=_raised(Fault.OVERRUN),
        trust=Trust.Q_V,
        threshold='overruns.min_rate',
        external=True,
        clears='a reset, once ticks come in time again',
    ),
    FaultRow(
        fault=Fault.TIME_JUMP,
        cause='the clock was set back',
        detect=lambda seen: seen.time_jumped,
        trust=Trust.Q_V,
        threshold='state_timeout',
        persists=False,
        clears=_BY_RESET,
    ),
)


def first_fault(
    rows: tuple[FaultRow, ...], seen: Observation, *, persisting: bool = False
) -> FaultRow | None:
    """
    Find the gravest fault that is there: the first row, since rows are ordered by trust.

    :param persisting: Look only for what a reset would not take away.
    """
    for row in rows:
        if (row.persists or not persisting) and row.detect(seen):
            return row
    return None


def fault_row(fault: Fault) -> FaultRow:
    """Return the row of a fault that is not NONE."""
    return next(row for row in FAULTS if row.fault is fault)


def fault_cause(fault: int) -> str:
    """Return the cause of a fault code as text; empty for 0."""
    known = {int(row.fault): row.cause for row in FAULTS}
    return known.get(fault, f'unknown fault {fault}') if fault else ''
