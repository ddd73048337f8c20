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
    :param number: What each publisher counts them by, shape (k,): a gap is a command not heard.
    :param tau: Efforts, shape (k, n).
    :param stalls: System times of begin and end of what the machine did not let the observer run,
        shape (m, 2).
    """

    at_ns: npt.NDArray[np.int64]
    sent_ns: npt.NDArray[np.int64]
    writer: npt.NDArray[np.uint64]
    number: npt.NDArray[np.int64]
    tau: Matrix
    stalls: npt.NDArray[np.int64]

    @property
    def unheard(self) -> int:
        """How many commands were sent between those that were heard, as their numbers tell."""
        spans = [np.diff(self.number[self.writer == one]) for one in np.unique(self.writer)]
        return int(sum(np.maximum(span - 1, 0).sum() for span in spans))


class Window(NamedTuple):
    """
    A time in which something was going on.

    :param begin_ns: System times, :param end_ns: of its begin and end.
    :param what: The injection.
    :param longest_gap_s: Longest silence that it excuses; infinite: all of its time.
    :param zero: Whether something must have been sent in it, and zero last.
    """

    begin_ns: int
    end_ns: int
    what: str
    longest_gap_s: float
    zero: bool = False


class Bounds(NamedTuple):
    """
    What commands must keep.

    :param effort: Effort limits, N m or N, :param rate: rate limits per second, shape (n,) each.
    :param period_s: Period of the control process, :param host_period_s: of the host, the slower
        one, in a take-over.
    """

    effort: Vector
    rate: Vector
    period_s: float
    host_period_s: float


class Violation(NamedTuple):
    """Something that must not be: when (system time), what, and what was going on."""

    at_ns: int
    what: str
    during: str
