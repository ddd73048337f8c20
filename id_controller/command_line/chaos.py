"""``id_controller chaos``: break the controller on purpose, and see what it commands."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from id_controller.chaos.trace import Bounds
from id_controller.command_line.chosen_robot import choose_robot
from id_controller.command_line.terminal import ended_by_sigterm, progress
from id_controller.command_line.text_table import text_table
from id_controller.control.configuration import configured
from id_controller.model.description import load_description

HOLDS, VIOLATED = 0, 1
TITLE_WIDTH = 18
HOST_PERIOD_S = 0.004
"""Of the host in a take-over, the slowest of those who command."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ChaosOptions:
    """
    What is broken.

    :param kinds: Kinds of injections; empty: all.
    """

    minutes: float
    seed: int
    output: Path
    kinds: tuple[str, ...] = ()


def run(options: ChaosOptions) -> int:
    """
    Run, and print what was found.

    :return: 0: everything held, 1: something did not.
    :raises IdControllerError: when it cannot be run.
    """
    from id_controller.chaos.rig import ROBOT
    from id_controller.chaos.run import torment
    from id_controller.chaos.schedule import make_schedule, write_schedule
    from id_controller.ros.environment import use_private_domain, use_udp_transport

    schedule = make_schedule(options.seed, options.minutes, options.kinds)
    options.output.mkdir(parents=True, exist_ok=True)
    write_schedule(schedule, options.output / 'schedule.jsonl')
    # There is no way to name a domain: nobody else's robot may ever hear of this.
    print(f'chaos: seed {options.seed}, private ROS domain {use_private_domain()}', flush=True)
    use_udp_transport()
    seconds = 60.0 * options.minutes
    with ended_by_sigterm(), progress(seconds, TITLE_WIDTH) as bar:

        def done(kind: str, took_s: float) -> None:
            bar.set_description(kind)
            bar.update(min(took_s, seconds - bar.n))

        outcome = torment(schedule, options.output, seconds, _bounds(ROBOT), done)
    rows = [(kind, str(count)) for kind, count in sorted(outcome.injected.items())]
    print(text_table(('injected', 'times'), rows))
    worst = max(outcome.recoveries_s, default=0.0)
    print(f'  {outcome.states}; {outcome.commands} commands heard')
    print(f'  {len(outcome.recoveries_s)} recoveries, the longest took {worst:.1f} s')
    for one in outcome.violations:
        print(f'  VIOLATION during {one.during} at {one.at_ns / 1e9:.3f}: {one.what}')
    print(f'  {len(outcome.violations)} violations')
    return VIOLATED if outcome.violations else HOLDS


def _bounds(name: str) -> Bounds:
    """What commands must keep, from the files of the robot."""
    robot = choose_robot(name)
    settings = configured(robot.parameters, load_description(robot.file)).settings()
    return Bounds(settings.effort_limit, settings.max_effort_rate, HOST_PERIOD_S)
