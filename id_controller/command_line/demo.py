"""``id_controller demo``: a simulated arm under two control laws, over real ROS, measured."""
from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from id_controller.command_line.chosen_robot import choose_robot
from id_controller.command_line.demo_data import Run
from id_controller.command_line.demo_plan import DemoPlan, make_plan
from id_controller.command_line.demo_plot import require_plotting, save_plot
from id_controller.command_line.demo_report import (
    as_json,
    timing_table,
    tracking_table,
    verdict,
)
from id_controller.command_line.demo_session import play
from id_controller.errors import ParameterError
from id_controller.ros.environment import (
    find_log_folder,
    use_private_domain,
    use_udp_transport,
)

SHORTEST_S = 6.0


@dataclass(frozen=True, kw_only=True, slots=True)
class DemoOptions:
    """
    What was asked for on the command line.

    :param params: Parameter file; None: the robot's own, or gains made up.
    :param duration_s: Length of all motions together.
    :param output: Folder of the report.
    :param domain: ROS domain id; None: one at random.
    """

    robot: str
    params: Path | None
    duration_s: float
    output: Path
    domain: int | None


def run(options: DemoOptions) -> int:
    """
    Run the demo and write its report.

    :return: 0 when tracking and torque were good, else 1.
    :raises IdControllerError: when it cannot run.
    """
    require_plotting()
    plan = _plan(options)
    domain = use_private_domain(os.environ, options.domain)
    use_udp_transport()
    find_log_folder()
    print(f'{plan.title}, ROS domain {domain}; two motions of {plan.phase_s:g} s')
    phases = play(plan, options.output)
    result = Run(
        robot=plan.robot,
        joints=plan.joints,
        units=plan.units,
        effort_limit=plan.effort_limit,
        rate_hz=plan.rate_hz,
        phases=phases,
    )
    return _report(result, options.output)


def _plan(options: DemoOptions) -> DemoPlan:
    if not options.duration_s >= SHORTEST_S:
        raise ParameterError(
            f'--duration: got {options.duration_s:g} s, expected at least {SHORTEST_S:g}'
        )
    try:
        options.output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ParameterError(
            f'--output: cannot make the folder {options.output}: {error.strerror}'
        ) from error
    chosen = choose_robot(options.robot, options.params)
    return make_plan(chosen, options.duration_s, options.output)


def _report(result: Run, output: Path) -> int:
    """Print the tables, write the files, and judge."""
    print(f'\n{tracking_table(result)}\n\n{timing_table(result)}\n')
    facts = json.dumps(as_json(result), indent=2)
    (output / 'demo.json').write_text(facts + '\n', encoding='utf-8')
    save_plot(result, output / 'demo.png')
    print(f'wrote {output / "demo.png"} and {output / "demo.json"}')
    judged = verdict(result)
    for warning in judged.warnings:
        print(f'warning: {warning}')
    if judged.failure:
        print(f'bad: {judged.failure}')
        return 1
    print('good: tracking and torque are within their bounds')
    return 0
