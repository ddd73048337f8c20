"""The watch over the control process, look by look."""
from __future__ import annotations

import pytest

from id_controller.realtime.watch import LEAST_NS, LOOK_NS, LOOKS_ORDINARY, Verdict, Watch

MS = 1_000_000


class Process:
    pid = 7
    code: int | None = None

    def poll(self) -> int | None:
        return self.code


class Box:
    def __init__(self, control_beat: int = 1, control_is_realtime: bool = True) -> None:
        self.control_beat, self.control_is_realtime = control_beat, control_is_realtime
        self.beats = 0

    def beat(self) -> None:
        self.beats += 1


def watching(process: Process, box: Box, killed: tuple[int, ...] = ()) -> Watch:
    return Watch(process, box, lambda pid: pid in killed)


def test_three_looks_without_a_beat_are_an_alarm() -> None:
    watch = watching(Process(), Box())
    looks = [watch.poll(k * LOOK_NS) for k in range(5)]
    assert looks == [Verdict.ALIVE] * 3 + [Verdict.FROZEN] * 2


def test_an_alarm_comes_within_the_bars() -> None:
    assert 5 * LOOK_NS <= 20 * MS, 'with one look that is late'
    assert (LOOKS_ORDINARY + 1) * LOOK_NS <= 150 * MS


def test_ordinary_scheduling_gets_more_patience() -> None:
    watch = watching(Process(), Box(control_is_realtime=False))
    looks = [watch.poll(k * LOOK_NS) for k in range(LOOKS_ORDINARY + 1)]
    assert looks[:-1] == [Verdict.ALIVE] * LOOKS_ORDINARY
    assert looks[-1] is Verdict.FROZEN


def test_every_beat_starts_the_count_anew() -> None:
    box = Box()
    watch = watching(Process(), box)
    for k in range(60):
        assert watch.poll(k * LOOK_NS) is Verdict.ALIVE
        box.control_beat += k % 3 == 1


def test_a_stall_of_the_whole_machine_is_no_alarm() -> None:
    box = Box()
    watch = watching(Process(), box)
    for now in (0, 4 * MS, 3_000 * MS):
        assert watch.poll(now) is Verdict.ALIVE
    box.control_beat += 1
    assert watch.poll(3_004 * MS) is Verdict.ALIVE


@pytest.mark.parametrize('gap_ns', [0, 1 * MS, LEAST_NS - 1])
def test_looks_in_quick_succession_count_once(gap_ns: int) -> None:
    watch = watching(Process(), Box())
    assert all(watch.poll(k * gap_ns // 40) is Verdict.ALIVE for k in range(40))


def test_a_process_that_does_not_beat_yet_is_starting() -> None:
    box = Box(control_beat=0)
    watch = watching(Process(), box)
    assert {watch.poll(k * LOOK_NS) for k in range(100)} == {Verdict.STARTING}
    box.control_beat = 1
    assert watch.poll(400 * MS) is Verdict.ALIVE


@pytest.mark.parametrize('code', [0, 1, -9])
def test_a_process_that_has_ended_is_dead(code: int) -> None:
    process = Process()
    watch = watching(process, Box())
    process.code = code
    assert watch.poll(0) is Verdict.DEAD


def test_a_killed_process_is_seen_long_before_it_has_a_code() -> None:
    process = Process()
    watch = watching(process, Box(), killed=(process.pid,))
    assert [watch.poll(k * LOOK_NS) for k in range(2)] == [Verdict.ALIVE, Verdict.KILLED]
    others = watching(process, Box(), killed=(process.pid + 1,))
    assert [others.poll(k * LOOK_NS) for k in range(2)] == [Verdict.ALIVE, Verdict.ALIVE]


def test_every_look_is_a_beat_of_the_host() -> None:
    box = Box()
    watch = watching(Process(), box)
    for k in range(7):
        watch.poll(k)
    assert box.beats == 7
