"""The picture of a trajectory before it is sent."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from id_controller.command_line.demo_plot import INK, LINES, STYLE, require_plotting
from id_controller.command_line.send_facts import Situation
from id_controller.command_line.send_preview import Preview
from id_controller.errors import ParameterError
from id_controller.state import Matrix, Vector

_COLUMNS = ('position', 'velocity', 'acceleration')


def save_preview(seen: Preview, situation: Situation, path: Path) -> None:
    """
    Draw q, v and a of each joint, limits dashed.

    :raises ParameterError: when matplotlib knows no such kind of picture.
    :raises InstallationError: when matplotlib is not there.
    """
    pyplot = require_plotting()
    n = len(situation.joints)
    with pyplot.rc_context(STYLE):
        figure, axes = pyplot.subplots(
            n, len(_COLUMNS), figsize=(12.0, 1.0 + 1.7 * n), squeeze=False, sharex=True,
            layout='constrained',
        )
        limits = _limits(situation)
        for column, values in enumerate((seen.q, seen.v, seen.a)):
            axes[0, column].set_title(_COLUMNS[column])
            axes[-1, column].set_xlabel('time from now [s]')
            for joint in range(n):
                axis = axes[joint, column]
                axis.plot(seen.times, values[:, joint], color=LINES[joint % len(LINES)])
                for bound in limits[column][:, joint]:
                    _draw_limit(axis, values[:, joint], bound)
        for joint, (name, unit) in enumerate(zip(situation.joints, situation.units)):
            axes[joint, 0].set_ylabel(f'{name}\n[{unit}]')
        try:
            figure.savefig(path, dpi=110)
        except ValueError as error:
            raise ParameterError(f'--plot {path}: {error}') from error
        finally:
            pyplot.close(figure)


def _limits(situation: Situation) -> tuple[Matrix, Matrix, Matrix]:
    """Lower and upper limits of q, v and a, shape (2, n) each."""
    limits = situation.configuration.limits
    given: Vector = situation.configuration.rules().acceleration
    acceleration = np.where(given > 0.0, given, np.inf)
    return (
        np.stack((limits.lower, limits.upper)),
        np.stack((-limits.velocity, limits.velocity)),
        np.stack((-acceleration, acceleration)),
    )


def _draw_limit(axis: Any, values: Vector, bound: float) -> None:
    """A limit that is far away would press the curve flat: it counts as out of sight."""
    reach = max(float(np.ptp(values)), 1e-3)
    near = values.min() - 4.0 * reach <= bound <= values.max() + 4.0 * reach
    if np.isfinite(bound) and near:
        axis.axhline(bound, color=INK, linewidth=0.9, dashes=(4, 3))
