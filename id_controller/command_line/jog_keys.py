"""What the keys of ``id_controller send jog`` mean, without a terminal and without a robot."""
from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from id_controller.command_line.send_points import way_duration
from id_controller.state import Vector
from id_controller.trajectory.points import JointPoints, Limits

SHORTEST_STEP_S = 0.3
SMALLEST_STEP, LARGEST_STEP = 0.001, 0.5
HELP = (
    '1 to 9: joint   up down, + -: move it   [ ]: smaller, larger step   space: hold   '
    'q: leave   ?: this'
)
_SEQUENCES = {'\x1b[A': 'up', '\x1b[B': 'down', '\x1bOA': 'up', '\x1bOB': 'down'}
_SENSES = {'up': 1.0, '+': 1.0, '=': 1.0, 'down': -1.0, '-': -1.0}
_FACTORS = {'[': 0.5, ']': 2.0}
_LEAVE = ('q', 'Q', '\x04')


class Action(Enum):
    """What a key asks for."""

    NOTHING = 'nothing'
    SHOW = 'show'
    MOVE = 'move'
    HOLD = 'hold'
    LEAVE = 'leave'


def keys_of(text: str) -> tuple[list[str], str]:
    """
    Split what a terminal sent into keys.

    :returns: Single letters, and ``up`` and ``down`` for the arrows, other sequences are empty;
        and the beginning of a sequence of which the rest has not come yet.
    """
    keys: list[str] = []
    at = 0
    while at < len(text):
        end = at + 1
        if text[at] == '\x1b':
            end = _sequence_end(text, end)
            if end > len(text):
                return keys, text[at:]
            keys.append(_SEQUENCES.get(text[at:end], ''))
        else:
            keys.append(text[at])
        at = end
    return keys, ''


def _sequence_end(text: str, at: int) -> int:
    """A sequence goes on with [ or O, digits and semicolons, and ends with a letter."""
    if at == len(text):
        return at + 1
    if text[at] not in '[O':
        return at
    at += 1
    while text[at:at + 1] and text[at] in '0123456789;':
        at += 1
    return at + 1


@dataclass
class Jog:
    """
    Which joint is moved, and where to.

    :param joints: Joints of the controller.
    :param limits: Their limits.
    :param target: Where they are wanted, shape (n,).
    :param step: How far a key moves a joint, rad or m.
    """

    joints: tuple[str, ...]
    limits: Limits
    target: Vector
    step: float
    chosen: int = 0
    note: str = HELP

    def press(self, key: str) -> Action:
        """Take a key; ``note`` then says what a person should know."""
        if key in _LEAVE:
            return Action.LEAVE
        if key == ' ':
            self.note = 'hold'
            return Action.HOLD
        if key in _SENSES:
            return self._move(_SENSES[key] * self.step)
        return self._set(key)

    def _set(self, key: str) -> Action:
        if key == '?':
            self.note = HELP
        elif key in _FACTORS:
            step = self.step * _FACTORS[key]
            self.step = float(min(max(step, SMALLEST_STEP), LARGEST_STEP))
            self.note = ''
        elif key in '123456789' and len(key) == 1:
            self._choose(int(key) - 1)
        else:
            return Action.NOTHING
        return Action.SHOW

    def _choose(self, joint: int) -> None:
        if joint < len(self.joints):
            self.chosen, self.note = joint, ''
        else:
            self.note = f'there are {len(self.joints)} joints, no {joint + 1}th'

    def _move(self, way: float) -> Action:
        """A joint that stands outside its limits may come back, and go no farther."""
        k, at = self.chosen, self.target[self.chosen]
        low = min(self.limits.lower[k], at)
        high = max(self.limits.upper[k], at)
        wanted = min(max(at + way, low), high)
        if wanted == at:
            self.note = f'{self.joints[k]} is at its limit'
            return Action.SHOW
        self.target = self.target.copy()
        self.target[k] = wanted
        self.note = ''
        return Action.MOVE

    def rest_at(self, q: Vector) -> None:
        """
        Forget what was wanted: the robot holds elsewhere.

        :param q: Where the reference is, shape (n,).
        """
        self.target = q.copy()

    def points(self, q_now: Vector) -> JointPoints:
        """
        Make the point to send.

        :param q_now: Where the reference is, shape (n,).
        """
        duration_s = way_duration(self.target - q_now, self.limits.velocity, SHORTEST_STEP_S)
        return JointPoints(
            joints=self.joints, times=np.array([duration_s]), q=self.target[np.newaxis].copy()
        )

    def line(self, unit: str, q_now: Vector) -> str:
        """
        Write the status line.

        :param unit: Unit of the chosen joint.
        :param q_now: Where the reference is, shape (n,).
        """
        k = self.chosen
        said = f'   {self.note}' if self.note else ''
        return (
            f'{k + 1} {self.joints[k]}: {q_now[k]:+.3f} to {self.target[k]:+.3f} {unit}, '
            f'step {self.step:g}{said}'
        )
