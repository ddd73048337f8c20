"""``id_controller send jog``: keys of a terminal to a running controller."""
from __future__ import annotations

import contextlib
import os
import select
import shutil
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from id_controller.command_line.jog_keys import Action, Jog, keys_of
from id_controller.command_line.send_facts import Situation
from id_controller.command_line.send_progress import FAILED
from id_controller.command_line.send_session import Connection
from id_controller.errors import IdControllerError, ParameterError
from id_controller.state import Vector
from id_controller.trajectory.planning import planned

POLL_S = 0.05
# Lines that come with every step.
_USUAL = ('trajectory accepted', 'mode HOLD', 'mode TRACK')


def jog(connection: Connection, step: float) -> int:
    """
    Move joints by keys until the person leaves, and leave the robot holding.

    :param step: How far a key moves a joint, rad or m.
    :raises ParameterError: when there is no terminal.
    """
    if not sys.stdin.isatty():
        raise ParameterError(
            'send jog: standard input is no terminal, expected one, for it reads single keys; '
            'in a script use "id_controller send pose"'
        )
    situation = connection.situation()
    connection.check_ready()
    session = _Session(connection, situation, step)
    with _single_keys(sys.stdin.fileno()) as terminal:
        try:
            session.run(terminal)
        finally:
            held, words = connection.call('hold')
            # The terminal may be gone; the robot is not.
            with contextlib.suppress(OSError):
                print(f'\nhold: {words}', flush=True)
    return 0 if held else FAILED


@contextmanager
def _single_keys(terminal: int) -> Iterator[int]:
    """Take keys one by one and unseen, and leave the terminal as it was."""
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)
        yield terminal
    finally:
        with contextlib.suppress(termios.error):
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)


class _Session:
    """
    One person at the keys.

    :param connection: The controller.
    :param situation: Its robot.
    """

    def __init__(self, connection: Connection, situation: Situation, step: float) -> None:
        self._connection, self._situation = connection, situation
        self._rules = situation.configuration.rules()
        self._jog = Jog(
            situation.joints, situation.configuration.limits, situation.reference.q.copy(), step
        )
        self._units = situation.units
        self._begin_ns = connection.newest_ns()
        self._heard = len(connection.listener.events)
        self._follow_reference = True

    def run(self, terminal: int) -> None:
        """Serve keys until the person leaves or the terminal closes."""
        begun = ''
        while True:
            self._show()
            readable, _, _ = select.select([terminal], [], [], POLL_S)
            self._connection.poll()
            self._listen()
            # Whoever presses the escape key alone sends no rest.
            text = _read(terminal) if readable else ''
            if readable and not text:
                return
            keys, begun = keys_of(begun + text) if text else ([], '')
            for key in keys:
                if self._serve(self._jog.press(key)):
                    return

    def _serve(self, action: Action) -> bool:
        """Do what a key asks for, and return whether to leave."""
        if action is Action.MOVE:
            self._move()
        elif action is Action.HOLD:
            self._jog.note = f'hold: {self._connection.call("hold")[1]}'
            self._follow_reference = True
        return action is Action.LEAVE

    def _move(self) -> None:
        q, v = self._now()
        points = self._jog.points(q)
        reference = self._situation.reference._replace(q=q, v=v)
        try:
            planned(points, self._rules, reference, 0)
        except IdControllerError as error:
            self._jog.note, self._follow_reference = f'refused: {error}', True
            return
        self._follow_reference = False
        self._connection.send(points)

    def _listen(self) -> None:
        """Hear of refusals and faults; after these, what was wanted is where the robot is."""
        events = self._connection.listener.events
        for stamp_ns, line in events[self._heard:]:
            if stamp_ns > self._begin_ns and not line.startswith(_USUAL):
                self._jog.note, self._follow_reference = line, True
        self._heard = len(events)
        if self._follow_reference:
            self._jog.rest_at(self._now()[0])

    def _now(self) -> tuple[Vector, Vector]:
        found = self._connection.listener.wanted(self._situation.joints)
        reference: Any = self._situation.reference if found is None else found[1:]
        return np.array(reference[0]), np.array(reference[1])

    def _show(self) -> None:
        """Write the status line where it is another one."""
        width = shutil.get_terminal_size().columns - 1
        line = self._jog.line(self._units[self._jog.chosen], self._now()[0])[:width]
        if line != self._shown:
            with contextlib.suppress(OSError):
                print(f'\r\x1b[K{line}', end='', flush=True)
            self._shown = line

    _shown = ''


def _read(terminal: int) -> str:
    """Read what was typed; empty when the terminal is gone."""
    try:
        return os.read(terminal, 64).decode(errors='replace')
    except OSError:
        return ''
