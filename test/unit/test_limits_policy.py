"""Limits of the joints: what the description says, overrides, and the stated policy."""
from __future__ import annotations

import math

import pytest

from id_controller.errors import ModelError
from id_controller.model.description import Description, parse_description
from id_controller.model.limits import JointLimits, joint_friction, joint_limits


def described(limit: str, kind: str = 'revolute', extra: str = '') -> Description:
    return parse_description(
        '<robot name="r"><link name="a"/><link name="b"/><link name="c"/>'
        f'<joint name="j" type="{kind}"><parent link="a"/><child link="b"/>{limit}{extra}</joint>'
        '<joint name="k" type="revolute"><parent link="b"/><child link="c"/>'
        '<limit lower="-2" upper="3" velocity="4" effort="5"/>'
        '<dynamics damping="0.7" friction="0.3"/></joint></robot>'
    )


def limits_of(limit: str, **options: object) -> JointLimits:
    return joint_limits(described(limit), ('k', 'j'), **options)  # type: ignore[arg-type]


FULL = '<limit lower="-1" upper="1.5" velocity="2.5" effort="3.5"/>'


def test_takes_written_limits_in_the_order_asked_for() -> None:
    limits = limits_of(FULL)
    assert limits.lower.tolist() == [-2.0, -1.0]
    assert limits.upper.tolist() == [3.0, 1.5]
    assert limits.velocity.tolist() == [4.0, 2.5]
    assert limits.effort.tolist() == [5.0, 3.5]
    assert limits.warnings == ()


def test_arrays_are_read_only() -> None:
    with pytest.raises(ValueError, match='read-only'):
        limits_of(FULL).effort[0] = 1.0


NO_EFFORT = [
    ('', 'no effort limit'),
    ('<limit lower="-1" upper="1" velocity="1"/>', 'no effort limit'),
    ('<limit lower="-1" upper="1" velocity="1" effort="0"/>', 'effort limit 0'),
    ('<limit lower="-1" upper="1" velocity="1" effort="-5"/>', 'effort limit -5'),
]


@pytest.mark.parametrize(('limit', 'got'), NO_EFFORT)
def test_b51_no_effort_is_refused_by_default(limit: str, got: str) -> None:
    with pytest.raises(ModelError) as refusal:
        limits_of(limit)
    for word in ("joint 'j'", got, 'expected > 0', 'effort_limits.j', 'effort_limit_policy'):
        assert word in str(refusal.value)


@pytest.mark.parametrize(('limit', 'got'), NO_EFFORT)
@pytest.mark.parametrize(('policy', 'effort'), [('unlimited', math.inf), ('zero', 0.0)])
def test_b51_policy_says_what_no_effort_means(
    limit: str, got: str, policy: str, effort: float
) -> None:
    limits = limits_of(limit, policy=policy)
    assert limits.effort.tolist() == [5.0, effort]
    assert any(got in text and 'effort_limit_policy' in text for text in limits.warnings)


@pytest.mark.parametrize(('limit', 'got'), NO_EFFORT)
def test_b51_override_wins_over_policy(limit: str, got: str) -> None:
    limits = limits_of(limit, effort_overrides={'j': 7.0, 'k': 0.0})
    assert limits.effort.tolist() == [5.0, 7.0]


def test_b56_negative_effort_is_reported_even_when_overridden() -> None:
    limits = limits_of(NO_EFFORT[3][0], effort_overrides={'j': 7.0})
    assert any("'j'" in text and '-5' in text for text in limits.warnings)


def test_b51_unknown_policy_names_the_nearest() -> None:
    with pytest.raises(ModelError, match="got 'unlimit'; did you mean 'unlimited'"):
        limits_of(FULL, policy='unlimit')


@pytest.mark.parametrize('velocity', ['', 'velocity="0"', 'velocity="-1"'])
def test_velocity_that_is_none_is_none_and_says_so(velocity: str) -> None:
    limits = limits_of(f'<limit lower="-1" upper="1" effort="1" {velocity}/>')
    assert limits.velocity.tolist() == [4.0, math.inf]
    assert len(limits.warnings) == 1
    assert "'j'" in limits.warnings[0]
    again = limits_of(f'<limit lower="-1" upper="1" effort="1" {velocity}/>',
                      velocity_overrides={'j': 1.25})
    assert again.velocity.tolist() == [4.0, 1.25]


