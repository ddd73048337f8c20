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
    'interrupt_host', 'terminate_host', 'deactivate', 'kill_in_exit',
)
"""What is done to processes, and orderly ends."""
KINDS = (*STATES, *HOST, *PROCESSES)
_USUAL_S, _BURST_S, _LONG_S = (0.05, 0.8), (0.005, 0.3), (1.05, 1.6)
_SECONDS = {
    'late': (0.05, 0.5), 'kill_in_exit': (0.0, 0.25),
    'stop_control': _BURST_S, 'stop_host': _BURST_S, 'stop_simulator': _BURST_S,
}
_LONG_TOO, _LONG_SHARE = ('stop_control', 'stop_host'), 0.3


@dataclass(frozen=True, kw_only=True, slots=True)
class Injection:
    """
    One of them.

    :param number: Its place in the schedule.
    :param seconds: How long it lasts; for ``kill_in_exit``, how long the exit runs before.
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
        one = _drawn(draw, len(chosen), waiting.pop())
        chosen.append(one)
        left_s -= one.pause_s + one.seconds
    return chosen


def _drawn(draw: random.Random, number: int, kind: str) -> Injection:
    shortest_s, longest_s = _SECONDS.get(kind, _USUAL_S)
    if kind in _LONG_TOO and draw.random() < _LONG_SHARE:
        shortest_s, longest_s = _LONG_S
    return Injection(
        number=number, kind=kind, pause_s=round(draw.uniform(0.3, 1.2), 3),
        seconds=round(draw.uniform(shortest_s, longest_s), 3), seed=draw.randrange(2**32),
    )


def write_schedule(schedule: Sequence[Injection], path: Path) -> None:
    """Write a schedule, a line for each injection."""
    lines = [json.dumps(asdict(one)) for one in schedule]
    path.write_text('\n'.join(lines) + '\n', encoding='utf-8')
