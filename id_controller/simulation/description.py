"""
What a URDF says of its joints, and which of them the plant moves.

Read here apart from ``model``, so that the plant is a second, independent reading of the robot.
"""
from __future__ import annotations

import difflib
import math
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from id_controller.errors import SimulationError

MOVABLE = ('revolute', 'continuous', 'prismatic')
Element = ElementTree.Element


@dataclass(frozen=True, kw_only=True, slots=True)
class PlantJoint:
    """
    One joint that can move.

    :param lower: Lower position limit, rad or m; -inf for none.
    :param upper: Upper position limit, rad or m; inf for none.
    :param velocity: Velocity limit, per second; inf where the URDF has none above zero.
    :param effort: Effort limit, N m or N; inf where the URDF has none above zero.
    """

    name: str
    kind: str
    lower: float
    upper: float
    velocity: float
    effort: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Follower:
    """A mimic joint: its position is ``multiplier`` times that of ``leader`` plus ``offset``."""

    name: str
    leader: str
    multiplier: float
    offset: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Roles:
    """
    What each movable joint of the robot is to the plant.

    :param free: Joints that efforts move, in the asked order.
    :param followers: Mimic joints of free ones.
    :param locked: Position at which each other joint is welded, rad or m.
    :param order: Names of all of them in the order of the URDF.
    """

    free: tuple[PlantJoint, ...]
    followers: tuple[Follower, ...]
    locked: Mapping[str, float]
    order: tuple[str, ...]


def parse_robot(text: str) -> Element:
    """
    Parse URDF text.

    :raises SimulationError: when it is no XML, no robot, or has joints that are not supported.
    """
    try:
        root = ElementTree.fromstring(text.encode('utf-8'))
    except ElementTree.ParseError as error:
        raise SimulationError(f'robot description: not valid XML: {error}') from error
    if root.tag != 'robot':
        raise SimulationError(f'robot description: got <{root.tag}>, expected <robot>')
    for joint in root.findall('joint'):
        kind = joint.get('type')
        if kind != 'fixed' and kind not in MOVABLE:
            raise SimulationError(
                f'joint {joint.get("name")}: got type {kind!r}, expected fixed, '
                f'{", ".join(MOVABLE)}'
            )
    return root


def assign_roles(
    root: Element, joints: Iterable[str] = (), locked: Mapping[str, float] | None = None
) -> Roles:
    """
    Decide which joints move, follow and stand.

    :param joints: Joints that move, in their order; empty: all that are not locked.
    :param locked: Positions of joints that stand; the others stand at zero.
    :raises SimulationError: for a name that is unknown, repeated, or cannot be what it is asked
        to be.
    """
    known = {e.attrib['name']: e for e in root.findall('joint') if e.get('type') in MOVABLE}
    mimics = {name: mimic for name, e in known.items() if (mimic := _follower(e)) is not None}
    locked = dict(locked or {})
    asked = tuple(joints)
    _check_names('joints', asked, known, mimics)
    _check_names('locked_joints', locked, known, mimics)
    both = sorted(set(asked) & set(locked))
    if both:
        raise SimulationError(f'{", ".join(both)}: got both in joints and in locked_joints')
    free = asked or tuple(name for name in known if name not in mimics and name not in locked)
    standing = {n: locked.get(n, 0.0) for n in known if n not in free and n not in mimics}
    followers = [_resolved(name, mimics, known) for name in mimics]
    for follower in followers:
        if follower.leader in standing:
            leading = standing[follower.leader]
            standing[follower.name] = follower.multiplier * leading + follower.offset
    return Roles(
        free=tuple(_plant_joint(known[name]) for name in free),
        followers=tuple(follower for follower in followers if follower.name not in standing),
        locked=standing,
        order=tuple(known),
    )


def _check_names(
    what: str,
    names: Iterable[str],
    known: Mapping[str, Element],
    mimics: Mapping[str, Follower],
) -> None:
    names = list(names)
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.0)
            hint = f'; the nearest is {near[0]}' if near else ''
            raise SimulationError(f'{what}: the robot has no movable joint {name!r}{hint}')
        if name in mimics:
            raise SimulationError(
                f'{what}: {name} mimics {mimics[name].leader} and has no motion of its own'
            )
        if names.count(name) > 1:
            raise SimulationError(f'{what}: {name} named more than once')


def _follower(joint: Element) -> Follower | None:
    mimic = joint.find('mimic')
    if mimic is None:
        return None
    return Follower(
        name=joint.attrib['name'],
        leader=mimic.get('joint', ''),
        multiplier=number(mimic, 'multiplier', 1.0),
        offset=number(mimic, 'offset', 0.0),
    )


def _resolved(
    name: str, mimics: Mapping[str, Follower], known: Mapping[str, Element]
) -> Follower:
    """Follow mimics of mimics down to the joint that moves by itself."""
    leader, multiplier, offset = name, 1.0, 0.0
    for _ in range(len(mimics) + 1):
        step = mimics.get(leader)
        if step is None:
            break
        offset += multiplier * step.offset
        multiplier *= step.multiplier
        leader = step.leader
    if leader in mimics or leader not in known:
        raise SimulationError(
            f'joint {name}: got mimic of {mimics[name].leader!r}, expected a chain of mimics '
            f'that ends at a movable joint'
        )
    return Follower(name=name, leader=leader, multiplier=multiplier, offset=offset)


def _plant_joint(joint: Element) -> PlantJoint:
    limit = joint.find('limit')
    endless = joint.get('type') == 'continuous' or limit is None
    lower, upper = (-math.inf, math.inf) if endless else (
        number(limit, 'lower', 0.0), number(limit, 'upper', 0.0)
    )
    if lower > upper:
        raise SimulationError(
            f'joint {joint.get("name")}: got limits {lower:g} to {upper:g}, '
            'expected lower <= upper'
        )
    return PlantJoint(
        name=joint.attrib['name'],
        kind=joint.attrib['type'],
        lower=lower,
        upper=upper,
        velocity=_positive(limit, 'velocity'),
        effort=_positive(limit, 'effort'),
    )


def _positive(limit: Element | None, attribute: str) -> float:
    value = number(limit, attribute, 0.0)
    return value if value > 0.0 else math.inf


def number(element: Element | None, attribute: str, default: float) -> float:
    """
    Read a number from an attribute.

    :param default: Taken where the element or the attribute is absent.
    :raises SimulationError: when it is no number.
    """
    text = None if element is None else element.get(attribute)
    if element is None or text is None:
        return default
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if math.isnan(number):
        raise SimulationError(f'<{element.tag} {attribute}>: got {text!r}, expected a number')
    return number
