"""A law that takes longer than a period, in the real loop of a real process, without ROS."""
from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from control_pair import Pair, started_pairs, wait_until
from control_rig import trajectory

from id_controller.control.faults import Fault
from id_controller.state import Mode, Request

START = 0.3


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Pair]]:
    yield from started_pairs(tmp_path, monkeypatch)


class Slowed:
    """A pair in motion, whose law a file makes slow."""

    def __init__(self, pair: Callable[..., Pair], folder: Path, policy: str) -> None:
        self._switch = folder / 'slow'
        self.both = pair(priority=40, policy=policy, slow_by=str(self._switch))
        self.both.wait_for_mode(Mode.HOLD)

    def slow(self, wanted: bool) -> None:
        if wanted:
            self._switch.touch()
        else:
            self._switch.unlink()

    def goal(self) -> str:
        """Send a goal and return its refusal."""
        return self._answer(self.both.host.send_trajectory(trajectory([8.0], [[0.8]])))

    def reset(self) -> str:
        return self._answer(self.both.host.request(Request.RESET))

    def _answer(self, number: int) -> str:
        found: dict[int, str] = {}

        def answered() -> bool:
            found.update((ack.sequence, ack.refusal) for ack in self.both.host.acks())
            return number in found

        wait_until(answered, 5.0, 'an answer')
        return found[number]

    def wait_for(self, mode: Mode, fault: Fault) -> None:
        def there() -> bool:
            rows = self.both.host.telemetry.latest()
            return len(rows) > 0 and (int(rows['mode'][0]), int(rows['fault'][0])) == (mode, fault)

        wait_until(there, 10.0, f'{mode.name} {fault.name}')

    def accepted(self, ask: Callable[[], str]) -> None:
        wait_until(lambda: ask() == '', 20.0, 'recovery')

    def references(self) -> np.ndarray:
        return self.both.host.telemetry.since(-1)['q_ref'][:, 0]


def test_hold_stops_the_time_of_the_trajectory_and_a_new_goal_goes_on(
    pair: Callable[..., Pair], tmp_path: Path
) -> None:
    slowed = Slowed(pair, tmp_path, 'hold')
    slowed.accepted(slowed.goal)
    slowed.wait_for(Mode.TRACK, Fault.NONE)
    wait_until(lambda: slowed.references()[-1] > START + 1e-3, 10.0, 'a motion')
    slowed.slow(True)
    slowed.wait_for(Mode.HOLD, Fault.OVERRUN)
    refusal = slowed.goal()
    assert '% of the ticks were lost' in refusal and 'overruns.min_rate' in refusal
    rest = slowed.references()[-1]
    assert START < rest < START + 0.02, 'it comes to rest'
    slowed.slow(False)
    slowed.wait_for(Mode.HOLD, Fault.NONE)
    assert slowed.references()[-1] == rest, 'it does not go on by itself'
    slowed.accepted(slowed.goal)
    slowed.wait_for(Mode.TRACK, Fault.NONE)


def test_stop_is_a_fault_that_a_reset_cannot_clear_while_the_law_is_slow(
    pair: Callable[..., Pair], tmp_path: Path
) -> None:
    slowed = Slowed(pair, tmp_path, 'stop')
    slowed.accepted(slowed.goal)
    slowed.wait_for(Mode.TRACK, Fault.NONE)
    slowed.slow(True)
    slowed.wait_for(Mode.FAULT, Fault.OVERRUN)
    assert 'OVERRUN' in slowed.reset()
    slowed.slow(False)
    slowed.accepted(slowed.reset)
    slowed.wait_for(Mode.HOLD, Fault.NONE)
    slowed.accepted(slowed.goal)
    slowed.wait_for(Mode.TRACK, Fault.NONE)
