"""How a robot is simulated."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from id_controller.simulation.realism import Realism


@dataclass(frozen=True, kw_only=True, slots=True)
class PlantSettings:
    """
    How a robot is simulated.

    :param joints: Joints that move, in the order of all vectors; empty: all of the URDF.
    :param locked: Positions of joints that stand; the others stand at zero, rad or m.
    :param step_s: Physics step, s.
    :param integrator: ``implicitfast``, ``implicit``, ``Euler`` or ``RK4`` of MuJoCo.
    :param gravity: Gravity in the base frame, m/s^2.
    :param realism: Departures from the description.
    """

    joints: tuple[str, ...] = ()
    locked: Mapping[str, float] = field(default_factory=dict)
    step_s: float = 0.00025
    integrator: str = 'implicitfast'
    gravity: tuple[float, ...] = (0.0, 0.0, -9.81)
    realism: Realism = field(default_factory=Realism)
