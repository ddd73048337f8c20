"""
The pictures of ``doc/trajectories.md``, drawn from the code that makes references.

``python -m id_controller.command_line.trajectory_plots [FOLDER]``
"""
from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from id_controller.command_line.chosen_robot import choose_robot
from id_controller.command_line.demo_plot import FAINT, LINES, STYLE, require_plotting
from id_controller.control.clock import TickClock
from id_controller.control.configuration import Configuration, configured
from id_controller.control.motion import Motion
from id_controller.control.settings import Settings
from id_controller.model.description_file import load_description
from id_controller.state import Matrix, Reference, Vector
from id_controller.trajectory.planning import planned
from id_controller.trajectory.points import JointPoints

PERIOD_S = 0.001
_STEP_NS = 1_000_000
_ROWS = ('q [rad]', 'v [rad/s]', 'a [rad/s²]')
_TIMES = np.array([0.6, 1.0, 1.7, 2.4])
_Q = np.array([0.5, 0.9, 0.3, 0.6])
_V = np.array([0.9, 0.0, -0.3, 0.0])
_A = np.array([0.0, -3.0, 1.0, 0.0])


class Line:
    """One joint of a real robot whose reference is recorded, in virtual time."""

    def __init__(self) -> None:
        robot = choose_robot('two_link')
        self._configuration: Configuration = configured(
            robot.parameters, load_description(robot.file)
        )
        clock = TickClock(PERIOD_S)
        model = self._configuration.model
        self._motion = Motion(model, np.full(model.n, 3.0), clock)
        self.settings: Settings = self._configuration.settings()
        self._clock, self._now_ns, self._number = clock, _STEP_NS, 0
        self.change()
        self._motion.rest(np.zeros(model.n))
        self._reference = self._motion.reference(self._now_ns, begin=True)
        self.rows: list[Matrix] = []

    def change(self, **settings: Any) -> None:
        """Change settings of the controller."""
        self.settings = dataclasses.replace(self.settings, **settings)
        self._motion.configure(self.settings)

    def send(
        self,
        times: Sequence[float] | Vector,
        q: Sequence[float] | Vector,
        method: str = 'splines',
        **fields: Vector,
    ) -> None:
        """Send points for the first joint; the others hold."""
        rules = dataclasses.replace(
            self._configuration.rules(), partial=True, method=method, limits=_Free()
        )
        columns: dict[str, Any] = {name: part[:, np.newaxis] for name, part in fields.items()}
        points = JointPoints(
            joints=rules.joints[:1], times=np.array(times), q=np.array(q)[:, np.newaxis], **columns
        )
        held = Reference(*(part.copy() for part in self._reference))
        self._number += 1
        self._motion.follow(planned(points, rules, held, self._now_ns), self._number)

    def brake(self) -> None:
        """Hold, as ``~/hold`` does."""
        self._motion.brake()

    def run(self, seconds: float, *actions: tuple[float, Callable[[], None]]) -> Matrix:
        """Run, with actions at their times, and return q, v, a of the joint, shape (3, k)."""
        waiting = sorted(actions, key=lambda action: action[0])
        for k in range(round(seconds / PERIOD_S)):
            while waiting and waiting[0][0] <= k * PERIOD_S:
                waiting.pop(0)[1]()
            self._now_ns += _STEP_NS
            self._clock.advance(self._now_ns, 0, _STEP_NS, False)
            self._reference = self._motion.reference(self._now_ns, begin=True)
            self.rows.append(np.array([part[0] for part in self._reference[:3]]))
        return np.array(self.rows).T


class _Free:
    """No limits, so that the pictures show the interpolation alone."""

    upper = velocity = effort = np.full(2, np.inf)
    lower = -upper


def interpolation() -> dict[str, Matrix]:
    """The same points, with what they may carry."""
    carried: dict[str, dict[str, Any]] = {
        'positions: lines': {},
        'and velocities: cubics': {'v': _V},
        'and accelerations: quintics': {'v': _V, 'a': _A},
        "positions, 'c2'": {'method': 'c2'},
        "'none'": {'method': 'none'},
    }
    found = {}
    for title, fields in carried.items():
        line = Line()
        line.send(_TIMES, _Q, **fields)
        found[title] = line.run(3.0)
    return found


def changes() -> dict[str, Matrix]:
    """A motion of 2 s to 1 rad, and what may happen to it after 0.9 s."""
    replaced, held, paced = Line(), Line(), Line()
    for line in (replaced, held, paced):
        line.send([2.0], [1.0])
    held.change(deceleration=np.full(2, 4.0))
    return {
        'another trajectory': replaced.run(3.5, (0.9, lambda: replaced.send([1.5], [0.2]))),
        '~/hold, ~/stop or a cancel': held.run(3.5, (0.9, held.brake)),
        'speed_scaling 0.3, then 1': paced.run(
            3.5, (0.9, lambda: paced.change(speed_scaling=0.3)),
            (1.9, lambda: paced.change(speed_scaling=1.0)),
        ),
    }


def streams() -> dict[str, Matrix]:
    """One point, 1 s ahead, sent again and again for 2.5 s."""
    found = {}
    for hz in (10, 100):
        line = Line()
        sends = [(k / hz, partial(line.send, [1.0], [1.0])) for k in range(5 * hz // 2)]
        found[f'the same target at {hz} Hz'] = line.run(4.0, *sends)
    line, times = Line(), np.arange(200) / 50
    ways = 0.5 - 0.5 * np.cos(times)
    moving = [(at, partial(line.send, [0.3], [way])) for at, way in zip(times.tolist(), ways)]
    found['one that moves, at 50 Hz'] = line.run(5.0, *moving)
    return found


def draw(found: dict[str, Matrix], path: Path, *, jerk: bool = False) -> None:
    """
    Draw references, a column each.

    :raises InstallationError: when matplotlib is not there.
    """
    pyplot = require_plotting()
    rows = (*_ROWS, 'jerk [rad/s³]') if jerk else _ROWS
    with pyplot.rc_context(STYLE):
        figure, axes = pyplot.subplots(
            len(rows), len(found), figsize=(3.1 * len(found), 1.9 * len(rows)), sharex='col',
            sharey='row', squeeze=False, layout='constrained',
        )
        for column, (title, motion) in enumerate(found.items()):
            if jerk:
                motion = np.vstack((motion, np.gradient(motion[2], PERIOD_S)))
            times = np.arange(motion.shape[1]) * PERIOD_S
            axes[0, column].set_title(title)
            axes[-1, column].set_xlabel('time [s]')
            for row, values in enumerate(motion):
                axes[row, column].plot(times, values, color=LINES[row])
                axes[row, column].axhline(0.0, color=FAINT, zorder=0)
        for row, name in enumerate(rows):
            axes[row, 0].set_ylabel(name)
        figure.savefig(path, dpi=110)
        pyplot.close(figure)


def main(folder: Path) -> None:
    """Draw all pictures into a folder."""
    draw(interpolation(), folder / 'trajectories-interpolation.png')
    draw(changes(), folder / 'trajectories-changes.png')
    draw(streams(), folder / 'trajectories-streams.png', jerk=True)


if __name__ == '__main__':
    main(Path(sys.argv[1] if len(sys.argv) > 1 else 'doc'))
