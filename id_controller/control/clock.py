"""Time as the ticks measure it."""
from __future__ import annotations

from id_controller.state import NANOSECONDS

_PERIODS_MAX = 2
"""A late tick moves the reference on by at most this many periods."""


class TickClock:
    """
    Time from tick to tick, safe against clocks that stand, stumble or are set back.

    ``dt_s`` is for the law: measured time, never negative, at most two periods, so that a stall
    does not make the motion jump. ``elapsed_s`` is for ramps that must end: it is not cut off.

    :param period_s: Nominal period.
    """

    def __init__(self, period_s: float) -> None:
        self._period_s = period_s
        self._period_ns = round(period_s * NANOSECONDS)
        self.restart()

    def restart(self) -> None:
        """Forget the last tick; the next one counts as one period."""
        self._last_ns: int | None = None
        self._last_age_ns = 0
        self.scale = 1.0
        """How fast the time of the reference passes."""
        self.dt_s = self.elapsed_s = self._period_s
        self.reference_ns = 0
        self.jumped = False

    def advance(self, now_ns: int, age_ns: int, back_ns: int, must_move: bool) -> None:
        """
        Take the time of a tick.

        :param age_ns: Age of the state, whose growth shows that time passes when the clock stands.
        :param back_ns: A larger step back is a jump; a smaller one counts as no time.
        :param must_move: Let time pass in any case: a ramp to zero must not stop with the clock.
        """
        if self._last_ns is None:
            self._last_ns, self.reference_ns = now_ns, now_ns
            dt_ns = self._period_ns
        else:
            dt_ns = now_ns - self._last_ns
            self.jumped = dt_ns < -back_ns
            if dt_ns > 0 or self.jumped:
                self._last_ns = now_ns
            dt_ns = max(dt_ns, 0)
            if must_move and dt_ns == 0:
                dt_ns = max(self._period_ns, age_ns - self._last_age_ns)
            passed_ns = min(dt_ns, _PERIODS_MAX * self._period_ns)
            self.reference_ns += round(passed_ns * self.scale)
        self._last_age_ns = age_ns
        self.elapsed_s = dt_ns / NANOSECONDS
        self.dt_s = min(self.elapsed_s, _PERIODS_MAX * self._period_s)

    def rest(self, now_ns: int) -> None:
        """Set the time of the reference right, while nothing moves by it."""
        self.reference_ns = now_ns
