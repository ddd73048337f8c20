"""What a benchmark found, against what it should be."""
from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Bar:
    """
    One measured number and its bar.

    :param what: What was measured, for a person.
    :param measured: The number, in ``unit``; not a number: it could not be measured.
    :param limit: The bar, in the same unit; None: the number is shown, and there is no bar.
    :param at_most: Whether the number must not exceed the bar; otherwise it must reach it.
    :param note: How it was measured, such as the number of runs and their spread.
    """

    what: str
    measured: float
    limit: float | None
    unit: str
    at_most: bool = True
    note: str = ''

    @property
    def passed(self) -> bool:
        """Whether the number is as good as the bar; one that is not a number is not."""
        if self.limit is None:
            return True
        return self.measured <= self.limit if self.at_most else self.measured >= self.limit

    @property
    def verdict(self) -> str:
        """One word or two on it."""
        if math.isnan(self.measured):
            return 'not measured'
        if self.limit is None:
            return 'no bar'
        return 'passed' if self.passed else 'MISSED'
