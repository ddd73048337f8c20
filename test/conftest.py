"""What holds for every test: a ROS domain of this run alone, and how hypothesis draws."""
from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from hypothesis import settings

from id_controller.ros.environment import use_private_domain, use_udp_transport

# What the tests share lies beside this file.
sys.path.insert(0, str(Path(__file__).parent))

settings.register_profile('local', deadline=None)
settings.register_profile('reproducible', deadline=None, derandomize=True, print_blob=True)
settings.load_profile('reproducible' if os.environ.get('CI') else 'local')

# Settings of a robot's shell that would let the tests reach it.
LEAKS = ('ROS_DISCOVERY_SERVER', 'ROS_STATIC_PEERS', 'FASTDDS_DEFAULT_PROFILES_FILE',
         'FASTRTPS_DEFAULT_PROFILES_FILE', 'CYCLONEDDS_URI')


for name in LEAKS:
    os.environ.pop(name, None)
DOMAIN = use_private_domain()
use_udp_transport()
LOGS = tempfile.mkdtemp(prefix='id_controller_test_')
os.environ['ROS_LOG_DIR'] = LOGS
# The many processes of the tests compile our modules once, whatever the shell says.
os.environ.pop('PYTHONDONTWRITEBYTECODE', None)
os.environ['PYTHONPYCACHEPREFIX'] = str(Path(LOGS) / 'compiled')


def pytest_report_header() -> str:
    return f'ROS domain {DOMAIN}, this machine only'


def pytest_unconfigure() -> None:
    shutil.rmtree(LOGS, ignore_errors=True)
