"""What is injected, and when: the same for the same seed."""
from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from id_controller.errors import ParameterError

STATES = (
    'drop', 'late', 'reorder', 'repeat', 'noise', 'not_a_number', 'shuffle', 'no_velocity', 'cut',
    'freeze_stamp', 'jump',
)
"""What is done to the joint states on their way."""
HOST = ('parameters', 'bad_parameters', 'trajectories', 'bad_trajectories', 'services')
"""Storms at the host."""
PROCESSES = (
    'stop_control', 'stop_host', 'stop_simulator', 'kill_control', 'kill_simulator', 'kill_host',
    'interrupt_host', 'terminate_host', 'deactivate',
)
"""What is done to processes, and orderly ends."""
KINDS = (*STATES, *HOST, *PROCESSES)
_LONGEST_S = {'late': 0.5, 'stop_control': 0.3, 'stop_host': 1.5, 'stop_simulator': 0.4}


@dataclass(frozen=True, kw_only=True, slots=True)
class Injection:
    """
    One of them.

    :param number: Its place in the schedule.
    :param seconds: How long it lasts, where it does.
    :param pause_s: Time in which the robot moves before it.
    :param seed: Of everything random in it.
    """

    number: int
    kind: str
    seconds: float
    pause_s: float
    seed: int


def make_schedule(seed: int, minutes: float, kinds: Sequence[str] = ()) -> list[Injection]:
    """
    Draw a schedule; each kind comes once before any comes again.

    :param minutes: How long it takes if every recovery takes no time.
    :param kinds: Kinds to draw from; empty: all.
    :raises ParameterError: for a kind that is none.
    """
    for kind in kinds:
        if kind not in KINDS:
            raise ParameterError(f'--only: got {kind!r}, expected some of {", ".join(KINDS)}')
    draw = random.Random(seed)
    chosen: list[Injection] = []
    waiting: list[str] = []
    left_s = 60.0 * minutes
    while left_s > 0.0:
        if not waiting:
            waiting = list(kinds or KINDS)
            draw.shuffle(waiting)
        kind = waiting.pop()
        one = Injection(
            number=len(chosen), kind=kind, pause_s=round(draw.uniform(0.3, 1.2), 3),
            seconds=round(draw.uniform(0.05, _LONGEST_S.get(kind, 0.8)), 3),
            seed=draw.randrange(2**32),
        )
        chosen.append(one)
        left_s -= one.pause_s + one.seconds
    return chosen


def write_schedule(schedule: Sequence[Injection], path: Path) -> None:
    """Write a schedule, a line for each injection."""
    lines = [json.dumps(asdict(one)) for one in schedule]
    path.write_text('\n'.join(lines) + '\n', encoding='utf-8')
