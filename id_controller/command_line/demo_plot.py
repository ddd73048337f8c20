"""The picture of a demo run."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from id_controller.command_line.demo_data import Phase, Run
from id_controller.command_line.demo_report import tracking
from id_controller.command_line.text_table import number
from id_controller.errors import InstallationError

INK, FAINT = '#22272e', '#d5d9df'
LINES = ('#0b6bcb', '#d9480f', '#2b8a3e', '#862e9c', '#c2255c', '#0c8599', '#b38600', '#495057')
STYLE = {
    'font.size': 9, 'axes.edgecolor': '#8b939e', 'axes.labelcolor': INK, 'text.color': INK,
    'axes.spines.top': False, 'axes.spines.right': False, 'axes.grid': True,
    'axes.axisbelow': True,
    'grid.color': FAINT, 'grid.linewidth': 0.6, 'xtick.color': INK, 'ytick.color': INK,
    'axes.titlesize': 10, 'axes.titleweight': 'bold', 'axes.titlelocation': 'left',
    'legend.frameon': False, 'legend.fontsize': 8, 'lines.linewidth': 1.2,
}


def save_plot(run: Run, path: Path) -> None:
    """
    Draw positions, errors, torque terms and tick timing of a run, a column for each mode.

    :raises InstallationError: when matplotlib is not there.
    """
    pyplot = require_plotting()
    busiest = _busiest_joint(run)
    with pyplot.rc_context(STYLE):
        figure, axes = pyplot.subplots(
            4, len(run.phases), figsize=(6.6 * len(run.phases), 13.0), squeeze=False,
            gridspec_kw={'height_ratios': (1.25, 1.0, 1.1, 0.8)}, layout='constrained',
        )
        for column, phase in enumerate(run.phases):
            if not len(phase.times):
                axes[0, column].set_title(f'{phase.control_mode}: nothing was recorded')
                continue
            _draw_positions(axes[0, column], run, phase)
            _draw_errors(axes[1, column], run, phase)
            _draw_terms(axes[2, column], run, phase, busiest)
            _draw_timing(axes[3, column], run, phase)
        for row, headroom in zip(axes, (0.0, 0.25, 0.25, 0.0)):
            _share_y(row, headroom)
        _draw_legends(axes, run)
        figure.suptitle(
            f'{run.robot}: the same motion under '
            f'{" and ".join(phase.control_mode for phase in run.phases)}, '
            f'{run.rate_hz:.0f} Hz over ROS 2', fontsize=12, fontweight='bold',
        )
        figure.savefig(path, dpi=130)
        pyplot.close(figure)


def require_plotting() -> Any:
    """
    See that the report can be drawn, before the work is done.

    :returns: What draws it.
    :raises InstallationError: when matplotlib is not there.
    """
    try:
        import matplotlib
    except ImportError as error:
        raise InstallationError(
            'matplotlib is not installed, which draws the report: pip install matplotlib'
        ) from error
    matplotlib.use('Agg')
    from matplotlib import pyplot

    return pyplot


def _busiest_joint(run: Run) -> int:
    """The joint whose torque varies most against its limit has the most to show."""
    if not len(run.phases[0].tau):
        return 0
    spread = np.ptp(run.phases[0].tau, axis=0)
    limited = np.isfinite(run.effort_limit) & (run.effort_limit > 0.0)
    return int((spread / np.where(limited, run.effort_limit, spread.max() + 1.0)).argmax())


def _draw_positions(axis: Any, run: Run, phase: Phase) -> None:
    for k in range(len(run.joints)):
        colour = LINES[k % len(LINES)]
        axis.plot(phase.times, phase.q_ref[:, k], color=INK, linewidth=0.9, dashes=(4, 2))
        axis.plot(phase.times, phase.q[:, k], color=colour, linewidth=1.8, alpha=0.75, zorder=1)
    axis.set_title(f'{phase.control_mode}: position, measured over reference (dashed)')
    axis.set_ylabel(f'position [{_unit(run)}]')
    axis.set_xlim(phase.times[0], phase.times[-1])


def _draw_errors(axis: Any, run: Run, phase: Phase) -> None:
    error = 1e3 * (phase.q_ref - phase.q)
    for k in range(len(run.joints)):
        axis.plot(phase.times, error[:, k], color=LINES[k % len(LINES)])
    result = tracking(phase)
    axis.set_title(
        f'error: {number(1e3 * result.overall)} RMS, {number(1e3 * result.largest.max())} max'
    )
    axis.set_ylabel(f'reference - measured [m{_unit(run)}]')
    axis.set_xlim(phase.times[0], phase.times[-1])


def _draw_terms(axis: Any, run: Run, phase: Phase, joint: int) -> None:
    axis.plot(phase.times, phase.tau[:, joint], color=INK, linewidth=2.4, alpha=0.3,
              label='command')
    for k, (name, values) in enumerate(_moving_terms(phase, joint)):
        axis.plot(phase.times, values[:, joint], color=LINES[k % len(LINES)],
                  label=name.replace('_', ' '))
    axis.set_title(f'torque terms of {run.joints[joint]} '
                   f'(limit {number(run.effort_limit[joint], 0)})')
    axis.set_ylabel('N m' if run.units[joint] == 'rad' else 'N')
    axis.set_xlabel('time [s]')
    axis.set_xlim(phase.times[0], phase.times[-1])


def _moving_terms(phase: Phase, joint: int) -> list[tuple[str, Any]]:
    """Terms that are nothing throughout would only fill the legend."""
    return [item for item in phase.terms.items() if np.abs(item[1][:, joint]).max() > 1e-3]


def _draw_timing(axis: Any, run: Run, phase: Phase) -> None:
    period = 1e3 / run.rate_hz
    edges = np.linspace(0.0, 2.5 * period, 101)
    axis.hist(np.clip(phase.periods_ms, edges[0], edges[-1]), edges, color=LINES[0], alpha=0.8)
    axis.axvline(period, color=LINES[1], linewidth=1.0)
    axis.set_yscale('log')
    timing = phase.controller
    axis.set_title(
        f'ticks: {number(timing.achieved_rate_hz, 1)} Hz, lateness p50 / p99 '
        f'{number(timing.lateness_p50_us, 0)} / {number(timing.lateness_p99_us, 0)} us, '
        f'state age p99 {number(timing.state_age_p99_us, 0)} us'
    )
    axis.set_xlabel(f'time between commands [ms], wanted {period:g}')
    axis.set_ylabel('commands')


def _share_y(row: Any, headroom: float) -> None:
    """The same scale on both sides is what makes them comparable."""
    low = min(axis.get_ylim()[0] for axis in row)
    high = max(axis.get_ylim()[1] for axis in row)
    for axis in row:
        axis.set_ylim(low, high + headroom * (high - low))


def _draw_legends(axes: Any, run: Run) -> None:
    recorded = [k for k, phase in enumerate(run.phases) if len(phase.times)]
    for column in recorded[-1:]:
        handles = axes[1, column].get_lines()[: len(run.joints)]
        axes[1, column].legend(handles, run.joints, loc='upper right', ncols=4)
    for column in recorded:
        axes[2, column].legend(loc='upper right', ncols=3)


def _unit(run: Run) -> str:
    return run.units[0] if len(set(run.units)) == 1 else 'rad or m'
