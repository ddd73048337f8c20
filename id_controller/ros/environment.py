"""
The middleware's surroundings, settled before ``rclpy.init``.

Fast DDS without shared memory: the health check of a shared-memory port can block reception for a
third of a second when another participant joins, and a stopped subscriber can block ``publish``.
Under the discovery range LOCALHOST rmw_fastrtps adds shared memory whatever a profile says, so
there the loopback profile takes the place of the range.

Fast DDS repeats a heartbeat with each message of a reliable writer of depth 1, and the reader
answers each; it also wakes a thread of its own at each. That costs a controller a third of what
publishing takes, so our profiles have heartbeats each 20 ms, in which what was lost is repeated.
"""
from __future__ import annotations

import os
import random
import socket
import tempfile
from collections.abc import MutableMapping
from functools import cache
from pathlib import Path

from id_controller.errors import InstallationError
from id_controller.paths import share

ANYWHERE, LOOPBACK = 'udp.xml', 'localhost.xml'
PROFILE, OLD_PROFILE = 'fastdds_', 'fastdds2_'
"""How the names of profiles begin, for Fast DDS 3 and for Fast DDS 2."""
_RANGE = 'ROS_AUTOMATIC_DISCOVERY_RANGE'
_OLD_DISTRIBUTIONS = ('humble', 'jazzy')
_PRIVATE = range(11, 102)
_claims: list[socket.socket] = []
_OLD_TAGS = {
    'heartbeat_period': 'heartbeatPeriod', 'nack_supression_duration': 'nackSupressionDuration'
}


def use_udp_transport(environ: MutableMapping[str, str] = os.environ) -> str:
    """
    Select the shipped Fast DDS profile unless the user has chosen one.

    :returns: One line for the log.
    """
    for variable in ('FASTDDS_DEFAULT_PROFILES_FILE', 'FASTRTPS_DEFAULT_PROFILES_FILE'):
        if environ.get(variable):
            return f'transport: Fast DDS profile of {variable}={environ[variable]}'
    loopback = environ.get(_RANGE) == 'LOCALHOST' or environ.get('ROS_LOCALHOST_ONLY') == '1'
    old = environ.get('ROS_DISTRO') in _OLD_DISTRIBUTIONS
    name = (OLD_PROFILE if old else PROFILE) + (LOOPBACK if loopback else ANYWHERE)
    profile = str(share('config') / name)
    environ['FASTRTPS_DEFAULT_PROFILES_FILE' if old else 'FASTDDS_DEFAULT_PROFILES_FILE'] = profile
    if loopback:
        environ[_RANGE] = 'SYSTEM_DEFAULT'
    return f'transport: UDP without shared memory ({profile})'


def for_fastdds_2(profile: str) -> str:
    """Return a profile in the words of Fast DDS 2, which calls some of its elements otherwise."""
    for tag, old in _OLD_TAGS.items():
        profile = profile.replace(f'{tag}>', f'{old}>')
    return profile


def find_log_folder(environ: MutableMapping[str, str] = os.environ) -> None:
    """Give ROS a folder for its logs where there is no home, without which it does not start."""
    if not environ.get('HOME') and not environ.get('ROS_LOG_DIR'):
        environ['ROS_LOG_DIR'] = str(Path(tempfile.gettempdir()) / 'ros_log')


def use_private_domain(
    environ: MutableMapping[str, str] = os.environ, domain: int | None = None
) -> int:
    """
    Keep what we start away from any robot: a domain of its own, this machine only.

    :param domain: Domain id; ``None``: one that no other process of ours has, the same at each
        call of a process.
    :raises InstallationError: when none is left.
    """
    chosen = _claimed_domain() if domain is None else domain
    environ['ROS_DOMAIN_ID'] = str(chosen)
    environ[_RANGE] = 'LOCALHOST'
    if environ.get('ROS_DISTRO') == 'humble':
        environ['ROS_LOCALHOST_ONLY'] = '1'
    return chosen


@cache
def _claimed_domain() -> int:
    """
    Claim a domain by a name in the abstract socket namespace.

    The kernel drops the claim when this process ends, however it ends. The ids keep the ports of
    DDS below the ephemeral ones of Linux.
    """
    claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    for domain in random.SystemRandom().sample(_PRIVATE, len(_PRIVATE)):
        try:
            claim.bind(f'\0id_controller_domain_{domain}')
        except OSError:
            continue
        _claims.append(claim)
        return domain
    raise InstallationError(
        f'ROS domains {_PRIVATE.start} to {_PRIVATE.stop - 1}: all are in use by processes of '
        'id_controller on this machine; end some, or name one with --domain'
    )
