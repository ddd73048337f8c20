"""Checks that links and joints form one tree, and that mimic joints follow a real one."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from id_controller.errors import ModelError
from id_controller.model.elements import DRIVEN_KINDS, JointDescription, LinkDescription
from id_controller.model.names import nearest


def root_link(links: Sequence[LinkDescription], joints: Sequence[JointDescription]) -> str:
    """
    Find the base link and check that every other link hangs on it.

    :raises ModelError: when names repeat, a link is unknown, or there is not one tree.
    """
    _check_unique('link', [link.name for link in links])
    _check_unique('joint', [joint.name for joint in joints])
    names = {link.name for link in links}
    for joint in joints:
        for end, link in (('parent', joint.parent), ('child', joint.child)):
            if link not in names:
                raise ModelError(
                    f"joint '{joint.name}': its {end} link '{link}' does not exist; "
                    f'{nearest(link, names)}'
                )
    above = _joint_above(joints)
    roots = [link.name for link in links if link.name not in above]
    if len(roots) != 1:
        raise ModelError(
            f'the links must form one tree: got {len(roots)} links without a parent joint '
            f'({", ".join(roots)}), expected 1'
            if roots
            else 'the links form a closed loop: got no link without a parent joint, expected 1'
        )
    _check_no_loop(links, above)
    return roots[0]


def check_mimics(joints: Sequence[JointDescription]) -> None:
    """
    Check that every mimic joint follows, perhaps through others, a joint that leads.

    :raises ModelError: when a leader is unknown, of an unusable kind, or the chain is closed.
    """
    by_name = {joint.name: joint for joint in joints}
    for joint in joints:
        seen = [joint.name]
        here = joint
        while here.mimic is not None:
            leader = here.mimic.joint
            if leader not in by_name:
                raise ModelError(
                    f"joint '{here.name}': it mimics joint '{leader}', which does not exist; "
                    f'{nearest(leader, by_name)}'
                )
            if leader in seen:
                raise ModelError(
                    f"joint '{joint.name}': mimic joints follow each other in a circle: "
                    f'{" -> ".join([*seen, leader])}'
                )
            here = by_name[leader]
            seen.append(leader)
            if here.kind not in (*DRIVEN_KINDS, 'fixed'):
                raise ModelError(
                    f"joint '{joint.name}': it mimics joint '{leader}' of type {here.kind}; "
                    f'expected {", ".join(DRIVEN_KINDS)}'
                )


def _check_unique(what: str, names: list[str]) -> None:
    for name, count in Counter(names).items():
        if not name:
            raise ModelError(f'a {what} has no name')
        if count > 1:
            raise ModelError(f"{what} '{name}': got {count} of that name, expected 1")


def _joint_above(joints: Sequence[JointDescription]) -> dict[str, JointDescription]:
    above: dict[str, JointDescription] = {}
    for joint in joints:
        other = above.setdefault(joint.child, joint)
        if other is not joint:
            raise ModelError(
                f"link '{joint.child}': got two parent joints, '{other.name}' and "
                f"'{joint.name}', expected 1"
            )
    return above


def _check_no_loop(
    links: Sequence[LinkDescription], above: dict[str, JointDescription]
) -> None:
    for link in links:
        here = link.name
        for _ in links:
            if here not in above:
                break
            here = above[here].parent
        else:
            raise ModelError(f"link '{link.name}': it is part of a closed loop of joints")
