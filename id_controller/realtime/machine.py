"""What this machine grants to a real-time process."""
from __future__ import annotations

import os
import resource
from dataclasses import dataclass
from pathlib import Path

from id_controller.realtime.scheduling import can_be_scheduled

_UNLIMITED = resource.RLIM_INFINITY
LIMITS_FILE = '/etc/security/limits.conf'


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact:
    """
    One thing about the machine.

    :param advice: What to do about it; empty: it is as it should be.
    """

    name: str
    value: str
    advice: str = ''


def facts(priority: int, root: Path = Path('/')) -> list[Fact]:
    """
    Look at the machine.

    :param priority: SCHED_FIFO priority that will be wanted.
    :param root: Root of ``proc`` and ``sys``.
    """
    return [
        _kernel(root), _fifo(priority), _memory(), _throttling(root), _governor(root),
        _isolated(root), _clock(root),
    ]


def _kernel(root: Path) -> Fact:
    release = _text(root / 'proc/sys/kernel/osrelease')
    version = _text(root / 'proc/sys/kernel/version')
    preempt_rt = _text(root / 'sys/kernel/realtime') == '1' or 'PREEMPT_RT' in version
    return Fact(
        name='kernel',
        value=f'{release}{", PREEMPT_RT" if preempt_rt else ""}',
        advice='' if preempt_rt else 'not PREEMPT_RT: rare delays of some ms; a robot wants a '
        'real-time kernel (Ubuntu: pro enable realtime-kernel; Debian: linux-image-rt-amd64)',
    )


def _fifo(priority: int) -> Fact:
    soft, _ = resource.getrlimit(resource.RLIMIT_RTPRIO)
    granted = can_be_scheduled(priority)
    return Fact(
        name='SCHED_FIFO',
        value=f'priority {priority} {"granted" if granted else "refused"} (rtprio limit {soft})',
        advice='' if granted else f'add "<user> - rtprio 98" to {LIMITS_FILE} and log in again, '
        'or run Docker with --cap-add=SYS_NICE --ulimit rtprio=98',
    )


def _memory() -> Fact:
    soft, _ = resource.getrlimit(resource.RLIMIT_MEMLOCK)
    free = soft == _UNLIMITED or os.geteuid() == 0
    return Fact(
        name='locked memory',
        value='unlimited' if free else f'{soft // 1024} kB',
        advice='' if free else f'add "<user> - memlock unlimited" to {LIMITS_FILE} and log in '
        'again, or run Docker with --ulimit memlock=-1',
    )


def _throttling(root: Path) -> Fact:
    runtime = _text(root / 'proc/sys/kernel/sched_rt_runtime_us') or '?'
    period = _text(root / 'proc/sys/kernel/sched_rt_period_us') or '?'
    # A share is left to others: that is wanted, it lets a person log in when a loop hangs.
    return Fact(name='real-time share', value=f'{runtime} of {period} us')


def _governor(root: Path) -> Fact:
    paths = sorted((root / 'sys/devices/system/cpu').glob('cpu[0-9]*/cpufreq/scaling_governor'))
    found = sorted({_text(path) for path in paths})
    slow = [name for name in found if name != 'performance']
    return Fact(
        name='frequency governor',
        value=', '.join(found) or 'none (fixed, or set by a hypervisor)',
        advice='sudo cpupower frequency-set -g performance' if slow else '',
    )


def _isolated(root: Path) -> Fact:
    isolated = _text(root / 'sys/devices/system/cpu/isolated')
    count = len(list((root / 'sys/devices/system/cpu').glob('cpu[0-9]*')))
    return Fact(
        name='CPUs',
        value=f'{count}, isolated: {isolated or "none"}',
        advice='' if count > 1 else 'one CPU for control, middleware and driver: use two or more',
    )


def _clock(root: Path) -> Fact:
    folder = root / 'sys/devices/system/clocksource/clocksource0'
    source = _text(folder / 'current_clocksource')
    slow = source in ('hpet', 'acpi_pm')
    return Fact(
        name='clock source',
        value=source or 'unknown',
        advice=f'{source} takes microseconds to read; see the kernel log for why tsc was left'
        if slow else '',
    )


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding='ascii', errors='replace').strip()
    except OSError:
        return ''
