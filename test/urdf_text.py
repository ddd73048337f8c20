"""URDF text for tests, built of links and joints with numbers that can be checked by hand."""
from __future__ import annotations

INERTIAL = (
    '<inertial><origin xyz="{x} 0 0"/><mass value="{mass}"/>'
    '<inertia ixx="{i}" iyy="{i}" izz="{i}" ixy="0" ixz="0" iyz="0"/></inertial>'
)


def link(name: str, mass: float = 0.0, x: float = 0.0, i: float = 0.01, extra: str = '') -> str:
    inertial = INERTIAL.format(x=x, mass=mass, i=i) if mass else ''
    return f'<link name="{name}">{inertial}{extra}</link>'


def joint(
    name: str, kind: str, parent: str, child: str, axis: str = '0 -1 0', xyz: str = '0 0 0',
    extra: str = '<limit lower="-9" upper="9" velocity="20" effort="500"/>',
) -> str:
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="{xyz}"/><axis xyz="{axis}"/>{extra}</joint>'
    )


def robot(*parts: str) -> str:
    return f'<robot name="r">{"".join(parts)}</robot>'


def limits(lower: float, upper: float, velocity: float = 20.0, effort: float = 500.0) -> str:
    return f'<limit lower="{lower}" upper="{upper}" velocity="{velocity}" effort="{effort}"/>'


# Two slides along z and x that do not couple, and a pendulum that points along x at zero.
SLIDES = robot(
    link('base'), link('a', 2.0), link('b', 3.0),
    joint('up', 'prismatic', 'base', 'a', '0 0 1'),
    joint('along', 'prismatic', 'base', 'b', '1 0 0'),
)
PENDULUM = robot(
    link('base'), link('arm', 2.0, 0.3, 0.05), joint('hinge', 'revolute', 'base', 'arm')
)
