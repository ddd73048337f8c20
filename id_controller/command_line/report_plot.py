"""The picture of a recording."""
from __future__ import annotations

import io
from typing import Any

import numpy as np

from id_controller.command_line.demo_plot import INK, LINES, STYLE, require_plotting
from id_controller.command_line.report_text import fault_index, seconds
from id_controller.realtime.black_box import Recording
from id_controller.state import Mode

_BANDS = {
    Mode.TRACK: '#e7f5ff', Mode.FAULT: '#ffe3e3', Mode.SOFT_STOP: '#fff3bf',
    Mode.EXITING: '#f1f3f5', Mode.WAITING: '#f1f3f5',
}


def drawn(recording: Recording) -> bytes:
    """
    Draw positions, errors, efforts, terms of the worst joint, and timing, over time.

    :returns: A PNG.
    :raises InstallationError: when matplotlib is not there.
    """
    pyplot = require_plotting()
    with pyplot.rc_context(STYLE):
        figure, axes = pyplot.subplots(
            5, 1, figsize=(10.0, 13.0), sharex=True, layout='constrained'
        )
        if len(recording.rows):
            for axis, draw in zip(axes, (_positions, _errors, _efforts, _terms, _timing)):
                _bands(axis, recording)
                draw(axis, recording)
            axes[-1].set_xlabel('time from the fault [s]')
        facts = recording.facts
        figure.suptitle(f'{facts.robot}: {facts.fault}, {facts.written}', fontweight='bold')
        file = io.BytesIO()
        figure.savefig(file, dpi=110, format='png')
        pyplot.close(figure)
    return file.getvalue()


def _bands(axis: Any, recording: Recording) -> None:
    """Colour the modes, and mark the fault."""
    rows, times = recording.rows, seconds(recording.rows)
    starts = np.flatnonzero(np.diff(rows['mode'], prepend=-1))
    for start, end in zip(starts, [*starts[1:], len(rows) - 1]):
        colour = _BANDS.get(Mode(int(rows['mode'][start])))
        if colour:
            axis.axvspan(times[start], times[end], color=colour, linewidth=0, zorder=0)
    axis.axvline(0.0, color='#c92a2a', linewidth=1.0, dashes=(3, 2))


def _positions(axis: Any, recording: Recording) -> None:
    rows, times = recording.rows, seconds(recording.rows)
    for k, joint in enumerate(recording.facts.joints):
        axis.plot(times, rows['q_ref'][:, k], color=INK, linewidth=0.8, dashes=(4, 2))
        axis.plot(times, rows['q'][:, k], color=LINES[k % len(LINES)], label=joint)
    axis.set_title('position, measured over reference (dashed) [rad or m]')
    axis.legend(loc='best', ncols=4)


def _errors(axis: Any, recording: Recording) -> None:
    rows, times = recording.rows, seconds(recording.rows)
    for k in range(len(recording.facts.joints)):
        axis.plot(times, 1e3 * (rows['q_ref'] - rows['q'])[:, k], color=LINES[k % len(LINES)])
    axis.set_title('reference minus measured [mrad or mm]')


def _efforts(axis: Any, recording: Recording) -> None:
    rows, times = recording.rows, seconds(recording.rows)
    for k, limit in enumerate(recording.facts.effort_limit):
        axis.plot(times, 100.0 * rows['tau'][:, k] / limit, color=LINES[k % len(LINES)])
    axis.set_title('command, of the effort limit [%]')


def _terms(axis: Any, recording: Recording) -> None:
    rows, times, facts = recording.rows, seconds(recording.rows), recording.facts
    at = fault_index(rows)
    worst = int(np.abs(rows['tau'][at] / np.array(facts.effort_limit)).argmax())
    axis.plot(times, rows['tau'][:, worst], color=INK, linewidth=2.4, alpha=0.3, label='command')
    shown = 0
    for k, term in enumerate(facts.terms):
        values = rows['terms'][:, k, worst]
        if np.abs(values).max() > 1e-3:
            axis.plot(times, values, color=LINES[shown % len(LINES)], label=term)
            shown += 1
    axis.set_title(f'terms of {facts.joints[worst]}, which is nearest to its limit [N m or N]')
    axis.legend(loc='best', ncols=2)


def _timing(axis: Any, recording: Recording) -> None:
    rows, times = recording.rows, seconds(recording.rows)
    for k, name in enumerate(('age_ns', 'lateness_ns', 'compute_ns')):
        axis.plot(times, rows[name] / 1e3, color=LINES[k], label=name[:-3], linewidth=0.8)
    axis.set_yscale('symlog', linthresh=100.0)
    axis.set_title('timing [us]')
    axis.legend(loc='upper left', ncols=3)
