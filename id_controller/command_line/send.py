"""``id_controller send``: a pose, a file or a motion to a running controller, and its services."""
from __future__ import annotations

import sys

import numpy as np

from id_controller.command_line.demo_plot import require_plotting
from id_controller.command_line.send_facts import Situation, situation_of_robot
from id_controller.command_line.send_options import SERVICES, SendOptions
from id_controller.command_line.send_plot import save_preview
from id_controller.command_line.send_points import wanted_points
from id_controller.command_line.send_preview import (
    Preview,
    overloaded,
    preview,
    preview_text,
)
from id_controller.command_line.send_progress import DONE, FAILED, Progress
from id_controller.command_line.send_session import Connection, connected
from id_controller.command_line.text_table import text_table
from id_controller.errors import ParameterError, TrajectoryError
from id_controller.trajectory.planning import planned
from id_controller.trajectory.points import JointPoints
from id_controller.trajectory.trajectory import Trajectory
from id_controller.trajectory.turns import shortest

REACHED = 0.01
"""Error at the end, rad or m, up to which a motion counts as done."""


def run(options: SendOptions) -> int:
    """
    Do what was asked for.

    :return: 0: done, 1: refused by the controller or not reached.
    :raises IdControllerError: when it is refused before anything is sent.
    """
    if options.plot is not None:
        require_plotting()
    if options.robot is not None or options.params is not None:
        return _dry_run_of_robot(options)
    with connected(options.controller, options.timeout) as connection:
        if options.what in SERVICES:
            done, words = connection.call(options.what)
            print(f'{options.what}: {words}')
            return DONE if done else FAILED
        if options.what == 'jog':
            from id_controller.command_line.jog_terminal import jog

            return jog(connection, options.step)
        return _send(options, connection)


def _dry_run_of_robot(options: SendOptions) -> int:
    if not options.dry_run or options.robot is None:
        raise ParameterError(
            '--robot, --params: expected --robot and --dry-run with them; without a dry run the '
            'facts come from the running controller'
        )
    situation = situation_of_robot(options.robot, options.params)
    points = wanted_points(options, situation)
    _review(options, situation, points, _checked(points, situation))
    return DONE


def _send(options: SendOptions, connection: Connection) -> int:
    situation = connection.situation()
    connection.check_ready()
    points = wanted_points(options, situation)
    trajectory = _checked(points, situation)
    seen = _review(options, situation, points, trajectory)
    if options.dry_run:
        return DONE
    return _deliver(options, connection, situation, points, seen)


def _deliver(
    options: SendOptions, connection: Connection, situation: Situation, points: JointPoints,
    seen: Preview,
) -> int:
    """Send, and say what became of it."""
    progress = Progress(
        connection.newest_ns(), situation.joints, seen.q[-1],
        situation.configuration.model.continuous,
    )
    try:
        outcome = connection.deliver(points, progress)
        if progress.answer:
            print(progress.answer, flush=True)
        if outcome is None and not options.wait:
            return DONE
        outcome = outcome or connection.follow(progress, seen.duration_s)
    except (KeyboardInterrupt, SystemExit):
        # Whoever leaves a moving robot wants it to stand.
        print(f'hold: {connection.call("hold")[1]}', file=sys.stderr)
        raise
    if outcome.reason:
        print(f'not done: {outcome.reason}', file=sys.stderr)
    if not progress.accepted:
        return FAILED
    missed = _report(connection, situation, seen)
    if missed and outcome.code == DONE:
        print(f'not reached: {missed}', file=sys.stderr)
        return FAILED
    return outcome.code


def _checked(points: JointPoints, situation: Situation) -> Trajectory:
    """Plan as the controller does, and say so when that fails."""
    try:
        return planned(points, situation.configuration.rules(), situation.reference, 0)
    except TrajectoryError as error:
        raise TrajectoryError(f'refused: {error}') from None


def _review(
    options: SendOptions, situation: Situation, points: JointPoints, trajectory: Trajectory
) -> Preview:
    """Say what was accepted, and draw it."""
    seen = preview(trajectory, situation)
    if options.dry_run:
        print(f'accepted: {preview_text(points, seen, situation)}')
    for line in overloaded(seen, situation):
        print(f'warning: {line}', file=sys.stderr)
    if options.plot is not None:
        save_preview(seen, situation, options.plot)
        print(f'wrote {options.plot}')
    return seen


def _report(connection: Connection, situation: Situation, seen: Preview) -> str:
    """Print where the robot came to stand, and return what is wrong with that."""
    target = seen.q[-1]
    constraints = situation.configuration.parameters.constraints
    q = connection.settled(situation.joints, constraints.stopped_velocity_tolerance)
    if q is None:
        return 'nothing was heard of the joints on joint_states'
    error = shortest(situation.configuration.model.continuous, target - q)
    rows = [
        (joint, unit, f'{wanted:.4f}', f'{is_at:.4f}', f'{1e3 * off:+.2f} m{unit}')
        for joint, unit, wanted, is_at, off in zip(
            situation.joints, situation.units, target, q, error
        )
    ]
    print(text_table(('joint', 'unit', 'wanted', 'measured', 'error'), rows))
    worst = int(np.abs(error).argmax())
    if abs(error[worst]) <= REACHED:
        return ''
    joint, unit = situation.joints[worst], situation.units[worst]
    return f'{joint} is {abs(error[worst]):.4f} {unit} away, expected at most {REACHED:g}'
