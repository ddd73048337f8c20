"""
The command ``id_controller``: its subcommands, and the one place that reports what went wrong.

Each subcommand imports what it needs when it runs, so that ``--help`` and ``check`` need no ROS.
"""
from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from id_controller.command_line.chaos_options import add_chaos
from id_controller.command_line.report_options import add_report
from id_controller.command_line.send_options import add_send
from id_controller.errors import IdControllerError, ParameterError

REFUSED = 2
INTERRUPTED = 130
LONGEST_DELAY_MS = 100.0
LARGEST_DOMAIN = 232
SHORTEST_WINDOW_S, LONGEST_WINDOW_S = 0.5, 600.0
_ROBOT = 'arm7, two_link, panda, ur5, kinova, or the path of a .urdf or .xacro file'


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Run the command line.

    :param arguments: Without the program's name; ``None``: those of the process.
    :returns: Exit code: 0 fine, 1 not good enough, 2 refused.
    """
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except IdControllerError as error:
        print(f'error: {" ".join(str(error).split())}', file=sys.stderr)
        return REFUSED
    except BrokenPipeError:  # whoever read our output has left
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return REFUSED
    except OSError as error:
        print(f'error: {error.filename}: {error.strerror}', file=sys.stderr)
        return REFUSED
    except KeyboardInterrupt:
        print('interrupted', file=sys.stderr)
        return INTERRUPTED
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog='id_controller', description='Inverse dynamics control of robot arms in ROS 2.'
    )
    commands = parser.add_subparsers(required=True, metavar='COMMAND')
    _add_check(commands)
    _add_demo(commands)
    _add_bench(commands)
    add_send(commands)
    add_report(commands)
    add_chaos(commands)
    return parser


def _add_check(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    check = commands.add_parser(
        'check', help='what to know of a robot and its gains before powering on',
        description='Exit code 0: fine, 1: warnings, 2: refused.',
    )
    check.add_argument('robot', nargs='?', metavar='ROBOT', help=_ROBOT)
    check.add_argument(
        '--realtime', action='store_true', help='what this machine grants to a control loop'
    )
    check.add_argument('--params', type=Path, metavar='FILE', help='ROS 2 parameter file')
    check.add_argument(
        '--delay-ms', type=_delay_ms, default=1.0, metavar='MS',
        help='transport delay from state to effort (default: %(default)s)',
    )
    check.set_defaults(run=_check)


def _delay_ms(text: str) -> float:
    delay = float(text)
    if not 0.0 <= delay <= LONGEST_DELAY_MS:
        raise argparse.ArgumentTypeError(
            f'got {text}, expected a number of ms from 0 to {LONGEST_DELAY_MS:g}'
        )
    return delay


def _count(least: int) -> Callable[[str], int]:
    def count(text: str) -> int:
        number = int(text)
        if number < least:
            raise argparse.ArgumentTypeError(
                f'got {text}, expected a whole number from {least}'
            )
        return number

    return count


def _seconds(text: str) -> float:
    seconds = float(text)
    if not SHORTEST_WINDOW_S <= seconds <= LONGEST_WINDOW_S:
        raise argparse.ArgumentTypeError(
            f'got {text}, expected a number of s from {SHORTEST_WINDOW_S:g} to '
            f'{LONGEST_WINDOW_S:g}'
        )
    return seconds


def _domain(text: str) -> int:
    domain = int(text)
    if not 0 <= domain <= LARGEST_DOMAIN:
        raise argparse.ArgumentTypeError(
            f'got {text}, expected a ROS domain id from 0 to {LARGEST_DOMAIN}'
        )
    return domain


def _add_demo(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    demo = commands.add_parser(
        'demo', help='a simulated arm under feedforward and gravity_pd, measured',
        description='Exit code 0: good, 1: bad tracking or torque, 2: refused.',
    )
    demo.add_argument('robot', nargs='?', default='arm7', metavar='ROBOT', help=_ROBOT)
    demo.add_argument('--params', type=Path, metavar='FILE', help='ROS 2 parameter file')
    demo.add_argument(
        '--duration', type=float, default=20.0, metavar='S',
        help='length of both motions together (default: %(default)s)',
    )
    demo.add_argument(
        '--output', type=Path, default=Path('report'), metavar='FOLDER',
        help='where the report goes (default: %(default)s)',
    )
    demo.add_argument(
        '--domain', type=_domain, metavar='ID', help='ROS domain id (default: a private one)'
    )
    demo.set_defaults(run=_demo)


def _add_bench(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    bench = commands.add_parser(
        'bench', help='rate, latency and growth beside what else there is, measured here',
        description='Exit code 0: every bar passed, 1: not all, 2: refused.',
    )
    bench.add_argument('--quick', action='store_true', help='a first look in 2 min')
    bench.add_argument(
        '--rounds', type=_count(1), metavar='N', help='runs of each row (default: 5, quick: 1)'
    )
    bench.add_argument(
        '--seconds', type=_seconds, metavar='S',
        help='length of every window (default: 10 where there is a bar, else 5; quick: 3)',
    )
    bench.add_argument(
        '--rows', default='', metavar='TEXT', help='only what has this text in its name'
    )
    bench.add_argument(
        '--late-joiners', type=_count(0), metavar='N',
        help='runs in which another participant joins (default: 3, quick: 1)',
    )
    bench.add_argument(
        '--output', type=Path, default=Path('report'), metavar='FOLDER',
        help='where the report goes (default: %(default)s)',
    )
    bench.set_defaults(run=_bench)


def _bench(options: argparse.Namespace) -> int:
    from id_controller.benchmark.plan import Wanted
    from id_controller.command_line.bench import run

    wanted = Wanted(
        quick=options.quick, rounds=options.rounds, seconds=options.seconds,
        late_joiners=options.late_joiners, rows=options.rows,
    )
    return run(wanted, options.output)


def _check(options: argparse.Namespace) -> int:
    from id_controller.command_line import check, check_realtime

    if options.robot is None and not options.realtime:
        raise ParameterError('check: got neither a ROBOT nor --realtime, expected one of them')
    code = check.FINE
    if options.robot is not None:
        code = check.run(options.robot, options.params, options.delay_ms)
    return max(code, check_realtime.run()) if options.realtime else code


def _demo(options: argparse.Namespace) -> int:
    from id_controller.command_line.demo import DemoOptions, run

    return run(
        DemoOptions(
            robot=options.robot,
            params=options.params,
            duration_s=options.duration,
            output=options.output,
            domain=options.domain,
        )
    )


if __name__ == '__main__':
    sys.exit(main())
