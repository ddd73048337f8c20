"""What was heard on the command topic, and what was going on meanwhile."""
from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from id_controller.state import Matrix, Vector


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Trace:
    """
    Commands in the order in which they were sent.

    :param at_ns: Steady times of receipt, shape (k,), :param sent_ns: system times of sending.
    :param writer: Which publisher sent each, shape (k,).
    :param tau: Efforts, shape (k, n).
    """

    at_ns: npt.NDArray[np.int64]
    sent_ns: npt.NDArray[np.int64]
    writer: npt.NDArray[np.uint64]
    tau: Matrix


class Window(NamedTuple):
    """
    A time in which something was going on.

    :param begin_ns: System times, :param end_ns: of its begin and end.
    :param what: The injection.
    :param longest_gap_s: Longest silence that it excuses.
    :param breaks: Whether a command may stand that nobody took back, so that the next one may
        differ from it by more than a rate allows.
    :param zero: Whether zero must have been sent last when it is over.
    """

    begin_ns: int
    end_ns: int
    what: str
    longest_gap_s: float
    breaks: bool = False
    zero: bool = False


class Bounds(NamedTuple):
    """
    What commands must keep.

    :param effort: Effort limits, N m or N, :param rate: rate limits per second, shape (n,) each.
    :param period_s: Longest period of any who commands.
    """

    effort: Vector
    rate: Vector
    period_s: float


class Violation(NamedTuple):
    """Something that must not be: when (system time), what, and what was going on."""

    at_ns: int
    what: str
    during: str
