"""What a robot description says of its links and joints, as frozen types."""
from __future__ import annotations

from dataclasses import dataclass

JOINT_KINDS = ('revolute', 'continuous', 'prismatic', 'fixed', 'floating', 'planar')
DRIVEN_KINDS = ('revolute', 'continuous', 'prismatic')

Triple = tuple[float, float, float]
Sextuple = tuple[float, float, float, float, float, float]


@dataclass(frozen=True, kw_only=True, slots=True)
class LimitDescription:
    """
    The limits of a joint as written, in rad, rad/s, N m (m, m/s, N); None where not written.

    Nothing is interpreted here: an effort of 0 or of -5 stays what it is.
    """

    lower: float | None = None
    upper: float | None = None
    velocity: float | None = None
    effort: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Mimic:
    """The position of a joint as ``multiplier * position of joint + offset``."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class JointDescription:
    """
    One joint.

    :param kind: One of ``JOINT_KINDS``.
    :param axis: Unit vector in the joint frame.
    :param damping: Viscous friction, N m s/rad or N s/m.
    :param friction: Coulomb friction, N m or N.
    :param k_velocity: Gain of the safety_controller, None without one.
    """

    name: str
    kind: str
    parent: str
    child: str
    axis: Triple = (1.0, 0.0, 0.0)
    limits: LimitDescription = LimitDescription()
    damping: float = 0.0
    friction: float = 0.0
    mimic: Mimic | None = None
    k_velocity: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkDescription:
    """
    One link.

    :param mass: kg; None when the link has no inertial.
    :param inertia: ixx, ixy, ixz, iyy, iyz, izz about the centre of mass, kg m^2.
    :param has_geometry: Whether it has a visual or a collision shape: is more than a frame.
    """

    name: str
    mass: float | None = None
    inertia: Sextuple = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    has_geometry: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Description:
    """
    A checked robot description: one tree of links, every name known and unique.

    :param text: The URDF as it was given.
    :param root: Name of the base link.
    """

    name: str
    text: str
    root: str
    links: tuple[LinkDescription, ...]
    joints: tuple[JointDescription, ...]

    def joint(self, name: str) -> JointDescription:
        """
        Find a joint.

        :raises KeyError: when there is none of that name.
        """
        for joint in self.joints:
            if joint.name == name:
                return joint
        raise KeyError(name)

    def links_below(self, link: str) -> tuple[str, ...]:
        """List a link and every link that hangs on it, through joints of any kind."""
        found = [link]
        for parent in found:
            found.extend(joint.child for joint in self.joints if joint.parent == parent)
        return tuple(found)

    def links_rigid_with(self, link: str) -> tuple[str, ...]:
        """List a link and every link below it that is fixed to it."""
        found = [link]
        for parent in found:
            found.extend(
                joint.child
                for joint in self.joints
                if joint.parent == parent and joint.kind == 'fixed'
            )
        return tuple(found)
