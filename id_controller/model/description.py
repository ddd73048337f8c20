"""From the text of a robot description (URDF) to its links and joints."""
from __future__ import annotations

import math
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from id_controller.errors import ModelError
from id_controller.model.description_file import load_description
from id_controller.model.elements import (
    DRIVEN_KINDS,
    JOINT_KINDS,
    Description,
    JointDescription,
    LimitDescription,
    LinkDescription,
    Mimic,
    Triple,
)
from id_controller.model.names import nearest
from id_controller.model.tree import check_mimics, root_link

__all__ = [
    'Description',
    'JointDescription',
    'LimitDescription',
    'LinkDescription',
    'Mimic',
    'load_description',
    'parse_description',
    'parse_xml',
]


def parse_xml(text: str) -> Element:
    """
    Read the XML of a robot description.

    :raises ModelError: when it is no XML, no URDF, or still xacro.
    """
    try:
        root = ElementTree.fromstring(text.lstrip('\ufeff \t\r\n'))
    except (ElementTree.ParseError, ValueError) as error:
        start = ' '.join(text[:60].split())
        raise ModelError(
            f"robot description: got '{start}', expected the XML of a URDF: {error}"
        ) from error
    if root.tag != 'robot':
        raise ModelError(f"robot description: got root tag '{root.tag}', expected 'robot' (URDF)")
    for element in root.iter():
        if 'xacro}' in element.tag:
            raise ModelError(
                f"robot description: got xacro ('{element.tag.split('}')[-1]}'), expected plain "
                'URDF; run it through xacro first, or give the .xacro file'
            )
    return root


def parse_description(text: str) -> Description:
    """
    Read and check a robot description.

    :param text: URDF; xacro must be processed already.
    :raises ModelError: with the link or joint, what was got and what was expected.
    """
    root = parse_xml(text)
    links = tuple(_link(element) for element in root.findall('link'))
    joints = tuple(_joint(element) for element in root.findall('joint'))
    if not links:
        raise ModelError('robot description: got no link, expected at least one')
    base = root_link(links, joints)
    check_mimics(joints)
    return Description(
        name=root.get('name', ''), text=text, root=base, links=links, joints=joints
    )


def _link(element: Element) -> LinkDescription:
    name = element.get('name', '')
    where = f"link '{name}'"
    has_geometry = element.find('visual') is not None or element.find('collision') is not None
    inertial = element.find('inertial')
    if inertial is None:
        return LinkDescription(name=name, has_geometry=has_geometry)
    mass = _number(inertial.find('mass'), 'value', f'{where}: mass', required=True)
    tensor = inertial.find('inertia')
    ixx, ixy, ixz, iyy, iyz, izz = (
        _number(tensor, key, f'{where}: inertia', required=True) or 0.0
        for key in ('ixx', 'ixy', 'ixz', 'iyy', 'iyz', 'izz')
    )
    return LinkDescription(
        name=name, mass=mass, inertia=(ixx, ixy, ixz, iyy, iyz, izz), has_geometry=has_geometry
    )


def _joint(element: Element) -> JointDescription:
    name = element.get('name', '')
    where = f"joint '{name}'"
    kind = element.get('type', '')
    if kind not in JOINT_KINDS:
        raise ModelError(f"{where}: got type '{kind}'; {nearest(kind, JOINT_KINDS)}")
    dynamics = element.find('dynamics')
    safety = element.find('safety_controller')
    k_velocity = _number(safety, 'k_velocity', f'{where}: safety_controller')
    return JointDescription(
        name=name,
        kind=kind,
        parent=_link_name(element, 'parent', where),
        child=_link_name(element, 'child', where),
        axis=_axis(element.find('axis'), where) if kind in DRIVEN_KINDS else (1.0, 0.0, 0.0),
        limits=_limits(element.find('limit'), where),
        damping=_number(dynamics, 'damping', f'{where}: dynamics') or 0.0,
        friction=_number(dynamics, 'friction', f'{where}: dynamics') or 0.0,
        mimic=_mimic(element.find('mimic'), where) if kind in DRIVEN_KINDS else None,
        k_velocity=k_velocity,
    )


def _link_name(element: Element, end: str, where: str) -> str:
    found = element.find(end)
    name = found.get('link', '') if found is not None else ''
    if not name:
        raise ModelError(f"{where}: got no <{end} link='...'>, expected the name of a link")
    return name


def _limits(element: Element | None, where: str) -> LimitDescription:
    def limit(key: str) -> float | None:
        return _number(element, key, f'{where}: limit', infinite=True)

    return LimitDescription(
        lower=limit('lower'), upper=limit('upper'), velocity=limit('velocity'),
        effort=limit('effort'),
    )


def _mimic(element: Element | None, where: str) -> Mimic | None:
    if element is None:
        return None
    multiplier = _number(element, 'multiplier', f'{where}: mimic')
    return Mimic(
        joint=element.get('joint', ''),
        multiplier=1.0 if multiplier is None else multiplier,
        offset=_number(element, 'offset', f'{where}: mimic') or 0.0,
    )


def _axis(element: Element | None, where: str) -> Triple:
    if element is None:
        return (1.0, 0.0, 0.0)
    words = element.get('xyz', '').split()
    try:
        x, y, z = (float(word) for word in words)
    except ValueError as error:
        raise ModelError(f"{where}: axis: got '{' '.join(words)}', expected 3 numbers") from error
    length = math.sqrt(x * x + y * y + z * z)
    if not (math.isfinite(length) and length > 1e-9):
        raise ModelError(f"{where}: axis: got '{' '.join(words)}', expected a direction")
    return (x / length, y / length, z / length)


def _number(
    element: Element | None,
    key: str,
    where: str,
    *,
    required: bool = False,
    infinite: bool = False,
) -> float | None:
    """Read an attribute as a number; None when it is not written."""
    written = element.get(key) if element is not None else None
    if written is None:
        if required:
            raise ModelError(f"{where}: got no '{key}', expected a number")
        return None
    try:
        number = float(written)
    except ValueError as error:
        raise ModelError(f"{where}: got {key}='{written}', expected a number") from error
    if math.isnan(number) or (math.isinf(number) and not infinite):
        raise ModelError(f"{where}: got {key}='{written}', expected a finite number")
    return number
