"""What ``id_controller send`` takes on the command line."""
from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

MOTION_NAMES = ('sine', 'quintic_tour', 'sweep')
SERVICES = {
    'hold': 'stop where the reference is and hold',
    'stop': 'soft stop: decelerate, hold, and take no motion until reset',
    'reset': 'clear a fault or a stop, and hold again',
}
Parsers = argparse._SubParsersAction


@dataclass(frozen=True, kw_only=True, slots=True)
class SendOptions:
    """
    What is sent, and how.

    :param what: ``pose``, ``file``, ``motion``, ``jog`` or one of ``SERVICES``.
    :param wait: Whether to stay until the motion is done.
    :param robot: Robot of a dry run without a controller; None: ask the controller.
    :param pose: Joint names and targets, rad or m, for those that turn degrees if ``degrees``.
    :param timeout: Longest wait for anything, s.
    :param time: Duration of the way to the pose, s; None: by the velocity limits.
    :param duration: Duration of the motion, s; None: its own.
    :param step: How far a key of ``jog`` moves a joint, rad or m.
    """

    what: str
    controller: str = '/id_controller'
    timeout: float = 10.0
    wait: bool = True
    dry_run: bool = False
    plot: Path | None = None
    robot: str | None = None
    params: Path | None = None
    pose: tuple[tuple[str, float], ...] = ()
    degrees: bool = False
    time: float | None = None
    file: Path | None = None
    motion: str = ''
    fraction: float = 0.5
    duration: float | None = None
    step: float = 0.05


def options_from(parsed: argparse.Namespace) -> SendOptions:
    """Collect what was parsed."""
    names = SendOptions.__dataclass_fields__
    given = {name: value for name, value in vars(parsed).items() if name in names}
    return SendOptions(**{**given, 'pose': tuple(given.get('pose', ()))})


def add_send(commands: Parsers[argparse.ArgumentParser]) -> None:
    """Add the command ``send`` to those of the command line."""
    send = commands.add_parser(
        'send', help='move the robot: a pose, a file, a motion, keys; hold, stop, reset',
        description='Exit code 0: done, 1: refused by the controller or not reached, 2: refused '
        'before anything was sent.',
    )
    kinds = send.add_subparsers(required=True, dest='what', metavar='WHAT')
    speaking, moving = _speaking(), _moving()
    _add_pose(kinds, [speaking, moving])
    _add_file(kinds, [speaking, moving])
    _add_motion(kinds, [speaking, moving])
    for name, words in SERVICES.items():
        kinds.add_parser(name, help=words, description=words, parents=[speaking])
    jog = kinds.add_parser(
        'jog', help='move single joints with the keyboard', parents=[speaking],
        description='Keys: 1 to 9 choose a joint, arrows (or + -) move it, [ ] change the step, '
        'space holds, q leaves. Whoever leaves, leaves the robot holding.',
    )
    jog.add_argument(
        '--step', type=_above_zero, default=0.05, metavar='STEP',
        help='rad or m that a key moves a joint (default: %(default)s)',
    )
    send.set_defaults(run=_send)


def _send(parsed: argparse.Namespace) -> int:
    from id_controller.command_line.send import run

    return run(options_from(parsed))


def _speaking() -> argparse.ArgumentParser:
    parent = argparse.ArgumentParser(add_help=False)
    parent.add_argument(
        '--controller', type=_node_name, default='/id_controller', metavar='NAME',
        help='full name of its node (default: %(default)s)',
    )
    parent.add_argument(
        '--timeout', type=_above_zero, default=10.0, metavar='S',
        help='longest wait for an answer, and for the end of an overdue motion '
        '(default: %(default)s)',
    )
    return parent


def _moving() -> argparse.ArgumentParser:
    parent = argparse.ArgumentParser(add_help=False)
    parent.add_argument(
        '--wait', action=argparse.BooleanOptionalAction, default=True,
        help='stay until the motion is done and say how well; Ctrl-C then holds',
    )
    parent.add_argument(
        '--dry-run', action='store_true', help='only say what the controller would say'
    )
    parent.add_argument(
        '--plot', type=Path, metavar='FILE', help='draw what the reference will do (.png)'
    )
    parent.add_argument(
        '--robot', metavar='ROBOT',
        help='dry run without a controller: a robot as "check" takes it, at its start pose',
    )
    parent.add_argument('--params', type=Path, metavar='FILE', help='its ROS 2 parameter file')
    return parent


def _add_pose(
    kinds: Parsers[argparse.ArgumentParser], parents: list[argparse.ArgumentParser]
) -> None:
    pose = kinds.add_parser(
        'pose', help='joints to positions, the others hold', parents=parents,
        description='For example: id_controller send pose joint1=0.5 joint2=-0.3 --time 2',
    )
    pose.add_argument(
        'pose', nargs='+', type=_target, metavar='JOINT=POSITION', help='in rad or m'
    )
    pose.add_argument(
        '--time', type=_above_zero, metavar='S',
        help='duration (default: 0.3 of the velocity limits, at least 1 s)',
    )
    pose.add_argument(
        '--degrees', action='store_true', help='joints that turn are given in degrees'
    )


def _add_file(
    kinds: Parsers[argparse.ArgumentParser], parents: list[argparse.ArgumentParser]
) -> None:
    file = kinds.add_parser(
        'file', help='a trajectory from a file', parents=parents,
        description='YAML: joints: [a, b], points: a list of {time, positions, and for all '
        'points or none velocities, accelerations, effort}. CSV: a header time,a,b and '
        'further columns a.velocity, a.acceleration, a.effort.',
    )
    file.add_argument('file', type=Path, metavar='FILE', help='.yaml, .yml or .csv')


def _add_motion(
    kinds: Parsers[argparse.ArgumentParser], parents: list[argparse.ArgumentParser]
) -> None:
    motion = kinds.add_parser(
        'motion', help=f'a motion inside the limits: {", ".join(MOTION_NAMES)}', parents=parents,
        description='It starts and ends where the reference is.',
    )
    motion.add_argument('motion', choices=MOTION_NAMES)
    motion.add_argument(
        '--fraction', type=_fraction, default=0.5, metavar='F',
        help='share of the position and velocity limits (default: %(default)s)',
    )
    motion.add_argument(
        '--duration', type=_above_zero, metavar='S', help='duration (default: its own)'
    )


def _target(text: str) -> tuple[str, float]:
    joint, equals, value = text.rpartition('=')
    number = _number(value) if equals and joint else None
    if number is None:
        raise argparse.ArgumentTypeError(
            f'got {text!r}, expected JOINT=POSITION with a number, like joint1=0.5'
        )
    return joint, number


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _bounded(what: str, fits: Callable[[float], bool]) -> Callable[[str], float]:
    def read(text: str) -> float:
        value = _number(text)
        if value is None or not fits(value):
            raise argparse.ArgumentTypeError(f'got {text!r}, expected {what}')
        return value

    return read


_above_zero = _bounded('a number above 0', lambda value: value > 0.0)
_fraction = _bounded('a number above 0, up to 1', lambda value: 0.0 < value <= 1.0)


def _node_name(text: str) -> str:
    """A relative name is one in the root namespace, where the controller is by default."""
    return text if text.startswith('/') else f'/{text}'
