"""What ``id_controller chaos`` takes on the command line."""
from __future__ import annotations

import argparse
from pathlib import Path

from id_controller.errors import ParameterError

LONGEST_CHAOS_MIN = 1440.0


def add_chaos(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command ``chaos`` to those of the command line."""
    chaos = commands.add_parser(
        'chaos', help='break a simulated robot on purpose, on a private domain, and see it hold',
        description='Exit code 0: everything held, 1: something did not, 2: refused.',
    )
    chaos.add_argument(
        'robot', nargs='?', default='arm7', metavar='ROBOT',
        help='a name or the path of a .urdf or .xacro file (default: %(default)s)',
    )
    chaos.add_argument(
        '--minutes', type=float, default=1.0, metavar='N', help='how long (default: %(default)s)'
    )
    chaos.add_argument(
        '--seed', type=int, default=1, metavar='S', help='the same seed, the same schedule'
    )
    chaos.add_argument('--only', nargs='+', default=(), metavar='KIND', help='kinds to inject')
    chaos.add_argument(
        '--output', type=Path, default=Path('report/chaos'), metavar='FOLDER',
        help='where schedule, commands and logs go (default: %(default)s)',
    )
    chaos.set_defaults(run=_chaos)


def _chaos(options: argparse.Namespace) -> int:
    from id_controller.command_line.chaos import ChaosOptions, run

    if not 0.0 < options.minutes <= LONGEST_CHAOS_MIN:
        raise ParameterError(
            f'--minutes: got {options.minutes:g}, expected a number up to {LONGEST_CHAOS_MIN:g}'
        )
    return run(ChaosOptions(
        robot=options.robot, minutes=options.minutes, seed=options.seed, output=options.output,
        kinds=tuple(options.only),
    ))
