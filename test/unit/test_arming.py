"""What settings must be before an arm may be driven by them."""
from __future__ import annotations

import re

import numpy as np
import pytest
from control_rig import SETTINGS, pair, pid, settings

from id_controller.control.arming import check_settings, missing_gains
from id_controller.errors import ParameterError

JOINTS = ('shoulder', 'elbow')


def test_good_settings_pass() -> None:
    check_settings(SETTINGS, JOINTS)
    assert missing_gains(SETTINGS, JOINTS) == ''


@pytest.mark.parametrize(
    ('changes', 'message'),
    [
        ({'effort_limit': pair(50.0, np.nan)}, r'effort_limit of elbow: got nan, expected'),
        ({'effort_limit': np.ones(3)}, r'effort_limit: got shape \(3,\), expected \(2,\)'),
        ({'velocity_limit': pair(-1.0, 1.0)}, 'velocity_limit of shoulder: got -1'),
        ({'lower': pair(0.0, 5.0)}, 'lower, upper of elbow: expected lower <= upper'),
        ({'max_effort_rate': pair(1.0, 0.0)}, 'max_effort_rate of elbow: expected a rate > 0'),
        ({'ramp_time_s': np.nan}, 'ramp_time_s of 0: got nan'),
        ({'viscous': pair(np.inf, 0.0)}, 'viscous of shoulder: got inf'),
        ({'gravity': np.array([0.0, np.nan, 0.0])}, 'gravity of 1: got nan'),
        ({'payload_mass': -1.0}, 'payload_mass of 0: got -1'),
        ({'friction_velocity': 0.0}, 'friction_velocity: got 0.0, expected > 0'),
        ({'gains': pid((np.nan, 1.0))}, 'gains.p of shoulder: got nan'),
        ({'gains': pid((1.0, -2.0))}, 'gains.p of elbow: got -2'),
        ({'gains': pid((1.0, 1e300))}, r'gains.p of elbow: got 1e\+300'),
        ({'gains': pid((1.0, 1.0), u_min=1.0)}, 'gains.u_min, u_max of shoulder'),
        ({'acceleration_gains': pid(d=(0.0, np.inf))}, 'acceleration_gains.d of elbow'),
    ],
)
def test_b48_bad_numbers_are_refused_by_name(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        check_settings(settings(**changes), JOINTS)


def test_infinite_limits_and_clamps_are_allowed() -> None:
    free = pair(np.inf, np.inf)
    check_settings(
        settings(effort_limit=free, max_effort_rate=free, velocity_limit=free, upper=free,
                 lower=-free), JOINTS,
    )


def test_a_joint_without_authority_needs_no_rate() -> None:
    check_settings(
        settings(effort_limit=pair(50.0, 0.0), max_effort_rate=pair(1.0, 0.0)), JOINTS
    )


@pytest.mark.parametrize(
    ('mode', 'group', 'gains', 'message'),
    [
        ('feedforward', 'gains', pid(), r'for shoulder, elbow, expected gains.<joint>.p or d > 0'),
        ('feedforward', 'gains', pid((1.0, 0.0)), 'for elbow'),
        ('gravity_pd', 'gains', pid((0.0, 1.0), (5.0, 5.0)), 'for shoulder'),
        ('gravity', 'gains', pid((9.0, 9.0), d=(0.0, 2.0)), 'for shoulder, expected gains.*d > 0'),
        ('computed_torque', 'acceleration_gains', pid(), 'acceleration_gains.<joint>.p or d > 0'),
    ],
)
def test_no_gains_no_arming(mode: str, group: str, gains: object, message: str) -> None:
    text = missing_gains(settings(control_mode=mode, **{group: gains}), JOINTS)
    assert re.search(message, text), text


def test_gains_of_the_other_group_count_for_nothing() -> None:
    assert missing_gains(settings(control_mode='computed_torque', gains=pid()), JOINTS) == ''
    assert missing_gains(settings(acceleration_gains=pid()), JOINTS) == ''
