"""
Edits that turn a robot's URDF into one that MuJoCo simulates as it is meant.

Shapes are dropped (no mesh is ever needed, and no mass is guessed from a shape), locked joints are
welded where they stand, and the mistakes in mass and the payload of an imperfect robot are built
in.
"""
from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from id_controller.errors import SimulationError
from id_controller.parameters.groups import Payload
from id_controller.simulation.description import Element, number
from id_controller.state import Matrix

# Above the least mass that MuJoCo takes (1e-15), below what any torque would show.
WEIGHTLESS = 1e-14
_INERTIA = ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz')


def drop_shapes(root: Element) -> None:
    """Remove everything that has no part in the motion, and extensions for other programs."""
    for child in list(root):
        if child.tag not in ('link', 'joint'):
            root.remove(child)
    for link in root.findall('link'):
        for child in list(link):
            if child.tag != 'inertial':
                link.remove(child)
    for limit in root.iterfind('joint/limit'):
        # Efforts are limited before they reach the engine, which refuses some of these numbers.
        limit.attrib.pop('effort', None)
        limit.attrib.pop('velocity', None)


def weigh(root: Element, factors: Mapping[str, float]) -> None:
    """
    Scale the mass and the inertia of links.

    :param factors: Factor by link name; links that are absent keep theirs.
    """
    for link in root.findall('link'):
        factor = factors.get(link.get('name', ''), 1.0)
        if factor != 1.0:
            _scale(link.find('inertial/mass'), ('value',), factor)
            _scale(link.find('inertial/inertia'), _INERTIA, factor)


def _scale(element: Element | None, attributes: tuple[str, ...], factor: float) -> None:
    if element is not None:
        for name in attributes:
            element.set(name, repr(number(element, name, 0.0) * factor))


def carry(root: Element, payload: Payload) -> None:
    """
    Fix a body to a link.

    :raises SimulationError: when the robot has no such link.
    """
    links = [link.get('name') for link in root.findall('link')]
    if payload.frame not in links:
        raise SimulationError(
            f'payload.frame: got {payload.frame!r}, expected a link of the robot: '
            f'{", ".join(map(str, links))}'
        )
    name = _unused('payload', root)
    link = _child(root, 'link', name=name)
    inertial = _child(link, 'inertial')
    _child(inertial, 'origin', xyz=_text(payload.com), rpy='0 0 0')
    _child(inertial, 'mass', value=repr(payload.mass))
    _child(inertial, 'inertia', **{k: repr(x) for k, x in zip(_INERTIA, payload.inertia)})
    joint = _child(root, 'joint', name=name, type='fixed')
    _child(joint, 'parent', link=payload.frame)
    _child(joint, 'child', link=name)


def fill_inertias(root: Element) -> None:
    """Give links without mass or inertia one that is too small to show, which MuJoCo demands."""
    for link in root.findall('link'):
        inertial = link.find('inertial')
        inertial = _child(link, 'inertial') if inertial is None else inertial
        mass = inertial.find('mass')
        mass = _child(inertial, 'mass') if mass is None else mass
        if number(mass, 'value', 0.0) <= 0.0:
            mass.set('value', repr(WEIGHTLESS))
        inertia = inertial.find('inertia')
        inertia = _child(inertial, 'inertia') if inertia is None else inertia
        if not any(number(inertia, name, 0.0) for name in _INERTIA):
            for name in _INERTIA:
                inertia.set(name, repr(WEIGHTLESS if name in ('ixx', 'iyy', 'izz') else 0.0))


def weld(root: Element, locked: Mapping[str, float]) -> None:
    """
    Make joints fixed at the positions where they stand.

    :param locked: Position by joint name, rad or m.
    """
    for joint in root.findall('joint'):
        if joint.get('name') in locked:
            _weld_joint(joint, locked[joint.attrib['name']])


def _weld_joint(joint: Element, value: float) -> None:
    origin = joint.find('origin')
    origin = _child(joint, 'origin') if origin is None else origin
    axis = _vector(joint.find('axis'), 'xyz', (1.0, 0.0, 0.0))
    axis = axis / (np.linalg.norm(axis) or 1.0)
    xyz = _vector(origin, 'xyz', (0.0, 0.0, 0.0))
    turn = rotation_from_rpy(_vector(origin, 'rpy', (0.0, 0.0, 0.0)))
    if value != 0.0 and joint.get('type') == 'prismatic':
        origin.set('xyz', _text(xyz + turn @ axis * value))
    elif value != 0.0:
        origin.set('rpy', _text(rpy_from_rotation(turn @ _rotation_about(axis, value))))
    joint.set('type', 'fixed')
    for child in list(joint):
        if child.tag not in ('origin', 'parent', 'child'):
            joint.remove(child)


def rotation_from_rpy(rpy: Matrix) -> Matrix:
    """Turn roll, pitch, yaw about fixed axes (REP 103), rad, into a matrix, shape (3, 3)."""
    x, y, z = np.eye(3)
    roll, pitch, yaw = (float(angle) for angle in rpy)
    turned = _rotation_about(z, yaw) @ _rotation_about(y, pitch) @ _rotation_about(x, roll)
    return np.asarray(turned, dtype=np.float64)


def rpy_from_rotation(rotation: Matrix) -> Matrix:
    """
    Turn a matrix into roll, pitch, yaw, rad, exact at the gimbal lock too.

    Roll is read after pitch and yaw have been taken off: near the lock each of the two outer
    angles is arbitrary, but what they do together is not.
    """
    yaw = math.atan2(rotation[1, 0], rotation[0, 0])
    pitch = math.atan2(-rotation[2, 0], math.hypot(rotation[0, 0], rotation[1, 0]))
    rest = rotation_from_rpy(np.array([0.0, pitch, yaw])).T @ rotation
    return np.array([math.atan2(rest[2, 1], rest[1, 1]), pitch, yaw])


def _rotation_about(axis: Matrix, angle: float) -> Matrix:
    """Rotate about a unit axis (Rodrigues; Lynch and Park, Modern Robotics, eq. 3.51)."""
    x, y, z = axis
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    turned = np.eye(3) + math.sin(angle) * cross + (1.0 - math.cos(angle)) * cross @ cross
    return np.asarray(turned, dtype=np.float64)


def _vector(element: Element | None, attribute: str, default: tuple[float, ...]) -> Matrix:
    text = None if element is None else element.get(attribute)
    if element is None or text is None:
        return np.array(default)
    try:
        vector = np.array([float(part) for part in text.split()])
    except ValueError:
        vector = np.zeros(0)
    if vector.shape != (3,):
        raise SimulationError(f'<{element.tag} {attribute}>: got {text!r}, expected 3 numbers')
    return vector


def _text(values: Matrix | tuple[float, ...]) -> str:
    return ' '.join(repr(float(value)) for value in values)


def _unused(stem: str, root: Element) -> str:
    taken = {child.get('name') for child in root}
    number = 0
    while f'{stem}_{number}' in taken:
        number += 1
    return f'{stem}_{number}'


def _child(parent: Element, tag: str, **attributes: str) -> Element:
    child = parent.makeelement(tag, attributes)
    parent.append(child)
    return child
