"""The SROS 2 policy names what the controller uses: all of it, and nothing that it never would."""
from __future__ import annotations

import importlib.util
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

from nodes import Robot

from id_controller.paths import share

KINDS = {
    ('topics', 'publish'): 'get_publisher_names_and_types_by_node',
    ('topics', 'subscribe'): 'get_subscriber_names_and_types_by_node',
    ('services', 'reply'): 'get_service_names_and_types_by_node',
}
# There only where a parameter, a message package or simulated time asks for them.
SOMETIMES = {
    '/clock', '/robot_description', '/id_controller/external_wrench',
    '/id_controller/controller_state', '/id_controller/query_state',
    '/id_controller/speed_scaling_input', '/id_controller/follow_joint_trajectory',
}
WITH_CONTROL_MSGS = {'/id_controller/controller_state', '/id_controller/query_state'}


def allowed() -> dict[tuple[str, str], set[str]]:
    """Names by node and kind of use."""
    root = ElementTree.parse(share('config') / 'sros2_policy.xml').getroot()
    found = {}
    for profile in root.iter('profile'):
        for kind, use in KINDS:
            names = [name for group in profile.iter(kind) if group.get(use) for name in group]
            found[profile.attrib['node'], use] = {f'/{name.text}' for name in names}
    return found


def test_the_policy_is_that_of_a_running_controller(tmp_path: Path) -> None:
    policy = allowed()
    with Robot(tmp_path) as run:
        run.wait_for_event('mode HOLD')
        for node in {name for name, _ in policy}:
            run.wait(partial(present, run, node), node)
            for (_, use), ask in KINDS.items():
                used = {name for name, _ in getattr(run.node, ask)(node, '/')}
                used = {name for name in used if '/_action/' not in name}
                assert used <= policy[node, use], (node, use)
                assert policy[node, use] - used <= SOMETIMES, (node, use)
                if importlib.util.find_spec('control_msgs'):
                    assert not (policy[node, use] - used) & WITH_CONTROL_MSGS


def present(run: Robot, node: str) -> bool:
    return node in run.node.get_node_names()
