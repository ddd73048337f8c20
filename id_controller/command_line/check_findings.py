"""What ``check`` warns of."""
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from id_controller.command_line.check_data import Check, GainCheck
from id_controller.control.arming import check_settings, missing_gains

# Above this share gravity leaves too little to move with.
GRAVITY_BAR = 0.8
# Sampled damping: theory allows 2 without delay; a quarter of it leaves room for what is unknown.
DAMPING_BAR = 0.5


def findings(check: Check) -> tuple[str, ...]:
    """
    List everything that a person should look at, one sentence each.

    :raises ParameterError: when the parameters would be refused by the controller.
    """
    return (
        *check.configuration.warnings,
        *_gravity(check),
        *_gain_group(check),
        *(finding for gains in check.gain_checks for finding in _stability(check, gains)),
    )


def _gravity(check: Check) -> Iterator[str]:
    load = check.gravity
    for k, joint in enumerate(check.configuration.model.joints):
        if load.worst_share[k] > GRAVITY_BAR:
            yield (
                f"joint '{joint}': gravity needs up to {abs(load.worst[k]):.2f} of its effort "
                f'limit of {load.limit[k]:g}, expected at most {100 * GRAVITY_BAR:.0f} %'
            )


def _gain_group(check: Check) -> Iterator[str]:
    settings = check.configuration.settings()
    check_settings(settings, check.configuration.model.joints)
    if check.proposed:
        yield 'gains: none are given; without them the controller cannot be activated'
        return
    lacking = missing_gains(settings, check.configuration.model.joints)
    if lacking:
        yield lacking


def _stability(check: Check, gains: GainCheck) -> Iterator[str]:
    stability, delay = gains.stability, f'with {1e3 * check.delay_s:g} ms of delay'
    for k, joint in enumerate(check.configuration.model.joints):
        finding = _one_joint(check, gains, k, delay) if gains.p[k] or gains.d[k] else ''
        if finding:
            yield f'{gains.group}.{joint}: {finding}'
    if stability.whole_radius >= 1.0 and not np.any(stability.radius >= 1.0):
        yield (
            f'{gains.group}: unstable {delay} when all joints act together: pole '
            f'{stability.whole_radius:.3f}, expected below 1'
        )


def _cause(damping: float, stiffness: float) -> str:
    if stiffness > damping:
        return f'p (Kp dt^2/M is {stiffness:.2f})'
    return f'd (Kd dt/M is {damping:.2f})'


def _one_joint(check: Check, gains: GainCheck, k: int, delay: str) -> str:
    """Say the worst of one joint, empty when there is nothing to say."""
    stability = gains.stability
    damping, margin_s = stability.damping_number[k], stability.delay_margin_s[k]
    if stability.radius[k] >= 1.0:
        return (
            f'unstable {delay}: pole {stability.radius[k]:.3f}, expected below 1; lower '
            f'{_cause(damping, stability.stiffness_number[k])} or state the armature'
        )
    if damping > DAMPING_BAR:
        return f'Kd dt/M is {damping:.2f}, expected at most {DAMPING_BAR:g}'
    if margin_s < check.configuration.period_s:
        return (
            f'{1e3 * margin_s:.1f} ms more delay makes it unstable, expected at least one '
            'control period to spare'
        )
    return ''
