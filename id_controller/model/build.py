"""From a robot description to the model of its controlled joints."""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from id_controller.errors import ModelError
from id_controller.model.bare import bare_description, frame_name
from id_controller.model.checks import (
    check_compensates,
    check_joints,
    check_loads,
    checked_armature,
    checked_gravity,
)
from id_controller.model.coordinates import Coordinates
from id_controller.model.description import parse_description
from id_controller.model.elements import Description
from id_controller.model.facts import RobotFacts
from id_controller.model.followers import followers
from id_controller.model.inertias import inertia_warnings, massless_links
from id_controller.model.library import load_pinocchio, pinocchio_origin
from id_controller.model.limits import find_joint
from id_controller.model.locking import locked_positions, outside_limits
from id_controller.model.names import nearest
from id_controller.model.robot import RobotModel
from id_controller.model.rotor import rotor_beside_library
from id_controller.state import Vector

STANDARD_GRAVITY = (0.0, 0.0, -9.81)


def build_model(
    description_text: str,
    joints: Sequence[str],
    *,
    locked: Mapping[str, float] | None = None,
    gravity: npt.ArrayLike = STANDARD_GRAVITY,
    armature: Vector | None = None,
    payload_frame: str = '',
    wrench_frame: str = '',
    compensates: Sequence[str] = (),
    strict: bool = False,
) -> RobotModel:
    """
    Build the model of the controlled joints of a robot.

    Followers (mimic) of controlled joints move with them; all other joints are locked.

    :param description_text: URDF.
    :param joints: Controlled joints; their order is that of every array.
    :param locked: Positions of joints that are not controlled, rad or m; neutral (0) else.
    :param gravity: Gravity in the base frame, shape (3,), m/s^2.
    :param armature: Rotor inertia felt at each joint, shape (n,), kg m^2 or kg.
    :param payload_frame: Link that may carry a payload.
    :param wrench_frame: Link at which external wrenches act.
    :param compensates: What the hardware adds itself: gravity, coriolis, friction.
    :param strict: Refuse controlled joints that move no mass, instead of warning.
    :raises ModelError: when the description, a name or a number cannot be used.
    """
    description = parse_description(description_text)
    names = tuple(joints)
    check_joints(description, names)
    check_compensates(compensates)
    rotor = checked_armature(armature, len(names))
    if strict:
        check_loads(description, names, rotor)
    library = load_pinocchio()
    positions = locked_positions(description, names, dict(locked or {}))
    whole = _whole_model(library, description)
    model = _reduced(library, whole, positions)
    coordinates = Coordinates(model, names, followers(description))
    return RobotModel(
        library,
        model,
        coordinates,
        _facts(description, names, positions, whole, model),
        rotor=rotor_beside_library(library, model, coordinates.rows, rotor),
        gravity=checked_gravity(gravity),
        frames=(
            _frame(description, model, payload_frame, 'payload.frame'),
            _frame(description, model, wrench_frame, 'wrench_frame'),
        ),
        compensates=tuple(compensates),
    )


def _whole_model(library: Any, description: Description) -> Any:
    try:
        return library.buildModelFromXML(bare_description(description))
    except (ValueError, RuntimeError) as error:
        raise ModelError(
            f"robot '{description.name}': {pinocchio_origin()} refuses the description: {error}"
        ) from error


def _reduced(library: Any, whole: Any, positions: Mapping[str, float]) -> Any:
    """Lock joints; one with several degrees of freedom stays neutral."""
    reference = library.neutral(whole)
    numbers = [int(whole.getJointId(name)) for name in positions]
    for number, position in zip(numbers, positions.values()):
        first = whole.idx_qs[number]
        if whole.nvs[number] == 1:
            reference[first] = position
    return library.buildReducedModel(whole, numbers, reference)


def _frame(description: Description, model: Any, name: str, parameter: str) -> int:
    if not name:
        return -1
    links = [link.name for link in description.links]
    if name not in links:
        raise ModelError(f"{parameter}: the robot has no link '{name}'; {nearest(name, links)}")
    return int(model.getFrameId(frame_name(name)))


def _facts(
    description: Description,
    joints: tuple[str, ...],
    positions: dict[str, float],
    whole: Any,
    model: Any,
) -> RobotFacts:
    mass = sum(link.mass or 0.0 for link in description.links)
    warnings = inertia_warnings(description) + outside_limits(description, positions)
    counted = sum(inertia.mass for inertia in whole.inertias)
    if not math.isclose(counted, mass, rel_tol=1e-9, abs_tol=1e-9):
        warnings.append(f'total mass: the links sum to {mass:g} kg, the model has {counted:g} kg')
    kinds = [find_joint(description, name).kind for name in joints]
    return RobotFacts(
        joints=joints,
        continuous=np.array([kind == 'continuous' for kind in kinds]),
        mass=mass,
        moving_mass=sum(model.inertias[i].mass for i in range(1, model.njoints)),
        locked=positions,
        mimic=tuple(name for name in followers(description) if name not in positions),
        massless_links=massless_links(description),
        warnings=tuple(warnings),
    )
