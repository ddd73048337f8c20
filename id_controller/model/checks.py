"""Checks of what a model is to be built of, beside the description itself."""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from id_controller.errors import ModelError
from id_controller.model.elements import DRIVEN_KINDS, Description
from id_controller.model.followers import followers
from id_controller.model.inertias import joints_without_load
from id_controller.model.limits import find_joint
from id_controller.model.names import nearest
from id_controller.state import Vector

COMPENSATIONS = ('gravity', 'coriolis', 'friction')


def check_joints(description: Description, joints: tuple[str, ...]) -> None:
    """
    Check that every joint is there once, can be driven and follows no other.

    :raises ModelError: naming the joint, what was got and what was expected.
    """
    if not joints:
        raise ModelError('joints: got none, expected the names of the controlled joints')
    rules = followers(description)
    for name in joints:
        joint = find_joint(description, name)
        if joints.count(name) > 1:
            raise ModelError(f"joint '{name}': got it {joints.count(name)} times, expected once")
        if joint.kind not in DRIVEN_KINDS:
            raise ModelError(
                f"joint '{name}': got type {joint.kind}, expected one of "
                f'{", ".join(DRIVEN_KINDS)} to control it'
            )
        if name in rules:
            raise ModelError(
                f"joint '{name}': it follows joint '{rules[name].joint}' (mimic) and cannot be "
                f"controlled; control '{rules[name].joint}'"
            )


def check_compensates(compensates: Sequence[str]) -> None:
    """
    Check the names of what the hardware adds itself.

    :raises ModelError: when one is unknown.
    """
    for name in compensates:
        if name not in COMPENSATIONS:
            raise ModelError(f"hardware_compensates: got '{name}'; {nearest(name, COMPENSATIONS)}")


def check_loads(description: Description, joints: tuple[str, ...], rotor: Vector) -> None:
    """
    Check that every joint moves some mass or has a rotor.

    :raises ModelError: naming the joint that has neither.
    """
    for name in joints_without_load(description):
        if name in joints and not rotor[joints.index(name)]:
            raise ModelError(
                f"joint '{name}': got links without any mass below it, expected an <inertial> in "
                f"'{find_joint(description, name).child}' (or an armature)"
            )


def checked_armature(armature: Vector | None, n: int) -> Vector:
    """
    Check rotor inertias; zeros when there are none.

    :raises ModelError: unless there are n finite numbers >= 0.
    """
    rotor = np.zeros(n) if armature is None else np.array(armature, float)
    if rotor.shape != (n,) or not (np.isfinite(rotor).all() and (rotor >= 0.0).all()):
        raise ModelError(f'armature: got {rotor}, expected {n} numbers >= 0')
    return rotor


def checked_gravity(gravity: npt.ArrayLike) -> Vector:
    """
    Check a gravity vector.

    :raises ModelError: unless it has 3 finite numbers.
    """
    vector = np.array(gravity, float)
    if vector.shape != (3,) or not np.isfinite(vector).all():
        raise ModelError(f'gravity: got {vector.tolist()}, expected 3 finite numbers')
    return vector
