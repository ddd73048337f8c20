"""The robot that is tormented."""
from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from id_controller.chaos.trace import Bounds
from id_controller.state import Vector

_AWAY, _MARGIN = 0.4, 0.1


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Target:
    """
    What is known of it before anything is broken.

    :param start: Where it stands at first, :param lower: and :param upper: its position limits,
        shape (n,), rad or m.
    :param bounds: What its commands must keep.
    :param tip: Link that carries a payload.
    :param first: Parameters at the start, by full name.
    :param topic: Where its commands go.
    :param controller_file: Parameters of the controller, :param simulator_file: of the simulator.
    """

    joints: tuple[str, ...]
    start: Vector
    lower: Vector
    upper: Vector
    bounds: Bounds
    tip: str
    topic: str
    first: dict[str, Any]
    controller_file: Path
    simulator_file: Path

    def somewhere(self, draw: random.Random) -> Vector:
        """Draw a pose near the start, shape (n,)."""
        away = np.array([draw.uniform(-_AWAY, _AWAY) for _ in self.joints])
        low, high = self.lower + _MARGIN, self.upper - _MARGIN
        return np.asarray(np.where(
            low < high, np.minimum(np.maximum(self.start + away, low), high), self.start
        ))
