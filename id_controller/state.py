"""
The values that cross module borders inside a tick, all in controller joint order.

Named tuples, because a tick makes several of each and they are the cheapest immutable record that
Python has. The arrays in them are views that stay valid until the next tick; copy to keep.
Units: q in rad or m, v per second, a per second squared, tau in N m or N.
"""
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]
Rows = npt.NDArray[Any]
"""Records of ticks, in order: structured, with the fields that ``realtime/layout`` names."""

NANOSECONDS = 1_000_000_000


class JointState(NamedTuple):
    """
    A measured state.

    :param q: Positions, shape (n,).
    :param v: Velocities, shape (n,).
    :param age_ns: Steady time since the oldest joint in it was received, at the tick.
    :param complete: Whether every joint has been received at least once.
    """

    q: Vector
    v: Vector
    age_ns: int
    complete: bool = True


class Reference(NamedTuple):
    """
    The wanted motion at one instant.

    :param q: Positions, shape (n,).
    :param v: Velocities, shape (n,).
    :param a: Accelerations, shape (n,).
    :param effort: Effort that the trajectory adds as feedforward, shape (n,).
    """

    q: Vector
    v: Vector
    a: Vector
    effort: Vector


class Mode(IntEnum):
    """What an active controller is doing; INACTIVE and EXITED publish nothing."""

    INACTIVE = 0
    WAITING = 1
    HOLD = 2
    TRACK = 3
    FAULT = 4
    SOFT_STOP = 5
    EXITING = 6
    EXITED = 7


IDLE = (Mode.INACTIVE, Mode.EXITED)
"""Modes in which nothing is commanded and nothing is waited for."""

FOLLOWING = (Mode.HOLD, Mode.TRACK)
"""Modes in which a trajectory is followed, or would be."""


class Request(IntEnum):
    """What the host may ask of the supervisor."""

    ACTIVATE = 1
    HOLD = 2
    STOP = 3
    RESET = 4
    EXIT = 5
    DEACTIVATE = 6
    ROBOT_STOPPED = 7


class Command(NamedTuple):
    """
    What one update decided.

    :param tau: Efforts after all limits, shape (n,); always finite.
    :param publish: False while nothing may be sent (INACTIVE, WAITING, EXITED).
    :param mode: The mode after the update.
    :param fault: Code of the fault in force (``Fault``), 0 when there is none.
    :param reference: The reference of this tick.
    :param terms: Every term of the sum before limits, shape (number of terms, n).
    :param trajectory: Number of the trajectory that came last; 0 once it was dropped.
    :param left_ns: Time to its end, at full speed; 0 when it has ended.
    """

    tau: Vector
    publish: bool
    mode: Mode
    fault: int
    reference: Reference
    terms: Matrix
    trajectory: int = 0
    left_ns: int = 0
