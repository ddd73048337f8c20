"""
What this machine grants to a real-time process.

All but the trial of SCHED_FIFO is read from files below a root.
"""
from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from id_controller.realtime.scheduling import LIMITS_FILE, can_be_scheduled

_CPU = 'sys/devices/system/cpu'
_CAP_IPC_LOCK, _CAP_SYS_NICE = 14, 23
_SLOW_CLOCKS = ('hpet', 'acpi_pm')
DEEPEST_IDLE_US = 50
"""Of a longer way out of an idle state a loop at 1 kHz would notice."""


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
        _kernel(root), scheduler_fact(root, priority, can_be_scheduled(priority)), _memory(root),
        _throttling(root), _cpus(root), _governor(root), _idle(root), _clock(root), _timer(),
        _hypervisor(root),
    ]


def scheduler_fact(root: Path, priority: int, granted: bool) -> Fact:
    """
    Say whether SCHED_FIFO is granted, and if not, what stands in the way.

    :param granted: What a trial has shown.
    """
    limit = _limit(root, 'Max realtime priority')
    allowed = _has_capability(root, _CAP_SYS_NICE)
    by = 'CAP_SYS_NICE' if allowed else f'rtprio limit {limit}'
    if granted:
        return Fact(name='SCHED_FIFO', value=f'priority {priority} granted ({by})')
    advice = (
        f'add "<user> - rtprio 98" to {LIMITS_FILE} and log in again, or run Docker with '
        '--cap-add=SYS_NICE --ulimit rtprio=98'
    )
    if allowed or (limit.isdecimal() and int(limit) >= priority):
        advice = (
            'the limits allow it, so the control group has no real-time share: raise its '
            'cpu.rt_runtime_us (kernels with CONFIG_RT_GROUP_SCHED)'
        )
    return Fact(name='SCHED_FIFO', value=f'priority {priority} refused ({by})', advice=advice)


def _kernel(root: Path) -> Fact:
    release = _text(root / 'proc/sys/kernel/osrelease')
    version = _text(root / 'proc/sys/kernel/version')
    if _text(root / 'sys/kernel/realtime') == '1' or 'PREEMPT_RT' in version.split():
        return Fact(name='kernel', value=f'{release}, PREEMPT_RT')
    kinds = [word for word in version.split() if word.startswith('PREEMPT')]
    return Fact(
        name='kernel',
        value=', '.join([release, *kinds]),
        advice='not PREEMPT_RT: expect rare delays of some ms; a robot wants a real-time kernel '
        '(Ubuntu: sudo pro enable realtime-kernel; Debian: sudo apt install linux-image-rt-amd64)',
    )


def _memory(root: Path) -> Fact:
    limit = _limit(root, 'Max locked memory')
    if limit == 'unlimited' or _has_capability(root, _CAP_IPC_LOCK):
        return Fact(name='locked memory', value='unlimited')
    return Fact(
        name='locked memory',
        value=f'{int(limit) // 1024} kB' if limit.isdecimal() else 'unknown',
        advice=f'add "<user> - memlock unlimited" to {LIMITS_FILE} and log in again, or run '
        'Docker with --ulimit memlock=-1',
    )


def _throttling(root: Path) -> Fact:
    """A share that is left to others lets a person log in when a loop hangs: that is wanted."""
    runtime = _text(root / 'proc/sys/kernel/sched_rt_runtime_us')
    period = _text(root / 'proc/sys/kernel/sched_rt_period_us')
    if runtime == '-1':
        return Fact(
            name='real-time share', value='all of each CPU',
            advice='a loop that hangs takes its CPU for good: '
            'sudo sysctl kernel.sched_rt_runtime_us=950000',
        )
    known = runtime.isdecimal() and period.isdecimal()
    value = f'{int(runtime) // 1000} of {int(period) // 1000} ms' if known else 'unknown'
    return Fact(name='real-time share', value=value)


def _cpus(root: Path) -> Fact:
    count = len(list((root / _CPU).glob('cpu[0-9]*')))
    sets = [
        f'{word}: {_text(root / _CPU / file).replace("(null)", "") or "none"}'
        for word, file in (('isolated', 'isolated'), ('without tick', 'nohz_full'))
    ]
    return Fact(
        name='CPUs',
        value=', '.join([str(count), *sets]),
        advice='one CPU for the control loop, the middleware and the driver: use two or more'
        if count == 1 else '',
    )


def _governor(root: Path) -> Fact:
    paths = (root / _CPU).glob('cpu[0-9]*/cpufreq/scaling_governor')
    found = sorted({_text(path) for path in paths})
    return Fact(
        name='frequency governor',
        value=', '.join(found) or 'none (fixed, or set by a hypervisor)',
        advice='the clock must not follow the load: sudo cpupower frequency-set -g performance'
        if set(found) - {'performance'} else '',
    )


def _idle(root: Path) -> Fact:
    states = [
        (int(latency), _text(state / 'name'))
        for state in (root / _CPU / 'cpu0/cpuidle').glob('state*')
        if (latency := _text(state / 'latency')).isdecimal() and _text(state / 'disable') == '0'
    ]
    if not states:
        return Fact(name='idle states', value='none')
    latency_us, name = max(states)
    return Fact(
        name='idle states',
        value=f'deepest {name}, {latency_us} us to leave',
        advice=f'sudo cpupower idle-set -D {DEEPEST_IDLE_US}'
        if latency_us > DEEPEST_IDLE_US else '',
    )


def _clock(root: Path) -> Fact:
    folder = root / 'sys/devices/system/clocksource/clocksource0'
    source = _text(folder / 'current_clocksource')
    return Fact(
        name='clock source',
        value=source or 'unknown',
        advice=f'{source} takes microseconds to read; the kernel log says why tsc is not used'
        if source in _SLOW_CLOCKS else '',
    )


def _timer() -> Fact:
    resolution_us = 1e6 * time.clock_getres(time.CLOCK_MONOTONIC)
    return Fact(
        name='timer resolution',
        value=f'{resolution_us:g} us',
        advice='the kernel has no high-resolution timers (CONFIG_HIGH_RES_TIMERS, highres=on)'
        if resolution_us > 1.0 else '',
    )


def _hypervisor(root: Path) -> Fact:
    flags = _text(root / 'proc/cpuinfo').split()
    kind = _text(root / 'sys/hypervisor/type')
    virtual = bool(kind) or 'hypervisor' in flags
    return Fact(
        name='hypervisor',
        value=(kind or 'yes') if virtual else 'none seen',
        advice='its host may take a CPU away for some ms: measure here, control elsewhere'
        if virtual else '',
    )


def _limit(root: Path, name: str) -> str:
    """Return the soft limit of that name, empty where there is none."""
    for line in _text(root / 'proc/self/limits').splitlines():
        if line.startswith(name):
            return line[len(name) :].split()[0]
    return ''


def _has_capability(root: Path, number: int) -> bool:
    for line in _text(root / 'proc/self/status').splitlines():
        if line.startswith('CapEff:'):
            return bool(int(line.split()[1], 16) >> number & 1)
    return False


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding='ascii', errors='replace').strip()
    except OSError:
        return ''
