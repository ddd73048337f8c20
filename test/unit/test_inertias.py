"""Masses and inertias that a person should know about before power is on."""
from __future__ import annotations

import pytest

from id_controller.model.description import parse_description
from id_controller.model.inertias import inertia_warnings, joints_without_load, massless_links

INERTIAL = (
    '<inertial><mass value="2"/>'
    '<inertia ixx="0.3" ixy="0.01" ixz="0.02" iyy="0.4" iyz="0.03" izz="0.5"/></inertial>'
)


def robot(*parts: str) -> str:
    return f'<robot name="probe">{"".join(parts)}</robot>'


def link(name: str, inside: str = INERTIAL) -> str:
    return f'<link name="{name}">{inside}</link>'


def joint(name: str, parent: str, child: str, inside: str = '', kind: str = 'revolute') -> str:
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'{inside}</joint>'
    )


def test_b60_links_without_inertial_are_named() -> None:
    shape = '<visual><geometry><sphere radius="1"/></geometry></visual>'
    text = robot(
        link('base', ''), link('bare', ''), link('drawn', shape), link('tip'), link('tcp', ''),
        joint('j', 'base', 'bare'), joint('k', 'bare', 'drawn'), joint('l', 'drawn', 'tip'),
        joint('m', 'tip', 'tcp', kind='fixed'),
    )
    found = parse_description(text)
    assert massless_links(found) == ('bare', 'drawn')
    assert joints_without_load(found) == ()
    assert [text for text in inertia_warnings(found) if "'bare'" in text] == [
        "link 'bare': it has no inertial: counted as massless"
    ]


def test_b60_joint_that_moves_no_mass_is_named() -> None:
    text = robot(link('a'), link('b'), link('c', ''), joint('j', 'a', 'b'), joint('k', 'b', 'c'))
    found = parse_description(text)
    assert joints_without_load(found) == ('k',)
    assert any("joint 'k': it moves no mass" in text for text in inertia_warnings(found))


@pytest.mark.parametrize(
    ('mass', 'moments', 'word'),
    [
        (-1.0, (1.0, 1.0, 1.0), 'got mass -1 kg'),
        (1.0, (1.0, 1.0, 2.1), 'none larger than the sum'),
        (1.0, (1.0, -0.1, 1.0), 'all > 0'),
        (0.0, (1.0, 1.0, 1.0), 'expected a mass > 0'),
        (1.0, (1.0, 1.0, 2.0), ''),
        (0.0, (0.0, 0.0, 0.0), ''),
    ],
)
def test_names_inertias_that_no_body_has(
    mass: float, moments: tuple[float, ...], word: str
) -> None:
    xx, yy, zz = moments
    inside = (
        f'<inertial><mass value="{mass}"/><inertia ixx="{xx}" ixy="0" ixz="0" iyy="{yy}" iyz="0" '
        f'izz="{zz}"/></inertial>'
    )
    text = robot(link('a'), link('b', inside), link('c'),
                 joint('j', 'a', 'b'), joint('k', 'b', 'c'))
    warnings = inertia_warnings(parse_description(text))
    assert len(warnings) == bool(word)
    assert all("link 'b'" in text and word in text for text in warnings)
