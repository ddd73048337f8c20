"""What is known of a robot model beside its equations."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, kw_only=True, slots=True)
class RobotFacts:
    """
    What is known of a robot model beside its equations.

    :param joints: Controlled joints, in controller order.
    :param continuous: Which of them turn without end, shape (n,).
    :param mass: Sum of all link masses of the description, kg.
    :param moving_mass: Mass that the controlled joints move, kg, without payload.
    :param locked: Joints that do not move, with their positions.
    :param mimic: Followers, which move with a controlled joint.
    :param massless_links: Links that have a shape or move, but no inertial.
    :param warnings: What a person should know before power is on.
    """

    joints: tuple[str, ...]
    continuous: npt.NDArray[np.bool_]
    mass: float
    moving_mass: float
    locked: dict[str, float]
    mimic: tuple[str, ...]
    massless_links: tuple[str, ...]
    warnings: tuple[str, ...] = ()
