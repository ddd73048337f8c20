"""Robot descriptions: what is read from them, and how a bad one is refused."""
from __future__ import annotations

import pytest

from id_controller.errors import ModelError
from id_controller.model.bare import bare_description
from id_controller.model.description import parse_description
from id_controller.model.elements import Mimic
from id_controller.model.followers import followers

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


PAIR = link('a') + link('b')


def test_reads_every_field_of_a_joint() -> None:
    text = robot(PAIR, joint('j', 'a', 'b', (
        '<axis xyz="0 3 4"/><limit lower="-1.5" upper="2.5" velocity="3.5" effort="4.5"/>'
        '<dynamics damping="0.5" friction="0.25"/>'
        '<safety_controller k_velocity="6" k_position="7"/>'
    )))
    found = parse_description(text).joint('j')
    assert (found.parent, found.child, found.kind) == ('a', 'b', 'revolute')
    assert found.axis == pytest.approx((0.0, 0.6, 0.8))
    limits = found.limits
    assert (limits.lower, limits.upper, limits.velocity, limits.effort) == (-1.5, 2.5, 3.5, 4.5)
    assert (found.damping, found.friction, found.k_velocity) == (0.5, 0.25, 6.0)


def test_keeps_what_is_not_written_apart_from_zero() -> None:
    text = robot(PAIR, joint('j', 'a', 'b', '<limit effort="0"/>'))
    limits = parse_description(text).joint('j').limits
    assert limits.effort == 0.0
    assert limits.velocity is limits.lower is limits.upper is None


def test_reads_links() -> None:
    shape = '<visual><geometry><sphere radius="1"/></geometry></visual>'
    text = robot(link('a', ''), link('b', shape + INERTIAL), joint('j', 'a', 'b', kind='fixed'))
    found = parse_description(text)
    assert found.root == 'a'
    assert [part.mass for part in found.links] == [None, 2.0]
    assert found.links[1].inertia == (0.3, 0.01, 0.02, 0.4, 0.03, 0.5)
    assert [part.has_geometry for part in found.links] == [False, True]


def test_accepts_a_declaration_after_white_space() -> None:
    text = '\ufeff \n<?xml version="1.0" encoding="utf-8"?>\n' + robot(link('a'))
    assert parse_description(text).root == 'a'


def test_ignores_joints_of_transmissions() -> None:
    text = robot(PAIR, joint('j', 'a', 'b'), '<transmission><joint name="j"/></transmission>')
    assert [part.name for part in parse_description(text).joints] == ['j']


@pytest.mark.parametrize(
    ('text', 'words'),
    [
        ('', ["got ''", 'URDF']),
        ('<robot', ['<robot', 'URDF']),
        ('hello', ['hello', 'URDF']),
        ('<sdf version="1.9"/>', ["'sdf'", "'robot'"]),
        ('<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arm/></robot>',
         ['arm', 'xacro']),
        (robot(), ['no link']),
        (robot(link('')), ['link has no name']),
        (robot(PAIR, link('a')), ["'a'", 'got 2', 'expected 1']),
        (robot(PAIR, joint('j', 'a', 'b'), joint('j', 'a', 'b')), ["joint 'j'", 'got 2']),
        (robot(PAIR, link('c'), joint('j', 'a', 'c'), joint('k', 'b', 'c')),
         ["'c'", "'j'", "'k'", 'two parent']),
        (robot(PAIR), ['2 links', 'a, b']),
        (robot(PAIR, joint('j', 'a', 'b'), joint('k', 'b', 'a')), ['closed loop']),
        (robot(link('r'), PAIR, joint('j', 'a', 'b'), joint('k', 'b', 'a')), ['closed loop']),
        (robot(link('upper'), link('b'), joint('j', 'uper', 'b')),
         ["joint 'j'", "parent link 'uper'", "did you mean 'upper'"]),
        (robot(PAIR, '<joint name="j" type="fixed"><parent link="a"/></joint>'),
         ["joint 'j'", '<child']),
        (robot(PAIR, joint('j', 'a', 'b', kind='revolut')),
         ["got type 'revolut'", "did you mean 'revolute'"]),
        (robot(PAIR, joint('j', 'a', 'b', '<axis xyz="0 0 0"/>')), ["joint 'j'", 'direction']),
        (robot(PAIR, joint('j', 'a', 'b', '<axis xyz="0 1"/>')), ['0 1', '3 numbers']),
        (robot(PAIR, joint('j', 'a', 'b', '<limit effort="ten"/>')),
         ["joint 'j'", "effort='ten'", 'number']),
        (robot(PAIR, joint('j', 'a', 'b', '<limit effort="nan"/>')), ["effort='nan'", 'finite']),
        (robot(PAIR, joint('j', 'a', 'b', '<dynamics damping="inf"/>')), ["damping='inf'"]),
        (robot(link('a', '<inertial><mass value="1"/></inertial>')), ["link 'a'", "'ixx'"]),
        (robot(link('a', '<inertial/>')), ["link 'a'", "no 'value'"]),
        (robot(PAIR, joint('j', 'a', 'b', '<mimic joint="x"/>')), ["'j'", "'x'", 'not exist']),
        (robot(PAIR, joint('j', 'a', 'b', '<mimic joint="j"/>')), ['circle', 'j -> j']),
        (robot(PAIR, link('c'), joint('j', 'a', 'b', kind='floating'),
               joint('k', 'b', 'c', '<mimic joint="j"/>')), ["'k'", 'floating']),
    ],
)
def test_refuses_with_what_where_got_expected(text: str, words: list[str]) -> None:
    with pytest.raises(ModelError) as refusal:
        parse_description(text)
    assert [word for word in words if word not in str(refusal.value)] == []


def test_follower_of_a_follower_gets_one_rule() -> None:
    text = robot(
        PAIR, link('c'), link('d'), joint('lead', 'a', 'b'),
        joint('near', 'b', 'c', '<mimic joint="lead" multiplier="2" offset="0.5"/>'),
        joint('far', 'c', 'd', '<mimic joint="near" multiplier="-3" offset="0.25"/>'),
    )
    assert followers(parse_description(text)) == {
        'near': Mimic(joint='lead', multiplier=2.0, offset=0.5),
        # -3 (2 x + 0.5) + 0.25
        'far': Mimic(joint='lead', multiplier=-6.0, offset=-1.25),
    }


def test_follower_of_a_fixed_joint_stands_still() -> None:
    text = robot(
        PAIR, link('c'), joint('stiff', 'a', 'b', kind='fixed'),
        joint('j', 'b', 'c', '<mimic joint="stiff" multiplier="2" offset="0.5"/>'),
    )
    rule = followers(parse_description(text))['j']
    assert (rule.multiplier, rule.offset) == (0.0, 0.5)


def test_bare_description_is_read_the_same() -> None:
    mesh = '<visual><geometry><mesh filename="package://nowhere/a.dae"/></geometry></visual>'
    found = parse_description(robot(
        link('a', mesh), link('b'), '<gazebo/>', joint('j', 'a', 'b', '<axis xyz="1 2 2"/>'),
    ))
    again = parse_description(bare_description(found))
    assert 'mesh' not in bare_description(found)
    assert again.joint('j').axis == pytest.approx((1 / 3, 2 / 3, 2 / 3))
    assert again.links[1].mass == 2.0
