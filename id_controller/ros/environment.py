"""
The middleware's surroundings, settled before ``rclpy.init``.

Fast DDS without shared memory: the health check of a shared-memory port can block reception for a
third of a second when another participant joins, and a stopped subscriber can block ``publish``.
Under the discovery range LOCALHOST rmw_fastrtps adds shared memory whatever a profile says, so
there the loopback profile takes the place of the range.
"""
from __future__ import annotations

import os
import random
import tempfile
from collections.abc import MutableMapping
from pathlib import Path

from id_controller.paths import share

ANYWHERE, LOOPBACK = 'fastdds_udp.xml', 'fastdds_localhost.xml'
_RANGE = 'ROS_AUTOMATIC_DISCOVERY_RANGE'
_OLD_DISTRIBUTIONS = ('humble', 'jazzy')


def use_udp_transport(environ: MutableMapping[str, str] = os.environ) -> str:
    """
    Select the shipped Fast DDS profile unless the user has chosen one.

    :returns: One line for the log.
    """
    for variable in ('FASTDDS_DEFAULT_PROFILES_FILE', 'FASTRTPS_DEFAULT_PROFILES_FILE'):
        if environ.get(variable):
            return f'transport: Fast DDS profile of {variable}={environ[variable]}'
    loopback = environ.get(_RANGE) == 'LOCALHOST' or environ.get('ROS_LOCALHOST_ONLY') == '1'
    profile = str(share('config') / (LOOPBACK if loopback else ANYWHERE))
    old = environ.get('ROS_DISTRO') in _OLD_DISTRIBUTIONS
    environ['FASTRTPS_DEFAULT_PROFILES_FILE' if old else 'FASTDDS_DEFAULT_PROFILES_FILE'] = profile
    if loopback:
        environ[_RANGE] = 'SYSTEM_DEFAULT'
    return f'transport: UDP without shared memory ({profile})'


def find_log_folder(environ: MutableMapping[str, str] = os.environ) -> None:
    """Give ROS a folder for its logs where there is no home, without which it does not start."""
    if not environ.get('HOME') and not environ.get('ROS_LOG_DIR'):
        environ['ROS_LOG_DIR'] = str(Path(tempfile.gettempdir()) / 'ros_log')


def use_private_domain(
    environ: MutableMapping[str, str] = os.environ, domain: int | None = None
) -> int:
    """
    Keep what we start away from any robot: a domain of its own, this machine only.

    :param domain: Domain id; ``None``: a random one below the ephemeral ports of Linux.
    """
    chosen = random.SystemRandom().randint(11, 101) if domain is None else domain
    environ['ROS_DOMAIN_ID'] = str(chosen)
    environ[_RANGE] = 'LOCALHOST'
    if environ.get('ROS_DISTRO') == 'humble':
        environ['ROS_LOCALHOST_ONLY'] = '1'
    return chosen