def test_b52_continuous_joint_without_limit() -> None:
    limits = joint_limits(described('', kind='continuous'), ('j',), policy='zero')
    assert (limits.lower[0], limits.upper[0]) == (-math.inf, math.inf)


def test_continuous_joint_ignores_written_positions() -> None:
    limits = joint_limits(described(FULL, kind='continuous'), ('j',))
    assert (limits.lower[0], limits.upper[0], limits.effort[0]) == (-math.inf, math.inf, 3.5)


def test_missing_positions_of_a_revolute_joint_are_reported() -> None:
    limits = limits_of('<limit velocity="1" effort="1"/>')
    assert (limits.lower[1], limits.upper[1]) == (-math.inf, math.inf)
    assert limits.warnings == ("joint 'j': it has no position limits",)
    half = limits_of('<limit upper="2" velocity="1" effort="1"/>')
    assert (half.lower[1], half.upper[1]) == (0.0, 2.0)
    assert 'lower limit is not written' in half.warnings[0]


def test_empty_range_is_refused() -> None:
    with pytest.raises(ModelError, match="'j': got position limits 2 to -2"):
        limits_of('<limit lower="2" upper="-2" velocity="1" effort="1"/>')


def test_b52_unknown_joint_names_the_nearest() -> None:
    description = described(FULL)
    with pytest.raises(ModelError, match="joint 'jj'.*did you mean 'j'"):
        joint_limits(description, ('jj',))


def test_b49_safety_controller_without_gain_is_loud() -> None:
    description = described(FULL, extra='<safety_controller k_velocity="0"/>')
    assert any('k_velocity 0' in text for text in joint_limits(description, ('j',)).warnings)


GRIPPER = (
    '<robot name="r"><link name="a"/><link name="b"/><link name="c"/>'
    '<joint name="lead" type="revolute"><parent link="a"/><child link="b"/>'
    '<limit lower="-1" upper="1" velocity="1" effort="1"/>'
    '<dynamics damping="0.5" friction="0.25"/></joint>'
    '<joint name="follow" type="revolute"><parent link="a"/><child link="c"/>'
    '<limit lower="{lower}" upper="{upper}" velocity="1" effort="1"/>'
    '<mimic joint="lead" multiplier="-2" offset="0.5"/>'
    '<dynamics damping="0.1" friction="0.04"/></joint></robot>'
)


def test_follower_narrows_the_range_of_its_leader() -> None:
    description = parse_description(GRIPPER.format(lower=-0.5, upper=0.7))
    limits = joint_limits(description, ('lead',))
    # -0.5 <= -2 x + 0.5 <= 0.7
    assert limits.lower[0] == pytest.approx(-0.1)
    assert limits.upper[0] == pytest.approx(0.5)
    assert 'narrowed' in limits.warnings[0]


def test_follower_that_leaves_nothing_is_ignored_aloud() -> None:
    description = parse_description(GRIPPER.format(lower=5.0, upper=6.0))
    limits = joint_limits(description, ('lead',))
    assert (limits.lower[0], limits.upper[0]) == (-1.0, 1.0)
    assert "'follow'" in limits.warnings[0]


def test_b62_friction_of_dynamics_tags() -> None:
    description = described(FULL, extra='<dynamics damping="0.5" friction="0.2"/>')
    damping, friction = joint_friction(description, ('k', 'j'))
    assert damping.tolist() == [0.7, 0.5]
    assert friction.tolist() == [0.3, 0.2]


def test_b62_friction_of_a_follower_acts_on_its_leader() -> None:
    damping, friction = joint_friction(
        parse_description(GRIPPER.format(lower=-9, upper=9)), ('lead',)
    )
    assert damping[0] == pytest.approx(0.5 + 4 * 0.1)
    assert friction[0] == pytest.approx(0.25 + 2 * 0.04)
