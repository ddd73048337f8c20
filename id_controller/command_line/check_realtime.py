"""``id_controller check --realtime``: what this machine grants to a control loop."""
from __future__ import annotations

from id_controller.command_line.check import FINE, WARNED
from id_controller.command_line.text_table import text_table
from id_controller.errors import InstallationError
from id_controller.parameters.schema import Parameters
from id_controller.realtime import cyclictest
from id_controller.realtime.machine import Fact, facts
from id_controller.realtime.scheduling import can_be_scheduled

SECONDS = 5.0
LATE_US = 100.0
"""A tenth of a period at 1 kHz."""


def run(rate_hz: int | None = None) -> int:
    """
    Print the table.

    :param rate_hz: Control rate; None: the default.
    :returns: 0 when there is nothing to say, 1 with advice.
    """
    defaults = Parameters()
    found = facts(defaults.thread_priority)
    found.append(_wake_up(rate_hz or defaults.update_rate, defaults.thread_priority))
    print(text_table(('machine', ''), [(fact.name, fact.value) for fact in found]), end='\n\n')
    advice = [fact for fact in found if fact.advice]
    for fact in advice:
        print(f'advice: {fact.name}: {fact.advice}')
    print('see doc/realtime.md' if advice else 'fine')
    return WARNED if advice else FINE


def _wake_up(rate_hz: int, priority: int) -> Fact:
    name = f'wake-up at {rate_hz} Hz'
    granted = priority if can_be_scheduled(priority) else 0
    try:
        late = cyclictest.quantiles(cyclictest.measure(rate_hz, SECONDS, granted))
    except InstallationError as error:
        return Fact(name=name, value='not measured', advice=str(error))
    value = f'late p50 {late.p50:.0f}, p99 {late.p99:.0f}, max {late.max:.0f} us (cyclictest)'
    advice = f'p99 above {LATE_US:.0f} us: what else runs here?' if late.p99 > LATE_US else ''
    return Fact(name=name, value=value, advice=advice)
