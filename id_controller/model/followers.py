"""Mimic joints: which joint each follows in the end, and by which rule."""
from __future__ import annotations

from id_controller.model.elements import Description, Mimic


def followers(description: Description) -> dict[str, Mimic]:
    """
    Resolve every mimic joint to the joint that leads its chain.

    A follower of a fixed joint is left out of no one's account: it leads nothing, and its rule
    has the multiplier 0.

    :return: Rule of each follower, in terms of a joint that follows no other.
    """
    by_name = {joint.name: joint for joint in description.joints}
    rules = {}
    for joint in description.joints:
        if joint.mimic is None:
            continue
        multiplier, offset, leader = 1.0, 0.0, joint
        while leader.mimic is not None:
            offset += multiplier * leader.mimic.offset
            multiplier *= leader.mimic.multiplier
            leader = by_name[leader.mimic.joint]
        if leader.kind == 'fixed':
            multiplier = 0.0
        rules[joint.name] = Mimic(joint=leader.name, multiplier=multiplier, offset=offset)
    return rules
