"""``id_controller chaos``: break the controller on purpose, and see what it commands."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from id_controller.chaos.target import Target
from id_controller.chaos.trace import Bounds
from id_controller.command_line.chosen_robot import ChosenRobot, choose_robot
from id_controller.command_line.demo_plan import make_plan
from id_controller.command_line.terminal import LeaveSignals, progress
from id_controller.command_line.text_table import text_table
from id_controller.control.configuration import configured
from id_controller.parameters.flat import parameters_from_flat
from id_controller.parameters.yaml_file import load_parameter_file
from id_controller.realtime.watch import LOOK_HZ
from id_controller.simulation.start_pose import start_pose

if TYPE_CHECKING:
    from id_controller.chaos.run import Outcome

HOLDS, VIOLATED = 0, 1
TITLE_WIDTH = 18
_PLAN_S = 10.0
"""Length of the motion of a demo, whose parameter files are ours too."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ChaosOptions:
    """
    What is broken.

    :param kinds: Kinds of injections; empty: all.
    """

    robot: str
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
    from id_controller.chaos.run import torment
    from id_controller.chaos.schedule import make_schedule, write_schedule
    from id_controller.ros.environment import use_private_domain, use_udp_transport

    schedule = make_schedule(options.seed, options.minutes, options.kinds)
    options.output.mkdir(parents=True, exist_ok=True)
    target = _target(choose_robot(options.robot), options.output)
    write_schedule(schedule, options.output / 'schedule.jsonl')
    (options.output / 'injections.jsonl').write_text('', encoding='utf-8')
    # There is no way to name a domain: nobody else's robot may ever hear of this.
    print(f'chaos: seed {options.seed}, private ROS domain {use_private_domain()}', flush=True)
    use_udp_transport()
    seconds = 60.0 * options.minutes
    with LeaveSignals() as leave, progress(seconds, TITLE_WIDTH) as bar:

        def done(kind: str, took_s: float) -> None:
            bar.set_description(kind)
            bar.update(min(took_s, seconds - bar.n))

        outcome = torment(target, schedule, options.output, seconds, leave.check, done)
    _show(outcome)
    return VIOLATED if outcome.violations else HOLDS


def _show(outcome: Outcome) -> None:
    rows = [(kind, str(count)) for kind, count in sorted(outcome.injected.items())]
    print(text_table(('injected', 'times'), rows))
    worst = max(outcome.recoveries_s, default=0.0)
    print(f'  {outcome.states}; {outcome.commands} commands heard, {outcome.unheard} not')
    print(f'  the machine stood still for {outcome.stalled_s:.3f} s')
    print(f'  {len(outcome.recoveries_s)} recoveries, the longest took {worst:.1f} s')
    for one in outcome.violations:
        print(f'  VIOLATION during {one.during} at {one.at_ns / 1e9:.3f}: {one.what}')
    print(f'  {len(outcome.violations)} violations')


def _target(chosen: ChosenRobot, folder: Path) -> Target:
    """What commands must keep, and where things are, from the files of the robot."""
    plan = make_plan(chosen, _PLAN_S, folder)
    flat = load_parameter_file(plan.controller_file)
    configuration = configured(parameters_from_flat(flat), chosen.description.text)
    settings, limits = configuration.settings(), configuration.limits
    children = {joint.name: joint.child for joint in chosen.description.joints}
    return Target(
        joints=plan.joints, start=start_pose(limits.lower, limits.upper),
        lower=limits.lower, upper=limits.upper, tip=children[plan.joints[-1]],
        bounds=Bounds(
            settings.effort_limit, settings.max_effort_rate, configuration.period_s, 1.0 / LOOK_HZ
        ),
        topic=plan.command_topic, first=flat,
        controller_file=plan.controller_file, simulator_file=plan.simulator_file,
    )
