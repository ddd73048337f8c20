"""What ``check`` computes, before it is put in words."""
from __future__ import annotations

from dataclasses import dataclass

from id_controller.command_line.chosen_robot import ChosenRobot
from id_controller.control.configuration import Configuration
from id_controller.model.gravity_load import GravityLoad
from id_controller.model.stability import Stability
from id_controller.state import Vector


@dataclass(frozen=True, kw_only=True, slots=True)
class GainCheck:
    """
    One group of gains and what becomes of them at the control rate.

    :param group: Its name in the parameters.
    :param p: Proportional and :param d: derivative gains, shape (n,).
    :param inertia: Smallest inertia that they act on, shape (n,); 1 for acceleration gains.
    """

    group: str
    p: Vector
    d: Vector
    inertia: Vector
    stability: Stability


@dataclass(frozen=True, kw_only=True, slots=True)
class Check:
    """
    A robot, examined.

    :param delay_s: Stated transport delay.
    :param pose: Start pose, shape (n,), rad or m.
    :param gain_checks: One for each group of gains that is not all zero.
    :param proposed: Whether the torque gains are proposals, for none were given.
    """

    chosen: ChosenRobot
    configuration: Configuration
    delay_s: float
    pose: Vector
    gravity: GravityLoad
    gain_checks: tuple[GainCheck, ...]
    proposed: bool
