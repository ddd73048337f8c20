"""``id_controller check --realtime``: what this machine grants to a control loop."""
from __future__ import annotations

from collections.abc import Sequence

from id_controller.command_line.check import FINE, WARNED
from id_controller.errors import InstallationError
from id_controller.parameters.schema import Parameters
from id_controller.realtime import cyclictest
from id_controller.realtime.machine import Fact, facts
from id_controller.realtime.scheduling import can_be_scheduled

SECONDS = 2.0
LATE_SHARE = 0.1
"""Of a period: the latest wake-up in a hundred that leaves a tick its time."""


def run() -> int:
    """
    Print the table.

    :returns: 0 when there is nothing to say, 1 with advice.
    """
    defaults = Parameters()
    found = facts(defaults.thread_priority)
    found.append(_wake_up(defaults.update_rate, defaults.thread_priority))
    print(table(found))
    count = sum(bool(fact.advice) for fact in found)
    print(f'\n{count} to look at; doc/realtime.md says more' if count else '\nfine')
    return WARNED if count else FINE


def table(found: Sequence[Fact]) -> str:
    """Write a line for each fact, and one more for its advice."""
    width = max(len(fact.name) for fact in found)
    lines = []
    for fact in found:
        lines.append(f'{"!!" if fact.advice else "ok"}  {fact.name:{width}}  {fact.value}')
        if fact.advice:
            lines.append(f'{"":{width + 6}}{fact.advice}')
    return '\n'.join(lines)


def _wake_up(rate_hz: int, priority: int) -> Fact:
    name = f'wake-up at {rate_hz} Hz'
    if not can_be_scheduled(priority):
        return Fact(name=name, value='not measured, cyclictest needs SCHED_FIFO')
    try:
        late = cyclictest.quantiles(cyclictest.measure(rate_hz, SECONDS, priority))
    except InstallationError as error:
        return Fact(name=name, value='not measured', advice=str(error))
    return Fact(
        name=name,
        value=f'late p50 {late.p50:.0f}, p99 {late.p99:.0f}, max {late.max:.0f} us '
        f'(cyclictest, {SECONDS:g} s)',
        advice='the p99 is above a tenth of the period: end what else runs here, or see above'
        if late.p99 > 1e6 * LATE_SHARE / rate_hz else '',
    )
