"""A robot description reduced to what dynamics need, in a form that every parser accepts."""
from __future__ import annotations

from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from id_controller.model.description import parse_xml
from id_controller.model.elements import DRIVEN_KINDS, Description

_UNUSED = ('visual', 'collision', 'limit', 'mimic', 'dynamics', 'safety_controller', 'calibration')


def bare_description(description: Description) -> str:
    """
    Write links, inertials and joints only.

    Geometry needs mesh files, limits and mimic rules are kept by this package itself and are read
    differently by different versions of the parsers; a parser that insists on a limit gets one.
    A link is renamed, because a joint may bear the same name and Pinocchio finds both by name. A
    continuous joint becomes revolute: the same motion, told by one angle and not by (cos, sin).
    """
    root = parse_xml(description.text)
    for element in list(root):
        if element.tag not in ('link', 'joint'):
            root.remove(element)
            continue
        for part in list(element):
            if part.tag in _UNUSED:
                element.remove(part)
        if element.tag == 'joint':
            _complete(element, description)
        else:
            element.set('name', frame_name(element.get('name', '')))
    return ElementTree.tostring(root, encoding='unicode')


def frame_name(link: str) -> str:
    """Name of a link in a bare description."""
    return f'{link} (link)'


def _complete(element: Element, description: Description) -> None:
    joint = description.joint(element.get('name', ''))
    for end in ('parent', 'child'):
        for link in element.findall(end):
            link.set('link', frame_name(link.get('link', '')))
    if joint.kind not in DRIVEN_KINDS:
        return
    for axis in element.findall('axis'):
        element.remove(axis)
    ElementTree.SubElement(element, 'axis', xyz=' '.join(repr(part) for part in joint.axis))
    if joint.kind == 'continuous':
        element.set('type', 'revolute')
    ElementTree.SubElement(
        element, 'limit', lower='-1000', upper='1000', velocity='1000', effort='1000'
    )
