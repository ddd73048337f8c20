"""What is said of machines whose files are made up here."""
from __future__ import annotations

from pathlib import Path

import pytest

from id_controller.command_line.check_realtime import table
from id_controller.realtime.machine import Fact, facts, scheduler_fact

LIMITS = (
    'Limit                     Soft Limit           Hard Limit           Units     \n'
    'Max cpu time              unlimited            unlimited            seconds   \n'
    'Max locked memory         {memlock:20} unlimited            bytes     \n'
    'Max realtime priority     {rtprio:20} 99                   \n'
)
NO_CAPABILITY, SYS_NICE, IPC_LOCK = '0000000000000000', '0000000000800000', '0000000000004000'
CPU = 'sys/devices/system/cpu'
ROBOT_PC = {
    'proc/sys/kernel/osrelease': '6.8.1-rt',
    'proc/sys/kernel/version': '#1 SMP PREEMPT_RT Tue Dec 1 10:00:00 UTC 2026',
    'sys/kernel/realtime': '1',
    'proc/self/limits': LIMITS.format(memlock='unlimited', rtprio='98'),
    'proc/self/status': f'Name:\tpython\nCapEff:\t{NO_CAPABILITY}\n',
    'proc/sys/kernel/sched_rt_runtime_us': '950000',
    'proc/sys/kernel/sched_rt_period_us': '1000000',
    f'{CPU}/cpu0/cpufreq/scaling_governor': 'performance',
    f'{CPU}/cpu1/cpufreq/scaling_governor': 'performance',
    f'{CPU}/cpu0/cpuidle/state0/name': 'POLL',
    f'{CPU}/cpu0/cpuidle/state0/latency': '0',
    f'{CPU}/cpu0/cpuidle/state0/disable': '0',
    f'{CPU}/cpu0/cpuidle/state1/name': 'C1',
    f'{CPU}/cpu0/cpuidle/state1/latency': '2',
    f'{CPU}/cpu0/cpuidle/state1/disable': '0',
    f'{CPU}/cpu0/cpuidle/state2/name': 'C10',
    f'{CPU}/cpu0/cpuidle/state2/latency': '890',
    f'{CPU}/cpu0/cpuidle/state2/disable': '1',
    f'{CPU}/isolated': '1',
    f'{CPU}/nohz_full': '(null)',
    'sys/devices/system/clocksource/clocksource0/current_clocksource': 'tsc',
    'proc/cpuinfo': 'flags\t\t: fpu tsc sse2',
}


def machine(root: Path, **changed: str) -> Path:
    """A tree of files: the robot PC with some of them changed (``/`` written ``__``)."""
    files = ROBOT_PC | {name.replace('__', '/'): text for name, text in changed.items()}
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'{text}\n', encoding='ascii')
    return root


def looked_at(root: Path) -> dict[str, Fact]:
    return {fact.name: fact for fact in facts(50, root)}


def test_a_robot_pc_is_fine(tmp_path: Path) -> None:
    found = looked_at(machine(tmp_path))
    del found['SCHED_FIFO']  # that is asked of the machine that runs the test
    assert [fact for fact in found.values() if fact.advice] == []
    assert {name: found[name].value for name in ('kernel', 'CPUs', 'idle states')} == {
        'kernel': '6.8.1-rt, PREEMPT_RT',
        'CPUs': '2, isolated: 1, without tick: none',
        'idle states': 'deepest C1, 2 us to leave',
    }
    assert found['locked memory'].value == 'unlimited'
    assert found['real-time share'].value == '950 of 1000 ms'
    assert found['hypervisor'].value == 'none seen'


