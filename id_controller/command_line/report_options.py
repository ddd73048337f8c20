"""What ``id_controller report`` takes on the command line."""
from __future__ import annotations

import argparse
from pathlib import Path


def add_report(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command ``report`` to those of the command line."""
    report = commands.add_parser(
        'report', help='what happened before a fault: a file of the black box, as a page',
        description='Exit code 0: written, 2: refused.',
    )
    report.add_argument('file', type=Path, metavar='FILE', help='a .npz file of the black box')
    report.add_argument(
        '--output', type=Path, metavar='FILE', help='page (.html) or picture (.png) to write '
        '(default: a page beside the file)',
    )
    report.set_defaults(run=_report)


def _report(options: argparse.Namespace) -> int:
    from id_controller.command_line.report import run

    return run(options.file, options.output)
