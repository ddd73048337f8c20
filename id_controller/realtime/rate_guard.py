"""A lasting loss of ticks, seen by the loop that loses them."""
from __future__ import annotations

from typing import Protocol

from id_controller.state import NANOSECONDS


class RateSettings(Protocol):
    """What the guard takes from the settings of the controller."""

    @property
    def overrun_policy(self) -> str:
        """report, hold or stop."""

    @property
    def overrun_window_s(self) -> float:
        """Time constant of the achieved rate."""

    @property
    def overrun_min_rate(self) -> float:
        """Share of the rate below which ticks are being lost."""

    @property
    def overrun_max_consecutive(self) -> float:
        """Ticks lost in a row that are a loss at once."""

    @property
    def overrun_max_age_s(self) -> float:
        """Age from which a state makes a tick useless."""

    @property
    def overrun_recovery_s(self) -> float:
        """Time without a loss after which all is well."""


class RateGuard:
    """
    Tells when too many ticks are lost.

    A tick is lost when it was dropped, or ran on a state that is too old. The share of lost ticks
    is averaged with an exponential window. It is a loss when that share is too large, or when
    many were dropped in a row; it is over when the share has come down to half of that, for some
    time. One late tick, or a stall of a few ms, is none: those are counted and reported.

    :param period_s: Period of the ticks.
    :param enforced: Whether ticks have deadlines that they can miss; otherwise nothing is a loss.
    """

    def __init__(self, period_s: float, enforced: bool = True) -> None:
        self._period_s, self._enforced = period_s, enforced
        self._policy = 'report'
        self._gain, self._most, self._in_a_row = 0.0, 1.0, float('inf')
        self._oldest_ns, self._recovery_s = float('inf'), 0.0
        self.restart()

    def configure(self, settings: RateSettings) -> None:
        """Take over settings; what was seen stays."""
        self._policy = settings.overrun_policy
        self._gain = min(1.0, self._period_s / settings.overrun_window_s)
        self._most = 1.0 - settings.overrun_min_rate
        self._in_a_row = settings.overrun_max_consecutive
        self._oldest_ns = settings.overrun_max_age_s * NANOSECONDS
        self._recovery_s = settings.overrun_recovery_s

    def restart(self) -> None:
        """Forget what was seen."""
        self._share, self._quiet_s = 0.0, 0.0
        self.lost = False

    @property
    def holds(self) -> bool:
        """Whether a motion must end."""
        return self.lost and self._policy == 'hold'

    @property
    def stops(self) -> bool:
        """Whether the controller must stop."""
        return self.lost and self._policy == 'stop'

    def refusal(self) -> str:
        """Return why no motion may begin; empty when it may."""
        if not (self.holds or self.stops):
            return ''
        return (
            f'trajectory: {100.0 * self._share:.0f} % of the ticks were lost, allowed are '
            f'{100.0 * self._most:.0f} % (overruns.min_rate); motions are accepted again '
            f'{self._recovery_s:g} s after that is over'
        )

    def look(self, skipped: int, age_ns: int) -> bool:
        """
        Take in one tick.

        :param skipped: Ticks dropped before it.
        :param age_ns: Age of its state.
        :returns: Whether ticks are being lost.
        """
        if not self._enforced:
            return False
        stale = age_ns > self._oldest_ns
        if not (skipped or stale or self._share or self.lost):
            return False
        kept = 1.0 - self._gain
        # As many lost ones as were dropped, and then this one.
        share = 1.0 - (1.0 - self._share) * kept**skipped
        share = share * kept + (self._gain if stale else 0.0)
        self._share = share if share > 1e-9 else 0.0
        self._judge(skipped)
        return self.lost

    def _judge(self, skipped: int) -> None:
        if self._share > self._most or skipped >= self._in_a_row:
            self.lost, self._quiet_s = True, 0.0
        elif self.lost:
            self._quiet_s += self._period_s
            self.lost = self._quiet_s < self._recovery_s or self._share > 0.5 * self._most