@pytest.mark.parametrize(('name', 'changed', 'value', 'advice'), [
    ('kernel', {
        'sys__kernel__realtime': '0', 'proc__sys__kernel__version': '#1 SMP PREEMPT_DYNAMIC Tue',
    }, '6.8.1-rt, PREEMPT_DYNAMIC', 'not PREEMPT_RT'),
    ('locked memory', {
        'proc__self__limits': LIMITS.format(memlock='8388608', rtprio='98'),
    }, '8192 kB', '--ulimit memlock=-1'),
    ('real-time share', {
        'proc__sys__kernel__sched_rt_runtime_us': '-1',
    }, 'all of each CPU', 'sched_rt_runtime_us=950000'),
    ('frequency governor', {
        f'{CPU}/cpu1/cpufreq/scaling_governor': 'powersave',
    }, 'performance, powersave', 'cpupower frequency-set -g performance'),
    ('idle states', {
        f'{CPU}/cpu0/cpuidle/state2/disable': '0',
    }, 'deepest C10, 890 us to leave', 'cpupower idle-set -D 50'),
    ('clock source', {
        'sys__devices__system__clocksource__clocksource0__current_clocksource': 'hpet',
    }, 'hpet', 'kernel log'),
    ('hypervisor', {'proc__cpuinfo': 'flags\t\t: fpu tsc hypervisor'}, 'yes', 'its host'),
    ('hypervisor', {'sys__hypervisor__type': 'xen'}, 'xen', 'its host'),
])
def test_what_is_not_fine_gets_advice(
    tmp_path: Path, name: str, changed: dict[str, str], value: str, advice: str
) -> None:
    found = looked_at(machine(tmp_path, **changed))
    assert found[name].value == value
    assert advice in found[name].advice
    assert {fact.name for fact in found.values() if fact.advice} - {'SCHED_FIFO'} == {name}


def test_one_cpu_is_too_few(tmp_path: Path) -> None:
    (tmp_path / CPU / 'cpu0').mkdir(parents=True)
    assert 'two or more' in looked_at(tmp_path)['CPUs'].advice


def test_a_capability_does_in_place_of_the_memory_limit(tmp_path: Path) -> None:
    found = looked_at(machine(
        tmp_path, proc__self__limits=LIMITS.format(memlock='0', rtprio='0'),
        proc__self__status=f'CapEff:\t{IPC_LOCK}',
    ))
    assert found['locked memory'] == Fact(name='locked memory', value='unlimited')


@pytest.mark.parametrize(('rtprio', 'capabilities', 'granted', 'value', 'advice'), [
    ('98', NO_CAPABILITY, True, 'priority 50 granted (rtprio limit 98)', ''),
    ('0', SYS_NICE, True, 'priority 50 granted (CAP_SYS_NICE)', ''),
    ('0', NO_CAPABILITY, False, 'priority 50 refused (rtprio limit 0)', 'rtprio 98'),
    ('49', IPC_LOCK, False, 'priority 50 refused (rtprio limit 49)', 'rtprio 98'),
    ('50', NO_CAPABILITY, False, 'priority 50 refused (rtprio limit 50)', 'cpu.rt_runtime_us'),
    ('0', SYS_NICE, False, 'priority 50 refused (CAP_SYS_NICE)', 'cpu.rt_runtime_us'),
])
def test_what_stands_in_the_way_of_fifo(
    tmp_path: Path, rtprio: str, capabilities: str, granted: bool, value: str, advice: str
) -> None:
    root = machine(
        tmp_path, proc__self__limits=LIMITS.format(memlock='0', rtprio=rtprio),
        proc__self__status=f'CapEff:\t{capabilities}',
    )
    fact = scheduler_fact(root, 50, granted)
    assert fact.value == value
    assert advice in fact.advice
    assert bool(fact.advice) is not granted


def test_a_machine_that_shows_nothing_is_no_error(tmp_path: Path) -> None:
    found = looked_at(tmp_path)
    assert found['locked memory'].value == 'unknown'
    assert found['real-time share'].value == 'unknown'
    assert found['clock source'].value == 'unknown'
    assert found['idle states'].value == 'none'


def test_this_machine_can_be_looked_at() -> None:
    found = looked_at(Path('/'))
    assert found['kernel'].value
    assert int(found['CPUs'].value.split(',')[0]) >= 1
    assert found['timer resolution'].value.endswith(' us')


def test_advice_stands_below_its_fact() -> None:
    found = [Fact(name='one', value='1'), Fact(name='second', value='2', advice='do that')]
    assert table(found).splitlines() == [
        'ok  one     1',
        '!!  second  2',
        '            do that',
    ]
