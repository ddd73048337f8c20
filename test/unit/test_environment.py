"""The surroundings of the middleware: which profile, which domain."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from id_controller.ros import environment
from id_controller.ros.environment import for_fastdds_2, use_private_domain, use_udp_transport

CLAIM = (
    'import sys; from id_controller.ros.environment import use_private_domain; '
    'print(use_private_domain({}), flush=True); sys.stdin.read()'
)


@pytest.mark.parametrize(
    ('environ', 'variable', 'name'),
    [
        ({}, 'FASTDDS_DEFAULT_PROFILES_FILE', 'fastdds_udp.xml'),
        ({'ROS_DISTRO': 'lyrical'}, 'FASTDDS_DEFAULT_PROFILES_FILE', 'fastdds_udp.xml'),
        ({'ROS_DISTRO': 'jazzy'}, 'FASTRTPS_DEFAULT_PROFILES_FILE', 'fastdds2_udp.xml'),
        (
            {'ROS_DISTRO': 'humble', 'ROS_LOCALHOST_ONLY': '1'},
            'FASTRTPS_DEFAULT_PROFILES_FILE', 'fastdds2_localhost.xml',
        ),
        (
            {'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'},
            'FASTDDS_DEFAULT_PROFILES_FILE', 'fastdds_localhost.xml',
        ),
    ],
)
def test_the_profile_is_one_that_the_distribution_can_read(
    environ: dict[str, str], variable: str, name: str
) -> None:
    line = use_udp_transport(environ)
    profile = Path(environ[variable])
    assert profile.name == name and str(profile) in line
    tags = {element.tag.rpartition('}')[2] for element in ElementTree.parse(profile).iter()}
    new, old = {'heartbeat_period'}, {'heartbeatPeriod'}
    wanted, foreign = (old, new) if 'fastdds2' in name else (new, old)
    assert wanted < tags and not foreign & tags


def test_the_choice_of_the_user_stays() -> None:
    environ = {'FASTRTPS_DEFAULT_PROFILES_FILE': 'mine.xml'}
    assert 'mine.xml' in use_udp_transport(environ)
    assert environ == {'FASTRTPS_DEFAULT_PROFILES_FILE': 'mine.xml'}


def test_the_words_of_the_old_middleware() -> None:
    assert for_fastdds_2('<heartbeat_period><sec>0</sec></heartbeat_period>') == (
        '<heartbeatPeriod><sec>0</sec></heartbeatPeriod>'
    )


def test_a_private_domain_is_that_of_one_process() -> None:
    environ: dict[str, str] = {}
    mine = use_private_domain(environ)
    assert environ['ROS_DOMAIN_ID'] == str(mine)
    assert environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] == 'LOCALHOST'
    assert use_private_domain({}) == mine, 'the same at each call'
    others = [
        subprocess.Popen([sys.executable, '-c', CLAIM], stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    domains = [int(other.stdout.readline()) for other in others if other.stdout]
    for other in others:
        other.communicate(timeout=10.0)
    assert len({mine, *domains}) == 4
    assert all(domain in environment._PRIVATE for domain in domains)


def test_a_domain_that_was_asked_for_is_taken() -> None:
    environ = {'ROS_DISTRO': 'humble'}
    assert use_private_domain(environ, 7) == 7
    assert environ['ROS_LOCALHOST_ONLY'] == '1'
