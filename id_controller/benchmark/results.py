"""What a benchmark found, against what it should be."""
from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Bar:
    """
    One measured number and its bar.

    :param what: What was measured, for a person.
    :param measured: The number, in ``unit``.
    :param limit: The bar, in the same unit.
    :param at_most: Whether the number must not exceed the bar; otherwise it must reach it.
    :param note: How it was measured, such as the number of runs and their spread.
    """

    what: str
    measured: float
    limit: float
    unit: str
    at_most: bool = True
    note: str = ''

    @property
    def passed(self) -> bool:
        """Whether the number is as good as the bar; one that is not a number is not."""
        return self.measured <= self.limit if self.at_most else self.measured >= self.limit
