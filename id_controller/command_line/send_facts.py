"""What must be known of a robot before something is sent to it."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from id_controller.command_line.chosen_robot import choose_robot
from id_controller.control.configuration import Configuration, configured
from id_controller.model.description import parse_description
from id_controller.simulation.start_pose import start_pose
from id_controller.state import Reference, Vector


@dataclass(frozen=True, kw_only=True, slots=True)
class Situation:
    """
    A robot and where it is wanted now.

    :param reference: The reference in force; its acceleration is not known and taken as 0.
    """

    configuration: Configuration
    reference: Reference

    @property
    def joints(self) -> tuple[str, ...]:
        """The controlled joints."""
        return self.configuration.parameters.joints

    @property
    def units(self) -> tuple[str, ...]:
        """``rad`` or ``m`` of each joint."""
        description = parse_description(self.configuration.description)
        kinds = {joint.name: joint.kind for joint in description.joints}
        return tuple('m' if kinds[joint] == 'prismatic' else 'rad' for joint in self.joints)


def at_rest(q: Vector, v: Vector | None = None) -> Reference:
    """
    Make a reference.

    :param q: Positions, shape (n,).
    :param v: Velocities, shape (n,); None: 0.
    """
    rest = np.zeros_like(q)
    return Reference(q, rest if v is None else v, rest, rest)


def situation_of_robot(robot: str, parameter_file: Path | None) -> Situation:
    """
    Take a robot that stands at its start pose, as it does in a fresh simulation.

    :raises IdControllerError: when there is no such robot, or it cannot be controlled.
    """
    chosen = choose_robot(robot, parameter_file)
    configuration = configured(chosen.parameters, chosen.description.text)
    limits = configuration.limits
    return Situation(
        configuration=configuration, reference=at_rest(start_pose(limits.lower, limits.upper))
    )
